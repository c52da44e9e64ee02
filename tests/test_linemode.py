from dataclasses import replace

import pytest

from p2p_sheriff.linemode import HELP, LoadBag, Look, NotUnderstood, Say, understand
from p2p_sheriff.rules import Card, Choice, Handle, Knowledge, Seat, Setup, View, new_game, view
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Declare,
    HandOver,
    Inspect,
    NameFirst,
    Offer,
    Pass,
    PayInKind,
    Payment,
    SetAside,
    Trade,
    Verb,
    Withdraw,
)
from p2p_sheriff.rules.state import Standing

NAMES = ["Anna", "Ben", "Cleo"]
ANNA, BEN, CLEO = Seat(0), Seat(1), Seat(2)
HAND = ("apples", "apples", "cheese", "silk", "mead", "pepper")
STACK = ("pepper", "silk", "pepper", "pepper")


@pytest.fixture
def seen() -> View:
    hand = tuple(Handle(i) for i in range(6))
    stack = tuple(Handle(10 + i) for i in range(4))
    state = new_game(Setup(3, options=frozenset({"black-market"}))).but(officers=(BEN,), offer_numbers=(4, 0, 0))
    stall = (Card(Handle(20), "apples", ANNA), Card(Handle(21), "apples", ANNA))
    state = state.with_player(ANNA, hand=hand, stack=stack, stall=stall)
    knows = dict(zip(hand + stack, HAND + STACK, strict=True))
    return view(state, Knowledge(ANNA, knows, hand[:3]))


def test_choices_are_understood(seen: View) -> None:
    expected = {
        (Choice.NAME_FIRST, "first cleo"): NameFirst(ANNA, CLEO),
        (Choice.SET_ASIDE, "aside 2, 4"): SetAside(ANNA, (Handle(1), Handle(3))),
        (Choice.SET_ASIDE, "keep"): SetAside(ANNA, ()),
        (Choice.LOAD, "load 1 2 6"): LoadBag((Handle(0), Handle(1), Handle(5))),
        (Choice.DECLARE, "declare apples"): Declare(ANNA, 3, "apples"),
        (Choice.DECLARE, "DECLARE 3 apple"): Declare(ANNA, 3, "apples"),
        (Choice.ACT, "inspect Be"): Inspect(ANNA, BEN),
        (Choice.ACT, "pass ben"): Pass(ANNA, BEN),
        (Choice.ACT, "pass ben for nothing"): Pass(ANNA, BEN, for_nothing=True),
        (Choice.HAND_OVER, "give 2 1"): HandOver(ANNA, (Handle(11), Handle(10))),
        (Choice.PAY_IN_KIND, "pay 1 apples, 2 pepper"): PayInKind(
            ANNA, (("apples", 1),), ((Handle(10), "pepper"), (Handle(12), "pepper"))
        ),
        (Choice.TRADE, "trade pepper"): Trade(ANNA, tuple((Handle(i), "pepper") for i in (10, 12, 13))),
        (Choice.TRADE, "no"): Trade(ANNA, ()),
    }
    for (choice, line), move in expected.items():
        assert understand(seen, NAMES, choice, line) == move


def test_offers_are_composed_of_gold_goods_and_acts(seen: View) -> None:
    offer = understand(
        seen, NAMES, None, "offer 5 gold, 2 apples and 1 silk, 1 blind, 1 mead from bag for pass me, inspect cleo"
    )
    payment = Payment(5, (("apples", 2),), (("silk", 1),), 1, (("mead", 1),))
    assert offer == Offer(ANNA, 5, ANNA, (BEN,), (Act(ANNA, Verb.PASS), Act(CLEO, Verb.INSPECT)), payment)
    asked = understand(seen, NAMES, Choice.ACT, "ask cleo 3 gold for pass cleo")
    assert asked == Offer(ANNA, 5, CLEO, (BEN,), (Act(CLEO, Verb.PASS),), Payment(3))


def test_an_offer_is_accepted_by_its_author_and_by_its_number_where_there_are_several(seen: View) -> None:
    offer = Offer(CLEO, 7, CLEO, (BEN,), (Act(CLEO, Verb.PASS),), Payment(1))
    state = seen.state.but(offers=(Standing(offer),))
    one = view(state, seen.knowledge)
    assert understand(one, NAMES, None, "accept cleo") == Accept(ANNA, CLEO, 7)
    two = view(state.but(offers=(Standing(offer), Standing(replace(offer, number=8)))), seen.knowledge)
    assert understand(two, NAMES, None, "accept cleo 8") == Accept(ANNA, CLEO, 8)
    with pytest.raises(NotUnderstood):
        understand(two, NAMES, None, "accept cleo")
    assert understand(one, NAMES, None, "withdraw 3") == Withdraw(ANNA, 3)


def test_words_and_looks_are_understood_at_any_time(seen: View) -> None:
    assert understand(seen, NAMES, None, "say  Trust me! ") == Say("Trust me!")
    assert understand(seen, NAMES, Choice.LOAD, "hand") == Look("hand")
    assert understand(seen, NAMES, None, "TABLE") == Look("table")


@pytest.mark.parametrize(
    ("choice", "line", "sentence"),
    [
        (Choice.LOAD, "declare apples", "load 1 2 3"),
        (Choice.LOAD, "load 7", "1 to 6"),
        (Choice.LOAD, "load 1 1", "each once"),
        (Choice.LOAD, "load x", "no number"),
        (Choice.DECLARE, "declare gold", "no good called"),
        (Choice.ACT, "inspect dan", "Who is dan"),
        (Choice.ACT, "inspect", "At the table"),
        (Choice.TRADE, "trade silk", "not three silk"),
        (Choice.PAY_IN_KIND, "pay 3 silk", "not so much"),
        (None, "offer 5 gold", "two sides"),
        (None, "offer 5 gold for dance", "for pass me"),
        (None, "offer gold for pass me", "no number"),
        (None, "frobnicate", "help"),
        (None, "", "help"),
    ],
)
def test_what_is_not_understood_gets_a_sentence_that_helps(
    seen: View, choice: Choice | None, line: str, sentence: str
) -> None:
    with pytest.raises(NotUnderstood, match=sentence):
        understand(seen, NAMES, choice, line)


def test_every_choice_of_the_second_edition_has_help() -> None:
    elsewhere = {Choice.TAKE_DISCARDS, Choice.LAY_DOWN, Choice.SHARE_LOOT, Choice.PICK_LOOT}
    assert set(HELP) == set(Choice) - elsewhere
