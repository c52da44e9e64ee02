"""What a player can see at a node: events become scenes, and news of what has changed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from p2p_sheriff.gathering.gathering import Changed, Chatted, Closed
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.compared import game_words
from p2p_sheriff.node.events import (
    AtGame,
    GameStarted,
    NodeEvent,
    Obstacle,
    PeerDown,
    PeerUp,
    Refused,
    Seen,
    TablesChanged,
    Trouble,
    WatchingStarted,
)
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Seat, State, new_game
from p2p_sheriff.rules.setup import MINUTE
from p2p_sheriff.seat import haggling, hourglass, parting, story, waiting
from p2p_sheriff.seat.hall import Awaited, Hall, PastGame, Person, RunningGame
from p2p_sheriff.seat.picture import LogLine, News, Notice, Picture, Revealed, RoundEnded, Topic, short
from p2p_sheriff.seat.settings import Tempo
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.texts import translated
from p2p_sheriff.texts.cleaning import clean
from p2p_sheriff.usage import UsageError
from protocol.charter import Charter
from protocol.identity import PublicIdentity

_MOST_CHAT = 200
"""So many lines of a table's chat are kept."""

Scene: TypeAlias = Hall | Picture
"""What there is to show: the network and the own table, or a game."""


@dataclass(slots=True)
class Sight:
    """The scene as one player sees it now, and what they have not been told yet."""

    node: Node
    words: Words
    addresses: tuple[str, ...] = ()
    private: bool = False
    tempo: Callable[[], Tempo] = Tempo
    """How fast the player's own bots play that sit down from now on."""
    coming: Callable[[TableInfo], int] = lambda _: 0
    """How many of them are on their way to a table."""
    clock: Callable[[], float] = time.monotonic
    grace: parting.Grace = field(default_factory=parting.Grace)
    """How long others are waited for before the game may go on without them."""
    minute: float = MINUTE
    """How many seconds of an inspect phase there are for each merchant (rule 12.2)."""
    waiting: tuple[PastGame, ...] = ()
    """Games of the player's own that were interrupted, the latest first."""
    past: tuple[PastGame, ...] = ()
    """Games of the player's own that are over, the latest first."""
    picture: Picture | None = None
    """The game that is played, watched, or over and not yet left."""
    table: TableInfo | None = None
    """The own table, as it was told of last."""
    charter: Charter | None = None
    seen: Seen | None = None
    """How the node has seen the game last."""
    news: list[News] = field(default_factory=list)
    chat: tuple[LogLine, ...] = ()
    """What was said at the own table."""
    muted: frozenset[PublicIdentity] = frozenset()
    """Whose words at tables are not shown."""
    closed: str | None = None
    """Why the table is over that was being gathered, until somebody has dealt with that."""

    @property
    def is_behind(self) -> bool:
        """Whether what was played before the player came is still to be told."""
        return self.picture is not None and self.picture.is_behind

    @property
    def is_signed(self) -> bool:
        """Whether all have signed the result."""
        return self.seen is not None and self.seen.play.is_over

    def scene(self) -> tuple[Scene, Sequence[News]]:
        """Returns how things are, and what has changed since the last call."""
        told, self.news = self.news, []
        picture = self.picture
        if picture is None:
            return self._hall(), told
        if picture.is_behind:  # What was played before is told, but not shown bag by bag.
            picture = replace(picture, reveals=(), unrevealed=None)
        has_begun = picture.told is not None and picture.told.round > 0
        is_behind = picture.is_behind and not (has_begun and self.node.is_idle and self.node.events.empty())
        self.picture = replace(picture, is_behind=is_behind, reveals=(), unrevealed=None)
        return picture, told

    def _hall(self) -> Hall:
        node = self.node
        table = node.gathering.info if node.gathering is not None else None
        return Hall(
            Person(node.identity.public, node.name),
            tuple(node.tables.values()),
            tuple(
                RunningGame(one.charter.game, one.title, tuple(Person(p.identity, p.name) for p in one.charter.players))
                for one in node.games.values()
                if one.charter.seat_of(node.identity.public) is None
            ),
            tuple(Person(identity, name) for identity, name in node.connected().items()),
            self.addresses,
            self.private,
            bool(self.waiting),
            table,
            self.tempo(),
            self.chat,
            self.muted,
            self._awaited(),
            coming=self.coming(table) if table is not None else 0,
            waiting=self.waiting,
            past=self.past,
        )

    def _awaited(self) -> tuple[Awaited, ...]:
        """Returns who of the game before does not sit at the table for its rematch."""
        table, former = self.table, self.charter
        if table is None or former is None or table.again != former.game:
            return ()
        missing = (player for player in former.players if table.member(player.identity) is None)
        return tuple(Awaited(Person(one.identity, one.name), one.identity in table.declined) for one in missing)

    def take(self, event: NodeEvent) -> None:
        """Takes in what the node tells.

        Raises:
            UsageError: The node can't go on.
        """
        match event:
            case GameStarted(session, told, goes_on):
                members = self.table.members if self.table is not None else ()
                styles = {member.identity: member.bot for member in members if member.bot}
                players = enumerate(session.table.charter.players)
                bots = {Seat(seat): styles[one.identity] for seat, one in players if one.identity in styles}
                begin = self._first_picture(session.table.charter, told)
                self.picture = replace(begin, bots=bots, rematch=True, is_behind=goes_on)
            case WatchingStarted(spectator):
                begin = self._first_picture(spectator.table.charter, new_game(spectator.state.setup))
                self.picture = replace(begin, is_behind=True)
            case Trouble(sentence):
                raise UsageError(translated(sentence, self.words.texts))
            case Obstacle(sentence):
                said = translated(sentence, self.words.texts)
                self.news.append(Notice(said, refused=True))
                self.picture = story.troubled(self.picture, said) if self.picture is not None else None
            case _ if self.picture is not None:
                self.picture = self._in_game(self.picture, event)
            case _:
                self._in_hall(event)

    # -- in the lobby

    def _in_hall(self, event: NodeEvent) -> None:
        words, table = self.words, self.table
        match event:
            case Changed(info):
                before, self.table = self.table, info
                known = () if before is None or before.id != info.id else (*before.declined, *_identities(before))
                declined = (one.person for one in self._awaited() if one.has_declined)
                for person in declined:
                    if person.identity not in known:
                        self.hear(words.texts("rematch.declines", name=short(person.name)))
            case Chatted(who, text) if table is not None and who not in self.muted:
                if (member := table.member(who)) is not None:
                    line = LogLine(Topic.CHAT, f"{short(member.name)}: {clean(text)}")
                    self.chat = (*self.chat, line)[-_MOST_CHAT:]
                    self.news.append(line)
            case Closed(reason) if self.node.gathering is None:
                self.closed, self.table, self.chat = translated(reason, words.texts), None, ()
            case PeerUp(identity, name) | PeerDown(identity, name, _):
                is_up = isinstance(event, PeerUp)
                if table is None:
                    self.hear(words("news.came" if is_up else "news.went", name=short(name)))
                elif table.member(identity) is not None:
                    self.hear(words.texts("seat.back" if is_up else "seat.away", name=short(name)))
            case Refused(name, sentence):
                said = words("news.refused", name=short(name), reason=translated(sentence, words.texts))
                self.hear(said)
                # Among those who share a passphrase, all others are refused.
                self.news.append(Notice(said, refused=not self.private))
            case _:
                pass

    def hear(self, sentence: str) -> None:
        """Takes in a sentence that is not about a game."""
        self.news.append(LogLine(Topic.TROUBLE, sentence))

    # -- in a game

    def _first_picture(self, charter: Charter, told: State) -> Picture:
        self.charter, self.seen, self.table, self.chat = charter, None, None, ()
        here = {*self.node.connected(), self.node.identity.public}
        absent = [Seat(seat) for seat, player in enumerate(charter.players) if player.identity not in here]
        return Picture(
            tuple(player.name for player in charter.players),
            self.words,
            told=told,
            away=dict.fromkeys(absent, time.time()),
            game=charter.game,
            compared=game_words(charter.game),
            signed=False,
        )

    def _in_game(self, picture: Picture, event: NodeEvent) -> Picture:
        now = self.clock()
        after = hourglass.after_event(self._after_event(picture, event), event, now, self.minute)
        after = haggling.after_event(picture, after, event, now)
        return parting.after_event(after, event, now, self.grace)

    def _after_event(self, picture: Picture, event: NodeEvent) -> Picture:
        players = [player.identity for player in self.charter.players] if self.charter is not None else []
        match event:
            case Seen():
                self.seen = event
                return self._seeing(picture, event)
            case PeerDown(identity, name, _) if picture.is_ended and identity in players:
                self.news.append(Notice(self.words.texts("rematch.gone", name=short(name))))
                return picture
            case PeerUp() | PeerDown() | AtGame() if picture.is_ended:
                return picture
            case TablesChanged(tables):
                openers = [info.member(info.opener) for info in tables if info.again == picture.game]
                return replace(picture, wanted_by=tuple(short(one.name) for one in openers if one is not None))
            case Happened(_, changes):
                self.news += changes
            case _:
                pass
        after = story.after_event(picture, event, players, time.time())
        self.news += [Revealed(one) for one in after.reveals if one not in picture.reveals]
        self.news += _in_order(after.told_since(picture), _ended(picture, after))
        if after.reveals != picture.reveals and picture.unrevealed is None:
            after = replace(after, unrevealed=replace(picture, reveals=()))
        return after if after.away == picture.away or self.seen is None else self._seeing(after, self.seen)

    def _seeing(self, picture: Picture, seen: Seen) -> Picture:
        names, texts = [short(name) for name in picture.names], self.words.texts
        away = {seat: time.strftime("%H:%M", time.localtime(since)) for seat, since in picture.away.items()}
        me = seen.view.seat if seen.view is not None else picture.seat
        if seen.view is not None:
            drawn = picture.drawing(seen.view)
            self.news += drawn.told_since(picture)
            picture = drawn
        if seen.is_out and not picture.is_out:
            picture = story.told(replace(picture, is_out=True), "parting.without_you")
            self.news.append(picture.log[-1])
        picture = replace(
            picture,
            choice=seen.choice,
            waiting_for=seen.awaited,
            waits=waiting.coming_back(seen.waits_for, names, texts)
            if seen.waits_for
            else waiting.sentence(seen.play, seen.awaited, names, away, me, texts),
            progress=waiting.progress_of(seen.play),
            coming_back=tuple(sorted(seen.waits_for)),
            votes=seen.votes,
        )
        return picture.at_the_end() if seen.play.is_decided else picture


def _identities(table: TableInfo) -> list[PublicIdentity]:
    return [member.identity for member in table.members]


def _in_order(lines: Sequence[LogLine], ended: Sequence[RoundEnded]) -> list[News]:
    """Returns what is told: what a round was comes before the next one begins, though one entry may bring both."""
    begins = next((place for place, line in enumerate(lines) if ended and line.topic is Topic.ROUND), len(lines))
    return [*lines[:begins], *ended, *lines[begins:]]


def _ended(before: Picture, after: Picture) -> list[RoundEnded]:
    """Returns the rounds that are over since."""
    known = {one.number for one in before.rounds if one.is_over}
    return [RoundEnded(one) for one in after.rounds if one.is_over and one.number not in known]
