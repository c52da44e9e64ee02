"""Nothing hidden is released before every seat has named the choice that it answers.

Otherwise a sheriff could tell one merchant "accepted", look at what comes, and tell the others something else.
"""

from collections.abc import Callable

import pytest

from p2p_sheriff.node.copy import GameCopy
from p2p_sheriff.rules import Edition, Move, Seat
from p2p_sheriff.rules.facts import Given, Opened, Proved, Shown
from p2p_sheriff.rules.moves import HandOver, Inspect, Pass, SetAside, TakeDiscards, Trade
from p2p_sheriff.session.happenings import Happened
from tests.secrecy.twins import ANN, BEN, CAT, SHORT, Table, deck_of, hand_of, last_round, setup_for

B, C = hand_of(BEN), hand_of(CAT)


def table_of(*hands: str, options: tuple[str, ...] = ()) -> Table:
    setup = setup_for(*options)
    return Table(setup, deck_of(setup, *hands))


def bag_passes() -> tuple[Table, Move]:
    return table_of("", "silk, mead").until_inspection({BEN: B[:2]}), Pass(ANN, BEN)


def bag_is_inspected() -> tuple[Table, Move]:
    return table_of("", "silk, mead").until_inspection({BEN: B[:2]}), Inspect(ANN, BEN)


def second_round(**payment: object) -> Table:
    """CAT, with two cards on the stack, has offered something of them to BEN."""
    table = table_of("", "", "silk, mead").until_inspection({CAT: C[:2]}).passes(BEN, CAT)
    return table.until_inspection({}).offers(CAT, **payment)


def kind_of_the_stack_is_due() -> tuple[Table, Move]:
    return second_round(stack=(("silk", 1),)), Pass(BEN, CAT)


def whole_stack_is_due() -> tuple[Table, Move]:
    return second_round(stack_blind=2), Pass(BEN, CAT)


def one_card_of_the_stack_is_due() -> tuple[Table, Move]:
    table = second_round(stack_blind=1).passes(CAT)
    return table, HandOver(CAT, table.state[CAT].stack[:1])


def game_ends() -> tuple[Table, Move]:
    table = table_of("", "3 silk", "mead", options=("black-market",))
    last_round(table)
    table.until_inspection({BEN: B[:3], CAT: C[:1]}).passes(CAT, BEN)
    return table, Trade(BEN)


def a_discard_is_taken() -> tuple[Table, Move]:
    setup = setup_for(edition=Edition.FIRST, short=(("apples", 30), *SHORT[1:]))
    table = Table(setup, deck_of(setup, "", "silk", rest="mead")).submit(SetAside(BEN, ()))
    handles = table.state[CAT].hand[:1]
    return table.submit(SetAside(CAT, handles)), TakeDiscards(CAT, (1, 0))


def released(table: Table, seat: Seat) -> list[Opened | Shown | Proved | Given]:
    """Returns what that seat's node has seen come out of hiding."""
    happened = [event for event in table.sessions[seat].events if isinstance(event, Happened)]
    return [item for event in happened for item in event.inputs if isinstance(item, Opened | Shown | Proved | Given)]


@pytest.mark.parametrize(
    "situation",
    [
        bag_passes,
        bag_is_inspected,
        kind_of_the_stack_is_due,
        whole_stack_is_due,
        one_card_of_the_stack_is_due,
        a_discard_is_taken,
        game_ends,
    ],
)
@pytest.mark.parametrize("first_away", [True, False])
def test_nothing_comes_out_before_the_last_seat_has_seen_the_choice(
    situation: Callable[[], tuple[Table, Move]], first_away: bool
) -> None:
    table, choice = situation()
    before = [released(table, seat) for seat in table.setup.seats]
    table.sessions[choice.seat].submit(choice)
    others = [seat for seat in table.setup.seats if seat != choice.seat]
    away = others[0] if first_away else others[1]
    table.settle_without(away)
    assert [released(table, seat) for seat in table.setup.seats] == before
    table.settle()
    assert len(released(table, ANN)) > len(before[ANN])


def test_who_does_not_say_that_a_choice_was_seen_is_waited_for_and_not_who_must_answer_it() -> None:
    """Else the others would put out who may not open the bag yet, for doing nothing."""
    table, choice = bag_is_inspected()
    table.sessions[ANN].submit(choice)
    table.settle_without(CAT)
    assert [GameCopy(table.sessions[seat]).awaited for seat in (ANN, BEN)] == [(CAT,), (CAT,)]
    assert BEN in table.sessions[ANN].table.awaited
    table.settle()
    assert all(session.waits_for == session.table.awaited for session in table.sessions)


def test_all_show_their_stacks_at_the_end_although_each_waits_for_the_others_to_have_seen_the_last_choice() -> None:
    table = table_of("", "silk", "mead")
    last_round(table)
    table.until_inspection({BEN: B[:1], CAT: C[:1]}).passes(BEN, CAT)
    assert all(session.play.is_over for session in table.sessions)
    assert [[card.kind for card in player.revealed] for player in table.state.players] == [[], ["silk"], ["mead"]]
