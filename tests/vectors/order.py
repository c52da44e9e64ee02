from collections.abc import Sequence
from random import Random

from protocol.codec import Value
from protocol.entry import SignedEntry
from protocol.transcript import Transcript
from tests.protocol.toy import say
from tests.vectors.charter import IDENTITIES, charter_of
from tests.vectors.notation import BYTES, Case, VectorFile, prose

DESCRIPTION = prose(
    """
    The canonical order of entries. The messages `entries` (entry.json) of the game whose charter is `charter` are given
    in the order in which a node received them. In the canonical order they are those of the places `expected`: again
    and again, of those that name only what was listed, the one of the lowest seat. The same entries in another order of
    arrival have the same canonical order. There is nothing to refuse.
    """
)
CHARTER = charter_of(("Anna", "Ben", "Cleo"))


def vectors() -> VectorFile:
    alone = written("0:hello", "1:hi")
    chat = written("2:a", "0:b", "1:c|0", "2:d|1", "0:e", "1:f|2", "2:g", "0:h|1", "1:i", "0:j")
    cases = [
        _case("two who have not seen each other", alone[::-1]),
        _case("three who talk and miss words of each other", chat),
    ]
    mixed = list(chat)
    Random(1).shuffle(mixed)
    return VectorFile(" ".join((DESCRIPTION, BYTES)), [*cases, _case("the same, as they came elsewhere", mixed)], [])


def written(*words: str) -> list[SignedEntry]:
    """Writes entries, each by a seat that has seen all before it, but for those of the seats behind a bar."""
    tables = [Transcript(CHARTER) for _ in CHARTER.players]
    entries: list[SignedEntry] = []
    for word in words:
        said, _, unseen = word.partition("|")
        seat, text = int(said[0]), said[2:]
        for entry in entries:
            if str(entry.entry.author) not in unseen:
                tuple(tables[seat].receive(entry))
        payload: Value = ("say", text)
        entries.append(say(tables[seat], IDENTITIES[seat], payload))
    return entries


def _case(comment: str, entries: Sequence[SignedEntry]) -> Case:
    transcript = Transcript(CHARTER)
    for entry in entries:
        tuple(transcript.receive(entry))
    places = {entry.hash: place for place, entry in enumerate(entries)}
    order = [places[entry.hash] for entry in transcript.in_order()]
    assert len(order) == len(entries)
    return {
        "comment": comment,
        "charter": CHARTER.to_bytes().hex(),
        "entries": [entry.to_bytes().hex() for entry in entries],
        "expected": order,
    }
