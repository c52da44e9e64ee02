"""``p2p-sheriff demo``: bots in processes of their own find each other and play; then the transcript is audited."""

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from secrets import token_hex

from p2p_sheriff import arguments
from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.fronts.botfront import BotFront
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.rules import Setup, outcome
from p2p_sheriff.seat.company import NAMES, Processes, hire
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.hall import Hall
from p2p_sheriff.seat.picture import LogLine, News, Picture, short
from p2p_sheriff.seat.settings import LOOPBACK, NodeOptions, Tempo
from p2p_sheriff.seat.sight import Scene
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.result import result_digest
from p2p_sheriff.texts import Texts
from p2p_sheriff.usage import UsageError
from protocol.group import Edwards25519

_GAME_SECONDS = 1200
_END_SECONDS = 60


def run(given: argparse.Namespace) -> int:
    """Plays the demo; the exit code is 0 only if all nodes agree and the audit passes."""
    setup, tempo = arguments.setup_of(given, given.players), arguments.tempo(given)
    return Demo(setup, given.texts, tempo, given.seed, given.out).run()


@dataclass(frozen=True, slots=True)
class Demo:
    """One game among bots."""

    setup: Setup
    texts: Texts
    tempo: Tempo
    seed: int | None = None
    out: Path | None = None

    def run(self) -> int:
        """Plays and audits it; returns the exit code."""
        return asyncio.run(self._play())

    async def _play(self) -> int:
        title, texts = f"demo {token_hex(4)}", self.texts
        seeds = Random(self.seed)  # noqa: S311 - for choices, not for secrets.
        async with AsyncExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="p2p-sheriff-demo-")))
            mine = NodeOptions("demo-0", NAMES[0], interfaces=(LOOPBACK,), data=folder, bot=STYLES[-1], texts=texts)
            node, profile = await stack.enter_async_context(open_node(mine))
            await node.open_table(title, self.setup)
            others = await stack.enter_async_context(Processes(folder, tell, texts))
            for bot in hire(self.setup.players - 1, self.tempo, seeds, NAMES[:1]):
                seed = str(seeds.randrange(1 << 32))
                await others.start(bot, "--join", title, "--interface", LOOPBACK, "--seed", seed)
            rng, teller = Random(seeds.randrange(1 << 32)), _Teller(texts)  # noqa: S311 - for choices.
            front = BotFront(lambda seat: make_bot(STYLES[-1], seat, rng), self.tempo, teller.see)
            driver = Driver(node, profile, front, Words(texts), audits=False, is_bot=True)
            await asyncio.wait_for(driver.run(), _GAME_SECONDS)
            session = driver.session
            if session is None:
                raise UsageError(driver.last_word)
            results = await self._results(others)
            digest = result_digest(session.table.charter.game, session.play.state).hex()
            data = record_of(session.table).to_bytes()
        teller.score_sheet()
        if self.out:
            self.out.write_bytes(data)
        verdict = await asyncio.to_thread(lambda: audit(data, Edwards25519()).verdict)
        agreed = sum(result == f"result {digest}" for result in results)
        tell(texts("demo.agreed", same=1 + agreed, all=self.setup.players))
        tell(texts("demo.valid") if isinstance(verdict, Valid) else texts("demo.invalid", verdict=verdict))
        return 0 if agreed == len(results) and isinstance(verdict, Valid) else 1

    async def _results(self, others: Processes) -> list[str]:
        """Returns the last line that each node has printed: the digest of the result, unless it failed."""
        try:
            return await asyncio.wait_for(asyncio.shield(others.results()), _END_SECONDS)
        except TimeoutError as error:
            raise UsageError(self.texts("demo.late")) from error


class _Teller:
    """Narrates what one node sees."""

    def __init__(self, texts: Texts) -> None:
        self._texts, self._here = texts, set[bytes]()
        self._picture: Picture | None = None

    def see(self, scene: Scene, news: Sequence[News]) -> None:
        match scene:
            case Hall(people=people):
                for person in people:
                    if person.identity.key not in self._here:
                        self._here.add(person.identity.key)
                        tell(self._texts("demo.here", name=short(person.name)))
            case Picture():
                self._picture = scene
                for line in news:
                    if isinstance(line, LogLine):
                        tell(line.told)

    def score_sheet(self) -> None:
        if self._picture is not None and self._picture.told is not None:
            for line in self._picture.narrator.score_sheet(outcome(self._picture.told)):
                tell(line)
