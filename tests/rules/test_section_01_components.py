from typing import Any

import pytest

from p2p_sheriff.rules import Handle, Phase, Setup, Side, demands, new_game
from p2p_sheriff.rules.demands import Shuffle
from p2p_sheriff.rules.facts import Drawn
from p2p_sheriff.rules.moves import Offer
from protocol.errors import MalformedError
from tests.rules import rulebook
from tests.rules.notation import ANN, BEN, INPUTS, acts, pay
from tests.rules.refusing import no_move
from tests.rules.scenario import Scenario
from tests.rules.situations import at_inspection, at_market


@pytest.mark.parametrize(
    ("players", "plain", "with_royal"), [(3, 156, 162), (4, 204, 216), (5, 204, 216), (6, 204, 216)]
)
def test_r1_1_the_deck_has_as_many_cards_as_the_rules_say(players: int, plain: int, with_royal: int) -> None:
    assert Setup(players).cards == plain
    assert Setup(players, options=frozenset({"royal"})).cards == with_royal
    assert demands(new_game(Setup(players))) == (Shuffle(plain),)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_r1_1_every_good_is_as_the_table_in_the_rules_says(players: int) -> None:
    written = {}
    for kind, side, with_three, with_more, value, fine, counts_for in rulebook.table(1):
        count = int(with_three if players == 3 else with_more)
        if count:
            number, _, good = counts_for.partition(" ")
            # The table speaks of "1 apple", "2 apples": the good is called apples.
            counts = None if good == "" else ("apples" if good.startswith("apple") else good, int(number))
            written[kind] = (side, count, int(value), int(fine), counts)
    played = {
        good.kind: (good.side.value, good.count, good.value, good.fine, good.counts_for)
        for good in Setup(players, options=frozenset({"royal"})).goods
    }
    assert played == written


def test_r1_1_without_royal_goods_only_legal_and_contraband_goods_are_shuffled() -> None:
    assert {good.side for good in Setup(4).goods} == {Side.LEGAL, Side.CONTRABAND}


def test_r1_2_two_apples_are_two_cards() -> None:
    game = at_inspection({BEN: ("2 apples", "apples")}).passes(BEN)
    first, second = game.state[BEN].stall
    assert first.kind == second.kind == "apples"
    assert first.handle != second.handle


def test_r1_2_a_card_can_not_be_drawn_twice() -> None:
    game = Scenario()
    draw = game.settle_until_draw()
    twice = Handle(game.state.next_handle)
    no_move(game, Drawn(draw.seat, (twice,) * draw.count))
    game.apply(game.answer(draw))
    again = game.settle_until_draw()
    no_move(game, Drawn(again.seat, game.state[draw.seat].hand))


def test_r1_3_all_gold_of_the_box_is_with_the_players_or_the_bank() -> None:
    for players in (3, 4, 5, 6):
        state = new_game(Setup(players))
        assert state.bank + sum(player.gold for player in state.players) == 1255


def test_r1_3_the_bank_takes_part_in_a_round_without_gaining_or_losing() -> None:
    game = at_market()
    bank = game.state.bank
    game.until(Phase.INSPECT).next_round()
    assert game.state.bank == bank


@pytest.mark.parametrize("gold", [1.5, True, "5", None])
def test_r1_3_gold_is_whole_coins(gold: Any) -> None:
    offer = Offer.bribe(BEN, 0, BEN, (ANN,), acts("pass 1"), pay(gold=5))
    plain = INPUTS.write(offer)
    assert INPUTS.read(plain) == offer
    assert isinstance(plain, tuple)
    assert plain[4] == ((BEN, ANN, (5, (), (), 0, (), 0), None),)
    with pytest.raises(MalformedError, match=r"Things\.gold"):
        INPUTS.read((*plain[:4], ((BEN, ANN, (gold, (), (), 0, (), 0), None),), *plain[5:]))


def test_r1_3_nobody_pays_less_than_nothing() -> None:
    game = at_inspection({})
    no_move(game, game.an_offer(BEN, "pass 1", gold=-1))
