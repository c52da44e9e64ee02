"""``p2p-sheriff demo``: bots in processes of their own find each other and play; then the transcript is audited."""

import argparse
import asyncio
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from secrets import token_hex

from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.commands.botseat import BotSeat
from p2p_sheriff.commands.company import LOOPBACK, NAMES, Company, hire
from p2p_sheriff.commands.network import add_table_arguments, open_node, setup_of, wait_for_start
from p2p_sheriff.fronts.lines.teller import Teller, printable, tell
from p2p_sheriff.node.events import NodeEvent, PeerUp
from p2p_sheriff.rules import Setup, new_game
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.result import result_digest
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import Texts, chosen
from p2p_sheriff.usage import UsageError
from protocol.group import Edwards25519

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
    return asyncio.run(_demo(options, setup, chosen(options)))


async def _demo(options: argparse.Namespace, setup: Setup, texts: Texts) -> int:
    title = f"demo {token_hex(4)}"
    seeds = Random(options.seed)  # noqa: S311 - for choices, not for secrets.
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="p2p-sheriff-demo-")))
        mine = argparse.Namespace(profile="demo-0", name=NAMES[0], connect=[], interface=[LOOPBACK], data=folder)
        node, _ = await stack.enter_async_context(open_node(mine))
        await node.open_table(title, setup)
        others = Company(stack, folder, tell, texts)
        for bot in hire(setup.players - 1, options.pace, NAMES[:1]):
            seed = str(seeds.randrange(1 << 32))
            await others.start(bot, "--join", title, "--interface", LOOPBACK, "--seed", seed)
        await node.at_table(lambda gathering: gathering.set_ready(True))
        teller = _Teller(texts)
        session = await asyncio.wait_for(wait_for_start(node, teller.see, texts), _GAME_SECONDS)
        teller.begin(session)
        mind = make_bot(STYLES[-1], session.seat, Random(seeds.randrange(1 << 32)))  # noqa: S311 - for choices.
        await asyncio.wait_for(BotSeat(node, mind, max(options.pace, 0.05), teller.see).play(), _GAME_SECONDS)
        results = await _results(others, texts)
        digest = result_digest(session.table.charter.game, session.play.state).hex()
        data = record_of(session.table).to_bytes()
    teller.score_sheet()
    if options.out:
        options.out.write_bytes(data)
    verdict = await asyncio.to_thread(lambda: audit(data, Edwards25519()).verdict)
    agreed = sum(result == f"result {digest}" for result in results)
    tell(texts("demo.agreed", same=1 + agreed, all=setup.players))
    tell(texts("demo.valid") if isinstance(verdict, Valid) else texts("demo.invalid", verdict=verdict))
    return 0 if agreed == len(results) and isinstance(verdict, Valid) else 1


async def _results(others: Company, texts: Texts) -> list[str]:
    """Returns the last line that each node has printed: the digest of the result, unless it failed."""
    try:
        return await asyncio.wait_for(others.results(), _END_SECONDS)
    except TimeoutError as error:
        raise UsageError(texts("demo.late")) from error


class _Teller:
    """Narrates what one node sees."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._teller: Teller | None = None

    def begin(self, session: Session) -> None:
        players = session.table.charter.players
        begin = new_game(session.play.state.setup)
        self._teller = Teller([player.name for player in players], begin, texts=self._texts)

    def see(self, event: NodeEvent) -> None:
        if isinstance(event, PeerUp):
            tell(self._texts("demo.here", name=printable(event.name)))
        elif self._teller is not None:
            self._teller.see(event)

    def score_sheet(self) -> None:
        if self._teller is not None:
            self._teller.score_sheet()
