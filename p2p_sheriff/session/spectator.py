"""An onlooker: checks every entry as the players do, sees what all of them see, and has nothing to say."""

from p2p_sheriff.rules import Seat, State
from p2p_sheriff.session.happenings import GameEvent, happening
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.terms import setup_of
from protocol.charter import Charter
from protocol.group import Group
from protocol.randomness import Rng
from protocol.table import Table


class Spectator:
    """Somebody without a seat in one game."""

    def __init__(self, charter: Charter, group: Group, rng: Rng) -> None:
        """Takes the game that is watched; ``rng`` mixes the checks of several proofs.

        Raises:
            MalformedError: The charter is not one of this game.
        """
        self.table = Table(charter, Play.begin(charter.game, setup_of(charter), group, rng))
        self.events: list[GameEvent] = []
        """What happened and was not yet taken to be shown."""

    @property
    def play(self) -> Play:
        """The public state, the same on every node."""
        return self.table.game

    @property
    def state(self) -> State:
        """What all may see."""
        return self.play.state

    @property
    def waits_for(self) -> tuple[Seat, ...]:
        """Whose entry the game goes on with."""
        return self.play.hagglers if self.play.is_haggling else tuple(map(Seat, self.table.awaited))

    def receive(self, data: bytes) -> None:
        """Takes an entry from anywhere.

        Raises:
            VerificationError: It is no entry of this game.
        """
        self.events += map(happening, self.table.receive(data))
