"""A table at which one node keeps a log on a real disk, dies at chosen moments, and comes back."""

import errno
import os
from collections import Counter
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from random import Random
from typing import NamedTuple

from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.lab.simnet import Chooser, Simnet
from p2p_sheriff.node.disk import Disk
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.rules import Seat, Setup
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.terms import propose
from protocol.charter import Charter, Player
from protocol.entry import SignedEntry
from protocol.group import Edwards25519
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.table.games import OneRound

GROUP = Edwards25519()


class CrashError(BaseException):
    """The node is dead: nothing may catch this but who restarts it."""


class Point(Enum):
    """Where a node dies while it writes a file, or sends what it has written."""

    BEFORE_WRITE = "before the write"
    WITHIN_WRITE = "with half of the write done"
    PAGES_LOST = "with the end of the write on disk, and its beginning not"
    AFTER_WRITE = "killed between write and sync"
    POWER_LOST = "without power between write and sync"
    AFTER_SYNC = "after the sync"
    BETWEEN_SENDS = "after sending to one of two"
    AFTER_SENDS = "after sending to both"


class Step(Enum):
    """What is written when an entry is stored, in this order."""

    NEXT_KEY = "the key of the next epoch, if it is not there yet"
    RECORD = "the record"
    OLD_KEY = "the key of the epoch after it, in the place of the old key"


IN_FILE = [point for point in Point if point not in (Point.BETWEEN_SENDS, Point.AFTER_SENDS)]


class Death(NamedTuple):
    """A moment to die."""

    point: Point
    step: Step = Step.RECORD

    @property
    def is_stored(self) -> bool:
        """Whether what was written is found again after the restart."""
        stored = (Point.AFTER_WRITE, Point.AFTER_SYNC, Point.BETWEEN_SENDS, Point.AFTER_SENDS)
        return self.step is Step.OLD_KEY or (self.step is Step.RECORD and self.point in stored)


EVERY_DEATH = [
    *(Death(point, step) for step in Step for point in IN_FILE),
    *(Death(point) for point in Point if point not in IN_FILE),
]


class MortalDisk(Disk):
    """A disk that works until its node dies when it takes a step."""

    def __init__(self) -> None:
        self.death: Death | None = None
        self.is_tidying = False
        """Whether what is written now is no part of storing an entry: that is done, and there is time."""
        self._names: dict[int, str] = {}
        self._undo: Callable[[], None] = lambda: None
        self._step: Step | None = None

    def open_private(self, path: Path, flags: int) -> int:
        file = super().open_private(path, flags)
        self._names[file] = path.suffix
        return file

    def write(self, file: int, data: bytes, place: int) -> None:
        key = Step.OLD_KEY if self.is_tidying else Step.NEXT_KEY
        self._step = {".log": Step.RECORD, ".keys": key}.get(self._names[file])
        size, before = os.fstat(file).st_size, os.pread(file, len(data), place)

        def undo() -> None:
            os.pwrite(file, before, place)
            os.ftruncate(file, size)

        self._undo, torn = undo, len(data) // 2
        match self._point():
            case Point.BEFORE_WRITE:
                raise CrashError
            case Point.WITHIN_WRITE:
                super().write(file, data[:torn], place)
                raise CrashError
            case Point.PAGES_LOST:
                super().write(file, before[:torn].ljust(torn, b"\0") + data[torn:], place)
                raise CrashError
            case _:
                super().write(file, data, place)

    def sync(self, file: int) -> None:
        match self._point():
            case Point.AFTER_WRITE:
                raise CrashError
            case Point.POWER_LOST:
                self._undo()
                raise CrashError
            case Point.AFTER_SYNC:
                super().sync(file)
                raise CrashError
            case _:
                super().sync(file)

    def _point(self) -> Point | None:
        return self.death.point if self.death is not None and self.death.step is self._step else None


class WeakDisk(Disk):
    """Fails to write, or to sync, while it is told to."""

    def __init__(self) -> None:
        self.write_error: int | None = None
        self.sync_error: int | None = None

    def write(self, file: int, data: bytes, place: int) -> None:
        if self.write_error:
            super().write(file, data[:10], place)
            raise OSError(self.write_error, os.strerror(self.write_error))
        super().write(file, data, place)

    def sync(self, file: int) -> None:
        if self.sync_error:
            raise OSError(self.sync_error, os.strerror(self.sync_error))
        super().sync(file)


class FullDisk(Disk):
    """Has no room for anything new while it is full; what is there can be overwritten."""

    is_full = False

    def write(self, file: int, data: bytes, place: int) -> None:
        if self.is_full and place + len(data) > os.fstat(file).st_size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        super().write(file, data, place)


class MortalNet(Simnet):
    """Three bots; the node of one of them dies whenever ``dies`` says so, and is restarted from its disk."""

    def __init__(
        self,
        base: Path,
        seed: int,
        mortal: Seat,
        dies: Callable[[int], Death | None],
        *,
        setup: Setup,
        rounds: int | None = None,
        disk: MortalDisk | None = None,
    ) -> None:
        """Takes the seat that dies, and where its node dies when it stores the entry with that number, if it does."""
        rng = Drbg(f"mortal {seed}")
        self._base, self._seed, self._mortal, self._dies, self._rounds = base, seed, mortal, dies, rounds
        self._random = rng
        self.disk = disk or MortalDisk()
        self._profile = Profile.open("mortal", base, self.disk)
        identities = [Identity.generate(rng) for _ in setup.seats]
        identities[mortal] = self._profile.identity(rng)
        charter = charter_of(identities, setup)
        self.keeper = Keeper.begin(self._profile, charter, GROUP, rng)
        sessions = [Session(charter, identity, GROUP, rng) for identity in identities]
        sessions[mortal] = self.keeper.session
        choosers = [self._chooser(seat) for seat in setup.seats]
        super().__init__(sessions, choosers, Random(seed), tamper=self._post)
        self.sent: dict[tuple[int, int], set[bytes]] = {}
        """The hashes of everything that ever left a node, by author and number."""
        self.deaths: Counter[Death] = Counter()
        self.has_time = True
        """Whether the mortal node finds time to tidy: else the key of each epoch is made when it begins."""
        self._last_death = -1
        self._last_words = 0

    def _chooser(self, seat: Seat) -> Chooser:
        bot = make_bot(STYLES[(seat + self._seed) % len(STYLES)], seat, Random(self._seed + seat))
        return bot if self._rounds is None else OneRound(bot)

    def _post(self, sender: int, _receiver: int, data: bytes) -> bytes:
        """Notes what is sent; the mortal node may die after this copy."""
        signed = SignedEntry.from_bytes(self.keeper.session.table.charter, data)
        self.sent.setdefault((signed.entry.author, signed.entry.sequence), set()).add(signed.hash)
        if sender == self._mortal == signed.entry.author:
            self._last_words += 1
            if self.disk.death == Death(Point.BETWEEN_SENDS) and self._last_words == 2:
                raise CrashError
        return data

    def live(self) -> None:
        """Plays until nothing happens any more, restarting the mortal node whenever it has died."""
        while True:
            try:
                self.run()
            except CrashError:
                self._revive()
            else:
                return

    def _flush(self, seat: int) -> None:
        if seat == self._mortal:
            own = self.keeper.session.table.transcript.chains[self._mortal]
            if self.keeper.session.outbox and len(own) > self._last_death:
                self.disk.death = self._dies(len(own) - 1)
            if self.disk.death is not None:
                self._last_death = len(own)
            self._last_words = 0
            for data in self.keeper.store():
                self._send(seat, data)
            if self.disk.death == Death(Point.AFTER_SENDS):
                raise CrashError
            self.disk.is_tidying = True
            if self.has_time:
                self.keeper.tidy()
            self.disk.is_tidying, self.disk.death = False, None
        super()._flush(seat)

    def _revive(self) -> None:
        assert self.disk.death is not None
        death, dead = self.disk.death, self.keeper.session
        self.deaths[death] += 1
        self.disk.is_tidying, self.disk.death = False, None
        self.restart()
        self._compare(dead, death)

    def restart(self) -> None:
        """Kills the mortal node if it lives, and starts it again from its disk; the others show what they have."""
        game = self.keeper.game
        self._in_flight = [flying for flying in self._in_flight if flying[1] != self._mortal]
        self.keeper.log.close()
        self._profile.close()
        self._profile = Profile.open("mortal", self._base, self.disk)
        self.keeper = Keeper.resume(self._profile, game, GROUP, self._random)
        self.sessions[self._mortal] = self.keeper.session
        self._choosers[self._mortal] = self._chooser(self._mortal)
        self.catch_up()
        assert self.keeper.is_home

    def write_something(self) -> None:
        """Plays until the mortal node has written something, and all have it."""
        transcript = self.keeper.session.table.transcript
        written = transcript.head(self._mortal).length
        self.run(until=lambda _: transcript.head(self._mortal).length > written)
        while self._deliver():
            pass

    def catch_up(self) -> None:
        """Lets the others show what they have, as they do when they hear of somebody's heads."""
        for seat, other in enumerate(self.sessions):
            if seat != self._mortal:
                for signed in other.table.transcript.in_order():
                    self.keeper.receive(signed.to_bytes())
                self.keeper.hear(Seat(seat), other.table.transcript.heads)

    def _compare(self, dead: Session, death: Death) -> None:
        """Asserts that who has come back is who has died, but for what was never stored."""
        alive = self.keeper.session
        before, after = dead.secrets.knowledge(dead.play).kinds, alive.secrets.knowledge(alive.play).kinds
        assert all(after[handle] == before[handle] for handle in before.keys() & after.keys())
        lengths = [len(session.table.transcript.chains[self._mortal]) for session in (dead, alive)]
        assert (lengths[0] == lengths[1]) is death.is_stored
        if death.is_stored:
            for signed in alive.table.transcript.in_order():
                dead.receive(signed.to_bytes())
            assert same(dead, alive)

    def finish(self) -> None:
        """Ends the game on the mortal node's disk."""
        self.keeper.finish()
        self.keeper.close()
        self._profile.close()


def charter_of(identities: Sequence[Identity], setup: Setup) -> Charter:
    """Returns a charter of players with these keys."""
    proposal = propose([Player(one.public, f"player {seat}") for seat, one in enumerate(identities)], setup)
    nonces = [bytes([seat]) * 32 for seat, _ in enumerate(identities)]
    return Charter.sealed(proposal, [proposal.commit_nonce(*pair) for pair in enumerate(nonces)], nonces)


def assert_no_number_was_used_twice(net: MortalNet) -> None:
    """Asserts that of everything that ever left a node, no two entries of one author have the same number."""
    assert all(len(hashes) == 1 for hashes in net.sent.values())
    assert len(net.sent) == sum(len(chain) for chain in net.sessions[0].table.transcript.chains)


def same(one: Session, other: Session) -> bool:
    """Returns whether two sessions of one seat see, know and keep the same."""
    return (
        one.play == other.play
        and one.view() == other.view()
        and one.choice() == other.choice()
        and secrets_of(one) == secrets_of(other)
        and one.table.transcript.heads == other.table.transcript.heads
        and one.table.faults == other.table.faults
        and one._awaited == other._awaited
    )


def secrets_of(session: Session) -> object:
    """Returns all secrets of a session, keys in no order."""
    value = session.secrets.to_value()
    assert isinstance(value, tuple)
    return (frozenset(session.secrets.keys.secrets()), *value[1:])


def everything_under(folder: Path) -> dict[Path, bytes]:
    """Returns the contents of all files."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
