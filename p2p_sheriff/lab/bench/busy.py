"""A table on the screen of a process that shuffles meanwhile, as a node does: in a thread, one thing after another.

``python -m p2p_sheriff.lab.bench.busy TALLY [--idle]``, in a terminal. TALLY is a file from which others can read,
while it runs, how many multiplications were done; with ``--idle`` none are.
"""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from mmap import mmap
from pathlib import Path
from random import Random
from secrets import token_bytes
from typing import Final

from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.questions import seen
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.lab.bench.proofs import CONTEXT, DECK
from p2p_sheriff.lab.bench.screens import IDLE, TALLY_BYTES
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.node.cores import cores, group_on
from p2p_sheriff.rules import Setup
from p2p_sheriff.rules.moves import NameFirst
from p2p_sheriff.seat.picture import Progress
from p2p_sheriff.seat.story import happened
from p2p_sheriff.seat.words import Words
from protocol.cipher import Lock, card_points
from protocol.group import Edwards25519, Element, Group, ParallelMap
from protocol.proofs import shuffle
from protocol.proofs.pedersen import generators

_NAMES: Final = ("Robin", "Marian", "Tuck", "Alan")


class _TallyingGroup(Edwards25519):
    """Lets others see how much it has done."""

    def __init__(self, tally: mmap, parallel: ParallelMap) -> None:
        super().__init__(parallel)
        self._tally, self._count = tally, 0

    def mul(self, s: int, P: Element) -> Element:
        self._count += 1
        self._tally[:] = self._count.to_bytes(TALLY_BYTES, "big")
        return super().mul(s, P)


async def _shuffle_on(tally: mmap, tell: Callable[[int], None]) -> None:
    """Shuffles, proves, and verifies what was proved, again and again; tells how often."""
    with group_on(cores()) as spread:
        await _shuffle_with(_TallyingGroup(tally, spread.parallel), tell)


async def _shuffle_with(group: Group, tell: Callable[[int], None]) -> None:
    await asyncio.to_thread(generators, group, DECK)
    cards = await asyncio.to_thread(card_points, group, "goods", DECK)
    times = 0
    while True:
        tell(times)
        preparation = await asyncio.to_thread(shuffle.prepare, group, DECK, token_bytes)
        lock = Lock.generate(group, token_bytes)
        statement = await asyncio.to_thread(shuffle.shuffle, group, preparation, lock, cards)
        proof = await asyncio.to_thread(shuffle.prove, group, CONTEXT, statement, lock.k, preparation)
        await asyncio.to_thread(shuffle.verify, group, CONTEXT, statement, proof, token_bytes)
        times += 1


def _table(words: Words) -> TableScreen:
    """Returns a table at which a player chooses among the cards of their hand."""
    setup = Setup(len(_NAMES))
    dealer = Dealer(setup, Random(1))  # noqa: S311 - nobody plays.
    model = Model(_NAMES, words, told=dealer.state)
    begun = dealer.start()
    merchant = dealer.state.merchants[0]
    begun += dealer.submit(NameFirst(dealer.state.officers[0], merchant))
    (asked,) = dealer.choices()
    return TableScreen(seen(happened(model, *begun), dealer.view(merchant), asked.choice, (merchant,)))


async def _show(tally: mmap, *, idle: bool) -> None:
    words = Words()
    app = App(_table(words), lambda _: None, words)

    def tell(times: int) -> None:
        if isinstance(app.screen, TableScreen):
            model, progress = app.screen.model, Progress("progress.mix", times % len(_NAMES), len(_NAMES))
            app.change(TableScreen(replace(model, progress=progress)))

    work = None if idle else asyncio.create_task(_shuffle_on(tally, tell))
    await app.run()
    if work is not None:
        work.cancel()


def main(path: str, *options: str) -> None:
    """Shows the table until it is left."""
    with Path(path).open("r+b") as file, mmap(file.fileno(), TALLY_BYTES) as tally:
        asyncio.run(_show(tally, idle=IDLE in options))


if __name__ == "__main__":
    main(*sys.argv[1:])
