"""What there is on the network, as the lobby shows it: values, and sentences about them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from p2p_sheriff.gathering.tables import Member, TableInfo
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.picture import LogLine, short
from p2p_sheriff.seat.settings import Tempo
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.terms import OPTIONS
from p2p_sheriff.texts import Texts
from protocol.identity import PublicIdentity

STYLES: Final = ("honest", "smuggler", "gambler", "shrewd")
"""How the bots play that can be added."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is connected."""

    identity: PublicIdentity
    name: str


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game of others that can be watched."""

    id: bytes
    title: str
    players: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game of the player's own that is on the disk."""

    id: bytes
    path: Path
    """Its transcript, or the log of one that was interrupted."""
    when: float
    """When it was played last (`time.time`)."""
    names: tuple[str, ...] = ()
    """Who played, as far as a transcript can be read."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """Somebody of the game before who does not sit at the table for its rematch."""

    person: Person
    has_declined: bool
    """Whether they have gone, or said so: somebody else may have their seat."""


@dataclass(frozen=True, slots=True)
class Hall:
    """Everything that is known of the network now, and the table at which the player sits."""

    me: Person
    tables: tuple[TableInfo, ...] = ()
    games: tuple[RunningGame, ...] = ()
    people: tuple[Person, ...] = ()
    """Who else is connected."""
    addresses: tuple[str, ...] = ()
    """Where others reach this node: HOST:PORT."""
    private: bool = False
    """Whether only those can be seen who know a passphrase."""
    interrupted: bool = False
    """Whether a game of the player's own waits to go on."""
    table: TableInfo | None = None
    """The table at which the player sits."""
    tempo: Tempo = field(default_factory=Tempo)
    """How the player's own bots play that sit down from now on."""
    chat: tuple[LogLine, ...] = ()
    """What was said at this table."""
    muted: frozenset[PublicIdentity] = frozenset()
    """Whose words at this table are not shown."""
    awaited: tuple[Awaited, ...] = ()
    """At the table for a rematch: who of the game before is not here."""
    coming: int = 0
    """How many bots are on their way to this table."""
    waiting: tuple[PastGame, ...] = ()
    """The player's own games that were interrupted, the latest first."""
    past: tuple[PastGame, ...] = ()
    """The player's own games that are over and can be replayed, the latest first."""

    @property
    def here(self) -> frozenset[PublicIdentity]:
        """Who is connected, the player included."""
        return frozenset({self.me.identity, *(person.identity for person in self.people)})

    @property
    def open_seats(self) -> int:
        """How many seats of the table are kept for nobody: whoever opened it may fill them with bots."""
        return max(0, self.table.free_seats - len(self.expected) - self.coming) if self.table is not None else 0

    @property
    def expected(self) -> tuple[Person, ...]:
        """At the table for a rematch: who of the game before may still come."""
        return tuple(one.person for one in self.awaited if not one.has_declined)

    def style_of(self, member: Member) -> str | None:
        """Returns how a member plays that is a bot by its own word, anybody's; None for a person."""
        return member.bot or None


# -- sentences


def option_names(words: Words, setup: Setup) -> list[str]:
    """Returns the options of a table in short words."""
    return [words(f"option.{option}.short") for option in OPTIONS if option in setup.options]


def doing(words: Words, hall: Hall, who: PublicIdentity) -> str:
    """Returns what somebody is doing, as far as the lists tell."""
    tables = (*hall.tables, *((hall.table,) if hall.table else ()))
    for table in tables:
        if table.member(who) is not None:
            return words("people.at_table", title=short(table.title))
    if any(player.identity == who for game in hall.games for player in game.players):
        return words("people.plays")
    return ""


def news(words: Words, before: Hall, after: Hall) -> list[str]:
    """Returns what has changed, a sentence for each thing that a player should hear of."""
    if before.table is not None and after.table is not None and before.table.id == after.table.id:
        return changes(before.table, after.table, after.me.identity, words.texts)
    old, new = {table.id for table in before.tables}, {table.id for table in after.tables}
    opened = [words("news.opened", title=short(table.title)) for table in after.tables if table.id not in old]
    return opened + [words("news.closed", title=short(table.title)) for table in before.tables if table.id not in new]


def changes(before: TableInfo, after: TableInfo, me: PublicIdentity, texts: Texts) -> list[str]:
    """Returns what is new at the table, a sentence for each change."""
    lines = [
        texts("gather.you_leave") if old.identity == me else texts("gather.leaves", name=short(old.name))
        for old in before.members
        if after.member(old.identity) is None
    ]
    for new in after.members:
        lines += _news_of(new, before.member(new.identity), texts, is_own=new.identity == me)
    stayed = [member.identity for member in before.members if after.member(member.identity)]
    if stayed != [member.identity for member in after.members if before.member(member.identity)]:
        lines.append(texts("gather.arranged", names=", ".join(short(member.name) for member in after.members)))
    if lines and after.free_seats != before.free_seats:
        lines.append(texts("gather.free", n=after.free_seats) if after.free_seats else texts("gather.full"))
    return lines


def _news_of(new: Member, old: Member | None, texts: Texts, *, is_own: bool) -> list[str]:
    lines = []
    if old is None:
        lines.append(texts("gather.you_sit") if is_own else texts("gather.sits", name=short(new.name)))
    if new.purse != (old.purse if old else None):
        lines.append(_purse(new, texts, is_own=is_own))
    if new.ready != (old.ready if old else False):
        if is_own:
            lines.append(texts("gather.you_ready") if new.ready else texts("gather.you_unready"))
        else:
            lines.append(texts("gather.ready" if new.ready else "gather.unready", name=short(new.name)))
    return lines


def _purse(member: Member, texts: Texts, *, is_own: bool) -> str:
    if member.purse is None:
        return texts("gather.you_claim_nothing") if is_own else texts("gather.claims_nothing", name=short(member.name))
    if is_own:
        return texts("gather.you_claim", n=member.purse)
    return texts("gather.claims", name=short(member.name), n=member.purse)
