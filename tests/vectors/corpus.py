"""Files that an audit must refuse, or take for unfinished: changes of one recorded game, each with the finding."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, count
from typing import Any, Final

from p2p_sheriff.session.acts import Act, Moves, Payload
from p2p_sheriff.session.record import Record
from protocol.entry import Entry, SignedEntry
from protocol.group import Edwards25519
from protocol.identity import SEED_BYTES, Identity
from tests.table.games import game_bytes
from tests.vectors.notation import GAMES_FOLDER, prose

DESCRIPTION: Final = prose(
    """
    Faulty files, and some that are only incomplete. Each is the file `base` of docs/vectors/games with one change: at
    `offset` so many bytes are `removed`, and the bytes `inserted` (hex) put in their place. `verdict` is what an audit
    says: `fault`, `unfinished`, `valid` (decided, and not signed by all), or `no record`; of a fault, `code`, the place
    `entry` in the file, `seat` and `number` (null where nobody, or no entry, is named). `secrets` are the keys of the
    seats, for who wants to write more of them: never use them.
    """
)
BASE: Final = "whole"
NOBODY: Final = (None, None)


@dataclass(frozen=True)
class Spoilt:
    """A changed file, and what an audit says of it."""

    comment: str
    content: bytes
    verdict: str = "fault"
    code: str | None = None
    entry: int | None = None
    author: tuple[int | None, int | None] = NOBODY
    """Seat and number."""


class Played:
    """The recorded game, with the keys of its seats."""

    def __init__(self) -> None:
        self.content = (GAMES_FOLDER / f"{BASE}.sheriff").read_bytes()
        self.record = Record.from_bytes(Edwards25519(), self.content)
        self.charter, self.entries = self.record.charter, list(self.record.entries)
        self.signed = [SignedEntry.from_bytes(self.charter, data) for data in self.entries]
        self.starts = list(accumulate((4 + len(one) for one in self.entries), initial=len(self.having([]))))

    @cached_property
    def identities(self) -> list[Identity]:
        """The keys of the seats: those of the first game with these bytes."""
        keys = [player.identity for player in self.charter.players]
        for seed in count():
            rng = game_bytes(seed)
            found = [Identity(rng(SEED_BYTES)) for _ in keys]
            if [one.public for one in found] == keys:
                return found
        raise AssertionError

    def having(self, entries: list[bytes]) -> bytes:
        return replace(self.record, entries=tuple(entries)).to_bytes()

    def first(self, kind: type[Act], start: int = 0) -> int:
        """Returns the place of the first entry with such an act, from there on."""
        steps = (
            (place, one.entry) for place, one in enumerate(self.signed) if place >= start and one.entry.step is not None
        )
        return next(place for place, one in steps if any(isinstance(act, kind) for act in payload_of(one).acts))

    def moving(self, name: str) -> int:
        """Returns the place of the first move of that name."""
        steps = ((place, one.entry) for place, one in enumerate(self.signed) if one.entry.step is not None)
        named = ((place, act.move) for place, one in steps for act in payload_of(one).acts if isinstance(act, Moves))
        return next(place for place, move in named if type(move).__name__ == name)

    def upto(self, place: int, *entries: bytes) -> bytes:
        """Returns the file up to a place, with other entries there."""
        return self.having([*self.entries[:place], *entries])

    def resigned(self, place: int, **changes: Any) -> bytes:
        """Returns the entry of a place with changes, signed by its author."""
        return self.sign(replace(self.signed[place].entry, **changes))

    def sign(self, entry: Entry) -> bytes:
        return SignedEntry.sign(self.identities[entry.author], entry).to_bytes()

    def author(self, place: int) -> tuple[int, int]:
        entry = self.signed[place].entry
        return entry.author, entry.sequence


def payload_of(entry: Entry) -> Payload:
    return Payload.from_value(entry.payload)


def to_text(cases: Sequence[Spoilt]) -> str:
    """Returns the content of the file."""
    base = Played()
    written = [{"id": number, **_written(base.content, one)} for number, one in enumerate(cases, 1)]
    content = {
        "description": DESCRIPTION,
        "base": f"{BASE}.sheriff",
        "secrets": [identity.seed().hex() for identity in base.identities],
        "cases": written,
    }
    return json.dumps(content, indent=1) + "\n"


def _written(base: bytes, one: Spoilt) -> dict[str, object]:
    shorter = min(len(base), len(one.content))
    offset = next((at for at in range(shorter) if base[at] != one.content[at]), shorter)
    left = shorter - offset
    tail = next((n for n in range(left) if base[-1 - n] != one.content[-1 - n]), left)
    return {
        "comment": one.comment,
        "offset": offset,
        "removed": len(base) - tail - offset,
        "inserted": one.content[offset : len(one.content) - tail].hex(),
        "verdict": one.verdict,
        "code": one.code,
        "entry": one.entry,
        "seat": one.author[0],
        "number": one.author[1],
    }
