"""A trustless card table: a game-agnostic library for hidden-information games without a server or a dealer."""
