"""A session and its log in step: nothing leaves that is not on disk, and nothing is signed twice."""

import errno
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_sheriff.node.answers import Answers
from p2p_sheriff.node.disk import Disk, DiskFull, StoreError
from p2p_sheriff.node.log import DamagedLog, GameLog
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules import Seat, Setup
from p2p_sheriff.session import resume
from p2p_sheriff.session.acts import FREE, Says
from p2p_sheriff.session.happenings import Said, happening
from p2p_sheriff.session.homecoming import LostSecretsError
from p2p_sheriff.session.resume import FirstRecord, Kept
from p2p_sheriff.session.session import Session
from protocol.charter import Charter
from protocol.entry import Entry, Head, SignedEntry
from protocol.errors import LocalError, MalformedError
from protocol.faults import FaultCode
from protocol.identity import Identity
from protocol.table import Spoken
from tests.drbg import Drbg
from tests.node.mortal import GROUP, MortalNet, WeakDisk, assert_no_number_was_used_twice, charter_of, same
from tests.table.games import SHORT_DECK, assert_agreed

SETUP = Setup(3, short=SHORT_DECK)


class Players:
    """Three players who talk: the first has a log."""

    def __init__(self, base: Path, disk: Disk | None = None, state: Path | None = None) -> None:
        self.base, self.rng, self.state = base, Drbg("players"), state
        self.profile = Profile.open("anna", base, disk, state)
        self.identities = [self.profile.identity(self.rng), *(Identity.generate(self.rng) for _ in range(2))]
        self.charter = charter_of(self.identities, SETUP)
        self.keeper = Keeper.begin(self.profile, self.charter, GROUP, self.rng)
        self.others = [Session(self.charter, identity, GROUP, self.rng) for identity in self.identities[1:]]

    def restart(self) -> Keeper:
        """Kills the first player's node and starts it again."""
        self.keeper.log.close()
        self.profile.close()
        self.profile = Profile.open("anna", self.base, state=self.state)
        self.keeper = Keeper.resume(self.profile, self.charter.game, GROUP, self.rng)
        return self.keeper

    def come_home(self) -> None:
        """Lets the others show what they have."""
        for other in self.others:
            for signed in other.table.transcript.in_order():
                self.keeper.receive(signed.to_bytes())
            self.keeper.hear(other.seat, other.table.transcript.heads)

    def say(self, text: str) -> None:
        """The first player says something, and the others hear it."""
        self.keeper.session.say(text)
        for data in self.keeper.store():
            for other in self.others:
                other.receive(data)

    def said(self) -> list[str]:
        """Returns what was said at the table, as far as it is here."""
        entries = self.keeper.session.table.transcript.in_order()
        return [event.text for signed in entries if isinstance(event := happening(Spoken(signed)), Said)]

    def close(self) -> None:
        self.keeper.close()
        self.profile.close()


@pytest.fixture
def players(tmp_path: Path) -> Players:
    return Players(tmp_path)


def answer(keeper: Keeper, heads: Sequence[Head]) -> list[bytes]:
    """Returns what is sent to somebody else with these heads."""
    return Answers(0).to(keeper.charter.players[1].identity, keeper, tuple(heads), 0)


# -- nothing leaves that is not on disk


def test_on_a_full_disk_nothing_is_sent_and_the_same_entry_is_sent_when_there_is_room(tmp_path: Path) -> None:
    disk = WeakDisk()
    players = Players(tmp_path, disk)
    keeper = players.keeper
    disk.write_error = errno.ENOSPC
    keeper.session.say("hello")
    (entry,) = keeper.session.outbox
    nobody = keeper.session.table.transcript.head(1)
    for _ in range(2):
        with pytest.raises(DiskFull, match=r"store\.full"):
            keeper.store()
        assert keeper.session.outbox == [entry]
        assert answer(keeper, [nobody] * 3) == []
        assert keeper.heads[0].length == 0
    disk.write_error = None
    assert keeper.store() == (entry,)
    assert answer(keeper, [nobody] * 3) == [entry]
    assert keeper.store() == ()
    assert players.restart().session.table.transcript.head(0).length == 1
    players.close()


def test_after_a_failed_sync_nothing_is_sent_and_a_restart_signs_afresh(tmp_path: Path) -> None:
    disk = WeakDisk()
    players = Players(tmp_path, disk)
    disk.sync_error = errno.EIO
    players.keeper.session.say("hello")
    for _ in range(2):
        with pytest.raises(StoreError, match=r"store\.(write|failed)"):
            players.keeper.store()
    disk.sync_error = None
    assert players.restart().session.table.transcript.head(0).length == 0
    players.close()


def test_what_others_wrote_is_stored_with_the_next_own_entry(players: Players) -> None:
    before = players.keeper.log.path.stat().st_size
    players.others[0].say("anybody here?")
    players.keeper.receive(players.others[0].outbox[0])
    assert players.keeper.store() == ()
    assert players.keeper.log.path.stat().st_size == before
    players.say("me")
    _, record = players.keeper.log.read()
    assert len(Kept.from_value(record).entries) == 2
    players.restart()
    assert players.said() == ["anybody here?", "me"]
    players.close()


def test_what_others_wrote_is_stored_in_several_records_if_one_can_not_have_all_of_it(
    players: Players, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Liars bring about any number of entries: the own node gave the game up when there were more than 16,384."""
    monkeypatch.setattr(resume, "_MOST_TOGETHER", 3)
    (other, _) = players.others
    for number in range(8):
        other.say(f"{number}")
    for data in other.outbox:
        players.keeper.receive(data)
    players.say("and I")
    players.keeper.log.close()
    log = players.profile.game_log(players.charter.game)
    assert [len(Kept.from_value(one).entries) for one in log.read()[1:]] == [3, 3, 3]
    log.close()
    players.restart()
    assert players.said() == [*map(str, range(8)), "and I"]
    players.close()


def test_who_leaves_in_peace_has_stored_what_others_wrote_last(players: Players) -> None:
    players.others[0].say("good night")
    players.keeper.receive(players.others[0].outbox[0])
    players.keeper.close()
    players.restart()
    assert players.said() == ["good night"]
    players.close()


def test_an_entry_that_was_not_stored_is_not_stored_by_leaving(players: Players) -> None:
    players.keeper.session.say("never sent")
    players.keeper.close()
    players.restart()
    assert players.said() == []
    players.close()


def test_proof_of_a_fault_survives_a_restart(players: Players) -> None:
    heads = players.keeper.session.table.transcript.heads
    for text in ("yes", "no"):
        entry = Entry(players.charter.game, 1, heads, None, FREE.write(Says(text)))
        players.keeper.receive(SignedEntry.sign(players.identities[1], entry).to_bytes())
    assert players.keeper.store() == ()
    faults = players.keeper.session.table.faults
    assert faults[1].code is FaultCode.EQUIVOCATION
    assert players.restart().session.table.faults == faults
    players.close()


# -- coming back


def test_nothing_is_written_before_the_others_were_heard(players: Players) -> None:
    players.say("hello")
    keeper = players.restart()
    assert keeper.waits_for == {1, 2}
    assert not keeper.is_home
    assert keeper.session.table.may_write
    assert not keeper.advance()
    assert keeper.store() == ()
    players.come_home()
    assert keeper.waits_for == frozenset()
    assert keeper.is_home
    assert keeper.advance()
    assert len(keeper.store()) == 1
    players.close()


def test_what_is_written_too_early_never_leaves(players: Players) -> None:
    keeper = players.restart()
    keeper.session.say("too early")
    with pytest.raises(LocalError, match="before seats 1, 2 have shown"):
        keeper.store()
    assert players.restart().session.table.transcript.head(0).length == 0
    players.close()


def test_heads_of_another_table_are_refused(players: Players) -> None:
    keeper = players.restart()
    for heads in (keeper.heads[:2], (*keeper.heads, keeper.heads[0])):
        with pytest.raises(MalformedError):
            keeper.hear(Seat(1), heads)
        with pytest.raises(MalformedError):
            answer(keeper, heads)
    players.close()


def test_an_old_backup_signs_no_number_twice(players: Players) -> None:
    players.say("one")
    backup = players.keeper.log.path.read_bytes()
    players.say("two")
    players.say("three")
    players.others[1].say("I heard you")
    players.others[0].receive(players.others[1].outbox[0])
    players.keeper.log.path.write_bytes(backup)
    keeper = players.restart()
    keeper.receive(players.others[1].outbox[0])
    assert keeper.session.table.faults == {}
    assert len(keeper.session.table.transcript.chains[0]) == 1
    players.come_home()
    assert keeper.is_home
    players.say("four")
    for other in players.others:
        assert other.table.faults == {}
        assert [one.entry.payload for one in other.table.transcript.chains[0]] == [
            ("say", text) for text in ("one", "two", "three", "four")
        ]
    players.restart()
    assert players.said() == ["one", "two", "three", "I heard you", "four"]
    players.close()


@pytest.mark.parametrize("suffixes", [(".log", ".keys"), (".log",)], ids=["whole", "without keys"])
def test_a_backup_from_before_the_last_entries_goes_on_or_says_what_is_lost(
    tmp_path: Path, suffixes: tuple[str, ...]
) -> None:
    net = MortalNet(tmp_path, 11, Seat(1), lambda _: None, setup=SETUP)
    net.write_something()
    files, lost = [net.keeper.log.path.with_suffix(suffix) for suffix in suffixes], 0
    for _ in range(10):
        backup, now = [path.read_bytes() for path in files], net.keeper.session
        net.write_something()
        newest = [path.read_bytes() for path in files]
        put_back(files, backup)
        try:
            net.restart()
        except LostSecretsError:
            lost += 1
            assert not net.keeper.is_home
            put_back(files, newest)
            net.restart()
        assert same(net.keeper.session, now)
    assert lost > 0
    assert lost < 10 or len(suffixes) == 1
    net.live()
    assert_agreed(net.sessions)
    assert_no_number_was_used_twice(net)


def test_who_has_lost_all_keys_comes_back_sees_no_cards_and_is_told_when_the_others_were_heard(tmp_path: Path) -> None:
    net = MortalNet(tmp_path, 11, Seat(1), lambda _: None, setup=SETUP)
    while not net.keeper.session.play.state[Seat(1)].hand:
        net.write_something()
    keys = net.keeper.log.path.with_suffix(".keys")
    keys.write_bytes(bytes(len(keys.read_bytes())))
    with pytest.raises(LostSecretsError, match=r"troubles\.lost_secrets"):
        net.restart()
    net.keeper.look()
    assert net.keeper.seen.view is None


def put_back(files: Sequence[Path], contents: Sequence[bytes]) -> None:
    for path, data in zip(files, contents, strict=True):
        path.write_bytes(data)


def test_who_comes_back_with_an_old_copy_is_told_that_it_rests_on_the_words_of_others(players: Players) -> None:
    players.say("one")
    backup = players.keeper.log.path.read_bytes()
    players.say("two")
    players.keeper.log.path.write_bytes(backup)
    players.restart()
    players.come_home()
    assert players.keeper.warning == Phrase("troubles.old_copy", n=1)
    players.keeper.store()
    players.restart()
    players.come_home()
    assert players.keeper.warning is None
    players.close()


@pytest.mark.parametrize("has_counter", [False, True])
def test_an_old_copy_and_a_liar_make_nobody_an_equivocator_whose_machine_counts(
    tmp_path: Path, has_counter: bool
) -> None:
    players = Players(tmp_path / "data", state=tmp_path / "state" if has_counter else None)
    players.say("one")
    backup = players.keeper.log.path.read_bytes()
    players.keeper.session.say("two")
    (only_to_the_liar,) = players.keeper.store()
    players.keeper.log.path.write_bytes(backup)
    players.restart()
    if has_counter:
        with pytest.raises(LostSecretsError, match=r"troubles\.old_disk n=1"):
            players.come_home()
        assert not players.keeper.is_home
        players.keeper.receive(only_to_the_liar)
        players.come_home()
    else:
        players.come_home()
        players.say("two, again")
        players.others[0].receive(only_to_the_liar)
        assert players.others[0].table.faults[0].code is FaultCode.EQUIVOCATION, "the limit that the docs state"
    players.close()


# -- logs that can't be resumed


def test_a_log_without_a_charter_is_refused(players: Players) -> None:
    players.keeper.log.rewrite([])
    with pytest.raises(DamagedLog, match=r"store\.no_beginning"):
        players.restart()


def test_a_log_of_a_game_of_another_version_is_refused_by_name(players: Players) -> None:
    proposal = replace(players.charter.proposal, terms=("sheriff/1", ()))
    old = FirstRecord(Charter(proposal, players.charter.nonces).to_bytes())
    players.keeper.log.rewrite([old.to_value()])
    with pytest.raises(DamagedLog, match="a game of version sheriff/1; this program plays sheriff/5"):
        players.restart()


def test_a_log_of_somebody_else_is_refused(players: Players) -> None:
    players.keeper.close()
    players.profile.close()
    with Profile.open("bela", players.base) as other:
        game = players.charter.game
        shutil.copy(players.keeper.log.path, other.folder / "games" / f"{game.hex()}.log")
        with pytest.raises(DamagedLog, match="no seat in this game"):
            Keeper.resume(other, game, GROUP, players.rng)


def test_a_log_that_lacks_an_own_entry_is_refused(players: Players) -> None:
    players.say("one")
    players.say("two")
    opening, _, two = players.keeper.log.read()
    players.keeper.log.rewrite([opening, two])
    with pytest.raises(DamagedLog, match=r"store\.no_resume"):
        players.restart()


def test_a_log_whose_entries_do_not_hold_is_refused(players: Players) -> None:
    players.say("one")
    opening, one = players.keeper.log.read()
    (entry,) = Kept.from_value(one).entries
    players.keeper.log.rewrite([opening, Kept((entry[:-1] + bytes([entry[-1] ^ 1]),)).to_value()])
    with pytest.raises(DamagedLog, match=r"store\.no_resume.*not a signature"):
        players.restart()


# -- the end


def test_a_finished_game_is_kept_without_secrets_and_can_still_be_shown_to_others(players: Players) -> None:
    while players.keeper.advance():
        players.keeper.store()
    players.say("enough")
    keys = players.keeper.session.secrets.keys.secrets()
    assert keys
    players.keeper.finish()
    assert players.profile.unfinished_games() == ()
    records = players.keeper.log.read()
    assert [Kept.from_value(one).secrets for one in records[1:]] == [None]
    late = Session(players.charter, players.identities[1], GROUP, players.rng)
    for data in answer(players.restart(), late.table.transcript.heads):
        late.receive(data)
    assert late.table.transcript.heads == players.keeper.heads
    assert players.keeper.session.secrets.keys.secrets() == ()
    players.close()


def test_no_text_of_a_keeper_shows_a_secret(players: Players) -> None:
    while players.keeper.advance():
        players.keeper.store()
    shown = " ".join(map(repr, (players.keeper, players.keeper.session, players.keeper.log, players.profile)))
    (key, *_) = players.keeper.session.secrets.keys.secrets()
    assert str(key) not in shown
    assert isinstance(players.keeper.log, GameLog)
    players.close()
