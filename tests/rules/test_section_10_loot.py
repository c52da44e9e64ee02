import pytest

from p2p_sheriff.rules import Choice, Kind, demands
from p2p_sheriff.rules.demands import Give, Show
from p2p_sheriff.rules.facts import Given, Shown
from p2p_sheriff.rules.moves import Accept, Inspect, PickLoot, ShareLoot, Split, Verb
from tests.rules.notation import ANN, BEN, CAT, DAN
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import alone, patrol, share

# -- 10.5


def with_loot(gold: int, goods: str = "", bag: tuple[str, Kind] = ("apples", "apples")) -> Scenario:
    """So much gold, and goods of CAT's stall and bag, lie on the Loot when it is shared."""
    game = patrol({CAT: bag}).grant(CAT, stall=goods)
    payment: dict[str, str | int] = {"gold": gold, "stall": goods, "bag_blind": len(bag[0].split(", "))}
    number = game.offer(CAT, "pass 2", payer=None, to=(), **payment)
    game.submit(Accept(ANN, CAT, number), Accept(BEN, CAT, number))
    return share(game)


def test_r10_5_the_gold_is_halved_and_an_odd_coin_goes_to_the_bank() -> None:
    game = with_loot(13)
    bank = game.state.bank
    game.submit(ShareLoot(BEN))
    assert game.state.bank == bank + 1
    assert [game.state[seat].gold for seat in (ANN, BEN)] == [56, 56]
    assert not game.state.loot


def test_r10_5_cards_are_picked_in_turn_the_first_drawn_deputy_first() -> None:
    game = with_loot(0, "2 apples, 2 chicken").submit(ShareLoot(ANN))
    by_kind = {card.kind: card.handle for card in game.state.loot.cards}
    assert game.choices() == {(ANN, Choice.PICK_LOOT)}
    refused(game, PickLoot(BEN, by_kind["chicken"]), "10.5")
    game.submit(PickLoot(ANN, by_kind["chicken"]))
    assert game.choices() == {(BEN, Choice.PICK_LOOT)}
    left = {card.kind: card.handle for card in game.state.loot.cards}
    game.submit(PickLoot(BEN, left["chicken"]))
    assert game.choices() == {(ANN, Choice.PICK_LOOT)}
    game.submit(PickLoot(ANN, game.state.loot.cards[0].handle))
    assert game.stall(ANN) == ["apples", "chicken"]
    assert game.stall(BEN) == ["apples", "chicken"]
    assert game.state.round == 2


def test_r10_5_an_odd_last_card_is_discarded_face_up() -> None:
    game = with_loot(0, "apples, 2 chicken").submit(ShareLoot(ANN))
    for _ in range(2):
        handle = next(card.handle for card in game.state.loot.cards if card.kind == "chicken")
        ((seat, _),) = game.choices()
        game.submit(PickLoot(seat, handle))
    assert game.piles() == [["apples"]]
    assert game.stall(ANN) == ["chicken"]
    assert game.stall(BEN) == ["chicken"]


def test_r10_5_an_odd_face_down_card_is_shown_as_it_is_discarded() -> None:
    game = with_loot(0, "", ("silk", "apples"))
    game.apply(ShareLoot(ANN))
    assert [type(demand) for demand in demands(game.state)] == [Give]
    game.settle_next(1)
    (show,) = demands(game.state)
    assert isinstance(show, Show)
    no_move(game, Shown(BEN, ((show.handles[0], "silk"),)))
    no_move(game, Shown(ANN, ((game.state[ANN].hand[0], "silk"),)))
    assert game.settle().piles() == [["silk"]]


def test_r10_5_both_may_agree_on_another_split() -> None:
    game = with_loot(13, "apples, 2 chicken")
    cards = {card.kind: card.handle for card in game.state.loot.cards}
    split = Split(11, (cards["apples"],))
    game.submit(ShareLoot(BEN, split))
    assert game.state.loot.gold == 13
    game.submit(ShareLoot(ANN, split))
    assert [game.state[seat].gold for seat in (ANN, BEN)] == [61, 52]
    assert game.stall(ANN) == ["apples"]
    assert game.stall(BEN) == ["chicken", "chicken"]


def test_r10_5_different_wishes_are_no_agreement() -> None:
    game = with_loot(13).submit(ShareLoot(ANN, Split(13)), ShareLoot(BEN, Split(0)))
    assert game.state.loot.gold == 13
    game.submit(ShareLoot(BEN, Split(13)))
    assert [game.state[seat].gold for seat in (ANN, BEN)] == [63, 50]


def test_r10_5_no_other_split_after_the_first_pick() -> None:
    game = with_loot(0, "2 apples, 2 chicken").submit(ShareLoot(ANN))
    refused(game, ShareLoot(BEN, Split(0)), "10.5")


def test_r10_5_only_what_is_there_can_be_shared_and_by_the_deputies_alone() -> None:
    game = with_loot(13)
    refused(game, ShareLoot(ANN, Split(14)), "10.5")
    refused(game, ShareLoot(CAT), "10.5")
    no_move(game, ShareLoot(ANN, Split(1, (game.state[ANN].hand[0],))))
    no_move(game, ShareLoot(ANN, Split(1, (), ("silk 34",))))
    refused(patrol({}), ShareLoot(ANN), "10.5")


def test_r10_5_an_empty_loot_is_not_shared() -> None:
    game = share(patrol({}))
    assert game.state.round == 2


# -- 10.6


def test_r10_6_contraband_lies_face_down_on_the_loot_even_if_it_was_shown_when_given() -> None:
    game = patrol({CAT: ("silk", "apples")})
    game.deal(CAT, "pass 2", bag="silk")
    (card,) = game.state.loot.cards
    assert card.kind is None
    assert card.handle not in game.state.kinds


def test_r10_6_legal_goods_lie_face_up_on_the_loot() -> None:
    game = patrol({}).grant(CAT, stall="cheese")
    game.deal(CAT, "pass 2", stall="cheese")
    (card,) = game.state.loot.cards
    assert card.kind == "cheese"
    assert game.state.kinds[card.handle] == "cheese"


def test_r10_6_a_picked_card_goes_face_down_to_the_deputy_and_is_not_shown() -> None:
    game = with_loot(0, "", ("silk, mead", "apples")).submit(ShareLoot(ANN))
    mead = next(card.handle for card in game.state.loot.cards if game.kinds[card.handle] == "mead")
    game.log.clear()
    game.submit(PickLoot(ANN, mead))
    assert game.stack(ANN) == ["mead"]
    assert game.stack(BEN) == ["silk"]
    assert not any(type(item).__name__ == "Shown" for _, item in game.log)


def test_r10_6_which_card_of_the_loot_was_shown_can_not_be_traced() -> None:
    game = patrol({CAT: ("silk", "apples"), DAN: ("mead", "apples")})
    game.deal(CAT, "pass 2", bag="silk")
    (given,) = game.seen(Given)
    ((_, traced),) = given.handles
    game.deal(DAN, "pass 3", bag_blind=1)
    share(game)
    assert {card.handle for card in game.state.loot.cards}.isdisjoint({traced})


def test_r10_6_only_what_lies_on_the_loot_can_be_picked() -> None:
    game = with_loot(0, "2 apples").submit(ShareLoot(ANN))
    no_move(game, PickLoot(ANN, game.state[CAT].hand[0]))
    no_move(game, PickLoot(ANN, "silk"))


# -- 10.8


def test_r10_8_a_loot_of_12_is_6_each() -> None:
    game = with_loot(12).submit(ShareLoot(ANN))
    assert [game.state[seat].gold for seat in (ANN, BEN)] == [56, 56]


def test_r10_8_8_taken_by_one_alone_is_kept() -> None:
    game = alone(patrol({}), BEN, CAT)
    number = game.offer(CAT, "pass 2", to=(BEN,), gold=8)
    share(game.submit(Accept(BEN, CAT, number)))
    assert [game.state[seat].gold for seat in (ANN, BEN)] == [50, 58]


@pytest.mark.parametrize("together", [True, False])
def test_r10_8_a_true_bag_costs_half_each_together_and_all_alone(*, together: bool) -> None:
    game = patrol({CAT: ("4 chicken", "chicken")})
    if together:
        game.together(CAT, Verb.INSPECT)
    else:
        alone(game, ANN, CAT).submit(Inspect(ANN, CAT))
    assert [game.state[seat].gold for seat in (ANN, BEN)] == ([46, 46] if together else [42, 50])
