"""The first edition at the table: whole games, games that somebody leaves, and nodes that come back."""

from collections.abc import Callable
from random import Random

import pytest

from p2p_sheriff.lab.simnet import Weather
from p2p_sheriff.rules import Edition, Ending, Phase, Seat, Setup, outcome
from p2p_sheriff.rules.facts import Reshuffled
from p2p_sheriff.rules.moves import Inspect, LayDown, SetAside, Stance, TakeDiscards, Trade, Verb
from p2p_sheriff.rules.steps import AskLayDown, AskTake, AskTrade, TurnUp
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.passes import Giving
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.terms import OPTIONS
from tests.cases import some
from tests.secrecy import twins
from tests.secrecy.twins import ANN, BEN, deck_of, hand_of, setup_for
from tests.table.departures import GapNet, is_redealt, put_out
from tests.table.games import assert_agreed, bot_game, game_bytes, one_round, round_bytes
from tests.table.tampering import assert_accepted, assert_nothing_else_is_accepted
from tests.table.test_several_parties import assert_audited
from tests.table.test_whole_games import assert_every_card_is_there_once, assert_the_rules_say_the_same
from tests.table.transcripts import GROUP, game_of

SHORT = (("apples", 16), ("cheese", 12), ("chicken", 10), ("pepper", 6), ("mead", 6), ("silk", 6))
"""56 cards: enough for five hands, both piles and ten missing cards; few enough that they are soon shuffled again."""


def first(players: int, *options: str, short: tuple[tuple[str, int], ...] = SHORT) -> Setup:
    return Setup(players, Edition.FIRST, frozenset(options), short=short)


WHOLE_GAMES = [
    first(players, *options, short=())
    for players in (3, 4, 5)
    for options in ((), *((option,) for option in OPTIONS), OPTIONS)
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "setup", some(WHOLE_GAMES, few=3), ids=lambda setup: f"{setup.players} {sorted(setup.options)}"
)
def test_a_whole_game_ends_the_same_on_every_node_and_its_transcript_is_accepted(setup: Setup) -> None:
    seed = setup.players
    net = bot_game(setup, GROUP, seed)
    assert_agreed(net.sessions)
    assert_the_rules_say_the_same(net)
    assert_every_card_is_there_once(GROUP, net)
    assert net.traffic.refused == []
    assert_accepted(game_of(net, game_bytes(seed)))


def test_a_game_with_a_short_deck_reshuffles_all_but_the_top_five_of_each_pile() -> None:
    net = bot_game(first(3, "black-market"), GROUP, 2)
    assert_agreed(net.sessions)
    assert_the_rules_say_the_same(net)
    assert_every_card_is_there_once(GROUP, net)
    told = [
        change for seat, event in net.events if seat == 0 and isinstance(event, Happened) for change in event.changes
    ]
    reshuffles = [change for change in told if isinstance(change.item, Reshuffled)]
    assert reshuffles
    for change in reshuffles:
        assert change.after.piles == tuple(pile[-5:] for pile in change.before.piles)
    moves = {type(change.item) for change in told}
    assert {TakeDiscards, LayDown} <= moves
    game = game_of(net, game_bytes(2))
    assert_accepted(game)
    assert_nothing_else_is_accepted(game, Random(2), flips=50)


@pytest.mark.parametrize("seed", some(range(100), few=5))
def test_a_round_in_any_weather_leaves_all_nodes_equal_and_its_transcript_is_accepted(seed: int) -> None:
    rng = Random(seed)
    weather = Weather(loss=0.5 * rng.random(), duplicates=0.5 * rng.random(), disorder=rng.random())
    net = one_round(first(3), GROUP, seed, weather)
    plays = [session.play for session in net.sessions]
    assert plays[0].state.round == 2
    assert plays[0] == plays[1] == plays[2]
    assert all(session.table.faults == {} for session in net.sessions)
    assert_accepted(game_of(net, round_bytes(seed)))


# -- somebody leaves


EVERY_SLOT = [(players, Seat(seat), turns) for players in (4, 5) for seat in range(players) for turns in range(22)]


@pytest.mark.parametrize("slot", some(EVERY_SLOT, few=8), ids=str)
def test_whenever_somebody_falls_silent_the_others_go_on_with_the_cards_that_they_have(
    slot: tuple[int, Seat, int],
) -> None:
    players, seat, turns = slot
    net = GapNet(first(players), turns, {seat: turns}).goes_on()
    before = net.play
    net.leaves(seat).goes_on(is_redealt)
    for handle, card in net.play.cards.items():
        assert before.cards.get(handle, card) == card, "a card has changed by dealing around it"
    assert all(card.keeper != seat for pile in net.play.state.piles for card in pile)
    net.assert_complete()
    number = net.play.state.round
    net.goes_on(lambda play: play.state.round > number or play.is_decided)
    net.assert_complete()


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(6), few=1))
def test_a_game_goes_on_to_its_end_without_who_left(seed: int) -> None:
    leaver = Seat(seed % 4)
    net = GapNet(first(4, "black-market", "missing"), seed, {leaver: 9 + 4 * seed}).goes_on().leaves(leaver).goes_on()
    assert_agreed(net.sessions)
    net.assert_complete()
    result = outcome(net.play.state)
    assert result.ending is Ending.FINISHED
    assert [score.seat for score in result.scores] == list(net.seats)


class Stopping(GapNet):
    """A table at which whoever comes to such a point falls silent."""

    def __init__(self, setup: Setup, seed: int, stops: Callable[[Play, int], bool]) -> None:
        self._stops = stops
        super().__init__(setup, seed)

    def is_silent(self, seat: int) -> bool:
        play = self.sessions[seat].play
        return super().is_silent(seat) or (play.passing is None and bool(play.state.todo) and self._stops(play, seat))


def shows_the_ten(play: Play, seat: int) -> bool:
    step = play.state.todo[0]
    return isinstance(step, TurnUp) and bool(step.handles) and seat == play.state.lead


@pytest.mark.parametrize("seed", range(2))
def test_r19_3_the_first_sheriff_leaves_before_showing_the_ten_cards_and_the_next_one_turns_up_others(
    seed: int,
) -> None:
    net = Stopping(first(4), seed, shows_the_ten).goes_on()
    sheriff, deck, step = net.play.state.lead, net.play.state.deck, net.play.state.todo[0]
    assert isinstance(step, TurnUp)
    assert len(step.handles) == 10
    net.leaves(sheriff)
    assert net.play.state.deck == deck + 10 + 6
    net.goes_on(lambda play: play.state.phase is Phase.MARKET and play.passing is None)
    assert [len(pile) for pile in net.play.state.piles] == [5, 5]
    keepers = {card.keeper for pile in net.play.state.piles for card in pile}
    assert keepers == {net.play.state.clockwise_after(sheriff)[0]}
    net.assert_complete()


def test_r19_3_the_ten_cards_of_the_set_up_go_back_into_the_deck_if_the_first_sheriff_leaves() -> None:
    net = GapNet(first(4), 1).goes_on(lambda play: play.state.phase is Phase.MARKET)
    sheriff, deck = net.play.state.lead, net.play.state.deck
    net.leaves(sheriff)
    assert net.play.state.piles == ((), ())
    assert net.play.state.deck == deck + 10 + 6
    net.goes_on(lambda play: play.state.phase is Phase.DECLARE or play.state.round > 1)
    net.assert_complete()


def taking(play: Play) -> bool:
    """Whether cards of a pile are on the way."""
    return isinstance(play.passing, Giving) and play.state.phase is Phase.MARKET


@pytest.mark.parametrize("who", ["who takes", "who discarded"])
def test_r19_4_cards_on_the_way_from_a_pile_stay_there_or_go_back_into_the_deck(who: str) -> None:
    net = GapNet(first(4), 3).goes_on(taking)
    passing, before = net.play.passing, net.play.state
    assert isinstance(passing, Giving)
    give = passing.give
    leaver = give.receiver if who == "who takes" else give.giver
    net.leaves(leaver).goes_on(is_redealt)
    lying = {card.handle for pile in net.play.state.piles for card in pile}
    assert set(give.handles) <= lying if who == "who takes" else lying.isdisjoint(give.handles)
    net.assert_complete()
    net.goes_on(lambda play: play.state.phase is Phase.LOAD)
    if who == "who discarded":
        assert len(net.play.state[give.receiver].hand) == before.setup.hand_size
    net.assert_complete()


@pytest.mark.parametrize("sheriff_leaves", [True, False])
def test_r7_13_confiscated_cards_lie_as_the_sheriff_says_or_left_as_they_lie_if_the_sheriff_is_out(
    sheriff_leaves: bool,
) -> None:
    setup = setup_for(players=4, short=(("apples", 40), *twins.SHORT[1:]), edition=Edition.FIRST)
    table = twins.Table(setup, deck_of(setup, "", "silk, mead")).settle()
    table.submit(*(SetAside(seat, ()) for seat in table.state.merchants))
    table.load({BEN: hand_of(BEN)[:2]}).declare().submit(Inspect(ANN, BEN))
    shown = table.state.bag_of(BEN).shown
    assert sorted(card.kind for card in shown) == ["mead", "silk"]
    if sheriff_leaves:
        put_out(table.sessions, ANN)
        table.settle()
        assert table.state.piles == (shown, ()), "what the first sheriff had turned up went with the sheriff"
    else:
        last, first_one = (card.handle for card in shown)
        table.submit(LayDown(ANN, 1, (first_one, last)))
        assert table.state.piles[1][-2:] == shown[::-1]


# -- six players


def test_r13_2_six_trade_at_the_black_market_before_the_bags_too_and_both_programs_say_so() -> None:
    setup = first(6, "black-market", short=(("apples", 24), ("pepper", 22), ("mead", 1), ("silk", 1)))
    table = twins.Table(setup, deck_of(setup, *["3 pepper"] * 6)).settle()
    table.until_inspection({seat: hand_of(seat)[:3] for seat in setup.seats if seat not in table.state.officers})
    for bag in table.state.merchants:
        table.submit(*(Stance(seat, bag, Verb.PASS) for seat in table.state.officers), Trade(bag))
    table.until_inspection({})
    asked = table.state.todo[0]
    assert isinstance(asked, AskTrade)
    seat = asked.seat
    table.submit(Trade(seat, tuple((handle, "pepper") for handle in table.state[seat].stack)))
    assert table.state[seat].prizes
    assert_audited(table)


# -- nodes come back


def test_nodes_that_come_back_in_the_middle_of_the_market_are_the_ones_that_were() -> None:
    net = GapNet(first(4), 5)

    def all_come_back(when: Callable[[Play], bool]) -> None:
        net.goes_on(when)
        assert when(net.play)
        for seat in net.seats:
            net.comes_back(seat)
        net.assert_complete()

    for step in (TurnUp, AskTake):
        all_come_back(lambda play, step=step: isinstance(play.state.todo[0], step))  # type: ignore[misc]
    all_come_back(taking)
    all_come_back(lambda play: isinstance(play.state.todo[0], AskLayDown))
    net.goes_on(lambda play: play.state.round == 2)
    net.assert_complete()
