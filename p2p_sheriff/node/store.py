"""A session and its log, in step: nothing is sent that is not on disk, and what is on disk comes back."""

from collections.abc import Callable, Sequence

from p2p_sheriff.node.copy import GameCopy
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.events import Seen
from p2p_sheriff.node.log import DamagedLog, GameLog
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.rules import Seat
from p2p_sheriff.session.happenings import GameEvent
from p2p_sheriff.session.homecoming import ForkedError, Homecoming
from p2p_sheriff.session.resume import FirstRecord, Kept, OnProgress, resume
from p2p_sheriff.session.session import Session
from protocol.charter import Charter
from protocol.entry import Head
from protocol.errors import DefectError, LocalError, VerificationError
from protocol.group import Group
from protocol.randomness import Rng


class Keeper(GameCopy):
    """Keeps one game on disk. It is called by one thread at a time."""

    def __init__(self, session: Session, log: GameLog, homecoming: Homecoming | None = None) -> None:
        """Use ``begin`` or ``resume``."""
        super().__init__(session.table)
        self.session, self.log = session, log
        self._homecoming = homecoming
        self._kept = [len(chain) for chain in session.table.transcript.chains]
        self._blamed = set(session.table.faults)

    @classmethod
    def begin(cls, profile: Profile, charter: Charter, group: Group, rng: Rng) -> "Keeper":
        """Sits down at a new table.

        Raises:
            StoreError: The game was begun before, or the disk does not work.
        """
        session = Session(charter, profile.identity(), group, rng)
        return cls(session, profile.new_game(charter))

    @classmethod
    def resume(
        cls, profile: Profile, game: bytes, group: Group, rng: Rng, progress: OnProgress = lambda _done, _total: None
    ) -> "Keeper":
        """Comes back to a game. It takes as long as checking all its entries does.

        Raises:
            StoreError: Its log is damaged, or not of this version, or this version has a defect.
        """
        log = profile.game_log(game)
        try:
            first, *rest = log.read() or [None]
            charter = Charter.from_bytes(group, FirstRecord.from_value(first).charter)
            session = resume(charter, profile.identity(), group, rng, [Kept.from_value(one) for one in rest], progress)
        except DefectError as error:
            log.close()
            raise StoreError(f"The game in {log.path} can't be resumed: this program has a defect: {error}.") from error
        except (VerificationError, LocalError) as error:
            log.close()
            raise DamagedLog("store.no_resume", path=str(log.path), detail=str(error)) from error
        except StoreError:
            log.close()
            raise
        return cls(session, log, Homecoming(session))

    # -- the others

    @property
    def waits_for(self) -> frozenset[Seat]:
        """After a restart: whose heads are needed before anything new may be written; empty if it may."""
        return self._homecoming.waits_for if self._homecoming else frozenset()

    def hear(self, seat: Seat, heads: Sequence[Head]) -> None:
        """Takes note of how much of each chain another seat has.

        Raises:
            MalformedError: They are not the heads of this game.
            ForkedError: Another copy of the profile has played in this game.
            LostSecretsError: What is on disk is too old to go on with.
        """
        if self._homecoming is not None:
            self._homecoming.hear(seat, self.checked(heads))
            self._settle()

    def receive(self, data: bytes) -> None:
        """Takes an entry from anywhere.

        Raises:
            VerificationError: It is no entry of this game.
            ForkedError: Another copy of the profile has played in this game.
            LostSecretsError: What is on disk is too old to go on with.
        """
        with self.figures.timed(writes=False):
            if self._homecoming is None:
                self._receive(data)
            else:
                self._homecoming.receive(data)
                self._settle()

    def _receive(self, data: bytes) -> None:
        own = self.session.table.transcript.chains[self.session.seat]
        written = len(own)
        self.session.receive(data)
        if len(own) > written:
            raise ForkedError("troubles.forked", n=written)

    @property
    def heads(self) -> tuple[Head, ...]:
        """How much of each chain may be told to others: of the own one, not what is still in the outbox."""
        transcript, own = self.session.table.transcript, self.session.seat
        stored = len(transcript.chains[own]) - len(self.session.outbox)
        return tuple(transcript.head(seat, stored if seat == own else None) for seat in range(len(self._kept)))

    def _settle(self) -> None:
        if self._homecoming is not None and self._homecoming.is_over:
            self._homecoming.finish()
            self._homecoming = None

    # -- the own seat

    @property
    def is_home(self) -> bool:
        """Whether the session may write: always, but for a while after a restart."""
        return self._homecoming is None

    def look(self) -> None:
        """Looks at the game as the own player sees it now."""
        session, play = self.session, self.session.play
        if play.is_over:
            self.seen = Seen(play)
        else:
            self.seen = Seen(play, session.view(), session.choice() if self.is_home else None, self.waits_for)

    def advance(self) -> bool:
        """Does one duty of the own seat, if there is one and it may write; returns whether it did."""
        with self.figures.timed(writes=True):
            return self.is_home and self.session.advance()

    def act(self, action: Callable[[Session], None]) -> None:
        """Lets the own player do something, or look."""
        with self.figures.timed(writes=True):
            action(self.session)

    def store(self) -> tuple[bytes, ...]:
        """Puts what is new on disk; returns the own entries that may be sent now, and takes them from the outbox.

        Raises:
            DiskFull: Nothing may be sent. The same call may succeed later.
            StoreError: Nothing may be sent, and the session must not go on: stop, and resume.
            LocalError: Something was written before the others have been heard; it is lost, and must be.
        """
        if not self.is_home:
            if self.session.outbox:
                seats = ", ".join(map(str, sorted(self.waits_for)))
                raise LocalError(f"nothing may be written before seats {seats} have shown what they have of this one")
            return ()
        own = self.session.seat
        has_written = len(self.session.table.transcript.chains[own]) > self._kept[own]
        if has_written or set(self.session.table.faults) - self._blamed:
            self._append()
        sent = tuple(self.session.outbox)
        self.session.outbox.clear()
        return sent

    def _append(self) -> None:
        """Writes all that is new as one record: what others wrote rides along, for they have it on their disks too."""
        table, own = self.session.table, self.session.seat
        lengths = [len(chain) for chain in table.transcript.chains]
        new_faults = [fault for seat, fault in table.faults.items() if seat not in (own, *self._blamed)]
        evidence = [signed.to_bytes() for fault in new_faults for signed in fault.evidence]
        secrets = self.session.secrets.to_value() if lengths[own] > self._kept[own] else None
        entries = [signed.to_bytes() for signed in self.between(self._kept, lengths)]
        self.log.append(Kept((*entries, *evidence), secrets).to_value())
        self._kept, self._blamed = lengths, set(table.faults)

    def take_events(self) -> list[GameEvent]:
        """Returns what happened since the last call."""
        events, self.session.events = self.session.events, []
        return events

    # -- the end

    def finish(self) -> None:
        """Ends the game on this disk: all entries stay, and what the own cards were; every key is wiped.

        Raises:
            StoreError: It could not: the game is still listed as unfinished, with its secrets, and can be resumed.
        """
        charter = self.session.table.charter
        entries = tuple(signed.to_bytes() for signed in self.session.table.transcript.in_order())
        opening = FirstRecord(charter.to_bytes(), is_over=True, memory=self.session.secrets.memory)
        self.log.rewrite([opening.to_value(), Kept(entries).to_value()])
        self.session.secrets.wipe()
        self._kept = [len(chain) for chain in self.session.table.transcript.chains]

    def close(self) -> None:
        """Puts the last of others' entries on disk too, so that they need not be asked for again, and lets go."""
        lengths = [len(chain) for chain in self.session.table.transcript.chains]
        try:
            if self.is_home and not self.session.outbox and lengths != self._kept:
                self._append()
        finally:
            self.log.close()
