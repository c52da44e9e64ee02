"""Locked cards, and what players do with lists of them: shuffle, lock, strip (docs/protocol.md, Decks).

A card in play is a point and the locks on it. Each operation has two sides: a function that does it, for who holds the
keys, and a ``verify_`` function that returns what the cards have become, for everybody.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from protocol.cipher import Lock
from protocol.errors import LocalError, MalformedError
from protocol.group import ELEMENT_BYTES, GENERATOR, Element, Group
from protocol.hashing import ORDER
from protocol.proofs import dleq, shuffle
from protocol.proofs.context import Context
from protocol.randomness import Rng
from protocol.typed import Plain


@dataclass(frozen=True, slots=True)
class Card:
    """A point and the locks on it: whose, and with which public key."""

    point: Element
    locks: tuple[tuple[int, Element], ...] = ()
    """(seat, public key), in seat order, one for each seat at the most."""

    def key_of(self, seat: int) -> Element | None:
        """Returns the public key of that seat's lock, if it has one on this card."""
        return next((key for owner, key in self.locks if owner == seat), None)

    def is_held_by(self, seat: int) -> bool:
        """Returns whether that seat's lock is on the card, and no other."""
        return [owner for owner, _ in self.locks] == [seat]

    def relocked(self, point: Element, seat: int, key: Element | None) -> "Card":
        """Returns the card with another point, where that seat's lock has this key, or is gone."""
        locks = [lock for lock in self.locks if lock[0] != seat]
        return Card(point, tuple(sorted([*locks, (seat, key)] if key else locks)))


class Keyring:
    """A seat's own secret keys, by their public keys."""

    def __init__(self, group: Group, rng: Rng) -> None:
        """Starts empty."""
        self._group, self._rng = group, rng
        self._locks: dict[Element, Lock] = {}

    def fresh(self) -> Lock:
        """Makes and keeps a new lock."""
        lock = Lock.generate(self._group, self._rng)
        self._locks[lock.public] = lock
        return lock

    def __getitem__(self, key: Element) -> Lock:
        """Returns the lock with this public key."""
        try:
            return self._locks[key]
        except KeyError:
            raise LocalError(f"there is no secret for the key {key!r}") from None

    def keep(self, secrets: Iterable[int]) -> None:
        """Takes secret keys back from where they were stored."""
        for k in secrets:
            lock = Lock(self._group, k)
            self._locks[lock.public] = lock

    def secrets(self) -> tuple[int, ...]:
        """Returns all secret keys, to be stored."""
        return tuple(lock.k for lock in self._locks.values())

    def forget_all_but(self, keys: Iterable[Element]) -> None:
        """Drops every key that no live card is under."""
        live = set(keys)
        self._locks = {key: lock for key, lock in self._locks.items() if key in live}

    def forget(self, key: Element) -> None:
        """Drops a key that has served."""
        self._locks.pop(key, None)

    def __repr__(self) -> str:
        """Shows how many keys there are."""
        return f"Keyring({len(self._locks)} keys)"


@dataclass(frozen=True, slots=True)
class Change(Plain):
    """What an entry says about a list of cards: the key they are under now, the new points, and the proof."""

    key: bytes
    """The public key of the author's new lock; empty where a lock is taken off."""
    points: bytes
    """The new points, joined."""
    proof: bytes

    def decode_points(self, group: Group, count: int) -> tuple[Element, ...]:
        """Returns the points, each checked to be an element of the group.

        Raises:
            MalformedError: There are not as many, or one is none.
        """
        if len(self.points) != ELEMENT_BYTES * count:
            raise MalformedError(f"{count} points have {ELEMENT_BYTES * count} bytes, not {len(self.points)}")
        pieces = [self.points[i : i + ELEMENT_BYTES] for i in range(0, len(self.points), ELEMENT_BYTES)]
        return tuple(group.decode_each(pieces))


@contextmanager
def judging() -> Iterator[None]:
    """Turns a LocalError into a MalformedError: what makes no sense in an entry is its author's mistake, not ours."""
    try:
        yield
    except LocalError as error:
        raise MalformedError(str(error)) from error


def shuffle_cards(
    group: Group, context: Context, seat: int, cards: Sequence[Card], keys: Keyring, preparation: shuffle.Preparation
) -> Change:
    """Permutes two or more cards secretly and puts them under a fresh lock: one more, or in place of the own one."""
    old, new = common_key(cards, seat), keys.fresh()
    lock = new if old is None else new.replacing(group, keys[old])
    statement = shuffle.shuffle(group, preparation, lock, [card.point for card in cards])
    proof = shuffle.prove(group, context, statement, lock.k, preparation)
    return Change(bytes(new.public), b"".join(statement.outputs), proof.to_bytes())


@judging()
def verify_shuffle(
    group: Group, context: Context, seat: int, cards: Sequence[Card], change: Change, rng: Rng
) -> tuple[Card, ...]:
    """Returns the shuffled cards.

    Raises:
        MalformedError: The change is not for such a list.
        InvalidProofError: They are not these cards under one fresh lock.
    """
    old = common_key(cards, seat)
    key = group.decode(change.key)
    inputs = tuple(card.point for card in cards)
    proof = shuffle.ShuffleProof.from_bytes(group, change.proof, len(cards))
    outputs = change.decode_points(group, len(cards))
    shuffle.verify(group, context, shuffle.Shuffle(old or GENERATOR, key, inputs, outputs), proof, rng)
    return tuple(cards[0].relocked(point, seat, key) for point in outputs)


def lock_cards(group: Group, context: Context, seat: int, cards: Sequence[Card], keys: Keyring, rng: Rng) -> Change:
    """Puts a fresh lock on each card, in place of the own one where there is one; the order stays."""
    new = keys.fresh()
    locks = {old: new if old is None else new.replacing(group, keys[old]) for old in _keys(cards, seat)}
    points = [locks[card.key_of(seat)].close(group, [card.point])[0] for card in cards]
    statements = _locking(cards, seat, new.public, points)
    proof = dleq.prove(group, context, statements, [locks[old].k for old in _keys(cards, seat)], rng)
    return Change(bytes(new.public), b"".join(points), proof.to_bytes())


@judging()
def verify_lock(group: Group, context: Context, seat: int, cards: Sequence[Card], change: Change) -> tuple[Card, ...]:
    """Returns the cards under the new lock.

    Raises:
        MalformedError: The change is not for such a list.
        InvalidProofError: They are not these cards, in this order, under one fresh lock.
    """
    key = group.decode(change.key)
    points = change.decode_points(group, len(cards))
    proof = dleq.EqualityProof.from_bytes(change.proof, len(_keys(cards, seat)))
    dleq.verify(group, context, _locking(cards, seat, key, points), proof)
    return tuple(card.relocked(point, seat, key) for card, point in zip(cards, points, strict=True))


def strip_cards(group: Group, context: Context, seat: int, cards: Sequence[Card], keys: Keyring, rng: Rng) -> Change:
    """Takes the own lock off each card.

    Strip only what the rules hand out, and only cards whose history was verified: otherwise it decrypts for a cheat.
    """
    locks = {old: keys[old] for old in _own_keys(cards, seat)}
    points = [group.mul(pow(locks[key].k, -1, ORDER), card.point) for card in cards for key in _own_keys([card], seat)]
    proof = dleq.prove(group, context, _stripping(cards, seat, points), [lock.k for lock in locks.values()], rng)
    return Change(b"", b"".join(points), proof.to_bytes())


@judging()
def verify_strip(group: Group, context: Context, seat: int, cards: Sequence[Card], change: Change) -> tuple[Card, ...]:
    """Returns the cards without that seat's lock.

    Raises:
        MalformedError: The change is not for such a list.
        InvalidProofError: They are not these cards with the lock taken off.
    """
    if change.key:
        raise MalformedError("a strip names no new key")
    points = change.decode_points(group, len(cards))
    proof = dleq.EqualityProof.from_bytes(change.proof, len(_own_keys(cards, seat)))
    dleq.verify(group, context, _stripping(cards, seat, points), proof)
    return tuple(card.relocked(point, seat, None) for card, point in zip(cards, points, strict=True))


def common_key(cards: Sequence[Card], seat: int) -> Element | None:
    """Returns the key of the seat's lock on all these cards; None if it has a lock on none of them.

    Raises:
        LocalError: No cards, or cards under different locks: nobody could say which locks a shuffled card is under.
    """
    if len({card.locks for card in cards}) != 1:
        raise LocalError(f"{len(cards)} cards are not under the same locks, as a list to be shuffled must be")
    return cards[0].key_of(seat)


def _keys(cards: Sequence[Card], seat: int) -> list[Element | None]:
    """Returns the seat's keys on these cards, None for no lock, in the order in which they come first."""
    if len({card.point for card in cards}) != len(cards):
        raise LocalError("a card is there twice")
    return list(dict.fromkeys(card.key_of(seat) for card in cards))


def _own_keys(cards: Sequence[Card], seat: int) -> list[Element]:
    keys = _keys(cards, seat)
    if None in keys:
        raise LocalError(f"seat {seat} has no lock on one of these cards")
    return [key for key in keys if key]


def _locking(cards: Sequence[Card], seat: int, key: Element, points: Sequence[Element]) -> list[dleq.Equality]:
    """EQ(K_old or G, K_new; before -> after), a statement for each old key."""
    pairs = [(card.key_of(seat), card.point, point) for card, point in zip(cards, points, strict=True)]
    return [
        dleq.Equality(
            old or GENERATOR,
            key,
            tuple(before for k, before, _ in pairs if k == old),
            tuple(after for k, _, after in pairs if k == old),
        )
        for old in _keys(cards, seat)
    ]


def _stripping(cards: Sequence[Card], seat: int, points: Sequence[Element]) -> list[dleq.Equality]:
    """EQ(G, K; after -> before), a statement for each key."""
    pairs = [(card.key_of(seat), card.point, point) for card, point in zip(cards, points, strict=True)]
    return [
        dleq.Equality(
            GENERATOR,
            key,
            tuple(after for k, _, after in pairs if k == key),
            tuple(before for k, before, _ in pairs if k == key),
        )
        for key in _own_keys(cards, seat)
    ]
