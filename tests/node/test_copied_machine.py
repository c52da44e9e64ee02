"""A machine that was copied, and its randomness with it: nothing that is made ahead is the same in two games."""

from contextlib import AsyncExitStack

from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.terms import propose
from protocol.charter import Charter, Player
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.mortal import GROUP
from tests.node.nodes import HOST, QUICK, SETUP, TITLE, until
from tests.node.running import awaited

ANNA = Identity.generate(Drbg("Anna"))


def no_log(_: Charter) -> Keeper:
    raise AssertionError("no game begins here")


@awaited
async def test_two_copies_that_wait_at_tables_with_the_same_randomness_prepare_different_shuffles() -> None:
    """The orders and masks of both would be equal: two proofs with the same masks tell the order."""
    nodes = [Node(ANNA, "Anna", GROUP, Drbg("copied"), no_log, QUICK, HOST, discover=False) for _ in range(2)]
    async with AsyncExitStack() as running:
        for node in nodes:
            await running.enter_async_context(node)
            await node.open_table(TITLE, SETUP)
        await until(lambda: all(node._prepared is not None for node in nodes))
        one, other = (node._prepared for node in nodes)
        assert one is not None
        assert other is not None
        assert one.order != other.order


def session(number: int) -> Session:
    """Returns the same seat in another game, with the same randomness."""
    rest = [Identity.generate(Drbg(f"other {seat}")) for seat in range(SETUP.players - 1)]
    proposal = propose([Player(one.public, "name") for one in (ANNA, *rest)], SETUP)
    charter = Charter(proposal, tuple(bytes([number, seat]) * 16 for seat in range(SETUP.players)))
    return Session(charter, ANNA, GROUP, Drbg("copied"))


def test_in_two_games_with_the_same_randomness_nothing_is_prepared_twice() -> None:
    one, other = (session(number).secrets for number in range(2))
    assert one.prepare(24).order != other.prepare(24).order
    for secrets in (one, other):
        secrets.stock_masks()
    assert not {r for r, _ in one.masks.take(1)} & {r for r, _ in other.masks.take(1)}
