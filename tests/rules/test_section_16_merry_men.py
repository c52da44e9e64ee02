import pytest

from p2p_sheriff.rules import (
    Choice,
    Edition,
    Handle,
    Kind,
    NotAllowed,
    Pack,
    Phase,
    Seat,
    Zone,
    check_load,
    check_move,
    demands,
    legal_moves,
)
from p2p_sheriff.rules.bounds import DiscardBounds, LoadBounds
from p2p_sheriff.rules.demands import DealOut, Draw
from p2p_sheriff.rules.facts import (
    DealtOut,
    Looked,
    Opened,
    PackRedealt,
    Rearranged,
    TimeUp,
    Unveiled,
    WentOnTop,
    WentUnder,
)
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.moves import Discard, FillOrders, KeepMan, LayLaws, LayOut, Pass, Reorder, Trade, UseMan, Verb
from p2p_sheriff.rules.scoring import outcome
from tests.rules import rulebook
from tests.rules.notation import ANN, BEN, CAT, DAN, EVE, FAY, FIRST, SECOND
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import Bags, at_load, at_market, share


def band(
    man: str,
    bag: tuple[str, Kind] = ("chicken", "chicken"),
    others: Bags | None = None,
    *options: str,
    players: int = 4,
    edition: Edition = SECOND,
    owner: Seat = BEN,
) -> Scenario:
    """A merry man is in the bag of BEN, or of somebody else; all bags lie before the sheriff."""
    game = at_load(players, "merry-men", *options, edition=edition)
    for seat in game.state.merchants:
        if seat == owner:
            game.load(seat, *bag, man=man)
        else:
            game.load(seat, *(others or {}).get(seat, ("chicken", "chicken")))
    game.until(Phase.INSPECT)
    for seat in game.state.seats:
        game.grant(seat, gold=50)
    return game


def claims(game: Scenario, *handles: Handle) -> tuple[tuple[Handle, Kind], ...]:
    return tuple((handle, game.kinds[handle]) for handle in handles)


def passed(game: Scenario, seat: Seat = BEN) -> Scenario:
    """Let the bag pass up to the question what the merry man does."""
    game.passes(seat)
    assert game.choices() == {(seat, Choice.SEND)}
    return game


def sent(game: Scenario, send: UseMan) -> Scenario:
    """Send him, and see him go under the deck."""
    return game.submit(send)


# -- in front of their owners


def test_r16_1_everyone_is_dealt_two_keeps_one_and_puts_the_other_under_the_deck() -> None:
    game = Scenario(4, "merry-men").settle()
    assert game.choices() == {(seat, Choice.KEEP_MAN) for seat in (ANN, BEN, CAT, DAN)}
    kept = {seat: game.state[seat].men[1] for seat in game.state.seats}
    names = [game.kinds[game.state[seat].men[0]] for seat in game.state.seats]
    no_move(game, KeepMan(ANN, kept[BEN]))
    for seat in (CAT, ANN, DAN, BEN):
        game.submit(KeepMan(seat, kept[seat]))
    refused(game, KeepMan(ANN, kept[ANN]), "16.1")
    assert {seat: game.state[seat].men for seat in game.state.seats} == {seat: (man,) for seat, man in kept.items()}
    assert game.state.left_in(Pack.MERRY_MEN) == 14
    assert game.packs[Pack.MERRY_MEN][-4:] == names
    assert game.choices() == {(ANN, Choice.NAME_FIRST)}


def test_r16_1_what_was_dealt_is_rearranged_before_one_is_chosen() -> None:
    game = Scenario(4, "merry-men").settle()
    dealt = {handle for fact in game.seen(DealtOut) for handle in fact.handles}
    assert not dealt & {handle for seat in game.state.seats for handle in game.state[seat].men}
    assert {fact.seat for fact in game.seen(Rearranged) if fact.zone is Zone.MEN} == set(game.state.seats)


def test_r16_1_only_the_owner_knows_who_it_is() -> None:
    game = at_market(4, "merry-men")
    assert game.view(ANN).man == game.kinds[game.state[ANN].men[0]]
    assert not set(game.state[ANN].men) & game.knowledge(BEN).kinds.keys()
    assert not set(game.state[ANN].men) & game.state.kinds.keys()


def test_r16_1_only_what_is_demanded_is_a_fact() -> None:
    game = Scenario(4, "merry-men")
    while not isinstance(demand := demands(game.state)[0], DealOut):
        game.settle_next(1)
    new = Handle(game.state.next_handle)
    no_move(game, DealtOut(Pack.MERRY_MEN, (demand.seats[0],), (new,)))
    no_move(game, DealtOut(Pack.MERRY_MEN, (Seat(3),), (new, Handle(new + 1))))
    game.settle()
    no_move(game, WentUnder(Pack.MERRY_MEN, (ANN,), game.state[ANN].men[:1]))
    no_move(game, Unveiled(Pack.MERRY_MEN, (ANN,), ((game.state[ANN].men[0], "Robin Hood"),)))
    no_move(game, Looked(ANN, BEN, game.state[BEN].hand[0]))
    no_move(game, WentOnTop(ANN, ()))


# -- in a bag


def test_r16_2_he_counts_as_one_card_and_needs_a_good_beside_him() -> None:
    game = at_load(4, "merry-men")
    (man,), hand = game.state[BEN].men, game.hold(BEN, "5 apples")
    with pytest.raises(NotAllowed, match=r"16\.2"):
        check_load(game.view(BEN), (man,))
    with pytest.raises(NotAllowed, match=r"5\.1"):
        check_load(game.view(BEN), (*hand, man))
    check_load(game.view(BEN), (*hand[:4], man))
    (bounds,) = (move for move in legal_moves(game.state, BEN) if isinstance(move, LoadBounds))
    assert bounds.man == man
    game.shorten_hand(BEN, 1)
    check_load(game.view(BEN), (*game.state[BEN].hand, man))


def test_r16_2_nobody_sees_that_he_is_in_a_closed_bag() -> None:
    inside, outside = band("Robin Hood", ("chicken", "chicken")), at_load(4, "merry-men")
    assert inside.state[BEN].men
    assert inside.state.bag_of(BEN).man is None
    assert inside.state.bag_of(BEN).count == 2, "He counts for the number declared."
    assert outside.state[BEN].men
    assert [card.kind for card in inside.view(BEN).bag] == ["chicken"]


def test_r16_2_a_bag_that_opens_to_him_alone_proves_a_cheat() -> None:
    game = band("Robin Hood")
    man = game.state[BEN].men
    game.state = game.state.with_bag(BEN, count=1)
    game.apply(Pass(ANN, BEN))
    refused(game, Opened(BEN, man), "16.2", cheating=True)


def test_r16_2_he_is_no_part_of_the_hand_and_unscored() -> None:
    game = at_market(4, "merry-men")
    assert len(game.state[BEN].hand) == 6
    game.until(Phase.INSPECT).in_the_last_round().next_round()
    assert {score.modules for score in outcome(game.state).scores} == {()}


def test_r16_3_he_is_shown_the_bank_pays_and_his_owner_draws_anew() -> None:
    game = band("Robin Hood")
    bank, man = game.state.bank, game.state[BEN].men[0]
    game.log.clear()
    passed(game)
    assert game.seen(Unveiled) == [Unveiled(Pack.MERRY_MEN, (BEN,), ((man, "Robin Hood"),))]
    assert game.state.bank == bank - 10
    game.submit(UseMan(BEN, use=False))
    assert game.seen(WentUnder) == [WentUnder(Pack.MERRY_MEN, (BEN,), (man,))]
    assert game.choices() == {(BEN, Choice.KEEP_MAN)}
    game.submit(KeepMan(BEN, game.state[BEN].men[0]))
    assert len(game.state[BEN].men) == 1
    assert game.state.left_in(Pack.MERRY_MEN) == 14
    assert game.choices() == {(ANN, Choice.ACT)}


def test_r16_3_an_effect_may_be_waived_only_as_a_whole() -> None:
    game = passed(band("Robin Hood"))
    refused(game, UseMan(BEN, who=(ANN,), gold=()), "16.3")
    refused(game, UseMan(BEN, who=(ANN, CAT), gold=(2,)), "16.3")
    refused(game, UseMan(CAT, use=False), "16.3")
    assert sent(game, UseMan(BEN, use=False)).gold() == [50, 60, 50, 50]
    refused(game, UseMan(BEN), "16.3")


def test_r16_3_without_a_choice_nobody_is_asked() -> None:
    game = band("Wat the tinker").passes(BEN)
    assert game.choices() == {(BEN, Choice.KEEP_MAN)}, "Nothing was confiscated."


def test_r16_3_a_bag_that_passes_by_time_out_or_without_a_sheriff_brings_him_in() -> None:
    game = band("Robin Hood", ("chicken", "chicken"), {}, "timer")
    game.apply(TimeUp(1, Phase.INSPECT))
    assert game.settle().choices() == {(BEN, Choice.SEND)}
    game = band("Robin Hood").leaves(ANN)
    assert game.choices() == {(BEN, Choice.KEEP_MAN)}, "There is no sheriff to take from."


def test_r16_4_found_he_makes_the_declaration_a_lie_and_costs_his_fine() -> None:
    game = band("Robin Hood", ("2 chicken", "chicken")).inspects(BEN)
    assert game.gold() == [58, 42, 50, 50]
    assert game.stall(BEN) == ["chicken", "chicken"]
    assert game.state[BEN].men == ()
    assert game.packs[Pack.MERRY_MEN][-1] == "Robin Hood"
    assert game.state.left_in(Pack.MERRY_MEN) == 15


def test_r16_4_his_fine_comes_on_top_of_the_others() -> None:
    game = band("Gandelyn", ("chicken, silk", "chicken")).inspects(BEN)
    assert game.gold() == [58, 42, 50, 50]


def test_r16_4_who_lost_him_draws_one_when_contraband_passes_in_a_later_round() -> None:
    game = band("Gandelyn").inspects(BEN).next_round()
    assert game.state.lead == BEN
    game.next_round().until(Phase.LOAD)
    game.load(BEN, "chicken, silk", "chicken").until(Phase.INSPECT)
    game.log.clear()
    game.passes(BEN)
    assert [len(fact.handles) for fact in game.seen(DealtOut)] == [1]
    assert len(game.state[BEN].men) == 1
    assert game.choices() == {(CAT, Choice.ACT)}


def test_r16_4_not_for_a_bag_without_contraband() -> None:
    game = band("Gandelyn").inspects(BEN).next_round().next_round().until(Phase.LOAD)
    game.load(BEN, "2 chicken", "chicken").until(Phase.INSPECT).passes(BEN)
    assert game.state[BEN].men == ()


def test_r16_4_not_in_the_same_round() -> None:
    game = band("Gandelyn", ("chicken, silk", "chicken"))
    game.state = game.state.with_player(CAT, lost_man=1, men=())
    game.state = game.state.with_bag(CAT, smuggled=0)
    game.bags[CAT] = game.state[CAT].hand[:1]
    game.kinds[game.bags[CAT][0]] = "silk"
    game.passes(CAT)
    assert game.state[CAT].men == ()


def test_r15_5_heavy_hand_weighs_on_him_too_and_the_widows_son_comes_last() -> None:
    game = band("Gandelyn", ("chicken, cheese, silk", "chicken"), {}, "laws").enact("heavy hand", "light hand")
    game.state = game.state.with_player(BEN, halves=True)
    game.inspects(BEN)
    assert game.gold()[:2] == [55, 45], "5 for the silk, 5 for him, halved."


def test_r16_5_never_more_than_one_at_a_time() -> None:
    game = passed(band("Robin Hood")).submit(UseMan(BEN, use=False))
    while game.choices() != {(ANN, Choice.ACT)}:
        game.dull()
    assert all(len(game.state[seat].men) == 1 for seat in game.state.seats)


def test_r16_5_who_has_one_draws_none_when_contraband_passes() -> None:
    game = band("Robin Hood", others={CAT: ("chicken, silk", "chicken")})
    before = game.state[CAT].men
    assert game.passes(CAT).state[CAT].men == before


def test_r16_6_the_table_has_the_18_merry_men_of_the_rules() -> None:
    written = {row[0].rstrip("*"): row[1:3] for row in rulebook.table(16)}
    assert {name: [str(man.value), str(man.fine)] for name, man in MEN.items()} == {
        name: [figure.rstrip("*") for figure in figures] for name, figures in written.items()
    }


def test_r16_7_the_merry_man_of_somebody_who_leaves_goes_back_into_his_deck() -> None:
    game = at_market(4, "merry-men").leaves(CAT)
    assert game.state.left_in(Pack.MERRY_MEN) == 15
    assert PackRedealt(Pack.MERRY_MEN, 15) in game.seen(PackRedealt)
    game = passed(band("Robin Hood")).leaves(BEN)
    assert game.state.left_in(Pack.MERRY_MEN) == 15, "The one who was on his errand, too."


def test_r14_3_toll_merry_man_and_black_market_come_in_this_order() -> None:
    game = band("Gandelyn", ("chicken, silk", "chicken"), {}, "laws", "orders", "black-market").enact("toll")
    game.lay_orders("chicken+silk").grant(BEN, stack="3 silk").passes(BEN)
    assert game.choices() == {(BEN, Choice.FILL_ORDERS)}
    game.submit(FillOrders(BEN))
    assert game.choices() == {(BEN, Choice.SEND)}
    assert game.state[BEN].gold == 50 - 1 + 5
    game.submit(UseMan(BEN, use=False)).dull()
    assert game.choices() == {(BEN, Choice.TRADE)}
    game.submit(Trade(BEN))


# -- every one of them


def test_merry_man_robin_hood_known_answer() -> None:
    game = sent(passed(band("Robin Hood")), UseMan(BEN, who=(ANN, CAT, DAN), gold=(2, 1)))
    assert game.gold() == [44, 63, 52, 51]


def test_merry_man_robin_hood_keeps_the_first_three_of_less() -> None:
    game = passed(band("Robin Hood").grant(ANN, gold=4))
    assert sent(game, UseMan(BEN, who=(ANN, DAN), gold=(1,))).gold() == [0, 63, 50, 51]
    game = passed(band("Robin Hood").grant(ANN, gold=2))
    assert sent(game, UseMan(BEN, who=(ANN,))).gold() == [0, 62, 50, 50]


def test_merry_man_robin_hood_takes_from_one_deputy_and_gives_to_neither() -> None:
    game = band("Robin Hood", players=6, owner=CAT).together(CAT, Verb.PASS)
    moves = [move for move in legal_moves(game.state, CAT) if isinstance(move, UseMan) and move.use]
    assert {move.who[0] for move in moves} == {ANN, BEN}
    assert {seat for move in moves for seat in move.who[1:]} == {DAN, EVE, FAY}
    game.submit(UseMan(CAT, who=(BEN, FAY), gold=(3,)))
    assert game.gold()[:6] == [50, 44, 63, 50, 50, 53]


def test_merry_man_little_john_takes_four_and_pays_two_to_a_merchant() -> None:
    game = passed(band("Little John"))
    refused(game, UseMan(BEN, who=(CAT, ANN)), "16.3")
    refused(game, UseMan(BEN, who=(BEN, CAT)), "16.3")
    assert sent(game, UseMan(BEN, who=(ANN, CAT))).gold() == [46, 50 + 8 + 4 - 2, 52, 50]


def test_merry_man_little_john_pays_even_if_he_takes_nothing() -> None:
    game = passed(band("Little John"))
    refused(game, UseMan(BEN, use=False), "16.3")
    assert sent(game, UseMan(BEN, use=False, who=(DAN,))).gold() == [50, 56, 50, 52]


def test_merry_man_david_of_doncaster_refills_the_hand_and_swaps_two_cards() -> None:
    game = band("David of Doncaster", ("2 chicken", "chicken")).lay_piles("silk, mead, cheese")
    passed(game).submit(UseMan(BEN))
    assert len(game.state[BEN].hand) == 6
    assert game.choices() == {(BEN, Choice.DISCARD)}
    silk, mead, cheese = (card.handle for card in game.state.piles[0])
    one, other = game.hold(BEN, "apples, bread")
    assert legal_moves(game.state, BEN)[0] == DiscardBounds(BEN, game.state[BEN].hand, 2, (silk, mead, cheese))
    refused(game, Discard(BEN, claims(game, one), (silk,)), "16.3")
    no_move(game, Discard(BEN, claims(game, one, one), (silk, mead)))
    no_move(game, Discard(BEN, claims(game, one, other), (silk, one)))
    game.submit(Discard(BEN, claims(game, one, other), (silk, mead)))
    assert game.piles() == [["cheese", "apples", "bread"]]
    assert {"silk", "mead"} <= {game.kinds[handle] for handle in game.state[BEN].hand}
    assert len(game.state[BEN].hand) == 6
    assert not {silk, mead} & set(game.state[BEN].hand), "The hand was rearranged."


def test_merry_man_david_of_doncaster_swaps_fewer_if_fewer_lie_there_or_none() -> None:
    game = band("David of Doncaster").lay_piles("silk")
    passed(game).submit(UseMan(BEN))
    (one,) = game.hold(BEN, "apples")
    (silk,) = (card.handle for card in game.state.piles[0])
    game.submit(Discard(BEN, claims(game, one), (silk,)))
    assert game.piles() == [["apples"]]
    game = band("David of Doncaster").lay_piles("silk")
    passed(game).submit(UseMan(BEN), Discard(BEN))
    assert game.piles() == [["silk"]]


def test_merry_man_will_scarlet_looks_at_a_face_down_card() -> None:
    game = band("Will Scarlet").grant(CAT, stack="silk, mead")
    before = game.state[CAT].stack
    game.log.clear()
    passed(game).submit(UseMan(BEN, who=(CAT,), cards=before[:1]))
    assert game.seen(Looked) == [Looked(BEN, CAT, before[0])]
    assert not set(before) & set(game.state[CAT].stack), "The stack is rearranged."
    assert game.stack(CAT) == ["mead", "silk"]


def test_merry_man_will_scarlet_has_nothing_to_look_at_on_empty_stalls() -> None:
    assert band("Will Scarlet").passes(BEN).choices() == {(BEN, Choice.KEEP_MAN)}


def test_merry_man_maid_marian_takes_a_face_up_good_of_the_sheriff() -> None:
    game = band("Maid Marian", ("chicken", "chicken"), {}, "black-market")
    game.grant(ANN, stall="2 cheese", prizes="silk 34").grant(CAT, stall="bread")
    passed(game)
    refused(game, UseMan(BEN, who=(CAT,), goods=("bread",)), "16.3")
    refused(game, UseMan(BEN, who=(ANN,), goods=("silk 34",)), "16.3")
    sent(game, UseMan(BEN, who=(ANN,), goods=("cheese",)))
    assert (game.stall(ANN), game.stall(BEN)) == (["cheese"], ["cheese", "chicken"])


def test_merry_man_friar_tuck_puts_a_legal_card_onto_the_stall() -> None:
    game = band("Friar Tuck", ("chicken", "chicken"), {}, "laws").enact("bread ban").passes(BEN)
    assert game.choices() == {(BEN, Choice.LAY_OUT)}
    cheese, silk, bread = game.hold(BEN, "cheese, silk, bread")
    refused(game, LayOut(BEN, ((silk, "silk"),)), "15.4")
    refused(game, LayOut(BEN, ((bread, "bread"),)), "15.4")
    game.submit(LayOut(BEN, ((cheese, "cheese"),)))
    assert game.stall(BEN) == ["cheese", "chicken"]


def test_merry_man_alan_a_dale_is_paid_by_others_whose_bags_have_passed() -> None:
    game = band("Alan-a-Dale", others={DAN: ("silk", "chicken")}).passes(CAT).inspects(DAN)
    assert sent(passed(game), UseMan(BEN)).gold() == [54, 57, 49, 46]


def test_merry_man_much_the_millers_son_draws_two_and_discards_two() -> None:
    game = band("Much the miller's son", ("2 chicken", "chicken"))
    game.deck = ["silk", "mead"]
    passed(game).submit(UseMan(BEN))
    assert len(game.state[BEN].hand) == 4 + 2
    first, second, third = game.hold(BEN, "apples, bread, cheese")
    refused(game, Discard(BEN, claims(game, first)), "16.3")
    refused(game, Discard(BEN), "16.3")
    game.submit(Discard(BEN, claims(game, first, third)))
    assert game.piles()[0][-2:] == ["apples", "cheese"]
    assert second in game.state[BEN].hand
    assert len(game.state[BEN].hand) == 4


def test_merry_man_gilbert_whitehand_swaps_goods_of_equal_value() -> None:
    game = band("Gilbert Whitehand", ("cheese", "cheese")).grant(CAT, stall="bread, apples")
    passed(game)
    refused(game, UseMan(BEN, who=(CAT,), goods=("cheese", "apples")), "16.3")
    sent(game, UseMan(BEN, who=(CAT,), goods=("cheese", "bread")))
    assert (game.stall(BEN), game.stall(CAT)) == (["bread"], ["apples", "cheese"])


@pytest.mark.parametrize("edition", Edition)
def test_merry_man_will_stutely_takes_the_top_of_a_pile_and_discards_one(edition: Edition) -> None:
    piles = ("silk, mead", "pepper") if edition is FIRST else ("silk, mead",)
    game = band("Will Stutely", edition=edition).lay_piles(*piles)
    silk, mead = (card.handle for card in game.state.piles[0])
    passed(game)
    refused(game, UseMan(BEN, cards=(silk,)), "16.3")
    game.submit(UseMan(BEN, cards=(mead,)))
    (one,) = game.hold(BEN, "bread")
    game.submit(Discard(BEN, claims(game, one)))
    assert game.piles()[0] == ["silk", "bread"], "Onto the left one."


def test_merry_man_arthur_a_bland_is_paid_for_contraband_of_this_bag() -> None:
    game = band("Arthur a Bland", ("chicken, 2 silk", "chicken"))
    game.offer(BEN, "pass 1", bag="silk")
    passed(game).submit(UseMan(BEN))
    assert game.state[BEN].gold == 50 + 6 + 4, "Also for what was given away."


def test_merry_man_richard_at_the_lee_makes_the_sheriff_pay_everyone_who_has_passed() -> None:
    game = band("Richard at the Lee").passes(DAN)
    assert sent(passed(game), UseMan(BEN, who=(ANN,))).gold() == [46, 61, 50, 52]
    game = band("Richard at the Lee").passes(DAN).grant(ANN, gold=3)
    assert sent(passed(game), UseMan(BEN, who=(ANN,))).gold() == [0, 61, 50, 51]


def test_r7_16_an_errand_takes_the_gold_there_is_and_no_goods() -> None:
    game = passed(band("Richard at the Lee").passes(DAN).grant(ANN, gold=1, stall="cheese"))
    sent(game, UseMan(BEN, who=(ANN,)))
    assert (game.gold()[0], sum(game.gold()), game.stall(ANN)) == (0, 50 * 3 + 1 + 9, ["cheese"])


def test_merry_man_richard_at_the_lee_does_not_count_a_bag_that_is_still_closed() -> None:
    game = band("Richard at the Lee").deal(BEN, "pass 1, pass 2", gold=0)
    assert game.choices() == {(BEN, Choice.SEND)}
    assert game.submit(UseMan(BEN, who=(ANN,))).state[CAT].gold == 50


@pytest.mark.parametrize(("kind", "up", "down"), [("cheese", ["cheese"], []), ("silk", [], ["silk"])])
def test_merry_man_wat_the_tinker_takes_a_confiscated_card(kind: Kind, up: list[Kind], down: list[Kind]) -> None:
    game = band("Wat the tinker", others={CAT: (f"chicken, {kind}", "chicken")}).lay_piles("mead").inspects(CAT)
    old, new = (card.handle for card in game.state.piles[0])
    passed(game)
    refused(game, UseMan(BEN, cards=(old,)), "16.3")
    game.submit(UseMan(BEN, cards=(new,)))
    assert game.piles() == [["mead"]]
    assert (game.stall(BEN), game.stack(BEN)) == (sorted(["chicken", *up]), down)


def test_merry_man_wat_the_tinker_takes_a_banned_good_face_down() -> None:
    game = band("Wat the tinker", ("chicken", "chicken"), {CAT: ("chicken, bread", "chicken")}, "laws")
    game.enact("bread ban").inspects(CAT)
    passed(game).submit(UseMan(BEN, cards=(game.state.piles[0][-1].handle,)))
    assert game.stack(BEN) == ["bread"]
    assert game.state[BEN].unlawful == ("bread",)


def test_merry_man_gandelyn_looks_at_three_cards_and_puts_them_back_in_his_order() -> None:
    game = band("Gandelyn")
    game.deck = ["silk", "mead", "pepper", "cheese"]
    deck = game.state.deck
    passed(game).submit(UseMan(BEN))
    assert game.choices() == {(BEN, Choice.REORDER)}
    assert [fact.zone for fact in game.seen(Rearranged)][-1] is Zone.PEEKED
    peeked = {game.kinds[handle]: handle for handle in game.state[BEN].peeked}
    assert peeked.keys() == {"silk", "mead", "pepper"}
    assert set(peeked.values()) <= game.knowledge(BEN).kinds.keys()
    assert not set(peeked.values()) & game.knowledge(CAT).kinds.keys()
    assert game.state.deck == deck - 3
    no_move(game, Reorder(BEN, (peeked["silk"], peeked["mead"])))
    refused(game, Reorder(CAT, ()), "16.3")
    game.submit(Reorder(BEN, (peeked["pepper"], peeked["silk"], peeked["mead"])))
    assert game.deck == ["pepper", "silk", "mead", "cheese"]
    assert (game.state.deck, game.state[BEN].peeked) == (deck, ())


def test_merry_man_gandelyn_does_not_reshuffle_for_a_look() -> None:
    game = band("Gandelyn").lay_piles("silk")
    game.state = game.state.but(deck=0)
    assert game.passes(BEN).choices() == {(BEN, Choice.KEEP_MAN)}
    game = band("Gandelyn")
    game.state = game.state.but(deck=2)
    game.apply(Pass(ANN, BEN))
    game.settle()
    game.apply(UseMan(BEN))
    assert demands(game.state) == (Draw(BEN, 2),)


def test_r19_3_cards_that_are_looked_at_go_back_with_who_leaves() -> None:
    game = band("Gandelyn")
    before = game.state.deck + len(game.state[BEN].hand)
    passed(game).submit(UseMan(BEN)).leaves(BEN)
    assert game.state.deck == before


def test_merry_man_reynold_greenleaf_is_paid_by_everybody_richer() -> None:
    game = band("Reynold Greenleaf").grant(BEN, gold=44).grant(CAT, gold=51).grant(DAN, gold=54)
    assert sent(passed(game), UseMan(BEN)).gold() == [50, 54, 49, 52]


def test_r16_7_all_are_compared_before_anybody_pays_reynold() -> None:
    game = band("Reynold Greenleaf").grant(BEN, gold=44).grant(CAT, gold=51).grant(DAN, gold=51)
    ann, _, cat, dan = sent(passed(game), UseMan(BEN)).gold()
    assert ann == 50
    assert cat == dan < 51, "Of what CAT has paid BEN is not richer than DAN."


def test_merry_man_young_gamwell_names_a_good_that_others_have() -> None:
    game = band("Young Gamwell").grant(ANN, stall="cheese").grant(CAT, stall="2 cheese").grant(DAN, stack="silk")
    passed(game)
    refused(game, UseMan(BEN, goods=("bread",)), "16.3")
    assert sent(game, UseMan(BEN, goods=("cheese",))).gold() == [49, 59, 49, 50]


def test_merry_man_roger_the_cook_sells_up_to_two_goods_at_twice_their_value() -> None:
    game = band("Roger the cook").grant(BEN, stall="cheese")
    bank = game.state.bank
    passed(game)
    refused(game, UseMan(BEN, goods=("cheese", "cheese")), "16.3")
    sent(game, UseMan(BEN, goods=("cheese", "chicken")))
    assert game.state[BEN].gold == 50 + 5 + 6 + 8
    assert game.state.bank == bank - 19
    assert game.piles()[0][-2:] == ["cheese", "chicken"]
    assert game.stall(BEN) == []


def test_merry_man_the_widows_son_halves_the_next_fine_rounded_up() -> None:
    game = sent(passed(band("the widow's son")), UseMan(BEN))
    assert game.state[BEN].halves
    game.state = game.state.with_player(BEN, halves=False).with_player(CAT, halves=True)
    game.bags[CAT] = game.state[CAT].hand[:1]
    game.kinds[game.bags[CAT][0]] = "bread"
    game.dull()
    game.enact("heavy hand").inspects(CAT)
    assert game.state[CAT].gold == 48, "Three are two."
    assert not game.state[CAT].halves


def test_merry_man_the_widows_son_halves_what_a_sheriff_pays_too() -> None:
    game = band("Gandelyn", others={CAT: ("3 chicken", "chicken")})
    game.state = game.state.with_player(ANN, halves=True)
    game.inspects(CAT)
    assert game.gold() == [47, 50, 53, 50]
    assert not game.state[ANN].halves


def test_merry_man_maid_marian_picks_one_deputy() -> None:
    game = band("Maid Marian", players=6, owner=CAT).grant(BEN, stall="bread").together(CAT, Verb.PASS)
    game.submit(UseMan(CAT, who=(BEN,), goods=("bread",)))
    assert game.stall(CAT) == ["bread", "chicken"]


def test_r10_7_where_he_says_sheriff_his_owner_picks_one_deputy() -> None:
    game = band("Richard at the Lee", players=6, owner=CAT).together(CAT, Verb.PASS)
    moves = [move for move in legal_moves(game.state, CAT) if isinstance(move, UseMan) and move.use]
    assert moves == [UseMan(CAT, who=(ANN,)), UseMan(CAT, who=(BEN,))]
    game.submit(moves[1])
    assert game.gold()[:3] == [50, 48, 61]
    while game.choices() != {(ANN, Choice.ACT), (BEN, Choice.ACT)}:
        game.dull()
    share(game)


def test_r16_3_the_own_node_refuses_to_discard_what_is_not_there() -> None:
    game = passed(band("Much the miller's son")).submit(UseMan(BEN))
    first, second = game.hold(BEN, "apples, bread")
    with pytest.raises(NotAllowed, match=r"16\.3"):
        check_move(game.view(BEN), Discard(BEN, ((first, "silk"), (second, "bread"))))
    refused(game, Discard(CAT), "16.3")


def test_r16_1_laws_and_men_are_drawn_in_their_own_time() -> None:
    game = Scenario(4, "merry-men", "laws").settle()
    refused(game, LayLaws(ANN, ()), "15.1")
    assert {choice for _, choice in game.choices()} == {Choice.KEEP_MAN}
