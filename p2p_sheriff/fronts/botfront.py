"""A bot as a front: it sees what any player sees, and answers what it is asked, at the pace of a table of people."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final

from p2p_sheriff.bots import STYLES, Bot, Saying, make_bot
from p2p_sheriff.rules import Choice, Phase, Seat, Transition, View
from p2p_sheriff.rules.deals import may_accept
from p2p_sheriff.rules.moves import Accept, Inspect, Move, Offer, Pass, Refuse
from p2p_sheriff.seat.haggling import MARGIN_SECONDS
from p2p_sheriff.seat.hall import Hall
from p2p_sheriff.seat.intents import BeReady, Intent, Introduce, LeaveGame, Rematch, Say
from p2p_sheriff.seat.picture import Answered, LogLine, News, Picture, Topic
from p2p_sheriff.seat.settings import Tempo
from p2p_sheriff.seat.sight import Scene
from p2p_sheriff.texts import LANGUAGES, Texts

LATEST: Final = 5
"""So many times its pace a bot lets others talk at the most: no chatter holds it for ever."""
_LEAST_SECONDS: Final = 0.03
"""So long a sheriff in a hurry listens for merchants, who say at once what they have to say."""


class BotFront:
    """Lets a bot play. Its pace never depends on its cards, and it looks only when something happens or is due."""

    def __init__(
        self,
        make: Callable[[Seat], Bot],
        tempo: Tempo,
        see: Callable[[Scene, Sequence[News]], None] = lambda _scene, _news: None,
        rematch_seconds: float | None = 0.0,
    ) -> None:
        """Takes who makes the bot of a seat.

        Args:
            make: Is called when a game begins.
            tempo: How long it lets others talk before it acts, and leaves the bags of people open as sheriff.
            see: Who else wants to know what happens.
            rematch_seconds: How long it waits after a game for somebody who wants a rematch; None: for ever.
        """
        self._make, self._see, self._rematch_seconds = make, see, rematch_seconds
        self._pace, self._haggle = max(tempo.pace, _LEAST_SECONDS), tempo.haggle
        self._answers_after = tempo.pace / 2
        self._scene: Scene | None = None
        self._bot: Bot | None = None
        self._game = b""
        self._ended = 0.0
        self._talked, self._began = 0.0, 0.0
        """When somebody said or did something last, and since when they talk without a pause."""
        self._refused_until = 0.0
        self._considered: set[tuple[Seat, int]] = set()
        self._reply: Say | None = None
        self._changed = asyncio.Event()

    def show(self, scene: Scene, news: Sequence[News] = ()) -> None:
        """Lets the bot see what has happened."""
        self._scene = scene
        if isinstance(scene, Picture) and scene.view is not None and scene.game != self._game:
            self._game, self._bot = scene.game, self._make(scene.view.seat)
            self._considered.clear()
        for one in news:
            self._hear(scene, one)
        self._changed.set()
        self._see(scene, news)

    def _hear(self, scene: Scene, news: News) -> None:
        now = asyncio.get_running_loop().time()
        match news:
            case Transition(item=item) if self._bot is not None:
                self._bot.observe(item)
                self._talked = self._began = now
            case LogLine(Topic.DEALS | Topic.CHAT, text) if isinstance(scene, Picture):
                if now > self._talked + self._pace:
                    self._began = now
                self._talked = now
                self._listen(scene, text)
            case Answered(refusal):
                # What was refused is not tried again at once: nothing may have changed.
                self._refused_until = now + max(self._pace, 1.0) if refusal else 0.0
            case _:
                pass

    def _listen(self, picture: Picture, text: str) -> None:
        """Thinks of an answer to a ready phrase that a person has said."""
        for seat in map(Seat, range(len(picture.names))):
            said = text.removeprefix(f"{picture.name(seat)}: ")
            saying = _sayings().get(said) if said != text and seat not in picture.bots else None
            if self._bot is not None and saying is not None and (answer := self._bot.reply(saying)) is not None:
                self._reply = Say(picture.words(f"phrase.{answer.value}"))

    async def wish(self) -> Intent | None:
        """Waits until the bot wants something."""
        loop = asyncio.get_running_loop()
        while True:
            self._changed.clear()
            then = self._next(loop.time())
            if then is not None and not isinstance(then, float):
                return then
            try:
                # Which, unlike `wait_for`, never swallows a cancellation.
                async with asyncio.timeout_at(then):
                    await self._changed.wait()
            except TimeoutError:
                pass

    def _next(self, now: float) -> Intent | float | None:
        """Returns what the bot wants now; or when to think again, if nothing happens before; None: only then."""
        if now < self._refused_until:
            return self._refused_until
        match self._scene:
            case Hall(me=me, table=table) if table is not None:
                member = table.member(me.identity)
                return BeReady(True) if member is not None and not member.ready else None
            case Picture() as picture if picture.is_ended:
                return self._after_game(picture, now)
            case Picture(view=view) as picture if view is not None and not picture.coming_back:
                return self._play(picture, view, now)
            case _:
                return None

    def _play(self, picture: Picture, view: View, now: float) -> Intent | float | None:
        bot, choice = self._bot, picture.choice
        if bot is None:
            return None
        if picture.patience.get(view.seat) != self._haggle or view.seat not in picture.bots:
            return Introduce(bot.style, self._haggle)
        if choice is not None and choice is not Choice.ACT:
            return bot.choose(view, choice)
        if view.state.phase is not Phase.INSPECT or picture.progress is not None:
            return self._replying(now)
        if now < (due := self._speaks_at(picture, choice)):
            return due
        if (reply := self._replying(now)) is not None:
            return reply
        bot.people = frozenset(view.state.seats) - picture.bots.keys()
        word = self._answer(bot, picture, view) or self._fresh(view, bot.negotiate(view))
        if word is not None or choice is not Choice.ACT:
            return word
        return self._settle(bot, picture, view, now)

    def _speaks_at(self, picture: Picture, choice: Choice | None) -> float:
        """Returns when the bot may speak: merchants sooner than the sheriff, who lets the others talk first."""
        pace = self._pace if choice is Choice.ACT else self._answers_after
        speaks_at = min(self._talked + pace, self._began + LATEST * pace)
        if choice is not Choice.ACT or picture.timer is None:
            return speaks_at
        return min(speaks_at, picture.timer.until - MARGIN_SECONDS)

    def _replying(self, now: float) -> Intent | float | None:
        """Returns what the bot says to a ready phrase, when it is time."""
        if self._reply is None or now < (due := self._talked + self._answers_after):
            return None if self._reply is None else due
        reply, self._reply = self._reply, None
        return reply

    # -- haggling

    def _answer(self, bot: Bot, picture: Picture, view: View) -> Move | None:
        """Answers what a person offers: accepts it, offers something else, or refuses it; each is considered once."""
        for standing in view.state.offers:
            offer = standing.offer
            name = (offer.seat, offer.number)
            others = offer.bags & picture.open_until.keys() - {offer.seat, view.seat}
            is_due = offer.seat not in picture.bots and may_accept(view.state, view.seat, standing) and not others
            if is_due and name not in self._considered:
                self._considered.add(name)
                return self._fresh(view, bot.answer(view, offer)) or Refuse(view.seat, *name)
        return None

    @staticmethod
    def _fresh(view: View, word: Move | None) -> Move | None:
        """Returns the word, unless it is an offer that stands already."""
        own = (one.offer for one in view.state.offers if one.offer.seat == view.seat)
        is_said = isinstance(word, Offer) and any(replace(one, number=word.number) == word for one in own)
        return None if is_said else word

    def _settle(self, bot: Bot, picture: Picture, view: View, now: float) -> Intent | float | None:
        """Settles a bag: of bots at once, of people when they are done or their time is up."""
        waited = {bag for bag, until in picture.open_until.items() if now < until}
        ready = [bag for bag in view.state.closed_bags if bag not in waited]
        move = bot.settle(view, ready) if ready else None
        if move is not None and not _touches(view, move) & waited:
            return move
        return min((picture.open_until[bag] for bag in waited), default=None)

    # -- the end

    def _after_game(self, picture: Picture, now: float) -> Intent | float | None:
        if not picture.ending:
            self._ended = now
            return None
        if picture.wanted_by and self._rematch_seconds != 0:
            return Rematch()
        if self._rematch_seconds is None:
            return None
        leaves = self._ended + self._rematch_seconds
        return LeaveGame() if now >= leaves else leaves


def stand_in(tempo: Tempo) -> BotFront:
    """Returns a bot that plays for a person, as well as any."""
    return BotFront(lambda seat: make_bot(STYLES[-1], seat, Random()), tempo)  # noqa: S311 - for choices alone.


def _touches(view: View, move: Move) -> frozenset[Seat]:
    """Returns the bags that a move decides about, but for those whose owner has offered just that."""
    match move:
        case Pass(bag=bag) | Inspect(bag=bag):
            return frozenset({bag})
        case Accept(author=author, number=number):
            offers = (one.offer for one in view.state.offers)
            bags = (one.bags for one in offers if (one.seat, one.number) == (author, number))
            return next(bags, frozenset()) - {author}
        case _:
            return frozenset()


@cache
def _sayings() -> dict[str, Saying]:
    """Returns what the ready phrases mean, in every language: who says one may read another one."""
    return {Texts.of(language)(f"tui.phrase.{saying.value}"): saying for language in LANGUAGES for saying in Saying}
