"""Bots in processes of their own: how well they play; who has started them hears if one ends that should not."""

import asyncio
from pathlib import Path
from random import Random
from signal import SIGKILL, strsignal

import pytest

from p2p_sheriff import arguments
from p2p_sheriff.seat.company import Hired, Processes, hire
from p2p_sheriff.texts import ENGLISH
from p2p_sheriff.verbs.verbs import parser_of
from tests.node.running import awaited

BOT = Hired("bot-robin", "Robin", "honest", 0.0, 0)
ELSEWHERE = ("--join", "a table that nobody opens", "--interface", "127.0.0.1")


@pytest.mark.parametrize(
    ("level", "levels"),
    [
        ("mixed", ["hard", "normal", "normal"]),
        ("easy", ["easy"] * 3),
        ("normal", ["normal"] * 3),
        ("hard", ["hard"] * 3),
    ],
)
def test_bots_play_as_well_as_somebody_wants_or_one_of_three_hard(level: str, levels: list[str]) -> None:
    tempo = arguments.tempo(parser_of("play", ENGLISH).parse_args(["--level", level]))
    assert sorted(bot.level for bot in hire(3, tempo, Random(1))) == levels


class Started:
    """Notes the processes that are started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.processes: list[asyncio.subprocess.Process] = []
        self._really_start = asyncio.create_subprocess_exec
        monkeypatch.setattr(asyncio, "create_subprocess_exec", self._start)

    async def _start(self, *program: str, **options: object) -> asyncio.subprocess.Process:
        process = await self._really_start(*program, **options)  # type: ignore[arg-type]  # As they came.
        self.processes.append(process)
        return process


@awaited
async def test_a_bot_that_is_killed_is_told_of_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    started = Started(monkeypatch)
    async with Processes(tmp_path, told.append, ENGLISH) as bots:
        await bots.start(BOT, *ELSEWHERE)
        started.processes[0].kill()
        await bots.results()
    assert told == [f"The bot Robin has stopped: {strsignal(SIGKILL)}"]


@awaited
async def test_of_bots_that_are_sent_home_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    started = Started(monkeypatch)
    async with Processes(tmp_path, told.append, ENGLISH) as bots:
        await bots.start(BOT, *ELSEWHERE)
    assert started.processes[0].returncode is not None
    assert told == []
