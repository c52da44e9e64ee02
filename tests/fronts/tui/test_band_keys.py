"""What keys come to in games with laws, special orders and merry men."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from p2p_sheriff.fronts.tui.choosing import Choosing
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Choice, Edition, LoadBag, Move, Phase, Setup, legal_moves
from p2p_sheriff.rules.law import bag_limits
from p2p_sheriff.rules.moves import Declare, Discard, FillOrders, KeepMan, LayLaws, LayOut, Offer, Reorder, UseMan
from p2p_sheriff.rules.steps import AskDiscard
from p2p_sheriff.seat.picture import Timer
from p2p_sheriff.seat.printed import law_text, orders_text
from p2p_sheriff.seat.ways import LISTED, ways
from p2p_sheriff.texts import ENGLISH, LANGUAGES
from tests.fronts.tui.band import FOUR, OPTIONS, asking
from tests.fronts.tui.gallery import model_of
from tests.fronts.tui.pressing import intents_of, played
from tests.fronts.tui.scenes import NOW, Scene, pressed
from tests.fronts.tui.spoken import speaking
from tests.fronts.tui.strict import FittingCanvas

ANSWERED = {*LISTED, Choice.DISCARD, Choice.LOAD, Choice.DECLARE}
PLAIN = Setup(4)
ASKED = -2
"""The line of a screen that says what is asked."""


def text_of(model: Model, width: int = 80, height: int = 24) -> str:
    canvas = FittingCanvas(width, height)
    TableScreen(model).draw(canvas)
    return canvas.to_text()


# -- one thing after the other


def test_every_reply_is_reached_by_digits_and_enter() -> None:
    for choice in LISTED:
        model = asking(FOUR, choice).model
        wanted = {reply.move for reply in ways(model.mine, choice, ENGLISH, model.name)}
        assert set(_reached(model)) == wanted


def _reached(model: Model) -> Iterator[Move]:
    """Yields what every line of a dialogue comes to."""
    dialogue = model.dialogue
    assert isinstance(dialogue, Choosing)
    for row in range(len(dialogue._rows)):
        after, intents = TableScreen(pressed(model, *["down"] * row)).press("enter")
        if intents:
            (move,) = intents
            assert isinstance(move, Move)
            yield move
        else:
            assert isinstance(after, TableScreen)
            yield from _reached(after.model)


def test_two_laws_are_laid_in_the_order_in_which_they_are_chosen() -> None:
    model = asking(FOUR, Choice.LAY_LAWS).model
    first, second, third = model.mine.state.drawn_laws
    seat = model.mine.seat
    assert played(intents_of(model, "3", "enter", "1", "enter", "enter")) == LayLaws(seat, (third, first))
    shown = played(intents_of(model, "1", "enter", "1", "enter", "2", "enter"))
    assert shown == LayLaws(seat, (first, second), shown=True)


def test_escape_goes_back_to_what_was_chosen_before_and_nothing_is_sent() -> None:
    model = asking(FOUR, Choice.LAY_LAWS).model
    assert pressed(model, "3", "enter", "2", "enter", "escape", "escape").dialogue == pressed(model, "3").dialogue
    assert pressed(model, "3", "enter", "backspace").dialogue == pressed(model, "3").dialogue
    assert not intents_of(model, "3", "enter", "escape")


def test_a_digit_without_a_line_is_refused_and_changes_nothing() -> None:
    model = asking(FOUR, Choice.KEEP_MAN).model
    after = pressed(model, "9")
    assert after.notice is not None
    assert after.notice.text == "There is no line 9."
    assert after.dialogue == model.dialogue


def test_clicks_choose_and_a_second_click_on_the_same_line_answers() -> None:
    model = asking(FOUR, Choice.KEEP_MAN).model
    men = model.mine.me.men
    assert not intents_of(model, "row:1")
    assert played(intents_of(model, "row:1", "row:1")) == KeepMan(model.mine.seat, men[1])


def test_what_nothing_comes_of_is_the_last_line() -> None:
    model = asking(FOUR, Choice.FILL_ORDERS).model
    assert played(intents_of(model, "end", "enter")) == FillOrders(model.mine.seat)
    model = asking(FOUR, Choice.LAY_OUT).model
    assert played(intents_of(model, "end", "enter")) == LayOut(model.mine.seat)
    model = asking(FOUR, Choice.SEND, "Robin Hood").model
    assert played(intents_of(model, "end", "enter")) == UseMan(model.mine.seat, use=False)


def test_the_order_of_the_deck_is_chosen_from_the_top() -> None:
    model = asking(FOUR, Choice.REORDER).model
    move = played(intents_of(model, "enter") or intents_of(model, "enter", "enter"))  # Two cards may be alike.
    assert isinstance(move, Reorder)
    assert move.handles[0] == model.mine.me.peeked[0]


# -- cards


def test_the_own_merry_man_is_a_card_of_the_bag_that_can_t_travel_alone() -> None:
    model = asking(FOUR, Choice.LOAD).model
    view = model.mine
    least, _ = bag_limits(view.state, view.seat)
    last = str(len(view.me.hand) + 1)
    alone = pressed(model, last, "enter")
    assert alone.notice is not None
    assert alone.notice.refused
    goods = [str(place) for place in range(1, max(1, least - 1) + 1)]
    bag = played(intents_of(model, *goods, last, "enter"))
    assert isinstance(bag, LoadBag)
    assert bag.handles[-1] == view.me.men[0]


def test_what_the_merry_man_does_is_told_before_he_is_chosen_and_what_he_costs_after_that() -> None:
    model = asking(FOUR, Choice.LOAD).model
    over = pressed(model, "end")
    assert ENGLISH(f"men.{model.mine.man}") in " ".join(text_of(over, 120, 40).split())
    chosen = pressed(model, "1", str(len(model.mine.me.hand) + 1))
    assert "a lie" in text_of(chosen)


def test_a_bag_with_a_merry_man_is_declared_with_him_as_one_card() -> None:
    def stowed(scene: Scene) -> bool:
        view = scene.dealer.view(scene.seat)
        return scene.model.choice is Choice.DECLARE and bool(set(view.me.men) & set(view.knowledge.bag))

    model = Scene.where(FOUR, stowed).model
    move = played(intents_of(model, "enter"))
    assert isinstance(move, Declare)
    assert move.count == len(model.mine.bag) + 1


def test_cards_are_discarded_as_many_as_is_asked_for() -> None:
    model = asking(FOUR, Choice.DISCARD).model
    step = model.mine.state.todo[0]
    assert isinstance(step, AskDiscard)
    wanted = [str(place) for place in range(1, step.count + 1)]
    few = pressed(model, *wanted[1:], "enter")
    assert few.notice is not None
    assert few.notice.refused
    move = played(intents_of(model, *wanted, "enter"))
    assert isinstance(move, Discard)
    assert len(move.cards) == step.count


def test_a_swap_is_even_or_none_and_more_than_is_allowed_is_refused() -> None:
    model = asking(FOUR, Choice.DISCARD, swap=True).model
    view = model.mine
    assert played(intents_of(model, "enter")) == Discard(view.seat)
    one_sided = pressed(model, "right", "enter")
    assert one_sided.notice is not None
    assert one_sided.notice.text == "Give 2 and take 2, or nothing at all"
    too_many = pressed(model, *["right"] * 2, "down", *["right"] * 2, "down", "right")
    assert too_many.notice is not None
    assert too_many.notice.refused
    kinds = len({card.kind for card in view.hand})
    give = ["right", "down", "right"] if kinds > 1 else ["right", "right"]
    steps = [*give, *["down"] * (kinds - (1 if kinds > 1 else 0))]
    move = played(intents_of(model, *steps, "right", "right", "enter"))
    assert isinstance(move, Discard)
    assert (len(move.cards), len(move.taken)) == (2, 2)


# -- what laws forbid


def _under(scene: Scene, law: str) -> Model:
    """Returns the screen of somebody who sees the same under this law."""
    scene.dealer.state = scene.dealer.state.but(laws=(law,))
    scene.look()
    return scene.model


def test_under_no_coin_an_offer_begins_without_gold_and_a_coin_is_refused_by_law() -> None:
    def haggles(scene: Scene) -> bool:
        return scene.dealer.state.phase is Phase.INSPECT and scene.seat in scene.dealer.state.closed_bags

    scene = Scene.where(PLAIN, haggles)
    model = _under(scene, "no coin")
    composing = pressed(model, "o")
    assert "no coin" in text_of(composing)
    more = pressed(composing, "right")
    assert more.notice is not None
    assert more.notice.text == "By law no deal may move gold."
    sent = [one for one in intents_of(model, "o", "enter") if isinstance(one, Offer)]
    assert all(offer.gift.things.gold == 0 for offer in sent)


def test_under_duty_and_mercy_the_last_bag_says_what_the_law_leaves_and_refuses_the_other_key() -> None:
    scene = Scene.where(PLAIN, lambda it: it.model.choice is Choice.ACT and len(it.dealer.state.closed_bags) == 1)
    scene.dealer.state = scene.dealer.state.but(acts=())
    for law, key, left in (("duty", "p", "i"), ("mercy", "i", "p")):
        model = _under(scene, law)
        assert law_text(ENGLISH, law, scene.dealer.state) in " ".join(text_of(model).split())
        refused = pressed(model, key)
        assert refused.notice is not None
        assert refused.notice.text == "By law this can't be done with the last bag."
        assert pressed(model, left).overlay is not None


def test_a_law_that_the_header_has_no_room_for_is_counted_there() -> None:
    six = Setup(6, options=frozenset({"laws", "timer"}))
    scene = Scene.where(six, lambda it: it.dealer.state.phase is Phase.INSPECT)
    laws = ("sheriff's private stash", "forced chicken sale")
    for count, told in ((1, f"{laws[0]} · deck 151"), (2, f"{laws[0]} · +1 (d)")):
        scene.dealer.state = scene.dealer.state.but(laws=laws[:count])
        scene.look()
        timed = replace(scene.model, timer=Timer(scene.model.round, scene.model.now + 238))
        header = text_of(timed).split("\n")[0]
        assert header.rstrip().endswith(f"  {told}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["modules_six", "man_deputies", "modules_desk", "modules_five"])
def test_orders_that_have_no_line_are_counted_in_the_header_with_the_key_that_shows_them(
    name: str, language: str
) -> None:
    model = model_of(name, language)
    text, words, orders = text_of(model), model.words, model.mine.state.orders
    counted = f"{words('player.orders_short', n=len(orders))} (d) "
    header = text.split("\n")[0]
    assert orders
    # Where even that has no room, it is among what is left out.
    assert (counted in header or bool(re.search(r" \+[12] \(d\) ", header))) is (
        f" {words('board.orders')} " not in text
    )
    assert orders_text(words.texts, orders[:1]) in " ".join(text_of(pressed(model, "d")).split())


def test_the_widow_s_son_halves_what_a_true_bag_would_cost_before_it_is_opened() -> None:
    scene = Scene.where(PLAIN, lambda it: it.model.choice is Choice.ACT)
    owner = scene.dealer.state.closed_bags[0]
    name, full = scene.model.name(owner), 2 * (scene.dealer.state.bag_of(owner).count or 0)
    assert f"you pay {name} {full}." in " ".join(text_of(pressed(scene.model, "i")).split())
    scene.dealer.state = scene.dealer.state.with_player(scene.seat, halves=True)
    scene.look()
    assert f"you pay {name} {full // 2}." in " ".join(text_of(pressed(scene.model, "i")).split())


# -- what is on the table


def test_drawn_laws_and_men_of_others_are_on_nobody_else_s_screen() -> None:
    scene = asking(FOUR, Choice.LAY_LAWS)
    own = scene.dealer.view(scene.seat).knowledge.kinds
    drawn = [ENGLISH(f"laws.{own[handle]}") for handle in scene.dealer.state.drawn_laws]
    assert all(name in text_of(scene.model) for name in drawn)
    man = scene.dealer.view(scene.seat).man
    for seat in scene.dealer.state.merchants:
        scene.seat = seat
        scene.look()
        for keys in ((), ("d",)):
            text = text_of(pressed(scene.model, *keys), 200, 60)
            assert not [name for name in drawn if name in text]
            assert man is not None
            assert ENGLISH(f"men.{man}") not in text


def test_laws_orders_and_who_has_a_merry_man_are_seen_while_others_choose() -> None:
    scene = asking(FOUR, Choice.LOAD, round_=3)
    text = text_of(replace(scene.model, choice=None, dialogue=None))
    assert all(ENGLISH(f"laws.{law}") in text for law in scene.dealer.state.laws)
    assert "Orders: " in text
    assert "merry man" in text


# -- whole games


def _answer(model: Model, rng: Random) -> Move | LoadBag | None:
    """Presses keys at random until they come to an answer; only those that the screen offers."""
    table = TableScreen(replace(model, is_new=False)).at(NOW)
    for _ in range(400):
        dialogue = table.model.dialogue
        assert dialogue is not None
        keys = [str(number) for number in range(1, 10)] + ["down", "right", "left", "escape"]
        key = "enter" if rng.random() < 0.3 else rng.choice(keys)
        screen, intents = table.press(key)
        assert isinstance(screen, TableScreen)
        table = screen
        if intents:
            (move,) = intents
            assert isinstance(move, Move | LoadBag)
            return move
    return None


def test_whole_games_with_all_modules_are_played_by_keys() -> None:
    answered = Counter[Choice]()
    for players, edition in product((3, 4, 5, 6), Edition):
        scene, rng = Scene.of(Setup(players, edition, OPTIONS), players), Random(players)
        while scene.dealer.choices():
            choice = scene.model.choice
            if choice in ANSWERED and (move := _answer(scene.model, rng)) is not None:
                scene.submit(move)
                answered[choice] += 1
            else:
                scene.step()
            scene.model = replace(scene.model, reveals=(), sending=False)
        assert scene.dealer.state.phase is Phase.OVER
    assert {Choice.LAY_LAWS, Choice.KEEP_MAN, Choice.SEND, Choice.LOAD} <= set(answered)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_with_all_modules_is_shown(language: str) -> None:
    with speaking(language):
        scene = Scene.of(FOUR, 1)
    while scene.dealer.choices():
        scene.step()
        scene.model = replace(scene.model, reveals=())
        text = text_of(scene.model)
        assert "{" not in text
        assert "…" not in text.split("\n")[ASKED]
    assert legal_moves(scene.dealer.state, scene.seat) == ()
