"""Every screen of a game, by name: what the saved pictures show, and what no change may break unseen."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.node.compared import game_words
from p2p_sheriff.rules import Card, Choice, Edition, Handle, Phase, Seat, Setup
from p2p_sheriff.seat.picture import Progress
from p2p_sheriff.seat.story import connected, proved, said
from tests.fronts.tui.scenes import LONG_NAMES, Scene
from tests.fronts.tui.spoken import speaking

FOUR = Setup(players=4)
MARKET = Setup(players=4, options=frozenset({"black-market", "royal"}))
FIRST = Setup(players=4, edition=Edition.FIRST)
SIX = Setup(players=6, options=frozenset({"royal", "black-market", "seven"}))
DEPUTIES = Setup(players=6, options=frozenset({"royal"}))
THREE = Setup(players=3)

NOW = 1000.0
SIZES = ((80, 24), (120, 40), (200, 60))


def pressed(model: Model, *keys: str) -> Model:
    """Returns the model after these keys."""
    table = TableScreen(model).at(NOW)
    for key in keys:
        screen, _ = table.press(key)
        assert isinstance(screen, TableScreen)
        table = screen
    return table.model


def _haggling(scene: Scene) -> bool:
    state = scene.dealer.state
    return state.phase is Phase.INSPECT and len(state.offers) >= 2 and scene.seat in state.closed_bags


def _judging(scene: Scene) -> bool:
    state = scene.dealer.state
    return scene.model.choice is Choice.ACT and any(one.offer.seat != scene.seat for one in state.offers)


def _name_first() -> Model:
    return pressed(Scene.of(FOUR, 1).asked(Choice.NAME_FIRST, 2).model, "down")


def _set_aside() -> Model:
    return pressed(Scene.of(FOUR, 1).asked(Choice.SET_ASIDE, 2).model, "2", "4")


def _load() -> Model:
    return pressed(Scene.of(FOUR, 1).asked(Choice.LOAD, 2).model, "2", "4", "5")


def _declare() -> Model:
    return Scene.of(FOUR, 1).asked(Choice.DECLARE, 2).model


def _haggle() -> Model:
    return Scene.of(FOUR, 1).until(_haggling).model


def _compose() -> Model:
    return pressed(_haggle(), "o", "right", "tab", "right")


def _deal() -> Model:
    return pressed(Scene.of(FOUR, 1).until(_judging).model, "1")


def _desk() -> Model:
    return Scene.of(FOUR, 1).until(_judging).model


def _confirm() -> Model:
    return pressed(_desk(), "i")


def _sheriff_asks() -> Model:
    return pressed(_desk(), "o", "pageup")


def _hand_over() -> Model:
    return pressed(Scene.of(MARKET, 3).asked(Choice.HAND_OVER).model, "1")


def _pay_in_kind() -> Model:
    return pressed(Scene.of(MARKET, 1).asked(Choice.PAY_IN_KIND).model, "right")


def _trade() -> Model:
    return pressed(Scene.of(MARKET, 0, seat=2).asked(Choice.TRADE).model, "down")


def _inspected() -> Model:
    return _opening(inspected=True, seconds=1.2)


def _inspected_whole() -> Model:
    return _opening(inspected=True, seconds=2.9)


def _passed() -> Model:
    return _opening(inspected=False, seconds=1.6)


def _opening(*, inspected: bool, seconds: float) -> Model:
    scene = Scene.of(FOUR, 1)
    while True:
        scene.step()
        fits = [one for one in scene.model.reveals if one.inspected is inspected and len(one.cards) >= 4]
        interesting = [one for one in fits if None in one.cards or one.payers == (one.owner,)]
        if interesting:
            model = replace(scene.model, reveals=tuple(interesting))
            return TableScreen(model).at(NOW).at(NOW + seconds).model
        scene.model = replace(scene.model, reveals=())


def _waiting() -> Model:
    scene = Scene.of(FOUR, 1).until(lambda it: it.dealer.state.phase is Phase.MARKET and it.model.choice is None)
    return connected(replace(scene.model, now=NOW), scene.dealer.choices()[0].seat, now=NOW - 83)


def _shuffling() -> Model:
    model = Scene.of(FOUR, 1).model
    return replace(model, choice=None, dialogue=None, progress=Progress("progress.mix", 2, 4), log=())


def _refused() -> Model:
    return pressed(Scene.of(FOUR, 1).asked(Choice.LOAD).model, "x")


def _sending() -> Model:
    return pressed(Scene.of(FOUR, 1).asked(Choice.LOAD).model, "1", "enter")


def _log() -> Model:
    return pressed(Scene.of(FOUR, 1).until(_haggling).model, "g", "pageup")


def _chat() -> Model:
    model = said(Scene.of(FOUR, 1).until(_haggling).model, Seat(2), "I have \x1b[31mnothing\x07 but 🧀 cheese")
    return pressed(model, "t", "W", "e", "l", "l")


def _proofs() -> Model:
    model = replace(Scene.of(FOUR, 1).model, compared=game_words(b"a game"))
    for seat in (0, 1, 2, 3):
        model = proved(model, Seat(seat), ("Shuffles",), 27_431, 0.0834)
        model = proved(model, Seat(seat), ("Shows", "Proves"), 512, 0.0021)
    return pressed(model, "v")


def _piles() -> Model:
    return pressed(Scene.of(MARKET, 1).asked(Choice.LOAD, 4).model, "d")


def _score() -> Model:
    model = Scene.of(MARKET, 1).to_the_end().model
    ending = ("The transcript is in sheriff/2026-11-16-20.41.sheriff.", model.words("end.valid"))
    return replace(model, ending=ending, rematch=True)


def _chart() -> Model:
    return pressed(_score(), "tab")


def _first_take() -> Model:
    return pressed(Scene.of(FIRST, 0).asked(Choice.TAKE_DISCARDS).model, "down", "down")


def _first_lay_down() -> Model:
    return pressed(Scene.of(FIRST, 0).asked(Choice.LAY_DOWN).model, "2", "1", "tab")


def _watching() -> Model:
    model = _desk()
    return Model(model.names, model.words, told=model.told, log=model.log, waiting_for=(Seat(0),))


def _three() -> Model:
    return Scene.of(THREE, 1).asked(Choice.DECLARE, 3).model


def _six_load() -> Model:
    return pressed(Scene.of(SIX, 3, names=LONG_NAMES).asked(Choice.LOAD, 3).model, "2", "4", "7")


def _six_desk() -> Model:
    return Scene.of(SIX, 3, names=LONG_NAMES).asked(Choice.ACT, 3).model


def _six_compose() -> Model:
    scene = Scene.of(SIX, 3, names=LONG_NAMES).until(_haggling)
    return pressed(scene.model, "o", "right", "right", *["down"] * 9, "right")


def _six_deal() -> Model:
    return pressed(Scene.of(SIX, 3, names=LONG_NAMES).until(_haggling).model, "1")


def _six_loot() -> Model:
    return Scene.of(DEPUTIES, 0, seat=5).asked(Choice.PICK_LOOT).model


def _six_score() -> Model:
    return Scene.of(SIX, 3, names=LONG_NAMES).to_the_end().model


def _six_chart() -> Model:
    return pressed(_six_score(), "tab")


def _thirty_cheeses() -> Model:
    model = Scene.of(SIX, 3, names=LONG_NAMES).asked(Choice.LOAD, 3).model
    view = model.view
    assert view is not None
    cheeses = tuple(Card(Handle(10_000 + number), "cheese", Seat(1)) for number in range(30))
    state = view.state.with_player(Seat(1), stall=cheeses, gold=1203)
    return replace(model, view=replace(view, state=state))


GALLERY: Mapping[str, Callable[[], Model]] = {
    name.removeprefix("_"): make
    for name, make in sorted(globals().items())
    if name.startswith("_") and getattr(make, "__annotations__", {}) == {"return": Model}
}
"""How to come to every screen, by its name."""


@cache
def model_of(name: str, language: str = "en") -> Model:
    """Returns what a screen shows; a game is played to it once in every language."""
    with speaking(language):
        return GALLERY[name]()
