"""How often strangers may try the passphrase of a private table, as those who call and as those who are called."""

import asyncio
from pathlib import Path
from secrets import token_bytes

import pytest

from p2p_sheriff.node.certificate import client_context, server_context
from p2p_sheriff.node.cpace import Passphrase
from p2p_sheriff.node.events import Refused
from p2p_sheriff.node.farewell import Farewell, Why
from p2p_sheriff.node.handshake import answer, challenge, meet, welcome
from p2p_sheriff.node.limits import DEFAULT
from p2p_sheriff.node.transport import connect
from p2p_sheriff.node.tries import Tries
from protocol.group import Edwards25519
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg
from tests.node.nodes import Party, until
from tests.node.running import awaited
from tests.node.stage import HASTY, HOST, PATIENT, refused, stage
from tests.node.strangers import Stranger, dialling, serving

PHRASE, WRONG = "the miller's blue door", "oak"


class Clock:
    """Time passes when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def tries_of(clock: Clock, *known: PublicIdentity) -> Tries:
    return Tries(DEFAULT, lambda who: who in known, clock)


async def fail(tries: Tries, who: PublicIdentity) -> None:
    with pytest.raises(ConnectionError):
        async with tries.one(who):
            raise ConnectionError


@awaited
async def test_unknown_identities_fail_once_in_ten_seconds_in_all(rng: Drbg) -> None:
    one, other = (Identity.generate(rng).public for _ in range(2))
    clock = Clock()
    tries = tries_of(clock)
    for _ in range(3):
        assert tries.may(other)
        await fail(tries, one)
        for later in (0, 5, 4.9):
            clock.now += later
            assert not tries.may(other)
            with refused(Why.TRIES):
                async with tries.one(other):
                    raise AssertionError
        clock.now += 0.2


@awaited
async def test_who_succeeds_and_who_is_known_use_up_no_tries(rng: Drbg) -> None:
    friend, stranger = (Identity.generate(rng).public for _ in range(2))
    tries = tries_of(Clock(), friend)
    for _ in range(5):
        async with tries.one(stranger):
            pass
        await fail(tries, friend)
    await fail(tries, stranger)
    assert tries.may(friend)
    async with tries.one(friend):
        pass


@awaited
async def test_two_strangers_do_not_try_at_once_and_who_waits_is_judged_by_how_it_went(rng: Drbg) -> None:
    one, other = (Identity.generate(rng).public for _ in range(2))
    for succeeds in (True, False):
        tries, go_on, inside = tries_of(Clock()), asyncio.Event(), list[PublicIdentity]()

        async def begin(tries: Tries = tries, go_on: asyncio.Event = go_on, succeeds: bool = succeeds) -> None:
            async with tries.one(one):
                await go_on.wait()
                if not succeeds:
                    raise ConnectionError

        async def wait(tries: Tries = tries, inside: list[PublicIdentity] = inside) -> None:
            async with tries.one(other):
                inside.append(other)

        first = asyncio.create_task(begin())
        await asyncio.sleep(0)
        second = asyncio.create_task(wait())
        await asyncio.sleep(0)
        assert not inside
        go_on.set()
        await asyncio.wait([first, second])
        assert inside == ([other] if succeeds else [])
        for task in (first, second):
            task.exception()


# -- over real connections


@awaited
async def test_after_a_wrong_passphrase_a_server_refuses_strangers_for_ten_seconds_and_friends_never(rng: Drbg) -> None:
    clock, friend = Clock(), Identity.generate(rng)
    async with stage(rng, passphrase=PHRASE, tries=tries_of(clock, friend.public)) as at:
        with refused(Why.PASSPHRASE):
            await at.dial(passphrase=WRONG)
        await until(lambda: at.listener.refused[Why.PASSPHRASE] == 1)
        with refused(Why.TRIES, by_peer=True):
            await at.dial(passphrase=PHRASE)
        await at.dial(friend, passphrase=PHRASE)
        await at.arrived.get()
        clock.now += 10
        await at.serves_others(PHRASE)


@pytest.mark.parametrize("stays", [False, True], ids=["hangs up", "says nothing more"])
@awaited
async def test_who_has_seen_the_tag_of_the_server_has_tried_whatever_they_do_then(rng: Drbg, stays: bool) -> None:
    clock, mallory, guess = Clock(), Identity.generate(rng), Passphrase.typed(Edwards25519(), WRONG)
    async with stage(rng, HASTY, passphrase=PHRASE, tries=tries_of(clock)) as at:
        async with dialling(at.listener.port, client_context()) as stranger:
            stranger.send(answer(mallory, "Eve", at.identity.public, await stranger.receive(), guess, rng)[1])
            await stranger.receive()
            if stays:
                assert (await stranger.goodbye()).why is Why.LATE
        await until(lambda: at.listener.refused.total() == 1)
        with refused(Why.TRIES, by_peer=True):
            await at.dial(passphrase=PHRASE)
        clock.now += 10
        await at.serves_others(PHRASE)


@awaited
async def test_a_stranger_who_is_dialled_tries_one_guess_in_ten_seconds(rng: Drbg) -> None:
    """Under as many keys as it likes. It hears a goodbye, and never anything to compare with other guesses."""
    clock, heard = Clock(), list[Farewell]()
    tries = tries_of(clock)

    async def dialled() -> None:
        mallory, guess = Identity.generate(rng), Passphrase.typed(Edwards25519(), WRONG)

        async def serve(client: Stranger) -> None:
            asked = challenge(mallory.public, guess, token_bytes)
            client.send(asked.hello)
            caller = meet(Edwards25519(), asked, await client.receive())
            client.send(welcome(asked, caller, "Rob", token_bytes).message)
            heard.append(await client.goodbye())

        async with serving(server_context(mallory), serve) as port:
            await connect(Identity.generate(rng), "Ann", PATIENT, HOST, port, passphrase=PHRASE, tries=tries)

    for later, why in ((0, Why.PASSPHRASE), (0, Why.TRIES), (9.9, Why.TRIES), (0.2, Why.PASSPHRASE)):
        clock.now += later
        with refused(why):
            await dialled()
    assert [ending.why for ending in heard] == [Why.PASSPHRASE, Why.TRIES, Why.TRIES, Why.PASSPHRASE]


@awaited
async def test_many_who_know_the_passphrase_may_come_at_once(rng: Drbg) -> None:
    async with stage(rng, passphrase=PHRASE, tries=tries_of(Clock())) as at:
        await asyncio.gather(*(at.dial(passphrase=PHRASE) for _ in range(8)))
        for _ in range(8):
            assert (await at.arrived.get()).private


@awaited
async def test_a_stranger_who_was_found_and_fails_does_not_keep_a_player_from_the_address_that_they_name(
    tmp_path: Path,
) -> None:
    async with Party(tmp_path) as party:
        anna, ben = await party.add("Anna", passphrase=PHRASE), await party.add("Ben", passphrase=PHRASE)
        eve = await party.add("Eve", passphrase=WRONG)
        anna.node.want(eve.node.identity.public, "Eve", [(HOST, eve.node.port)])
        await until(lambda: any(isinstance(event, Refused) and event.name == "Eve" for event in anna.drain()))
        await anna.node.dial(HOST, ben.node.port)
        await until(lambda: ben.node.identity.public in anna.node.connected())
