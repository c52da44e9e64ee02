"""``p2p-sheriff replay``: shows a finished game again, step by step, after checking all of it."""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from secrets import token_bytes

from p2p_sheriff.audit import Report, as_text
from p2p_sheriff.commands.audit import checking, progress_in
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.replay import Replay
from p2p_sheriff.fronts.tui.theme import depth_of, needs_ascii
from p2p_sheriff.node.figures import acts_of
from p2p_sheriff.node.profile import remembered
from p2p_sheriff.rules import Seat, new_game, outcome
from p2p_sheriff.seat.film import Film, Take, shoot
from p2p_sheriff.seat.past import kept_in, told_time
from p2p_sheriff.seat.picture import Picture, short
from p2p_sheriff.seat.settings import data_folder
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.happenings import happening
from p2p_sheriff.session.record import NotARecordError, Record
from p2p_sheriff.session.replay import Finding, FindingError, Flaw, Replayed, replay
from p2p_sheriff.session.resume import OnProgress
from p2p_sheriff.session.terms import setup_of
from p2p_sheriff.texts import Texts, refusal_sentence
from p2p_sheriff.usage import UsageError
from protocol.errors import MalformedError
from protocol.group import Group
from protocol.table import Spoken

_LISTED = 20


def run(options: argparse.Namespace) -> int:
    """Checks a transcript and shows it, exit code 0; one that does not hold is refused, exit code 1.

    Raises:
        UsageError: It is no transcript, or can't be read.
    """
    words, texts = Words(options.texts), options.texts
    folder = data_folder(options.data) / options.player
    if options.file is None:
        for line in past_games(folder, texts):
            tell(line)
        return 0
    file, base = _meant(options.file, folder, texts), data_folder(options.data)
    on_screen = not options.lines and sys.stdin.isatty() and sys.stdout.isatty()
    film = develop(file, words, progress_in(texts), (options.player, base) if on_screen else None)
    if isinstance(film, Report):
        tell(as_text(film, texts))
        return 1
    if on_screen:
        asyncio.run(_show(film, words, ascii_only=options.ascii))
    else:
        _tell_all(film, words)
    return 0


def develop(file: Path, words: Words, progress: OnProgress, player: tuple[str, Path] | None) -> Film | Report:
    """Checks a transcript, and returns the film of its game, or what does not hold.

    Args:
        file: Where it is.
        words: In which language what is seen.
        progress: Hears how far the check is.
        player: Whose profile remembers the game, and where the profiles are: then it is seen from their seat.

    Raises:
        UsageError: It is no transcript, or can't be read.
    """
    with checking(file, words.texts, progress) as (data, group):
        try:
            record = Record.from_bytes(group, data)
        except NotARecordError as problem:
            reason = refusal_sentence(problem, words.texts)
            raise UsageError(words.texts("usage.not_shown", file=file, reason=reason)) from problem
        except MalformedError as problem:
            return Report(Finding(None, Flaw.BAD_CHARTER, str(problem)), 0, None)
        try:
            takes = tuple(takes_of(record, group, progress))
        except FindingError as error:
            return Report(error.finding, len(record.entries), record.charter)
    names = tuple(one.name for one in record.charter.players)
    begin = Picture(names, words, told=new_game(setup_of(record.charter)))
    return shoot(begin, takes, remembered(*player, record.charter.game) if player else None)


def past_games(folder: Path, texts: Texts) -> list[str]:
    """Returns the games that a profile has kept, numbered, the latest first, and what to type to see one."""
    lines = [
        texts("past.game", number=number, when=told_time(game.when), names=", ".join(map(short, game.names)))
        for number, game in enumerate(kept_in(folder)[:_LISTED], start=1)
        if game.names  # Else it is said what is wrong with it when somebody wants to see it.
    ]
    return [texts("past.games"), *lines, texts("past.see")] if lines else [texts("past.none")]


def _meant(typed: Path, folder: Path, texts: Texts) -> Path:
    """Returns the file that is meant: by its path, or by its number among the games that were kept."""
    if typed.exists() or not str(typed).isdecimal():
        return typed
    games = kept_in(folder)[:_LISTED]
    if not 1 <= int(str(typed)) <= len(games):
        raise UsageError(texts("past.no_number", number=typed, most=len(games)) if games else texts("past.none"))
    return games[int(str(typed)) - 1].path


def takes_of(record: Record, group: Group, progress: OnProgress = lambda _done, _of: None) -> Iterator[Take]:
    """Yields every entry of a record after checking it.

    Raises:
        FindingError: It does not hold.
    """
    started = time.perf_counter()
    for step in replay(record, group, token_bytes):
        seconds = time.perf_counter() - started
        progress(step.place + 1, len(record.entries))
        yield _take(step, seconds)
        started = time.perf_counter()


def _take(step: Replayed, seconds: float) -> Take:
    entry = step.signed.entry
    if entry.step is not None:
        return Take(Seat(entry.author), step.happened, acts_of(entry), len(step.signed.body), seconds)
    return Take(Seat(entry.author), (happening(Spoken(step.signed)), *step.happened))


def _tell_all(film: Film, words: Words) -> None:
    last = film.pictures[-1]
    tell(words("replay.valid"))
    tell(", ".join(map(short, last.names)))
    for line in last.log:
        tell(line.told)
    if last.told is None or not film.is_over:
        tell(words("replay.unfinished"))
        return
    for text in last.narrator.score_sheet(outcome(last.told)):
        tell(text)


async def _show(film: Film, words: Words, *, ascii_only: bool) -> None:
    screen, ascii_only = Replay.of(film, words), ascii_only or needs_ascii(os.environ)
    # A game that is over takes no moves.
    await App(screen, lambda _wish: None, words, depth_of(os.environ), ascii_only=ascii_only).run()
