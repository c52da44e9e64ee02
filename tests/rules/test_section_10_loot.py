import pytest

from p2p_sheriff.rules import Choice, Choose, Handle, Kind, Seat, Zone, demands, legal_moves
from p2p_sheriff.rules.demands import Give, Mix, Show
from p2p_sheriff.rules.facts import Given, Left, Rearranged, Redealt, Shown
from p2p_sheriff.rules.moves import Accept, Inspect, PickLoot, ShareLoot, Split, Stance, Verb
from tests.rules.notation import ANN, BEN, CAT, DAN, EVE, FAY
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
    game.submit(ShareLoot(ANN))
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
    game.submit(ShareLoot(ANN, split))
    assert game.state.loot.gold == 13
    assert game.choices() == {(BEN, Choice.SHARE_LOOT)}
    game.submit(ShareLoot(BEN, split))
    assert [game.state[seat].gold for seat in (ANN, BEN)] == [61, 52]
    assert game.stall(ANN) == ["apples"]
    assert game.stall(BEN) == ["chicken", "chicken"]


def test_r10_5_the_other_deputy_accepts_the_proposal_or_asks_for_the_even_split_and_nothing_else() -> None:
    game = with_loot(13)
    refused(game, ShareLoot(BEN, Split(0)), "10.5")
    game.submit(ShareLoot(ANN, Split(13)))
    refused(game, ShareLoot(BEN, Split(0)), "10.5")
    refused(game, ShareLoot(ANN, Split(12)), "10.5")
    assert set(legal_moves(game.state, BEN)) == {ShareLoot(BEN), ShareLoot(BEN, Split(13))}
    game.submit(ShareLoot(BEN))
    assert [game.state[seat].gold for seat in (ANN, BEN)] == [56, 56]


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


def before_mixing(stall: str = "", bag: tuple[str, Kind] = ("silk, mead", "apples")) -> Scenario:
    """CAT's stall and bag lie on the Loot, and the last bag has passed: the deputies mix the Loot, or share it."""
    game = patrol({CAT: bag}).grant(CAT, stall=stall)
    game.deal(CAT, "pass 2", stall=stall, bag_blind=len(bag[0].split(", ")))
    for owner in (DAN, EVE):
        game.together(owner, Verb.PASS)
    game.submit(Stance(ANN, FAY, Verb.PASS))
    game.log.clear()
    game.apply(Stance(BEN, FAY, Verb.PASS))
    while not (isinstance(demand := demands(game.state)[0], Choose) or isinstance(demand, Mix)):
        game.apply(game.answer(demand))
    return game


def new_handles(game: Scenario, count: int) -> tuple[Handle, ...]:
    return tuple(Handle(game.state.next_handle + number) for number in range(count))


def test_r10_6_the_deputies_mix_face_down_cards_before_a_word_about_sharing() -> None:
    game = before_mixing()
    given = game.state.loot.face_down
    assert demands(game.state) == (Mix((ANN, BEN), given),)
    refused(game, ShareLoot(ANN), "10.5")
    game.settle_next(1)
    assert game.choices() == {(ANN, Choice.SHARE_LOOT)}
    assert set(given).isdisjoint(game.state.loot.face_down)
    assert sorted(game.kinds[handle] for handle in game.state.loot.face_down) == ["mead", "silk"]


def test_r10_6_the_deputies_mix_all_face_down_cards_and_nobody_else_does() -> None:
    game = before_mixing()
    new = new_handles(game, 3)
    no_move(game, Rearranged(BEN, Zone.LOOT, new[:2]))
    no_move(game, Rearranged(CAT, Zone.LOOT, new[:2]))
    no_move(game, Rearranged(ANN, Zone.STACK, new[:2]))
    no_move(game, Rearranged(ANN, Zone.LOOT, new[:1]))
    no_move(game, Rearranged(ANN, Zone.LOOT, new))
    no_move(game, Rearranged(ANN, Zone.LOOT, game.state.loot.face_down))
    game.settle_next(1)
    no_move(game, Rearranged(ANN, Zone.LOOT, new_handles(game, 2)))


def test_r10_6_cards_that_lie_face_up_are_not_mixed() -> None:
    game = before_mixing("apples, 2 chicken")
    face_up = [card for card in game.state.loot.cards if card.kind is not None]
    assert demands(game.state) == (Mix((ANN, BEN), game.state.loot.face_down),)
    game.settle()
    assert [card for card in game.state.loot.cards if card.kind is not None] == face_up
    assert len(game.state.loot.face_down) == 2


@pytest.mark.parametrize("stall", ["", "2 chicken"])
def test_r10_6_a_single_face_down_card_is_not_mixed(stall: str) -> None:
    game = before_mixing(stall, ("silk", "apples"))
    assert len(game.state.loot.face_down) == 1
    assert game.choices() == {(ANN, Choice.SHARE_LOOT)}
    assert not any(item.zone is Zone.LOOT for item in game.seen(Rearranged))


def test_r10_6_no_mixing_once_the_picking_has_begun() -> None:
    game = before_mixing("", ("silk, mead, mead, silk", "apples")).settle().submit(ShareLoot(ANN))
    game.log.clear()
    game.submit(PickLoot(ANN, game.state.loot.face_down[0]))
    assert game.choices() == {(BEN, Choice.PICK_LOOT)}
    assert [item.zone for item in game.seen(Rearranged)] == [Zone.STACK]


@pytest.mark.parametrize(("gone", "stays"), [(ANN, BEN), (BEN, ANN)])
def test_r10_6_the_cards_go_back_into_the_deck_if_a_deputy_leaves_while_they_are_mixed(gone: Seat, stays: Seat) -> None:
    game = before_mixing("chicken")
    in_play = game.state.deck + len(game.state.handles())
    game.apply(Left((gone,)))
    assert game.state.loot.cards == ()
    assert game.state.deck + len(game.state.handles()) == in_play
    game.log.clear()
    game.settle()
    assert isinstance(game.log[0][1], Redealt)
    assert not any(item.zone is Zone.LOOT for item in game.seen(Rearranged))
    assert game.state.round == 2
    assert game.stack(stays) == []


def test_r10_6_the_mixing_goes_on_if_the_giver_leaves() -> None:
    game = before_mixing()
    game.apply(Left((CAT,)))
    game.settle_next(1)
    assert demands(game.state) == (Mix((ANN, BEN), game.state.loot.face_down),)
    assert game.settle().choices() == {(ANN, Choice.SHARE_LOOT)}


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
