from collections.abc import Sequence
from dataclasses import replace

from protocol.cipher import card_points
from protocol.deck import Card, Change, Keyring, list_cards, lock_cards, read_list, read_lock, read_strip, strip_cards
from protocol.group import Edwards25519, Group
from protocol.proofs import shuffle
from protocol.proofs.context import Context
from protocol.proofs.shuffle import Preparation
from protocol.zones import Rearrangement, read_rearrangement, rearrange
from tests.drbg import Drbg
from tests.protocol.contexts import HERE
from tests.vectors.notation import BYTES, CHECKS, ERRORS, PROOFS, Case, Json, VectorFile, flipped, hexes, prose
from tests.vectors.notation import context_fields as written

DESCRIPTION = prose(
    """
    What players do with lists of cards. A card is [point, locks], where locks are [seat, public key] in seat order;
    a change is [key, points, proof], the points joined. A case's `call` says what the author, `seat`, does with the
    cards `before`; all nodes have the cards `after` then, in this order. `list`: lays them in another order under a
    fresh lock, without a proof (read_list of docs/protocol.md). `lock`: puts the lock of the `change` on
    (verify_lock). `strip`: takes the own one off (verify_strip). `rearrange`: lays a zone anew, first `gather`, if
    it is there, then `change` (verify_rearrangement). `gap`: each seat that remains has put copies of the cards on
    the table under the lock of its own list: they are `copies`. Without them the locked set `before` is `left`, in
    its order: the new deck.
    """
)
ANNA, BEN, CLEO = range(3)


class Players:
    """Three seats with keys: the same in every run."""

    def __init__(self, group: Group) -> None:
        self.group, self._rng = group, Drbg("trustless-table vectors: deck")
        self._rings = [Keyring(group, self._rng) for _ in range(3)]

    def lock(self, seat: int, cards: Sequence[Card]) -> Change:
        return lock_cards(self.group, at(seat), seat, cards, self._rings[seat], self._rng)

    def strip(self, seat: int, cards: Sequence[Card]) -> Change:
        return strip_cards(self.group, at(seat), seat, cards, self._rings[seat], self._rng)

    def list(self, seat: int, cards: Sequence[Card]) -> Change:
        return list_cards(self.group, seat, cards, self._rings[seat], self._prepare(len(cards)))

    def rearrange(self, seat: int, cards: Sequence[Card]) -> Rearrangement:
        return rearrange(self.group, at(seat), seat, cards, self._rings[seat], self._rng, self._prepare).rearrangement

    def _prepare(self, count: int) -> Preparation:
        return shuffle.prepare(self.group, count, self._rng)

    def under(self, cards: Sequence[Card], *seats: int) -> tuple[Card, ...]:
        """Returns cards under fresh locks of these seats."""
        for seat in seats:
            cards, _ = read_lock(self.group, at(seat), seat, cards, self.lock(seat, cards))
        return tuple(cards)

    def matching(self, seat: int, cards: Sequence[Card], locked: Sequence[Card]) -> tuple[Card, ...]:
        """Returns copies of cards under the seat's lock on a locked set, in place of its own."""
        key = locked[0].key_of(seat)
        assert key is not None
        ring = self._rings[seat]
        change = lock_cards(self.group, at(seat), seat, cards, ring, self._rng, ring[key])
        return read_lock(self.group, at(seat), seat, cards, change)[0]


def at(seat: int) -> Context:
    return replace(HERE, seat=seat)


def vectors() -> VectorFile:
    players = Players(Edwards25519())
    labels = tuple(map(Card, card_points(players.group, "goods", 4)))
    both = players.under(labels[:3], ANNA, BEN)
    hers, another = players.under(labels[:2], ANNA), players.under(labels[2:3], ANNA)
    several = (*hers, *another)
    listed, locked, relocked = players.list(CLEO, labels), players.lock(ANNA, labels), players.lock(ANNA, several)
    stripped, one = players.strip(ANNA, both), players.rearrange(ANNA, another)
    given, off = players.lock(BEN, hers), players.strip(ANNA, several)
    plain, gathered = players.rearrange(ANNA, hers), players.rearrange(ANNA, several)
    group = players.group
    valid = [
        _done(group, _case("all labels, in another order", "list", CLEO, labels, listed), labels, listed),
        _done(group, _case("a lock on cards without one of this seat", "lock", ANNA, labels, locked), labels, locked),
        _done(
            group,
            _case("in place of two own locks: two statements", "lock", ANNA, several, relocked),
            several,
            relocked,
        ),
        _done(group, _case("on somebody else's cards, a gift", "lock", BEN, hers, given), hers, given),
        _done(group, _case("a lock is taken off", "strip", ANNA, both, stripped), both, stripped),
        _done(group, _case("two locks of one seat are taken off", "strip", ANNA, several, off), several, off),
        _done(group, _laid("one card: EQ", another, one), another, one),
        _done(group, _laid("cards under one key: SH", hers, plain), hers, plain),
        _done(
            group, _laid("cards under two keys: EQ, then SH at the next index", several, gathered), several, gathered
        ),
        _gap(players, labels),
    ]
    points = locked.points
    malformed = [
        _case("a list with a proof", "list", CLEO, labels, replace(listed, proof=b"\0")),
        _case("a list with a card twice", "list", CLEO, labels, replace(listed, points=listed.points[:32] * 4)),
        _case("a list of three of four cards", "list", CLEO, labels, replace(listed, points=listed.points[32:])),
        _case("a list of cards under different locks", "list", CLEO, (*labels[:3], *another), listed),
        _case("a lock without a key", "lock", ANNA, labels, replace(locked, key=b"")),
        _case("a point too few", "lock", ANNA, labels, replace(locked, points=points[32:])),
        _case("a point that is none", "lock", ANNA, labels, replace(locked, points=bytes(32) + points[32:])),
        _case(
            "a proof of two statements where there is one", "lock", ANNA, labels, replace(locked, proof=relocked.proof)
        ),
        _case("a strip that names a key", "strip", ANNA, both, replace(stripped, key=locked.key)),
        _case("a strip of a lock that is not there", "strip", CLEO, both, stripped),
        _case("a card twice", "strip", ANNA, (both[0], both[0], both[1]), stripped),
        _laid("gathered, though there is one key", hers, Rearrangement(gathered.gather, plain.change)),
        _laid("not gathered, though there are two keys", several, Rearrangement(None, gathered.change)),
        _laid("cards that somebody else holds too", both, gathered),
        _laid("no cards", (), one),
    ]
    false = [
        _case(
            "two cards exchanged",
            "lock",
            ANNA,
            labels,
            replace(locked, points=points[32:64] + points[:32] + points[64:]),
        ),
        _case("another seat's lock", "lock", BEN, labels, locked),
        _case("a flipped bit of the proof", "lock", ANNA, labels, replace(locked, proof=flipped(locked.proof, 300))),
        _case("a strip that changes nothing", "strip", ANNA, both, replace(stripped, points=_points(both))),
        _laid("one card: another key", another, Rearrangement(None, replace(one.change, key=locked.key))),
    ]
    twice = replace(plain.change, points=plain.change.points[:32] * 2)
    other = _laid(
        "a shuffle of cards that were not there", hers, Rearrangement(None, replace(plain.change, points=points[:64]))
    )
    same = _laid("a shuffle with a card twice", hers, Rearrangement(None, twice))
    invalid = [
        *(case | {"error": "MalformedError"} for case in malformed),
        *(case | {"error": "InvalidProofError", "check": "c = hash(statements, T)"} for case in false),
        other | {"error": "InvalidProofError", "check": "shuffle equations"},
        same | {"error": "InvalidProofError", "check": "outputs pairwise distinct"},
    ]
    return VectorFile(" ".join((DESCRIPTION, BYTES, PROOFS, ERRORS, CHECKS)), valid, invalid)


def _case(comment: str, call: str, seat: int, cards: Sequence[Card], change: Change) -> Case:
    made: Case = {"comment": comment, "call": call, "context": written(at(seat)), "seat": seat}
    return made | {"before": _cards(cards), "change": _change(change)}


def _laid(comment: str, cards: Sequence[Card], made: Rearrangement) -> Case:
    gather = None if made.gather is None else _change(made.gather)
    return _case(comment, "rearrange", ANNA, cards, made.change) | {"gather": gather}


def _done(group: Group, case: Case, cards: Sequence[Card], made: Change | Rearrangement) -> Case:
    """Adds what the cards are then; whoever replays the case verifies the proofs."""
    seat = case["seat"]
    assert isinstance(seat, int)
    match made:
        case Rearrangement():
            after, _ = read_rearrangement(group, at(seat), seat, cards, made, Drbg("weights"))
        case _ if case["call"] == "list":
            after = read_list(group, seat, cards, made)
        case _:
            read = read_lock if case["call"] == "lock" else read_strip
            after, _ = read(group, at(seat), seat, cards, made)
    return case | {"after": _cards(after)}


def _gap(players: Players, labels: Sequence[Card]) -> Case:
    """Cleo has left; Anna holds a card, and so does Ben."""
    table = (*players.under(labels[1:2], ANNA), *players.under(labels[3:], BEN))
    locked = tuple(labels)
    for seat in (ANNA, BEN):
        locked = read_list(players.group, seat, locked, players.list(seat, locked))
    copies: Sequence[Card] = table
    for seat in (ANNA, BEN):
        copies = players.matching(seat, copies, locked)
    out = {card.point for card in copies}
    return {
        "comment": "dealing around a gap: two of four cards lie on the table",
        "call": "gap",
        "before": _cards(locked),
        "copies": hexes(card.point for card in copies),
        "left": hexes(card.point for card in locked if card.point not in out),
    }


def _change(change: Change) -> list[str]:
    return hexes((change.key, change.points, change.proof))


def _points(cards: Sequence[Card]) -> bytes:
    return b"".join(card.point for card in cards)


def _cards(cards: Sequence[Card]) -> list[Json]:
    return [[card.point.hex(), [[seat, key.hex()] for seat, key in card.locks]] for card in cards]
