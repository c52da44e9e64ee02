"""What there is on the network, as the lobby shows it: values; and what a player may want there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from p2p_sheriff.fronts.tui.canvas import clean, clip
from p2p_sheriff.fronts.tui.screen import Intent
from p2p_sheriff.fronts.tui.words import Words
from p2p_sheriff.gathering.tables import Member, TableInfo
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.terms import OPTIONS
from protocol.identity import PublicIdentity

STYLES: Final = ("honest", "smuggler", "gambler", "shrewd")
"""How the bots play that can be added."""
_NAME_CELLS: Final = 24
"""So much of a name is shown in sentences."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is connected."""

    identity: PublicIdentity
    name: str


@dataclass(frozen=True, slots=True)
class Game:
    """A game of others that can be watched."""

    id: bytes
    title: str
    players: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Hall:
    """Everything that is known of the network now, and the table at which the player sits."""

    me: Person
    tables: tuple[TableInfo, ...] = ()
    games: tuple[Game, ...] = ()
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
    bots: Mapping[str, str] = field(default_factory=dict)
    """The player's own bots: name and style."""

    @property
    def here(self) -> frozenset[PublicIdentity]:
        """Who is connected, the player included."""
        return frozenset({self.me.identity, *(person.identity for person in self.people)})

    def style_of(self, member: Member) -> str | None:
        """Returns how a member plays that is a bot of the player's own; None for anybody else."""
        return self.bots.get(member.name) if member.identity != self.me.identity else None


# -- what the player wants


@dataclass(frozen=True, slots=True)
class OpenTable(Intent):
    """Open a table; with bots on all other seats, or for people, perhaps only those who know a passphrase."""

    players: int
    options: frozenset[str]
    with_bots: bool = False
    passphrase: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Join(Intent):
    """Sit down at a table."""

    table: bytes


@dataclass(frozen=True, slots=True)
class Watch(Intent):
    """Look on at a game."""

    game: bytes


@dataclass(frozen=True, slots=True)
class Dial(Intent):
    """Connect to an address."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class GoPrivate(Intent):
    """See only those who know this passphrase; with an empty one, everybody again."""

    passphrase: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Rename(Intent):
    """Be called like this."""

    name: str


@dataclass(frozen=True, slots=True)
class Resume(Intent):
    """Go on with the game that was interrupted."""


@dataclass(frozen=True, slots=True)
class StartTutorial(Intent):
    """Learn the game by playing a round of it."""


@dataclass(frozen=True, slots=True)
class EnterLobby(Intent):
    """Go to the lobby, from the welcome."""


@dataclass(frozen=True, slots=True)
class BeReady(Intent):
    """Be ready, or not any more."""

    ready: bool


@dataclass(frozen=True, slots=True)
class ShowPurse(Intent):
    """Say how much cash the player carries; None: don't say."""

    coins: int | None


@dataclass(frozen=True, slots=True)
class Arrange(Intent):
    """Let the members sit in this order."""

    order: tuple[PublicIdentity, ...]


@dataclass(frozen=True, slots=True)
class SendAway(Intent):
    """Send a member away from the table."""

    who: PublicIdentity


@dataclass(frozen=True, slots=True)
class AddBot(Intent):
    """Let a bot of this style take a free seat; None: of any."""

    style: str | None


@dataclass(frozen=True, slots=True)
class LeaveTable(Intent):
    """Stand up; who has opened the table closes it."""


# -- sentences


def short(name: str) -> str:
    """Returns a name as it fits into a sentence."""
    return clip(clean(name), _NAME_CELLS)


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
    if before.table is None or after.table is None or before.table.id != after.table.id:
        old, new = {table.id for table in before.tables}, {table.id for table in after.tables}
        opened = [words("news.opened", title=short(table.title)) for table in after.tables if table.id not in old]
        return opened + [
            words("news.closed", title=short(table.title)) for table in before.tables if table.id not in new
        ]
    return _news_of_table(words, before.table, after.table, after.me.identity)


def _news_of_table(words: Words, before: TableInfo, after: TableInfo, me: PublicIdentity) -> list[str]:
    lines = [words("news.left", name=short(old.name)) for old in before.members if after.member(old.identity) is None]
    for new in after.members:
        if new.identity == me:
            continue
        old = before.member(new.identity)
        if old is None:
            lines.append(words("news.sits", name=short(new.name)))
        if new.purse != (old.purse if old else None):
            key = "news.purse_none" if new.purse is None else "news.purse"
            lines.append(words(key, name=short(new.name), n=new.purse or 0))
        if new.ready != (old.ready if old else False):
            lines.append(words("news.ready" if new.ready else "news.unready", name=short(new.name)))
    stayed = [member.identity for member in before.members if after.member(member.identity)]
    if stayed != [member.identity for member in after.members if before.member(member.identity)]:
        lines.append(words("news.arranged"))
    return lines
