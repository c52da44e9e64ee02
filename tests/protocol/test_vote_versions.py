"""A liar signs one vote in many versions, and an accomplice names them all: what was agreed stays."""

from collections.abc import Iterator, Sequence

from protocol.ballots import Vote, vote_payload
from protocol.entry import Head, SignedEntry
from protocol.table import Event, Table, Undone
from tests.protocol.test_ballots import FIVE, five, see, share, vote
from tests.protocol.toy import Toy, sign, write

LIAR, ACCOMPLICE, ANN, BEN, GONE = range(5)
AHEAD = 100
"""The accomplice's words come so much later than its chain ends: they wait, and what they name is kept."""


def versions(table: Table[Toy], heads: Sequence[Head], ballot: Vote) -> Iterator[list[SignedEntry]]:
    """Yields entries of the two that bring one more version of the liar's vote to others."""
    number, aside = heads[LIAR].length, len(table.transcript.chains[ACCOMPLICE]) + AHEAD
    for way in range(1000):
        word = sign(table.charter, FIVE[LIAR], heads, f"way {way}")
        false = sign(table.charter, FIVE[LIAR], (Head(number + 1, word.hash), *heads[1:]), vote_payload(ballot))
        waits = (Head(number + 2, false.hash), Head(aside + way, bytes(32)), *heads[2:])
        yield [sign(table.charter, FIVE[ACCOMPLICE], waits, "look"), false, word]


def tell_all(tables: Sequence[Table[Toy]], entries: Sequence[SignedEntry]) -> list[Event]:
    return [event for table in tables for signed in entries for event in table.receive(signed.to_bytes())]


def test_thirty_versions_of_a_vote_that_come_before_it_in_their_order_undo_nothing_that_was_played_since() -> None:
    tables = five((0, 1, 2, 3, 4), (ANN,), (BEN,))
    for seat in range(5):
        write(tables, seat, seat)
    heads = tables[LIAR].transcript.heads
    vote(tables, (LIAR, ACCOMPLICE, ANN, BEN), GONE)
    share(tables[:GONE])
    see(tables[:GONE])
    write(tables[:GONE], ANN, 7)
    honest, true = tables[ANN:GONE], tables[LIAR].transcript.chains[LIAR][heads[LIAR].length]
    games = [table.game for table in honest]

    others = versions(tables[LIAR], heads, Vote((), (GONE,), 0))
    lower = [entries for entries in others if entries[1].hash < true.hash][:30]
    assert len(lower) == 30
    told = [event for entries in lower for event in tell_all(honest, entries)]
    assert all(len(table.transcript.history.past.ends[LIAR]) == 31 for table in honest)
    assert not any(isinstance(event, Undone) for event in told)
    assert [table.game for table in honest] == games

    vote(tables, (ANN, BEN, ACCOMPLICE), LIAR)
    share(tables[ACCOMPLICE:GONE])
    assert all(table.seats == (ACCOMPLICE, ANN, BEN) for table in honest)
    assert all(table.game.numbers == games[0].numbers for table in honest)


def test_versions_of_votes_for_one_certificate_after_the_other_are_not_counted_in_every_combination() -> None:
    tables = five()
    lies: list[list[SignedEntry]] = []
    for _ in range(4):
        heads, below = tables[LIAR].transcript.heads, tables[LIAR]._electorate.next_vote(())
        vote(tables, range(5))
        lies += [entries for entries, _ in zip(versions(tables[LIAR], heads, below), range(5), strict=False)]
        share(tables)
        see(tables)
    for number, (waits, false, word) in enumerate(lies):
        aside = (waits.entry.heads[LIAR], Head(AHEAD + number, bytes(32)), *waits.entry.heads[2:])
        tell_all([tables[ANN]], [sign(tables[ANN].charter, FIVE[ACCOMPLICE], aside, "look"), false, word])
    transcript = tables[ANN].transcript
    assert len(transcript.history.past.ends[LIAR]) == 1 + len(lies)
    assert len(list(transcript.ballots.chains(transcript.history.past, transcript.tips))) == 1 + 4
    assert len(tables[ANN].best) == 4
