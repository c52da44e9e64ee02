"""Special orders, laws and merry men at the table: whole games, who leaves, and who comes back."""

from itertools import product

import pytest

from p2p_sheriff.lab.simnet import Weather
from p2p_sheriff.rules import OPTIONS, Edition, Ending, Pack, Seat, Setup, outcome
from p2p_sheriff.rules.setup import PACKS
from p2p_sheriff.session.passes import Looking, Redealing, Returning
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.resume import resume
from tests.cases import some
from tests.drbg import Drbg
from tests.table.bands import MEN, Member, gathered, with_man, with_modules
from tests.table.cheats import honest
from tests.table.departures import GapNet, assert_complete, is_redealt
from tests.table.games import assert_agreed, bot_game, game_bytes, one_round
from tests.table.tables import GROUP, MERCHANT, OTHER, SHERIFF
from tests.table.tampering import assert_accepted
from tests.table.test_gap import assert_proved
from tests.table.test_whole_games import assert_the_rules_say_the_same
from tests.table.transcripts import game_of

MODULES = ((), ("black-market",), *((option,) for option in PACKS), OPTIONS)
EVERY_TABLE = list(product((3, 4, 5, 6), Edition, MODULES))
ALL_AT_ONCE = list(product((4, 5, 6), Edition, range(1, 60, 3)))
"""Players, edition, and after how many turns somebody leaves."""


def table_for(players: int, edition: Edition, options: tuple[str, ...]) -> Setup:
    """Returns a table with a deck that is short, and has goods for every law and nearly every order."""
    bread = (("bread", 14),) if players > 3 else ()
    short = (("apples", 20), ("cheese", 14), *bread, ("chicken", 12), ("pepper", 10), ("mead", 9), ("silk", 8))
    return Setup(players, edition, frozenset(options), short=short)


# -- to the end


@pytest.mark.slow
@pytest.mark.parametrize("case", some(EVERY_TABLE, few=1), ids=str)
def test_a_whole_game_ends_the_same_on_every_node_and_its_transcript_is_accepted(
    case: tuple[int, Edition, tuple[str, ...]],
) -> None:
    setup = table_for(*case)
    net = bot_game(setup, GROUP, seed=setup.players)
    assert_agreed(net.sessions)
    assert_the_rules_say_the_same(net)
    assert_complete(net.sessions, net.sessions[0].play)
    assert net.traffic.refused == []
    assert_accepted(game_of(net, game_bytes(setup.players)))


@pytest.mark.slow
@pytest.mark.parametrize("case", some(ALL_AT_ONCE, few=1), ids=str)
def test_whenever_somebody_leaves_a_game_with_all_modules_the_others_go_on(case: tuple[int, Edition, int]) -> None:
    players, edition, turns = case
    seat = Seat(turns % players)
    net = GapNet(table_for(players, edition, OPTIONS), turns, {seat: turns}).goes_on().leaves(seat).goes_on(is_redealt)
    net.assert_complete()
    net.comes_back(net.seats[0])
    number = net.play.state.round
    net.goes_on(lambda play: play.state.round > number + 1 or play.is_decided)
    net.assert_complete()
    assert_proved(net)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(8), few=1))
def test_a_game_with_modules_is_played_to_its_end_without_who_left(seed: int) -> None:
    setup = table_for(4, list(Edition)[seed % 2], tuple(PACKS))
    net = GapNet(setup, seed, {Seat(seed % 4): 30 + 5 * seed}).goes_on().leaves(Seat(seed % 4)).goes_on()
    assert_agreed(net.sessions)
    net.assert_complete()
    assert outcome(net.play.state).ending is Ending.FINISHED
    assert_proved(net)


def test_all_decks_are_dealt_around_a_gap_each_by_itself() -> None:
    setup = table_for(4, Edition.SECOND, tuple(PACKS))
    net = GapNet(setup, 3).goes_on(lambda play: play.state.round == 1 and len(play.state.laws) == 2)
    before = net.play
    net.leaves(Seat(2))
    remade: list[str] = []

    def is_done(play: Play) -> bool:
        if isinstance(play.passing, Redealing) and play.passing.deck.name not in remade:
            remade.append(play.passing.deck.name)
        return is_redealt(play)

    net.goes_on(is_done)
    assert remade == ["goods", "orders", "laws", "merry men"]
    for name, deck in net.play.decks.items():
        assert (deck.generation, deck.gone) == (before.decks[name].generation + 1, before.decks[name].gone)
    assert net.play.state.left_in(Pack.MERRY_MEN) == 18 - 3
    net.assert_complete()
    assert_proved(net)


# -- decks of one card, or of none


@pytest.mark.parametrize(("contraband", "orders"), [("silk", 1), ("crossbow", 0)])
def test_a_deck_with_one_order_or_none_needs_no_shuffle(contraband: str, orders: int) -> None:
    setup = Setup(3, options=frozenset({"orders"}), short=(("chicken", 18), (contraband, 4)))
    net = one_round(setup, GROUP, 1, Weather())
    state = net.sessions[0].play.state
    filled = sum(len(player.orders) for player in state.players)
    assert (state.round, len(state.orders) + filled) == (2, orders)
    assert all(session.play == net.sessions[0].play for session in net.sessions)
    assert all(session.table.faults == {} for session in net.sessions)


def test_the_last_order_of_the_deck_is_locked_anew_when_somebody_leaves() -> None:
    short = (("apples", 14), ("cheese", 10), ("pepper", 6), ("silk", 6))
    net = GapNet(Setup(4, options=frozenset({"orders"}), short=short), 2)
    net.goes_on(lambda play: play.state.left_in(Pack.ORDERS) == 1 and play.passing is None).leaves(Seat(1))
    seen = []

    def is_locked(play: Play) -> bool:
        if isinstance(play.passing, Returning):
            seen.append(play.passing.deck.name)
        return is_redealt(play) and not isinstance(play.passing, Returning)

    net.goes_on(is_locked)
    assert set(seen) == {"orders"}
    assert [seat for seat, _ in net.play.decks["orders"].undrawn[0].locks] == list(net.seats)
    net.assert_complete()


# -- what one seat has seen, and keeps


def test_who_has_looked_at_a_card_knows_it_after_a_crash_and_after_the_game() -> None:
    """The key of the copy was stored with the entry that made it; nothing was, when the card came to be seen."""

    def has_locked(play: Play) -> bool:
        return isinstance(play.passing, Looking) and play.passing.done == 1

    net = gathered(
        "look",
        with_modules("merry-men"),
        SHERIFF,
        honest,
        lambda: {OTHER: Member(bag=with_man, keeps="Will Scarlet")},
        {Pack.MERRY_MEN: MEN},
        until=has_locked,
    )
    looker = net.sessions[OTHER]
    assert looker.view().knowledge.looked == ()
    stored = looker.secrets.to_value()
    net.run(until=lambda play: bool(play.looks))
    assert looker.view().knowledge.looked == ((MERCHANT, "silk"),)
    assert all(net.sessions[seat].view().knowledge.looked == () for seat in (SHERIFF, MERCHANT))
    table = looker.table
    assert table._identity is not None
    entries = [signed.to_bytes() for signed in table.transcript.in_order()]
    again = resume(table.charter, table._identity, GROUP, Drbg("again"), entries, stored)
    assert again.view().knowledge.looked == looker.view().knowledge.looked
    (look,) = looker.play.looks
    for session in (looker, again):
        assert session.secrets.memory.kinds[look.handle] == "silk"
