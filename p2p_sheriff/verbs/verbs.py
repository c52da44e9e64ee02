"""The verbs of the command line: in the order in which a newcomer wants them, and what each takes."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2p_sheriff.seat.settings import DEFAULT_PROFILE, HAGGLE_SECONDS, MIXED, PACE_SECONDS
from p2p_sheriff.texts import LANGUAGES, Texts
from p2p_sheriff.verbs.parser import PROGRAM, Parser, Switches
from p2p_sheriff.verbs.values import (
    ALL_EDITIONS,
    ALL_OPTIONS,
    EDITIONS,
    LEVELS,
    MAX_PURSE,
    MOST_SECONDS,
    OPTIONS,
    PLAYERS,
    STYLES,
    Reader,
)

_LEAST, _MOST = PLAYERS
_SEED: Final = 10**20
_MOST_GAMES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody can do with the program."""

    add: Callable[[Switches, Reader], None]
    """Adds its options."""
    examples: tuple[str, ...] = ()


def parser_of(verb: str, texts: Texts) -> Parser:
    """Returns what reads the options of a verb."""
    parser = Parser(verb, texts, VERBS[verb].examples)
    VERBS[verb].add(Switches(parser, texts), Reader(texts))
    Switches(parser, texts).value("lang", "CODE", languages=", ".join(LANGUAGES))
    return parser


def overview(texts: Texts) -> str:
    """Returns the help of the program: every verb with what it does, and examples."""
    lines = [texts("usage.about"), "", f"{texts('usage.usage')}{PROGRAM} [COMMAND] [OPTION...]"]
    for group, verbs in _GROUPS.items():
        lines += ["", texts(f"usage.{group}")]
        for verb in verbs:
            typed = texts("usage.nothing") if verb == "lobby" else verb
            lines.append(f"  {typed:9} {texts(f'verb.{verb}')}")
    lines += ["", texts("usage.examples"), *(f"  {PROGRAM} {example}" for example in _EXAMPLES), ""]
    return "\n".join([*lines, texts("usage.more", languages=", ".join(LANGUAGES))]) + "\n"


# -- what several verbs take


def _network(add: Switches, read: Reader, profile: str = DEFAULT_PROFILE) -> None:
    add.value("name", "NICK")
    add.flag("private")
    network = add.section("network")
    network.values("connect", "HOST:PORT", read.address)
    network.values("interface", "NAME")
    network.value("profile", "NAME", default=profile)
    network.value("data", "FOLDER", Path)
    network.values("trust-new-key", "NAME")


def _screen(add: Switches) -> None:
    add.flag("lines")
    add.flag("ascii")
    add.flag("quiet")


def _tempo(add: Switches, read: Reader, pace: float) -> None:
    add.value("pace", "SECONDS", read.seconds, pace)
    add.value("haggle", "SECONDS", read.number(0, MOST_SECONDS), HAGGLE_SECONDS)


def _company(add: Switches, read: Reader, pace: float = PACE_SECONDS) -> None:
    levels = (MIXED, *LEVELS)
    add.value("level", "LEVEL", read.one_of(levels), MIXED, said="bots_level", levels=", ".join(levels))
    _tempo(add, read, pace)


def _player(add: Switches, read: Reader) -> None:
    _company(add, read)
    _screen(add)
    _network(add, read)


def _table(add: Switches, read: Reader, *, is_simulated: bool = False) -> None:
    options, editions = (ALL_OPTIONS, ALL_EDITIONS) if is_simulated else (OPTIONS, EDITIONS)
    with_options, with_edition = read.some_of(options, ALL_OPTIONS), read.one_of(editions, ALL_EDITIONS)
    add.value("with", "OPTION,...", with_options, (), dest="options", options=", ".join(options))
    add.value("edition", "EDITION", with_edition, "second", editions=", ".join(editions))
    add.value("extra", "FILE", Path)


def _seat(add: Switches, read: Reader) -> None:
    add.value("purse", "COINS", read.number(0, MAX_PURSE))
    add.flag("ready")


# -- what each verb takes


def _lobby(add: Switches, read: Reader) -> None:
    _player(add, read)


def _play(add: Switches, read: Reader) -> None:
    add.value("bots", "N", read.number(_LEAST - 1, _MOST - 1, "usage.bots"), 3)
    _table(add, read)
    _player(add, read)


def _host(add: Switches, read: Reader) -> None:
    add.value("players", "N", read.number(_LEAST, _MOST, "usage.players"), 4)
    _table(add, read)
    _seat(add, read)
    _player(add, read)


def _join(add: Switches, read: Reader) -> None:
    add.word("table", read.table)
    _seat(add, read)
    _player(add, read)


def _resume(add: Switches, read: Reader) -> None:
    add.flag("give-up")
    _player(add, read)


def _tutorial(add: Switches, _read: Reader) -> None:
    add.value("name", "NICK", default="Robin", said="tutorial_name")
    add.flag("ascii")


def _watch(add: Switches, read: Reader) -> None:
    add.word("table", said="watch_table", must=False)
    add.flag("from-start")
    add.value("out", "FILE", Path)
    _screen(add)
    _network(add, read, "onlooker")  # So that who plays can look on at another table, or this one.


def _replay(add: Switches, _read: Reader) -> None:
    add.word("file", Path, must=False, said="replay_file")
    add.flag("lines", said="replay_lines")
    add.flag("ascii")
    # Not called `profile`: nothing is played, so nothing is written into that folder.
    add.value("profile", "NAME", default=DEFAULT_PROFILE, dest="player", said="replay_profile")
    add.value("data", "FOLDER", Path)


def _audit(add: Switches, _read: Reader) -> None:
    add.word("file", Path)
    add.flag("json")


def _demo(add: Switches, read: Reader) -> None:
    add.value("players", "N", read.number(_LEAST, _MOST, "usage.players"), 4, said="demo_players")
    _table(add, read)
    _company(add, read, 0.5)
    add.value("seed", "S", read.number(-_SEED, _SEED))
    add.value("out", "FILE", Path)


def _doctor(add: Switches, _read: Reader) -> None:
    add.value("profile", "NAME", default=DEFAULT_PROFILE)
    add.value("data", "FOLDER", Path)
    add.values("interface", "NAME")
    add.flag("json")


def _bot(add: Switches, read: Reader) -> None:
    add.value("join", "TABLE")
    add.value("open", "PLAYERS", read.number(_LEAST, _MOST, "usage.players"))
    _table(add, read)
    add.value("style", "STYLE", read.one_of(STYLES), STYLES[-1], styles=", ".join(STYLES))
    add.value("level", "LEVEL", read.one_of(LEVELS), LEVELS[1], levels=", ".join(LEVELS))
    _tempo(add, read, 1.0)
    add.value("seed", "S", read.number(-_SEED, _SEED))
    add.flag("resume")
    add.flag("rematch")
    _network(add, read)
    # For whoever starts bots to play along: which table or game is theirs, and an end with who has started them.
    add.hidden("table", bytes.fromhex)
    add.hidden("game", bytes.fromhex)
    add.hidden("leash")
    # For trying out networks with bots alone: a deck that is soon shuffled, lines that tell when to pull a
    # cable, and how soon to go on without who is gone.
    add.hidden("deck", _deck, ())
    add.hidden("phases")
    add.hidden("grace", read.seconds)


def _deck(text: str) -> tuple[tuple[str, int], ...]:
    try:
        return tuple((kind, int(count)) for kind, _, count in (item.partition("=") for item in text.split(",")))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no KIND=COUNT,...") from None


def _simulate(add: Switches, read: Reader) -> None:
    add.value("players", "N", read.number(_LEAST, _MOST), 4, said="simulate_players")
    add.value("games", "G", read.number(1, _MOST_GAMES), 100)
    add.value("seed", "S", read.number(-_SEED, _SEED), 1, said="simulate_seed")
    _table(add, read, is_simulated=True)
    add.value("styles", "STYLE,...", read.words)
    add.value("tournament", "PART,...", read.some_of(("mixed", "counters", "hard", "all")))
    add.value("workers", "W", read.number(1, 1024))
    add.flag("json")


def _bench(add: Switches, _read: Reader) -> None:
    add.value("only", "NAME")
    add.flag("json")


VERBS: Final[Mapping[str, Command]] = {
    "lobby": Command(_lobby),
    "play": Command(_play, ("play", "play --bots 2 --with royal,seven", "play --level easy", "play --lines --lang pl")),
    "host": Command(_host, ("host --players 3", "host --private --with black-market")),
    "join": Command(_join, ('join "Kim\'s table"', "join kim", "join 192.168.1.20:40123")),
    "resume": Command(_resume),
    "tutorial": Command(_tutorial),
    "watch": Command(_watch, ("watch", "watch kim --out game.sheriff")),
    "replay": Command(_replay, ("replay", "replay 2", "replay game.sheriff --lines")),
    "audit": Command(_audit, ("audit game.sheriff",)),
    "demo": Command(_demo, ("demo --players 5 --pace 0 --out game.sheriff",)),
    "doctor": Command(_doctor),
    "bot": Command(_bot, ('bot --join "Kim\'s table" --style gambler',)),
    "simulate": Command(_simulate, ("simulate --players 4 --games 1000 --seed 1",)),
    "bench": Command(_bench, ("bench --only deck",)),
}
"""By name: so a verb's module in `p2p_sheriff.commands` is called, too."""

_GROUPS: Final = {
    "to_play": ("lobby", "play", "host", "join", "resume", "tutorial"),
    "to_look": ("watch", "replay", "audit", "demo"),
    "to_build": ("doctor", "bot", "simulate", "bench"),
}
_EXAMPLES: Final = ("play --bots 2", "host --players 4", 'join "Kim\'s table"', "resume")
