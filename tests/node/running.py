"""Runs coroutines as plain tests, and fails if they leave anything behind."""

import asyncio
import gc
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final, ParamSpec

P = ParamSpec("P")

SECONDS: Final = 600
"""After which something hangs, and is not only slow because the machine is busy."""


def awaited(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Makes a plain test of an asynchronous one; it fails on left tasks, lost exceptions and unclosed sockets too."""

    @wraps(test)
    def plain(*args: P.args, **kwargs: P.kwargs) -> None:
        problems: list[dict[str, Any]] = []

        async def bounded() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, problem: problems.append(problem))
            async with asyncio.timeout(SECONDS + 60):
                await test(*args, **kwargs)
            left = asyncio.all_tasks() - {asyncio.current_task()}
            assert not left, "tasks were left behind"

        asyncio.run(bounded())
        gc.collect()  # What was not closed warns when it is collected, and a warning is an error.
        assert not problems, problems

    return plain
