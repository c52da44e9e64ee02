"""Everything that arrives from outside, as functions of bytes: each takes them, or refuses them in the way it says.

Anything else that is raised is a defect. ``SEEDS`` are sound inputs: fuzzers begin with them.
"""

import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from zeroconf.asyncio import AsyncServiceInfo

from p2p_sheriff.audit import audit
from p2p_sheriff.gathering.tables import Joins, Leaves, Lists, Member, TableInfo
from p2p_sheriff.node.cpace import Passphrase
from p2p_sheriff.node.discovery import SERVICE, Discovery
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.farewell import Farewell, TransportError, Why
from p2p_sheriff.node.handshake import accept, answer, challenge, confirm, meet, welcome
from p2p_sheriff.node.log import GameLog, first_record
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.wire import (
    EntryOf,
    GameInfo,
    Games,
    HeadsOf,
    Message,
    Ping,
    Tables,
    TableTalk,
    Where,
    from_bytes,
    to_bytes,
)
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.acts import FREE, Payload
from p2p_sheriff.session.record import NotARecordError, Record
from protocol.charter import Charter
from protocol.codec import decode, encode
from protocol.entry import Head, SignedEntry
from protocol.errors import MalformedError, VerificationError
from protocol.framing import FrameReader, frame
from protocol.group import Edwards25519
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.mortal import charter_of

GROUP: Final = Edwards25519()
PEOPLE: Final = [Identity.generate(Drbg(f"fuzzed {number}")) for number in range(3)]
CHARTER: Final = charter_of(PEOPLE, Setup(3))
_ME, _YOU = PEOPLE[:2]
_TABLE: Final = TableInfo(bytes(16), "oak", Setup(3), _ME.public, (Member(_ME.public, "Ann", "", 1),))


class _Handshake:
    """One that went well, as both sides remember it."""

    def __init__(self, passphrase: Passphrase | None) -> None:
        self.passphrase = passphrase
        self.asked = challenge(_ME.public, passphrase, Drbg("hello"))
        self.answered, answered = answer(_YOU, "Ben", _ME.public, self.asked.hello, passphrase, Drbg("answer"))
        self.welcomed = welcome(self.asked, meet(GROUP, self.asked, answered), "Ann", Drbg("welcome"))
        _, last = accept(self.answered, self.welcomed.message)
        self.sent = [message for message in (self.asked.hello, answered, self.welcomed.message, last) if message]


_HANDSHAKES: Final = (_Handshake(None), _Handshake(Passphrase.typed(GROUP, "oak")))


def frames(data: bytes) -> None:
    """A stream, dealt out in two parts."""
    reader = FrameReader(1000)
    with suppress(MalformedError):
        reader.feed(data[: len(data) // 2])
        reader.feed(data[len(data) // 2 :])


def values(data: bytes) -> None:
    """Whatever is decoded is encoded to the same bytes."""
    with suppress(MalformedError):
        assert encode(decode(data)) == data


def messages(data: bytes) -> None:
    """What nodes say to each other."""
    with suppress(MalformedError):
        assert to_bytes(from_bytes(GROUP, data)) == data


def goodbyes(data: bytes) -> None:
    """The last word of a connection."""
    with suppress(MalformedError):
        Farewell.from_bytes(data)


def handshakes(data: bytes) -> None:
    """Each of the messages of a handshake, whichever was expected."""
    for known in _HANDSHAKES:
        with suppress(TransportError):
            answer(_YOU, "Ben", _ME.public, data, known.passphrase, Drbg("answer"))
        with suppress(TransportError):
            welcome(known.asked, meet(GROUP, known.asked, data), "Ann", Drbg("welcome"))
        with suppress(TransportError):
            accept(known.answered, data)
        with suppress(TransportError):
            confirm(known.welcomed, data)


def entries(data: bytes) -> None:
    """Signed entries, and what may be in them."""
    with suppress(VerificationError):
        SignedEntry.from_bytes(CHARTER, data)
    with suppress(VerificationError):
        value = decode(data)
        with suppress(MalformedError):
            Payload.from_value(value)
        FREE.read(value)


def charters(data: bytes) -> None:
    """What a game is about."""
    with suppress(MalformedError):
        assert Charter.from_bytes(GROUP, data).to_bytes() == data


def records(data: bytes) -> None:
    """Transcripts, audited."""
    with suppress(NotARecordError):
        audit(data, GROUP)


def announcements(data: bytes) -> None:
    """The properties of a service that somebody announces."""
    discovery = Discovery(_ME.public, "Ann", 4711, ["127.0.0.1"])
    info = AsyncServiceInfo(SERVICE, f"x.{SERVICE}", port=1, addresses=[data[:4].ljust(4, b"\1")], properties=data[4:])
    discovery._read(info)


def logs(data: bytes) -> None:
    """The log of a game, as the disk has it after whatever happened to it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.log"
        path.write_bytes(data)
        with suppress(StoreError):
            first_record(path)
        with suppress(StoreError):
            log = GameLog(path)
            try:
                log.read()
            finally:
                log.close()


def profiles(data: bytes) -> None:
    """The files of a profile, all of them the same."""
    with tempfile.TemporaryDirectory() as folder:
        with Profile.open("fuzzed", Path(folder)) as made:
            made.identity()
            made.pin("Ann", _ME.public)
        for path in (Path(folder) / "fuzzed").iterdir():
            if path.is_file() and path.name != "lock":
                path.write_bytes(data)
        with suppress(StoreError), Profile.open("fuzzed", Path(folder)) as profile:
            for read in (profile.identity, lambda: profile.nick, profile.pins, profile.unfinished_games):
                with suppress(StoreError):
                    read()


def _log() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.log"
        GameLog.create(path, [("record", 1), ("record", b"bytes")]).close()
        return path.read_bytes()


_MESSAGES: Final[tuple[Message, ...]] = (
    Ping(),
    Where(4711, ()),
    Tables((_TABLE,)),
    Games((GameInfo("oak", CHARTER),)),
    TableTalk(Leaves(bytes(16))),
    TableTalk(Joins(bytes(16), _TABLE.members[0])),
    TableTalk(Lists(bytes(16), _TABLE)),
    EntryOf(CHARTER.game, b"entry"),
    HeadsOf(CHARTER.game, (Head(0, CHARTER.game), Head(3, bytes(32)))),
)

SEEDS: Final[dict[Callable[[bytes], None], tuple[bytes, ...]]] = {
    frames: (frame(b"one") + frame(b"two"),),
    values: (encode((1, -1, b"bytes", "text", None, True, ((), (1, 2)))),),
    messages: tuple(to_bytes(message) for message in _MESSAGES),
    goodbyes: (Farewell(Why.CLOSED, "enough").to_bytes(),),
    handshakes: tuple(message for known in _HANDSHAKES for message in known.sent),
    entries: (encode((b"body", bytes(64))), encode(("say", "hello"))),
    charters: (CHARTER.to_bytes(),),
    records: (Record(CHARTER, ()).to_bytes(),),
    announcements: (bytes([127, 0, 0, 1]) + b"\x08name=Ann" + b"\x44key=" + _YOU.public.key.hex().encode(),),
    logs: (_log(),),
    profiles: (encode((("Ann", _ME.public.key),)), encode(("identity", bytes(32)))),
}
