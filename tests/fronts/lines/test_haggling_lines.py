"""Haggling in lines of text: what is asked, what is asked again, and what is thrown away."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2p_sheriff.fronts.lines.console import wrapped
from p2p_sheriff.fronts.lines.linefront import LineFront
from p2p_sheriff.fronts.lines.understanding import is_quit
from p2p_sheriff.rules import Choice, LoadBag, apply
from p2p_sheriff.rules.moves import Accept, Act, Offer, Pass, Refuse, SetAside, Things, Verb, Withdraw
from p2p_sheriff.seat.chronicle import Doing, Round
from p2p_sheriff.seat.intents import Intent, NothingMore, PassTheRest
from p2p_sheriff.seat.picture import LogLine, News, Picture, RoundEnded, Timer, Topic
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import LANGUAGES, Texts
from tests.fronts.lines.test_linefront import Screen, Typist
from tests.positions import put_game
from tests.secrecy.twins import ANN, BEN, CAT, Table, deck_of, hand_of, setup_for

NAMES = ("Anna", "Ben", "Cleo")


class Seated:
    """Ben before a picture, in lines of text."""

    def __init__(self, picture: Picture, language: str = "en") -> None:
        self.screen, self.typist = Screen(), Typist()
        self.now = 0.0
        show = self.screen.lines.append
        self.front = LineFront(self.typist, Texts.of(language), show, clock=lambda: self.now)
        self.see(picture)

    def see(self, picture: Picture, news: Sequence[News] = ()) -> None:
        self.front.show(picture, news)

    def types(self, *lines: str) -> Intent | None:
        """Returns the first thing that is wanted; None if these lines want nothing."""
        for line in lines:
            self.typist.lines.put_nowait(line)
        self.typist.lines.put_nowait(None)
        return asyncio.run(self._wish())

    async def wait(self) -> None:
        """Lets the front look at the clock."""
        self.front._wait()

    async def _wish(self) -> Intent | None:
        return await self.front.wish()


def inspected(language: str = "en", gold: int = 50, **fields: object) -> Picture:
    """Returns what Ben sees when his bag lies before Anna."""
    table = Table(setup_for(), deck_of(setup_for())).until_inspection({BEN: hand_of(BEN)[:3]})
    for session in table.sessions:
        put_game(session.table, replace(session.play, state=session.play.state.with_player(BEN, gold=gold)))
    session = table.sessions[BEN]
    begin = Picture(NAMES, Words(Texts.of(language)), session.view(), session.play.state, game=b"game", rematch=True)
    return replace(begin, **fields)  # type: ignore[arg-type]  # Fields of a picture by name.


# -- the terminal


def test_words_are_not_broken_at_the_edge_of_the_terminal_and_paths_stay_whole() -> None:
    path = "/home/kim/.local/share/p2p-sheriff/default/games/" + "ab" * 40 + ".sheriff;"
    sentence = f"The transcript is in {path} `p2p-sheriff audit` checks it, every signature and every proof of it."
    lines = wrapped(sentence, 40).split("\n")
    assert " ".join(lines) == sentence
    assert path in lines
    assert all(len(line) <= 40 for line in lines if line != path)
    assert wrapped("a\n\nb", 40) == "a\n\nb"


# -- the question


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_has_a_bag_before_the_sheriff_is_asked_to_haggle_once(language: str) -> None:
    ben, texts = Seated(inspected(language), language), Texts.of(language)
    prompt = f">>> {texts('questions.haggle')}"
    assert ben.screen.lines.count(prompt) == 1
    ben.see(inspected(language))
    assert ben.screen.lines.count(prompt) == 1
    assert any(texts("help.haggle") in line for line in ben.screen.lines)


def test_who_has_nothing_more_to_say_is_not_asked() -> None:
    assert not Seated(inspected(silent=frozenset({BEN}))).screen.has(">>> ")


def test_the_countdown_is_told_at_30_10_and_5_seconds_each_once() -> None:
    picture = inspected(open_until={BEN: 42.0})
    ben = Seated(picture)
    assert ben.screen.has("Your bag stays open for 42 seconds")
    for ben.now in (1, 12.4, 13, 32.3, 37.2, 38):
        asyncio.run(ben.wait())
    told = [line for line in ben.screen.lines if line.endswith("left to haggle about your bag.")]
    assert [int(line.split()[0]) for line in told] == [30, 10, 5]


def test_the_time_for_all_bags_is_told_when_it_begins_and_at_60_30_10_and_5_seconds_each_once() -> None:
    ben = Seated(inspected(timer=Timer(1, 120.0)))
    for ben.now in (0.2, 59.0, 60.4, 61.0, 92.0, 111.0, 116.0, 117.0):
        asyncio.run(ben.wait())
    told = [line.split()[-1] for line in ben.screen.lines if line.startswith("Time left for all bags: ")]
    assert told == ["1:59.", "0:59.", "0:28.", "0:09.", "0:04."]


def test_who_looks_at_the_table_sees_how_much_time_is_left_and_that_the_clock_stands_still() -> None:
    ben = Seated(inspected(timer=Timer(1, 120.0, stands_since=20.0)))
    ben.types("table")
    assert ben.screen.has("Time left for all bags: 1:40. The clock stands still.")


def test_a_person_refuses_is_done_and_passes_all_the_rest_by_a_word() -> None:
    assert Seated(inspected()).types("done") == NothingMore()
    assert Seated(inspected()).types("refuse anna 4") == Refuse(BEN, ANN, 3)
    anna = inspected(choice=Choice.ACT)
    assert Seated(anna).types("pass all") == PassTheRest()
    assert Seated(anna).types("pass cleo") == Pass(BEN, CAT, for_nothing=False)


# -- the beginning


@pytest.mark.parametrize("language", LANGUAGES)
def test_among_people_it_is_said_what_to_do_when_the_words_of_the_table_differ(language: str) -> None:
    compared = ("mango", "igloo", "cobalt", "rabbit", "swan", "butter")
    advice = Texts.of(language)("seat.words_differ")
    assert Seated(inspected(language, compared=compared), language).screen.has(advice)
    assert is_quit(advice.split(": ")[1].split()[1].strip(","), Texts.of(language))
    bots = inspected(language, compared=compared, bots={ANN: "honest", CAT: "honest"})
    assert not Seated(bots, language).screen.has(advice)


# -- asked again


def test_much_gold_is_asked_again_and_given_only_after_a_yes() -> None:
    ben = Seated(inspected())
    offer = ben.types("offer 52 gold for pass me", "yes")
    assert ben.screen.has("That is 52 of your 50 gold. Type yes if you mean it.")
    assert isinstance(offer, Offer)
    assert offer.gift.things == Things(52)  # What can't be paid, the rules refuse: nothing is clamped.
    assert Seated(inspected()).types("offer 26 gold for pass me", "no") is None
    again = Seated(inspected())
    assert again.types("offer 26 gold for pass me", "table", "yes") is None  # Something else was typed in between.


def test_little_gold_is_not_asked_again() -> None:
    assert isinstance(Seated(inspected(gold=12)).types("offer 10 gold for pass me"), Offer)
    assert isinstance(Seated(inspected(gold=50)).types("offer 25 gold for pass me"), Offer)


def test_to_accept_what_costs_much_is_asked_again_too() -> None:
    demand = Offer.bribe(ANN, 1, BEN, (ANN,), (Act(BEN, Verb.PASS),), Things(30))
    view = inspected().view
    assert view is not None
    state = apply(view.state, demand)
    ben = Seated(inspected(view=replace(view, state=state), told=state))
    assert ben.types("accept anna", "yes") == Accept(BEN, ANN, 1)
    assert ben.screen.has("That is 30 of your 50 gold.")


# -- thrown away


def market(choice: Choice) -> Picture:
    table = Table(setup_for(), deck_of(setup_for()))
    view = table.sessions[BEN].view()
    return Picture(NAMES, Words(), view, view.state, choice=choice, game=b"game", rematch=True)


def test_numbers_alone_answer_the_question_that_stands() -> None:
    table = Table(setup_for(), deck_of(setup_for())).until_inspection({})
    view = table.sessions[BEN].view()
    hand = tuple(card.handle for card in view.hand)
    for choice, wanted in {Choice.LOAD: LoadBag(BEN, hand[:2]), Choice.SET_ASIDE: SetAside(BEN, hand[:2])}.items():
        ben = Seated(Picture(NAMES, Words(), view, view.state, choice=choice, game=b"game", rematch=True))
        ben.now = 10
        assert ben.types("1 2") == wanted


def test_numbers_that_were_typed_for_the_question_before_are_thrown_away_with_a_sentence() -> None:
    ben = Seated(market(Choice.LOAD))
    assert ben.types("1 2") is None
    assert ben.screen.has("1 2 came before the question could be read, and is thrown away: type it again.")


def test_an_answer_to_a_question_that_has_vanished_is_thrown_away_with_a_sentence() -> None:
    ben = Seated(inspected())
    assert ben.types("keep") is None
    assert ben.screen.has("Nobody asks for keep now.")


# -- rounds


ENDED = Round(
    1,
    (ANN,),
    (
        Doing(50, 4, received=4),
        Doing(50, -8, ("bread",), (3, "apples"), Verb.INSPECT, ("apples", "silk", None), 8, promises=("a song",)),
        Doing(50, -4, (), (2, "cheese"), Verb.PASS, ("cheese", "cheese"), bribes=4),
    ),
    is_over=True,
)


def test_a_round_ends_with_a_summary_and_all_that_was_done_can_be_looked_up() -> None:
    ben = Seated(inspected())
    ben.see(inspected(rounds=(ENDED,)), [RoundEnded(ENDED)])
    assert ben.screen.lines[-5:] == [
        "--- Round 1 is over. ---",
        "Anna: sheriff, got 4 in deals, 54 gold (+4).",
        'Ben: set aside 1 bread, declared "3 apples", caught, paid 8, promised "a song", 42 gold (-8).',
        'Cleo: declared "2 cheese", passed, and it was true, paid 4 in deals, 46 gold (-4).',
        "Enter goes on",
    ]
    assert ben.types("history") is None
    assert ben.screen.has('  round 1: declared "2 cheese", passed, and it was true, paid 4 in deals')


@pytest.mark.parametrize("typed", ["", None])
def test_a_summary_waits_for_enter_or_some_seconds_before_the_next_question(typed: str | None) -> None:
    ben, prompt = Seated(inspected(silent=frozenset({BEN}))), ">>> "
    ben.see(inspected(), [RoundEnded(ENDED), LogLine(Topic.GAME, "Anna draws one card.")])
    for ben.now in (1, 19):
        asyncio.run(ben.wait())
    assert ben.screen.lines[-1] == "Enter goes on"
    if typed is None:
        ben.now = 20
        asyncio.run(ben.wait())
    else:
        assert ben.types(typed) is None
    assert ben.screen.has("Anna draws one card.")
    assert ben.screen.has(prompt)


def test_numbers_typed_while_a_summary_is_read_answer_nothing() -> None:
    ben = Seated(inspected())
    ben.see(inspected(choice=Choice.SET_ASIDE), [RoundEnded(ENDED)])
    ben.now = 10
    assert ben.types("1 2") is None
    assert ben.screen.has("1 2")


def test_an_offer_is_accepted_and_withdrawn_by_the_number_that_is_told() -> None:
    picture = inspected(numbered={(ANN, 6): 3, (BEN, 4): 5})
    assert Seated(picture).types("accept anna 3") == Accept(BEN, ANN, 6)
    assert Seated(picture).types("withdraw 5") == Withdraw(BEN, 4)


def test_offers_are_listed_by_number_and_an_own_one_as_yours() -> None:
    picture = inspected()
    assert picture.view is not None
    state = picture.view.state
    for author, number in ((BEN, 0), (CAT, 0)):
        offer = Offer.bribe(author, number, author, (ANN,), (Act(author, Verb.PASS),), Things(3))
        state = apply(state, offer)
    numbers = {(CAT, 0): 1, (BEN, 0): 2}
    ben = Seated(replace(picture, view=replace(picture.view, state=state), numbered=numbers))
    ben.types("offers")
    assert [line for line in ben.screen.lines if "3 gold" in line][-2:] == [
        "Cleo 1: Cleo pays Anna 3 gold: let Cleo's bag pass.",
        "Your offer 2: You pay Anna 3 gold: let your bag pass.",
    ]


def test_bots_and_new_cards_are_told() -> None:
    picture = inspected(bots={CAT: "gambler"})
    assert picture.view is not None
    drawn = ((picture.view.hand[0].kind, 1),)
    ben = Seated(replace(picture, new_kinds=drawn))
    ben.types("table", "hand")
    assert ben.screen.has("Cleo: bot: gambler, 50 gold")
    assert sum("(new, worth" in line for line in ben.screen.lines) == 1
