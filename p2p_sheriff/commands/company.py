"""The bots that play along with somebody: each a node in a process of its own, which ends with the one that started it.

Their profiles live in a folder of the player's own profile, so that several players on one machine have bots of their
own. What each is like is noted there, so that it comes back as it was when a game is resumed.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from signal import strsignal
from typing import Final

from p2p_sheriff.bots import STYLES
from p2p_sheriff.node.disk import Disk, storing
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.texts import ENGLISH, Texts

NAMES: Final = ("Robin", "Marian", "Tuck", "Alan", "Gisborne", "Will")
LOOPBACK: Final = "127.0.0.1"
_NOTES: Final = "bots.json"
_END_SECONDS: Final = 5


@dataclass(frozen=True, slots=True)
class Hired:
    """A bot, as it is started."""

    profile: str
    name: str
    style: str
    pace: float


def hire(count: int, pace: float, taken: Sequence[str] = ()) -> list[Hired]:
    """Returns so many bots with names that nobody has, and with a style each in turn.

    There is a profile for each name, so that a bot who comes again is the one that the others have met.
    """
    names = [name for name in NAMES[1:] + NAMES[:1] if name not in taken]
    return [
        Hired(f"bot-{name.lower()}", name, STYLES[number % len(STYLES)], pace)
        for number, name in enumerate(names[:count])
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


class Company:
    """Bots that were started; they end with the stack at the latest, and on their own if this process dies."""

    def __init__(
        self, stack: AsyncExitStack, folder: Path, tell: Callable[[str], None], texts: Texts = ENGLISH
    ) -> None:
        """Takes where their profiles live, who is told if one of them fails, and in which language."""
        self._stack, self._folder, self._tell, self._texts = stack, folder, tell, texts
        self._bots: list[asyncio.Task[str]] = []
        self._dismissed: set[asyncio.subprocess.Process] = set()

    async def start(self, bot: Hired, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        """Starts a bot; the arguments say what it is to do."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "p2p_sheriff", "bot", "--leash", "--data", str(self._folder)),
            *("--lang", self._texts.language),
            *("--profile", bot.profile, "--name", bot.name, "--style", bot.style, "--pace", str(bot.pace), *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
        )
        running = asyncio.create_task(self._follow(bot, process))
        self._bots.append(running)

        async def stop() -> None:
            self._dismissed.add(process)
            if process.stdin is not None:
                process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), _END_SECONDS)
            except TimeoutError:
                process.kill()
            await running

        self._stack.push_async_callback(stop)

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
        return [(output.splitlines() or [""])[-1] for output in await asyncio.gather(*self._bots)]
