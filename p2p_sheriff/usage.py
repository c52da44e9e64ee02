"""Bad input of a person at the command line."""


class UsageError(ValueError):
    """What was asked for can't be done: the sentence says why. The command line prints it and exits with code 2."""
