"""The rhythm of a bot at the table: it lets people talk, answers in words, and is held by nobody for ever."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.fronts.botfront import LATEST, BotFront
from p2p_sheriff.rules import Choice, Knowledge, Seat, State, View
from p2p_sheriff.rules.moves import Accept, Inspect, Offer, Pass, Refuse, Things
from p2p_sheriff.seat.haggling import MARGIN_SECONDS
from p2p_sheriff.seat.hall import Hall, Person
from p2p_sheriff.seat.intents import Intent, Introduce, Say
from p2p_sheriff.seat.picture import LogLine, Notice, Picture, Timer, Topic
from p2p_sheriff.seat.settings import Tempo
from p2p_sheriff.seat.words import Words
from protocol.identity import Identity
from tests.fronts.virtual_time import run
from tests.rules.notation import ANN, BEN, CAT, DAN, acts
from tests.rules.situations import at_inspection

NAMES = ("Ann", "Ben", "Cat", "Dan")
PACE = 2.0


def seen(state: State, seat: Seat, bots: tuple[Seat, ...], **more: Any) -> Picture:
    choice = Choice.ACT if seat in state.officers else None
    picture = Picture(
        NAMES, Words(), View(state, Knowledge(seat, {})), state, choice=choice, game=b"a game", signed=False
    )
    return replace(picture, bots=dict.fromkeys(bots, "honest"), patience=dict.fromkeys(bots, 30), **more)


def front() -> BotFront:
    return BotFront(lambda seat: make_bot(STYLES[0], seat, Random(1)), Tempo(PACE, 30))


async def at(wish: Coroutine[Any, Any, Intent | None]) -> tuple[Intent | None, float]:
    intent = await wish
    return intent, asyncio.get_running_loop().time()


def test_a_bot_says_first_that_it_is_one_and_how_patient() -> None:
    async def play() -> Intent | None:
        bot = front()
        bot.show(seen(at_inspection({}).state, ANN, ()))
        return await bot.wish()

    assert run(play()) == Introduce(STYLES[0], 30)


def test_the_bag_of_a_person_is_decided_on_when_the_countdown_has_run_out_and_not_before() -> None:
    state = at_inspection({}).passes(CAT).passes(DAN).state

    async def play() -> tuple[Intent | None, float]:
        bot = front()
        bot.show(seen(state, ANN, (ANN, CAT, DAN), open_until={BEN: 30.0}))
        while True:
            intent, now = await at(bot.wish())
            if isinstance(intent, Pass | Inspect):
                return intent, now
            bot.show(seen(state, ANN, (ANN, CAT, DAN), open_until={BEN: 30.0}))

    intent, now = run(play())
    assert isinstance(intent, Pass | Inspect)
    assert now >= 30.0


def test_r12_2_a_bot_that_is_sheriff_lets_nobody_talk_any_more_when_the_time_is_nearly_up() -> None:
    state = at_inspection({}, 4, "timer").passes(CAT).passes(DAN).state

    async def play() -> tuple[Intent | None, float]:
        bot = front()
        picture = seen(state, ANN, (ANN, CAT, DAN), timer=Timer(1, MARGIN_SECONDS + 1.0))
        while True:
            bot.show(picture, [LogLine(Topic.CHAT, "Ben: Wait!")])
            intent, now = await at(bot.wish())
            if isinstance(intent, Pass | Inspect):
                return intent, now

    _, now = run(play())
    assert now == pytest.approx(1.0)


def test_who_has_nothing_more_to_say_waits_for_nobody() -> None:
    state = at_inspection({}).passes(CAT).passes(DAN).state

    async def play() -> tuple[Intent | None, float]:
        bot = front()
        bot.show(seen(state, ANN, (ANN, CAT, DAN), silent=frozenset({BEN})))
        while True:
            intent, now = await at(bot.wish())
            if isinstance(intent, Pass | Inspect):
                return intent, now

    assert run(play())[1] <= LATEST * PACE


def test_the_bags_of_bots_do_not_wait_for_that_of_a_person() -> None:
    async def play() -> tuple[Intent | None, float]:
        bot = front()
        picture = seen(at_inspection({}).state, ANN, (ANN, CAT, DAN), open_until={BEN: 30.0})
        bot.show(picture)
        while True:
            intent, now = await at(bot.wish())
            if isinstance(intent, Pass | Inspect):
                return intent, now
            bot.show(picture)

    intent, now = run(play())
    assert isinstance(intent, Pass | Inspect)
    assert intent.bag in (CAT, DAN)
    assert now < 30.0


@pytest.mark.parametrize("gold", [1, 40])
def test_what_a_person_offers_is_answered_in_words(gold: int) -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=gold)

    async def play() -> tuple[Intent | None, float]:
        bot = front()
        bot.show(seen(game.state, ANN, (ANN, CAT, DAN), open_until={BEN: 30.0}))
        return await at(bot.wish())

    intent, now = run(play())
    answers = {Accept(ANN, BEN, 0), Refuse(ANN, BEN, 0)}
    assert intent in answers or (isinstance(intent, Offer) and intent.gift.things.gold > gold)
    assert now < 30.0


def test_a_merchant_refuses_in_words_what_is_too_much() -> None:
    game = at_inspection({})
    game.submit(Offer.bribe(ANN, 0, BEN, (ANN,), acts("pass 1"), Things(gold=50)))

    async def play() -> Intent | None:
        bot = front()
        bot.show(seen(game.state, BEN, (BEN, CAT, DAN)))
        return await bot.wish()

    intent = run(play())
    assert intent == Refuse(BEN, ANN, 0) or isinstance(intent, Offer)


def test_in_a_hurry_a_merchant_speaks_at_once_and_the_sheriff_listens_for_a_moment_first() -> None:
    game = at_inspection({})
    game.submit(Offer.bribe(ANN, 0, BEN, (ANN,), acts("pass 1"), Things(gold=50)))

    async def play(seat: Seat) -> float:
        bot = BotFront(lambda seat: make_bot(STYLES[0], seat, Random(1)), Tempo(0, 30))
        bot.show(seen(game.state, seat, (BEN, CAT, DAN) if seat == BEN else (ANN, BEN, CAT, DAN)))
        _, now = await at(bot.wish())
        return now

    assert run(play(BEN)) == 0
    assert 0 < run(play(ANN)) < 0.1


def test_strangers_who_open_and_close_tables_hold_no_bot() -> None:
    """Only talk of the game counts for a bot's patience."""

    async def play() -> float:
        bot, picture = front(), seen(at_inspection({}).state, ANN, (ANN, BEN, CAT, DAN))
        bot.show(picture)

        async def disturb() -> None:
            while True:
                await asyncio.sleep(0.4)
                bot.show(picture, (Notice("Eve has opened a table."), LogLine(Topic.TROUBLE, "Eve has closed it.")))

        noise = asyncio.ensure_future(disturb())
        _, now = await at(bot.wish())
        noise.cancel()
        return now

    assert run(play()) <= PACE


def test_who_chats_without_a_pause_holds_a_bot_for_a_while_only() -> None:
    async def play() -> float:
        bot, picture = front(), seen(at_inspection({}).state, ANN, (ANN, CAT, DAN))
        bot.show(picture)

        async def chat() -> None:
            while True:
                await asyncio.sleep(0.4)
                bot.show(picture, [LogLine(Topic.CHAT, "Ben: wait")])

        noise = asyncio.ensure_future(chat())
        _, now = await at(bot.wish())
        noise.cancel()
        return now

    assert run(play()) <= (LATEST + 1) * PACE


def test_a_bot_in_the_lobby_sleeps_until_something_happens() -> None:
    """Bots don't poll: with nothing to come, the loop has nothing to wait for."""

    async def play() -> None:
        bot = front()
        bot.show(Hall(Person(Identity(bytes(32)).public, "Robin")))
        await bot.wish()

    with pytest.raises(RuntimeError, match="waits for ever"):
        run(play())


def test_a_ready_phrase_of_a_person_may_be_answered_in_the_own_language() -> None:
    async def play() -> Intent | None:
        bot = front()
        made = bot._make(ANN)
        made.reply = lambda saying: saying  # type: ignore[method-assign]  # An echo: what it says is its own business.
        bot._make = lambda _seat: made
        bot.show(seen(at_inspection({}).state, ANN, (ANN, CAT, DAN), open_until={BEN: 30.0}))
        bot.show(seen(at_inspection({}).state, ANN, (ANN, CAT, DAN)), [LogLine(Topic.CHAT, "Ben: Zaufaj mi!")])
        return await bot.wish()

    assert run(play()) == Say("Trust me!")


def test_a_bot_knows_that_the_sheriff_is_a_person_before_it_speaks_about_bags() -> None:
    made = [make_bot(STYLES[0], BEN, Random(1))]

    async def play() -> None:
        bot = BotFront(lambda _: made[0], Tempo(PACE, 30))
        bot.show(seen(at_inspection({}).passes(BEN).state, BEN, (BEN, CAT, DAN)))
        with suppress(TimeoutError):
            await asyncio.wait_for(bot.wish(), PACE)

    run(play())
    assert made[0].people == {ANN}
