"""Honest dealing for tests: players with keys, shuffled decks, drawn cards."""

from dataclasses import replace

from protocol.cipher import card_points
from protocol.deck import Card, Keyring, shuffle_cards, strip_cards, verify_shuffle, verify_strip
from protocol.group import Element, Group
from protocol.proofs import shuffle
from protocol.proofs.context import Context
from tests.drbg import Drbg
from tests.protocol.contexts import HERE

CARDS = 12
SEATS = 3
ANNA, BEN, CLEO = range(SEATS)


def at(seat: int, index: int = 0) -> Context:
    return replace(HERE, seat=seat, index=index)


def labels(group: Group, count: int = CARDS) -> tuple[Card, ...]:
    return tuple(map(Card, card_points(group, "goods", count)))


def rings_of(group: Group, rng: Drbg) -> list[Keyring]:
    return [Keyring(group, rng) for _ in range(SEATS)]


def shuffled(group: Group, rng: Drbg, rings: list[Keyring], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    for seat, keys in enumerate(rings):
        change = shuffle_cards(group, at(seat), seat, cards, keys, shuffle.prepare(group, len(cards), rng))
        cards = verify_shuffle(group, at(seat), seat, cards, change, rng)
    return cards


def drawn(group: Group, rng: Drbg, rings: list[Keyring], cards: tuple[Card, ...], receiver: int) -> tuple[Card, ...]:
    for seat, keys in enumerate(rings):
        if seat != receiver:
            change = strip_cards(group, at(seat), seat, cards, keys, rng)
            cards = verify_strip(group, at(seat), seat, cards, change)
    return cards


def opened(group: Group, keys: Keyring, seat: int, card: Card) -> Element:
    """Returns what the holder of a card sees."""
    assert card.is_held_by(seat)
    key = card.key_of(seat)
    assert key is not None
    return keys[key].open(group, [card.point])[0]


def joined(points: list[Element] | tuple[Element, ...]) -> bytes:
    return b"".join(points)
