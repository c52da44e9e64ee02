"""A game among bots, what its file looks like, and how somebody who owns keys could change it."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate

from p2p_sheriff.lab.simnet import Simnet, Weather
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.acts import Payload, Seals
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.record import Record, record_of
from p2p_sheriff.session.result import result_digest
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.terms import setup_of
from protocol.charter import Charter
from protocol.entry import Entry, SignedEntry
from protocol.group import Edwards25519
from protocol.identity import SEED_BYTES, Identity
from protocol.randomness import Rng
from protocol.table import Table
from tests.drbg import Drbg
from tests.table.games import SHORT_DECK, assert_agreed, bot_game, game_bytes

GROUP = Edwards25519()
_SEED = 8  # The result is not signed in the order of the seats, in which signatures are folded.


@dataclass(frozen=True)
class Game:
    """A game as far as it was played, with the keys of all seats."""

    sessions: tuple[Session, ...]
    identities: tuple[Identity, ...]

    @property
    def charter(self) -> Charter:
        return self.sessions[0].table.charter

    @cached_property
    def record(self) -> Record:
        return record_of(self.sessions[0].table)

    @cached_property
    def content(self) -> bytes:
        return self.record.to_bytes()

    @cached_property
    def entries(self) -> list[bytes]:
        return list(self.record.entries)

    @cached_property
    def signed(self) -> list[SignedEntry]:
        return [SignedEntry.from_bytes(self.charter, entry) for entry in self.record.entries]

    def having(self, entries: Sequence[bytes]) -> bytes:
        """Returns the file with other entries."""
        return replace(self.record, entries=tuple(entries)).to_bytes()

    def instead(self, place: int, entry: bytes) -> bytes:
        """Returns the file with another entry at that place."""
        return self.having([*self.entries[:place], entry, *self.entries[place + 1 :]])

    @cached_property
    def starts(self) -> list[int]:
        """Returns where in the file each entry begins, with its length, and at last where the file ends."""
        return list(accumulate((4 + len(entry) for entry in self.entries), initial=len(self.having(()))))

    def entry_at(self, position: int) -> int | None:
        """Returns the entry that a byte of the file belongs to, its length included; None: magic or charter."""
        place = bisect_right(self.starts, position) - 1
        return place if place >= 0 else None

    def first_to_name(self, place: int) -> int | None:
        """Returns the first entry whose author had seen the one at that place."""
        entry = self.signed[place].entry
        later = enumerate(self.signed[place + 1 :], place + 1)
        return next((at for at, one in later if one.entry.heads[entry.author].length > entry.sequence), None)

    def sign(self, seat: int, entry: Entry) -> bytes:
        """Returns the entry, signed with the key of that seat."""
        return SignedEntry.sign(self.identities[seat], entry).to_bytes()

    def resigned(self, place: int, **changes: object) -> bytes:
        """Returns an entry with changes, signed by its own author."""
        entry = replace(self.signed[place].entry, **changes)  # type: ignore[arg-type]
        return self.sign(self.signed[place].entry.author, entry)

    @cached_property
    def seals(self) -> list[int]:
        """Returns where the entries that sign the result are; a game that is not over has none."""
        if not self.sessions[0].play.is_over:
            return []
        last = self.sessions[0].table.step - 1
        return [place for place, signed in enumerate(self.signed) if signed.entry.step == last]

    def before_the_seals(self, seat: int) -> Table[Play]:
        """Returns that seat's table when the game is over and nobody has signed its result."""
        rng = Drbg(f"again {seat}")
        play = Play.begin(self.charter.game, setup_of(self.charter), GROUP, rng)
        table = Table(self.charter, play, self.identities[seat])
        for place, entry in enumerate(self.record.entries):
            if place not in self.seals:
                table.receive(entry)
        return table

    def seal(self, table: Table[Play]) -> bytes:
        """Lets a seat sign the result."""
        seals = Seals(result_digest(self.charter.game, table.game.state))
        return table.write(Payload((seals,)).to_value())[0]


def game_of(net: Simnet, keys: Rng) -> Game:
    """Returns the game that was played there; ``keys`` are the random bytes that its table was opened with."""
    sessions = tuple(net.sessions)
    identities = tuple(Identity(keys(SEED_BYTES)) for _ in sessions)
    game = Game(sessions, identities)
    assert [player.identity for player in game.charter.players] == [identity.public for identity in identities]
    assert len({record_of(session.table).to_bytes() for session in sessions}) == 1
    return game


@cache
def finished_game(seed: int = _SEED) -> Game:
    """Plays a short game among three in bad weather; the same one for everybody who asks."""
    net = bot_game(Setup(players=3, short=SHORT_DECK), GROUP, seed, Weather(loss=0.1, duplicates=0.1, disorder=0.5))
    assert_agreed(net.sessions)
    return game_of(net, game_bytes(seed))
