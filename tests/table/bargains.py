"""Scripts of players who bargain, and what they have let out of their hands."""

from p2p_sheriff.rules import Handle, Move, Seat, View
from p2p_sheriff.rules.moves import Act as Bargain
from p2p_sheriff.rules.moves import Offer, Pass, Things, Verb
from p2p_sheriff.session.acts import Act, Payload
from tests.table.tables import MERCHANT, OTHER, SHERIFF, Net, Says, Script, of_kind

SECOND_SHERIFF = MERCHANT
"""Who is sheriff in the second round."""
LOYAL = OTHER
"""A merchant in both rounds."""


def bribe(payment: Things, number: int = 0) -> Says:
    """A merchant's offer for letting the own bag pass."""
    return lambda view: Offer.bribe(
        view.seat, number, view.seat, view.state.officers, (Bargain(view.seat, Verb.PASS),), payment
    )


def takes_bribes(view: View) -> Move | None:
    """Lets the next bag pass for what is offered."""
    return Pass(view.seat, view.state.closed_bags[0])


def waits(_view: View) -> Move | None:
    """The sheriff does nothing by itself."""
    return None


def two_silk(view: View) -> tuple[Handle, ...]:
    """In later rounds whatever there is."""
    return of_kind(view, "silk", 2) if view.state.round == 1 else view.me.hand[:1]


def written(net: Net, seat: Seat, kind: type[Act]) -> list[Act]:
    """Returns all acts of a kind that a seat has let out of its hands, as far as any node has them."""
    return [
        act
        for session in net.sessions
        for signed in session.table.transcript.chains[seat]
        if signed.entry.step is not None
        for act in Payload.from_value(signed.entry.payload).acts
        if isinstance(act, kind)
    ]


def in_the_second_round(payment: Things) -> dict[Seat, Script]:
    """In the first round a merchant gets two cards past the sheriff, and offers something in the second."""

    def offer(view: View) -> Move | None:
        return bribe(payment)(view) if view.state.round == 2 else None

    return {
        SHERIFF: Script(rounds=2),
        SECOND_SHERIFF: Script(rounds=2, acts=takes_bribes),
        LOYAL: Script(rounds=2, bag=two_silk, says=[offer]),
    }
