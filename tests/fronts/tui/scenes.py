"""Games brought to every phase, for pictures of them: views made by the rules engine and a dealer."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from p2p_sheriff.bots import Bot, make_bot
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.questions import seen
from p2p_sheriff.fronts.tui.story import happened, negotiated
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.rules import Choice, Handle, Input, Seat, Setup
from p2p_sheriff.rules.moves import Accept, Move, Offer, Withdraw
from tests.fronts.tui.spoken import spoken

NAMES = ("Robin", "Marian", "Tuck", "Much", "Gilbert", "Will")
LONG_NAMES = (
    "Bartholomäus Featherstonehaugh-Cholmondeley von Nottingham",
    "シャーウッドの森の緑の射手ロビン",
    "Λέων",
    "Кім",
    "w" * 64,
    "e\u0301ve\u0301",
)
STYLES = ("smuggler", "shrewd", "gambler", "honest", "smuggler", "gambler")
TALKATIVE = 6
"""After so many words in one negotiation the officers act."""


@dataclass
class Scene:
    """A game of bots that stops wherever a picture is wanted; one seat is looked at."""

    dealer: Dealer
    bots: Sequence[Bot]
    model: Model
    seat: Seat
    words: int = 0

    @classmethod
    def of(cls, setup: Setup, seed: int, seat: int = 0, names: Sequence[str] = NAMES) -> "Scene":
        dealer = Dealer(setup, Random(seed))
        bots = [make_bot(STYLES[one % len(STYLES)], one, Random(f"{seed}/{one}")) for one in setup.seats]
        model = Model(tuple(names[: setup.players]), spoken(), told=dealer.state)
        scene = cls(dealer, bots, model, Seat(seat))
        scene.tell(dealer.start())
        return scene

    # -- what happens

    def tell(self, inputs: Sequence[Input]) -> None:
        for bot in self.bots:
            for item in inputs:
                bot.observe(item)
        for item in inputs:
            if isinstance(item, Offer | Withdraw):
                self.model = negotiated(self.model, item)
        self.model = happened(self.model, *inputs)
        self.look()

    def look(self) -> None:
        """Lets the screen see the game as it is."""
        choices = self.dealer.choices()
        own = next((one.choice for one in choices if one.seat == self.seat), None)
        waiting = tuple(one.seat for one in choices)
        self.model = seen(self.model, self.dealer.view(self.seat), own, waiting)

    def submit(self, move: Move) -> None:
        self.words = self.words + 1 if isinstance(move, Offer | Withdraw) else 0
        self.tell(self.dealer.submit(move))

    def load(self, seat: Seat, handles: tuple[Handle, ...]) -> None:
        self.tell(self.dealer.load(seat, handles))

    def step(self) -> None:
        """Lets one bot do one thing."""
        choices = self.dealer.choices()
        first = choices[0]
        if first.choice is Choice.LOAD:
            self.load(first.seat, self.bots[first.seat].load(self.dealer.view(first.seat)))
        elif first.choice is Choice.ACT:
            self.submit(next(self._words_and_acts([one.seat for one in choices])))
        else:
            move = self.bots[first.seat].choose(self.dealer.view(first.seat), first.choice)
            assert move is not None
            self.submit(move)

    def _words_and_acts(self, officers: Sequence[Seat]) -> Iterator[Move]:
        if self.words < TALKATIVE:
            for seat in self.dealer.state.merchants:
                if word := self.bots[seat].negotiate(self.dealer.view(seat)):
                    yield word
        for seat in officers:
            if move := self.bots[seat].choose(self.dealer.view(seat), Choice.ACT):
                yield move
        raise AssertionError("Nobody has anything to do.")

    # -- going somewhere

    def until(self, wanted: Callable[["Scene"], bool]) -> "Scene":
        """Plays on until this is so."""
        while not wanted(self):
            assert self.dealer.choices(), "The game is over, and it never was so."
            self.step()
        self.model = replace(self.model, reveals=())
        return self

    def asked(self, choice: Choice, round_: int = 1) -> "Scene":
        """Plays on until the seat that is looked at is asked for this, in this round or later."""
        return self.until(lambda it: it.model.choice is choice and it.dealer.state.round >= round_)

    def to_the_end(self) -> "Scene":
        while self.dealer.choices():
            self.step()
        self.model = replace(self.model, reveals=())
        return self

    def accept(self, author: Seat, number: int) -> None:
        self.submit(Accept(self.seat, author, number))
