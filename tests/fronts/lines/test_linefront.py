"""A person's seat in lines of text: what it tells besides the game, and the questions that need more than a prompt."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_sheriff.fronts.lines.console import Keyboard
from p2p_sheriff.fronts.lines.linefront import LineFront
from p2p_sheriff.fronts.lines.tableau import Tableau, black_market, hints
from p2p_sheriff.fronts.lines.understanding import NotUnderstood, understand
from p2p_sheriff.node.events import Obstacle, Trouble
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules import Choice, Phase, Seat, new_game
from p2p_sheriff.rules.moves import Act, HandOver, Inspect, Offer, PayInKind, Things, Trade, Verb, Withdraw
from p2p_sheriff.seat import waiting
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.picture import Notice, Picture
from p2p_sheriff.seat.story import negotiated, said
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.passes import Mixing
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import ENGLISH, Texts
from p2p_sheriff.usage import UsageError
from tests.node.nodes import Party, seat, until
from tests.node.running import awaited
from tests.positions import put_game
from tests.rules.situations import at_declare
from tests.secrecy.twins import ANN, BEN, CAT, Table, deck_of, hand_of, setup_for

NAMES = ["Anna", "Ben", "Cleo"]


class Typist(Keyboard):
    """Types what a test says."""

    def __init__(self) -> None:
        self.lines = asyncio.Queue()


class Screen:
    """Keeps what is shown."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def has(self, words: str) -> bool:
        return any(words in line for line in self.lines)


def sit_down(party: Party, place: int = 0, texts: Texts = ENGLISH) -> tuple[Driver, Typist, Screen]:
    typist, screen = Typist(), Screen()
    node, profile = party.places[place].node, party.places[place].profile
    return Driver(node, profile, LineFront(typist, texts, screen.lines.append), Words(texts)), typist, screen


@awaited
async def test_it_is_said_once_for_whom_the_game_waits_and_who_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 1.5)
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        line, typist, screen = sit_down(party)
        playing = asyncio.create_task(line.run())
        bots = [asyncio.create_task(seat(place).play()) for place in party.places[2:]]  # Ben sits still.
        await until(lambda: screen.has("Waiting for Ben: ") or sessions[0].choice() is not None)
        while not screen.has("Waiting for Ben: "):
            for answer in ("first ben", "keep", "load 1", "declare apples"):
                typist.lines.put_nowait(answer)
            await asyncio.sleep(0.3)
        await asyncio.sleep(2)
        said = [text for text in screen.lines if text.startswith("Waiting for Ben: ")]
        assert len(said) == len(set(said))
        await party.places[1].node._mesh.stop()
        await until(lambda: screen.has("Ben is not connected any more"))
        typist.lines.put_nowait("table")
        await until(lambda: screen.has("Ben has been away since "))
        typist.lines.put_nowait("quit")
        await playing
        assert screen.lines[-1].startswith("You left the table for now")
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)


@awaited
async def test_a_full_disk_is_told_strangers_are_not_and_trouble_ends_with_its_sentence(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.begin()
        line, _, screen = sit_down(party)
        playing = asyncio.create_task(line.run())
        async with party.place("Stranger") as stranger:
            await stranger.node.dial("127.0.0.1", party.places[0].node.port)
            await until(lambda: len(party.places[0].node.connected()) == 3)
        await until(lambda: len(party.places[0].node.connected()) == 2)
        events = party.places[0].node.events
        events.put_nowait(Obstacle(Phrase("store.full", path="/games")))
        await until(lambda: screen.has("The disk is full"))
        assert not screen.has("Stranger")
        events.put_nowait(Trouble(Phrase("store.write", path="/games", detail="broken")))
        with pytest.raises(UsageError, match="/games could not be written: broken"):
            await playing


# -- what is told


def test_the_words_of_who_is_muted_are_not_told_but_their_offers_are() -> None:
    begin = Picture(("Anna", "Ben\x1b[2J", "Cleo"), Words(), told=new_game(setup_for()), muted=frozenset({BEN}))
    muted = said(begin, BEN, "trust me")
    offered = negotiated(muted, Offer.bribe(BEN, 0, BEN, (ANN,), (Act(BEN, Verb.PASS),), Things(1), "a\nkiss"))
    (line,) = offered.log
    assert "offer 1" in line.text
    screen = Screen()
    front = LineFront(Typist(), show=screen.lines.append)
    front.say(line.text)
    assert "a kiss" in screen.lines[0]
    assert screen.lines[0].isprintable()
    assert said(offered.muting(BEN, is_muted=False), BEN, "trust me").log[-1].text.endswith("trust me")


def test_of_many_notices_on_the_way_lines_tell_only_the_last() -> None:
    screen = Screen()
    front = LineFront(Typist(), show=screen.lines.append)
    for done in (1, 2, 3):
        front.show(Picture(tuple(NAMES), Words()), [Notice(f"{done} of 3.", passing=done < 3)])
    assert [line for line in screen.lines if "of 3" in line] == ["3 of 3."]


def test_an_onlooker_sees_offers_before_anybody_acts_on_them() -> None:
    table = Table(setup_for(), deck_of(setup_for())).until_inspection({})
    offer = Offer.bribe(BEN, 0, BEN, (ANN,), (Act(BEN, Verb.PASS),), Things(1))
    picture = negotiated(Picture(tuple(NAMES), Words(), told=table.state), offer)
    assert picture.haggled is not None
    assert [one.offer for one in picture.haggled.offers] == [offer]
    withdrawn = negotiated(picture, Withdraw(BEN, 0)).haggled
    assert withdrawn is not None
    assert withdrawn.offers == ()


# -- questions that need more than a prompt


def test_cards_that_were_promised_blind_out_of_the_bag_are_listed_and_given_by_their_numbers() -> None:
    setup = setup_for()
    table = Table(setup, deck_of(setup, "", "silk, mead, pepper")).until_inspection({BEN: hand_of(BEN)[:4]})
    table.offers(BEN, gold=1, bag_blind=1).passes(BEN)
    session = table.sessions[BEN]
    assert session.choice() is Choice.HAND_OVER
    view = session.view()
    (line,) = hints(view, Choice.HAND_OVER)
    assert line.startswith("You give 1 of these: 1 ")
    assert all(kind in line for kind in ("silk", "mead", "pepper"))
    for wrong, sentence in {"4": "1 to 3", "0": "1 to 3", "x": "no number"}.items():
        with pytest.raises(NotUnderstood, match=sentence):
            understand(view, NAMES, Choice.HAND_OVER, f"give {wrong}")
    gift = understand(view, NAMES, Choice.HAND_OVER, "give 2")
    assert isinstance(gift, HandOver)
    table.submit(gift)
    assert len(table.state[ANN].stack) == 1
    assert len(table.state[BEN].stack) == 2


def test_what_each_lie_would_cost_is_said_before_the_bag_is_declared() -> None:
    game = at_declare({BEN: ("2 apples, silk", "apples")})
    lines = Tableau(NAMES).prompt(game.view(BEN), Choice.DECLARE)
    told = {words.partition(":")[0]: words for words in lines if words.startswith("As ")}
    assert set(told) == {"As apples", "As cheese", "As bread", "As chicken"}
    assert "a lie. Inspected, you lose 1 silk and pay 4. Passed, you get 12." in told["As apples"]
    assert "a lie. Inspected, you lose 2 apples, 1 silk and pay 8." in told["As bread"]
    assert lines.index(told["As apples"]) < len(lines) - 1  # What is to be typed comes after it.
    honest = at_declare({BEN: ("2 apples", "apples")})
    lines = Tableau(NAMES).prompt(honest.view(BEN), Choice.DECLARE)
    assert "As apples: true. Inspected, the sheriff pays you 4. Passed, you get 4." in lines


def test_who_can_not_pay_hears_how_much_is_owed_and_what_there_is_to_give() -> None:
    setup = setup_for()
    table = Table(setup, deck_of(setup, "", "silk"))
    for session in table.sessions:
        put_game(session.table, replace(session.play, state=session.play.state.with_player(BEN, gold=1)))
    table.until_inspection({BEN: hand_of(BEN)[:4]}).submit(Inspect(ANN, BEN))
    session = table.sessions[BEN]
    assert session.choice() is Choice.PAY_IN_KIND
    owed, stall = hints(session.view(), Choice.PAY_IN_KIND)
    assert owed.startswith("You still owe 3: ")
    assert stall == "On your stall: 3 apples."
    move = understand(session.view(), NAMES, Choice.PAY_IN_KIND, "pay 2 apples")
    assert isinstance(move, PayInKind)
    table.submit(move)
    assert len(table.state[ANN].stall) == 2


def test_who_is_asked_for_a_trade_sees_the_black_market_and_trades_by_a_word() -> None:
    setup = setup_for("black-market")
    table = Table(setup, deck_of(setup, "", "3 pepper")).until_inspection({BEN: hand_of(BEN)[:3]}).passes(BEN)
    session = table.sessions[BEN]
    assert session.choice() is Choice.TRADE
    assert hints(session.view(), Choice.TRADE) == ["The black market has: pepper 30, mead 32, silk 34."]
    move = understand(session.view(), NAMES, Choice.TRADE, "trade pepper")
    assert isinstance(move, Trade)
    table.submit(move)
    assert table.state[BEN].prizes == ("pepper 30",)
    assert black_market(table.state) == ["The black market has: pepper 27, mead 32, silk 34."]


def waits(session: Session, away: Mapping[Seat, str], me: Seat | None = None, texts: Texts = ENGLISH) -> str:
    return waiting.sentence(session.play, [Seat(seat) for seat in session.table.awaited], NAMES, away, me, texts)


def test_who_has_proved_the_own_list_is_not_waited_for_but_who_withholds_the_proof() -> None:
    table = Table(setup_for(), deck_of(setup_for()))
    table.settle_until(ANN, lambda play: isinstance(play.passing, Mixing) and play.passing.is_listed)
    assert table.sessions[CAT].play.expected() == (ANN, BEN, CAT)
    for waiter in (BEN, CAT):
        assert waits(table.sessions[waiter], {}, waiter) == "Waiting for Anna: shuffling the cards."


def test_every_duty_that_a_game_can_wait_for_has_a_name() -> None:
    table = Table(setup_for(), deck_of(setup_for()))
    seen = set[str]()
    for session in table.sessions:
        seen.add(waits(session, {}, CAT))
    table.until_inspection({})
    assert table.state.phase is Phase.INSPECT
    seen.add(waits(table.sessions[0], {}, CAT))
    seen.add(waits(table.sessions[0], {Seat(0): "14:05"}))
    assert seen == {
        "Waiting for Anna: shuffling the cards.",
        "Waiting for Anna: dealing with the bags.",
        "Waiting for Anna: dealing with the bags. Anna has been away since 14:05.",
    }
    assert waits(table.sessions[0], {}, ANN) == ""
    assert "Ben is not connected." in waits(table.sessions[0], {BEN: ""}, ANN)
    assert waiting.coming_back({CAT, BEN}, NAMES).startswith("Waiting for Ben and Cleo to come back")
    assert waiting.coming_back({CAT, ANN, BEN}, NAMES).startswith("Waiting for Anna, Ben and Cleo to come back")


def test_hints_and_waiting_speak_the_language_of_the_player() -> None:
    polish, setup = Texts.of("pl"), setup_for("black-market")
    table = Table(setup, deck_of(setup, "", "3 pepper")).until_inspection({BEN: hand_of(BEN)[:3]})
    assert waits(table.sessions[0], {ANN: "14:05"}, CAT, polish) == (
        "Gra czeka (Anna): decyzja o torbach. Anna: brak połączenia od 14:05."
    )
    session = table.passes(BEN).sessions[BEN]
    assert hints(session.view(), Choice.TRADE, polish) == ["Na czarnym rynku: pieprz 30, miód pitny 32, jedwab 34."]


def test_patience_ends_once_for_each_thing_that_is_waited_for() -> None:
    patience = waiting.Patience()
    asked = [("", 0), ("Ben", 1), ("Ben", 10), ("Ben", 11), ("Ben", 50), ("", 51), ("Ben", 52), ("Ben", 62)]
    assert [time for wanted, time in asked if patience.ends(wanted, time)] == [11, 62]
