"""What a screen of a game shows of what its node tells: the same for who plays and for who looks on."""

from collections.abc import Sequence

from p2p_sheriff.fronts.tui import story
from p2p_sheriff.fronts.tui.model import Model, Progress
from p2p_sheriff.node.events import Checked, NodeEvent, PeerDown, PeerUp
from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.moves import Accept, Offer, Withdraw
from p2p_sheriff.session.happenings import Happened, Negotiated, Said
from p2p_sheriff.session.play import Play
from protocol.faults import Fault
from protocol.identity import PublicIdentity


def after_event(model: Model, event: NodeEvent, players: Sequence[PublicIdentity], now: float) -> Model:
    """Returns what is shown after an event; the players are by seat."""
    match event:
        case Happened(_, inputs):
            return story.happened(model, *inputs)
        case Negotiated(Offer() | Withdraw() | Accept() as move):
            return story.negotiated(model, move)
        case Said(seat, text):
            return story.said(model, Seat(seat), text)
        case Fault():
            return story.broke(model, Seat(event.seat), event.reason)
        case Checked(seat, what, size, seconds):
            return story.proved(model, Seat(seat), what, size, seconds)
        case PeerDown(identity) if identity in players:
            return story.connected(model, Seat(players.index(identity)), now=now)
        case PeerUp(identity) if identity in players:
            return story.connected(model, Seat(players.index(identity)), now=None)
        case _:
            return model


def progress_of(play: Play) -> Progress | None:
    """Returns how far the work is that goes around the table, if any does."""
    passing = play.passing
    return None if passing is None else Progress(f"progress.{passing.name}", passing.done, passing.of)
