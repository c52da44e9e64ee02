"""Every screen of a game, by name: what the saved pictures show, and what no change may break unseen."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from p2p_sheriff.fronts.tui.desk import in_view
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.node.compared import game_words
from p2p_sheriff.rules import Card, Choice, Edition, Handle, Phase, Seat, Setup, legal_moves
from p2p_sheriff.rules.bounds import OfferBounds
from p2p_sheriff.rules.moves import Accept, Act, Apart, Offer, ShareLoot, Stance, Things, Verb
from p2p_sheriff.seat.picture import Progress, Timer
from p2p_sheriff.seat.sharing import split_of
from p2p_sheriff.seat.story import connected, proved, said
from tests.fronts.tui import band, rich
from tests.fronts.tui.scenes import LONG_NAMES, NOW, Scene, pressed
from tests.fronts.tui.spoken import speaking

FOUR = Setup(players=4)
MARKET = Setup(players=4, options=frozenset({"black-market", "royal"}))
TIMED = Setup(players=4, options=frozenset({"timer", "black-market", "royal"}))
FIRST = Setup(players=4, edition=Edition.FIRST)
SIX = Setup(players=6, options=frozenset({"royal", "black-market", "seven"}))
DEPUTIES = Setup(players=6, options=frozenset({"royal"}))
THREE = Setup(players=3)

SIZES = ((80, 24), (120, 40), (200, 60))


def _haggling(scene: Scene) -> bool:
    state = scene.dealer.state
    return state.phase is Phase.INSPECT and len(state.offers) >= 2 and scene.seat in state.closed_bags


def _haggles(scene: Scene) -> bool:
    return scene.dealer.state.phase is Phase.INSPECT and scene.seat in scene.dealer.state.closed_bags


def _with_stacks(scene: Scene) -> list[Seat]:
    """Returns whose bag is haggled about, and who could give face-down cards for it."""
    state = scene.dealer.state
    bags = state.closed_bags if state.phase is Phase.INSPECT else ()
    return [seat for seat in bags if state[seat].stack and state.bag_of(seat).alone is None]


def _give_unseen(scene: Scene, giver: Seat, gold: int = 0) -> None:
    """Lets somebody give a face-down card for their bag to pass, and all officers take it."""
    state = scene.dealer.state
    all_bounds = [one for one in legal_moves(state, giver) if isinstance(one, OfferBounds)]
    bounds = next(one for one in all_bounds if (one.giver, one.officers) == (giver, state.officers))
    acts = (Act(giver, Verb.PASS),)
    scene.submit(Offer.bribe(giver, bounds.number, giver, state.officers, acts, Things(gold, stack_blind=1)))
    for officer in state.officers:
        scene.submit(Accept(officer, giver, bounds.number))


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


def _timer() -> Model:
    """Haggling against the clock, before a bot that leaves the own bag open for a while."""
    model = Scene.of(TIMED, 1).until(_haggling).model
    assert model.seat is not None
    return replace(model, now=NOW, timer=Timer(1, NOW + 161.9), open_until={model.seat: NOW + 24.9})


def _timer_stands() -> Model:
    return replace(_timer(), timer=Timer(1, NOW + 161.9, stands_since=NOW))


def _compose() -> Model:
    return pressed(_haggle(), "o", "right", "tab", "right")


def _deal() -> Model:
    return _reading(_desk())


def _reading(model: Model) -> Model:
    """Returns the model with the first offer of the list open."""
    offer = in_view(model.mine)[0].offer
    return pressed(model, str(model.numbers[offer.seat, offer.number]))


def _desk() -> Model:
    return Scene.of(FOUR, 1).until(_judging).model


def _desk_bribed() -> Model:
    model = _desk()
    bribed = next(one.offer.seat for one in model.mine.state.offers if one.offer.seat != model.seat)
    return pressed(model, f"seat:{bribed}")


def _confirm() -> Model:
    return pressed(_desk(), "i")


def _sheriff_asks() -> Model:
    return pressed(_desk(), "o", "pageup")


def _hand_over() -> Model:
    scene = Scene.of(MARKET, 3).until(lambda it: _haggles(it) and len(it.dealer.view(it.seat).stack) >= 2)
    _give_unseen(scene, scene.seat)
    return pressed(scene.asked(Choice.HAND_OVER).model, "1")


def _pay_in_kind() -> Model:
    return pressed(Scene.asking(MARKET, Choice.PAY_IN_KIND).model, "right")


def _trade() -> Model:
    return pressed(Scene.asking(MARKET, Choice.TRADE).model, "down")


def _inspected() -> Model:
    return _opening(inspected=True, seconds=1.2)


def _inspected_whole() -> Model:
    return _opening(inspected=True, seconds=2.9)


def _summary() -> Model:
    model = Scene.of(FOUR, 1).asked(Choice.SET_ASIDE, 2).model
    ended = tuple(one for one in model.rounds if one.is_over)
    return TableScreen(replace(model, summaries=ended[-1:])).at(NOW).model


def _past() -> Model:
    return pressed(replace(_load(), bots={Seat(1): "shrewd"}), "h", "right")


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
    path = "/home/robin/.local/share/p2p-sheriff/default/2026-11-16-Robin-Marian-Tuck-Much.sheriff"
    ending = (model.words.texts("seat.transcript", path=path), model.words("end.valid"))
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
    scene = Scene.where(SIX, _haggling, LONG_NAMES)
    return pressed(scene.model, "o", "right", "right", *["down"] * 9, "right")


def _six_deal() -> Model:
    return _reading(Scene.where(SIX, _haggling, LONG_NAMES).model)


def _deputies() -> Model:
    """One deputy would let a bag pass for an offer, the other one, who is looked at, wants to open it."""
    scene = Scene.where(DEPUTIES, lambda it: len(it.dealer.state.closed_bags) == 4)
    first, second = scene.dealer.state.officers
    one, two, *_ = scene.dealer.state.closed_bags
    for bag in (one, two):
        offer = Offer.bribe(bag, 7, bag, (first, second), (Act(bag, Verb.PASS),), Things(8))
        scene.submit(offer)
        scene.submit(Accept(first, *offer.name))
    scene.submit(Stance(second, one, Verb.INSPECT))
    scene.submit(Stance(first, two, Verb.PASS))
    scene.seat = second
    scene.look()
    return scene.model


def _deputies_apart() -> Model:
    return pressed(_deputies(), "l")


def _deputies_alone() -> Model:
    scene = Scene.where(DEPUTIES, lambda it: len(it.dealer.state.closed_bags) == 4)
    first, second = scene.dealer.state.officers
    bag = scene.dealer.state.closed_bags[0]
    for move in (Stance(first, bag, Verb.PASS), Stance(second, bag, Verb.INSPECT), Apart(first, bag)):
        scene.submit(move)
    scene.seat = second
    scene.look()
    return scene.model


def _sharing() -> Scene:
    """Two deputies have gold and face-down cards to share."""
    scene = Scene.where(DEPUTIES, lambda it: len(_with_stacks(it)) >= 2)
    for giver in _with_stacks(scene)[:2]:
        scene.until(lambda it: it.dealer.choices()[0].choice is Choice.ACT)
        _give_unseen(scene, giver, gold=5)
    return _asked_of(scene, Choice.SHARE_LOOT)


def _asked_of(scene: Scene, choice: Choice) -> Scene:
    """Plays on until somebody is asked this, and looks from where they sit."""
    scene.until(lambda it: it.dealer.choices()[0].choice is choice)
    scene.seat = scene.dealer.choices()[0].seat
    scene.look()
    return scene


def _six_loot() -> Model:
    return pressed(_sharing().model, "down", "right", "right")


def _six_loot_answer() -> Model:
    scene = _sharing()
    loot = scene.dealer.state.loot
    scene.submit(ShareLoot(scene.seat, split_of(loot, loot.gold - 2, {None: 1})))
    return _asked_of(scene, Choice.SHARE_LOOT).model


def _six_loot_pick() -> Model:
    scene = _sharing()
    scene.submit(ShareLoot(scene.seat))
    return _asked_of(scene, Choice.PICK_LOOT).model


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
    for name, make in sorted({**globals(), **vars(band), **vars(rich)}.items())
    if name.startswith("_") and getattr(make, "__annotations__", {}) == {"return": Model}
}
"""How to come to every screen, by its name."""


@cache
def model_of(name: str, language: str = "en") -> Model:
    """Returns what a screen shows; a game is played to it once in every language."""
    with speaking(language):
        return GALLERY[name]()
