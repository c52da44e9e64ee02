"""Runs a player at a node, from the lobby to the rematch: what the node tells becomes scenes, intents become deeds.

A front shows scenes and gives intents, one after the other. It never waits for the node, and knows no other front.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, TypeVar

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.events import GameStarted, NodeEvent, WatchingStarted
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.transport import TransportError
from p2p_sheriff.rules import Refusal, Seat
from p2p_sheriff.rules.setup import MINUTE
from p2p_sheriff.seat import intents as wanted
from p2p_sheriff.seat import past
from p2p_sheriff.seat.aftermath import Aftermath, keep_evidence
from p2p_sheriff.seat.company import Company
from p2p_sheriff.seat.helm import Front, Helm
from p2p_sheriff.seat.parting import Grace
from p2p_sheriff.seat.picture import Answered, News, Notice, Picture
from p2p_sheriff.seat.sight import Sight
from p2p_sheriff.seat.usher import Usher, found
from p2p_sheriff.seat.voting import Voting
from p2p_sheriff.seat.waving import Waving
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from p2p_sheriff.texts import refusal_sentence
from protocol.charter import Charter
from protocol.faults import Fault

SETTLE_SECONDS: Final = 10
"""How long the others have to get the end of a game before this node leaves."""


T = TypeVar("T")


class Driver:
    """One player at one node."""

    def __init__(
        self,
        node: Node,
        profile: Profile,
        front: Front,
        words: Words,
        *,
        company: Company | None = None,
        addresses: Sequence[str] = (),
        private: bool = False,
        has_lobby: bool = False,
        keeps: bool = True,
        audits: bool = True,
        settle_seconds: float = SETTLE_SECONDS,
        grace: Grace | None = None,
        minute: float = MINUTE,
        is_bot: bool = False,
        pilot: Callable[[], Front] | None = None,
    ) -> None:
        """Takes a node that runs.

        Args:
            node: Where the player is.
            profile: Who the player is.
            front: How they see and speak.
            words: The language.
            company: Who can be added to a table of the player's own.
            addresses: Where others reach this node, without the port.
            private: Whether the node sees only those who know a passphrase.
            has_lobby: Whether there is one to go back to from a table; else the evening ends with it.
            keeps: Whether a game that is over is kept as a transcript, and its secrets are wiped.
            audits: Whether it is audited then.
            settle_seconds: How long the others have to get its end.
            grace: How long others are waited for before the game may go on without them.
            minute: How many seconds a sheriff has for each bag, where that is limited.
            is_bot: Whether no person is here who could be asked about that.
            pilot: Makes the bot that plays for the player while they are away, if there is one.
        """
        self._node, self._profile, self._words = node, profile, words
        self._company, self._has_lobby = company, has_lobby
        self._keeps, self._audits, self._settle_seconds = keeps, audits, settle_seconds
        self._sight = Sight(node, words, tuple(f"{address}:{node.port}" for address in addresses), private)
        self._sight.grace, self._sight.minute = grace or Grace(), minute
        self._voting = Voting(node, is_bot=is_bot)
        self._helm = Helm(front, pilot)
        self._usher = Usher(node, profile, words, self._sight, self._show, company, reminds=not has_lobby)
        if company is not None:
            self._sight.tempo, self._sight.coming = lambda: company.tempo, company.coming
            company.tell = self._hear_of_bot
        self._look_back()
        self._ending: Aftermath | None = None
        self._ending_told: asyncio.Task[None] | None = None
        self._former: Picture | None = None
        """The game that is over, while its rematch is being gathered."""
        self._waving: Waving | None = None
        """What may pass without another word."""
        self._is_done = False
        self._parting = ""
        """What is said when the player leaves the table by themselves."""
        self.session: Session | None = None
        """The game that was played last."""
        self.spectator: Spectator | None = None
        """The game that was watched last."""
        self.last_word = ""
        """How it ended, in a sentence."""
        self.went_wrong = False
        """Whether that is something bad: the table was closed by others, or the end of a game could not be kept."""

    async def run(self, *first: wanted.Intent) -> wanted.Departure | None:
        """Runs until the player goes.

        Args:
            first: What the player wants at once.

        Returns:
            What needs another node, if that is why the player goes.

        Raises:
            UsageError: The node can't go on.
        """
        self._drain()
        if (keeper := self._node.keeper) is not None and self._sight.picture is None:  # Its game has begun before.
            self.take(GameStarted(keeper.session, keeper.seen.play.state, goes_on=True))
            self.take(keeper.seen)
        self._show()
        follow, obey = asyncio.ensure_future(self._follow()), asyncio.ensure_future(self._obey(list(first)))
        try:
            await asyncio.wait({follow, obey}, return_when=asyncio.FIRST_COMPLETED)
            if follow.done():
                follow.result()
            return obey.result() if obey.done() else None
        finally:
            tasks = [task for task in (follow, obey, self._ending_told) if task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # -- what is shown

    def _show(self, *news: News, aside: Sequence[News] = ()) -> None:
        scene, told = self._sight.scene()
        self._helm.show(scene, (*told, *news), aside)
        if isinstance(scene, Picture) and scene.is_behind and not self._sight.is_behind:
            self._helm.show(*self._sight.scene())  # All that was played before is told: from here on it is now.

    def _hear_of_bot(self, line: str) -> None:
        """Tells that a bot has failed, and the last word on why."""
        first, *more = line.splitlines()
        self._sight.hear(f"{first.partition(':')[0]}: {more[-1]}" if more else first)
        self._show()

    # -- what happens

    async def _follow(self) -> None:
        """Shows everything that the node tells, until there is nothing more to see."""
        while not self._is_done:
            with suppress(TimeoutError):  # Then somebody is overdue, or the time is up.
                async with asyncio.timeout(self._voting.seconds_to_look(self._sight.picture)):
                    self.take(await self._node.events.get())
            self._drain()
            self._show()
            await begin_if_complete(self._node)
            await self._vote()
            if self._waving is not None:
                with suppress(Refusal, LobbyError):  # Then it ends here: the sheriff decides again.
                    await self._wave_on()

    async def _vote(self) -> None:
        """Does what the node does by itself when somebody leaves the game or comes back, or the time is up."""
        picture = self._sight.picture
        if picture is None or picture.view is None:
            return
        if self._helm.has_pilot and not picture.autopilot and self._voting.has_idled(picture):
            picture = self._hand_over()
            self._show(Notice(self._words.texts("parting.idled")))
        has_done = await self._voting.go_on(picture)
        is_taken_back = not (picture.autopilot or picture.coming_back or picture.is_ended)
        if picture.seat in picture.bots and self._helm.has_pilot and is_taken_back:
            with suppress(Refusal, LobbyError):  # A bot has played here before the restart.
                await self._act(lambda session: session.introduce("", 0))
                has_done = True
        if has_done:
            self._drain()
            self._show()

    def _drain(self) -> None:
        """Takes in all that the node has told so far."""
        while not self._node.events.empty():
            self.take(self._node.events.get_nowait())

    def take(self, event: NodeEvent) -> None:
        """Takes in what the node tells."""
        sight = self._sight
        sight.take(event)
        match event:
            case GameStarted(session):
                self.session, self._ending, self._former = session, None, None
                if not event.goes_on:
                    self._pin_people(session, sight.picture.bots if sight.picture is not None else {})
            case WatchingStarted(spectator):
                self.spectator, self.session = spectator, None
            case Fault() if self.session is not None:
                sight.news += keep_evidence(self._profile, self.session, event, self._words)
            case _:
                pass
        if sight.closed is not None:
            self._close(sight.closed)
        is_ended = sight.picture is not None and sight.picture.is_ended
        if is_ended:
            self._steer(is_on_autopilot=False)
        is_new = self._ending is None or (self._ending.is_over and not self._ending.is_signed and sight.is_signed)
        if is_ended and self._keeps and is_new and self.session is not None:
            self._ending = Aftermath(self._node, self._profile, self.session, self._words, self._settle_seconds)
            self._ending_told = asyncio.ensure_future(self._tell_ending(self._ending))

    def _pin_people(self, session: Session, bots: Mapping[Seat, str]) -> None:
        """Takes note of who has which name. Those of bots are everybody's."""
        for seat, player in enumerate(session.table.charter.players):
            if seat != session.seat and Seat(seat) not in bots:
                self._profile.pin(player.name, player.identity)

    def _look_back(self) -> None:
        """Looks which games of the player's own are on the disk."""
        self._sight.waiting, self._sight.past = past.waiting(self._profile), past.over(self._profile)

    def _close(self, reason: str) -> None:
        """Ends the table that was being gathered."""
        self.last_word, self.went_wrong = self._parting or reason, not self._parting
        former, self._former = self._former, None
        if not self._has_lobby and self.went_wrong and former is not None:  # Another rematch may be asked for.
            self._sight.picture, self.went_wrong = replace(former, wanted_by=()), False
        else:
            if self._company is not None:  # Else the own bots wait for that rematch too.
                self._company.dismiss()
            self._is_done = not self._has_lobby
        if not (self._is_done and self.went_wrong):  # Else it is who has started us that says so.
            self._sight.news.append(Notice(self.last_word, refused=not self._parting))
        self._parting, self._sight.closed = "", None

    async def _tell_ending(self, ending: Aftermath) -> None:
        try:
            told = await ending.told()
        except (StoreError, LobbyError) as error:
            self._end_with(ending, (refusal_sentence(error, self._words.texts),))
            return
        self._end_with(ending, told)
        if self._audits:
            self._end_with(ending, (*told, await ending.audited()))

    def _end_with(self, ending: Aftermath, told: tuple[str, ...]) -> None:
        if self._sight.picture is not None and self._ending is ending:
            self._sight.picture = replace(self._sight.picture, ending=told)
            self._show()

    # -- what the player wants

    async def _obey(self, first: list[wanted.Intent]) -> wanted.Departure | None:
        """Does what the player asks for, one thing after the other; returns what needs another node."""
        while not self._is_done:
            intent, is_own = (first.pop(0), True) if first else await self._helm.wish()
            if is_own:
                await self._take_over()
            elif not self._helm.is_on_autopilot:
                continue
            match intent:
                case None:
                    await self._go()
                    return None
                case wanted.OpenTable(passphrase=str(passphrase)) as table if passphrase:
                    return table
                case wanted.GoPrivate() | wanted.Rename() | wanted.StartTutorial() | wanted.EnterLobby() as departure:
                    return departure
                case _:
                    answer = await self.submit(intent)
                    self._show(*([answer] if is_own else []), aside=() if is_own else (answer,))
                    await begin_if_complete(self._node)
        return None

    async def submit(self, intent: wanted.HallIntent | wanted.GameIntent) -> Answered:
        """Does what the player wants. What came of it has been seen when this returns."""
        try:
            await self._do(intent)
            answer = Answered()
        except (Refusal, LobbyError, StoreError, TransportError) as error:
            answer = Answered(refusal_sentence(error, self._words.texts))
        self._drain()
        return answer

    async def _do(self, intent: wanted.HallIntent | wanted.GameIntent) -> None:
        match intent:
            case wanted.LeaveTable():
                await self._leave_table()
            case wanted.LeaveGame():
                await self._leave_game()
            case wanted.LeaveForGood() | wanted.GoOnWithout() | wanted.WaitOn() | wanted.Autopilot():
                await self._part(intent, found(self._sight.picture))
            case wanted.Rematch():
                await self._rematch(found(self._sight.charter))
            case wanted.Mute(seat, is_muted):
                if self._sight.picture is not None:
                    self._sight.picture = self._sight.picture.muting(seat, is_muted=is_muted)
            case wanted.MuteMember(who, is_muted):
                self._sight.muted = self._sight.muted | {who} if is_muted else self._sight.muted - {who}
            case _ if isinstance(intent, wanted.Coming):
                await self._usher.do(intent)
            case _:
                await self._do_in_game(intent)

    async def _do_in_game(self, intent: wanted.Deed) -> None:
        match intent:
            case wanted.Say(text):
                await self._act(lambda session: session.say(text))
            case wanted.NothingMore():
                await self._act(lambda session: session.rest_case())
            case wanted.Introduce(style, patience):
                await self._act(lambda session: session.introduce(style, patience))
            case wanted.PassTheRest():
                picture = self._sight.picture
                self._waving = Waving.begin(picture.view) if picture is not None and picture.view is not None else None
                await self._wave_on()
            case _:
                await self._act(lambda session: session.submit(intent))

    async def _part(self, intent: wanted.Parting, picture: Picture) -> None:
        match intent:
            case wanted.LeaveForGood():
                await self._leave_for_good(picture)
            case wanted.GoOnWithout(seats):
                await self._voting.go_on_without(picture, seats)
            case wanted.WaitOn():
                await self._voting.wait(picture)
            case wanted.Autopilot(is_on):
                if is_on:
                    self._hand_over()

    async def _act(self, action: Callable[[Session], None]) -> None:
        picture = self._sight.picture
        if picture is None or picture.view is None:
            raise LobbyError("tui.watch.only")
        if picture.coming_back:
            raise LobbyError("tui.status.coming_back")
        await self._node.do(action)

    async def _wave_on(self) -> None:
        """Lets the next bag pass, if all the rest may and nothing has come in between."""
        picture = self._sight.picture
        if self._waving is None or picture is None:
            return
        self._waving, move = self._waving.next(picture)
        if move is not None:
            try:
                await self._act(lambda session: session.submit(move))
            except (Refusal, LobbyError):
                self._waving = None
                raise

    # -- the autopilot

    def _hand_over(self) -> Picture:
        """Lets a bot play until the player wants something; returns how that looks.

        Raises:
            LobbyError: There is none.
        """
        self._helm.hand_over()
        self._steer(is_on_autopilot=True)
        return found(self._sight.picture)

    def _steer(self, *, is_on_autopilot: bool) -> None:
        if not is_on_autopilot:
            self._helm.take_over()
        if (picture := self._sight.picture) is not None and picture.autopilot != is_on_autopilot:
            self._sight.picture = replace(picture, autopilot=is_on_autopilot)

    async def _take_over(self) -> None:
        """Lets the player play again, whatever they want; the others hear of it."""
        if self._helm.is_on_autopilot:
            self._steer(is_on_autopilot=False)
            await self._vote()

    # -- getting up

    async def _leave_for_good(self, picture: Picture) -> None:
        """Tells the others not to wait, wipes the keys, and goes; a game that is over, or watched, is only left."""
        is_played = picture.view is not None and not picture.is_ended
        if is_played and not picture.coming_back and not picture.is_out:
            with suppress(Refusal):  # All is said that may be: that the player is gone will show.
                await self._act(lambda session: session.depart())
        await self._leave_game(for_good=is_played)

    async def _leave_game(self, *, for_good: bool = False) -> None:
        """Puts the game down: one that is over is kept first, and of one that is left for good the keys are wiped."""
        self.last_word = ""
        try:
            try:
                if self._ending is not None:
                    self.last_word = self._words.texts("seat.transcript", path=await self._ending.close())
                elif self.session is not None:
                    self.last_word = self._words.texts("seat.given_up" if for_good else "seat.left")
                else:  # What an onlooker keeps is to be what the players have.
                    await self._node.see_signed(self._settle_seconds)
            finally:
                await self._node.put_down()
            if self._ending is not None and self._sight.charter is not None:
                await self._node.decline(self._sight.charter.game)
            if for_good and self._sight.charter is not None:
                await asyncio.to_thread(self._profile.give_up, self._sight.charter.game)
        except StoreError as error:  # Whoever wants to go goes: what is on the disk can be resumed.
            self.last_word, self.went_wrong = refusal_sentence(error, self._words.texts), True
        if self._company is not None:
            self._company.dismiss()
        if self.last_word:
            self._sight.news.append(Notice(self.last_word))
        if self._has_lobby:
            self._sight.picture = self._ending = None
            self._look_back()
        self._is_done = not self._has_lobby

    async def _leave_table(self) -> None:
        gathering = self._node.gathering
        is_opener = gathering is not None and gathering.is_opener
        self._parting = self._words.texts("gather.you_close" if is_opener else "gather.you_leave")
        await self._node.at_table(lambda gathering: gathering.leave())
        if gathering is not None and gathering.info.again:
            await self._node.decline(gathering.info.again)

    async def _rematch(self, charter: Charter) -> None:
        if self._ending is not None:
            await self._ending.close()
        await self._node.put_down()
        await self._node.rematch(charter)
        self._former, self._sight.picture = self._sight.picture, None

    async def _go(self) -> None:
        """Leaves whatever there is to leave: the player has gone."""
        if self._sight.picture is not None:
            await self._leave_game()
        elif self._node.gathering is not None:
            await self._leave_table()
        self._drain()
        self._show()


async def begin_if_complete(node: Node) -> None:
    """Starts the game of our table if we opened it, all seats are taken, and all are ready and connected."""
    gathering = node.gathering
    if gathering is None or not gathering.is_opener or not gathering.info.is_complete:
        return
    there = {node.identity.public, *node.connected()}
    if all(member.identity in there for member in gathering.info.members):
        with suppress(LobbyError):  # The list has changed meanwhile: the next event tells of that.
            await node.at_table(lambda gathering: gathering.begin())
