"""What all commands on the network share: profile, node, and the table that is meant."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from getpass import getuser
from pathlib import Path
from secrets import token_bytes

import platformdirs

from p2p_sheriff.commands.private import add_private_argument, passphrase_of
from p2p_sheriff.gathering.gathering import Changed, Closed, LobbyError
from p2p_sheriff.gathering.tables import MAX_PURSE, TableInfo
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.events import GameStarted, NodeEvent, PeerUp, Refused, Trouble
from p2p_sheriff.node.handshake import known_names, require_name
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.transport import TransportError
from p2p_sheriff.rules import BadSetup, Edition, Setup
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.terms import OPTIONS, require_playable
from p2p_sheriff.texts import ENGLISH, Texts, chosen, refusal_sentence, translated
from p2p_sheriff.usage import UsageError
from protocol.errors import LocalError
from protocol.group import Edwards25519

_DEFAULT = "default"


def add_network_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options that every node has."""
    add = parser.add_argument
    add("--profile", default=_DEFAULT, metavar="NAME", help="keeps several players apart on one machine")
    add("--name", metavar="NICK", help="what you are called at the table; default: as last time, or as on this machine")
    connect_help = "the address of a node, where nodes can't find each other"
    add("--connect", type=address, action="append", default=[], metavar="HOST:PORT", help=connect_help)
    interface_help = "look for others only here: a name or an address"
    add("--interface", action="append", default=[], metavar="NAME", help=interface_help)
    add("--data", type=Path, metavar="FOLDER", help="where profiles live; default: where this system wants them")
    trust_help = "somebody you have played with comes with a new key: trust it"
    add("--trust-new-key", action="append", default=[], metavar="NAME", help=trust_help)
    add_private_argument(parser)


def add_screen_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of what can be shown on a full screen."""
    parser.add_argument("--lines", action="store_true", help="lines of text in place of a full screen")
    parser.add_argument("--ascii", action="store_true", help="draw without box lines")


def add_pace_argument(parser: argparse.ArgumentParser) -> None:
    """Adds the option of who plays with bots of their own."""
    parser.add_argument("--pace", type=float, default=1.5, metavar="SECONDS", help="how long bots let you talk")


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a table."""
    parser.add_argument("--edition", choices=[edition.value for edition in Edition], default=Edition.SECOND.value)
    parser.add_argument("--with", dest="options", default="", metavar="OPTION,...", help=f"of: {', '.join(OPTIONS)}")


def add_seat_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a person who sits down with others."""
    purse_help = "the cash you carry: the richest is sheriff first"
    parser.add_argument("--purse", type=_purse, metavar="COINS", help=purse_help)
    parser.add_argument("--ready", action="store_true", help="be ready at once, without being asked")


def _purse(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= MAX_PURSE):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of coins from 0 to {MAX_PURSE}")
    return int(text)


def address(text: str) -> tuple[str, int]:
    """Reads HOST:PORT."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
        raise argparse.ArgumentTypeError(f"{text!r} is no HOST:PORT")
    return host, int(port)


def setup_of(options: argparse.Namespace, players: int) -> Setup:
    """Returns the table that the options describe.

    Raises:
        UsageError: It can't be played, or not yet at the table.
    """
    wanted = frozenset(filter(None, options.options.split(",")))
    try:
        setup = Setup(players, Edition(options.edition), wanted)
        require_playable(setup)
    except BadSetup as problem:
        raise UsageError(str(problem)) from problem
    return setup


@asynccontextmanager
async def open_node(options: argparse.Namespace, timing: Timing | None = None) -> AsyncIterator[tuple[Node, Profile]]:
    """Opens the profile and starts its node.

    Raises:
        UsageError: The profile is in use or can't be read; or there is no such interface; or an address of --connect
            does not answer; or the table is private and there is no passphrase.
    """
    passphrase = passphrase_of(options)
    if options.interface and not local_addresses(options.interface):
        raise UsageError(f"No interface is called {' or '.join(options.interface)}, or it has no IPv4 address.")
    base = options.data or Path(platformdirs.user_data_dir("p2p-sheriff", appauthor=False))
    group = Edwards25519()
    try:
        profile = Profile.open(options.profile, base)
    except StoreError as error:
        raise UsageError(str(error)) from error
    with profile:
        name = _name(options, profile)
        for known in getattr(options, "trust_new_key", ()):
            profile.unpin(known)
        loopback = all(interface.startswith("127.") for interface in options.interface) and bool(options.interface)
        node = Node(
            profile.identity(),
            name,
            group,
            token_bytes,
            lambda charter: Keeper.begin(profile, charter, group, token_bytes),
            timing,
            "127.0.0.1" if loopback else "0.0.0.0",  # noqa: S104 - others on the local network connect to it.
            interfaces=tuple(options.interface),
            passphrase=passphrase,
            admit=known_names(profile.pins()),
        )
        async with node:
            for host, port in options.connect:
                try:
                    await node.dial(host, port)
                except TransportError as error:
                    raise UsageError(f"{host}:{port}: {refusal_sentence(error, chosen(options))}") from error
            yield node, profile


def _name(options: argparse.Namespace, profile: Profile) -> str:
    """Returns what the player is called; a name that was chosen is kept for the next time."""
    name: str = options.name or profile.nick or (_login() if profile.name == _DEFAULT else profile.name)
    try:
        require_name(name)
    except LocalError as error:
        raise UsageError(chosen(options)("seat.bad_name", name=repr(name), reason=error)) from error
    if options.name and profile.nick != name:
        profile.nick = name
    return name


def _login() -> str:
    try:
        return getuser()
    except (ImportError, KeyError, OSError):  # The machine has no name for who runs this.
        return _DEFAULT


def why_refused(refused: Refused, texts: Texts = ENGLISH) -> str:
    """Returns a sentence about a node that was found, with which there is no connection."""
    return texts("seat.no_connection", name=refused.name, reason=translated(refused.sentence, texts))


async def find_table(
    node: Node,
    fits: Callable[[TableInfo], bool],
    seconds: float,
    watch: Callable[[NodeEvent], None] = lambda _: None,
    texts: Texts = ENGLISH,
) -> TableInfo:
    """Waits until a table that fits is on the network; ``watch`` sees what happens meanwhile.

    Raises:
        UsageError: None came in time.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while loop.time() < end:
        for info in node.tables.values():
            if fits(info) and info.free_seats:
                return info
        if (event := await next_event(node, min(1.0, max(0.01, end - loop.time())))) is not None:
            watch(event)
    raise UsageError(texts("seat.no_table"))


async def next_event(node: Node, seconds: float) -> NodeEvent | None:
    """Returns the next event of a node, or None if none came in time."""
    try:
        return await asyncio.wait_for(node.events.get(), seconds)
    except TimeoutError:
        return None


async def wait_for_start(
    node: Node, watch: Callable[[NodeEvent], None] = lambda _: None, texts: Texts = ENGLISH
) -> Session:
    """Waits until the game of our table begins; who opened the table begins it as soon as all are ready.

    Raises:
        UsageError: The table was closed, or the node can't go on.
    """
    while True:
        event = await node.events.get()
        watch(event)
        match event:
            case GameStarted(session):
                return session
            case Closed(reason) | Trouble(reason):
                raise UsageError(translated(reason, texts))
            case Changed() | PeerUp():
                await begin_if_complete(node)
            case _:
                pass


async def begin_if_complete(node: Node) -> None:
    """Starts the game of our table if we opened it, all seats are taken, and all are ready and connected."""
    gathering = node.gathering
    if gathering is None or not gathering.is_opener or not gathering.info.is_complete:
        return
    there = {node.identity.public, *node.connected()}
    if all(member.identity in there for member in gathering.info.members):
        with suppress(LobbyError):  # The list has changed meanwhile: the next event tells of that.
            await node.at_table(lambda gathering: gathering.begin())
