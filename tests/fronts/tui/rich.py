"""Screens of deals that are more than a bribe: several who give, a trade, a surety (rule 7.4)."""

from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.rules import Goods, Phase, Seat, Setup
from p2p_sheriff.rules.cards import kinds_of, receiver_of
from p2p_sheriff.rules.moves import Act, Condition, Gift, Offer, Things, Verb
from tests.fronts.tui.scenes import LONG_NAMES, NAMES, Scene, pressed

FOUR = Setup(4)
SIX = Setup(6)
NUMBER = 900
"""Of an offer that no bot makes."""


def _busy(setup: Setup, names: tuple[str, ...] = NAMES) -> Scene:
    """Returns a game in which all bags are closed and every merchant has something on the stall to give."""

    def fits(scene: Scene) -> bool:
        state = scene.dealer.state
        is_full = state.phase is Phase.INSPECT and state.closed_bags == state.merchants
        return is_full and all(state[seat].stall and state[seat].stack for seat in state.merchants)

    return Scene.where(setup, fits, names)


def _of_the_stall(scene: Scene, seat: Seat) -> Goods:
    """Returns one good that lies open there."""
    return ((kinds_of(scene.dealer.state[seat].stall)[0], 1),)


def _read(scene: Scene, offer: Offer, reader: Seat) -> Model:
    """Returns the offer as this player looks at it."""
    scene.seat = reader
    scene.look()
    scene.submit(offer)
    return pressed(scene.model, str(scene.model.numbers[offer.seat, offer.number]))


def _several(scene: Scene) -> Model:
    """Two pay for the bag of one of them, and that one gives the other something for it."""
    state = scene.dealer.state
    owner, friend, *_ = state.closed_bags
    payee = receiver_of(state.officers)
    gifts = (
        Gift(owner, payee, Things(gold=4, stack_blind=1)),
        Gift(friend, payee, Things(gold=3)),
        Gift(owner, friend, Things(stall=_of_the_stall(scene, owner))),
    )
    offer = Offer(owner, NUMBER, state.officers, gifts, (Act(owner, Verb.PASS),), "next time I pay")
    return _read(scene, offer, state.officers[0])


def _deal_several() -> Model:
    return _several(_busy(FOUR))


def _six_several() -> Model:
    return _several(_busy(SIX, LONG_NAMES))


def _deal_trade() -> Model:
    scene = _busy(FOUR)
    state = scene.dealer.state
    one, two, *_ = state.merchants
    gifts = (Gift(one, two, Things(stall=_of_the_stall(scene, one))), Gift(two, one, Things(gold=6)))
    return _read(scene, Offer(one, NUMBER, state.officers, gifts, ()), two)


def _deal_surety() -> Model:
    scene = _busy(FOUR)
    state = scene.dealer.state
    one, two, *_ = state.merchants
    gifts = (Gift(one, state.officers[0], Things(gold=8), Condition.IF_TRUE),)
    return _read(scene, Offer(one, NUMBER, state.officers, gifts, (Act(two, Verb.INSPECT),)), state.officers[0])


def _composing(*keys: str, setup: Setup = FOUR, names: tuple[str, ...] = NAMES) -> Model:
    """Returns an offer about the bag of another merchant, while it is composed."""
    scene = _busy(setup, names)
    scene.seat, other, *_ = scene.dealer.state.closed_bags
    scene.look()
    return pressed(scene.model, f"seat:{other}", "o", *keys)


def _compose_several() -> Model:
    return _composing("m", "3")


def _compose_trade() -> Model:
    return _composing("right", "u", "tab", "down", "right", "m", "u", "4")


def _compose_surety() -> Model:
    return _composing("i")


def _six_compose_several() -> Model:
    return _composing("m", "3", "m", "2", setup=SIX, names=LONG_NAMES)
