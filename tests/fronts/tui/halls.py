"""Networks for pictures of the lobby: people, tables and games without a network."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from p2p_sheriff.gathering.tables import Member, TableInfo
from p2p_sheriff.rules import Good, Setup
from p2p_sheriff.rules.goods import Side
from p2p_sheriff.seat.hall import Hall, PastGame, Person, RunningGame
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.fronts.tui.scenes import LONG_NAMES

KIM_AT = "192.168.1.20:41000"


def person(name: str, number: int = 0) -> Person:
    return Person(Identity.generate(Drbg(f"{name} {number}")).public, name)


def member(who: Person, purse: int | None = None, *, ready: bool = False) -> Member:
    return Member(who.identity, who.name, "192.168.1.9", 41000, purse, ready)


def table(title: str, setup: Setup, *members: Member) -> TableInfo:
    id_ = Drbg(f"table {title}")(16)
    return TableInfo(id_, title, setup, members[0].identity, members)


def game(title: str, *players: Person) -> RunningGame:
    return RunningGame(Drbg(f"game {title}")(32), title, players)


KIM, MARIAN, TUCK, MUCH, WILL = (person(name) for name in ("Kim", "Marian", "Tuck", "Much", "Will"))

EMPTY = Hall(KIM, addresses=(KIM_AT,))

_ROYAL = frozenset({"royal"})
_ALL = frozenset({"royal", "missing", "seven", "black-market"})

BUSY = Hall(
    KIM,
    tables=(
        table("Marian's table", Setup(4, options=_ROYAL), member(MARIAN, ready=True), member(TUCK)),
        table("Will's table", Setup(3), member(WILL)),
    ),
    games=(game("Sherwood", MUCH, person("Alan"), person("Gisborne")),),
    people=(MARIAN, TUCK, WILL, MUCH, person("Alan"), person("Gisborne"), person("Little John")),
    addresses=(KIM_AT, "10.0.0.7:41000"),
)


def _crowd() -> Hall:
    people = [person(name, number) for number in range(5) for name in LONG_NAMES]
    titles = [f"{name}'s table"[:60] for name in LONG_NAMES]
    setups = [Setup(3 + number % 3, options=_ALL if number % 2 else frozenset()) for number in range(6)]
    tables = [
        table(title, setup, *(member(one) for one in people[3 * number : 3 * number + 1 + number % setup.players]))
        for number, (title, setup) in enumerate(zip(titles, setups, strict=True))
    ]
    games = (game("シャーウッド" * 5, *people[20:25]), game("", *people[25:29]))
    return Hall(person(LONG_NAMES[0], 9), tuple(tables), games, tuple(people), (KIM_AT,), private=True)


CROWD = _crowd()
"""Six tables, thirty people, and names that need much room."""


def _evening(ago: int) -> float:
    """Returns a quarter past eight on the clock of whoever looks, wherever that is."""
    return time.mktime((2026, 3, 31 - ago, 20, 15, 0, 0, 0, -1))


PAST = replace(
    BUSY,
    past=tuple(
        PastGame(bytes([number]), Path(f"{number:064x}.sheriff"), _evening(number), names)
        for number, names in enumerate((("Kim", "Marian", "Tuck"), LONG_NAMES[:5], (), *[("Kim", "Will", "Much")] * 27))
    ),
)
"""Thirty games that were played; one of them can't be read."""


def seated(hall: Hall, info: TableInfo, **bots: str) -> Hall:
    members = tuple(replace(one, bot=bots.get(one.name, "")) for one in info.members)
    return replace(hall, table=replace(info, members=members))


OWN = seated(
    replace(BUSY, tables=()),
    table(
        "Kim's table",
        Setup(5, options=frozenset({"royal", "black-market"})),
        member(KIM, 120),
        member(MARIAN, ready=True),
        member(person("Robin"), ready=True),
    ),
    Robin="shrewd",
)
OWN = replace(OWN, people=(*OWN.people, person("Robin")))
"""A table of the own player's, with a guest and a bot."""

GUEST = seated(
    BUSY, table("Marian's table", Setup(3), member(MARIAN, ready=True), member(KIM, ready=True), member(TUCK, 80))
)
"""A guest at a table of somebody else."""

UNUSUAL = seated(
    BUSY,
    table(
        "Will's table",
        Setup(
            3,
            options=_ROYAL,
            short=(("apples", 9), ("cheese", 8), ("pepper", 2), ("silk", 9)),
            extra=(Good("dragon eggs", Side.CONTRABAND, 5, 9, 4),),
        ),
        member(WILL),
        member(KIM),
    ),
)
"""A guest at a table with a short deck and an extra good."""


def long_table(people: Sequence[Person]) -> TableInfo:
    members = [member(one, 10**9 if number % 2 else None) for number, one in enumerate(people)]
    return table("n" * 60, Setup(5, options=_ALL), *members)


LONG = seated(
    replace(CROWD, me=CROWD.people[0], people=CROWD.people[1:4]), long_table(CROWD.people[:5]), Λέων="smuggler"
)
"""A full table of names that need much room; the last one is not connected."""
