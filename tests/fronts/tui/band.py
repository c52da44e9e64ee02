"""Screens of games with laws, special orders and merry men."""

from dataclasses import replace

from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Choice, Phase, Setup
from p2p_sheriff.rules.law import bag_limits
from p2p_sheriff.rules.steps import AskDiscard
from p2p_sheriff.seat.ways import ways
from p2p_sheriff.texts import ENGLISH
from tests.fronts.tui.scenes import NOW, Scene, pressed

OPTIONS = frozenset({"orders", "laws", "merry-men"})
FOUR = Setup(4, options=OPTIONS)
FIVE = Setup(5, options=OPTIONS | {"royal", "black-market"})
SIX = Setup(6, options=OPTIONS)


def asking(setup: Setup, choice: Choice, man: str = "", *, round_: int = 1, swap: bool = False) -> Scene:
    """Returns a game in which somebody is asked this and has a choice, from where they sit; of this merry man."""

    def fits(scene: Scene) -> bool:
        state = scene.dealer.state
        asked = next((one for one in scene.dealer.choices() if one.choice is choice), None)
        if asked is None or state.round < round_:
            return False
        bag, step = state[asked.seat].bag, state.todo[0]
        if man and (bag is None or bag.man_name != man):
            return False
        listed = ways(scene.dealer.view(asked.seat), choice, ENGLISH, str)
        return len(listed) != 1 and (not isinstance(step, AskDiscard) or step.swap == swap)

    scene = Scene.where(setup, fits)
    scene.seat = next(one.seat for one in scene.dealer.choices() if one.choice is choice)
    scene.look()
    return scene


def _laws_first() -> Model:
    return pressed(asking(FOUR, Choice.LAY_LAWS).model, "2")


def _laws_second() -> Model:
    return pressed(asking(FOUR, Choice.LAY_LAWS).model, "2", "enter", "down", "enter")


def _laws_later() -> Model:
    return pressed(asking(FOUR, Choice.LAY_LAWS, round_=3).model, "2")


def _man_kept() -> Model:
    return pressed(asking(FOUR, Choice.KEEP_MAN).model, "2")


def _man_loaded() -> Model:
    def has_man(scene: Scene) -> bool:
        is_time = scene.model.choice is Choice.LOAD and scene.dealer.state.round > 1
        return is_time and scene.model.mine.man is not None

    model = Scene.where(FOUR, has_man).model
    last = len(model.mine.me.hand) + 1
    least, _ = bag_limits(model.mine.state, model.mine.seat)
    return pressed(model, *(str(place) for place in range(1, least + 1)), str(last))


def _man_declared() -> Model:
    def stowed(scene: Scene) -> bool:
        view = scene.dealer.view(scene.seat)
        return scene.model.choice is Choice.DECLARE and bool(set(view.me.men) & set(view.knowledge.bag))

    return Scene.where(FOUR, stowed).model


def _man_robin() -> Model:
    return pressed(asking(FOUR, Choice.SEND, "Robin Hood").model, "2")


def _man_john() -> Model:
    return pressed(asking(FOUR, Choice.SEND, "Little John").model, "2", "enter")


def _man_scarlet() -> Model:
    return asking(FOUR, Choice.SEND, "Will Scarlet", round_=3).model


def _man_roger() -> Model:
    return asking(FOUR, Choice.SEND, "Roger the cook", round_=3).model


def _man_deputies() -> Model:
    return asking(SIX, Choice.SEND, "Richard at the Lee").model


def _man_got_in() -> Model:
    scene = Scene.of(FOUR, 1)
    while not (fits := [one for one in scene.model.reveals if one.man and not one.inspected]):
        scene.model = replace(scene.model, reveals=())
        scene.step()
    return TableScreen(replace(scene.model, reveals=tuple(fits))).at(NOW).at(NOW + 1.4).model


def _man_caught() -> Model:
    scene = Scene.of(FOUR, 1)
    while not (fits := [one for one in scene.model.reveals if one.man and one.inspected]):
        scene.model = replace(scene.model, reveals=())
        scene.step()
    return TableScreen(replace(scene.model, reveals=tuple(fits))).at(NOW).at(NOW + 2.9).model


def _orders_filled() -> Model:
    return asking(FOUR, Choice.FILL_ORDERS, round_=3).model


def _stash() -> Model:
    return asking(FOUR, Choice.LAY_OUT).model


def _discarding() -> Model:
    return pressed(asking(FOUR, Choice.DISCARD).model, "1")


def _swapping() -> Model:
    return pressed(asking(FOUR, Choice.DISCARD, swap=True).model, "right", "down")


def _reordering() -> Model:
    return pressed(asking(FOUR, Choice.REORDER).model, "enter")


def _modules_desk() -> Model:
    def busy(scene: Scene) -> bool:
        state = scene.dealer.state
        return (
            state.phase is Phase.INSPECT
            and bool(state.offers)
            and state.round >= 4
            and state[scene.seat].bag is not None
        )

    return Scene.where(FOUR, lambda it: busy(it) and any(one.orders for one in it.dealer.state.players)).model


def _modules_middle() -> Model:
    return pressed(asking(FOUR, Choice.LOAD, round_=4).model, "d")


def _modules_five() -> Model:
    return pressed(asking(FIVE, Choice.LOAD, round_=4).model, "2")


def _modules_six() -> Model:
    return pressed(asking(SIX, Choice.LOAD, round_=4).model, "2")


def _modules_score() -> Model:
    return Scene.of(FOUR, 1).to_the_end().model
