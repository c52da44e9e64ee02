"""Which of several equal cards goes says nothing of the cards beside it: one apple looks like another.

A player who always took the first of three silk would tell all that no card before it is one. So of equal cards a
random one goes, whichever the player has named, and wherever it lies.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import sqrt
from typing import TypeAlias

import pytest

from p2p_sheriff.rules import Handle, LoadBag, Move
from p2p_sheriff.rules.moves import HandOver, NameFirst, Pass, PayInKind, SetAside, Trade
from p2p_sheriff.session.acts import Opens, Shows
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.session import Session
from protocol.randomness import permutation
from tests.drbg import Drbg
from tests.secrecy.twins import ANN, BEN, CAT, Table, deck_of, hand_of, setup_for

B, C = hand_of(BEN), hand_of(CAT)
RUNS = 400
BOUND = 4.9
"""Standard deviations: an honest run fails once in a million times."""

Places: TypeAlias = Callable[[Play], Sequence[int]]
"""From a game to the places, in a zone, of the cards that go."""


def rearrangements(play: Play, handles: Sequence[Handle]) -> Iterator[Play]:
    """Lays these cards anew, again and again, as their owner's rearrangements do."""
    rng = Drbg("rearrangements")
    for _ in range(RUNS):
        order = permutation(rng, len(handles))
        moved = {handle: play.cards[handles[place]] for handle, place in zip(handles, order, strict=True)}
        yield replace(play, cards={**play.cards, **moved})


def assert_no_place_is_likelier(play: Play, handles: Sequence[Handle], places: Places) -> None:
    seen = Counter(place for arranged in rearrangements(play, handles) for place in places(arranged))
    share = seen.total() / RUNS / len(handles)
    bound = BOUND * sqrt(RUNS * share * (1 - share))
    assert all(abs(seen[place] - RUNS * share) < bound for place in range(len(handles))), seen


def heard_by(session: Session, other: Session, move: Move) -> Play:
    """Has a player choose and one other hear of it; returns the game before the other has answered."""
    session.submit(move)
    for data in session.outbox:
        other.receive(data)
    return other.play


STACKS = ["silk, pepper, mead, crossbow", "2 silk, mead, pepper", "3 silk, mead"]
"""What the others know of them is the same: four cards, and that one silk is there."""


@pytest.mark.parametrize("cards", STACKS)
def test_a_silk_promised_from_the_stack_is_any_of_the_silk_there(cards: str) -> None:
    setup = setup_for()
    table = Table(setup, deck_of(setup, "", "", cards))
    table.until_inspection({CAT: C[:4]}).passes(BEN, CAT)
    table.until_inspection({}).offers(CAT, stack=(("silk", 1),))
    cat = table.sessions[CAT]
    play = heard_by(table.sessions[BEN], cat, Pass(BEN, CAT))
    stack = play.state[CAT].stack

    def shown(arranged: Play) -> Sequence[int]:
        act = cat.secrets.answer(arranged, cat.table.turn(), 0)
        assert isinstance(act, Shows)
        return [stack.index(handle) for handle, _ in act.cards]

    assert_no_place_is_likelier(play, stack, shown)


@pytest.mark.parametrize("cards", STACKS)
def test_a_silk_promised_from_the_bag_is_any_of_the_silk_there(cards: str) -> None:
    setup = setup_for()
    table = Table(setup, deck_of(setup, "", cards))
    table.until_inspection({BEN: B[:4]}).offers(BEN, bag=(("silk", 1),))
    ben = table.sessions[BEN]
    play = heard_by(table.sessions[ANN], ben, Pass(ANN, BEN))
    turn = ben.table.turn()
    opens = ben.secrets.answer(play, turn, 0)
    assert isinstance(opens, Opens)
    play = play.after(turn, opens, 0, [])

    def shown(arranged: Play) -> Sequence[int]:
        act = ben.secrets.answer(arranged, turn, 1)
        assert isinstance(act, Shows)
        return [opens.handles.index(handle) for handle, _ in act.cards]

    assert_no_place_is_likelier(play, opens.handles, shown)


# -- choices of a player with the worst habit there is: always to take the first


def first_silk(session: Session, play: Play, zone: Sequence[Handle]) -> Handle:
    return next(handle for handle in zone if session.secrets.kind_of(play, handle) == "silk")


def assert_the_habit_does_not_show(
    session: Session, zone: Sequence[Handle], choice: Callable[[Handle], Move], named: Callable[[Move], Handle]
) -> None:
    def gone(arranged: Play) -> Sequence[int]:
        move = session.secrets.disguise(arranged, choice(first_silk(session, arranged, zone)))
        assert session.secrets.kind_of(arranged, named(move)) == "silk"
        return [zone.index(named(move))]

    assert_no_place_is_likelier(session.play, zone, gone)


def named_by(move: Move) -> Handle:
    """Returns the one hidden card that a move names."""
    match move:
        case (
            SetAside(_, (handle,)) | HandOver(_, (handle,)) | PayInKind(_, _, ((handle, _),)) | Trade(_, ((handle, _),))
        ):
            return handle
        case _:
            raise AssertionError(f"{move} names no hidden card, or several")


@pytest.mark.parametrize("cards", STACKS)
def test_a_silk_set_aside_is_any_of_the_silk_in_the_hand(cards: str) -> None:
    setup = setup_for()
    ben = Table(setup, deck_of(setup, "", cards)).settle().sessions[BEN]
    hand = ben.play.state[BEN].hand
    assert_the_habit_does_not_show(ben, hand, lambda handle: SetAside(BEN, (handle,)), named_by)


@pytest.mark.parametrize("cards", STACKS)
def test_a_silk_given_blind_is_any_of_the_silk_in_the_bag(cards: str) -> None:
    setup = setup_for()
    table = Table(setup, deck_of(setup, "", cards)).until_inspection({BEN: B[:4]}).offers(BEN, bag_blind=1).passes(BEN)
    bag = table.state.bag_of(BEN).handles
    assert_the_habit_does_not_show(table.sessions[BEN], bag, lambda handle: HandOver(BEN, (handle,)), named_by)


@pytest.mark.parametrize(
    "choice",
    [
        lambda handle: PayInKind(BEN, (), ((handle, "silk"),)),
        lambda handle: Trade(BEN, ((handle, "silk"),)),
    ],
    ids=["pays a fine", "trades"],
)
def test_a_silk_shown_from_the_stack_is_any_of_the_silk_there(choice: Callable[[Handle], Move]) -> None:
    setup = setup_for()
    table = Table(setup, deck_of(setup, "", STACKS[-1])).until_inspection({BEN: B[:4]}).passes(BEN)
    assert_the_habit_does_not_show(table.sessions[BEN], table.state[BEN].stack, choice, named_by)


def test_of_a_hand_full_of_apples_others_go_than_those_that_were_named() -> None:
    """The chance that they are the same ones each time is 1 : 900."""
    setup = setup_for()
    table = Table(setup, deck_of(setup, "pepper", "6 apples", "6 apples")).settle()
    table.submit(NameFirst(ANN, BEN))
    same = []
    for seat in (BEN, CAT):
        first = table.state[seat].hand[:1]
        table.submit(SetAside(seat, first))
        same.append(first[0] in table.state.kinds)
    for seat in (BEN, CAT):
        first = tuple(card.handle for card in table.view(seat).hand if card.kind == "apples")[:1]
        table.sessions[seat].submit(LoadBag(seat, first))
        bag = table.sessions[seat].secrets.bag
        assert bag is not None
        same.append(bag.handles == first)
        table.settle()
        assert [card.kind for card in table.view(seat).bag] == ["apples"]
    assert not all(same)
