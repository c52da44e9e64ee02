"""Bad input of a person at the command line, and an end that they ask for there."""

from typing import Final

INTERRUPTED: Final = 130
"""The exit code of a program that was stopped from the keyboard."""


class UsageError(ValueError):
    """What was asked for can't be done: the sentence says why. The command line prints it and exits with code 2."""
