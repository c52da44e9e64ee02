"""Finding each other by mDNS. A hint, never a proof: who somebody is, the connection proves.

Registering and reaching nobody is silent where multicast is blocked; hence ``--connect HOST:PORT`` beside it, always.
"""

import asyncio
import socket
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, ip_address
from secrets import choice, randbelow
from typing import Final, Self

import ifaddr
from zeroconf import Error, InterfaceChoice, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2p_sheriff.node.limits import DEFAULT, Limits
from protocol.errors import MalformedError
from protocol.group import Edwards25519
from protocol.identity import PublicIdentity

SERVICE: Final = "_p2p-sheriff._tcp.local."
_RESOLVE_MILLISECONDS: Final = 3000
_MOST_HOSTS: Final = 4
"""Addresses of one node."""
_FINGERPRINT_DIGITS: Final = 8
_LABEL_BYTES: Final = 63
"""The longest label that DNS allows."""


@dataclass(frozen=True, slots=True)
class Found:
    """Somebody says to be at an address."""

    identity: PublicIdentity
    name: str
    hosts: tuple[str, ...]
    port: int


def instance_name(name: str, identity: PublicIdentity) -> str:
    """Returns the name of a node's service: the nick and a piece of the key, so that equal nicks do not collide."""
    suffix = f"-{identity.key.hex()[:_FINGERPRINT_DIGITS]}"
    nick = "".join(letter for letter in name if letter.isprintable() and letter not in ".\\")
    while len((nick + suffix).encode()) > _LABEL_BYTES:
        nick = nick[:-1]
    return f"{nick}{suffix}"


def adapters(interfaces: Sequence[str] = ()) -> dict[str, str]:
    """Returns the IPv4 addresses that others may reach, or those that are meant, with the names of their interfaces."""
    found = {str(ip.ip): adapter.nice_name for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4}
    if interfaces:
        return {address: name for address, name in found.items() if name in interfaces or address in interfaces}
    return {address: name for address, name in found.items() if not address.startswith("127.")}


def networks(addresses: Sequence[str]) -> list[IPv4Network]:
    """Returns the networks in which this machine has these addresses."""
    ips = (ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4)
    return [IPv4Network(f"{ip.ip}/{ip.network_prefix}", strict=False) for ip in ips if ip.ip in addresses]


def local_addresses(interfaces: Sequence[str] = ()) -> list[str]:
    """Returns the same addresses; without a network and an interface that is meant, what reaches this machine alone."""
    return list(adapters(interfaces)) or ([] if interfaces else ["127.0.0.1"])


class Discovery:
    """Announces this node and looks for others; what it finds goes into ``found``."""

    def __init__(
        self,
        identity: PublicIdentity,
        name: str,
        port: int,
        interfaces: Sequence[str] = (),
        rescan_seconds: float = 10,
        limits: Limits = DEFAULT,
    ) -> None:
        """Takes who this node is and where it listens; nothing happens before ``async with``."""
        self.found: asyncio.Queue[Found] = asyncio.Queue()
        self._group, self._identity = Edwards25519(), identity
        self._addresses = local_addresses(interfaces)
        self._networks = networks(self._addresses)
        self._limits = limits
        self._waiting: list[str] = []
        """Names that were announced, and of which nobody was asked yet where they are."""
        self._rescan_seconds = rescan_seconds
        self._instance = f"{instance_name(name, identity)}.{SERVICE}"
        self._info = AsyncServiceInfo(
            SERVICE,
            self._instance,
            port=port,
            addresses=[socket.inet_aton(address) for address in self._addresses],
            properties={"key": identity.key.hex(), "name": name.encode()[:200]},
            server=f"{identity.key.hex()[:16]}.local.",
        )
        self._resolving = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._zeroconf: AsyncZeroconf | None = None

    async def __aenter__(self) -> Self:
        """Announces the node and begins to look."""
        zeroconf = AsyncZeroconf(interfaces=self._addresses or InterfaceChoice.All, ip_version=IPVersion.V4Only)
        self._zeroconf = zeroconf
        self._spawn(self._scan(zeroconf))
        # No questions whether the name is free: the key is in it, and a stranger who claims it must not silence us.
        await (await zeroconf.async_register_service(self._info, cooperating_responders=True))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Says goodbye."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._zeroconf is not None:
            await self._zeroconf.async_unregister_all_services()
            await self._zeroconf.async_close()

    async def _scan(self, zeroconf: AsyncZeroconf) -> None:
        """Browses anew again and again: a node that was cut off when it came is found only so; and announces itself."""
        while True:
            browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[self._note])
            try:
                await asyncio.sleep(self._rescan_seconds)
                await (await zeroconf.async_update_service(self._info))
            finally:
                await browser.async_cancel()

    def _note(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:  # noqa: ARG002 - the library calls it by these names.
        # Who says goodbye is not forgotten: who was cut off says nothing, so presence is a matter of heartbeats.
        is_there = name != self._instance and state_change is not ServiceStateChange.Removed
        if is_there and name not in self._waiting:
            self._waiting.append(name)
            if len(self._waiting) > self._limits.names_waiting:  # Any of them: who makes up many must not win.
                self._waiting.remove(choice(self._waiting))
            self._resolve_more(zeroconf)

    def _resolve_more(self, zeroconf: Zeroconf) -> None:
        while self._waiting and self._resolving < self._limits.names_resolved:
            self._resolving += 1
            self._spawn(self._resolve(zeroconf, self._waiting.pop(randbelow(len(self._waiting)))))

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        """Asks where somebody is: several at once, for who has died without a goodbye does not answer."""
        try:
            info = AsyncServiceInfo(SERVICE, name)
            if await info.async_request(zeroconf, _RESOLVE_MILLISECONDS) and (found := self._read(info)):
                self.found.put_nowait(found)
        except Error:
            pass  # Whoever announces a name may say anything, also what is none.
        finally:
            self._resolving -= 1
            self._resolve_more(zeroconf)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _read(self, info: AsyncServiceInfo) -> Found | None:
        properties = {key: value or b"" for key, value in info.properties.items()}
        hosts = tuple(host for host in info.parsed_addresses(IPVersion.V4Only) if self._is_near(host))
        try:
            key = bytes.fromhex(properties.get(b"key", b"").decode("ascii"))
            identity = PublicIdentity.from_bytes(self._group, key)
            name = properties.get(b"name", b"").decode()
        except (MalformedError, ValueError):
            return None
        if not hosts or not info.port or identity == self._identity:
            return None
        return Found(identity, name, hosts[:_MOST_HOSTS], info.port)

    def _is_near(self, host: str) -> bool:
        """Whether an address is in one of our own networks: an announcement is no reason to call anybody else."""
        return any(ip_address(host) in network for network in self._networks)
