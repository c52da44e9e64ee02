import pytest

from p2p_sheriff.rules import (
    BadSetup,
    Choice,
    Edition,
    Ending,
    NotAllowed,
    Pack,
    Phase,
    Setup,
    check_load,
    check_move,
    legal_moves,
)
from p2p_sheriff.rules.bounds import LayOutBounds, OfferBounds
from p2p_sheriff.rules.facts import DealtOut, Left, PackRedealt, Proved, TimeUp, Unveiled, WentUnder
from p2p_sheriff.rules.law import bag_limits, contraband_kinds, declarable_kinds, required_verb, side_of, stack_kinds
from p2p_sheriff.rules.modules.law_cards import LAWS
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.rules.moves import (
    Accept,
    Apart,
    Declare,
    HandOver,
    Inspect,
    LayLaws,
    LayOut,
    Pass,
    PayInKind,
    SetAside,
    Stance,
    Verb,
)
from p2p_sheriff.rules.scoring import outcome
from p2p_sheriff.rules.steps import DealAround, DrawLaws, RemakePack
from tests.rules.notation import ANN, BEN, CAT, DAN, EVE, FAY, FIRST, SECOND
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import Bags, at_inspection, at_load, at_market, patrol, share


def lawful(
    bags: Bags, *laws: str, players: int = 4, edition: Edition = SECOND, options: tuple[str, ...] = ()
) -> Scenario:
    """These laws are in force while bags are loaded, declared, and lie before the sheriff."""
    game = at_load(players, "laws", *options, edition=edition).enact(*laws)
    for seat in game.state.merchants:
        text, declared = bags.get(seat, ("chicken", "chicken"))
        game.load(seat, text, declared)
    game.until(Phase.INSPECT)
    for seat in game.state.seats:
        game.grant(seat, gold=50)
    return game


def at_laws(players: int = 4, *names: str) -> Scenario:
    """The first sheriff has drawn three laws: these."""
    game = Scenario(players, "laws")
    while not game.packs:
        game.settle_next(1)
    game.packs[Pack.LAWS] = [*names, *(name for name in game.packs[Pack.LAWS] if name not in names)]
    return game.settle()


# -- drawing and laying


def test_r15_1_the_first_sheriff_draws_three_lays_two_and_puts_one_back_unseen() -> None:
    game = at_laws(4, "toll", "duty", "mercy")
    assert game.choices() == {(ANN, Choice.LAY_LAWS)}
    assert game.state.phase is Phase.MARKET
    toll, duty, mercy = game.state.drawn_laws
    refused(game, LayLaws(ANN, (toll,)), "15.1")
    refused(game, LayLaws(BEN, (toll, duty)), "15.1")
    no_move(game, LayLaws(ANN, (toll, toll)))
    no_move(game, LayLaws(ANN, (toll, game.state[ANN].hand[0])))
    game.submit(LayLaws(ANN, (mercy, toll)))
    assert game.state.laws == ("mercy", "toll")
    assert game.state.left_in(Pack.LAWS) == 22
    assert game.packs[Pack.LAWS][-1] == "duty"
    assert [fact.cards for fact in game.seen(Unveiled)] == [((mercy, "mercy"), (toll, "toll"))]
    assert game.seen(WentUnder) == [WentUnder(Pack.LAWS, (ANN,), (duty,))]
    assert game.choices() == {(ANN, Choice.NAME_FIRST)}


def test_r15_1_the_sheriff_may_show_all_that_were_drawn() -> None:
    game = at_laws(4, "toll", "duty", "mercy")
    toll, _, mercy = game.state.drawn_laws
    game.submit(LayLaws(ANN, (mercy, toll), shown=True))
    assert [name for fact in game.seen(Unveiled) for _, name in fact.cards] == ["mercy", "toll", "duty"]
    assert game.state.laws == ("mercy", "toll")
    assert game.packs[Pack.LAWS][-1] == "duty"


def test_r15_1_only_the_sheriff_sees_what_was_drawn() -> None:
    game = at_laws(4, "toll", "duty", "mercy")
    assert {game.knowledge(ANN).kinds[handle] for handle in game.state.drawn_laws} == {"toll", "duty", "mercy"}
    assert not set(game.state.drawn_laws) & game.knowledge(BEN).kinds.keys()
    assert not set(game.state.drawn_laws) & game.state.kinds.keys()


def test_r15_1_later_sheriffs_draw_two_and_the_oldest_law_leaves() -> None:
    game = at_load(4, "laws").enact("toll", "honest reward").next_round()
    while game.choices() != {(BEN, Choice.LAY_LAWS)}:
        game.dull()
    assert len(game.state.drawn_laws) == 2
    left = game.state.left_in(Pack.LAWS)
    game.packs[Pack.LAWS] = []
    new = game.kinds[game.state.drawn_laws[1]]
    game.submit(LayLaws(BEN, game.state.drawn_laws[1:]))
    assert game.state.laws == (new, "toll")
    assert game.state.left_in(Pack.LAWS) == left + 1
    assert len(game.packs[Pack.LAWS]) == 1, "The law of slot 2 has left the game."


def test_r15_1_a_law_that_went_under_the_deck_never_comes_up_again() -> None:
    for players, rounds in ((3, 9), (4, 8), (5, 10), (6, 9)):
        laws = cards_of(Setup(players, options=frozenset({"laws"})), Pack.LAWS)
        assert len(laws) >= 3 + 2 * (rounds - 1), "So handles that were drawn need no rearranging before one is chosen."


def test_r15_1_what_is_not_drawn_shown_or_put_back_as_demanded_is_no_fact() -> None:
    game = Scenario(4, "laws")
    while not isinstance(game.log[-1][1] if game.log else None, DealtOut):
        game.settle_next(1)
    drawn = game.state.drawn_laws
    no_move(game, DealtOut(Pack.LAWS, (ANN,), drawn))
    no_move(game, Unveiled(Pack.LAWS, (ANN,), tuple((handle, "toll") for handle in drawn)))
    game.apply(LayLaws(ANN, drawn[:2]))
    no_move(game, Unveiled(Pack.LAWS, (ANN,), tuple((handle, "king's peace") for handle in drawn[:2])))
    no_move(game, Unveiled(Pack.LAWS, (ANN,), ((drawn[2], "toll"), (drawn[0], "duty"))))
    game.settle_next(1)
    no_move(game, WentUnder(Pack.LAWS, (ANN,), drawn[:1]))
    game.settle()
    no_move(game, WentUnder(Pack.LAWS, (ANN,), drawn[2:]))


def test_r10_7_both_deputies_see_the_laws_and_the_first_drawn_decides() -> None:
    game = at_laws(6, "toll", "duty", "mercy")
    assert game.state.officers == (ANN, BEN)
    assert game.choices() == {(ANN, Choice.LAY_LAWS)}
    for deputy in (ANN, BEN):
        assert set(game.state.drawn_laws) <= game.knowledge(deputy).kinds.keys()
    assert not set(game.state.drawn_laws) & game.knowledge(CAT).kinds.keys()


def test_r19_4_laws_not_yet_laid_are_not_laid_if_the_sheriff_leaves() -> None:
    game = at_laws(4, "toll", "duty", "mercy").leaves(ANN)
    assert (game.state.laws, game.state.drawn_laws) == ((), ())
    assert game.state.left_in(Pack.LAWS) == 24
    assert game.seen(PackRedealt) == [PackRedealt(Pack.LAWS, 24)]
    assert {choice for _, choice in game.choices()} == {Choice.SET_ASIDE}


def test_r19_6_laws_that_were_drawn_go_back_if_the_sheriff_leaves_and_the_game_is_abandoned() -> None:
    game = at_laws(3, "toll", "duty", "mercy")
    before = game.state.left_in(Pack.LAWS)
    game.leaves(ANN)
    assert game.state.ending is Ending.ABANDONED
    assert (game.state.drawn_laws, game.state.left_in(Pack.LAWS)) == ((), before + 3)


def test_r19_4_a_deputy_who_is_left_draws_laws_anew() -> None:
    game = at_laws(6, "toll", "duty", "mercy")
    before = game.state.drawn_laws
    game.leaves(ANN)
    assert game.choices() == {(BEN, Choice.LAY_LAWS)}
    assert not set(before) & set(game.state.drawn_laws)
    assert game.state.left_in(Pack.LAWS) == 21
    game = at_laws(6)
    game.apply(LayLaws(ANN, game.state.drawn_laws[:2]))
    game.settle_next(1)
    game.apply(Left((BEN,)))
    game.settle()
    assert len(game.state.laws) == 2, "They are laid; only the third is left to be put back."
    assert game.choices() == {(ANN, Choice.NAME_FIRST)}


def test_r19_4_laws_are_drawn_anew_behind_all_decks_that_are_dealt_around_somebody_who_left_before() -> None:
    game = at_laws(6, "toll", "duty", "mercy")
    game.apply(Left((CAT,)))
    game.apply(Left((BEN,)))
    assert game.state.todo[:3] == (DealAround(), RemakePack(Pack.LAWS), DrawLaws())
    assert game.settle().choices() == {(ANN, Choice.LAY_LAWS)}


def test_r15_2_a_law_binds_everyone_while_it_is_in_force() -> None:
    game = lawful({}, "no coin")
    refused(game, game.an_offer(BEN, "pass 1", gold=1), "15.2")
    game.enact()
    game.submit(game.an_offer(BEN, "pass 1", gold=1))


def test_r15_3_the_table_has_the_24_laws() -> None:
    assert len(LAWS) == 24
    assert len(cards_of(Setup(4, options=frozenset({"laws"})), Pack.LAWS)) == 24


def test_r15_7_with_three_players_the_bread_laws_stay_out() -> None:
    three = cards_of(Setup(3, options=frozenset({"laws"})), Pack.LAWS)
    assert LAWS.keys() - set(three) == {"bread ban", "forced bread sale", "bread tax"}


# -- bans

BANS = {"apple ban": "apples", "cheese ban": "cheese", "bread ban": "bread", "chicken ban": "chicken"}


def check_ban(law: str) -> None:
    """The good can't be declared, is confiscated when inspected, and lies face down when it passes."""
    good = BANS[law]
    other = "cheese" if good != "cheese" else "apples"
    game = lawful({BEN: (f"{other}, {good}", other), CAT: (f"{other}, {good}", other), DAN: (other, other)}, law)
    assert good not in declarable_kinds(game.state)
    assert side_of(game.state, good).value == "contraband"
    game.passes(BEN)
    assert (game.stall(BEN), game.stack(BEN)) == ([other], [good])
    assert game.seen(Proved)[-1].kinds == contraband_kinds(game.state)
    assert good in contraband_kinds(game.state)
    game.inspects(CAT)
    assert game.stall(CAT) == [other]
    assert game.piles()[-1][-1] == good
    assert game.gold() == [52, 50, 48, 50]
    declaring = at_load(4, "laws").enact(law).load(BEN, other).load(CAT, other).load(DAN, other)
    refused(declaring, Declare(BEN, 1, good), "6.2")


def test_law_bread_ban_makes_bread_contraband() -> None:
    check_ban("bread ban")


def test_law_chicken_ban_makes_chicken_contraband() -> None:
    check_ban("chicken ban")


def test_law_cheese_ban_makes_cheese_contraband() -> None:
    check_ban("cheese ban")


def test_law_apple_ban_makes_apples_contraband() -> None:
    check_ban("apple ban")


def test_r15_4_goods_on_stalls_keep_their_side() -> None:
    game = lawful({BEN: ("cheese", "cheese")}, "apple ban").grant(BEN, stall="2 apples")
    game.deal(BEN, "pass 1", stall="apples")
    assert (game.stall(ANN), game.stall(BEN)) == (["apples"], ["apples", "cheese"])


def test_r15_4_a_card_keeps_the_side_on_which_it_came_in_after_the_ban_has_ended() -> None:
    game = lawful({BEN: ("cheese, apples", "cheese")}, "apple ban").passes(BEN).enact()
    assert (game.stall(BEN), game.stack(BEN)) == (["cheese"], ["apples"])
    assert "apples" in stack_kinds(game.state, BEN)
    assert "apples" not in stack_kinds(game.state, CAT)
    game.deal(BEN, "pass 2", stack="apples")
    assert game.stack(ANN) == ["apples"]
    assert "apples" in stack_kinds(game.state, ANN), "The set goes along with the hidden card."
    refused(game, game.an_offer(CAT, "pass 3", stack="apples"), "7.5")


def test_r15_4_promises_from_a_stack_are_denied_among_all_that_it_may_hold() -> None:
    game = lawful({BEN: ("cheese, mead", "cheese")}, "apple ban").passes(BEN).enact()
    game.log.clear()
    game.deal(BEN, "pass 2", stack="silk")
    (denial, *_) = game.seen(Proved)
    assert denial.kinds == ("apples", "pepper", "mead", "crossbow")


def test_r15_4_a_banned_good_is_owed_as_contraband_and_stays_face_down() -> None:
    game = lawful({BEN: ("2 bread, cheese", "cheese"), CAT: ("2 silk", "chicken")}, "bread ban").passes(BEN).enact()
    # BEN's stack is CAT's now: somebody must owe it in this round.
    ben = game.state[BEN]
    game.state = game.state.with_player(CAT, stack=ben.stack, unlawful=ben.unlawful).with_player(BEN, stack=())
    game.grant(CAT, gold=0).inspects(CAT)
    game.submit(PayInKind(CAT, (), tuple((handle, "bread") for handle in game.state[CAT].stack)))
    assert game.stack(ANN) == ["bread", "bread"]
    assert "bread" in stack_kinds(game.state, ANN)


def test_r15_4_the_loot_takes_the_set_along_too() -> None:
    game = lawful({CAT: ("cheese, apples, mead", "cheese")}, "apple ban", players=6)
    game.deal(CAT, "pass 2", bag_blind=2)
    assert game.state.loot_unlawful == ("apples",)
    share(game)
    game.next_round()
    assert {game.state[seat].unlawful for seat in (ANN, BEN)} == {("apples",)}


def test_r15_4_at_the_end_it_is_its_legal_good_again() -> None:
    game = lawful({BEN: ("2 apples, cheese", "cheese")}, "apple ban").passes(BEN).enact().in_the_last_round()
    game.next_round()
    score = outcome(game.state).scores[BEN]
    assert [(one.kind, one.count) for one in score.goods] == [("apples", 2), ("cheese", 1)]
    assert (score.legal_cards, score.contraband_cards) == (3, 0)
    assert any(crown.good == "apples" for crown in score.crowns)


def test_r15_4_royal_goods_are_not_touched_and_something_can_always_be_declared() -> None:
    game = lawful({}, "apple ban", "cheese ban", players=3, options=("royal",))
    assert declarable_kinds(game.state) == ("chicken",)
    assert side_of(game.state, "green apples").value == "royal"
    with pytest.raises(BadSetup, match="three legal goods"):
        Setup(3, options=frozenset({"laws"}), short=(("apples", 20), ("cheese", 20), ("silk", 9)))


def test_r15_4_a_banned_good_still_fills_its_order() -> None:
    game = lawful({BEN: ("cheese, apples, silk", "cheese")}, "apple ban", options=("orders",)).lay_orders("apples+silk")
    game.passes(BEN)
    assert game.choices() == {(BEN, Choice.FILL_ORDERS)}


# -- sales, premium, stash


def check_sale(law: str, good: str, value: int) -> None:
    game = at_inspection({}, 4, "laws").enact(law)
    game.grant(ANN, stall=f"5 {good}", gold=50).grant(BEN, stall=f"2 {good}", gold=50).grant(
        CAT, stall=f"2 {good}", gold=50
    )
    game.grant(DAN, gold=50)
    for seat in (BEN, CAT, DAN):
        game.passes(seat)
    counts = [sum(card.kind == good for card in game.state[seat].stall) for seat in (ANN, BEN, CAT, DAN)]
    assert counts == ([5, 2, 2, 1] if good == "apples" else [5, 1, 1, 0])
    assert game.state[BEN].gold == 50 + value
    assert game.state[CAT].gold == 50 + value
    assert game.piles()[0].count(good) == 2
    assert {card.keeper for card in game.state.piles[0] if card.kind == good} == {BEN, CAT}


def test_law_forced_cheese_sale_takes_one_of_those_who_have_most() -> None:
    check_sale("forced cheese sale", "cheese", 3)


def test_law_forced_bread_sale_takes_one_of_those_who_have_most() -> None:
    check_sale("forced bread sale", "bread", 3)


def test_law_forced_chicken_sale_takes_one_of_those_who_have_most() -> None:
    check_sale("forced chicken sale", "chicken", 4)


def test_law_forced_apple_sale_takes_one_of_those_who_have_most() -> None:
    check_sale("forced apple sale", "apples", 2)


def test_law_forced_cheese_sale_needs_a_card_and_goes_onto_the_left_pile() -> None:
    game = at_inspection({}, 4, "laws", edition=FIRST).enact("forced cheese sale").grant(DAN, stall="cheese")
    left, right = game.piles()
    for seat in (BEN, CAT, DAN):
        game.passes(seat)
    assert game.piles() == [[*left, "cheese"], right]
    game = at_inspection({}, 4, "laws").enact("forced cheese sale")
    gold = game.gold()
    for seat in (BEN, CAT, DAN):
        game.passes(seat)
    assert game.gold() == gold


def test_law_smugglers_premium_pays_two_for_every_contraband_card_brought_in() -> None:
    game = lawful({BEN: ("chicken, 2 silk", "chicken"), CAT: ("2 silk", "chicken")}, "smugglers' premium")
    game.deal(BEN, "pass 1", bag="silk").inspects(CAT).passes(DAN)
    assert game.state.round == 2
    assert game.state[BEN].gold == 50 + 4, "Also for the card that was given away."
    assert game.state[CAT].gold == 50 - 8
    assert game.state[DAN].gold == 50


def test_law_smugglers_premium_counts_banned_goods() -> None:
    game = lawful({BEN: ("cheese, bread", "cheese")}, "smugglers' premium", "bread ban")
    for seat in (BEN, CAT, DAN):
        game.passes(seat)
    assert game.state[BEN].gold == 52


def test_law_sheriffs_private_stash_lets_the_sheriff_lay_out_one_legal_card() -> None:
    game = lawful({}, "sheriff's private stash", "apple ban")
    first, second, third = game.hold(ANN, "cheese, apples, silk")
    for seat in (BEN, CAT, DAN):
        game.passes(seat)
    assert game.choices() == {(ANN, Choice.LAY_OUT)}
    assert legal_moves(game.state, ANN) == (
        LayOut(ANN),
        LayOutBounds(ANN, game.state[ANN].hand, ("cheese", "bread", "chicken")),
    )
    refused(game, LayOut(ANN, ((third, "silk"),)), "15.4")
    refused(game, LayOut(ANN, ((second, "apples"),)), "15.4")
    no_move(game, LayOut(ANN, ((first, "cheese"), (second, "cheese"))))
    no_move(game, LayOut(ANN, ((game.state[BEN].hand[0], "cheese"),)))
    refused(game, LayOut(BEN), "15.2")
    with pytest.raises(NotAllowed, match=r"15\.4"):
        check_move(game.view(ANN), LayOut(ANN, ((third, "cheese"),)))
    game.submit(LayOut(ANN, ((first, "cheese"),)))
    assert game.stall(ANN) == ["cheese"]


def test_law_sheriffs_private_stash_is_asked_whatever_the_hand_is_and_may_be_declined() -> None:
    game = lawful({}, "sheriff's private stash")
    game.hold(ANN, "6 silk")
    for seat in (BEN, CAT, DAN):
        game.passes(seat)
    assert game.choices() == {(ANN, Choice.LAY_OUT)}
    game.submit(LayOut(ANN))
    assert game.stall(ANN) == []


def test_law_sheriffs_private_stash_is_for_each_deputy_and_not_for_five_players() -> None:
    game = lawful({}, "sheriff's private stash", players=6)
    share(game)
    assert game.choices() == {(ANN, Choice.LAY_OUT)}
    game.submit(LayOut(ANN))
    assert game.choices() == {(BEN, Choice.LAY_OUT)}
    assert LAWS.keys() - set(cards_of(Setup(5, options=frozenset({"laws"})), Pack.LAWS)) == {"sheriff's private stash"}


def test_r8_1_loot_premium_and_stash_end_the_inspection_and_sales_the_round() -> None:
    game = lawful({CAT: ("chicken, silk", "chicken")}, "smugglers' premium", "sheriff's private stash", players=6)
    game.deal(CAT, "pass 2", gold=10)
    share(game)
    while game.choices() != {(ANN, Choice.LAY_OUT)}:
        game.dull()
    assert game.gold()[:3] == [55, 55, 42], "The Loot is shared, and the premium paid."
    assert game.state.phase is Phase.INSPECT


# -- taxes


def check_tax(law: str, good: str) -> None:
    game = at_load(4, "laws").enact(law)
    for seat in (BEN, CAT, DAN):
        game.load(seat, "bread" if good != "bread" else "cheese")
    game.grant(BEN, gold=50).grant(CAT, gold=1).grant(DAN, gold=50)
    bank = game.state.bank
    other = "cheese" if good != "cheese" else "bread"
    game.submit(Declare(BEN, 1, good), Declare(CAT, 1, good), Declare(DAN, 1, other))
    assert [game.state[seat].gold for seat in (BEN, CAT, DAN)] == [48, 0, 50]
    assert game.state.bank == bank + 3


def test_law_apple_tax_is_paid_by_who_declares_apples() -> None:
    check_tax("apple tax", "apples")


def test_law_cheese_tax_is_paid_by_who_declares_cheese() -> None:
    check_tax("cheese tax", "cheese")


def test_law_bread_tax_is_paid_by_who_declares_bread() -> None:
    check_tax("bread tax", "bread")


def test_law_chicken_tax_is_paid_by_who_declares_chicken() -> None:
    check_tax("chicken tax", "chicken")


# -- fines

LIE = {BEN: ("chicken, cheese, silk", "chicken")}


def test_law_heavy_hand_makes_every_fine_of_a_merchant_one_higher_per_card() -> None:
    assert lawful(LIE, "heavy hand").inspects(BEN).gold() == [50 + 2 + 4 + 2, 42, 50, 50]


def test_law_heavy_hand_does_not_touch_what_the_sheriff_pays() -> None:
    assert lawful({BEN: ("2 chicken", "chicken")}, "heavy hand").inspects(BEN).gold() == [46, 54, 50, 50]


def test_law_light_hand_lets_legal_goods_cost_no_fine() -> None:
    game = lawful(LIE, "light hand").inspects(BEN)
    assert game.gold() == [54, 46, 50, 50]
    assert game.stall(BEN) == ["chicken"], "Confiscated they are all the same."


def test_law_light_hand_does_not_help_a_banned_good() -> None:
    assert lawful(LIE, "light hand", "cheese ban").inspects(BEN).gold() == [56, 44, 50, 50]


def test_r15_5_light_hand_comes_first_then_heavy_hand_on_the_cards_still_fined() -> None:
    assert lawful(LIE, "heavy hand", "light hand").inspects(BEN).gold() == [55, 45, 50, 50]
    assert lawful(LIE, "light hand", "heavy hand").inspects(BEN).gold() == [55, 45, 50, 50]


def test_law_honest_reward_pays_one_per_card_of_a_true_bag_on_top() -> None:
    game = lawful({BEN: ("3 chicken", "chicken"), CAT: ("silk", "chicken")}, "honest reward")
    bank = game.state.bank
    assert game.inspects(BEN).inspects(CAT).passes(DAN).gold() == [50 - 6 + 4, 50 + 6 + 3, 46, 50]
    assert game.state.bank == bank - 3


# -- bounds


def test_law_full_wagons_holds_at_least_three_cards_or_the_whole_hand() -> None:
    game = at_load(4, "laws").enact("full wagons").shorten_hand(CAT, 2)
    assert (bag_limits(game.state, BEN), bag_limits(game.state, CAT)) == ((3, 5), (2, 2))
    with pytest.raises(NotAllowed, match=r"5\.1"):
        check_load(game.view(BEN), game.hold(BEN, "2 apples"))
    check_load(game.view(BEN), game.hold(BEN, "3 apples"))
    game.load(BEN, "3 apples").load(CAT, "2 apples").load(DAN, "3 apples")
    refused(game, Declare(BEN, 2, "apples"), "6.2")


def test_law_small_wagons_holds_at_most_four_cards() -> None:
    game = at_load(4, "laws").enact("small wagons")
    with pytest.raises(NotAllowed, match=r"5\.1"):
        check_load(game.view(BEN), game.hold(BEN, "5 apples"))
    check_load(game.view(BEN), game.hold(BEN, "4 apples"))


def test_law_thin_market_lets_set_aside_at_most_three() -> None:
    game = at_market(4, "laws").until_turn().enact("thin market")
    ((seat, _),) = game.choices()
    refused(game, SetAside(seat, game.state[seat].hand[:4]), "4.2")
    game.submit(SetAside(seat, game.state[seat].hand[:3]))


def test_law_no_coin_forbids_gold_in_deals() -> None:
    game = lawful({BEN: ("chicken, silk", "chicken")}, "no coin").grant(BEN, stall="cheese")
    refused(game, game.an_offer(BEN, "pass 1", gold=1), "15.2")
    refused(game, game.an_offer(ANN, "pass 1", payer=BEN, gold=1), "15.2")
    assert all(move.gold == 0 for move in legal_moves(game.state, BEN) if isinstance(move, OfferBounds))
    game.deal(BEN, "pass 1", stall="cheese")
    assert game.stall(ANN) == ["cheese"]


def test_law_no_coin_stops_an_offer_that_was_made_before() -> None:
    game = lawful({})
    number = game.offer(BEN, "pass 1", gold=5)
    refused(game.enact("no coin"), Accept(ANN, BEN, number), "15.2")


# -- duty and mercy


def test_law_duty_does_not_let_the_last_bag_pass_if_none_was_inspected() -> None:
    game = lawful({}, "duty").passes(BEN).passes(CAT)
    refused(game, Pass(ANN, DAN), "15.6")
    assert Pass(ANN, DAN) not in legal_moves(game.state, ANN)
    game.inspects(DAN)
    lawful({}, "duty").inspects(BEN).passes(CAT).passes(DAN)


def test_law_mercy_does_not_let_the_last_bag_be_inspected_if_none_has_passed() -> None:
    game = lawful({}, "mercy").inspects(BEN).inspects(CAT)
    refused(game, Inspect(ANN, DAN), "15.6")
    assert Inspect(ANN, DAN) not in legal_moves(game.state, ANN)
    game.passes(DAN)
    lawful({}, "mercy").passes(BEN).inspects(CAT).inspects(DAN)


def test_r15_6_a_deal_that_would_break_duty_is_refused_when_it_is_closed() -> None:
    game = lawful({}, "duty").passes(BEN)
    both = game.offer(CAT, "pass 2, pass 3", gold=5)
    one = game.offer(CAT, "pass 2", gold=5)
    refused(game, Accept(ANN, CAT, both), "15.6")
    game.submit(Accept(ANN, CAT, one))
    last = game.offer(DAN, "pass 3", gold=5)
    refused(game, Accept(ANN, DAN, last), "15.6")
    refused(game, Pass(ANN, DAN), "15.6")
    game.deal(DAN, "inspect 3", gold=1)
    assert game.state.round == 2


def test_r15_6_a_time_out_or_the_sheriffs_leaving_lifts_both() -> None:
    game = lawful({}, "duty", options=("timer",))
    game.apply(TimeUp(1, Phase.INSPECT))
    assert game.settle().state.round == 2
    game = lawful({}, "duty").leaves(ANN)
    assert game.state.round == 2


@pytest.mark.parametrize(("laws", "verb"), [(("duty", "mercy"), Verb.INSPECT), (("mercy", "duty"), Verb.PASS)])
def test_r15_6_with_both_and_a_single_bag_slot_1_prevails(laws: tuple[str, ...], verb: Verb) -> None:
    game = lawful({}, *laws, players=5).leaves(CAT).leaves(DAN)
    (bag,) = [seat for seat in game.state.closed_bags if seat != EVE]
    game.state = game.state.with_player(EVE, bag=None)
    assert required_verb(game.state, bag) is verb
    offer = game.an_offer(bag, f"{'pass' if verb is Verb.INSPECT else 'inspect'} {bag}", gold=1)
    game.submit(offer)
    refused(game, Accept(ANN, bag, offer.number), "15.6")
    good = game.an_offer(bag, f"{verb.value} {bag}", gold=1)
    game.submit(good, Accept(ANN, bag, good.number))
    assert game.state.round == 2


def test_r15_6_with_both_and_more_bags_each_gets_its_due() -> None:
    game = lawful({}, "duty", "mercy").passes(BEN).passes(CAT)
    refused(game, Pass(ANN, DAN), "15.6")
    game = lawful({}, "duty", "mercy").inspects(BEN).inspects(CAT)
    refused(game, Inspect(ANN, DAN), "15.6")


def test_r15_6_no_deputy_may_say_what_would_break_one() -> None:
    game = lawful({}, "duty", players=6)
    for bag in (CAT, DAN, EVE):
        game.together(bag, Verb.PASS)
    refused(game, Stance(ANN, FAY, Verb.PASS), "15.6")
    game.together(FAY, Verb.INSPECT)
    game = lawful({}, "duty", players=6)
    game.submit(Stance(ANN, FAY, Verb.PASS))
    for bag in (CAT, DAN, EVE):
        game.together(bag, Verb.PASS)
    refused(game, Stance(BEN, FAY, Verb.PASS), "15.6")
    assert not [move for move in legal_moves(game.state, ANN) if getattr(move, "verb", None) is Verb.PASS]
    game.submit(Stance(ANN, FAY, Verb.INSPECT))


def test_r10_7_any_inspection_of_the_round_counts_alone_or_together() -> None:
    game = lawful({}, "duty", players=6)
    game.submit(Stance(ANN, CAT, Verb.INSPECT), Stance(BEN, CAT, Verb.PASS))
    game.submit(Apart(ANN, CAT))
    game.submit(Inspect(ANN, CAT))
    for bag in (DAN, EVE, FAY):
        game.together(bag, Verb.PASS)


# -- toll


def test_law_toll_is_paid_to_the_sheriff_after_the_bribe_by_who_has_gold() -> None:
    game = lawful({}, "toll").grant(BEN, gold=5)
    game.deal(BEN, "pass 1", gold=5)
    assert game.gold()[:2] == [55, 0], "Nothing is left for the toll."
    game.passes(CAT).inspects(DAN)
    assert game.state[CAT].gold == 49


def test_r10_7_the_toll_goes_onto_the_loot() -> None:
    game = lawful({}, "toll", players=6).together(CAT, Verb.PASS)
    assert (game.state.loot.gold, game.state[CAT].gold) == (1, 49)


def test_law_toll_lapses_if_nobody_is_in_office() -> None:
    game = lawful({}, "toll").leaves(ANN)
    assert [game.state[seat].gold for seat in (BEN, CAT, DAN)] == [50, 50, 50]


def test_r15_6_the_loot_of_a_ban_is_handed_over_blind_as_contraband() -> None:
    game = patrol({CAT: ("cheese, 2 apples", "cheese")}, "laws").enact("apple ban")
    game.deal(CAT, "pass 2", bag_blind=1)
    game.submit(HandOver(CAT, game.state.bag_of(CAT).handles[:1]))
    assert len(game.state.loot.face_down) == 1
    assert game.stack(CAT) == ["apples"]
