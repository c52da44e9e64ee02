"""All cores of this machine for one node: the curve library releases the interpreter's lock while it works."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from protocol.group import Edwards25519, Group


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def group_on(count: int) -> Iterator[Group]:
    """Gives a group that shares long sums and lists out among that many cores; on one, no thread is started."""
    if count == 1:
        yield Edwards25519()
        return
    with ThreadPoolExecutor(count, thread_name_prefix="cores") as pool:
        yield Edwards25519(pool.map)
