"""Listens in on the nodes of this process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from p2p_sheriff.node.connection import Connection
from p2p_sheriff.node.wire import EntryOf, from_bytes
from protocol.charter import Charter
from protocol.entry import SignedEntry
from protocol.group import Edwards25519


@contextmanager
def tapped(charter: Charter, hear: Callable[[Connection, SignedEntry], None]) -> Iterator[None]:
    """Shows every entry of a game before a node sends it; what ``hear`` raises is the sender's death."""
    really_send, group = Connection.send, Edwards25519()

    async def send(connection: Connection, data: bytes) -> None:
        match from_bytes(group, data):
            case EntryOf(charter.game, entry):
                hear(connection, SignedEntry.from_bytes(charter, entry))
            case _:
                pass
        await really_send(connection, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "send", send)
        yield
