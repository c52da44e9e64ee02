"""The laboratory: games without a network, many games without cryptography, and measurements."""
