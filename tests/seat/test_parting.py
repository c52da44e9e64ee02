"""Who is missed, since when, and what a node votes about it by itself: from what is seen, and the time."""

from dataclasses import replace
from typing import Any, cast

import pytest

from p2p_sheriff.node.events import NodeEvent
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Knowledge, Seat, Transition, View
from p2p_sheriff.rules.facts import Left
from p2p_sheriff.seat import parting, story
from p2p_sheriff.seat.parting import Grace, Will, asked, may_go, next_look, next_vote, overdue, told
from p2p_sheriff.seat.picture import Ground, Picture
from p2p_sheriff.seat.sight import Sight
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.happenings import Departed, Happened, Introduced, Said, TakenBack, Voted, WentOn
from p2p_sheriff.session.session import MOST_JOINED
from p2p_sheriff.session.terms import setup_to_value
from protocol.faults import Fault, FaultCode
from tests.rules.notation import ANN, BEN, CAT, DAN
from tests.rules.situations import at_inspection

NAMES = ("Ann", "Ben", "Cat", "Dan")
STATE = at_inspection({}).state
GRACE = Grace(60, 180)


def seen_by(seat: Seat | None, **more: Any) -> Picture:
    """Returns what a player sees at ten o'clock: Ann is the sheriff, and expected."""
    view = View(STATE, Knowledge(seat, {})) if seat is not None else None
    picture = Picture(NAMES, Words(), view, STATE, waiting_for=(ANN,), signed=False, **more)
    return after(picture, 10.0, Said(CAT, "Hello."))


def after(picture: Picture, now: float, *events: NodeEvent) -> Picture:
    for event in events:
        picture = parting.after_event(story.after_event(picture, event, (), now), event, now, GRACE)
    return picture


def away(picture: Picture, seat: Seat, now: float) -> Picture:
    return after(replace(picture, away={seat: now}), now, Said(CAT, "Where?"))


def voting(picture: Picture, **votes: tuple[Seat, ...]) -> Picture:
    cast = {Seat(NAMES.index(name)): out for name, out in votes.items()}
    return after(replace(picture, votes=cast), 100.0, Said(CAT, "Well?"))


CHEAT = Fault(DAN, FaultCode.FALSE_PROOF, "a false proof", ())


# -- who is missed


def test_a_node_waits_as_long_as_the_terms_say_that_all_have_signed() -> None:
    match setup_to_value(STATE.setup):
        case (_, tuple(terms)):
            grace = Sight(cast(Node, None), Words()).grace
            assert ("grace", (grace.absent, grace.idle)) in terms
        case _:
            pytest.fail("these are no terms")


def test_who_is_expected_and_does_nothing_is_overdue_after_three_minutes_and_no_sooner() -> None:
    picture = seen_by(BEN)
    assert [one.ground for one in picture.missed.values()] == [Ground.IDLE]
    assert may_go(picture, 189.9) == frozenset()
    assert may_go(picture, 190.0) == {ANN}


def test_who_is_not_connected_is_overdue_after_a_minute_also_if_nobody_waits_for_them() -> None:
    picture = away(seen_by(BEN), DAN, 20.0)
    assert may_go(picture, 79.9) == frozenset()
    assert may_go(picture, 80.0) == {DAN}
    assert next_look(picture, 20.0) == 80.0


@pytest.mark.parametrize("word", [Said(ANN, "A moment."), Voted(ANN, ()), Introduced(ANN, "honest", 30)])
def test_whoever_says_a_word_is_waited_for_anew(word: NodeEvent) -> None:
    assert may_go(after(seen_by(BEN), 150.0, word), 329.0) == frozenset()


def test_who_is_expected_and_only_talks_is_overdue_at_last() -> None:
    picture = seen_by(BEN)
    for minute in range(1, 9):
        picture = after(picture, 10.0 + 60 * minute, Said(ANN, "A moment."))
    assert may_go(picture, 549.9) == frozenset()
    assert may_go(after(picture, 549.9, Said(ANN, "A moment.")), 550.0) == {ANN}
    assert may_go(after(picture, 549.9, Happened(ANN, ())), 729.0) == frozenset()


def test_who_is_expected_and_comes_and_goes_is_overdue_at_last_unless_all_have_waited_for_them() -> None:
    picture = seen_by(BEN)
    for minute in range(1, 9):
        now = 10.0 + 60 * minute
        gone = after(replace(picture, away={ANN: now}), now, Said(CAT, "Again?"))
        picture = after(replace(gone, away={}), now + 30, Said(CAT, "There."))
    assert may_go(picture, 550.0) == {ANN}
    absent = after(replace(seen_by(BEN), away={ANN: 20.0}), 20.0, Said(CAT, "Oh."))
    assert may_go(after(replace(absent, away={}), 1000.0, Said(CAT, "Welcome.")), 1179.0) == frozenset()


def test_who_has_to_show_something_after_a_restart_gets_no_more_time_by_talking() -> None:
    picture = after(replace(seen_by(BEN), coming_back=(DAN,)), 20.0, Said(CAT, "Welcome."))
    assert may_go(after(picture, 150.0, Said(DAN, "Hello.")), 200.0) == {DAN}


def test_what_others_say_gives_nobody_more_time() -> None:
    assert may_go(after(seen_by(BEN), 150.0, Said(DAN, "Ann?")), 190.0) == {ANN}


def test_nobody_misses_themselves_nor_who_is_out() -> None:
    assert ANN not in seen_by(ANN).missed
    left = Transition.of(STATE, Left((DAN,)))
    picture = after(away(seen_by(BEN), DAN, 20.0), 30.0, WentOn(DAN, (left,), (DAN,)))
    picture = after(replace(picture, view=View(left.after, Knowledge(BEN, {}))), 30.0, Said(CAT, "Go on."))
    assert DAN not in picture.missed


def test_while_a_ballot_is_open_who_has_not_voted_is_waited_for_and_nobody_else() -> None:
    picture = voting(away(seen_by(BEN), DAN, 20.0), Ann=(DAN,), Ben=(DAN,))
    assert picture.missed.keys() == {CAT, DAN}


def test_who_votes_against_somebody_who_is_there_and_does_not_take_it_back_is_overdue_at_last() -> None:
    picture = voting(seen_by(BEN), Ann=(), Ben=(), Cat=(DAN,), Dan=())
    assert picture.missed.keys() == {CAT}
    assert may_go(picture, 280.0) == {CAT}
    picture = after(away(picture, DAN, 110.0), 175.0, Said(BEN, "Now Dan is really gone."))
    assert picture.missed.keys() == {DAN}


def test_whose_vote_nobody_joins_any_more_is_waited_for_and_not_those_who_do_not_join() -> None:
    assert voting(replace(seen_by(BEN), ballots=MOST_JOINED), Ann=()).missed.keys() == {ANN}


# -- what is voted by itself


@pytest.mark.parametrize("event", [Departed(DAN), CHEAT], ids=["left", "cheated"])
def test_who_has_left_or_provably_cheated_is_voted_out_at_once_by_person_and_bot(event: NodeEvent) -> None:
    for is_bot in (False, True):
        assert next_vote(after(seen_by(BEN), 20.0, event), Will(), 20.0, is_bot=is_bot) == (DAN,)


def test_a_fault_that_nobody_else_can_see_puts_nobody_out() -> None:
    fault = Fault(DAN, FaultCode.UNKNOWN_HEADS, "an entry of ours that we never wrote", ())
    assert next_vote(after(seen_by(BEN), 20.0, fault), Will(), 20.0) is None


def test_a_player_who_says_to_wait_overrules_the_own_node() -> None:
    picture = voting(after(seen_by(BEN), 20.0, Departed(DAN)), Ben=(DAN,))
    assert next_vote(picture, Will(spared=frozenset({DAN})), 20.0) == ()


def test_without_the_player_nobody_absent_is_voted_out() -> None:
    picture = away(seen_by(BEN), DAN, 20.0)
    assert next_vote(picture, Will(), 500.0) is None
    assert next_vote(picture, Will(without=frozenset({DAN})), 500.0) == (DAN,)


def test_nothing_is_voted_twice() -> None:
    picture = voting(after(seen_by(BEN), 20.0, Departed(DAN)), Ben=(DAN,))
    assert next_vote(picture, Will(), 20.0) is None


def test_who_comes_back_is_voted_in_again_by_those_who_had_voted_them_out() -> None:
    will = Will(without=frozenset({DAN}))
    picture = voting(away(seen_by(BEN), DAN, 20.0), Ben=(DAN,))
    assert next_vote(picture, will, 150.0) is None
    back = after(replace(picture, away={}), 150.0, Voted(DAN, ()))
    assert next_vote(back, will, 150.0) == ()


def test_whoever_writes_is_back_also_without_a_connection_to_us() -> None:
    picture = after(away(seen_by(BEN), DAN, 20.0), 150.0, Said(DAN, "I am here!"))
    assert may_go(picture, 151.0) == frozenset()
    assert Will(without=frozenset({DAN})).still(picture, 151.0) == Will()
    assert next_vote(replace(picture, votes={BEN: (DAN,), CAT: (DAN,), DAN: ()}), Will(), 151.0) == ()


def test_who_is_named_and_present_refuses_once() -> None:
    picture = voting(seen_by(BEN), Ann=(BEN,), Cat=(BEN,))
    assert next_vote(picture, Will(), 100.0) == ()
    assert next_vote(voting(picture, Ann=(BEN,), Cat=(BEN,), Ben=()), Will(), 100.0) is None


def test_after_very_many_ballots_only_the_player_refuses() -> None:
    picture = replace(voting(seen_by(BEN), Ann=(BEN,), Cat=(BEN,)), ballots=MOST_JOINED)
    assert next_vote(picture, Will(), 100.0) is None
    assert next_vote(picture, Will(spared=frozenset({ANN})), 100.0) == ()


def test_who_is_asked_votes_nothing_before_the_player_has_said_something() -> None:
    picture = voting(away(seen_by(BEN), DAN, 20.0), Ann=(DAN,))
    assert next_vote(picture, Will(), 100.0) is None
    assert asked(picture, 100.0) == (DAN,)
    assert next_vote(picture, Will(spared=frozenset({DAN})), 100.0) == ()
    assert next_vote(picture, Will(without=frozenset({DAN})), 100.0) == (DAN,)


def test_who_does_not_miss_those_that_others_want_to_go_on_without_refuses_by_itself() -> None:
    assert next_vote(voting(seen_by(BEN), Ann=(DAN,), Cat=(DAN,), Dan=()), Will(), 100.0) == ()


def test_too_few_to_stay_is_not_voted() -> None:
    picture = after(seen_by(BEN), 20.0, Departed(DAN), Departed(CAT))
    assert next_vote(picture, Will(), 20.0) is None


# -- who is there, and idle


def test_who_has_done_nothing_for_as_long_as_others_wait_and_is_named_has_idled() -> None:
    picture = voting(seen_by(ANN), Ben=(ANN,))
    assert parting.has_idled(picture, 190.0)
    assert parting.has_idled(picture, 180.5)  # Their clocks are not quite ours.


def test_a_vote_that_comes_too_early_or_nobodys_vote_makes_nobody_idle() -> None:
    assert not parting.has_idled(voting(seen_by(ANN), Ben=(ANN,)), 179.0)
    assert not parting.has_idled(seen_by(ANN), 1000.0)
    assert not parting.has_idled(voting(seen_by(ANN), Ben=(DAN,)), 1000.0)


def test_who_says_something_or_is_asked_nothing_has_not_idled() -> None:
    said = after(seen_by(ANN), 150.0, Said(ANN, "A moment."))
    assert not parting.has_idled(voting(said, Ben=(ANN,)), 200.0)
    assert not parting.has_idled(voting(seen_by(BEN), Ann=(BEN,)), 200.0)


# -- bots


def bot_at(seat: Seat, *bots: Seat) -> Picture:
    return away(seen_by(seat, bots=dict.fromkeys((seat, *bots), "honest")), DAN, 20.0)


def test_a_bot_waits_for_people_and_joins_what_they_vote() -> None:
    picture = bot_at(BEN, CAT)
    assert next_vote(picture, Will(), 100.0, is_bot=True) is None
    assert next_vote(voting(picture, Ann=(DAN,)), Will(), 100.0, is_bot=True) == (DAN,)
    assert next_vote(voting(picture, Cat=(DAN,)), Will(), 100.0, is_bot=True) is None


def test_where_people_disagree_or_want_to_wait_a_bot_waits_too() -> None:
    picture = bot_at(BEN)
    assert next_vote(voting(picture, Ann=(DAN,), Cat=()), Will(), 100.0, is_bot=True) == ()


def test_bots_alone_go_on_by_themselves_after_the_grace_time() -> None:
    picture = bot_at(BEN, ANN, CAT)
    assert next_vote(picture, Will(), 79.0, is_bot=True) is None
    assert next_vote(picture, Will(), 80.0, is_bot=True) == (DAN,)


def test_bots_alone_wait_for_the_only_person_however_slow_and_not_for_a_bot() -> None:
    alone = seen_by(BEN, bots=dict.fromkeys((BEN, CAT, DAN), "honest"))
    assert overdue(alone, 1000.0) == {ANN}
    assert next_vote(alone, Will(), 1000.0, is_bot=True) is None
    assert next_vote(replace(alone, bots={**alone.bots, ANN: "honest"}), Will(), 1000.0, is_bot=True) == (ANN,)


def test_bots_put_no_present_player_out_for_a_person() -> None:
    picture = replace(seen_by(BEN), bots={BEN: "honest", CAT: "honest"})
    assert next_vote(voting(picture, Ann=(DAN,)), Will(), 100.0, is_bot=True) == ()


# -- in words


def test_what_is_voted_by_whom_and_whose_vote_is_missing_is_said() -> None:
    picture = voting(away(seen_by(BEN), DAN, 20.0), Ann=(DAN,))
    assert "To go on without Dan: Ann. Still to vote: Ben and Cat." in " ".join(told(picture, 100.0))


def test_the_time_that_is_left_is_counted_down() -> None:
    picture = away(seen_by(BEN), DAN, 20.0)
    assert "In 0:18 the game may go on without Dan." in told(picture, 62.0)
    assert "The game may go on without Dan, or wait." in told(picture, 80.0)


def test_a_cheat_is_told_with_what_was_proved() -> None:
    assert "Dan has cheated, and there is proof: a false proof." in told(after(seen_by(BEN), 20.0, CHEAT), 20.0)


def test_votes_and_their_outcome_are_in_the_log() -> None:
    events = (Departed(DAN), Voted(ANN, (DAN,)), Voted(CAT, ()), WentOn(ANN, (), ()), TakenBack(1))
    log = [line.text for line in after(seen_by(BEN), 20.0, *events).log]
    assert log[-5:-1] == [
        "Dan leaves the game for good.",
        "Ann votes to go on without Dan.",
        "Cat votes to wait for everybody.",
        "All have voted to go on together.",
    ]
    assert log[-1].startswith("Something that was told here does not count")


def test_who_is_out_votes_no_more_and_is_asked_nothing() -> None:
    out = after(seen_by(BEN, is_out=True), 20.0, Departed(DAN))
    assert next_vote(out, Will(), 30.0) is None
    assert asked(out, 30.0) == ()


def test_a_bot_that_takes_over_and_its_player_who_comes_back_are_told_of() -> None:
    picture = after(seen_by(BEN), 20.0, Introduced(DAN, "honest", 30))
    assert picture.log[-1].text == "A bot plays for Dan now."
    assert DAN in picture.bots
    again = after(picture, 30.0, Introduced(DAN, "", 0))
    assert again.log[-1].text == "Dan plays again."
    assert DAN not in again.bots
    assert DAN not in again.patience
