"""What a bot makes of people: built from the inputs that a table sees, nothing else."""

from random import Random

import pytest

from p2p_sheriff.bots.belief import suspicion, unseen
from p2p_sheriff.bots.crowns import Crowns, rounds_as_merchant
from p2p_sheriff.bots.memory import Memory
from p2p_sheriff.bots.officers import EXPERIENCE, Officers
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.rules import Choice, Handle, Input, Kind, Seat, Setup, State, View
from p2p_sheriff.rules.cards import Card
from p2p_sheriff.rules.facts import Opened, Shown
from p2p_sheriff.rules.moves import Act, Declare, Inspect, NameFirst, Offer, Pass, SetAside, Things, Verb

LIAR, TRUE, SHERIFF = Seat(1), Seat(2), Seat(3)


def cards(*kinds: Kind) -> tuple[tuple[Handle, Kind], ...]:
    return tuple((Handle(1000 + index), kind) for index, kind in enumerate(kinds))


def bribe(seat: Seat, gold: int, **payment: tuple[tuple[Kind, int], ...]) -> Offer:
    return Offer.bribe(seat, 0, seat, (SHERIFF,), (Act(seat, Verb.PASS),), Things(gold, **payment))  # type: ignore[arg-type]


def bag(seat: Seat, shown: tuple[Kind, ...], count: int, act: Input, *offers: Offer) -> list[Input]:
    return [
        SetAside(seat, ()),
        Declare(seat, count, "apples"),
        *offers,
        act,
        Opened(seat, ()),
        Shown(seat, cards(*shown)),
    ]


def remembering(*inputs: list[Input]) -> Memory:
    memory = Memory()
    for item in (item for some in inputs for item in some):
        memory.note(item)
    return memory


@pytest.fixture
def table() -> View:
    """Seat 0 looks at a table of four at the market of the first round."""
    dealer = Dealer(Setup(4, candidates=(SHERIFF,)), Random(1))
    dealer.start()
    dealer.submit(NameFirst(SHERIFF, Seat(0)))
    assert dealer.choices()[0].choice is Choice.SET_ASIDE
    return dealer.view(Seat(0))


def test_a_bag_that_passes_with_a_hidden_card_is_remembered_as_a_lie() -> None:
    memory = remembering(bag(LIAR, ("apples", "apples"), 3, Pass(SHERIFF, LIAR)))
    assert memory.conduct[LIAR].is_liar
    assert (memory.conduct[LIAR].false_cards, memory.conduct[LIAR].false_of) == (1, 3)


def test_a_bag_of_declared_goods_is_remembered_as_true_whether_or_not_it_was_inspected() -> None:
    memory = remembering(
        bag(TRUE, ("apples",) * 3, 3, Pass(SHERIFF, TRUE)), bag(TRUE, ("apples",) * 2, 2, Inspect(SHERIFF, TRUE))
    )
    assert not memory.conduct[TRUE].is_liar
    assert memory.conduct[TRUE].true == 2


def test_a_promise_that_is_not_kept_costs_trust() -> None:
    silk = (("silk", 1),)
    broken = remembering(bag(LIAR, ("apples",), 2, Pass(SHERIFF, LIAR), bribe(LIAR, 0, bag=silk)))
    kept = remembering(bag(LIAR, ("apples", "silk"), 2, Pass(SHERIFF, LIAR), bribe(LIAR, 0, bag=silk)))
    assert broken.conduct[LIAR].trust(0.6) < 0.6 < kept.conduct[LIAR].trust(0.6)


def suspected(view: View, memory: Memory, seat: Seat) -> float:
    memory.note(SetAside(seat, ()))
    memory.note(Declare(seat, 3, "apples"))
    return suspicion(view, memory, seat, unseen(view)).lie


def test_who_has_lied_is_suspected_more_than_a_stranger_and_who_was_true_less(table: View) -> None:
    lied = bag(LIAR, ("apples",), 3, Pass(SHERIFF, LIAR))
    was_true = bag(TRUE, ("apples",) * 3, 3, Pass(SHERIFF, TRUE))
    stranger = suspected(table, Memory(), LIAR)
    assert suspected(table, remembering(lied), LIAR) > stranger > suspected(table, remembering(was_true), TRUE)


def test_at_a_table_of_liars_a_stranger_is_suspected_more(table: View) -> None:
    lied = bag(LIAR, ("apples",), 3, Pass(SHERIFF, LIAR))
    assert suspected(table, remembering(lied), TRUE) > suspected(table, Memory(), TRUE)


def test_who_declares_what_was_just_set_aside_is_suspected(table: View) -> None:
    memory = Memory()
    plain = suspected(table, memory, LIAR)
    memory.note(SetAside(LIAR, ()))
    memory.note(Shown(LIAR, cards("apples")))
    memory.note(Declare(LIAR, 3, "apples"))
    assert suspicion(table, memory, LIAR, unseen(table)).lie > plain


def test_who_offers_money_is_suspected(table: View) -> None:
    memory = Memory()
    plain = suspected(table, memory, LIAR)
    memory.note(bribe(LIAR, 5))
    assert suspicion(table, memory, LIAR, unseen(table)).lie > plain


def test_a_great_number_of_a_good_that_is_nearly_used_up_is_suspected(table: View) -> None:
    memory = Memory()
    plain = suspected(table, memory, LIAR)
    left = unseen(table)
    left["apples"] = 4
    assert suspicion(table, memory, LIAR, left).lie > plain


def test_unseen_cards_are_all_but_the_own_and_the_open_ones(table: View) -> None:
    left = unseen(table)
    assert left.total() == 204 - 6
    own = [card.kind for card in table.hand]
    assert left["apples"] == 48 - own.count("apples")


def test_officers_who_looked_are_expected_to_look_again(table: View) -> None:
    stranger = Officers(table, Memory()).chance_to_look(0, 3)
    looked = remembering(bag(TRUE, ("apples",) * 3, 3, Inspect(SHERIFF, TRUE)))
    passed = remembering(bag(TRUE, ("apples",) * 3, 3, Pass(SHERIFF, TRUE)))
    assert Officers(table, passed).chance_to_look(0, 3) < stranger < Officers(table, looked).chance_to_look(0, 3)


def test_officers_who_took_a_bribe_are_expected_to_take_a_greater_one_too(table: View) -> None:
    took = Officers(table, remembering(bag(LIAR, (), 3, Pass(SHERIFF, LIAR), bribe(LIAR, 6))))
    stranger = Officers(table, Memory())
    relief = [stranger.chance_to_look(gold, 3) - took.chance_to_look(gold, 3) for gold in (0, 6, 12)]
    assert relief[1] > relief[2] > 0
    assert relief[1] > relief[0]


def test_officers_look_sooner_into_the_bag_of_a_known_liar(table: View) -> None:
    me = table.seat
    lied = remembering(bag(me, (), 3, Pass(Seat(2), me)))
    assert Officers(table, lied).chance_to_look(0, 3) > Officers(table, Memory()).chance_to_look(0, 3)


def test_who_has_experience_trusts_a_little_gold_less_and_much_more_and_fears_for_a_full_bag(table: View) -> None:
    thumb, practised = Officers(table, Memory()), Officers(table, Memory(), EXPERIENCE)
    assert practised.chance_to_look(1, 3) > thumb.chance_to_look(1, 3)
    assert practised.chance_to_look(9, 3) < thumb.chance_to_look(9, 3)
    assert practised.chance_to_look(0, 5) > thumb.chance_to_look(0, 5)
    assert practised.chance_to_look(0, 2) < thumb.chance_to_look(0, 2)


def with_apples(state: State, **counts: int) -> State:
    for name, count in counts.items():
        seat = Seat(int(name.removeprefix("seat")))
        stall = tuple(Card(Handle(2000 + 50 * seat + index), "apples", seat) for index in range(count))
        state = state.with_player(seat, stall=stall)
    return state


def gain(view: View, **counts: int) -> float:
    return Crowns(View(with_apples(view.state, **counts), view.knowledge)).gain("apples", 3)


def test_more_of_a_good_is_worth_most_while_the_race_for_king_is_close(table: View) -> None:
    close = gain(table, seat0=6, seat1=7)
    assert close > gain(table, seat0=0, seat1=30, seat2=30)
    assert close > gain(table, seat0=30, seat1=0)


def test_with_no_round_left_the_king_is_the_one_who_has_most(table: View) -> None:
    last = with_apples(table.state, seat0=2, seat1=4, seat2=0)
    players = tuple(player.but(served=2) for player in last.players)
    last = last.but(players=players, round=8)
    assert rounds_as_merchant(last, Seat(1)) == (5, 1)
    crowns = Crowns(View(last, table.knowledge))
    assert crowns.gain("apples", 8) > 5
