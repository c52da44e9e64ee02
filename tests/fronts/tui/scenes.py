"""Games brought to every phase, for pictures of them: views made by the rules engine and a dealer."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from p2p_sheriff.bots import Bot, make_bot
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.questions import seen
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.rules import Choice, Input, LoadBag, Seat, Setup, Transition
from p2p_sheriff.rules.moves import Accept, Move, Offer, Withdraw
from p2p_sheriff.seat.story import happened, negotiated
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
NOW = 1000.0
MOST_GAMES = 200
"""So many are tried to find one that goes where a picture is wanted."""
TALKATIVE = 6
"""After so many words in one negotiation the officers act."""


def pressed(model: Model, *keys: str) -> Model:
    """Returns the model after these keys, of somebody who has read what is asked."""
    table = TableScreen(replace(model, is_new=False)).at(NOW)
    for key in keys:
        screen, _ = table.press(key)
        assert isinstance(screen, TableScreen)
        table = screen
    return table.model


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

    @classmethod
    def where(cls, setup: Setup, wanted: Callable[["Scene"], bool], names: Sequence[str] = NAMES) -> "Scene":
        """Returns the first game in which this is so at some time: bots learn, and go elsewhere."""
        for seed in range(MOST_GAMES):
            scene = cls.of(setup, seed, names=names)
            if scene.goes(wanted):
                return scene
        raise AssertionError("It never is so.")

    @classmethod
    def asking(cls, setup: Setup, choice: Choice) -> "Scene":
        """Returns a game in which somebody is asked for this, from where they sit."""
        scene = cls.where(setup, lambda it: choice in [one.choice for one in it.dealer.choices()])
        scene.seat = next(one.seat for one in scene.dealer.choices() if one.choice is choice)
        scene.look()
        return scene

    # -- what happens

    def tell(self, changes: Sequence[Transition]) -> None:
        for bot in self.bots:
            for change in changes:
                bot.observe(change.item)
        for change in changes:
            if isinstance(change.item, Offer | Withdraw):
                self.model = negotiated(self.model, change.item)
        self.model = happened(self.model, *changes)
        self.look()

    def look(self) -> None:
        """Lets the screen see the game as it is."""
        choices = self.dealer.choices()
        own = next((one.choice for one in choices if one.seat == self.seat), None)
        waiting = tuple(one.seat for one in choices)
        self.model = seen(self.model, self.dealer.view(self.seat), own, waiting)

    def submit(self, move: Input | LoadBag) -> None:
        self.words = self.words + 1 if isinstance(move, Offer | Withdraw) else 0
        self.tell(self.dealer.submit(move))

    def step(self) -> None:
        """Lets one bot do one thing."""
        choices = self.dealer.choices()
        first = choices[0]
        if first.choice is Choice.ACT:
            self.submit(next(self._words_and_acts([one.seat for one in choices])))
        else:
            move = self.bots[first.seat].choose(self.dealer.view(first.seat), first.choice)
            assert move is not None
            self.submit(move)

    def _words_and_acts(self, officers: Sequence[Seat]) -> Iterator[Move | LoadBag]:
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
        assert self.goes(wanted), "The game is over, and it never was so."
        return self

    def goes(self, wanted: Callable[["Scene"], bool]) -> bool:
        """Plays on until this is so, or the game is over; returns whether it is."""
        while not (is_so := wanted(self)) and self.dealer.choices():
            self.step()
        self.model = replace(self.model, reveals=())
        return is_so

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
