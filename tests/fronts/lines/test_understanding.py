import re
from dataclasses import replace
from pathlib import Path

import pytest

import p2p_sheriff
from p2p_sheriff.fronts.lines.tableau import Tableau
from p2p_sheriff.fronts.lines.understanding import Look, NotUnderstood, Understood, help_for, is_quit, understand
from p2p_sheriff.rules import Card, Choice, Handle, Knowledge, LoadBag, Seat, Setup, View, new_game
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Apart,
    Condition,
    Declare,
    Gift,
    HandOver,
    Inspect,
    NameFirst,
    Offer,
    Pass,
    PayInKind,
    PickLoot,
    SetAside,
    ShareLoot,
    Split,
    Stance,
    Things,
    Trade,
    Verb,
    Withdraw,
)
from p2p_sheriff.rules.state import Bag, Loot, LootCard, Standing
from p2p_sheriff.rules.steps import AskLayDown, ShareOut
from p2p_sheriff.seat.intents import Mute, NothingMore, Say
from p2p_sheriff.seat.narration import Narrator
from p2p_sheriff.seat.ways import LISTED
from p2p_sheriff.texts import ENGLISH, LANGUAGES, Texts
from tests.dealt import asked_for

NAMES = ["Anna", "Ben", "Cleo"]
ANNA, BEN, CLEO = Seat(0), Seat(1), Seat(2)
HAND = ("apples", "apples", "cheese", "silk", "mead", "pepper")
STACK = ("pepper", "silk", "pepper", "pepper")


@pytest.fixture
def seen() -> View:
    hand, bag = tuple(Handle(i) for i in range(6)), (Handle(40), Handle(41), Handle(42))
    stack = tuple(Handle(10 + i) for i in range(4))
    state = new_game(Setup(3, options=frozenset({"black-market"}))).but(officers=(BEN,), offer_numbers=(4, 0, 0))
    loot = [LootCard(Handle(30 + at), kind) for at, kind in enumerate(("apples", None, "apples", None))]
    state = state.but(loot=Loot(12, tuple(loot), ("pepper 30",)))
    stall = (Card(Handle(20), "apples", ANNA), Card(Handle(21), "apples", ANNA))
    state = state.with_player(ANNA, hand=hand + bag, stack=stack, stall=stall, bag=Bag(b"", 3, "apples"))
    knows = dict(zip(hand + stack + bag, HAND + STACK + HAND[:3], strict=True))
    return View(state, Knowledge(ANNA, knows, bag))


def test_the_hand_does_not_list_what_is_in_the_bag(seen: View) -> None:
    hand, *_, bag = Tableau(NAMES).hand(seen)
    assert [card.partition(" (")[0] for card in hand.removeprefix("Your hand: ").split("; ")] == [
        "1 = apple",
        "2 = apple",
        "3 = cheese",
        "4 = pepper",
        "5 = mead",
        "6 = silk",
    ]
    assert bag == "In your bag: 2 apples, 1 cheese."


def test_who_is_asked_who_goes_first_sees_among_whom(seen: View) -> None:
    sheriff = View(seen.state.but(officers=(ANNA,)), seen.knowledge)
    assert "Merchants: Ben and Cleo." in Tableau(NAMES).prompt(sheriff, Choice.NAME_FIRST)
    assert Narrator(("Anna", "Ben", "Cleo")).names(sheriff.state.setup.seats) == "Anna, Ben and Cleo"


def test_who_is_done_when_the_bag_was_dealt_with_meanwhile_says_nothing_to_the_table(seen: View) -> None:
    assert understand(seen, NAMES, None, "done") == NothingMore()
    late = View(seen.state.with_player(ANNA, bag=Bag(b"", 3, "apples", Verb.PASS)), seen.knowledge)
    with pytest.raises(NotUnderstood, match="Nobody asks for done now"):
        understand(late, NAMES, None, "done")


def laying_down(seen: View) -> View:
    """Returns what is seen when the first three cards of the hand were set aside, and are to be put back."""
    hand = seen.me.hand
    state = seen.state.with_player(ANNA, hand=hand[3:], aside=hand[:3]).but(todo=(AskLayDown(ANNA, ANNA),))
    return View(state.but(piles=((), ())), seen.knowledge)


def test_choices_are_understood(seen: View) -> None:
    expected = {
        (Choice.NAME_FIRST, "first cleo"): NameFirst(ANNA, CLEO),
        (Choice.SET_ASIDE, "aside 2, 4"): SetAside(ANNA, (Handle(1), Handle(5))),
        (Choice.SET_ASIDE, "keep"): SetAside(ANNA, ()),
        (Choice.LOAD, "load 1 2 6"): LoadBag(ANNA, (Handle(0), Handle(1), Handle(3))),
        (Choice.LOAD, "load 1-3"): LoadBag(ANNA, (Handle(0), Handle(1), Handle(2))),
        (Choice.LOAD, "load 1 - 2, 4 and six"): LoadBag(ANNA, (Handle(0), Handle(1), Handle(5), Handle(3))),
        (Choice.DECLARE, "declare apples"): Declare(ANNA, 3, "apples"),
        (Choice.DECLARE, "DECLARE 3 apple"): Declare(ANNA, 3, "apples"),
        (Choice.DECLARE, "declare three apples"): Declare(ANNA, 3, "apples"),
        (Choice.ACT, "inspect Be"): Inspect(ANNA, BEN),
        (Choice.ACT, "pass ben"): Pass(ANNA, BEN),
        (Choice.ACT, "pass ben for nothing"): Pass(ANNA, BEN, for_nothing=True),
        (Choice.ACT, "pass ben for free"): Pass(ANNA, BEN, for_nothing=True),
        (Choice.HAND_OVER, "give 2 1"): HandOver(ANNA, (Handle(11), Handle(10))),
        (Choice.PAY_IN_KIND, "pay 1 apples, 2 pepper"): PayInKind(
            ANNA, (("apples", 1),), ((Handle(10), "pepper"), (Handle(12), "pepper"))
        ),
        (Choice.TRADE, "trade pepper"): Trade(ANNA, tuple((Handle(i), "pepper") for i in (10, 12, 13))),
        (Choice.TRADE, "trade pep"): Trade(ANNA, tuple((Handle(i), "pepper") for i in (10, 12, 13))),
        (Choice.TRADE, "no"): Trade(ANNA, ()),
        (Choice.ACT, "apart cleo"): Apart(ANNA, CLEO),
        (Choice.SHARE_LOOT, "even"): ShareLoot(ANNA),
        (Choice.SHARE_LOOT, "share nothing"): ShareLoot(ANNA, Split(0)),
        (Choice.SHARE_LOOT, "share 8 gold, an apple and 2 blind, 1 pepper 30"): ShareLoot(
            ANNA, Split(8, (Handle(30), Handle(31), Handle(33)), ("pepper 30",))
        ),
        (Choice.PICK_LOOT, "pick 2"): PickLoot(ANNA, Handle(31)),
        (Choice.PICK_LOOT, "5"): PickLoot(ANNA, "pepper 30"),
    }
    for (choice, line), move in expected.items():
        assert understand(seen, NAMES, choice, line) == move


def test_r10_5_accepting_is_to_say_the_split_that_was_proposed(seen: View) -> None:
    proposal = Split(8, (Handle(31),))
    asked = View(seen.state.but(todo=(ShareOut(proposal),)), seen.knowledge)
    assert understand(asked, NAMES, Choice.SHARE_LOOT, "accept") == ShareLoot(ANNA, proposal)
    assert understand(asked, NAMES, Choice.SHARE_LOOT, "even") == ShareLoot(ANNA)
    with pytest.raises(NotUnderstood, match="Who is meant"):
        understand(seen, NAMES, Choice.SHARE_LOOT, "accept")


def test_r10_4_two_deputies_say_what_a_sheriff_does(seen: View) -> None:
    bag = Bag(b"", count=2, kind="apples")
    state = seen.state.but(officers=(ANNA, BEN)).with_player(CLEO, bag=bag)
    both = View(state, seen.knowledge)
    assert understand(both, NAMES, Choice.ACT, "inspect cleo") == Stance(ANNA, CLEO, Verb.INSPECT)
    assert understand(both, NAMES, Choice.ACT, "pass cleo") == Stance(ANNA, CLEO, Verb.PASS)
    offer = Offer.bribe(CLEO, 1, CLEO, (ANNA, BEN), (Act(CLEO, Verb.PASS),), Things(3))
    bribed = View(state.but(offers=(Standing(offer),)), seen.knowledge)
    assert understand(bribed, NAMES, Choice.ACT, "pass cleo") == Accept(ANNA, CLEO, 1)
    assert understand(bribed, NAMES, Choice.ACT, "pass cleo for nothing") == Stance(ANNA, CLEO, Verb.PASS)
    alone = View(state.with_bag(CLEO, alone=ANNA), seen.knowledge)
    assert understand(alone, NAMES, Choice.ACT, "inspect cleo") == Inspect(ANNA, CLEO)
    assert understand(alone, NAMES, Choice.ACT, "pass cleo") == Pass(ANNA, CLEO)


def test_r10_4_an_offer_is_made_to_both_deputies_or_to_the_one_who_acts_alone(seen: View) -> None:
    bag = Bag(b"", count=2, kind="apples")
    both = seen.state.but(officers=(BEN, CLEO)).with_player(ANNA, bag=bag)
    for state, officers in {both: (BEN, CLEO), both.with_bag(ANNA, alone=CLEO): (CLEO,)}.items():
        offer = understand(View(state, seen.knowledge), NAMES, None, "offer 5 gold for pass me")
        assert offer == Offer.bribe(ANNA, 5, ANNA, officers, (Act(ANNA, Verb.PASS),), Things(5))


def test_offers_are_composed_of_gold_goods_and_acts(seen: View) -> None:
    offer = understand(
        seen, NAMES, None, "offer 5 gold, 2 apples and 1 silk, 1 blind, 1 mead from bag for pass me, inspect cleo"
    )
    payment = Things(5, (("apples", 2),), (("silk", 1),), 1, (("mead", 1),))
    assert offer == Offer.bribe(ANNA, 5, ANNA, (BEN,), (Act(ANNA, Verb.PASS), Act(CLEO, Verb.INSPECT)), payment)
    asked = understand(seen, NAMES, Choice.ACT, "ask cleo 3 gold for pass cleo")
    assert asked == Offer.bribe(ANNA, 5, CLEO, (BEN,), (Act(CLEO, Verb.PASS),), Things(3))


@pytest.mark.parametrize(
    ("terms", "things", "promise"),
    [
        ("5gold for pass", Things(5), ""),
        ("five gold and two apples for pass", Things(5, (("apples", 2),)), ""),
        ("an apple for pass", Things(0, (("apples", 1),)), ""),
        ("1 pep for pass", Things(stack=(("pepper", 1),)), ""),
        ("1 pepper 30 for pass", Things(stall=(("pepper 30", 1),)), ""),
        ("nothing for pass", Things(), ""),
        ("none for pass me", Things(), ""),
        ("promise a song, and a dance for pass me", Things(), "a song, and a dance"),
        ("5 gold and promise a song for you for pass me", Things(5), "a song for you"),
        ("5 gold, promise to be good, quiet and nice for pass me", Things(5), "to be good, quiet and nice"),
        ("5 gold for pass me, promise a song, and to vote for you", Things(5), "a song, and to vote for you"),
        ("5 gold for pass me and promise: a song", Things(5), "a song"),
    ],
)
def test_an_offer_is_understood_as_people_type_it(seen: View, terms: str, things: Things, promise: str) -> None:
    expected = Offer.bribe(ANNA, 5, ANNA, (BEN,), (Act(ANNA, Verb.PASS),), things, promise)
    assert understand(seen, NAMES, None, f"offer {terms}") == expected


def test_who_is_asked_for_a_bribe_pays_for_the_own_bag_unless_another_is_named(seen: View) -> None:
    sheriff = View(seen.state.but(officers=(ANNA,)), seen.knowledge)
    for terms, acts in {
        "pass": (Act(CLEO, Verb.PASS),),
        "pass, inspect ben": (Act(CLEO, Verb.PASS), Act(BEN, Verb.INSPECT)),
    }.items():
        asked = understand(sheriff, NAMES, Choice.ACT, f"ask cleo 5 gold for {terms}")
        assert asked == Offer.bribe(ANNA, 5, CLEO, (ANNA,), acts, Things(5))


def test_an_offer_is_accepted_by_its_author_and_by_its_number_where_there_are_several(seen: View) -> None:
    offer = Offer.bribe(CLEO, 7, CLEO, (BEN,), (Act(CLEO, Verb.PASS),), Things(1))
    state = seen.state.but(offers=(Standing(offer),))
    one = View(state, seen.knowledge)
    assert understand(one, NAMES, None, "accept cleo") == Accept(ANNA, CLEO, 7)
    two = View(state.but(offers=(Standing(offer), Standing(replace(offer, number=8)))), seen.knowledge)
    assert understand(two, NAMES, None, "accept cleo 9") == Accept(ANNA, CLEO, 8)
    with pytest.raises(NotUnderstood, match="Cleo has several offers: say the number too, 8 or 9"):
        understand(two, NAMES, None, "accept cleo")
    with pytest.raises(NotUnderstood, match="No offer of Ben stands"):
        understand(two, NAMES, None, "refuse ben")
    assert understand(one, NAMES, None, "withdraw 4") == Withdraw(ANNA, 3)


def test_words_and_looks_are_understood_at_any_time(seen: View) -> None:
    assert understand(seen, NAMES, None, "say  Trust me! ") == Say("Trust me!")
    assert understand(seen, NAMES, Choice.LOAD, "hand") == Look("hand")
    assert understand(seen, NAMES, None, "TABLE") == Look("table")
    assert understand(seen, NAMES, None, "mute cl") == Mute(CLEO, is_muted=True)
    assert understand(seen, NAMES, Choice.LOAD, "unmute ben") == Mute(BEN, is_muted=False)


def test_an_onlooker_is_nobody_at_the_table(seen: View) -> None:
    onlooker = View(seen.state, Knowledge(Seat(-1), {}))
    with pytest.raises(NotUnderstood, match="Who is me"):
        understand(onlooker, NAMES, None, "mute me")


@pytest.mark.parametrize(
    ("choice", "line", "sentence"),
    [
        (Choice.LOAD, "declare apples", "load 1 2 3"),
        (Choice.LOAD, "load 7", "1 to 6"),
        (Choice.LOAD, "load 1 1", "each once"),
        (Choice.LOAD, "load 1-3 2", "each once"),
        (Choice.LOAD, "load 2-999999", "1 to 6"),
        (Choice.LOAD, "load 3-1", "1 to 6"),
        (Choice.LOAD, "load 1-x", "no number"),
        (Choice.LOAD, "load x", "no number"),
        (Choice.DECLARE, "declare gold", "no good called"),
        (Choice.ACT, "inspect dan", "Who is dan"),
        (Choice.ACT, "inspect", "At the table"),
        (Choice.TRADE, "trade silk", "not three silk"),
        (Choice.SHARE_LOOT, "share 3 apples", "does not lie on the Loot"),
        (Choice.SHARE_LOOT, "share 1 silk", "does not lie on the Loot"),
        (Choice.PICK_LOOT, "pick 6", "does not lie on the Loot"),
        (Choice.PICK_LOOT, "pick 0", "does not lie on the Loot"),
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


def test_every_choice_has_help() -> None:
    assert {choice for choice in Choice if help_for(choice)} == set(Choice)


# -- names


def test_a_name_of_several_words_is_read_to_its_end(seen: View) -> None:
    names = ["Anna", "Maid Marian", "Mai"]
    assert understand(seen, names, Choice.ACT, "pass maid marian for nothing") == Pass(ANNA, BEN, for_nothing=True)
    assert understand(seen, names, Choice.ACT, "pass maid marian") == Pass(ANNA, BEN)
    assert understand(seen, names, None, "accept Maid Marian 3") == Accept(ANNA, BEN, 2)
    asked = understand(seen, names, None, "ask maid marian 3 gold for pass maid marian")
    assert asked == Offer.bribe(ANNA, 5, BEN, (BEN,), (Act(BEN, Verb.PASS),), Things(3))


def test_a_name_that_another_one_begins_with_can_be_typed(seen: View) -> None:
    names = ["Kim", "Zoé", "Zoé2"]
    assert understand(seen, names, Choice.ACT, "inspect zoe") == Inspect(ANNA, BEN)
    with pytest.raises(NotUnderstood, match="Who is zo"):
        understand(seen, names, Choice.ACT, "inspect zo")


# -- languages


MODULES = frozenset({*LISTED, Choice.DISCARD})
"""What only modules ask for."""
THREE = Setup(3, options=frozenset({"orders", "laws", "merry-men"}))
TO_DEPUTIES = {"act_deputy": Choice.ACT, "share_answer": Choice.SHARE_LOOT}
"""Help that deputies get in place of the usual one."""


def examples(texts: Texts, key: str) -> list[str]:
    """Returns the commands that a help text shows, with a name of the table."""
    placeholder = texts("help.name_first").partition(":")[0].split()[-1]
    shown = re.sub(r"\(.*?\)", "", texts(f"help.{key}")).replace(placeholder, "Cleo")
    return [example.partition(":")[0].strip() for example in shown.split(";")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("key", "choice"),
    [*((choice.name.lower(), choice) for choice in Choice), *TO_DEPUTIES.items(), ("swap", Choice.DISCARD)],
)
def test_the_help_shows_commands_that_are_understood_and_mean_the_same(
    seen: View, language: str, key: str, choice: Choice
) -> None:
    texts, deputies = Texts.of(language), seen.state.but(officers=(ANNA, BEN), todo=(ShareOut(Split(8)),))
    view = View(deputies, seen.knowledge) if key in TO_DEPUTIES else seen
    view = laying_down(seen) if choice is Choice.LAY_DOWN else view
    if choice in MODULES:
        is_swap = key == "swap"  # The example takes a silk and a cheese.
        view = asked_for(choice, THREE, swap=is_swap, lying=frozenset({"silk", "cheese"} if is_swap else ()))

    def understood(language: Texts) -> list[Understood]:
        return [understand(view, NAMES, choice, line, texts) for line in examples(language, key)]

    assert understood(texts) == understood(ENGLISH)


def test_deputies_are_told_what_only_they_can_type(seen: View) -> None:
    deputies = seen.state.but(officers=(ANNA, BEN), todo=(ShareOut(Split(8)),))
    for key, choice in TO_DEPUTIES.items():
        assert help_for(choice, ENGLISH, deputies) == ENGLISH(f"help.{key}") != help_for(choice, ENGLISH, seen.state)
    assert help_for(Choice.NAME_FIRST, ENGLISH, deputies) == ENGLISH("help.name_first")


HAGGLING = ("haggling", "haggle", "face_down", "blind", "from_bag", "promise")


@pytest.mark.parametrize("language", LANGUAGES)
def test_haggling_means_the_same_in_every_language_and_english_is_understood_in_all(seen: View, language: str) -> None:
    texts = Texts.of(language)
    for key in HAGGLING[:-1]:
        english = [understand(seen, NAMES, None, line, texts) for line in examples(ENGLISH, key)]
        assert [understand(seen, NAMES, None, line, texts) for line in examples(texts, key)] == english
    (promise,) = (understand(seen, NAMES, None, line, texts) for line in examples(texts, HAGGLING[-1]))
    assert isinstance(promise, Offer)
    assert promise.gift.things == Things(5)
    assert promise.promise


DEALS = {
    "en": (
        "deal Ben Anna 5 gold; Cleo Anna 3 gold if true for inspect Cleo",
        "deal Ben Cleo 2 apples; Cleo Ben 5 gold and 1 blind, promise a song",
        "deal Cleo Anna 3 gold if a lie for inspect Cleo, pass Ben",
    ),
    "pl": (
        "umowa Ben Anna 5 złota; Cleo Anna 3 złota jeśli prawda, żeby sprawdzić Cleo",
        "umowa Ben Cleo 2 jabłka; Cleo Ben 5 złota i 1 w ciemno, obietnica a song",
        "umowa Cleo Anna 3 złota jeśli kłamstwo, żeby sprawdzić Cleo, przepuścić Ben",
    ),
    "uk": (
        "угода Ben Anna 5 золотих; Cleo Anna 3 золотих якщо правда, щоб перевірити Cleo",
        "угода Ben Cleo 2 яблука; Cleo Ben 5 золотих та 1 наосліп, обіцянка a song",
        "угода Cleo Anna 3 золотих якщо брехня, щоб перевірити Cleo, пропустити Ben",
    ),
    "pt": (
        "acordo Ben Anna 5 moedas; Cleo Anna 3 moedas se for verdade para inspecionar Cleo",
        "acordo Ben Cleo 2 maçãs; Cleo Ben 5 moedas e 1 às cegas, promessa a song",
        "acordo Cleo Anna 3 moedas se for mentira para inspecionar Cleo, passar Ben",
    ),
    "es": (
        "trato Ben Anna 5 monedas; Cleo Anna 3 monedas si es verdad por inspeccionar Cleo",
        "trato Ben Cleo 2 manzanas; Cleo Ben 5 monedas y 1 a ciegas, promesa a song",
        "trato Cleo Anna 3 monedas si es mentira por inspeccionar Cleo, pasar Ben",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_deals_of_several_trades_and_sureties_are_typed_in_every_language(seen: View, language: str) -> None:
    cleo, number = Seat(2), seen.state.offer_numbers[seen.seat] + 1
    officers = seen.state.officers
    two_givers = (Gift(BEN, ANNA, Things(5)), Gift(cleo, ANNA, Things(3), Condition.IF_TRUE))
    trade = (Gift(BEN, cleo, Things(stall=(("apples", 2),))), Gift(cleo, BEN, Things(5, stack_blind=1)))
    look = Act(cleo, Verb.INSPECT)
    for lines in (DEALS[language], DEALS["en"]):
        assert [understand(seen, NAMES, None, line, Texts.of(language)) for line in lines] == [
            Offer(seen.seat, number, officers, two_givers, (look,)),
            Offer(seen.seat, number, officers, trade, (), "a song"),
            Offer(
                seen.seat,
                number,
                officers,
                (Gift(cleo, ANNA, Things(3), Condition.IF_LIE),),
                (look, Act(BEN, Verb.PASS)),
            ),
        ]


def test_the_help_for_haggling_shows_what_its_words_mean(seen: View) -> None:
    def given(key: str) -> list[tuple[Things, str]]:
        offers = [understand(seen, NAMES, None, line) for line in examples(ENGLISH, key)]
        return [(offer.gift.things, offer.promise) for offer in offers if isinstance(offer, Offer)]

    assert given("face_down") == [(Things(stack=(("silk", 1),)), "")]
    assert given("blind") == [(Things(stack_blind=1), "")]
    assert given("from_bag") == [(Things(bag=(("silk", 1),)), ""), (Things(bag_blind=1), "")]
    assert given("promise") == [(Things(5), "a song")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_can_be_typed_at_any_time_is_said_in_the_words_of_the_language(seen: View, language: str) -> None:
    texts = Texts.of(language)
    shown = texts("help.any_time").partition(": ")[2].rstrip(".").split(", ")
    hand, table, offers, pile, history, words, say, mute, unmute, help_word, quit_word = shown
    looks = {
        hand: "hand",
        table: "table",
        offers: "offers",
        pile: "pile",
        history: "history",
        words: "words",
        help_word: "help",
    }
    for word, look in looks.items():
        assert understand(seen, NAMES, None, word, texts) == Look(look)
    assert isinstance(understand(seen, NAMES, None, say, texts), Say)
    assert understand(seen, NAMES, None, f"{mute.split()[0]} cleo", texts) == Mute(CLEO, is_muted=True)
    assert understand(seen, NAMES, None, f"{unmute.split()[0]} cleo", texts) == Mute(CLEO, is_muted=False)
    assert is_quit(f" {quit_word.upper()} ", texts)
    assert is_quit("quit", texts)
    assert not is_quit(hand, texts)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        (
            "pl",
            "oferuje 5 zlota i 2 jablka oraz 1 w ciemno, 1 jedwab zakryty za przepuszczenie mnie potem sprawdzić Cleo",
        ),
        ("uk", "пропоную 5 монет та 2 яблука та 1 наосліп, 1 шовк закритий за пропустити мене потім перевірити Cleo"),
        (
            "pt",
            "ofereco 5 de ouro e 2 macas e 1 as cegas, 1 seda virada por passar a minha bolsa depois inspecionar Cleo",
        ),
        ("es", "ofrezco 5 de oro y 2 manzanas y 1 a ciegas, 1 seda boca abajo para pasar mia luego inspeccionar Cleo"),
    ],
)
def test_offers_are_composed_in_the_own_words_also_without_accents(seen: View, language: str, line: str) -> None:
    payment = Things(5, (("apples", 2),), (("silk", 1),), 1)
    acts = (Act(ANNA, Verb.PASS), Act(CLEO, Verb.INSPECT))
    assert understand(seen, NAMES, None, line, Texts.of(language)) == Offer.bribe(ANNA, 5, ANNA, (BEN,), acts, payment)


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_up_to_ten_can_be_spelt_out(seen: View, language: str) -> None:
    texts = Texts.of(language)
    for number in range(1, 11):
        for word in texts.words(f"counts.{number}"):
            assert understand(seen, NAMES, None, f"offer {word} gold for pass", texts) == Offer.bribe(
                ANNA, 5, ANNA, (BEN,), (Act(ANNA, Verb.PASS),), Things(number)
            )


def test_a_promise_and_what_is_said_keep_their_accents(seen: View) -> None:
    polish = Texts.of("pl")
    offer = understand(seen, NAMES, None, "oferuję obietnica Żółte kaczki, żeby przepuścić mnie", polish)
    assert isinstance(offer, Offer)
    assert (offer.gift.things, offer.promise) == (Things(), "Żółte kaczki")
    assert understand(seen, NAMES, None, "powiedz Cześć, Łucja!", polish) == Say("Cześć, Łucja!")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("choice", "line", "key"),
    [
        (Choice.LOAD, "load x", "line.no_number"),
        (Choice.LOAD, "load 1 1", "line.cards"),
        (Choice.DECLARE, "declare", "line.good_missing"),
        (Choice.DECLARE, "declare dragons", "line.no_good"),
        (Choice.ACT, "inspect", "line.who_is_meant"),
        (Choice.ACT, "inspect Zoe", "line.who"),
        (Choice.TRADE, "trade silk", "line.not_three"),
        (Choice.PAY_IN_KIND, "pay 3 silk", "line.too_much"),
        (None, "withdraw", "line.number_missing"),
        (None, "offer 5 gold", "line.one_side"),
        (None, "offer 5 gold for dance", "line.no_acts"),
        (None, "frobnicate", "line.means_nothing"),
    ],
)
def test_what_is_not_understood_is_said_in_the_language_of_the_player(
    seen: View, language: str, choice: Choice | None, line: str, key: str
) -> None:
    texts = Texts.of(language)
    entry = str(texts.entries[key])
    pattern = "".join(".+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", entry))
    with pytest.raises(NotUnderstood) as refused:
        understand(seen, NAMES, choice, line, texts)
    assert re.fullmatch(pattern, str(refused.value))


def test_every_word_of_the_vocabulary_and_every_help_is_used() -> None:
    folder = Path(p2p_sheriff.__file__).parent / "fronts" / "lines"
    files = ("understanding.py", "lobbylines.py", "linefront.py")
    code = "".join((folder / file).read_text(encoding="utf-8") for file in files)
    answered = {f"help.{choice.name.lower()}" for choice in Choice if help_for(choice)}
    for key in ENGLISH.entries:
        group, _, name = key.partition(".")
        if group in ("verbs", "typed", "gatherverbs"):
            assert f'"{name}"' in code, key
    assert {key for key in ENGLISH.entries if key.startswith("help.")} == answered | {
        *(f"help.{key}" for key in (*HAGGLING, *TO_DEPUTIES)),
        "help.swap",
        "help.deal",
        "help.cards",
        "help.any_time",
        "help.words",
        "help.parting",
        "help.waiting",
    }
