"""What everybody did, round by round, and in which order it is told."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from p2p_sheriff.rules import Input, Kind, Knowledge, Phase, Seat, Setup, State, Transition, View, new_game
from p2p_sheriff.rules.cards import Handle
from p2p_sheriff.rules.moves import Accept, Offer, Pass, Things, Verb
from p2p_sheriff.seat import story
from p2p_sheriff.seat.chronicle import Round, continued
from p2p_sheriff.seat.picture import Picture, Topic
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.happenings import Happened, TakenBack
from tests.rules.notation import ANN, BEN, CAT, DAN, acts
from tests.rules.scenario import Scenario
from tests.rules.situations import at_declare, at_inspection
from tests.rules.table import RandomTable

NAMES = ("Ann", "Ben", "Cat", "Dan")


def told(inputs: list[object], state: State) -> list[Picture]:
    """Returns the pictures of a game, one after each input."""
    picture, pictures = Picture(NAMES, Words(), told=state), []
    for item in inputs:
        change = Transition.of(state, item)  # type: ignore[arg-type]  # Inputs of a game that was played.
        picture, state = story.happened(picture, change), change.after
        pictures.append(picture)
    return pictures


@cache
def whole_game(seed: int, players: int = 4) -> list[Picture]:
    table = RandomTable(Setup(players), Random(seed))
    table.play()
    return told(list(table.inputs), new_game(table.state.setup))


def rounds_after(game: Scenario, *moves: object) -> Round:
    """Returns the round of a scenario with these moves, and what they lead to by themselves."""
    state = game.state
    rounds: tuple[Round, ...] = (Round.begun(state),)
    for move in moves:
        change = Transition.of(state, move)  # type: ignore[arg-type]  # Moves.
        rounds, state = continued(rounds, change), change.after
    return rounds[0]


@pytest.mark.parametrize("seed", range(3))
def test_every_round_of_a_whole_game_is_in_it_with_what_everybody_declared_and_got(seed: int) -> None:
    last = whole_game(seed)[-1]
    assert last.told is not None
    assert [one.number for one in last.rounds] == list(range(1, 9))
    assert all(one.is_over for one in last.rounds)
    for one in last.rounds:
        for seat, doing in enumerate(one.players):
            is_merchant = Seat(seat) not in one.officers
            assert (
                (doing.declared is not None) == (doing.fate is not None) == (doing.is_true is not None) == is_merchant
            )
            assert not doing.is_caught or doing.is_true is False
    for seat, player in enumerate(last.told.players):
        assert 50 + sum(one.players[seat].gain for one in last.rounds) == player.gold


def test_the_wealth_chart_has_a_column_for_every_round_that_is_over_when_it_is() -> None:
    pictures = whole_game(1)
    for before, after in pairwise(pictures):
        done = [one for one in after.rounds if one.is_over]
        assert len(after.wealth) == len(done)
        assert before.told is not None
        assert after.told is not None
        if len(done) > len([one for one in before.rounds if one.is_over]):
            assert after.wealth[-1] == story.wealth(after.told)


def test_a_round_is_named_until_its_market_not_while_hands_are_filled_for_the_next() -> None:
    pictures = whole_game(2)
    for picture in pictures:
        assert picture.told is not None
        if picture.told.phase is Phase.END_OF_ROUND:
            assert picture.round == len([one for one in picture.rounds if one.is_over])
        elif picture.told.phase is not Phase.SETUP:
            assert picture.round == picture.told.round
    lines = [line.topic for line in pictures[-1].log]
    assert lines.count(Topic.ROUND) == 8


def test_a_bribe_and_a_promise_are_noted_when_the_deal_is_closed() -> None:
    game = at_inspection({})
    offer = Offer.bribe(BEN, 0, BEN, (ANN,), acts("pass 1"), Things(gold=5), "no looking next time")
    one = rounds_after(game, offer, Accept(ANN, BEN, 0))
    assert (one.players[BEN].bribes, one.players[ANN].received) == (5, 5)
    assert one.players[BEN].promises == ("no looking next time",)
    assert rounds_after(game, offer).players[BEN].promises == ()


def test_letting_a_bag_pass_takes_the_bribe_and_for_nothing_takes_none() -> None:
    offer = Offer.bribe(BEN, 0, BEN, (ANN,), acts("pass 1"), Things(gold=5))
    assert rounds_after(at_inspection({}), offer, Pass(ANN, BEN)).players[BEN].bribes == 5
    assert rounds_after(at_inspection({}), offer, Pass(ANN, BEN, for_nothing=True)).players[BEN].bribes == 0


def test_a_lie_that_was_found_is_a_lie_and_caught_and_contraband_that_passed_is_one_that_was_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = at_declare({BEN: ("2 silk", "apples"), CAT: ("silk, apples", "apples")})
    rounds: tuple[Round, ...] = (Round.begun(game.state),)
    really_apply = game.apply

    def apply(item: Input) -> None:
        nonlocal rounds
        rounds = continued(rounds, Transition.of(game.state, item))
        really_apply(item)

    monkeypatch.setattr(game, "apply", apply)
    game.until(Phase.INSPECT).inspects(BEN).passes(CAT).passes(DAN)
    ben, cat, dan = (rounds[0].players[seat] for seat in (BEN, CAT, DAN))
    assert (ben.fate, ben.cards, ben.is_true, ben.is_caught, ben.fine) == (
        Verb.INSPECT,
        ("silk", "silk"),
        False,
        True,
        8,
    )
    assert (cat.fate, cat.is_true, cat.is_caught) == (Verb.PASS, False, False)
    assert sorted(cat.cards, key=str) == [None, "apples"]
    assert (dan.is_true, dan.is_caught, dan.fine) == (True, False, 0)


def view(*kinds: Kind, first: int = 0) -> View:
    state = new_game(Setup(4)).with_player(BEN, hand=tuple(Handle(first + n) for n in range(len(kinds))))
    return View(state, Knowledge(BEN, {Handle(first + n): kind for n, kind in enumerate(kinds)}))


def test_new_cards_are_those_drawn_last_also_when_the_hand_is_laid_anew() -> None:
    picture = Picture(NAMES, Words()).drawing(view("silk", "apples", "apples"))
    assert picture.new_cards == frozenset()
    kept = picture.drawing(view("silk", "apples"))
    drawn = kept.drawing(view("silk", "apples", "mead"))
    assert drawn.new_cards == {2}
    laid_anew = drawn.drawing(view("mead", "silk", "apples", first=10))
    assert laid_anew.new_cards == {10}
    assert laid_anew.drawing(view("mead", "silk", first=20)).new_cards == frozenset()


def test_discards_are_counted_by_good() -> None:
    last = next(picture for picture in reversed(whole_game(1)) if picture.told and picture.told.piles[0])
    assert last.told is not None
    (pile,) = last.discards
    assert sum(count for _, count in pile) == len(last.told.piles[0])
    assert replace(last, told=None).discards == ()


def test_an_offer_that_is_gone_says_so_with_the_reason_and_its_number() -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=5)
    game.offer(CAT, "inspect 1", gold=3)
    picture = Picture(NAMES, Words(), View(game.state, Knowledge(BEN, {})), game.state)
    after = story.happened(picture, Transition.of(game.state, Pass(ANN, BEN)))
    assert [line.text for line in after.log][-1] == "Your bag passes: Cat's offer 2 is off."
    assert "our offer" not in " ".join(line.text for line in after.log if "off" in line.text.split()[-1])


def test_an_acceptance_is_told_once_and_then_what_comes_of_it() -> None:
    game = at_inspection({})
    game.offer(ANN, "pass 1", gold=5, payer=BEN)
    picture, accept = Picture(NAMES, Words(), told=game.state), Accept(BEN, ANN, 0)
    said = story.negotiated(picture, accept)
    closed = story.happened(said, Transition.of(game.state, accept))
    assert [line.text for line in closed.log] == [
        "Ben accepts Ann's offer 1.",
        "Agreed: Ben pays Ann 5 gold: let Ben's bag pass. [gold: Ann +5, Ben -5]",
    ]


def test_an_offer_has_one_number_at_the_table_that_no_other_has_while_it_stands() -> None:
    game = at_inspection({})
    picture, told = Picture(NAMES, Words(), told=game.state), list[int]()
    for number in range(12):
        merchant = (BEN, CAT)[number % 2]
        offer = Offer.bribe(merchant, number // 2, merchant, (ANN,), acts(f"pass {merchant}"), Things(number + 1))
        picture = story.negotiated(picture, offer)
        told.append(picture.numbers[merchant, number // 2])
    assert told == [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3]
    assert [line.text.partition(":")[0] for line in picture.log][-2:] == ["Ben's offer 2", "Cat's offer 3"]
    standing = picture.haggled
    assert standing is not None
    assert sorted(picture.numbers[one.offer.seat, one.offer.number] for one in standing.offers) == [2, 3]


def test_a_number_stays_with_an_offer_that_stands_while_others_come_and_go() -> None:
    game = at_inspection({})
    picture = story.negotiated(
        Picture(NAMES, Words(), told=game.state), Offer.bribe(DAN, 0, DAN, (ANN,), acts("pass 3"), Things(1))
    )
    for number in range(9):
        picture = story.negotiated(picture, Offer.bribe(BEN, number, BEN, (ANN,), acts("pass 1"), Things(number + 1)))
    assert picture.numbers[DAN, 0] == 1
    assert picture.numbers[BEN, 8] == 2


@pytest.mark.parametrize("steps", [1, 7, 40])
def test_what_does_not_count_any_more_is_in_no_round_and_told_again_it_is_there_once(steps: int) -> None:
    table = RandomTable(Setup(4), Random(2))
    table.play()
    state, pictures, events = new_game(table.state.setup), [Picture(NAMES, Words())], []
    for item in table.inputs:
        change = Transition.of(state, item)
        events.append(Happened(ANN, (change,)))
        pictures.append(story.after_event(pictures[-1], events[-1], (), 0.0))
        state = change.after
    last = next(place for place, picture in enumerate(pictures) if len(picture.rounds) == 3)
    back = story.after_event(pictures[last], TakenBack(steps), (), 0.0)
    assert seen(back) == seen(pictures[last - steps])
    for event in events[last - steps : last]:
        back = story.after_event(back, event, (), 0.0)
    assert seen(back) == seen(pictures[last])


def seen(picture: Picture) -> tuple[object, ...]:
    return picture.told, picture.rounds, picture.wealth
