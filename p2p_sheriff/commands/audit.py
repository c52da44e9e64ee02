"""``p2p-sheriff audit``: checks the transcript of a game, without any secret."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from p2p_sheriff.audit import Valid, as_json, as_text, audit
from p2p_sheriff.node.cores import cores, group_on
from p2p_sheriff.session.record import MAX_RECORD_BYTES, NotARecordError
from p2p_sheriff.session.resume import OnProgress
from p2p_sheriff.texts import Texts, refusal_sentence
from p2p_sheriff.usage import INTERRUPTED, UsageError
from protocol.group import Group


def run(options: argparse.Namespace) -> int:
    """Audits a file and prints the scores, exit code 0, or the first fault, exit code 1.

    Raises:
        UsageError: It is no transcript, or can't be read.
    """
    try:
        progress = progress_in(options.texts)
        with checking(options.file, options.texts, progress) as (data, group):
            report = audit(data, group, progress)
    except NotARecordError as problem:
        raise UsageError(
            options.texts("usage.not_audited", file=options.file, reason=refusal_sentence(problem, options.texts))
        ) from problem
    except KeyboardInterrupt:
        sys.stderr.write(options.texts("audit.stopped") + "\n")
        return INTERRUPTED
    _print(as_json(report) if options.json else as_text(report, options.texts))
    return 0 if isinstance(report.verdict, Valid) else 1


@contextmanager
def checking(path: Path, texts: Texts, progress: OnProgress) -> Iterator[tuple[bytes, Group]]:
    """Gives what is in the file of a transcript, and a group that uses all cores; afterwards nothing is in progress.

    Raises:
        UsageError: It can't be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_RECORD_BYTES + 1)
    except OSError as problem:
        raise UsageError(texts("usage.unreadable", file=path, reason=problem.strerror or problem)) from problem
    try:
        with group_on(cores()) as group:
            yield data, group
    finally:
        progress(0, 0)


def progress_in(texts: Texts) -> OnProgress:
    """Returns what shows on a terminal how far checking is; with nothing to do, it clears the line."""

    def show(done: int, of: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K" + (texts("audit.checked", done=done, of=of) if of else ""))
            sys.stderr.flush()

    return show


def _print(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")
