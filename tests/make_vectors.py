"""Writes the published vectors: ``python -m tests.make_vectors``; with ``--check``, only says which are out of date."""

import sys
from pathlib import Path

from tests.vectors import (
    ballots,
    charter,
    cipher,
    codec,
    coin,
    commitment,
    context,
    deck,
    dleq,
    entry,
    group,
    hashing,
    identity,
    membership,
    order,
    pedersen,
    seal,
    shuffle,
    terms,
)
from tests.vectors.notation import FOLDER, GAME_FOLDER

_PROOFS = (codec, hashing, group, identity, commitment, cipher, context, pedersen, dleq, shuffle, membership)
_TABLE = (deck, charter, entry, order, ballots, coin)
_GAME = (terms, seal)


def made() -> dict[Path, str]:
    """Returns the content of every file: of the library, and of the game."""
    modules = dict.fromkeys((*_PROOFS, *_TABLE), FOLDER) | dict.fromkeys(_GAME, GAME_FOLDER)
    return {
        folder / f"{module.__name__.rpartition('.')[2]}.json": module.vectors().to_text()
        for module, folder in modules.items()
    }


def stale() -> list[str]:
    """Returns the names of files that are missing, differ from what would be written, or should not be there."""
    expected = made()
    found = {path: path.read_text("utf-8") for folder in (FOLDER, GAME_FOLDER) for path in folder.glob("*.json")}
    return sorted(path.name for path in expected.keys() | found.keys() if expected.get(path) != found.get(path))


def main() -> None:
    if "--check" in sys.argv[1:]:
        if names := stale():
            raise SystemExit(f"not up to date: {', '.join(names)}; run python -m tests.make_vectors")
        return
    for path, text in made().items():
        path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
