"""``p2p-sheriff replay``: shows a finished game again, step by step, after checking all of it."""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_bytes

from p2p_sheriff.audit import Report, as_text
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.replay import Replay
from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.fronts.tui.theme import depth_of, needs_ascii
from p2p_sheriff.node.figures import acts_of
from p2p_sheriff.node.profile import remembered
from p2p_sheriff.rules import Phase, Seat, State, new_game, outcome
from p2p_sheriff.seat.film import Film, Take, shoot
from p2p_sheriff.seat.picture import Picture, short
from p2p_sheriff.seat.settings import data_folder
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.happenings import happening
from p2p_sheriff.session.keepsake import Keepsake
from p2p_sheriff.session.record import MAX_RECORD_BYTES, SUFFIX, NotARecordError, Record
from p2p_sheriff.session.replay import Finding, FindingError, Flaw, Replayed, replay
from p2p_sheriff.session.terms import setup_of
from p2p_sheriff.texts import chosen
from p2p_sheriff.usage import UsageError
from protocol.errors import MalformedError
from protocol.group import Edwards25519, Group
from protocol.table import Spoken


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add = parser.add_argument
    add("file", metavar="FILE", type=Path, help=f"a transcript: a file whose name ends in {SUFFIX}")
    add("--lines", action="store_true", help="tell the whole game in lines of text; so it is without a terminal, too")
    # Not called `profile`: nothing is played, so nothing is written into that folder.
    profile_help = "whose cards are shown, if that player saw them; default: default"
    add("--profile", dest="player", default="default", metavar="NAME", help=profile_help)
    add("--data", type=Path, metavar="FOLDER", help="where profiles live; default: where this system wants them")
    add("--ascii", action="store_true", help="draw without box lines")


def run(options: argparse.Namespace) -> int:
    """Checks a transcript and shows it, exit code 0; one that does not hold is refused, exit code 1.

    Raises:
        UsageError: It is no transcript, or can't be read.
    """
    words = Words(chosen(options))
    cores = os.cpu_count() or 1
    try:
        with options.file.open("rb") as file:
            data = file.read(MAX_RECORD_BYTES + 1)
    except OSError as problem:
        raise UsageError(f"{options.file} can't be read: {problem.strerror or problem}.") from problem
    with ThreadPoolExecutor(cores) as pool:
        group = Edwards25519(pool.map if cores > 1 else map)
        try:
            record = Record.from_bytes(group, data)
        except NotARecordError as problem:
            raise UsageError(f"{options.file} can't be shown: {problem}.") from problem
        except MalformedError as problem:
            return _refuse(Report(Finding(None, Flaw.BAD_CHARTER, str(problem)), 0, None))
        try:
            takes = tuple(_checked(record, group))
        except FindingError as error:
            return _refuse(Report(error.finding, len(record.entries), record.charter))
        finally:
            _show_progress(0, 0)
    begin = new_game(setup_of(record.charter))
    names = tuple(player.name for player in record.charter.players)
    if options.lines or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _tell_all(film_of(names, words, begin, takes, None), words)
        return 0
    memory = remembered(options.player, data_folder(options.data), record.charter.game)
    film = film_of(names, words, begin, takes, memory)
    asyncio.run(_show(film, words, ascii_only=options.ascii))
    return 0


def film_of(
    names: tuple[str, ...], words: Words, begin: State, takes: tuple[Take, ...], memory: Keepsake | None
) -> Film:
    """Returns the film of a game, from the seat of whoever remembers it."""
    return shoot(Picture(names, words, told=begin), takes, memory)


def takes_of(record: Record, group: Group) -> Iterator[Take]:
    """Yields every entry of a record after checking it.

    Raises:
        FindingError: It does not hold.
    """
    started = time.perf_counter()
    for step in replay(record, group, token_bytes):
        yield _take(step, time.perf_counter() - started)
        started = time.perf_counter()


def _take(step: Replayed, seconds: float) -> Take:
    entry = step.signed.entry
    if entry.step is not None:
        return Take(Seat(entry.author), step.happened, acts_of(entry), len(step.signed.body), seconds)
    spoken = happening(Spoken(step.signed))
    return Take(Seat(entry.author), (spoken, *step.happened) if spoken else step.happened)


def _checked(record: Record, group: Group) -> Iterator[Take]:
    for done, take in enumerate(takes_of(record, group), start=1):
        _show_progress(done, len(record.entries))
        yield take


def _show_progress(done: int, of: int) -> None:
    """Shows on a terminal how far checking is; with nothing to do, clears the line."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[Kchecked {done} of {of} entries" if of else "\r\x1b[K")
        sys.stderr.flush()


def _refuse(report: Report) -> int:
    tell(as_text(report))
    return 1


def _tell_all(film: Film, words: Words) -> None:
    last = film.pictures[-1]
    tell(words("replay.valid"))
    tell(", ".join(map(short, last.names)))
    for line in last.log:
        tell(line.told)
    if last.told is None or last.told.phase is not Phase.OVER:
        tell(words("replay.unfinished"))
        return
    for text in last.narrator.score_sheet(outcome(last.told)):
        tell(text)


async def _show(film: Film, words: Words, *, ascii_only: bool) -> None:
    told = film.pictures[-1].told
    is_over = told is not None and told.phase is Phase.OVER
    notice = words("replay.valid" if is_over else "replay.unfinished")
    screen = Replay.of(film, words, notice)
    await App(screen, _ignore, words, depth_of(os.environ), ascii_only=ascii_only or needs_ascii(os.environ)).run()


def _ignore(_intent: Wish) -> None:
    """A game that is over takes no moves."""
