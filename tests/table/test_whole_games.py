"""Whole games with real proofs: every node agrees with every other, with the rules, and with the cards themselves.

And anybody who has only the transcript agrees with them, and with no other transcript.
"""

from collections import Counter
from random import Random

import pytest

from p2p_sheriff.lab.simnet import Simnet, Weather
from p2p_sheriff.rules import Good, Setup, apply, new_game
from p2p_sheriff.rules.goods import Side
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.labels import labels_of
from p2p_sheriff.session.session import Session
from protocol.deck import Card, Keyring
from protocol.group import Edwards25519, Element, Group
from tests.table.games import SHORT_DECK, assert_agreed, bot_game, game_bytes
from tests.table.tampering import assert_accepted, assert_nothing_else_is_accepted
from tests.table.transcripts import GROUP, game_of


def unlocked(group: Group, rings: list[Keyring], card: Card) -> Element:
    """Takes every lock off: what only all players together can do."""
    point = card.point
    for seat, key in card.locks:
        (point,) = rings[seat][key].open(group, [point])
    return point


def assert_every_card_is_there_once(group: Group, net: Simnet) -> None:
    """Opens all keys after the game: every label is in exactly one place, and what was shown is what was said."""
    play, setup = net.sessions[0].play, net.sessions[0].play.state.setup
    rings = [session.secrets.keys for session in net.sessions]
    labels = labels_of(group, setup)
    points = {handle: unlocked(group, rings, card) for handle, card in play.cards.items()}
    decks = play.decks.values()
    rest = [unlocked(group, rings, card) for deck in decks for card in (*deck.undrawn, *deck.missing)]
    gone = [point for deck in decks for point in deck.gone]
    assert Counter([*points.values(), *rest, *gone]) == Counter(
        point for deck in labels.decks.values() for point in deck
    )
    for handle, kind in play.state.kinds.items():
        assert labels.kind_of(points[handle]) == kind


def assert_the_rules_say_the_same(net: Simnet) -> None:
    """Feeds the rules alone with the inputs that each node took from the entries."""
    for seat, session in enumerate(net.sessions):
        state = new_game(session.play.state.setup)
        for place, event in net.events:
            if place == seat and isinstance(event, Happened):
                for item in event.inputs:
                    state = apply(state, item)
        assert state == session.play.state


SIX_DECK = (
    ("apples", 16), ("cheese", 12), ("bread", 12), ("chicken", 8), ("pepper", 7), ("mead", 7), ("silk", 4), ("gouda", 2)
)  # fmt: skip
PROMOS = (Good("plums", Side.LEGAL, 12, 3, 2, ("apples", 1)), Good("ivory", Side.CONTRABAND, 4, 9, 5, None))
"""Extra goods (rule 12.5)."""

SETUPS = {
    "3 players": Setup(3),
    "4 players": Setup(4, options=frozenset({"royal", "missing", "seven", "black-market"})),
    "5 players": Setup(5, options=frozenset({"royal", "seven", "missing", "black-market"})),
    "3 players, missing cards": Setup(3, options=frozenset({"missing", "royal"})),
    "3 players, extra goods": Setup(3, extra=PROMOS),
    "4 players, seven cards": Setup(4, options=frozenset({"seven"})),
    "6 players": Setup(6, options=frozenset({"black-market", "royal"}), short=SIX_DECK),
}


@pytest.mark.slow
@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_a_whole_game_ends_the_same_on_every_node_and_its_transcript_alone_is_accepted(setup: Setup) -> None:
    net = bot_game(setup, GROUP, seed=setup.players)
    assert_agreed(net.sessions)
    assert_the_rules_say_the_same(net)
    assert_every_card_is_there_once(GROUP, net)
    assert net.traffic.refused == []
    # One test, since a game takes longer than all that follows it.
    game = game_of(net, game_bytes(setup.players))
    assert_accepted(game)
    assert_nothing_else_is_accepted(game, Random(setup.players), flips=200)


def short_game(seed: int, weather: Weather | None = None) -> Simnet:
    return bot_game(Setup(3, options=frozenset({"black-market"}), short=SHORT_DECK), Edwards25519(), seed, weather)


def test_a_game_with_a_short_deck_reshuffles_and_every_card_is_there_once() -> None:
    net = short_game(1)
    assert_agreed(net.sessions)
    assert net.sessions[0].play.goods.generation > 0
    assert_the_rules_say_the_same(net)
    assert_every_card_is_there_once(net.sessions[0].play.group, net)


def public_history(session: Session) -> list[bytes]:
    return [signed.body for signed in session.table.transcript.in_order()]


def test_all_nodes_write_the_same_transcript_down() -> None:
    net = short_game(2, Weather(loss=0.1, duplicates=0.2, disorder=0.8))
    histories = [public_history(session) for session in net.sessions]
    assert histories[0] == histories[1] == histories[2]
    assert len(histories[0]) == net.traffic.entries
