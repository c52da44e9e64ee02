"""A profile: private files, one key for ever, one process at a time."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from p2p_sheriff.node.disk import Disk, DiskFull, StoreError
from p2p_sheriff.node.log import DamagedLog
from p2p_sheriff.node.profile import MAX_PINS, Profile, ProfileInUse
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.resume import FirstRecord, Kept
from protocol.charter import Charter
from protocol.codec import encode
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg
from tests.node.mortal import charter_of


def charter(seed: str) -> Charter:
    rng = Drbg(seed)
    return charter_of([Identity.generate(rng) for _ in range(3)], Setup(3))


def key(seed: str) -> PublicIdentity:
    return Identity.generate(Drbg(seed)).public


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


# -- private


def test_everything_in_a_profile_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        with Profile.open("anna", tmp_path / "data" / "games") as profile:
            profile.identity()
            profile.nick = "Anna"
            profile.pin("Ben", key("ben"))
            profile.new_game(charter("one")).close()
            profile.keep_transcript(bytes(32), b"transcript")
    finally:
        os.umask(old)
    paths = list((tmp_path / "data").rglob("*"))
    assert len(paths) == 9
    assert {mode(path) for path in paths if path.is_dir()} == {0o700}
    assert {mode(path) for path in paths if path.is_file()} == {0o600}


def test_a_profile_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    folder = tmp_path / "anna"
    (folder / "games").mkdir(parents=True)
    (folder / "lock").touch()
    for path in (folder, folder / "games", folder / "lock"):
        path.chmod(0o777)
    Profile.open("anna", tmp_path).close()
    assert [mode(path) for path in (folder, folder / "games", folder / "lock")] == [0o700, 0o700, 0o600]


@pytest.mark.parametrize("name", ["", ".", "..", "../anna", "a/b", ".hidden", "x" * 65, "a\0b", "a\n"])
def test_a_name_that_is_no_folder_of_its_own_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError, match=r"store\.profile_name"):
        Profile.open(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_base_that_is_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"store\.write .*Not a directory"):
        Profile.open("anna", tmp_path / "file")


# -- who plays


def test_the_key_is_made_once(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        first = profile.identity()
        assert profile.identity().seed() == first.seed()
    with Profile.open("anna", tmp_path) as profile:
        assert profile.identity().seed() == first.seed()
    with Profile.open("bela", tmp_path) as profile:
        assert profile.identity().public != first.public


def test_a_damaged_key_is_never_replaced(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        profile.identity()
        path = tmp_path / "anna" / "identity"
        whole = path.read_bytes()
        for place in range(len(whole)):
            damaged = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
            path.write_bytes(damaged)
            with pytest.raises(StoreError, match=r"store\.key"):
                profile.identity()
            assert path.read_bytes() == damaged


def test_a_nick_is_remembered(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        assert profile.nick is None
        profile.nick = "Ánna 🍎"
    with Profile.open("anna", tmp_path) as profile:
        assert profile.nick == "Ánna 🍎"
        for bad in ("", "x" * 65):
            with pytest.raises(StoreError, match=r"store\.nick most=64"):
                profile.nick = bad
        assert profile.nick == "Ánna 🍎"


def test_no_text_of_a_profile_shows_its_key(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        seed = profile.identity().seed()
        shown = f"{profile!r} {profile.identity()!r}"
        assert shown.startswith("Profile(anna) ")
        assert seed.hex() not in shown


# -- who they have played with


def test_who_has_a_name_is_remembered_and_the_first_one_keeps_it(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        known = profile.pins()
        assert dict(known) == {}
        profile.pin("Ben", key("ben"))
        profile.pin("BEN", key("mallory"))
        profile.pin("Cleo", key("cleo"))
        assert dict(known) == {"Ben": key("ben"), "Cleo": key("cleo")}
    with Profile.open("anna", tmp_path) as profile:
        assert dict(profile.pins()) == {"Ben": key("ben"), "Cleo": key("cleo")}


def test_a_name_that_is_forgotten_can_be_had_by_another_key(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        profile.pin("Ben", key("ben"))
        profile.unpin("ben")
        assert dict(profile.pins()) == {}
        profile.pin("Ben", key("ben on a new machine"))
    with Profile.open("anna", tmp_path) as profile:
        assert dict(profile.pins()) == {"Ben": key("ben on a new machine")}


def test_of_too_many_names_the_oldest_is_forgotten(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        for number in range(MAX_PINS + 1):
            profile.pin(f"{number:064}", key("somebody"))
    with Profile.open("anna", tmp_path) as profile:
        assert list(profile.pins()) == [f"{number:064}" for number in range(1, MAX_PINS + 1)]


@pytest.mark.parametrize("damage", [b"", b"rubbish", encode(7), encode((("Ben",),)), encode((("Ben", bytes(32)),))])
def test_damaged_names_say_what_to_do(tmp_path: Path, damage: bytes) -> None:
    with Profile.open("anna", tmp_path) as profile:
        (tmp_path / "anna" / "pins").write_bytes(damage)
        with pytest.raises(StoreError, match=r"store\.names .*pins$"):
            profile.pins()


# -- one process at a time


def test_a_profile_is_opened_once(tmp_path: Path) -> None:
    with (
        Profile.open("anna", tmp_path),
        pytest.raises(ProfileInUse, match=f"process={os.getpid()}$"),
    ):
        Profile.open("anna", tmp_path)
    Profile.open("anna", tmp_path).close()


HOLD = """
import sys, time
from pathlib import Path
from p2p_sheriff.node.profile import Profile
profile = Profile.open("anna", Path(sys.argv[1]))
print("open", flush=True)
time.sleep(60)
"""

TRY = """
import sys
from pathlib import Path
from p2p_sheriff.node.profile import MAX_PINS, Profile, ProfileInUse
from p2p_sheriff.texts import refusal_sentence
try:
    Profile.open("anna", Path(sys.argv[1]))
except ProfileInUse as error:
    print(refusal_sentence(error))
"""


def test_a_second_process_is_refused_until_the_first_is_dead(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        second = subprocess.run([sys.executable, "-c", TRY, str(tmp_path)], capture_output=True, text=True, check=True)
        assert second.stdout == (
            f"The profile anna is in use by process {holder.pid}. Close that one first, or play with another profile: "
            "--profile NAME.\n"
        )
        with pytest.raises(ProfileInUse, match=str(holder.pid)):
            Profile.open("anna", tmp_path)
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        if holder.stdout is not None:
            holder.stdout.close()
    Profile.open("anna", tmp_path).close()


# -- games


def test_unfinished_games_are_listed_the_latest_first(tmp_path: Path) -> None:
    charters = [charter(name) for name in ("one", "two", "three", "four")]
    with Profile.open("anna", tmp_path) as profile:
        for age, one in enumerate(charters):
            log = profile.new_game(one)
            if age == 1:
                log.rewrite([FirstRecord(one.to_bytes(), is_over=True).to_value()])
            log.close()
            moment = time.time() - age
            os.utime(log.path, (moment, moment))
        assert profile.unfinished_games() == (charters[0].game, charters[2].game, charters[3].game)


def test_a_damaged_game_is_listed_and_says_so_when_it_is_opened(tmp_path: Path) -> None:
    one = charter("one")
    with Profile.open("anna", tmp_path) as profile:
        log = profile.new_game(one)
        log.close()
        log.path.write_bytes(b"rubbish")
        assert profile.unfinished_games() == (one.game,)
        with pytest.raises(DamagedLog):
            profile.game_log(one.game)


def test_a_game_is_begun_once(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        profile.new_game(charter("one")).close()
        with pytest.raises(StoreError, match=r"store\.begun"):
            profile.new_game(charter("one"))


def test_a_transcript_is_kept_beside_its_log(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        path = profile.keep_transcript(bytes(32), b"transcript")
        assert path == tmp_path / "anna" / "games" / f"{'00' * 32}.sheriff"
        assert path.read_bytes() == b"transcript"


def test_what_a_crash_has_left_half_written_is_swept_away(tmp_path: Path) -> None:
    Profile.open("anna", tmp_path).close()
    left = [tmp_path / "anna" / "identity.new", tmp_path / "anna" / "games" / "00.log.new"]
    for path in left:
        path.touch()
    Profile.open("anna", tmp_path).close()
    assert not any(path.exists() for path in left)


def test_foreign_files_and_folders_are_left_alone(tmp_path: Path) -> None:
    one = charter("one")
    with Profile.open("anna", tmp_path) as profile:
        profile.new_game(one).close()
    games = tmp_path / "anna" / "games"
    foreign = [games / "notes.log", games / "notes.keys", games / f"{'0' * 64}.keys", games / f"{'1' * 64}.log"]
    for path in foreign[:2]:
        path.write_text("my own")
    folders = [*foreign[2:], games / "old.new", tmp_path / "anna" / "old.new"]
    for folder in folders:
        folder.mkdir()
    with Profile.open("anna", tmp_path) as profile:
        assert profile.unfinished_games() == (one.game,)
    assert all(path.exists() for path in (*foreign, *folders))


def test_keys_of_a_game_without_a_log_are_wiped(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        vault = profile.vault(bytes(32))
        vault.seal((b"key",), renew=True)
        assert vault.path.exists()
    Profile.open("anna", tmp_path).close()
    assert not vault.path.exists()


class FullDisk(Disk):
    def write(self, file: int, data: bytes, place: int) -> None:
        super().write(file, data[:3], place)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_on_a_full_disk_no_half_key_or_game_is_left(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path, FullDisk()) as profile:
        with pytest.raises(DiskFull):
            profile.identity()
        with pytest.raises(DiskFull):
            profile.new_game(charter("one"))
        with pytest.raises(DiskFull):
            profile.pin("Ben", key("ben"))
        assert dict(profile.pins()) == {}
        assert profile.unfinished_games() == ()
    assert [path.name for path in (tmp_path / "anna").rglob("*") if path.is_file()] == ["lock"]
    with Profile.open("anna", tmp_path) as profile:
        profile.identity()


def test_a_game_of_more_entries_than_one_record_can_have_is_given_up_with_all_of_them(tmp_path: Path) -> None:
    """Players who fill their chains with words bring so many about: then nobody could end the log any more."""
    game, entries = charter("long"), [bytes([number % 256]) for number in range(20_000)]
    with Profile.open("kim", tmp_path) as profile:
        log = profile.new_game(game)
        for at in (0, 10_000):
            log.append(Kept(tuple(entries[at : at + 10_000])).to_value())
        log.close()
        profile.give_up(game.game)
        log = profile.game_log(game.game)
        first, *rest = log.read()
        log.close()
        assert FirstRecord.from_value(first).is_over
        assert [entry for one in rest for entry in Kept.from_value(one).entries] == entries
