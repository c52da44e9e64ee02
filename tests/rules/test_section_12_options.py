import pytest

from p2p_sheriff.rules import BadSetup, Good, Kind, Phase, Setup, Side, extra_goods, legal_moves, may_time_out
from p2p_sheriff.rules.bounds import LoadBounds, SetAsideBounds
from p2p_sheriff.rules.facts import Opened, TimeUp
from p2p_sheriff.rules.law import is_contraband, may_be_declared
from p2p_sheriff.rules.moves import Declare, Inspect, NameFirst, SetAside
from p2p_sheriff.rules.scoring import crown_counts
from p2p_sheriff.session.terms import setup_from_value, setup_to_value
from protocol.errors import MalformedError
from tests.rules.notation import ANN, BEN, CAT, DAN, EVE, FAY, names
from tests.rules.refusing import no_move, refused
from tests.rules.situations import at_declare, at_inspection, at_load, at_market

ROYAL = ("green apples", "golden apples", "gouda", "blue cheese", "rye bread", "pumpernickel", "royal rooster")


# -- 12.1: royal goods


@pytest.mark.parametrize("kind", ROYAL)
def test_r12_1_royal_goods_are_contraband_when_a_bag_passes(kind: Kind) -> None:
    game = at_inspection({BEN: (kind, "apples")}, 4, "royal")
    assert is_contraband(game.state, kind)
    game.passes(BEN)
    assert game.stack(BEN) == [kind]
    assert game.stall(BEN) == []


def test_r12_1_royal_goods_are_confiscated_even_if_the_good_that_they_count_for_was_declared() -> None:
    game = at_inspection({BEN: ("cheese, gouda", "cheese")}, 4, "royal").inspects(BEN)
    assert game.stall(BEN) == ["cheese"]
    assert names(game.state.piles[0]) == ["gouda"]


def test_r12_1_royal_goods_are_given_by_kind_or_blind_like_other_contraband() -> None:
    game = at_inspection({}, 4, "royal").grant(BEN, stack="gouda")
    game.deal(BEN, "pass 1", stack="gouda")
    assert game.stack(ANN) == ["gouda"]


def test_r12_1_without_the_option_no_royal_good_is_in_the_game() -> None:
    assert not set(ROYAL) & Setup(4).table.keys()
    assert set(ROYAL) < Setup(4, options=frozenset({"royal"})).table.keys()


# -- 12.2: the inspection timer


def test_r12_2_when_time_is_up_all_bags_left_pass_from_the_sheriffs_left_without_bribes() -> None:
    game = at_inspection({BEN: ("silk", "apples"), DAN: ("mead", "apples")}, 4, "timer", sheriff=CAT)
    game.offer(BEN, "pass 1", gold=20)
    game.log.clear()
    game.apply(TimeUp(1, Phase.INSPECT))
    game.settle()
    assert [opened.seat for opened in game.seen(Opened)] == [DAN, ANN, BEN]
    assert game.gold() == [50, 50, 50, 50]
    assert game.stack(BEN) == ["silk"]
    assert game.state.round == 2


def test_r12_2_what_the_sheriff_did_before_counts() -> None:
    game = at_inspection({BEN: ("silk", "apples"), CAT: ("mead", "apples")}, 4, "timer").inspects(BEN)
    game.deal(CAT, "pass 2", gold=5)
    game.apply(TimeUp(1, Phase.INSPECT))
    game.settle()
    assert game.gold() == [59, 46, 45, 50]
    assert game.stall(DAN) == ["apples"]


def test_r12_2_what_is_under_way_is_carried_to_its_end() -> None:
    game = at_inspection({BEN: ("silk", "apples")}, 4, "timer")
    game.apply(Inspect(ANN, BEN))
    game.apply(TimeUp(1, Phase.INSPECT))
    game.settle()
    assert game.gold() == [54, 46, 50, 50]
    assert game.state.round == 2


def test_r12_2_with_deputies_the_bags_pass_too() -> None:
    game = at_inspection({CAT: ("silk", "apples")}, 6, "timer")
    game.apply(TimeUp(1, Phase.INSPECT))
    game.settle()
    assert [opened.seat for opened in game.seen(Opened)] == [CAT, DAN, EVE, FAY]
    assert game.stack(CAT) == ["silk"]


def test_r12_2_no_time_runs_out_without_the_option_or_in_another_phase_or_round() -> None:
    assert not may_time_out(at_inspection({}).state)
    no_move(at_inspection({}), TimeUp(1, Phase.INSPECT))
    game = at_declare({}, 4, "timer")
    assert not may_time_out(game.state)
    no_move(game, TimeUp(1, Phase.DECLARE))
    game = at_inspection({}, 4, "timer")
    assert may_time_out(game.state)
    no_move(game, TimeUp(2, Phase.INSPECT))
    no_move(game, TimeUp(1, Phase.MARKET))


# -- 12.3: missing cards


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_r12_3_ten_cards_stay_in_the_box(players: int) -> None:
    assert at_market(players, "missing").state.deck == at_market(players).state.deck - 10


def test_r12_3_nobody_sees_which_cards_are_missing() -> None:
    game = at_market(4, "missing")
    assert game.state.kinds == {}
    assert game.state.box == ()


def test_r12_3_missing_cards_stay_out_for_the_whole_game() -> None:
    game = at_market(3, "missing")
    in_play = game.state.deck + len(game.state.handles())
    game.until(Phase.OVER)
    assert game.state.deck + len(game.state.handles()) == in_play


# -- 12.4: seven cards


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_r12_4_everyone_gets_7_cards(players: int) -> None:
    game = at_market(players, "seven")
    assert [len(player.hand) for player in game.state.players] == [7] * players


def test_r12_4_market_and_end_of_round_fill_the_hand_to_7() -> None:
    game = at_market(4, "seven").submit(NameFirst(ANN, BEN))
    game.submit(SetAside(BEN, game.state[BEN].hand[:5]))
    assert len(game.state[BEN].hand) == 7
    game.next_round()
    assert [len(player.hand) for player in game.state.players] == [7] * 4


def test_r12_4_a_bag_still_holds_1_to_5_and_a_turn_sets_aside_at_most_5() -> None:
    game = at_load(4, "seven")
    assert legal_moves(game.state, BEN) == (LoadBounds(BEN, game.state[BEN].hand, 1, 5),)
    game = at_market(4, "seven").submit(NameFirst(ANN, BEN))
    assert legal_moves(game.state, BEN) == (SetAsideBounds(BEN, game.state[BEN].hand, 5),)
    refused(game, SetAside(BEN, game.state[BEN].hand[:6]), "4.2")


# -- 12.5: extra goods

TURNIPS = Good("turnips", Side.LEGAL, 6, 2, 1, ("bread", 2))
PEARLS = Good("pearls", Side.CONTRABAND, 3, 12, 6)


def test_r12_5_extra_goods_are_shuffled_in_without_taking_others_out() -> None:
    setup = Setup(4, extra=(TURNIPS, PEARLS))
    assert setup.cards == 204 + 9
    assert setup.goods[-2:] == (TURNIPS, PEARLS)


def test_r12_5_an_extra_legal_good_can_be_declared_and_an_extra_contraband_can_not() -> None:
    game = at_declare({BEN: ("2 turnips", "turnips")}, extra=(TURNIPS, PEARLS))
    assert may_be_declared(game.state, "turnips")
    refused(game, Declare(BEN, 2, "pearls"), "6.2")
    game.submit(Declare(BEN, 2, "turnips")).until(Phase.INSPECT)
    assert game.passes(BEN).stall(BEN) == ["turnips", "turnips"]


def test_r12_5_an_extra_good_has_its_own_fine() -> None:
    bags = {BEN: ("2 turnips", "turnips"), CAT: ("pearls", "apples")}
    game = at_inspection(bags, extra=(TURNIPS, PEARLS)).inspects(BEN).inspects(CAT)
    assert game.gold() == [50 - 2 + 6, 52, 44, 50]


def test_r12_5_an_extra_good_counts_for_king_and_queen_only_through_counts_for() -> None:
    beets = Good("beets", Side.LEGAL, 6, 2, 1)
    counts = crown_counts(Setup(4, extra=(TURNIPS, beets)), {ANN: ("turnips", "beets"), BEN: ("bread",)})
    assert counts["bread"] == {ANN: 2, BEN: 1}
    assert all(sum(of_good.values()) == 0 for good, of_good in counts.items() if good != "bread")


def test_r12_5_a_table_of_extra_goods_is_read_from_plain_values() -> None:
    rows = [["turnips", "legal", 6, 2, 1, ["bread", 2]], ["pearls", "contraband", 3, 12, 6, None]]
    assert extra_goods(rows) == (TURNIPS, PEARLS)
    assert Setup(4).extra == ()


@pytest.mark.parametrize(
    "row",
    [
        ["apples", "legal", 6, 2, 1, None],
        ["turnips", "illegal", 6, 2, 1, None],
        ["turnips", "legal", 0, 2, 1, None],
        ["turnips", "legal", 6, -2, 1, None],
        ["turnips", "legal", 6, 2, -1, None],
        ["turnips", "legal", 6, 2, 1, ["silk", 2]],
        ["turnips", "legal", 6, 2],
        ["", "legal", 6, 2, 1, None],
        ["turnips", "prize", 6, 2, 1, None],
        ["turnips", "legal", 1.5, 2, 1, None],
        "turnips",
    ],
)
def test_r12_5_a_bad_extra_good_is_refused_with_a_sentence(row: object) -> None:
    with pytest.raises(BadSetup, match=r"\w+ .*\."):
        extra_goods([row])


def test_r12_5_the_setup_that_a_charter_carries_binds_the_extra_goods() -> None:
    setup = Setup(4, extra=(TURNIPS, PEARLS), options=frozenset({"royal", "seven"}))
    plain = setup_to_value(setup)
    assert setup_from_value(plain) == setup
    match plain:
        case (game, (*agreed, ("goods", _), market, modules, grace)):
            with pytest.raises(MalformedError, match="tables of cards"):
                setup_from_value((game, (*agreed, ("goods", ()), market, modules, grace)))
        case _:
            pytest.fail("terms have a table of goods")


def test_r12_5_an_unknown_option_is_refused_with_a_sentence() -> None:
    with pytest.raises(BadSetup, match="gold-rush"):
        Setup(4, options=frozenset({"gold-rush"}))
