"""What is typed and what happens, one after the other, as it comes."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from p2p_sheriff.fronts.lines.lineseat import Keyboard
from p2p_sheriff.node.events import NodeEvent
from p2p_sheriff.node.runner import Node


@dataclass(frozen=True, slots=True)
class Typed:
    """A line from the keyboard; None at the end of input."""

    line: str | None


async def listen(node: Node, keyboard: Keyboard) -> AsyncGenerator[Typed | NodeEvent, None]:
    """Gives lines and events. Who stops to listen (``aclosing``) leaves the next ones to whoever listens then."""
    line = asyncio.ensure_future(keyboard.lines.get())
    event = asyncio.ensure_future(node.events.get())
    try:
        while True:
            await asyncio.wait({event, line}, return_when=asyncio.FIRST_COMPLETED)
            if line.done():  # Before events: what was typed before something happened does not answer it.
                yield Typed(line.result())
                line = asyncio.ensure_future(keyboard.lines.get())
            else:
                yield event.result()
                event = asyncio.ensure_future(node.events.get())
    finally:
        line.cancel()
        event.cancel()
