"""Whoever watches cards being laid anew, dealt, given or reshuffled can't say which card became which.

A distinguisher watches many runs of the honest code and learns from those whose truth it is told. On the rest it must
be no better than chance; and the very same distinguisher must be right nearly always when the secret order, or the
fresh lock, is taken away. That shows that it would have seen a leak.

It watches what one seat does, because all others may stand together: where a list goes around the table, they know
their own orders and keys, and only the work of the one seat that is not with them hides anything.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import comb, log
from typing import TypeAlias

import pytest

from p2p_sheriff.rules import Edition, Seat, Zone, demands
from p2p_sheriff.rules.demands import Rearrange
from p2p_sheriff.rules.moves import Accept, Gift, HandOver, NameFirst, Offer, Pass, SetAside, TakeDiscards, Things
from p2p_sheriff.session.acts import Act, Rearranges, Shuffles
from p2p_sheriff.session.passes import Mixing, Remixing
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.session import Session
from protocol.cipher import Lock
from protocol.deck import Card, Change, Keyring
from protocol.group import GENERATOR, Element
from protocol.hashing import ORDER
from protocol.proofs.shuffle import prepare
from protocol.randomness import Rng
from tests.drbg import Drbg
from tests.secrecy.twins import ANN, BEN, CAT, GROUPS, SHORT, Table, deck_of, hand_of, setup_for
from tests.table.departures import put_out

pytestmark = pytest.mark.slow

GROUP = GROUPS[BEN].inner
LEARNT = 30
"""How many runs the distinguisher learns from."""
GUESSED, GUESSED_WITH_A_LEAK = 160, 101
"""How many runs it is tested on."""
CHANCE = 1e-6
"""How likely an honest run may fail."""

DAN = Seat(3)
B, C = hand_of(BEN), hand_of(CAT)


@dataclass(frozen=True, slots=True)
class Situation:
    """BEN's node with a duty undone: to lay these cards anew."""

    ben: Session
    cards: tuple[Card, ...]
    target: int = 0
    """The place of the card that the watcher wants to find again."""
    is_laid_again: bool = False
    """Whether the others lay the very same cards before BEN a second time: by faking that one of them leaves."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What all have seen: the cards as they were; as they came under one key, if they were not; and as they are."""

    before: tuple[Card, ...]
    gathered: tuple[Card, ...]
    after: tuple[Card, ...]


# -- where cards become others: real sessions, stopped before BEN's node does its duty


def laying(ben: Session, zone: Zone, target: int = 0) -> Situation:
    return Situation(ben, tuple(ben.play.cards[handle] for handle in ben.play.state.hidden_in(BEN, zone)), target)


def has_to_lay(zone: Zone) -> Callable[[Play], bool]:
    def reached(play: Play) -> bool:
        asked = demands(play.state) if play.passing is None else ()
        return any(isinstance(one, Rearrange) and (one.seat, one.zone) == (BEN, zone) for one in asked)

    return reached


def has_to_mix(generation: int) -> Callable[[Play], bool]:
    def reached(play: Play) -> bool:
        return (
            isinstance(play.passing, Mixing | Remixing)
            and play.passing.waiting[0] == BEN
            and play.goods.generation == generation
        )

    return reached


@cache
def a_dealt_hand() -> Situation:
    """All six cards are under one key."""
    setup = setup_for()
    ben = Table(setup, deck_of(setup)).settle_until(BEN, has_to_lay(Zone.HAND))
    return laying(ben, Zone.HAND)


@cache
def a_card_drawn_into_a_hand() -> Situation:
    """Four cards stayed and two came: the last one drawn is to be found."""
    setup = setup_for()
    table = Table(setup, deck_of(setup, "", "silk, mead")).settle().submit(NameFirst(ANN, BEN))
    table.sessions[BEN].submit(SetAside(BEN, table.handles(BEN, *B[:2])))
    return laying(table.settle_until(BEN, has_to_lay(Zone.HAND)), Zone.HAND, 5)


@cache
def a_card_taken_from_a_pile() -> Situation:
    """Five cards stayed, and all have seen which one came from the top of a pile: it is to be found in the hand."""
    setup = setup_for(edition=Edition.FIRST, short=(("apples", 30), *SHORT[1:]))
    table = Table(setup, deck_of(setup, "", "silk, mead")).settle()
    table.submit(SetAside(BEN, table.handles(BEN, B[0])))
    table.sessions[BEN].submit(TakeDiscards(BEN, (1, 0)))
    return laying(table.settle_until(BEN, has_to_lay(Zone.HAND)), Zone.HAND, 5)


@cache
def a_card_given_blind() -> Situation:
    """BEN, sheriff of the second round, has three face-down cards and was given one: that one is to be found."""
    setup = setup_for()
    table = Table(setup, deck_of(setup, "", "silk, mead, pepper", "crossbow"))
    table.until_inspection({BEN: B[:3], CAT: C[:1]}).passes(BEN, CAT)
    table.until_inspection({}).offers(CAT, stack_blind=1)
    table.sessions[BEN].submit(Pass(BEN, CAT))
    return laying(table.settle_until(BEN, has_to_lay(Zone.STACK)), Zone.STACK, 3)


@cache
def a_card_swapped_blind() -> Situation:
    """BEN and CAT, merchants, have swapped a face-down card: the one that BEN got is to be found among his three."""
    setup = setup_for(players=4)
    table = Table(setup, deck_of(setup, "", "silk, mead, pepper", "crossbow"))
    table.until_inspection({BEN: B[:3], CAT: C[:1]}).passes(BEN, CAT)
    gifts = Gift(CAT, BEN, Things(stack_blind=1)), Gift(BEN, CAT, Things(stack_blind=1))
    table.submit(Offer(BEN, 0, (ANN,), gifts, ()), Accept(CAT, BEN, 0), Accept(ANN, BEN, 0))
    table.sessions[BEN].submit(HandOver(BEN, table.handles(BEN, B[0])))
    return laying(table.settle_until(BEN, has_to_lay(Zone.STACK)), Zone.STACK, 2)


def mixing(ben: Session) -> Situation:
    assert isinstance(ben.play.passing, Mixing | Remixing)
    return Situation(ben, ben.play.passing.cards)


@cache
def a_card_of_the_deck() -> Situation:
    """The first deck, on its way around: ANN has shuffled it."""
    setup = setup_for(short=(("apples", 10), ("cheese", 4), ("silk", 4)))
    return mixing(Table(setup, deck_of(setup, "4 cheese", "4 silk")).settle_until(BEN, has_to_mix(0)))


@cache
def a_discard() -> Situation:
    """The deck has run out; ten discards, which all have seen, are reshuffled."""
    setup = setup_for(short=(("apples", 16), ("cheese", 4), ("silk", 4)))
    table = Table(setup, deck_of(setup, "", "silk", "silk")).market(ben=B[1:6], cat=C[1:6])
    table.load({BEN: B[:1], CAT: C[:1]}).declare().passes(BEN)
    table.sessions[ANN].submit(Pass(ANN, CAT))
    return mixing(table.settle_until(BEN, has_to_mix(1)))


@cache
def a_card_of_a_deck_dealt_around_a_gap() -> Situation:
    """Whoever holds a card knows its place in BEN's list, which it was matched with; and would find its label there."""
    setup = setup_for(players=4, short=(("apples", 17), ("cheese", 4), ("silk", 4)))
    table = Table(setup, deck_of(setup, "4 cheese", "4 silk")).settle()
    put_out(table.sessions, DAN)
    return mixing(table.settle_until(BEN, has_to_mix(1)))


@cache
def a_card_that_is_dealt_around_twice() -> Situation:
    """All others fake a departure again: a card that was matched with one list of BEN's is to be found in the next."""
    return replace(a_card_of_a_deck_dealt_around_a_gap(), is_laid_again=True)


Found: TypeAlias = Callable[[], Situation]

SITUATIONS: list[Found] = [
    a_dealt_hand,
    a_card_drawn_into_a_hand,
    a_card_taken_from_a_pile,
    a_card_given_blind,
    a_card_swapped_blind,
    a_card_of_the_deck,
    a_discard,
    a_card_of_a_deck_dealt_around_a_gap,
    a_card_that_is_dealt_around_twice,
]


# -- how it is done: as the honest code does it, or with something taken away

Way: TypeAlias = Callable[[Situation, Rng], None]
"""Makes BEN's node ready for its duty."""


def honestly(_situation: Situation, _rng: Rng) -> None:
    """Nothing is changed."""


def in_the_old_order(situation: Situation, rng: Rng) -> None:
    """The permutation is switched off."""
    order_of(situation, rng, range(len(situation.cards)))


def in_the_order_of_the_labels(situation: Situation, rng: Rng) -> None:
    """The cards are sorted, as a player may sort a hand."""
    opened = [opened_by(situation.ben, card) for card in situation.cards]
    order_of(situation, rng, sorted(range(len(opened)), key=lambda place: opened[place]))


def order_of(situation: Situation, rng: Rng, order: Sequence[int]) -> None:
    prepared = [prepare(GROUP, len(order), rng, order) for _ in range(1 + situation.is_laid_again)]
    situation.ben.secrets._prepared[len(order)] = prepared


class WornKeyring(Keyring):
    """Gives keys that are the old one times a number that anybody can guess."""

    def __init__(self, keys: Keyring, first: Lock, factor: int, rng: Rng) -> None:
        super().__init__(GROUP, rng)
        self.keep(keys.secrets())
        self._last, self._factor = first, factor

    def fresh(self) -> Lock:
        self._last = Lock(GROUP, self._last.k * self._factor)
        self.keep([self._last.k])
        return self._last

    def forget(self, key: Element) -> None:
        """The key may be the same as one that is still needed."""


def under_a_key_times(factor: int) -> Way:
    """The fresh lock is switched off: what is put on is a multiple of what was there, or no lock at all."""

    def way(situation: Situation, rng: Rng) -> None:
        keys = situation.ben.secrets.keys
        old = situation.cards[situation.target].key_of(BEN)
        situation.ben.secrets.keys = WornKeyring(keys, Lock(GROUP, 1) if old is None else keys[old], factor, rng)

    return way


under_the_same_key = under_a_key_times(1)
under_twice_the_key = under_a_key_times(2)


def watch(situation: Situation) -> Watched:
    """Has BEN's node do its duty; returns what all see of it."""
    ben, before = situation.ben, situation.cards
    if situation.is_laid_again:
        _, change = changes(ben.secrets.answer(ben.play, ben.table.turn(), 0))
        before = changed(before, change)
    gather, change = changes(ben.secrets.answer(ben.play, ben.table.turn(), 0))
    return Watched(before, changed(before, gather) if gather else before, changed(before, change))


def changes(act: Act | None) -> tuple[Change | None, Change]:
    match act:
        case Rearranges(rearrangement):
            return rearrangement.gather, rearrangement.change
        case Shuffles(change):
            return None, change
        case _:
            raise AssertionError(f"{act} does not lay cards anew")


def changed(cards: Sequence[Card], change: Change) -> tuple[Card, ...]:
    points = change.decode_points(GROUP, len(cards))
    return tuple(cards[0].relocked(point, BEN, GROUP.decode(change.key)) for point in points)


def opened_by(ben: Session, card: Card) -> Element:
    """Returns the card without BEN's lock: what only BEN can tell."""
    key = card.key_of(BEN)
    return card.point if key is None else ben.secrets.keys[key].open(GROUP, [card.point])[0]


# -- what an old and a new place may have in common, if something leaks

FACTORS = (1, 2, 3, -1, -2, pow(2, -1, ORDER))


def features(seen: Watched, old: int) -> list[list[bool]]:
    """Returns, for every new place, what speaks for it or against it."""
    count = len(seen.after)
    ranks = [sorted(card.point for card in cards) for cards in (seen.before, seen.after)]
    old_rank = ranks[0].index(seen.before[old].point)
    multiples = [multiples_of(seen.before[old], seen), multiples_of(seen.gathered[old], seen)]
    sums = [shifted(seen.before[old], seen), shifted(seen.gathered[old], seen)]
    return [
        [
            new == old,
            new == count - 1 - old,
            (new - old) % count == 1,
            (old - new) % count == 1,
            *(new == place for place in range(count)),
            new == old_rank,
            ranks[1].index(card.point) == old,
            ranks[1].index(card.point) == old_rank,
            *(card.point in points for points in multiples),
            card.point in sums,
            card.point[0] & 7 == seen.before[old].point[0] & 7,
            card.point[-1] >> 5 == seen.before[old].point[-1] >> 5,
        ]
        for new, card in enumerate(seen.after)
    ]


def multiples_of(card: Card, seen: Watched) -> set[Element]:
    """Returns what the card is now if its key was multiplied by a small number."""
    old, new = card.key_of(BEN) or GENERATOR, seen.after[0].key_of(BEN)
    return {GROUP.mul(factor, card.point) for factor in FACTORS if GROUP.mul(factor, old) == new}


def shifted(card: Card, seen: Watched) -> Element:
    """Returns what the card is now if locking it meant to add the key."""
    old, new = card.key_of(BEN) or GENERATOR, seen.after[0].key_of(BEN)
    assert new is not None
    return GROUP.add(card.point, GROUP.sub(new, old))


# -- the distinguisher


@dataclass(frozen=True, slots=True)
class Run:
    features: list[list[bool]]
    truth: int


def runs(situation: Situation, way: Way, count: int) -> list[Run]:
    secrets, target = situation.ben.secrets, situation.target
    old = secrets.keys.secrets()
    rng, done = Drbg("many runs"), []
    secrets.rng = rng
    for _ in range(count):
        secrets.keys = Keyring(GROUP, rng)
        secrets.keys.keep(old)
        way(situation, rng)
        seen = watch(situation)
        card = opened_by(situation.ben, seen.before[target])
        truth = [opened_by(situation.ben, one) for one in seen.after].index(card)
        done.append(Run(features(seen, target), truth))
    secrets.keys = Keyring(GROUP, rng)
    secrets.keys.keep(old)
    return done


def share_of_right_guesses(learnt: Sequence[Run], guessed: Sequence[Run]) -> float:
    """Learns how much likelier each feature is at the true place than elsewhere, and guesses by the sum of that."""
    count = len(learnt[0].features)
    weights = []
    for feature in range(len(learnt[0].features[0])):
        true = sum(run.features[run.truth][feature] for run in learnt)
        false = sum(one[feature] for run in learnt for one in run.features) - true
        likely, unlikely = (true + 1) / (len(learnt) + 2), (false + 1) / (len(learnt) * (count - 1) + 2)
        weights.append((log((1 - likely) / (1 - unlikely)), log(likely / unlikely)))

    def guess(run: Run) -> int:
        scores = [sum(weight[is_so] for weight, is_so in zip(weights, one, strict=True)) for one in run.features]
        return scores.index(max(scores))

    return sum(guess(run) == run.truth for run in guessed) / len(guessed)


def best_by_chance(places: int) -> float:
    """Returns the share of right guesses that blind guessing exceeds once in a million times."""
    tail, right = 0.0, GUESSED
    while True:
        tail += comb(GUESSED, right) * (1 / places) ** right * (1 - 1 / places) ** (GUESSED - right)
        if tail > CHANCE:
            return right / GUESSED
        right -= 1


def score(situation: Situation, way: Way, guessed: int) -> float:
    done = runs(situation, way, LEARNT + guessed)
    return share_of_right_guesses(done[:LEARNT], done[LEARNT:])


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_card_is_found_again_no_better_than_by_chance(situation: Found) -> None:
    place = situation()
    assert score(place, honestly, GUESSED) <= best_by_chance(len(place.cards))


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("way", [in_the_old_order, under_the_same_key], ids=["the old order", "the same key"])
def test_without_a_secret_order_or_a_fresh_lock_the_same_card_is_found(situation: Found, way: Way) -> None:
    assert score(situation(), way, GUESSED_WITH_A_LEAK) > 0.99


@pytest.mark.parametrize("way", [in_the_order_of_the_labels, under_twice_the_key], ids=["sorted", "twice the key"])
def test_with_an_order_or_a_lock_that_can_be_guessed_the_same_card_is_found(way: Way) -> None:
    assert score(a_card_given_blind(), way, GUESSED_WITH_A_LEAK) > 0.99
