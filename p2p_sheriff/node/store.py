"""A session and its log, in step: nothing is sent that is not on disk, and what is on disk comes back."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from time import perf_counter

from p2p_sheriff.node.copy import GameCopy
from p2p_sheriff.node.counter import SignedCounter
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.events import Seen
from p2p_sheriff.node.log import DamagedLog, GameLog
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.vault import Vault
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules import Seat
from p2p_sheriff.session.homecoming import ForkedError, Homecoming, LostSecretsError
from p2p_sheriff.session.keepsake import Keepsake
from p2p_sheriff.session.resume import FirstRecord, Kept, OnProgress, ended, parts_of, resume
from p2p_sheriff.session.session import Session
from protocol.charter import Charter
from protocol.entry import Head
from protocol.errors import DefectError, LocalError, VerificationError
from protocol.group import Group
from protocol.randomness import Rng


class Keeper(GameCopy):
    """Keeps one game on disk. It is called by one thread at a time."""

    def __init__(
        self,
        session: Session,
        log: GameLog,
        vault: Vault | None,
        counter: SignedCounter,
        homecoming: Homecoming | None = None,
    ) -> None:
        """Use ``begin`` or ``resume``; a game that is over has no vault."""
        super().__init__(session)
        self.session, self.log = session, log
        self._vault, self._counter, self._homecoming = vault, counter, homecoming
        self.warning: Phrase | None = None
        """What the player is to be told of how the game came back."""
        self._sealed: frozenset[object] | None = None
        """Which secrets are in the log, if that is known: when one of them is dropped, the next epoch begins."""
        self._memory: Keepsake | None = None
        """What the own cards were, when the keys are wiped."""
        self._kept, self._own_kept = self._here
        """How many entries are on disk: all, and the own ones."""
        self._blamed = set(session.table.faults)

    @classmethod
    def begin(cls, profile: Profile, charter: Charter, group: Group, rng: Rng) -> "Keeper":
        """Sits down at a new table.

        Raises:
            StoreError: The game was begun before, or the disk does not work.
        """
        session = Session(charter, profile.identity(), group, rng)
        return cls(session, profile.new_game(charter), profile.vault(charter.game), profile.counter(charter.game))

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
            opening, records = FirstRecord.from_value(first), [Kept.from_value(one) for one in rest]
            charter = Charter.from_bytes(group, opening.charter)
            vault = None if opening.is_over else profile.vault(game)
            sealed = next((one.secrets for one in reversed(records) if one.secrets is not None), None)
            secrets = vault.open(sealed) if vault is not None and sealed is not None else None
            entries = [entry for one in records for entry in one.entries]
            start = perf_counter()
            session = resume(charter, profile.identity(), group, rng, entries, secrets, progress)
            seconds = perf_counter() - start
        except DefectError as error:
            log.close()
            raise StoreError(f"The game in {log.path} can't be resumed: this program has a defect: {error}.") from error
        except (VerificationError, LocalError) as error:
            log.close()
            raise DamagedLog("store.no_resume", path=str(log.path), detail=str(error)) from error
        except StoreError:
            log.close()
            raise
        keeper = cls(session, log, vault, profile.counter(game), Homecoming(session))
        keeper.figures.recall(seconds)
        return keeper

    def come_home(self) -> None:
        """Writes nothing before the others were heard, as after a restart: they may have entries of this seat."""
        self._homecoming = Homecoming(self.session)

    # -- the others

    @property
    def waits_for(self) -> frozenset[Seat]:
        """After a restart: whose heads are needed before anything new may be written; empty if it may."""
        return self._homecoming.waits_for if self._homecoming else frozenset()

    def excuse(self, seats: Collection[Seat]) -> None:
        """After a restart: does not wait for these any more, whom the player wants to go on without.

        Raises:
            ForkedError: Another copy of the profile has played in this game.
            LostSecretsError: What is on disk is too old to go on with.
        """
        if self._homecoming is not None:
            self._homecoming.excuse(seats)
            self._settle()

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
        return tuple(transcript.head(seat, stored if seat == own else None) for seat in range(len(transcript.chains)))

    def _settle(self) -> None:
        if self._homecoming is not None and self._homecoming.is_over:
            lacking = self._counter.count - len(self.session.table.transcript.chains[self.session.seat])
            if lacking > 0:
                raise LostSecretsError("troubles.old_disk", n=lacking)
            self._homecoming.finish()
            if (adopted := self._homecoming.adopted) > 0:
                self.warning = Phrase("troubles.old_copy", n=adopted)
            self._homecoming = None

    # -- the own seat

    @property
    def is_home(self) -> bool:
        """Whether the session may write: always, but for a while after a restart."""
        return self._homecoming is None

    def look(self) -> None:
        """Looks at the game as the own player sees it now."""
        session, play = self.session, self.session.play
        if play.is_decided:
            self.seen = Seen(play, awaited=self.awaited, votes=self.votes)
        else:
            choice = session.choice() if self.is_home else None
            # Who has lost the keys sees no cards, until the others were heard and it is certain.
            is_blind = not self.is_home and session.secrets.lost(play, spoiled=session.is_spoiled)
            view = None if is_blind else session.view()
            table = session.table
            is_out = session.seat not in table.transcript.ballots.remaining(table.best)
            self.seen = Seen(play, view, choice, self.waits_for, self.awaited, self.votes, is_out)

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
        if self._here[1] > self._own_kept or set(self.session.table.faults) - self._blamed:
            self._append()
        sent = tuple(self.session.outbox)
        self.session.outbox.clear()
        return sent

    @property
    def _here(self) -> tuple[int, int]:
        """How many entries are here: all that were delivered, on whichever branch, and the own ones."""
        transcript = self.session.table.transcript
        return len(transcript.delivered), len(transcript.chains[self.session.seat])

    def _append(self) -> None:
        """Writes all that is new as one record: what others wrote rides along, for they have it on their disks too.

        Liars can bring about more than one record may have. Then what others wrote first stands in some before it.
        """
        table, own = self.session.table, self.session.seat
        here, own_here = self._here
        new_faults = [fault for seat, fault in table.faults.items() if seat not in (own, *self._blamed)]
        evidence = [signed.to_bytes() for fault in new_faults for signed in fault.evidence]
        entries = [signed.to_bytes() for signed in table.transcript.delivered[self._kept :]]
        secrets, sealed, pieces = self.session.secrets, None, self.session.secrets.pieces
        drops = self._sealed is None or not self._sealed <= pieces
        if self._vault is not None and (drops or own_here > self._own_kept):
            sealed = self._vault.seal(secrets.to_value(), renew=drops)
        *before, last = parts_of((*entries, *evidence))
        for part in before:
            self.log.append(Kept(part).to_value())
        self.log.append(Kept(last, sealed).to_value())
        if self._vault is not None and sealed is not None:
            self._vault.stored()
            self._sealed = pieces
        self._kept, self._own_kept, self._blamed = here, own_here, set(table.faults)
        self._counter.note(own_here)

    def tidy(self) -> None:
        """Makes what was dropped unreadable on the disk too: once what replaces it is sent, for that has time."""
        if self._vault is not None:
            with suppress(StoreError):  # Then the next record is not stored, and says so.
                self._vault.tidy()

    def rest(self, *, drafts: bool = True) -> bool:
        """Does what could wait, and some work ahead of time, not much at once; returns whether there may be more."""
        self.tidy()
        return not self.session.play.is_decided and self.session.rest(drafts=drafts)

    # -- the end

    def finish(self) -> None:
        """Ends the game on this disk: all entries stay, and what the own cards were; every key is wiped.

        Raises:
            StoreError: It could not: the game is still listed as unfinished, and can be ended when there is room. Its
                keys are wiped all the same, if the disk can be written at all.
        """
        charter = self.session.table.charter
        self._memory = self._memory or self.session.secrets.memory
        entries = [signed.to_bytes() for signed in self.session.table.transcript.in_order()]
        try:
            self.log.rewrite(ended(charter.to_bytes(), entries, self._memory))
        finally:
            self._wipe()
        self._kept, self._own_kept = self._here

    def _wipe(self) -> None:
        """Drops all secrets, on the disk and here: else the next record would bring them back."""
        if self._vault is not None:
            self._vault.wipe()
        self._vault = None
        self._counter.forget()
        self.session.secrets.wipe()

    def close(self) -> None:
        """Puts the last of others' entries on disk too, so that they need not be asked for again, and lets go."""
        try:
            if self.is_home and not self.session.outbox and self._here[0] != self._kept:
                self._append()
            self.tidy()
        finally:
            self.log.close()
