"""``p2p-sheriff demo``: bots in processes of their own find each other and play; then the transcript is audited."""

import argparse
import asyncio
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from secrets import token_hex

from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.commands.botseat import BotSeat
from p2p_sheriff.commands.network import add_table_arguments, open_node, setup_of, wait_for_start
from p2p_sheriff.narration import Narrator
from p2p_sheriff.node.events import NodeEvent, PeerUp
from p2p_sheriff.rules import Setup, State, apply, new_game, outcome
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.result import result_digest
from p2p_sheriff.usage import UsageError
from protocol.group import Edwards25519

NAMES = ("Robin", "Marian", "Tuck", "Alan", "Gisborne", "Will")
_LOOPBACK = "127.0.0.1"
_GAME_SECONDS = 1200
_END_SECONDS = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_table_arguments(parser)
    parser.add_argument("--players", type=int, default=4, metavar="N", help="how many bots; default: 4")
    parser.add_argument("--seed", type=int, help="repeats the bots' choices; secrets are never seeded")
    parser.add_argument("--pace", type=float, default=0.5, metavar="SECONDS", help="how long bots let each other talk")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where the transcript goes")


def run(options: argparse.Namespace) -> int:
    """Plays the demo; the exit code is 0 only if all nodes agree and the audit passes."""
    setup = setup_of(options, options.players)
    return asyncio.run(_demo(options, setup))


async def _demo(options: argparse.Namespace, setup: Setup) -> int:
    title = f"demo {token_hex(4)}"
    seeds = Random(options.seed)  # noqa: S311 - for choices, not for secrets.
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="p2p-sheriff-demo-"))
        mine = argparse.Namespace(profile="demo-0", name=NAMES[0], connect=[], interface=[_LOOPBACK], data=Path(folder))
        node, _ = await stack.enter_async_context(open_node(mine))
        await node.open_table(title, setup)
        others = [
            await start_bot(stack, Path(folder), title, seat, options.pace, seeds.randrange(1 << 32))
            for seat in range(1, setup.players)
        ]
        await node.at_table(lambda gathering: gathering.set_ready(True))
        teller = _Teller()
        session = await asyncio.wait_for(wait_for_start(node, teller.see), _GAME_SECONDS)
        teller.begin([player.name for player in session.table.charter.players], session.play.state.setup)
        bot = make_bot(STYLES[-1], session.seat, Random(seeds.randrange(1 << 32)))  # noqa: S311 - for choices.
        await asyncio.wait_for(BotSeat(node, bot, max(options.pace, 0.05), teller.see).play(), _GAME_SECONDS)
        results = await _results(others)
        digest = result_digest(session.table.charter.game, session.play.state).hex()
        data = record_of(session.table).to_bytes()
    for line in teller.narrator.score_sheet(outcome(session.play.state)):
        _tell(line)
    if options.out:
        options.out.write_bytes(data)
    verdict = await asyncio.to_thread(lambda: audit(data, Edwards25519()).verdict)
    agreed = all(result == digest for result in results)
    _tell(f"{1 + sum(result == digest for result in results)} of {setup.players} nodes ended with the same result.")
    _tell("The audit of the transcript passed." if isinstance(verdict, Valid) else f"The audit failed: {verdict}")
    return 0 if agreed and isinstance(verdict, Valid) else 1


async def start_bot(
    stack: AsyncExitStack, folder: Path, title: str, seat: int, pace: float, seed: int | None = None
) -> asyncio.subprocess.Process:
    """Starts a bot in a process of its own, which ends with the stack at the latest."""
    command = [
        *("-m", "p2p_sheriff", "bot", "--join", title, "--data", str(folder), "--profile", f"bot-{seat}"),
        *("--name", NAMES[seat], "--style", STYLES[(seat - 1) % len(STYLES)], "--pace", str(pace)),
        *("--interface", _LOOPBACK, *(("--seed", str(seed)) if seed is not None else ())),
    ]
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)

    async def stop() -> None:
        if process.returncode is None:
            process.kill()
        await process.wait()

    stack.push_async_callback(stop)
    return process


async def _results(processes: list[asyncio.subprocess.Process]) -> list[str]:
    """Returns the digest of the result that each node has printed, or nothing if it failed."""
    results = []
    for process in processes:
        try:
            output, _ = await asyncio.wait_for(process.communicate(), _END_SECONDS)
        except TimeoutError as error:
            raise UsageError("A node did not end in time.") from error
        results.append(output.decode().removeprefix("result ").strip())
    return results


class _Teller:
    """Narrates what one node sees."""

    def __init__(self) -> None:
        self.narrator = Narrator(NAMES)
        self._state: State | None = None

    def begin(self, names: list[str], setup: Setup) -> None:
        self.narrator = Narrator(names)
        self._state = new_game(setup)

    def see(self, event: NodeEvent) -> None:
        match event:
            case PeerUp(_, name):
                _tell(f"{name} is here.")
            case Happened(_, inputs) if self._state is not None:
                for item in inputs:
                    after = apply(self._state, item)
                    for line in self.narrator.tell(self._state, item, after):
                        _tell(line)
                    self._state = after
            case _:
                pass


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
