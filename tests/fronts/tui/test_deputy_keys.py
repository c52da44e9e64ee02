"""Keys of two deputies: what they say about bags, and how they share the Loot (rules 10.3 to 10.5)."""

from dataclasses import replace

import pytest

from p2p_sheriff.fronts.tui.composing import Composer
from p2p_sheriff.fronts.tui.ledger import Short, details
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.screen import draw
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Choice, Ending, Seat, State
from p2p_sheriff.rules.facts import Left
from p2p_sheriff.rules.moves import Accept, Act, Apart, Inspect, Offer, Pass, ShareLoot, Split, Stance, Things, Verb
from p2p_sheriff.seat.intents import PassTheRest
from p2p_sheriff.seat.printed import law_text
from p2p_sheriff.texts import ENGLISH
from tests.fronts.tui.gallery import DEPUTIES, model_of
from tests.fronts.tui.pressing import intents_of, played
from tests.fronts.tui.scenes import Scene, pressed


def state_of(model: Model) -> State:
    return model.mine.state


def bag_of(model: Model, place: int) -> Seat:
    return state_of(model).closed_bags[place]


def at_bag(model: Model, place: int) -> Model:
    return pressed(model, f"seat:{bag_of(model, place)}")


def shown_keys(model: Model) -> list[str]:
    assert model.dialogue is not None
    return [key for key, _ in model.dialogue.keys(model)]


def told(model: Model) -> str:
    assert model.notice is not None
    return model.notice.text


def second_line(model: Model, seat: Seat, *, short: bool = False) -> str:
    pieces = details(model, state_of(model), seat, Short.STACK if short else Short.NOT)
    return "".join(piece if isinstance(piece, str) else piece[1] for piece in pieces)


def prompt_of(model: Model) -> str:
    assert model.overlay is not None
    return model.overlay.prompt(model)


def seen_by(scene: Scene, seat: Seat) -> Model:
    scene.seat = seat
    scene.look()
    return scene.model


def composed(model: Model) -> Composer:
    composer = pressed(model, "o").overlay
    assert isinstance(composer, Composer)
    return composer


@pytest.fixture
def model() -> Model:
    return model_of("deputies")


def test_where_six_play_it_is_said_that_deputies_keep_their_hand(model: Model) -> None:
    text = draw(TableScreen(model), 120, 40, model.words).to_text()
    assert "Your hand (deputies keep it this round)" in text


# -- words about a bag


def test_r10_4_to_let_pass_is_to_accept_the_owners_offer_and_for_nothing_is_a_word_of_its_own(model: Model) -> None:
    me, bag = model.mine.seat, bag_of(model, 1)
    at = at_bag(model, 1)
    assert played(intents_of(at, "p", "enter")) == Accept(me, bag, 7)
    assert played(intents_of(at, "n", "enter")) == Stance(me, bag, Verb.PASS)
    assert played(intents_of(at, "i", "enter")) == Stance(me, bag, Verb.INSPECT)


def test_r10_4_where_nothing_is_offered_to_let_pass_is_for_nothing(model: Model) -> None:
    at = at_bag(model, 2)
    assert played(intents_of(at, "p", "enter")) == Stance(model.mine.seat, bag_of(model, 2), Verb.PASS)
    assert "n" not in shown_keys(at)


def test_r10_4_a_word_says_before_it_is_said_that_the_same_of_the_other_makes_it_final(model: Model) -> None:
    for keys, final in (("i", "confirm.both"), ("p", "confirm.both"), ("n", "confirm.both_now")):
        asked = pressed(at_bag(model, 1), keys).overlay
        assert asked is not None
        assert model.words(final) in getattr(asked, "details", ())


def test_r10_4_a_word_that_the_other_deputy_has_said_is_asked_about_as_done_at_once() -> None:
    scene = Scene.where(DEPUTIES, lambda it: len(it.dealer.state.closed_bags) == 4)
    first, second = scene.dealer.state.officers
    opened, passed = scene.dealer.state.closed_bags[:2]
    scene.submit(Offer.bribe(passed, 7, passed, scene.dealer.state.officers, (Act(passed, Verb.PASS),), Things(8)))
    scene.submit(Stance(first, opened, Verb.INSPECT))
    scene.submit(Accept(first, passed, 7))
    model = seen_by(scene, second)
    for bag, key, says in (
        (opened, "i", "both_now"),
        (opened, "p", "both"),
        (passed, "p", "both_now"),
        (passed, "n", "both"),
    ):
        asked = pressed(model, f"seat:{bag}", key).overlay
        assert model.words(f"confirm.{says}") in getattr(asked, "details", ())


def test_r10_3_a_deputy_sees_what_a_true_bag_costs_before_saying_that_it_be_opened(model: Model) -> None:
    bag = bag_of(model, 2)
    declared = state_of(model).bag_of(bag)
    fine = state_of(model).setup.table[declared.kind or ""].fine * (declared.count or 0)
    asked = pressed(at_bag(model, 2), "i").overlay
    assert f"If it is true, each of you pays {model.name(bag)} half of {fine}." in getattr(asked, "details", ())


def test_r10_4_apart_can_be_said_while_they_differ_by_either_and_names_who_goes_on_alone(model: Model) -> None:
    at = at_bag(model, 0)
    assert played(intents_of(at, "l", "enter")) == Apart(model.mine.seat, bag_of(model, 0))
    assert "Go on alone" in prompt_of(pressed(at, "l"))
    assert "l" in shown_keys(at)
    assert "l" not in shown_keys(at_bag(model, 1))
    assert told(pressed(at_bag(model, 1), "l")) == model.words("desk.not_now")


def test_r10_4_who_would_let_it_pass_leaves_it_to_the_other_deputy() -> None:
    scene = Scene.where(DEPUTIES, lambda it: len(it.dealer.state.closed_bags) == 4)
    first, second = scene.dealer.state.officers
    bag = scene.dealer.state.closed_bags[0]
    scene.submit(Stance(first, bag, Verb.INSPECT))
    scene.submit(Stance(second, bag, Verb.PASS))
    at = pressed(seen_by(scene, second), f"seat:{bag}", "l")
    assert f"to {scene.model.name(first)} alone" in prompt_of(at)
    assert played(intents_of(at, "enter")) == Apart(second, bag)


def test_r10_3_who_acts_alone_decides_like_a_sheriff_and_the_other_has_no_say() -> None:
    scene = Scene.where(DEPUTIES, lambda it: len(it.dealer.state.closed_bags) == 4)
    first, second = scene.dealer.state.officers
    bag = scene.dealer.state.closed_bags[0]
    for move in (Stance(first, bag, Verb.PASS), Stance(second, bag, Verb.INSPECT), Apart(first, bag)):
        scene.submit(move)
    alone = pressed(seen_by(scene, second), f"seat:{bag}")
    assert played(intents_of(alone, "i", "enter")) == Inspect(second, bag)
    assert played(intents_of(alone, "p", "enter")) == Pass(second, bag)
    assert composed(alone).officers == (second,)
    other = pressed(seen_by(scene, first), f"seat:{bag}")
    for key in ("i", "p", "n", "l", "o"):
        assert told(pressed(other, key)) == other.words("desk.not_now")


def test_r7_6_an_offer_that_can_not_be_paid_any_more_passes_no_bag_and_for_nothing_does() -> None:
    scene = Scene.where(DEPUTIES, lambda it: len(it.dealer.state.closed_bags) == 4)
    bag, deputy = scene.dealer.state.closed_bags[0], scene.dealer.state.officers[0]
    scene.submit(Offer.bribe(bag, 7, bag, scene.dealer.state.officers, (Act(bag, Verb.PASS),), Things(8)))
    scene.dealer.state = scene.dealer.state.with_player(bag, gold=3)
    at = pressed(seen_by(scene, deputy), f"seat:{bag}")
    assert told(pressed(at, "p")) == at.words.texts("refusals.act_unpaid")
    assert "p" not in shown_keys(at)
    assert played(intents_of(at, "n", "enter")) == Stance(deputy, bag, Verb.PASS)


def test_who_has_accepted_is_told_so() -> None:
    scene = Scene.where(DEPUTIES, lambda it: len(it.dealer.state.closed_bags) == 4)
    bag, deputy = scene.dealer.state.closed_bags[0], scene.dealer.state.officers[0]
    scene.submit(Offer.bribe(bag, 7, bag, scene.dealer.state.officers, (Act(bag, Verb.PASS),), Things(8)))
    scene.submit(Accept(deputy, bag, 7))
    at = pressed(seen_by(scene, deputy), f"seat:{bag}")
    number = at.numbers[bag, 7]
    for keys in (("p",), (str(number), "enter")):
        assert told(pressed(at, *keys)) == at.words.texts("refusals.accept_again")


def test_a_question_about_passing_goes_when_the_offer_for_it_does() -> None:
    scene = Scene.where(DEPUTIES, lambda it: len(it.dealer.state.closed_bags) == 4)
    bag, deputy = scene.dealer.state.closed_bags[0], scene.dealer.state.officers[0]
    scene.model = pressed(seen_by(scene, deputy), f"seat:{bag}", "p")
    assert scene.model.overlay is not None
    scene.submit(Offer.bribe(bag, 7, bag, scene.dealer.state.officers, (Act(bag, Verb.PASS),), Things(8)))
    assert scene.model.overlay is None


def test_a_deputy_lets_all_pass_and_is_told_that_the_other_has_a_say(model: Model) -> None:
    at = pressed(at_bag(model, 2), "a")
    assert getattr(at.overlay, "details", ()) == (model.words("confirm.pass_rest_paid"), model.words("confirm.both"))
    assert intents_of(at, "enter") == (PassTheRest(),)


def test_everybody_sees_each_deputys_word_with_its_price(model: Model) -> None:
    first, second = (model.name(seat) for seat in state_of(model).officers)
    assert f"{first}: pass for 8 gold, {second}: inspect" in second_line(model, bag_of(model, 0))
    assert f"{first}: pass for 8, {second}: inspect" in second_line(model, bag_of(model, 0), short=True)
    assert f" {first}: pass ·" in second_line(model, bag_of(model, 1))
    alone = model_of("deputies_alone")
    assert f"{second} alone" in second_line(alone, bag_of(alone, 0))


# -- addresses


def test_r10_4_an_offer_goes_to_both_deputies_or_to_the_one_who_acts_alone() -> None:
    scene = Scene.where(DEPUTIES, lambda it: len(it.dealer.state.closed_bags) == 4)
    first, second = scene.dealer.state.officers
    one, two, *_ = scene.dealer.state.closed_bags
    for move in (Stance(first, one, Verb.PASS), Stance(second, one, Verb.INSPECT), Apart(first, one)):
        scene.submit(move)
    composer = composed(pressed(seen_by(scene, two), f"seat:{two}"))
    assert (composer.officers, composer.acts) == ((first, second), (Act(two, Verb.PASS),))
    other = pressed(scene.model, f"seat:{two}", "o", "down", "right")
    assert isinstance(other.overlay, Composer)
    assert (other.overlay.officers, other.overlay.acts) == ((second,), ())
    about_alone = composed(pressed(scene.model, f"seat:{one}"))
    assert (about_alone.officers, about_alone.acts) == ((second,), (Act(one, Verb.INSPECT),))
    of_several = pressed(scene.model, f"seat:{two}", "o", "m", "down", "right").overlay
    assert isinstance(of_several, Composer)
    assert of_several.giver != two
    assert of_several.officers == (second,)


# -- the Loot


def test_r10_5_who_proposes_chooses_gold_and_cards_or_the_even_split() -> None:
    model = pressed(model_of("six_loot"), "up")
    seat, loot = model.mine.seat, state_of(model).loot
    assert played(intents_of(model, "enter")) == ShareLoot(seat)
    hidden = tuple(sorted(card.handle for card in loot.cards))
    assert played(intents_of(model, "down", "down", "right", "enter")) == ShareLoot(seat, Split(7, hidden))
    assert played(intents_of(model, "down", *["pageup"] * 3, "enter")) == ShareLoot(seat, Split(10, hidden[:1]))
    most = pressed(model, "down", *["right"] * 4)
    assert told(most) == model.words("offer.most", n=loot.gold)


def test_r10_5_who_answers_sees_the_proposal_and_accepts_it_or_asks_for_the_even_one() -> None:
    model = model_of("six_loot_answer")
    seat, (first, second) = model.mine.seat, map(model.name, state_of(model).officers)
    assert getattr(model.dialogue, "title", "") == (
        f"{first}: 8 gold, one face-down card; {second}: 2 gold, one face-down card."
    )
    assert played(intents_of(model, "1", "enter")) == ShareLoot(seat)
    accepted = played(intents_of(model, "2", "enter"))
    assert isinstance(accepted, ShareLoot)
    assert accepted in model.legal()
    assert accepted.split is not None
    assert accepted.split.gold == 8


def test_r10_2_the_first_drawn_deputy_is_asked_who_begins_and_not_called_sheriff() -> None:
    model = Scene.asking(DEPUTIES, Choice.NAME_FIRST).model
    assert model.dialogue is not None
    assert model.dialogue.prompt(model) == model.words("ask.name_first_deputy")
    assert model.mine.seat == state_of(model).officers[0]


# -- six that become five


def header_of(model: Model) -> str:
    return draw(TableScreen(model), 80, 24, model.words).to_text().split("\n")[0]


def test_r19_5_the_header_says_how_many_rounds_five_have_of_the_six_who_began() -> None:
    scene = Scene.of(DEPUTIES, 1)
    state = scene.dealer.state
    assert header_of(scene.model).startswith(" Round 1 of 9 ")
    gone = next(seat for seat in state.merchants if seat != scene.seat)
    scene.submit(Left((gone,)))
    # Of the five, two have been in office once: two more times each, and three for each of the others.
    assert header_of(scene.model).startswith(" Round 1 of 14 ")
    scene.to_the_end()
    assert (scene.dealer.state.ending, scene.dealer.state.round) == (Ending.FINISHED, 14)
    assert header_of(replace(scene.model, summaries=())).startswith(" Round 14 of 14 ")


def test_r19_5_the_hand_of_the_one_sheriff_of_five_is_not_titled_as_that_of_deputies() -> None:
    scene = Scene.where(DEPUTIES, lambda it: it.seat in it.dealer.state.officers)
    scene.submit(Left((scene.dealer.state.merchants[0],)))
    titles = [draw(TableScreen(replace(scene.model, dialogue=None)), 120, 40, scene.model.words).to_text()]
    scene.until(lambda it: it.dealer.state.officers == (it.seat,))
    titles.append(draw(TableScreen(replace(scene.model, dialogue=None)), 120, 40, scene.model.words).to_text())
    assert ["(deputies keep it this round)" in text for text in titles] == [True, False]
    assert ["(the sheriff keeps it this round)" in text for text in titles] == [False, True]


def test_r19_5_laws_speak_of_deputies_while_two_are_in_office() -> None:
    scene = Scene.of(DEPUTIES, 1)
    scene.submit(Left((scene.dealer.state.merchants[0],)))
    assert law_text(ENGLISH, "duty", scene.dealer.state).startswith("The deputies ")
    scene.until(lambda it: it.dealer.state.round == 2)
    assert law_text(ENGLISH, "duty", scene.dealer.state).startswith("The sheriff ")
