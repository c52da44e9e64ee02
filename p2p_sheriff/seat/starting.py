"""Opens a profile and starts its node."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from getpass import getuser
from secrets import token_bytes

from p2p_sheriff.node.cores import cores, group_on
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.handshake import known_names, require_name
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.transport import TransportError
from p2p_sheriff.seat.settings import DEFAULT_PROFILE, LOOPBACK, NodeOptions, data_folder, state_folder
from p2p_sheriff.texts import refusal_sentence
from p2p_sheriff.usage import UsageError
from protocol.errors import LocalError


@asynccontextmanager
async def open_node(options: NodeOptions, timing: Timing | None = None) -> AsyncIterator[tuple[Node, Profile]]:
    """Opens the profile and starts its node.

    Raises:
        UsageError: The profile is in use or can't be read; or there is no such interface; or an address to connect to
            does not answer.
    """
    if options.interfaces and not local_addresses(options.interfaces):
        raise UsageError(options.texts("usage.no_interface", names=options.texts.either(options.interfaces)))
    try:
        profile = Profile.open(options.profile, data_folder(options.data), state=state_folder(options.data))
    except StoreError as error:
        raise UsageError(refusal_sentence(error, options.texts)) from error
    # A bot's node takes one core: bots sit beside a person, whose screen must not wait for their proofs.
    with profile, group_on(1 if options.bot else cores()) as group:
        name = _name(options, profile)
        for known in options.trusted:
            profile.unpin(known)
        node = Node(
            profile.identity(),
            name,
            group,
            token_bytes,
            lambda charter: Keeper.begin(profile, charter, group, token_bytes),
            timing,
            LOOPBACK if options.is_local else "0.0.0.0",  # noqa: S104 - others on the local network connect to it.
            interfaces=options.interfaces,
            passphrase=options.passphrase,
            admit=known_names(profile.pins()),
            bot=options.bot,
        )
        async with node:
            for host, port in options.connect:
                try:
                    await node.dial(host, port)
                except TransportError as error:
                    raise UsageError(f"{host}:{port}: {refusal_sentence(error, options.texts)}") from error
            yield node, profile


def known_nick(options: NodeOptions) -> str | None:
    """Returns what the player was called last time, if anything.

    Raises:
        UsageError: The profile is in use, or can't be read.
    """
    try:
        with Profile.open(options.profile, data_folder(options.data)) as profile:
            return profile.nick
    except StoreError as error:
        raise UsageError(refusal_sentence(error, options.texts)) from error


def default_name(options: NodeOptions) -> str:
    """Returns what a player is called who has never said a name."""
    return _login() if options.profile == DEFAULT_PROFILE else options.profile


def _name(options: NodeOptions, profile: Profile) -> str:
    """Returns what the player is called; a name that was chosen is kept for the next time."""
    name = options.name or profile.nick or default_name(options)
    try:
        require_name(name)
    except LocalError as error:
        raise UsageError(options.texts("seat.bad_name", name=repr(name), reason=error)) from error
    if options.name and profile.nick != name:
        profile.nick = name
    return name


def _login() -> str:
    try:
        return getuser()
    except (ImportError, KeyError, OSError):  # The machine has no name for who runs this.
        return DEFAULT_PROFILE
