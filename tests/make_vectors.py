"""Writes the published vectors: ``python -m tests.make_vectors``; with ``--check``, only says which are out of date."""

import sys
from pathlib import Path

from tests.vectors import (
    cipher,
    codec,
    commitment,
    context,
    dleq,
    group,
    hashing,
    identity,
    membership,
    pedersen,
    shuffle,
)

FOLDER = Path(__file__).parents[1] / "protocol" / "vectors"
MODULES = {
    module.__name__.rpartition(".")[2]: module
    for module in (codec, hashing, group, identity, commitment, cipher, context, pedersen, dleq, shuffle, membership)
}


def made() -> dict[str, str]:
    """Returns the content of every file by its name."""
    return {f"{name}.json": module.vectors().to_text() for name, module in MODULES.items()}


def stale() -> list[str]:
    """Returns the names of files that are missing, differ from what would be written, or should not be there."""
    expected = made()
    found = {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()}
    return sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))


def main() -> None:
    if "--check" in sys.argv[1:]:
        if names := stale():
            raise SystemExit(f"not up to date: {', '.join(names)}; run python -m tests.make_vectors")
        return
    for name, text in made().items():
        (FOLDER / name).write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
