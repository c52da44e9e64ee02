"""The bots that play along with somebody: each a node in a process of its own, which ends with the one that started it.

Their profiles live in a folder of the player's own profile, so that several players on one machine have bots of their
own. What each is like is noted there, so that it comes back as it was when a game is resumed.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from signal import strsignal
from types import TracebackType
from typing import Final, Self

from p2p_sheriff.bots import Level, cast
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.node.disk import Disk, storing
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.seat.settings import MIXED, NodeOptions, Tempo
from p2p_sheriff.texts import Texts

NAMES: Final = ("Robin", "Marian", "Tuck", "Alan", "Gisborne", "Will")
PASSPHRASE_VARIABLE: Final = "P2P_SHERIFF_PASSPHRASE"  # noqa: S105 - where it is found, not what it is.
_NOTES: Final = "bots.json"
_END_SECONDS: Final = 5


@dataclass(frozen=True, slots=True)
class Hired:
    """A bot, as it is started."""

    profile: str
    name: str
    style: str
    pace: float
    haggle: int
    level: str = Level.NORMAL.value

    @classmethod
    def of(cls, name: str, style: str, tempo: Tempo, level: Level) -> "Hired":
        """Returns a bot with the profile of its name, so that one who comes again is the one that others have met.

        It plays at this level unless all are to play at another.
        """
        plays = level.value if tempo.level == MIXED else tempo.level
        return cls(f"bot-{name.lower()}", name, style, tempo.pace, tempo.haggle, plays)


def hire(count: int, tempo: Tempo, rng: Random, taken: Sequence[str] = ()) -> list[Hired]:
    """Returns so many bots with names that nobody has, and of mixed styles."""
    names = [name for name in NAMES[1:] + NAMES[:1] if name not in taken]
    return [
        Hired.of(name, style, tempo, level)
        for name, (style, level) in zip(names, cast(min(count, len(names)), rng), strict=False)
    ]


def home(profile: Profile) -> Path:
    """Returns where the profiles of a player's bots live."""
    return profile.folder / "bots"


def take_note(profile: Profile, bots: Sequence[Hired]) -> None:
    """Notes what the bots are like.

    Raises:
        StoreError: The disk does not work.
    """
    path, disk = home(profile) / _NOTES, Disk()
    noted = {bot.profile: asdict(bot) for bot in (*_noted(profile), *bots)}
    try:
        disk.make_folder(path.parent)
        os.close(disk.create(path, json.dumps(list(noted.values())).encode()))
    except OSError as error:
        raise storing(path, error) from error


def who_played(profile: Profile, game: bytes) -> list[Hired]:
    """Returns the player's own bots that have a seat in this game."""
    return [bot for bot in _noted(profile) if (home(profile) / bot.profile / "games" / f"{game.hex()}.log").exists()]


def _noted(profile: Profile) -> list[Hired]:
    try:
        return [Hired(**noted) for noted in json.loads((home(profile) / _NOTES).read_bytes())]
    except (OSError, ValueError, TypeError):  # Without the note, bots are as good as strangers: they come, or don't.
        return []


class Processes:
    """Bots that were started. ``async with`` it: they end with it at the latest, and on their own if we die."""

    def __init__(self, folder: Path, tell: Callable[[str], None], texts: Texts) -> None:
        """Takes where their profiles live, who is told if one of them fails, and in which language."""
        self._folder, self._tell, self._texts = folder, tell, texts
        self._running: dict[asyncio.subprocess.Process, asyncio.Task[str]] = {}
        self._dismissed: set[asyncio.subprocess.Process] = set()

    async def __aenter__(self) -> Self:
        """Starts nothing yet."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Lets all bots go."""
        await self.end()

    async def start(self, bot: Hired, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        """Starts a bot; the arguments say what it is to do."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "p2p_sheriff", "bot", "--leash", "--data", str(self._folder)),
            *("--lang", self._texts.language),
            *("--profile", bot.profile, "--name", bot.name, "--style", bot.style, "--level", bot.level),
            *("--pace", str(bot.pace), "--haggle", str(bot.haggle), *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
        )
        self._running[process] = asyncio.create_task(self._follow(bot, process), name=bot.name)

    @property
    def at_work(self) -> frozenset[str]:
        """The names of those that have not ended."""
        return frozenset(task.get_name() for task in self._running.values() if not task.done())

    async def _follow(self, bot: Hired, process: asyncio.subprocess.Process) -> str:
        """Returns what a bot has printed; tells if it has failed."""
        if process.stdout is None or process.stderr is None:
            return ""
        output, errors = await asyncio.gather(process.stdout.read(), process.stderr.read())
        code = await process.wait()
        if code > 0 or (code < 0 and process not in self._dismissed):
            reason = errors.decode(errors="replace").strip() or (code < 0 and strsignal(-code)) or str(code)
            self._tell(self._texts("gather.bot_stopped", name=bot.name, reason=reason))
        return output.decode(errors="replace")

    async def results(self) -> list[str]:
        """Waits until all bots have ended by themselves; returns the last line of each."""
        return [(output.splitlines() or [""])[-1] for output in await asyncio.gather(*self._running.values())]

    async def end(self) -> None:
        """Lets all bots go, and waits until they have."""
        running, self._running = self._running, {}
        await asyncio.gather(*(self._stop(process) for process in running))
        await asyncio.gather(*running.values())

    async def _stop(self, process: asyncio.subprocess.Process) -> None:
        self._dismissed.add(process)
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), _END_SECONDS)
        except TimeoutError:
            process.kill()


class Company:
    """Bots for the tables that are opened at one node, one table after the other. ``async with`` it."""

    def __init__(self, profile: Profile, port: int, options: NodeOptions) -> None:
        """Takes the own profile, where the own node listens, and what it was opened with."""
        self.tell: Callable[[str], None] = lambda _: None
        """Is told if a bot fails."""
        self.styles: dict[str, str] = {}
        """The bots of this table: name and style."""
        self._cast: list[tuple[str, Level]] = []
        self._under_way: set[str] = set()
        """Who was sent to the table and has not been seen there."""
        self.tempo = options.tempo
        """How those play that are added from now on."""
        self._profile, self._options = profile, options
        # An address that others may reach too: they see the bot where it comes from.
        self._address = f"{local_addresses(options.interfaces)[0]}:{port}"
        self._processes = self._fresh()
        self._going: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        """Starts nothing yet."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Waits until all bots have ended."""
        self.dismiss()
        await asyncio.gather(*self._going)

    def _fresh(self) -> Processes:
        return Processes(home(self._profile), self._hear, self._options.texts)

    def _hear(self, line: str) -> None:
        self.tell(line)

    async def add(self, info: TableInfo, style: str | None) -> None:
        """Sends one more bot to the table; of this style, or of any that is not there yet.

        Raises:
            StoreError: What it is like could not be noted.
        """
        seated = [member.name for member in info.members]
        unused = [name for name in NAMES if name not in (*seated, *self.styles)]
        name = (unused or [name for name in NAMES if name not in seated])[0]
        any_style, level = cast(1, Random(), self._cast)[0]  # noqa: S311 - for company, not for secrets.
        bot = Hired.of(name, style or any_style, self.tempo, level)
        self._cast.append((bot.style, level))
        self._under_way.add(name)
        take_note(self._profile, [bot])
        await self._start(bot, "--table", info.id.hex())

    def coming(self, table: TableInfo) -> int:
        """Returns how many bots are on their way to the table: they take seats that look free."""
        self._under_way -= {member.name for member in table.members}
        return len(self._under_way & self._processes.at_work)

    async def bring_back(self, game: bytes) -> None:
        """Lets the bots come back that have a seat in an interrupted game."""
        for bot in who_played(self._profile, game):
            await self._start(bot, "--resume", "--game", game.hex())

    async def _start(self, bot: Hired, *what: str) -> None:
        self.styles[bot.name] = bot.style
        interfaces = [word for interface in self._options.interfaces for word in ("--interface", interface)]
        environment, private = dict(os.environ), list[str]()
        if self._options.passphrase is not None:
            environment, private = {**os.environ, PASSPHRASE_VARIABLE: self._options.passphrase}, ["--private"]
        arguments = (*what, "--rematch", "--connect", self._address, *interfaces, *private)
        await self._processes.start(bot, *arguments, environment=environment)

    def dismiss(self) -> None:
        """Lets the bots go; nobody waits for them."""
        if self.styles:
            self._going.append(asyncio.create_task(self._processes.end()))
            self._processes, self.styles, self._cast, self._under_way = self._fresh(), {}, [], set()
