"""``p2p-sheriff doctor``: says whether this machine can play here, and what to do where it can't."""

import argparse
import asyncio
import json
import logging
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from secrets import token_bytes
from typing import Final

from p2p_sheriff.node.discovery import Discovery, adapters
from p2p_sheriff.node.disk import PRIVATE_FOLDER, Disk, StoreError
from p2p_sheriff.node.profile import Profile, ProfileInUse
from p2p_sheriff.node.selftest import SELF_TESTS
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.transport import Connection, Listener, TransportError, connect
from p2p_sheriff.seat.settings import data_folder
from p2p_sheriff.texts import refusal_sentence
from protocol.identity import Identity, PublicIdentity

MULTICAST_SECONDS: Final = 3.0
_CLOCK_SECONDS: Final = 0.3
_CLOCK_TOLERANCE_SECONDS: Final = 0.1
_EARLIEST: Final = 1_735_689_600
"""The first second of 2025: a clock that shows less was never set."""
_COLUMNS, _LINES = 80, 24
_LIBRARIES: Final = ("PyNaCl", "cryptography", "msgpack", "zeroconf")
_BY_ADDRESS: Final = (
    "One of you starts `p2p-sheriff host` and tells the others its address; they add --connect HOST:PORT. "
    "Where you rule the network, let UDP port 5353 to 224.0.0.251 pass."
)


class Verdict(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    """It can be played, with limits."""
    PROBLEM = "problem"
    """It can't be played."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    topic: str
    verdict: Verdict
    text: str
    advice: str = ""


def run(options: argparse.Namespace) -> int:
    """Prints what was found; the exit code is 1 if no play is possible at all, else 0."""
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # What it would complain about is what is examined here.
    findings = asyncio.run(examine(options))
    can_play = not any(finding.verdict is Verdict.PROBLEM for finding in findings)
    if options.json:
        report = {"can_play": can_play, "findings": [asdict(finding) for finding in findings]}
        sys.stdout.write(json.dumps(report, indent=2) + "\n")
    else:
        for line in _lines(findings, can_play=can_play):
            sys.stdout.write(f"{line}\n")
    return 0 if can_play else 1


async def examine(options: argparse.Namespace) -> list[Finding]:
    """Returns everything that can be said about this machine and its network."""
    addresses = adapters(options.interface)
    checks = {
        "libraries": _libraries(),
        "interfaces": _interfaces(addresses, options.interface),
        "port": _port(addresses),
        "multicast": _multicast(addresses),
        "clock": _clock(),
        "terminal": _terminal(),
        "profile": _profile(options.profile, data_folder(options.data)),
    }
    return [finding for topic, check in checks.items() for finding in await _guarded(topic, check)]


async def _guarded(topic: str, check: AsyncIterator[Finding]) -> list[Finding]:
    try:
        return [finding async for finding in check]
    except Exception as error:  # A machine may be broken in ways that nobody thought of: that is a finding too.
        reason = f"could not be examined: {type(error).__name__}: {error}"
        return [Finding(topic, Verdict.PROBLEM, reason, "Report this line: it is a defect, or a very strange machine.")]


def _lines(findings: list[Finding], *, can_play: bool) -> Iterable[str]:
    for finding in findings:
        yield f"{finding.verdict:<8} {finding.topic:<11} {finding.text}"
        if finding.advice:
            yield f"{'':<8} {'':<11} -> {finding.advice}"
    if not can_play:
        yield "You can't play here yet: see the problems above."
    elif any(finding.verdict is Verdict.WARNING for finding in findings):
        yield "You can play here, with the limits above."
    else:
        yield "You can play here."


# -- the checks


async def _libraries() -> AsyncIterator[Finding]:
    versions = []
    for library in _LIBRARIES:
        try:
            versions.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            versions.append(f"{library} of an unknown version")
    text = f"Python {sys.version_info.major}.{sys.version_info.minor}, {', '.join(versions)}"
    yield Finding("libraries", Verdict.OK, text)
    for name, test in SELF_TESTS.items():
        try:
            test()
        except Exception as error:  # Whatever a broken library raises.
            advice = "Install the program anew, in a fresh environment: `make clean play`."
            yield Finding("self-test", Verdict.PROBLEM, f"{name}: {type(error).__name__}: {error}", advice)
        else:
            yield Finding("self-test", Verdict.OK, name)


async def _interfaces(addresses: dict[str, str], asked: list[str]) -> AsyncIterator[Finding]:
    for address, name in addresses.items():
        yield Finding("interfaces", Verdict.OK, f"{name} has the address {address}")
    if not addresses and asked:
        text = f"none is called {' or '.join(asked)}, or none of them has an IPv4 address"
        yield Finding("interfaces", Verdict.WARNING, text, "Leave out --interface to see all that there are.")
    elif not addresses:
        text = "this machine has no IPv4 address on any network: you can play on this machine alone, against bots"
        yield Finding("interfaces", Verdict.WARNING, text, "Plug in a cable or join the others' Wi-Fi.")


async def _port(addresses: dict[str, str]) -> AsyncIterator[Finding]:
    timing = Timing(handshake_seconds=MULTICAST_SECONDS, goodbye_seconds=0.2)
    server, client = Identity.generate(token_bytes), Identity.generate(token_bytes)

    async def hang_up(connection: Connection) -> None:
        await connection.close("only a test")

    listener = Listener(server, "doctor", timing, "0.0.0.0", hang_up)  # noqa: S104 - as the game does.
    try:
        await listener.start()
    except OSError as error:
        advice = "Other programs may use up all ports, or a sandbox forbids it: close them, or leave it."
        yield Finding("port", Verdict.PROBLEM, f"no port can be opened: {error.strerror}", advice)
        return
    try:
        for address in addresses or {"127.0.0.1": "lo"}:
            try:
                connection = await connect(client, "patient", timing, address, listener.port, server.public)
                await connection.close("only a test")
            except TransportError as error:
                text = f"a port was opened, but {address} does not answer there: {refusal_sentence(error)}"
                advice = f"Let your firewall pass TCP to this program, at least from {address}'s network."
                yield Finding("port", Verdict.WARNING, text, advice)
            else:
                text = f"{address} answers on an opened port (a firewall shows only from another machine)"
                yield Finding("port", Verdict.OK, text)
    finally:
        await listener.stop()


async def _multicast(addresses: dict[str, str]) -> AsyncIterator[Finding]:
    """Announces one node on each interface, and looks for it with another."""
    if not addresses:
        yield Finding("multicast", Verdict.WARNING, "there is no network to try it on", _BY_ADDRESS)
    outcomes = await asyncio.gather(*map(_meets_itself, addresses))
    for (address, name), outcome in zip(addresses.items(), outcomes, strict=True):
        where = f"{name} ({address})"
        if isinstance(outcome, str):
            text = f"does not work on {where}: {outcome}. Nodes can't find each other there by themselves"
            yield Finding("multicast", Verdict.WARNING, text, _BY_ADDRESS)
        else:
            others = f"; {outcome} other nodes are there" if outcome else ""
            yield Finding("multicast", Verdict.OK, f"a node was announced and found on {where}{others}")


async def _meets_itself(address: str) -> int | str:
    """Returns how many other nodes were seen by the way, or why not even the own one was."""
    first, second = (Identity.generate(token_bytes).public for _ in range(2))
    others: set[PublicIdentity] = set()
    try:
        async with (
            asyncio.timeout(2 * MULTICAST_SECONDS),
            Discovery(first, "doctor", 1, [address]),
            Discovery(second, "patient", 1, [address]) as looking,
        ):
            async with asyncio.timeout(MULTICAST_SECONDS):
                while (found := (await looking.found.get()).identity) != first:
                    others.add(found)
                return len(others)
    except TimeoutError:
        return f"a node that was announced was not found within {MULTICAST_SECONDS:g} seconds"
    except OSError as error:
        return error.strerror or str(error)


async def _clock() -> AsyncIterator[Finding]:
    wall, steady = time.time(), time.monotonic()
    await asyncio.sleep(_CLOCK_SECONDS)
    drift = abs((time.time() - wall) - (time.monotonic() - steady))
    if drift > _CLOCK_TOLERANCE_SECONDS:
        text = f"the clock on the wall moved {drift:.2f} seconds against the steady one"
        yield Finding("clock", Verdict.WARNING, text, "Harmless for the game; times in files will look odd.")
    elif wall < _EARLIEST:
        yield Finding("clock", Verdict.WARNING, "the clock was never set", "Set it: times in files will look odd.")
    else:
        yield Finding("clock", Verdict.OK, "steady")


async def _terminal() -> AsyncIterator[Finding]:
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        advice = "Start the program in a terminal window to play yourself; bots and `demo` need none."
        yield Finding("terminal", Verdict.WARNING, "input or output is no terminal", advice)
    else:
        size = shutil.get_terminal_size()
        if os.environ.get("TERM", "") in ("", "dumb"):
            yield Finding("terminal", Verdict.WARNING, "a dumb one", "The game speaks in plain lines there.")
        elif size.columns < _COLUMNS or size.lines < _LINES:
            text = f"{size.columns}x{size.lines} is small"
            yield Finding("terminal", Verdict.WARNING, text, f"Make it {_COLUMNS}x{_LINES} or larger.")
        else:
            yield Finding("terminal", Verdict.OK, f"{size.columns}x{size.lines}, {_colours()}")
    if "utf" not in encoding:
        advice = "Choose a UTF-8 locale, such as LANG=C.UTF-8, or names with other letters will not show."
        yield Finding("terminal", Verdict.WARNING, f"the encoding is {encoding}", advice)
    else:
        yield Finding("terminal", Verdict.OK, f"the encoding is {encoding}")


def _colours() -> str:
    if os.environ.get("NO_COLOR"):
        return "no colours, as NO_COLOR asks"
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return "all colours"
    return "256 colours" if "256" in os.environ.get("TERM", "") else "few colours"


async def _profile(name: str, base: Path) -> AsyncIterator[Finding]:
    folder = base / name
    if not folder.exists():
        parent = next(one for one in (base, *base.parents) if one.exists())
        if parent.is_dir() and os.access(parent, os.W_OK | os.X_OK):
            yield Finding("profile", Verdict.OK, f"{name} will be made in {base}")
        else:
            text = f"{name} can't be made: {parent} is no folder that you may write to"
            yield Finding("profile", Verdict.PROBLEM, text, "Choose another folder: --data FOLDER.")
        return
    was_open = folder.stat().st_mode & 0o077
    probe = folder / "doctor"
    try:
        with Profile.open(name, base) as profile:
            profile.identity()
            os.close(Disk().create(probe, b"only a test"))
            probe.unlink()
            unfinished = len(profile.unfinished_games())
    except ProfileInUse as error:
        yield Finding("profile", Verdict.WARNING, refusal_sentence(error))
    except (StoreError, OSError) as error:
        text = f"{name} can't be used: {refusal_sentence(error)}"
        yield Finding("profile", Verdict.PROBLEM, text, "Put it right, or play with another: --profile NAME.")
    else:
        games = f"; unfinished games: {unfinished}, `p2p-sheriff resume` goes on" if unfinished else ""
        yield Finding("profile", Verdict.OK, f"{folder} is writable and private{games}")
        if was_open:
            text = f"others could look into it until now (mode {was_open | PRIVATE_FOLDER:o}); that is put right"
            advice = "If strangers use this machine, take a new one, with a new key: --profile NAME."
            yield Finding("profile", Verdict.WARNING, text, advice)
