import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from p2p_sheriff.node.discovery import SERVICE, Discovery, Found, instance_name, local_addresses
from p2p_sheriff.node.limits import Limits
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg
from tests.node.running import SECONDS, awaited

HOST = "127.0.0.1"


def person(name: str) -> PublicIdentity:
    return Identity.generate(Drbg(f"discovery of {name}")).public


def looking(name: str, port: int, identity: PublicIdentity | None = None) -> Discovery:
    return Discovery(identity or person(name), name, port, [HOST], rescan_seconds=2)


async def finds(discovery: Discovery, *wanted: PublicIdentity, port: int | None = None) -> dict[PublicIdentity, Found]:
    """Waits until all of them were found, among whoever else is on this machine."""
    found: dict[PublicIdentity, Found] = {}
    async with asyncio.timeout(SECONDS):
        while set(wanted) - set(found):
            match await discovery.found.get():
                case Found(identity) as one if identity in wanted and port in (None, one.port):
                    found[identity] = one
    return found


@asynccontextmanager
async def announced(name: str, properties: dict[str, str | bytes], port: int = 9) -> AsyncIterator[None]:
    """Announces a service by hand."""
    zeroconf = AsyncZeroconf(interfaces=[HOST], ip_version=IPVersion.V4Only)
    info = AsyncServiceInfo(
        SERVICE,
        f"{name}.{SERVICE}",
        port=port,
        addresses=[socket.inet_aton(HOST)],
        properties=properties,
        server=f"{name}.local.",
    )
    await (await zeroconf.async_register_service(info, cooperating_responders=True))
    try:
        yield
    finally:
        await zeroconf.async_unregister_all_services()
        await zeroconf.async_close()


@awaited
async def test_six_nodes_find_each_other_and_one_that_comes_later() -> None:
    names = ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn"]
    async with AsyncExitStack() as stack:
        nodes = {name: looking(name, 4000 + number) for number, name in enumerate(names)}
        await asyncio.gather(*(stack.enter_async_context(node) for node in nodes.values()))
        for name, node in nodes.items():
            found = await finds(node, *(person(other) for other in names if other != name))
            for number, other in enumerate(names):
                if other != name:
                    assert found[person(other)] == Found(person(other), other, (HOST,), 4000 + number)
        async with looking("Late", 4010) as late:
            await finds(late, *map(person, names))
            for node in nodes.values():
                await finds(node, person("Late"))


@awaited
async def test_a_node_that_comes_back_with_the_same_key_is_found_at_its_new_port() -> None:
    async with looking("Watch", 4020) as watch:
        async with looking("Again", 4021):
            await finds(watch, person("Again"), port=4021)
        async with looking("Again", 4022):
            await finds(watch, person("Again"), port=4022)


@awaited
async def test_a_node_is_found_though_a_stranger_has_taken_its_name() -> None:
    name = instance_name("Robin", person("Robin"))
    async with (
        looking("Seeker", 4030) as seeker,
        announced(name, {"key": person("Thief").key.hex(), "name": "Robin"}, port=4031),
    ):
        await finds(seeker, person("Thief"), port=4031)
        async with looking("Robin", 4032):
            await finds(seeker, person("Robin"), port=4032)


@awaited
async def test_nodes_with_odd_names_are_found_with_those_names() -> None:
    names = ["Mr. Robin v. Locksley", "罗宾汉与他的快乐伙伴们在舍伍德森林里的长名字", "x" * 64, "a\\b", "Ann\nBen"]
    async with AsyncExitStack() as stack:
        reader = await stack.enter_async_context(looking("Reader", 4040))
        await asyncio.gather(*(stack.enter_async_context(looking(name, 4041)) for name in names))
        found = await finds(reader, *map(person, names))
        assert [found[person(name)].name for name in names] == names


@awaited
async def test_services_without_a_sound_key_and_ones_own_are_not_found() -> None:
    own = person("Own")
    low_order = bytes([1, *bytes(31)])
    unsound: dict[str, dict[str, str | bytes]] = {
        "no-key": {"name": "No"},
        "short-key": {"key": "abcd", "name": "Short"},
        "no-hex": {"key": "zz" * 32, "name": "Hex"},
        "no-ascii": {"key": b"\xff\xfe", "name": "Ascii"},
        "no-point": {"key": low_order.hex(), "name": "Point"},
        "bad-name": {"key": person("Bad").key.hex(), "name": b"\xff\xfe"},
        "own-key": {"key": own.key.hex(), "name": "Thief"},
    }
    async with AsyncExitStack() as stack:
        reader = await stack.enter_async_context(looking("Own", 4050, own))
        await asyncio.gather(*(stack.enter_async_context(announced(*one)) for one in unsound.items()))
        await stack.enter_async_context(announced("sound", {"key": person("Sound").key.hex()}, port=4051))
        await finds(reader, person("Sound"))
        await asyncio.sleep(0.5)
        others = [reader.found.get_nowait() for _ in range(reader.found.qsize())]
        assert not any(one.port == 9 for one in others)


@given(name=st.text(max_size=100))
def test_every_name_gives_a_label_that_dns_can_carry(name: str) -> None:
    label = instance_name(name, person("label"))
    assert 8 < len(label.encode()) <= 63
    assert "." not in label
    assert label.isprintable()


def test_equal_names_of_two_keys_give_different_labels() -> None:
    assert instance_name("Anna", person("one")) != instance_name("Anna", person("two"))


def test_addresses_are_those_of_the_interfaces_that_are_asked_for() -> None:
    assert local_addresses([HOST]) == [HOST]
    assert local_addresses(["no such interface"]) == []
    assert Discovery(person("nowhere"), "Nobody", 1, ["no such interface"]).found.empty()


def test_of_what_is_announced_only_addresses_in_our_own_networks_are_taken() -> None:
    discovery, other = looking("Ann", 4711), person("Ben")

    def hosts(*addresses: str) -> tuple[str, ...]:
        packed, properties = [socket.inet_aton(one) for one in addresses], {"key": other.key.hex(), "name": "Ben"}
        info = AsyncServiceInfo(SERVICE, f"x.{SERVICE}", port=1, addresses=packed, properties=properties)
        found = discovery._read(info)
        return found.hosts if found is not None else ()

    assert hosts("8.8.8.8", "127.0.0.9", "192.168.1.1") == ("127.0.0.9",)
    assert hosts("8.8.8.8") == ()


def announce(discovery: Discovery, *names: str) -> None:
    for name in names:
        discovery._note(cast(Zeroconf, None), SERVICE, f"{name}.{SERVICE}", ServiceStateChange.Added)


@awaited
async def test_of_many_announced_names_few_wait_and_few_are_asked_for_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two thousand cost a packet each to announce: each that is asked for costs this node seconds, and a packet."""
    asked, answered = list[str](), asyncio.Event()

    async def ask(self: Discovery, zeroconf: Zeroconf, name: str) -> None:
        asked.append(name)
        await answered.wait()
        self._resolving -= 1
        self._resolve_more(zeroconf)

    monkeypatch.setattr(Discovery, "_resolve", ask)
    limits = Limits(names_resolved=3, names_waiting=10)
    discovery = Discovery(person("me"), "Me", 4000, [HOST], limits=limits)
    announce(discovery, *(f"fake {number}" for number in range(2000)))
    await asyncio.sleep(0)
    assert len(asked) == 3
    assert len(discovery._waiting) == 10
    answered.set()
    while discovery._tasks:
        await asyncio.gather(*discovery._tasks)
    assert len(asked) == 13


@awaited
async def test_what_is_no_name_keeps_nobody_from_being_asked_for() -> None:
    """Sixteen of these in one packet, each with a task that died in its place, and nobody was ever found again."""
    discovery = looking("Ann", 4711)
    for name in ("a._http._tcp.local.", "local.", f".{SERVICE}", f"\0.{SERVICE}", f"{'a' * 64}._sub.{SERVICE}"):
        discovery._note(cast(Zeroconf, None), SERVICE, name, ServiceStateChange.Added)
    while discovery._tasks:
        await asyncio.gather(*discovery._tasks)
    assert discovery._resolving == 0
