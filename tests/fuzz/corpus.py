"""Inputs that a guided fuzzer has found to reach something new; tests try them all, and others near to them."""

from pathlib import Path
from typing import Final

CORPUS: Final = Path(__file__).parent / "corpus"


def folder_of(target: str) -> Path:
    """Returns where the inputs for a target are."""
    return CORPUS / target


def inputs_of(target: str) -> list[bytes]:
    """Returns what was found for a target."""
    return [path.read_bytes() for path in sorted(folder_of(target).glob("*"))]
