"""The command line: puts the parts together."""

import argparse
from collections.abc import Sequence
from importlib.metadata import version

import p2p_sheriff


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program and returns its exit code."""
    parser = argparse.ArgumentParser(prog="p2p-sheriff", description=p2p_sheriff.__doc__)
    parser.add_argument("--version", action="version", version=f"p2p-sheriff {version('p2p-sheriff')}")
    parser.parse_args(arguments)
    parser.print_help()
    return 0
