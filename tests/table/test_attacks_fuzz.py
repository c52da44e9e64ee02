"""Whatever an entry says, it is taken or its author is blamed: no node ever stumbles over one."""

from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random

import pytest

from p2p_sheriff.rules import LOOT, Seat, Setup
from p2p_sheriff.rules.moves import Accept, Condition, Gift, Inspect, Offer, Pass, Refuse, Talk, Things, Verb, Withdraw
from p2p_sheriff.rules.moves import Act as Bargain
from p2p_sheriff.session.acts import FREE, Moves, Negotiates, Payload, Takes
from p2p_sheriff.session.play import Play
from protocol.codec import Value, encode
from protocol.entry import VERSION, Entry, SignedEntry
from protocol.errors import VerificationError
from protocol.faults import FaultCode
from protocol.identity import Identity
from protocol.table import Folded, Table
from tests.drbg import Drbg
from tests.table.games import SHORT_DECK, bot_game
from tests.table.tables import GROUP

BATCHES = 10
CASES = 100
"""In each batch."""

JUNK: tuple[Value, ...] = (
    *(None, True, False, 0, 1, -1, 7, 1 << 31, (1 << 63) - 1, (1 << 64) - 1, -(1 << 63)),
    *(b"", bytes(1), bytes(32), bytes([1]) + bytes(31), bytes([255]) * 32, bytes(64), bytes(96)),
    *("", "silk", "apples", "pepper 30", "no such thing", "\u202e", "x" * 500, "move", "open", "show", "seal"),
    *((), ((),), (((((),),),),), (0,), (0, 0), (0, "silk"), ((0, "silk"),) * 40, tuple(range(300))),
)

GENEROUS = Things(3, (("apples", 1),), (("silk", 1),), 1, (("apples", 1), ("mead", 2)), 1)
NONSENSE = (
    Gift(Seat(1), Seat(2), GENEROUS),
    Gift(Seat(2), Seat(0), Things(gold=1), Condition.IF_TRUE),
    Gift(Seat(0), LOOT, GENEROUS, Condition.IF_LIE),
    Gift(LOOT, Seat(-7), Things(gold=-1)),
    Gift(Seat(1 << 40), Seat(99), GENEROUS),
)
SPOKEN: tuple[Talk | Accept, ...] = (
    *(
        Offer.bribe(Seat(0), 9, Seat(payer), (Seat(0),), (Bargain(Seat(1), Verb.PASS),), GENEROUS)
        for payer in (0, 1, 2)
    ),
    *(Offer.bribe(Seat(1), 9, Seat(1), (Seat(to),), (Bargain(Seat(1), Verb.INSPECT),), GENEROUS) for to in (0, 1, 2)),
    *(Offer.bribe(Seat(2), 9, Seat(2), (Seat(0), Seat(1)), (), Things(gold=gold)) for gold in (0, 5, 500)),
    *(Offer(Seat(seat), 9, (), (), (Bargain(Seat(1), Verb.PASS),), "x" * 999) for seat in range(3)),
    *(Offer(Seat(seat), 9, (Seat(0),), NONSENSE, (Bargain(Seat(9), Verb.PASS),)) for seat in range(3)),
    *(Offer(Seat(0), 9, (Seat(0),), (*NONSENSE[:1], gift), ()) for gift in NONSENSE),
    *(Withdraw(Seat(seat), number) for seat in range(3) for number in (0, 1, 9)),
    *(Refuse(Seat(seat), Seat(author), 0) for seat in range(3) for author in range(3)),
    *(Accept(Seat(seat), Seat(author), number) for seat in range(3) for author in range(3) for number in (0, 9)),
)
"""What can be said while bags are negotiated about, much of it nonsense."""


@dataclass(frozen=True)
class Moment:
    """A table right before an entry that takes a step, and the entry."""

    table: Table[Play]
    signed: SignedEntry

    def twin(self) -> Table[Play]:
        """Returns a copy of the table that can be spoilt; what can't change is shared."""
        table = self.table
        shared = (table.charter, table.game, *(signed for chain in table.transcript.chains for signed in chain))
        return deepcopy(table, {id(one): one for one in shared})


@dataclass(frozen=True)
class Recording:
    """A whole honest game: its moments by what is done in them, everything that was said, and who can sign."""

    moments: dict[str, list[Moment]]
    payloads: list[Value]
    offers: list[Value]
    identities: list[Identity]

    def any_moment(self, rng: Random) -> Moment:
        """Returns a moment; what is rare in a game comes as often as what is not."""
        return rng.choice(self.moments[rng.choice(sorted(self.moments))])


def name_of(payload: Payload) -> str:
    """Returns what an entry does, in words."""
    return " ".join(type(act.move).__name__ if isinstance(act, Moves) else type(act).__name__ for act in payload.acts)


@pytest.fixture(scope="module")
def game() -> Recording:
    """Bots of all styles play a short game at the black market to its end; an onlooker follows it."""
    net = bot_game(Setup(3, options=frozenset({"black-market"}), short=SHORT_DECK), GROUP, seed=5)
    sessions = net.sessions
    charter = sessions[0].table.charter
    begun = Play.begin(charter.game, sessions[0].play.state.setup, GROUP, Drbg("onlooker"))
    onlooker = Table(charter, begun)
    moments: dict[str, list[Moment]] = defaultdict(list)
    payloads, offers = list[Value](), [FREE.write(Negotiates(move)) for move in SPOKEN]
    for signed in sessions[0].table.transcript.in_order():
        if signed.entry.step is None:
            offers.append(signed.entry.payload)
        else:
            payloads.append(signed.entry.payload)
            name = name_of(Payload.from_value(signed.entry.payload))
            moments[name].append(Moment(Moment(onlooker, signed).twin(), signed))
        onlooker.take(signed)
    assert onlooker.game == sessions[0].play
    assert onlooker.game.is_over
    identities = [session.table._identity for session in sessions]
    return Recording(moments, payloads, offers, [one for one in identities if one is not None])


# -- changing values


def parts_of(value: Value, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Value]]:
    """Yields everything in a value, with the way to it."""
    yield path, value
    if isinstance(value, tuple):
        for place, part in enumerate(value):
            yield from parts_of(part, (*path, place))


def with_part(value: Value, path: tuple[int, ...], part: Value) -> Value:
    if not path:
        return part
    assert isinstance(value, tuple)
    place, *rest = path
    return (*value[:place], with_part(value[place], tuple(rest), part), *value[place + 1 :])


def changed(value: Value, others: list[Value], rng: Random) -> Value:
    """Returns the value with one of its parts, however deep, made something else."""
    path, old = rng.choice(list(parts_of(value)))
    if rng.random() < 0.25:
        _, part = rng.choice(list(parts_of(rng.choice(others))))
        return with_part(value, path, part)
    return with_part(value, path, rng.choice(JUNK) if rng.random() < 0.35 else _near(old, rng))


def _near(old: Value, rng: Random) -> Value:
    """Returns something of the same type, and hardly different."""
    match old:
        case bool() | None:
            return not old
        case int():
            return max(-(1 << 63), min(old + rng.choice((-1, 1, 2, 100)), (1 << 64) - 1))
        case bytes():
            place = rng.randrange(len(old) + 1)
            flipped = bytes(byte ^ (index == place) for index, byte in enumerate(old))
            return rng.choice((flipped, old[:place], old[place:], old + bytes(1), bytes(len(old)), old[32:] + old[:32]))
        case str():
            return rng.choice((old[1:], old + "s", old.upper(), "cheese", "mead"))
        case tuple():
            place = rng.randrange(len(old) + 1)
            cut = (*old[:place], *old[place + 1 :])
            return rng.choice((cut, old[:place], old + old[:1], old[::-1], (*old, old), (old,)))


# -- what must never happen


def judged(moment: Moment, table: Table[Play], entry: Entry, identity: Identity) -> None:
    """Gives an entry to the table: it is folded, or its author is blamed and nothing has changed."""
    events = table.receive(SignedEntry.sign(identity, entry).to_bytes())
    if set(table.faults) == {entry.author}:
        assert table.faults[entry.author].code in (FaultCode.MALFORMED, FaultCode.FALSE_PROOF, FaultCode.FORBIDDEN)
        assert table.game == moment.table.game
    else:
        assert table.faults == {}
        is_folded = any(isinstance(event, Folded) for event in events)
        assert is_folded or table.stage[0] != entry.author, "it was neither taken nor refused"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_changed_payload_is_taken_or_blamed_on_its_author(game: Recording, batch: int) -> None:
    rng = Random(batch)
    for _ in range(CASES):
        moment = game.any_moment(rng)
        entry = moment.signed.entry
        payload = changed(entry.payload, game.payloads, rng)
        judged(moment, moment.twin(), replace(entry, payload=payload), game.identities[entry.author])


@pytest.mark.parametrize("batch", range(2))
def test_what_another_seat_or_another_moment_has_said_is_taken_or_blamed_on_its_author(
    game: Recording, batch: int
) -> None:
    rng = Random(batch)
    for _ in range(CASES):
        moment = game.any_moment(rng)
        entry = moment.signed.entry
        payload = rng.choice(game.payloads)
        judged(moment, moment.twin(), replace(entry, payload=payload), game.identities[entry.author])


def is_decision(payload: Payload) -> bool:
    match payload.acts[0]:
        case Takes() | Moves(Pass() | Inspect() | Accept()):
            return True
        case _:
            return False


@pytest.mark.parametrize("batch", range(4))
def test_changed_offers_do_no_harm_to_who_has_heard_them(game: Recording, batch: int) -> None:
    """The sheriff's next decision names them all, so that every node puts them into the rules."""
    rng = Random(batch)
    decisions = [
        moment
        for moments in game.moments.values()
        for moment in moments
        if is_decision(Payload.from_value(moment.signed.entry.payload))
    ]
    for _ in range(CASES):
        moment = rng.choice(decisions)
        table = moment.twin()
        for _ in range(4):
            author = rng.randrange(3)
            words = rng.choice(game.offers)
            words = changed(words, game.offers, rng) if rng.random() < 0.7 else words
            said = Entry(table.charter.game, author, table.transcript.heads, None, words)
            table.receive(SignedEntry.sign(game.identities[author], said).to_bytes())
            codes = {fault.code for seat, fault in table.faults.items() if seat == author}
            assert set(table.faults) <= {author}
            assert codes <= {FaultCode.MALFORMED, FaultCode.FORBIDDEN, FaultCode.OVER_BUDGET}
            table.faults.clear()  # What is no word of the game is in nobody's chain; the others' are heard.
        sheriff = moment.signed.entry.author
        entry = replace(moment.signed.entry, heads=table.transcript.heads)
        judged(moment, table, entry, game.identities[sheriff])


def test_changed_envelopes_are_refused_or_blamed_on_their_author(game: Recording) -> None:
    """Everything around the payload: version, game, author, heads and step, signed by the author."""
    rng = Random(0)
    for _ in range(2 * CASES):
        moment = game.any_moment(rng)
        entry = moment.signed.entry
        envelope = (
            VERSION,
            entry.game,
            entry.author,
            tuple((head.length, head.hash) for head in entry.heads),
            entry.step,
        )
        body = encode((*_as_tuple(changed(envelope, [envelope], rng)), entry.payload))
        table = moment.twin()
        try:
            table.receive(encode((body, game.identities[entry.author].sign("entry", body))))
        except VerificationError:
            assert table.faults == {}
        assert set(table.faults) <= {entry.author}


def _as_tuple(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else (value,)


def test_changed_bytes_are_no_entry_and_nobody_is_blamed_for_them(game: Recording) -> None:
    rng = Random(0)
    for _ in range(2 * CASES):
        moment = game.any_moment(rng)
        data = moment.signed.to_bytes()
        table = moment.twin()
        place = rng.randrange(len(data))
        spoilt = rng.choice(
            (
                data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :],
                data[:place],
                data[:place] + data[place + 1 :],
                data + bytes(1),
                rng.randbytes(place),
            )
        )
        with pytest.raises(VerificationError):
            table.receive(spoilt)
        assert table.faults == {}
        assert table.game == moment.table.game
