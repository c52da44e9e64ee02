"""Figures of this machine, each with the floor that was measured in the same run."""
