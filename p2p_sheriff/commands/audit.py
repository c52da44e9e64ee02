"""``p2p-sheriff audit``: checks the transcript of a game, without any secret."""

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from p2p_sheriff.audit import Valid, as_json, as_text, audit
from p2p_sheriff.session.record import MAX_RECORD_BYTES, SUFFIX, NotARecordError
from p2p_sheriff.usage import INTERRUPTED, UsageError
from protocol.group import Edwards25519, Group


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=f"a transcript: a file whose name ends in {SUFFIX}")
    parser.add_argument("--json", action="store_true", help='print {"verdict": ..., "game": ..., "scores": [...], ...}')


def run(options: argparse.Namespace) -> int:
    """Audits a file and prints the scores, exit code 0, or the first fault, exit code 1.

    Raises:
        UsageError: It is no transcript, or can't be read.
    """
    try:
        with checking(options.file) as (data, group):
            report = audit(data, group, show_progress)
    except NotARecordError as problem:
        raise UsageError(f"{options.file} can't be audited: {problem}.") from problem
    except KeyboardInterrupt:
        sys.stderr.write("Stopped before everything was checked.\n")
        return INTERRUPTED
    _print(as_json(report) if options.json else as_text(report))
    return 0 if isinstance(report.verdict, Valid) else 1


@contextmanager
def checking(path: Path) -> Iterator[tuple[bytes, Group]]:
    """Gives what is in the file of a transcript, and a group that uses all cores.

    Raises:
        UsageError: It can't be read.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        with path.open("rb") as file:
            data = file.read(MAX_RECORD_BYTES + 1)
    except OSError as problem:
        raise UsageError(f"{path} can't be read: {problem.strerror or problem}.") from problem
    try:
        with ThreadPoolExecutor(cores) as pool:
            yield data, Edwards25519(pool.map if cores > 1 else map)
    finally:
        show_progress(0, 0)


def show_progress(done: int, of: int) -> None:
    """Shows on a terminal how far checking is; with nothing to do, clears the line."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[Kchecked {done} of {of} entries" if of else "\r\x1b[K")
        sys.stderr.flush()


def _print(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")
