"""Whole games at the trustless table, for tests."""

from random import Random

from p2p_sheriff.bots import STYLES, Bot, make_bot
from p2p_sheriff.lab.simnet import Simnet, Weather, open_table
from p2p_sheriff.rules import Choice, Move, Setup, View
from p2p_sheriff.session.session import Session
from protocol.group import Group
from tests.drbg import Drbg

SHORT_DECK = (("apples", 6), ("cheese", 5), ("chicken", 4), ("pepper", 3), ("mead", 3), ("silk", 3))
"""24 cards: enough for three hands, and few enough that many games can be played."""


class OneRound:
    """Plays like a bot, and falls silent before the second round."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.observe, self.load, self.negotiate = bot.observe, bot.load, bot.negotiate

    def choose(self, view: View, choice: Choice) -> Move | None:
        return None if view.state.round > 1 else self._bot.choose(view, choice)


def round_bytes(seed: int) -> Drbg:
    """Returns the random bytes of one round, of which the first are the keys of the seats."""
    return Drbg(f"round {seed}")


def game_bytes(seed: int) -> Drbg:
    """Returns the random bytes of a whole game, of which the first are the keys of the seats."""
    return Drbg(f"game {seed}")


def one_round(setup: Setup, group: Group, seed: int, weather: Weather) -> Simnet:
    """Plays until the second round would begin."""
    bots = [OneRound(make_bot(STYLES[(seat + seed) % len(STYLES)], seat, Random(seed + seat))) for seat in setup.seats]
    net = Simnet(open_table(setup, group, round_bytes(seed)), bots, Random(seed), weather)
    net.run()
    return net


def bot_game(setup: Setup, group: Group, seed: int, weather: Weather | None = None) -> Simnet:
    """Plays a game among bots of all styles to its end."""
    sessions = open_table(setup, group, game_bytes(seed))
    bots = [make_bot(STYLES[seat % len(STYLES)], seat, Random(seed + seat)) for seat in setup.seats]
    net = Simnet(sessions, bots, Random(seed), weather)
    net.run()
    return net


def assert_agreed(sessions: list[Session]) -> None:
    """Asserts that all nodes ended with the same game, and nobody was blamed."""
    for session in sessions:
        assert session.table.faults == {}
        assert session.play.is_over
        assert session.play == sessions[0].play
