"""What a player can see at a node: events become scenes, and news of what has changed."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from p2p_sheriff.gathering.gathering import Changed, Closed
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.compared import game_words
from p2p_sheriff.node.events import (
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
from p2p_sheriff.seat import story, waiting
from p2p_sheriff.seat.hall import Hall, Person, RunningGame
from p2p_sheriff.seat.picture import LogLine, News, Notice, Picture, Topic, short
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.texts import translated
from p2p_sheriff.usage import UsageError
from protocol.charter import Charter

Scene: TypeAlias = Hall | Picture
"""What there is to show: the network and the own table, or a game."""


@dataclass(slots=True)
class Sight:
    """The scene as one player sees it now, and what they have not been told yet."""

    node: Node
    words: Words
    addresses: tuple[str, ...] = ()
    private: bool = False
    bots: Callable[[], Mapping[str, str]] = dict
    """The player's own bots: name and style."""
    interrupted: bytes | None = None
    """A game of the player's own that waits to go on."""
    picture: Picture | None = None
    """The game that is played, watched, or over and not yet left."""
    table: TableInfo | None = None
    """The own table, as it was told of last."""
    charter: Charter | None = None
    seen: Seen | None = None
    """How the node has seen the game last."""
    news: list[News] = field(default_factory=list)
    closed: str | None = None
    """Why the table is over that was being gathered, until somebody has dealt with that."""

    @property
    def is_behind(self) -> bool:
        """Whether what was played before the player came is still to be told."""
        return self.picture is not None and self.picture.is_behind

    def scene(self) -> tuple[Scene, Sequence[News]]:
        """Returns how things are, and what has changed since the last call."""
        told, self.news = self.news, []
        picture = self.picture
        if picture is None:
            return self._hall(), told
        if picture.is_behind:  # What was played before is told, but not shown bag by bag.
            picture = replace(picture, reveals=())
        has_begun = picture.told is not None and picture.told.round > 0
        is_behind = picture.is_behind and not (has_begun and self.node.is_idle and self.node.events.empty())
        self.picture = replace(picture, is_behind=is_behind, reveals=())
        return picture, told

    def _hall(self) -> Hall:
        node = self.node
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
            self.interrupted is not None,
            node.gathering.info if node.gathering is not None else None,
            dict(self.bots()),
        )

    def take(self, event: NodeEvent) -> None:
        """Takes in what the node tells.

        Raises:
            UsageError: The node can't go on.
        """
        match event:
            case GameStarted(session, told, goes_on):
                charter, styles = session.table.charter, self.bots()
                bots = {player.name: styles[player.name] for player in charter.players if player.name in styles}
                begin = self._first_picture(charter, told)
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
                self.table = info
            case Closed(reason) if self.node.gathering is None:
                self.closed, self.table = translated(reason, words.texts), None
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
        self.charter, self.seen, self.table = charter, None, None
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
        players = [player.identity for player in self.charter.players] if self.charter is not None else []
        match event:
            case Seen():
                self.seen = event
                return self._seeing(picture, event)
            case PeerDown(identity, name, _) if picture.is_ended and identity in players:
                self.news.append(Notice(self.words.texts("rematch.gone", name=short(name))))
                return picture
            case PeerUp() | PeerDown() if picture.is_ended:
                return picture
            case TablesChanged(tables):
                openers = [info.member(info.opener) for info in tables if info.again == picture.game]
                return replace(picture, wanted_by=tuple(short(one.name) for one in openers if one is not None))
            case Happened(_, changes):
                self.news += changes
            case _:
                pass
        after = story.after_event(picture, event, players, time.time())
        self.news += after.log[len(picture.log) :]
        return after if after.away == picture.away or self.seen is None else self._seeing(after, self.seen)

    def _seeing(self, picture: Picture, seen: Seen) -> Picture:
        names, texts = [short(name) for name in picture.names], self.words.texts
        away = {seat: time.strftime("%H:%M", time.localtime(since)) for seat, since in picture.away.items()}
        me = seen.view.seat if seen.view is not None else None
        picture = replace(
            picture,
            view=seen.view or picture.view,
            choice=seen.choice,
            waiting_for=tuple(Seat(seat) for seat in seen.play.expected()),
            waits=waiting.coming_back(seen.waits_for, names, texts)
            if seen.waits_for
            else waiting.sentence(seen.play, names, away, me, texts),
            progress=waiting.progress_of(seen.play),
            coming_back=tuple(sorted(seen.waits_for)),
        )
        return picture.at_the_end() if seen.play.is_over else picture
