"""A bot that first sends everybody garbage, and later an entry with a false proof.

`python -m tests.node.cheat` takes what the program takes. Its own node believes what it has written; all others see
something else.
"""

import sys
from dataclasses import replace

from p2p_sheriff.cli import main
from p2p_sheriff.node.mesh import Mesh
from p2p_sheriff.node.wire import EntryOf, Message
from p2p_sheriff.session.acts import Payload
from p2p_sheriff.session.session import Session
from protocol.entry import SignedEntry
from protocol.identity import PublicIdentity
from protocol.table import Event

_send, _tell = Session._send, Mesh.tell
_insulted: set[PublicIdentity] = set()


async def tell(mesh: Mesh, identity: PublicIdentity, message: Message) -> bool:
    """Sends garbage in place of the first entry."""
    peer = mesh.peers.get(identity)
    if isinstance(message, EntryOf) and identity not in _insulted and peer is not None and peer.connection is not None:
        _insulted.add(identity)
        await peer.connection.send(b"garbage")
        return True
    return await _tell(mesh, identity, message)


def send(session: Session, written: tuple[bytes, list[Event]]) -> None:
    """Sends another proof than the true one."""
    data, events = written
    _send(session, (_forged(session, data), events))


def _forged(session: Session, data: bytes) -> bytes:
    identity, signed = session.table._identity, SignedEntry.from_bytes(session.table.charter, data)
    if identity is None or signed.entry.step is None:
        return data
    payload = Payload.from_value(signed.entry.payload)
    if not payload.proof:
        return data
    proof = payload.proof[:-1] + bytes([payload.proof[-1] ^ 1])
    return SignedEntry.sign(identity, replace(signed.entry, payload=Payload(payload.acts, proof).to_value())).to_bytes()


if __name__ == "__main__":
    setattr(Session, "_send", send)  # noqa: B010 - so that types are not asked.
    setattr(Mesh, "tell", tell)  # noqa: B010 - the same.
    sys.exit(main(sys.argv[1:]))
