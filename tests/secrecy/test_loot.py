"""The Loot of two deputies: what lies there face down its giver knows, and when it is mixed and picked one more.

Twin tables again: they differ in which card was given blind, or only in how the deputies have mixed.
"""

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.moves import Accept, Act, HandOver, Offer, PickLoot, ShareLoot, Stance, Things, Verb
from protocol.proofs.shuffle import prepare
from tests.secrecy.twins import SHORT, Table, deck_of, hand_of, setup_for

pytestmark = pytest.mark.slow

SIX = setup_for(players=6, short=(("apples", 44), *SHORT[1:]))
STRAIGHT, SWAPPED = (0, 1), (1, 0)


@cache
def offices() -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Returns the deputies and the merchants of the first round, which the same coin draws at each of these tables."""
    state = Table(SIX, deck_of(SIX)).settle().state
    return state.officers, state.merchants


def given(hand: str, mixed: Sequence[int]) -> Table:
    """Two merchants give a card blind, the first one of them the first of this hand; the deputies mix both."""
    officers, (giver, other, *_) = offices()
    hands = {giver: hand, other: "crossbow"}
    table = Table(SIX, deck_of(SIX, *(hands.get(seat, "") for seat in SIX.seats)))
    table.until_inspection({giver: hand_of(giver)[:4], other: hand_of(other)[:1]})
    for seat, order in zip(sorted(officers), (STRAIGHT, mixed), strict=True):
        session = table.sessions[seat]
        session.secrets._prepared[2] = [prepare(table.groups[seat], 2, table.rngs[seat], order)]
    for bag in table.state.merchants:
        if bag in hands:
            offer = Offer.bribe(bag, 0, bag, officers, (Act(bag, Verb.PASS),), Things(bag_blind=1))
            table.submit(offer, *(Accept(deputy, bag, 0) for deputy in officers))
        else:
            table.submit(*(Stance(deputy, bag, Verb.PASS) for deputy in officers))
        if bag == giver:
            table.submit(HandOver(giver, table.handles(giver, hand_of(giver)[0])))
    assert len(table.state.loot.face_down) == 2
    return table


def picked(hand: str, mixed: Sequence[int]) -> Table:
    """The deputies share evenly, and the first-drawn picks the first card."""
    table, (first, _) = given(hand, mixed), offices()[0]
    return table.submit(ShareLoot(first), PickLoot(first, table.state.loot.face_down[0]))


Situation = Callable[[str, Sequence[int]], Table]
ONE, OTHER = "silk, mead, cheese, pepper", "pepper, mead, cheese, silk"


def alike(situation: Situation, *twins: tuple[str, Sequence[int]]) -> tuple[tuple[Table, Table], set[Seat]]:
    """Returns tables that look alike, and who sees them differ."""
    (table, work), (twin, twins_work) = ((table, table.work()) for table in (situation(*one) for one in twins))
    assert table.history() == twin.history()
    assert table.state == twin.state
    assert table.cards() == twin.cards()
    assert work == twins_work
    differing = {seat for seat in SIX.seats if table.view(seat).knowledge != twin.view(seat).knowledge}
    return (table, twin), differing


def test_a_card_given_blind_onto_the_loot_is_known_to_its_giver_alone() -> None:
    _, knowing = alike(given, (ONE, STRAIGHT), (OTHER, STRAIGHT))
    assert knowing == {offices()[1][0]}


@pytest.mark.parametrize("mixed", [STRAIGHT, SWAPPED])
def test_a_card_picked_from_the_loot_is_known_to_its_giver_and_who_got_it(mixed: Sequence[int]) -> None:
    _, knowing = alike(picked, (ONE, mixed), (OTHER, mixed))
    officers, (giver, *_) = offices()
    assert knowing == {giver, officers[mixed[0]]}


def test_how_the_loot_was_mixed_nobody_knows_until_the_deputies_see_what_they_have_picked() -> None:
    """Not even who gave a card: one of them has it."""
    _, knowing = alike(given, (ONE, STRAIGHT), (ONE, SWAPPED))
    assert knowing == set()
    (table, twin), knowing = alike(picked, (ONE, STRAIGHT), (ONE, SWAPPED))
    first, second = offices()[0]
    assert knowing == {first, second}
    assert table.view(first).stack[0].kind == twin.view(second).stack[0].kind == "silk"
