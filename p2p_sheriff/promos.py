"""The file with the extra goods of a table (rule 12.5)."""

import json
from pathlib import Path

from p2p_sheriff.rules import BadSetup, Good, extra_goods
from p2p_sheriff.texts import Texts
from p2p_sheriff.usage import UsageError


def read_extra(path: Path | None, texts: Texts) -> tuple[Good, ...]:
    """Returns the goods of a file, a JSON list of [name, kind, count, value, fine, counts for]; none without a file.

    Raises:
        UsageError: It can't be read, or no table can be played with it.
    """
    if path is None:
        return ()
    try:
        return extra_goods(json.loads(path.read_text(encoding="utf-8")))
    except OSError as problem:
        raise UsageError(texts("usage.unreadable", file=path, reason=problem.strerror or problem)) from problem
    except BadSetup as problem:
        raise UsageError(f"{path}: {problem}") from problem
    except (ValueError, RecursionError) as problem:  # It may be nested without end.
        raise UsageError(texts("usage.no_json", file=path, reason=problem)) from problem
