"""A real game among bots whose contraband is marked, card by card, and what each seat remembers of it."""

from dataclasses import dataclass, field
from functools import cache
from random import Random

from p2p_sheriff.bots import STYLES, Bot, make_bot
from p2p_sheriff.commands.replay import takes_of
from p2p_sheriff.lab.simnet import Simnet, open_table
from p2p_sheriff.rules import Choice, Good, Handle, Kind, LoadBag, Move, Seat, Setup, Side, State, View, new_game
from p2p_sheriff.seat.film import Film, Take, shoot
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.keepsake import Keepsake
from p2p_sheriff.session.record import Record, record_of
from protocol.group import Edwards25519
from tests.drbg import Drbg
from tests.fronts.tui.spoken import spoken

GROUP = Edwards25519()
NAMES = ("Robin", "Marian", "Tuck")
MARKS: tuple[Kind, ...] = tuple(f"zq{letter}x" for letter in "abcdefghijkl")
"""Every contraband card but one is the only one of its kind."""
SETUP = Setup(
    3,
    short=(("apples", 6), ("cheese", 6), ("chicken", 4), ("pepper", 1)),
    extra=tuple(Good(mark, Side.CONTRABAND, 1, 7, 4) for mark in MARKS),
)


@dataclass
class Watchful:
    """Plays like a bot, and notes what it sees of its own cards."""

    bot: Bot
    kinds: dict[Handle, Kind] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.observe = self.bot.observe

    def choose(self, view: View, choice: Choice) -> Move | LoadBag | None:
        self.kinds.update(view.knowledge.kinds)
        return self.bot.choose(view, choice)

    def negotiate(self, view: View) -> Move | None:
        self.kinds.update(view.knowledge.kinds)
        return self.bot.negotiate(view)


@dataclass(frozen=True)
class Played:
    """A game, as its transcript and its players know it."""

    record: Record
    takes: tuple[Take, ...]
    memories: tuple[Keepsake, ...]
    watchers: tuple[Watchful, ...]
    last: State

    def film(self, seat: int | None = None, words: Words | None = None) -> Film:
        memory = None if seat is None else self.memories[seat]
        return shoot(Picture(NAMES, words or spoken(), told=new_game(SETUP)), self.takes, memory)


@cache
def played() -> Played:
    sessions = open_table(SETUP, GROUP, Drbg("a game on film"), NAMES)  # All three are dealt marks at once.
    watchers = [Watchful(make_bot(STYLES[-1 - seat], Seat(seat), Random(seat))) for seat in range(3)]
    net = Simnet(sessions, watchers, Random(1))
    net.run(until=lambda play: play.state.round > 1)
    sessions[0].say("Nothing but apples, I swear.")
    net.run()
    assert net.is_over
    record = record_of(sessions[0].table)
    memories = tuple(session.secrets.memory for session in sessions)
    takes = tuple(takes_of(record, GROUP))
    return Played(record, takes, memories, tuple(watchers), sessions[0].play.state)
