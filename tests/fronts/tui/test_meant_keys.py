"""Keys do what was meant: each of these was seen to do something else."""

import re
from dataclasses import replace

import pytest

from p2p_sheriff.fronts.tui.composing import Composer
from p2p_sheriff.fronts.tui.confirming import Confirming
from p2p_sheriff.fronts.tui.deals import Deal
from p2p_sheriff.fronts.tui.desk import in_view
from p2p_sheriff.fronts.tui.model import SECONDS_OF_CALM, Model
from p2p_sheriff.fronts.tui.panels import Chat
from p2p_sheriff.fronts.tui.screen import draw
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Choice, Handle, LoadBag, Phase, Seat
from p2p_sheriff.rules.moves import Offer, Pass, Refuse, Verb
from p2p_sheriff.seat.chronicle import Doing, Round
from p2p_sheriff.seat.intents import Mute, NothingMore, PassTheRest, Say
from p2p_sheriff.seat.picture import LogLine, Timer, Topic
from tests.fronts.tui.gallery import FOUR, model_of
from tests.fronts.tui.pressing import intents_of, played
from tests.fronts.tui.scenes import NOW, Scene, pressed


def text_of(model: Model, width: int = 80, height: int = 24) -> str:
    return draw(TableScreen(model), width, height, model.words).to_text()


def said_to(model: Model) -> str:
    assert model.notice is not None
    return model.notice.text


def gold_of(model: Model) -> int:
    assert isinstance(model.overlay, Composer)
    return model.overlay.things.gold


# -- amounts


def test_the_first_digit_replaces_what_stood_there_and_the_next_is_added() -> None:
    composing = pressed(model_of("haggle"), "o")
    assert gold_of(composing) == 5
    assert gold_of(pressed(composing, "2")) == 2
    assert gold_of(pressed(composing, "2", "1")) == 21
    assert gold_of(pressed(composing, "2", "right", "4")) == 4


def test_what_is_more_than_there_is_is_refused_with_the_limit_and_changes_nothing() -> None:
    composing = pressed(model_of("haggle"), "o", "9", "9")
    assert gold_of(composing) == 9
    assert said_to(composing) == "0 to 50 can be given here."


def test_who_leaps_against_the_limit_is_told_so() -> None:
    leaping = pressed(model_of("haggle"), "o", "4", "8", "pageup")
    assert gold_of(leaping) == 50
    assert "0 to 50" in said_to(leaping)
    assert "0 to 50" in said_to(pressed(model_of("haggle"), "o", "2", "pagedown"))


def test_more_than_ten_and_more_than_half_of_the_purse_is_asked_again() -> None:
    model = model_of("haggle")
    asked = pressed(model, "o", "2", "6", "enter")
    assert isinstance(asked.overlay, Confirming)
    assert "26 of your 50 gold: really?" in text_of(asked)
    assert gold_of(pressed(asked, "escape")) == 26
    move = played(intents_of(asked, "enter"))
    assert isinstance(move, Offer)
    assert move.gift.things.gold == 26
    assert len(intents_of(model, "o", "2", "5", "enter")) == 1


def test_a_sheriff_who_demands_much_of_somebody_else_is_not_asked_about_the_own_purse() -> None:
    assert len(intents_of(model_of("desk"), "o", "4", "0", "enter")) == 1


# -- what is new, and what has vanished


def test_a_question_that_has_just_come_takes_no_key_and_says_so() -> None:
    model = Scene.of(FOUR, 1).asked(Choice.LOAD).model
    assert model.is_new
    table = TableScreen(model).at(NOW)
    dropped, intents = table.press("1")
    assert isinstance(dropped, TableScreen)
    assert (dropped.model.dialogue, intents) == (table.model.dialogue, ())
    assert "was dropped" in said_to(dropped.model)
    later, _ = dropped.at(NOW + SECONDS_OF_CALM).press("1")
    assert isinstance(later, TableScreen)
    assert later.model.dialogue != table.model.dialogue


def test_what_was_open_and_has_vanished_is_told_and_its_keys_answer_nothing() -> None:
    scene = Scene.of(FOUR, 1).until(lambda it: it.dealer.state.phase is Phase.INSPECT)
    scene.model = pressed(scene.model, "o")
    while scene.model.overlay is not None:
        scene.step()
    assert "over or has changed" in said_to(scene.model)
    assert TableScreen(replace(scene.model, reveals=())).at(NOW).press("enter")[1] == ()


def test_who_writes_goes_on_writing_while_a_bag_opens_and_sees_it_afterwards() -> None:
    model = replace(pressed(model_of("haggle"), "t"), reveals=model_of("inspected").reveals)
    table = TableScreen(replace(model, is_new=True)).at(NOW)
    for key in ("h", "i"):
        table, _ = table.press(key)  # type: ignore[assignment]  # It stays a table.
    assert table.model.overlay == Chat("hi")
    assert "is inspected!" not in text_of(table.model)
    closed, intents = table.press("enter")
    assert intents == (Say("hi"),)
    assert isinstance(closed, TableScreen)
    assert "is inspected!" in text_of(closed.at(NOW + 1).model)


def test_a_bag_that_opens_goes_on_with_enter_alone() -> None:
    model = model_of("inspected")
    for key in ("i", "1", "o"):
        after, intents = TableScreen(model).at(NOW + 2).press(key)
        assert isinstance(after, TableScreen)
        assert (after.model.reveals, intents) == (model.reveals, ())
        assert "Try: Enter go on" in said_to(after.model)


# -- digits and Enter


def test_what_a_bag_that_opened_has_refused_is_not_held_against_a_key_afterwards() -> None:
    table = TableScreen(replace(model_of("inspected"), is_new=False)).at(NOW + 1)
    refused, _ = table.press("n")
    assert isinstance(refused, TableScreen)
    assert said_to(refused.model).startswith("n does nothing now.")
    assert refused.at(NOW + 60).model.notice is None


def test_in_the_chat_a_digit_is_a_digit() -> None:
    assert intents_of(model_of("load"), "t", "7", "enter") == (Say("7"),)


def test_a_phrase_is_not_said_before_enter_and_does_not_replace_what_was_written() -> None:
    assert intents_of(model_of("load"), "t", "down") == ()
    assert intents_of(model_of("load"), "t", "down", "down", "enter") == (Say(model_of("load").words("phrase.2")),)
    assert pressed(model_of("load"), "t", "x", "down").overlay == Chat("x")


def test_enter_opens_nothing_at_the_desk() -> None:
    assert pressed(model_of("haggle"), "enter").overlay is None
    assert pressed(model_of("desk"), "enter").overlay is None


@pytest.mark.parametrize("name", ["load", "haggle", "desk", "declare", "name_first"])
def test_a_digit_alone_never_acts(name: str) -> None:
    for digit in "123456789":
        assert intents_of(model_of(name), digit) == ()


# -- haggling


def test_one_key_says_nothing_more() -> None:
    model = model_of("haggle")
    assert intents_of(model, "n") == (NothingMore(),)
    assert "n  nothing more" in text_of(model)
    silent = replace(model, silent=frozenset({Seat(0)}))
    assert intents_of(silent, "n") == ()
    assert "you said: nothing more" in text_of(silent)


def test_the_time_that_a_bag_stays_open_is_counted_down() -> None:
    model = replace(model_of("haggle"), now=NOW, open_until={Seat(0): NOW + 24.9})
    assert "open for 0:24" in text_of(model)


def test_the_time_that_a_bag_stays_open_goes_on_while_another_one_is_shown() -> None:
    model = model_of("inspected")
    before = replace(model.unrevealed or model, open_until={Seat(0): 1.0})  # By the seat's clock, not the screen's.
    text = text_of(replace(model, unrevealed=before, now=NOW, open_until={Seat(0): NOW + 24.9}))
    assert "your bag: 0:24" in text.split("\n")[0]


def test_the_time_for_all_bags_is_in_the_first_line_and_goes_on_while_a_bag_is_shown() -> None:
    for name in ("haggle", "desk", "inspected"):
        model = replace(model_of(name), now=NOW, timer=Timer(1, NOW + 125.5))
        assert "time 2:05" in text_of(model).split("\n")[0]
        standing = replace(model, now=NOW + 60, timer=Timer(1, NOW + 125.5, stands_since=NOW))
        assert "time 2:05, paused" in text_of(standing).split("\n")[0]


def test_one_key_refuses_an_offer_at_the_desk_of_a_merchant_or_where_it_is_read() -> None:
    model = model_of("deal")
    assert model.view is not None
    offer = next(one.offer for one in model.view.state.offers if one.offer.seat != model.seat)
    assert intents_of(model, "r") == (Refuse(Seat(0), offer.seat, offer.number),)


def test_a_sheriff_lets_all_the_rest_pass_and_is_asked_once() -> None:
    assert intents_of(model_of("desk"), "a") == ()
    assert intents_of(model_of("desk"), "a", "enter") == (PassTheRest(),)
    assert intents_of(model_of("desk"), "a", "escape") == ()


def test_of_one_bag_that_is_left_all_the_rest_is_that_bag() -> None:
    scene = Scene.of(FOUR, 1).asked(Choice.ACT)
    while len(scene.dealer.state.closed_bags) > 1:
        scene.submit(Pass(scene.seat, scene.dealer.state.closed_bags[0], for_nothing=True))
    model = replace(scene.model, reveals=())
    assert isinstance(pressed(model, "p").overlay, Confirming)
    assert text_of(pressed(model, "a")) == text_of(pressed(model, "p"))
    assert "pass all" not in text_of(model)


@pytest.mark.parametrize("name", ["desk", "desk_bribed"])
def test_that_all_the_rest_can_pass_is_named_whether_or_not_the_marked_bag_has_a_bribe(name: str) -> None:
    assert " a  pass all " in text_of(model_of(name)).split("\n")[-1]


def test_what_is_at_stake_is_read_to_its_end_whatever_is_in_the_own_bag() -> None:
    scene = Scene.of(FOUR, 1).until(lambda it: it.model.choice is Choice.LOAD and len(one_of_each(it)) > 3)
    scene.submit(LoadBag(scene.seat, one_of_each(scene)))
    model = scene.until(lambda it: it.dealer.state.phase is Phase.INSPECT).model
    assert "Passed, you get" in " ".join(text_of(model).split())


def one_of_each(scene: Scene) -> tuple[Handle, ...]:
    """Returns a card of every good in hand."""
    return tuple({card.kind: card.handle for card in scene.dealer.view(scene.seat).hand}.values())[:5]


@pytest.mark.parametrize(("name", "is_paid"), [("desk", True), ("six_desk", False)])
def test_before_all_the_rest_pass_it_is_said_whether_what_their_owners_offer_is_paid(name: str, is_paid: bool) -> None:
    assert ("What their owners offer for it now is paid." in text_of(pressed(model_of(name), "a"))) == is_paid


def test_an_offer_says_who_pays_whom_for_what() -> None:
    assert re.search(r"  (\w+)'s offer \d: \1 pays you \d+ gold: let \1's bag pass\.", text_of(model_of("desk")))


def test_an_offer_is_told_by_one_sentence_in_the_list_and_in_the_log_and_its_one_number_is_the_key_that_reads_it() -> (
    None
):
    model = model_of("haggle")
    offers, log = text_of(model).split(" Log ")
    for one in model.mine.state.offers:
        number = model.numbers[one.offer.seat, one.offer.number]
        is_own = one.offer.seat == model.seat
        whose = "Your" if is_own else f"{model.name(one.offer.seat)}'s"
        told = f"{whose} offer {number}: {model.narrator.offer(one.offer)}"
        assert told in offers
        assert told in log
        opened = Deal(one.offer.seat, one.offer.number)
        assert pressed(model, str(number)).overlay == opened
        title = f"Your offer {number}" if is_own else f"Offer {number} of {model.name(one.offer.seat)}"
        assert opened.prompt(model) == title
    assert len(model.mine.state.offers) > 1


def test_the_answer_to_an_offer_is_told_also_where_there_is_no_room_for_a_log() -> None:
    model = model_of("desk")
    offer = in_view(model.mine)[0].offer
    answered = model.logging(LogLine(Topic.DEALS, "Robin refuses John's offer 4."))
    asked = answered.logging(LogLine(Topic.DEALS, model.narrator.negotiation(offer)))
    for told in (answered, asked):
        lines = text_of(told).split("\n")
        assert not any(" Log " in line for line in lines)
        assert lines[-3].strip() == "Robin refuses John's offer 4."


def test_the_sheriff_s_own_offer_does_not_ask_what_the_sheriff_pays() -> None:
    text = text_of(model_of("sheriff_asks"))
    assert "What do you ask of Marian, and what do you do for it?" in text
    assert "What do you pay" not in text


# -- what is seen


def _round(doing: Doing) -> Round:
    return Round(1, (Seat(3),), (doing, Doing(50), Doing(50), Doing(50)))


@pytest.mark.parametrize(
    ("cards", "words"), [(("cheese", "cheese"), "inspected: true"), (("cheese", "silk"), "inspected: a lie")]
)
def test_an_inspected_bag_says_whether_it_was_true_and_a_mark_means_one_thing(
    cards: tuple[str, ...], words: str
) -> None:
    doing = Doing(50, declared=(2, "cheese"), fate=Verb.INSPECT, cards=cards)
    model = model_of("haggle")
    assert model.view is not None
    state = model.view.state
    state = state.with_player(Seat(0), bag=replace(state.bag_of(Seat(0)), fate=Verb.INSPECT))
    text = text_of(replace(model, view=replace(model.view, state=state), rounds=(_round(doing),)))
    assert words in text
    assert "✗" not in text


def test_what_was_set_aside_is_seen_until_the_bag_is_judged() -> None:
    model = replace(model_of("haggle"), rounds=(_round(Doing(50, aside=("bread", "bread"))),))
    assert "set aside: 2 bread" in text_of(model)


def test_what_was_set_aside_keeps_its_goods_where_the_row_is_full() -> None:
    aside = ("cheese", "bread", "chicken", "silk", "crossbow")
    text = text_of(replace(model_of("haggle"), rounds=(_round(Doing(50, aside=aside)),)))
    assert re.search(r"set aside: 1 cheese, 1 bread, 1 chick(en|\.), 1 silk, 1 cross(bow|\.)", text)


def test_what_was_set_aside_keeps_the_first_letters_of_its_goods_before_it_is_only_counted() -> None:
    model = model_of("haggle")
    assert model.view is not None
    state = model.view.state.with_player(Seat(0), stack=model.view.state[Seat(0)].hand[:1])
    aside = ("apples", "cheese", "bread", "pepper", "silk")
    model = replace(model, view=replace(model.view, state=state), rounds=(_round(Doing(50, aside=aside)),))
    assert "set aside: 1 app 1 che 1 bre 1 pep 1 sil · " in text_of(model)


def test_of_which_kind_a_bot_is_can_be_read_in_the_narrowest_window() -> None:
    model = replace(model_of("load"), bots={Seat(1): "shrewd:hard"})
    full, narrow = (text_of(model, width, 24) for width in (200, 80))
    kind = model.words("seats.bot", style=model.words.style("shrewd:hard"))
    assert f"({kind})" in full
    assert f"({kind})" not in narrow
    assert kind in narrow


def test_figures_have_a_word_for_what_they_are() -> None:
    text = text_of(model_of("piles"))
    assert "prizes worth 30" in text
    for width in (80, 112, 120):  # In some widths there is no room for the figures, nor then for the word.
        text = text_of(model_of("load"), width, 30)
        assert ("king/queen bonus" in text) == ("20/10" in text), width
    assert "king/queen bonus" in text_of(model_of("load"))


def test_the_path_of_the_transcript_is_whole() -> None:
    model = model_of("score")
    assert "2026-11-16-Robin-Marian-Tuck-Much.sheriff" in "".join(text_of(model).replace("\n", "").split())


def test_a_round_is_summed_up_until_enter_or_for_some_seconds() -> None:
    doing = Doing(50, gain=-7, declared=(2, "cheese"), fate=Verb.PASS, cards=("cheese", None))
    table = TableScreen(replace(model_of("load"), summaries=(_round(doing),))).at(NOW)
    text = text_of(table.model)
    assert text.startswith(" Round 1 of 8 · End of the round")
    for words in ("Round 1 is over", "“2 cheese”", "passed, 1 hidden", "43 (-7)", "Enter goes on"):
        assert words in text
    assert table.press("enter")[0] != table
    after, _ = table.at(NOW + 1).press("enter")
    assert isinstance(after, TableScreen)
    assert after.model.summaries == ()
    assert table.at(NOW + 60).model.summaries == ()


def test_behind_the_summary_of_a_round_its_own_sheriff_has_the_star_and_the_next_one_is_not_told() -> None:
    model = model_of("summary")
    assert model.state is not None
    (ended,) = model.summaries
    heading = f"Round {ended.number + 1}: {model.names_of(model.state.officers)} is sheriff."
    assert ended.officers != model.state.officers
    told = model.logging(LogLine(Topic.ROUND, heading, ended.number + 1))
    before, after = (text_of(TableScreen(one).at(NOW).model, 120, 40) for one in (told, replace(told, summaries=())))
    for text, officers in ((before, ended.officers), (after, model.state.officers)):
        assert re.findall(r"★ (\w+)", text) == [model.name(seat) for seat in officers]
    assert heading not in " ".join(before.split())
    assert f"Round {ended.number + 1}" in after


def test_offers_are_listed_by_number_and_where_there_is_little_room_those_that_can_be_accepted() -> None:
    model = model_of("desk")
    full, narrow = (
        re.findall(r"^    \S+ offer (\d): ", text_of(model, 80, height), re.MULTILINE) for height in (40, 24)
    )
    assert full == sorted(full)
    assert len(full) == len(model.mine.state.offers) > 1
    accepted = in_view(model.mine)[0].offer
    assert str(model.numbers[accepted.name]) in narrow == sorted(narrow)


def test_who_has_won_is_not_told_behind_the_summary_of_the_last_round() -> None:
    score = model_of("score")
    assert "total" in text_of(score)
    summed = text_of(TableScreen(replace(score, summaries=score.rounds[-1:] or (_round(Doing(50)),))).at(NOW).model)
    assert "is over" in summed
    assert "total" not in summed
    assert "score sheet" not in summed


def test_the_past_of_every_player_with_promises_and_a_way_to_mute_them() -> None:
    doing = Doing(50, 0, ("cheese",), (3, "bread"), Verb.INSPECT, ("bread", "silk"), bribes=4, promises=("next time",))
    model = replace(model_of("load"), rounds=(_round(doing),), bots={Seat(1): "shrewd"})
    text = text_of(pressed(model, "h"))
    said = "“3 bread”", "inspected: a lie", "paid 4", "set aside: 1 cheese", "“next time”"
    for words in ("Robin, round by round", *said):
        assert words in text
    other = pressed(model, "h", "right")
    assert "Marian, a bot (shrewd)" in text_of(other)
    assert "Marian (bot)" in text_of(model)
    assert "Marian (bot, shrewd)" in text_of(model, 200, 60)
    assert intents_of(other, "m") == (Mute(Seat(1), is_muted=True),)


def test_discards_are_counted() -> None:
    assert "apples, " in text_of(model_of("piles")).split("top card first")[1].split("\n")[1]


def test_new_cards_are_marked() -> None:
    model = model_of("set_aside")
    assert model.view is not None
    kind = model.view.hand[0].kind
    assert " new " in text_of(replace(model, new_kinds=((kind, 9),)))
    assert " new " not in text_of(replace(model, new_kinds=()))
