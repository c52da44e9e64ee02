"""Locked cards, and what players do with lists of them: shuffle, lock, strip (docs/protocol.md, Decks).

A card in play is a point and the locks on it. Each operation has two sides: a function that does it, for who holds the
keys, and a ``verify_`` function that returns what the cards have become, for everybody.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from protocol.cipher import Lock
from protocol.errors import LocalError, MalformedError, judging
from protocol.group import ELEMENT_BYTES, GENERATOR, Element, Group, encode_scalar
from protocol.proofs import dleq, shuffle
from protocol.proofs.context import Context
from protocol.randomness import Rng, hedged
from protocol.typed import Plain

Owed: TypeAlias = Callable[[], None]
"""A check that is still to be made of what was read: it raises if that does not hold."""


@dataclass(frozen=True, slots=True)
class Card:
    """A point and the locks on it: whose, and with which public key."""

    point: Element
    locks: tuple[tuple[int, Element], ...] = ()
    """(seat, public key), in seat order, one for each seat at the most."""

    def key_of(self, seat: int) -> Element | None:
        """Returns the public key of that seat's lock, if it has one on this card."""
        for owner, key in self.locks:
            if owner == seat:
                return key
        return None

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
        return self.add(self.ahead())

    def ahead(self) -> Lock:
        """Makes a new lock, to be kept when it is used."""
        return Lock.generate(self._group, self._rng)

    def add(self, lock: Lock) -> Lock:
        """Keeps a lock that was made ahead."""
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


def _change(group: Group, key: bytes, points: Sequence[Element], proof: bytes = b"") -> Change:
    group.vouch_for(points)
    return Change(bytes(key), b"".join(points), proof)


def foresee_list(group: Group, seat: int, cards: Sequence[Card], keys: Keyring, lock: Lock) -> None:
    """Has the list that is about to come in place of these cards put under a lock while it is read."""
    group.foresee(_placed(group, seat, cards, keys, lock).k, len(cards))


def list_cards(
    group: Group,
    seat: int,
    cards: Sequence[Card],
    keys: Keyring,
    preparation: shuffle.Preparation,
    made: Lock | None = None,
) -> Change:
    """Permutes two or more cards secretly and puts them under a fresh lock: one more, or in place of the own one.

    The lock may have been ``made`` ahead. The proof is still owed: keep the preparation for ``prove_list``.
    """
    new = keys.fresh() if made is None else keys.add(made)
    lock = _placed(group, seat, cards, keys, new)
    statement = shuffle.shuffle(group, preparation, lock, [card.point for card in cards])
    return _change(group, new.public, statement.outputs)


def prove_list(
    group: Group,
    context: Context,
    seat: int,
    before: Sequence[Card],
    after: Sequence[Card],
    keys: Keyring,
    preparation: shuffle.Preparation | None,
    rng: Rng,
) -> bytes:
    """Returns the proof of an own list: with the preparation that made it or, if that is lost, with fresh masks."""
    statement = _shuffling(seat, before, after)
    lock = _placed(group, seat, before, keys, keys[statement.image])
    if preparation is None:
        masks = hedged(rng, "SH", encode_scalar(lock.k), context.to_bytes())
        preparation = shuffle.prepare_again(group, lock, statement, masks)
    return shuffle.prove(group, context, statement, lock.k, preparation).to_bytes()


def _placed(group: Group, seat: int, cards: Sequence[Card], keys: Keyring, new: Lock) -> Lock:
    """Returns what is put onto cards so that they end under this lock of the seat: one more, or in place of its own."""
    old = common_key(cards, seat)
    return new if old is None else new.replacing(group, keys[old])


@judging()
def read_list(group: Group, seat: int, cards: Sequence[Card], change: Change) -> tuple[Card, ...]:
    """Returns the list as its author has laid it: distinct cards, of which nothing is proved yet.

    Raises:
        MalformedError: The change is not for such a list.
    """
    if change.proof:
        raise MalformedError("a list comes without its proof")
    after = _listed(group, seat, cards, change)
    if len({card.point for card in after}) != len(after):
        raise MalformedError("a card is there twice")
    return after


def _listed(group: Group, seat: int, cards: Sequence[Card], change: Change) -> tuple[Card, ...]:
    common_key(cards, seat)
    key = group.decode(change.key)
    points = change.decode_points(group, len(cards))
    locks = cards[0].relocked(points[0], seat, key).locks  # The same on all of them, as they were before.
    return tuple(Card(point, locks) for point in points)


@judging()
def read_proof(
    group: Group, context: Context, seat: int, before: Sequence[Card], after: Sequence[Card], proof: bytes
) -> shuffle.Attested:
    """Returns what a proof says of an author's list, to be verified: by itself, or together with others.

    Raises:
        MalformedError: It is none for such a list.
    """
    received = shuffle.ShuffleProof.from_bytes(group, proof, len(before))
    return shuffle.Attested(context, _shuffling(seat, before, after), received)


def shuffle_cards(
    group: Group, context: Context, seat: int, cards: Sequence[Card], keys: Keyring, preparation: shuffle.Preparation
) -> Change:
    """Permutes two or more cards secretly and puts them under a fresh lock; list and proof at once."""
    new = keys.fresh()
    lock = _placed(group, seat, cards, keys, new)
    statement = shuffle.shuffle(group, preparation, lock, [card.point for card in cards])
    proof = shuffle.prove(group, context, statement, lock.k, preparation)
    return _change(group, new.public, statement.outputs, proof.to_bytes())


@judging()
def read_shuffle(
    group: Group, context: Context, seat: int, cards: Sequence[Card], change: Change
) -> tuple[tuple[Card, ...], shuffle.Attested]:
    """Returns the cards as they lie after a shuffle, and what is to be verified before they may be used.

    Raises:
        MalformedError: The change is not for such a list.
    """
    after = _listed(group, seat, cards, change)
    return after, read_proof(group, context, seat, cards, after, change.proof)


def verify_shuffle(
    group: Group, context: Context, seat: int, cards: Sequence[Card], change: Change, rng: Rng
) -> tuple[Card, ...]:
    """Returns the shuffled cards.

    Raises:
        MalformedError: The change is not for such a list.
        InvalidProofError: They are not these cards under one fresh lock.
    """
    after, link = read_shuffle(group, context, seat, cards, change)
    shuffle.verify(group, *link, rng)
    return after


def lock_cards(
    group: Group,
    context: Context,
    seat: int,
    cards: Sequence[Card],
    keys: Keyring,
    rng: Rng,
    lock: Lock | None = None,
) -> Change:
    """Puts a lock on each card, a fresh one or this, in place of the own one where there is one; the order stays."""
    new = lock or keys.fresh()
    locks = {old: new if old is None else new.replacing(group, keys[old]) for old in _keys(cards, seat)}
    points = _of_each_key(cards, seat, lambda old, under: locks[old].close(group, under))
    statements = _locking(cards, seat, new.public, points)
    proof = dleq.prove(group, context, statements, [locks[old].k for old in _keys(cards, seat)], rng)
    return _change(group, new.public, points, proof.to_bytes())


@judging()
def read_lock(
    group: Group, context: Context, seat: int, cards: Sequence[Card], change: Change
) -> tuple[tuple[Card, ...], Owed]:
    """Returns the cards under the new lock, and the check of its proof, which must come before they are used.

    Raises:
        MalformedError: The change is not for such a list.
    """
    key = group.decode(change.key)
    points = change.decode_points(group, len(cards))
    proof = dleq.EqualityProof.from_bytes(change.proof, len(_keys(cards, seat)))
    statements = _locking(cards, seat, key, points)
    after = tuple(card.relocked(point, seat, key) for card, point in zip(cards, points, strict=True))
    return after, lambda: dleq.verify(group, context, statements, proof)


def verify_lock(group: Group, context: Context, seat: int, cards: Sequence[Card], change: Change) -> tuple[Card, ...]:
    """Returns the cards under the new lock.

    Raises:
        MalformedError: The change is not for such a list.
        InvalidProofError: They are not these cards, in this order, under one fresh lock.
    """
    after, check = read_lock(group, context, seat, cards, change)
    check()
    return after


def strip_cards(group: Group, context: Context, seat: int, cards: Sequence[Card], keys: Keyring, rng: Rng) -> Change:
    """Takes the own lock off each card.

    Strip only what the rules hand out, and only cards whose history was verified: otherwise it decrypts for a cheat.
    """
    locks = {old: keys[old] for old in _own_keys(cards, seat)}
    points = _of_each_key(cards, seat, lambda key, under: keys[key].open(group, under) if key else [])
    proof = dleq.prove(group, context, _stripping(cards, seat, points), [lock.k for lock in locks.values()], rng)
    return _change(group, b"", points, proof.to_bytes())


@judging()
def read_strip(
    group: Group, context: Context, seat: int, cards: Sequence[Card], change: Change
) -> tuple[tuple[Card, ...], Owed]:
    """Returns the cards without that seat's lock, and the check of its proof, which must come before they are used.

    Raises:
        MalformedError: The change is not for such a list.
    """
    if change.key:
        raise MalformedError("a strip names no new key")
    points = change.decode_points(group, len(cards))
    proof = dleq.EqualityProof.from_bytes(change.proof, len(_own_keys(cards, seat)))
    statements = _stripping(cards, seat, points)
    after = tuple(card.relocked(point, seat, None) for card, point in zip(cards, points, strict=True))
    return after, lambda: dleq.verify(group, context, statements, proof)


def verify_strip(group: Group, context: Context, seat: int, cards: Sequence[Card], change: Change) -> tuple[Card, ...]:
    """Returns the cards without that seat's lock.

    Raises:
        MalformedError: The change is not for such a list.
        InvalidProofError: They are not these cards with the lock taken off.
    """
    after, check = read_strip(group, context, seat, cards, change)
    check()
    return after


def common_key(cards: Sequence[Card], seat: int) -> Element | None:
    """Returns the key of the seat's lock on all these cards; None if it has a lock on none of them.

    Raises:
        LocalError: No cards, or cards under different locks: nobody could say which locks a shuffled card is under.
    """
    if len({card.locks for card in cards}) != 1:
        raise LocalError(f"{len(cards)} cards are not under the same locks, as a list to be shuffled must be")
    return cards[0].key_of(seat)


def _shuffling(seat: int, before: Sequence[Card], after: Sequence[Card]) -> shuffle.Shuffle:
    """SH(K_old or G, K_new; before -> after)."""
    new = common_key(after, seat)
    if new is None:
        raise LocalError(f"seat {seat} has no lock on these cards")
    inputs, outputs = (tuple(card.point for card in cards) for cards in (before, after))
    return shuffle.Shuffle(common_key(before, seat) or GENERATOR, new, inputs, outputs)


def _keys(cards: Sequence[Card], seat: int) -> list[Element | None]:
    """Returns the seat's keys on these cards, None for no lock, in the order in which they come first."""
    if len({card.point for card in cards}) != len(cards):
        raise LocalError("a card is there twice")
    return list(dict.fromkeys(card.key_of(seat) for card in cards))


def _of_each_key(
    cards: Sequence[Card], seat: int, work: Callable[[Element | None, list[Element]], list[Element]]
) -> list[Element]:
    """Does something with the points under each of the seat's keys; returns what they become, in their old places."""
    places: dict[Element | None, list[int]] = {}
    for place, card in enumerate(cards):
        places.setdefault(card.key_of(seat), []).append(place)
    done = {
        place: point
        for key, under in places.items()
        for place, point in zip(under, work(key, [cards[place].point for place in under]), strict=True)
    }
    return [done[place] for place in range(len(cards))]


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
