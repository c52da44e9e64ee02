"""Epoch keys: the secrets that were stored last come back after any crash, and those that were dropped never do."""

import errno
from pathlib import Path

import pytest

from p2p_sheriff.node.disk import DiskFull, StoreError
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.vault import SLOT_BYTES, Vault
from p2p_sheriff.rules import Seat, Setup
from protocol.codec import Value
from protocol.errors import MalformedError
from tests.drbg import Drbg
from tests.node.mortal import GROUP, MortalNet, WeakDisk
from tests.node.test_log import CrashError, Recorder
from tests.table.games import SHORT_DECK

FIRST: Value = (b"first key",)
SECOND: Value = (b"second key",)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.keys"


def stored(vault: Vault, secrets: Value, *, renew: bool = True) -> Value:
    sealed = vault.seal(secrets, renew=renew)
    vault.stored()
    return sealed


def test_what_was_sealed_last_comes_back_and_what_was_dropped_does_not(path: Path) -> None:
    vault = Vault(path)
    first, second = stored(vault, FIRST), stored(vault, SECOND)
    assert (Vault(path).open(second), Vault(path).open(first)) == (SECOND, None)


def test_within_an_epoch_nothing_is_written_and_everything_comes_back(path: Path) -> None:
    vault = Vault(path)
    first = stored(vault, FIRST)
    before = path.read_bytes()
    second = stored(vault, SECOND, renew=False)
    vault.tidy()
    assert path.read_bytes() == before
    assert (Vault(path).open(first), Vault(path).open(second)) == (FIRST, SECOND)
    assert b"key" not in before + bytes(str((first, second)), "ascii")


def test_until_the_next_secrets_are_stored_the_old_ones_come_back(path: Path) -> None:
    vault = Vault(path)
    first = stored(vault, FIRST)
    vault.seal(SECOND, renew=True)
    vault.tidy()
    again = Vault(path)
    assert again.open(first) == FIRST
    second = stored(again, SECOND)
    again.tidy()
    assert (Vault(path).open(second), Vault(path).open(first)) == (SECOND, None)


@pytest.mark.parametrize("epochs", [2, 3, 4, 5])
def test_epochs_that_begin_before_there_was_time_to_tidy_leave_the_last_secrets_readable(
    path: Path, epochs: int
) -> None:
    vault = Vault(path)
    boxes = [stored(vault, (number,)) for number in range(epochs)]
    vault.tidy()
    assert [Vault(path).open(box) for box in boxes] == [*[None] * (epochs - 1), (epochs - 1,)]


def test_old_keys_are_overwritten_where_they_were(path: Path) -> None:
    vault = Vault(path)
    stored(vault, FIRST)
    with path.open("rb") as file:
        key = file.read()[SLOT_BYTES:][8:40]
        assert any(key)
        second = stored(vault, SECOND)
        file.seek(0)
        assert key in file.read()
        vault.tidy()
        file.seek(0)
        data = file.read()
    assert len(data) == 2 * SLOT_BYTES
    assert key not in data
    assert Vault(path).open(second) == SECOND


def test_the_next_epochs_key_is_there_before_it_begins_and_serves_once(path: Path) -> None:
    vault = Vault(path)
    for _ in range(2):
        stored(vault, FIRST)
    vault.tidy()
    before = path.read_bytes()
    vault.seal(SECOND, renew=True)  # What could not be stored may have left traces: then another key is made.
    assert path.read_bytes() == before
    second = stored(vault, SECOND)
    assert path.read_bytes() != before
    assert Vault(path).open(second) == SECOND


def test_the_first_epochs_key_is_there_before_there_is_a_secret_and_who_dies_then_begins_another(path: Path) -> None:
    vault = Vault(path)
    vault.tidy()
    made = path.read_bytes()
    vault.tidy()
    sealed = stored(vault, "first")
    assert path.read_bytes() == made
    assert Vault(path).open(sealed) == "first"
    path.write_bytes(made)
    again = Vault(path)
    again.tidy()
    sealed = stored(again, "after the restart")
    assert path.read_bytes() != made
    assert Vault(path).open(sealed) == "after the restart"


def test_who_dies_with_the_next_epochs_key_made_comes_back_to_the_last_secrets_and_makes_another(path: Path) -> None:
    vault = Vault(path)
    for secrets in (FIRST, SECOND):
        last = stored(vault, secrets)
    vault.tidy()
    before = path.read_bytes()
    again = Vault(path)
    assert again.open(last) == SECOND
    assert path.read_bytes() == before
    third = stored(again, FIRST)
    assert path.read_bytes() != before
    again.tidy()
    assert (Vault(path).open(third), Vault(path).open(last)) == (FIRST, None)


def test_if_the_secrets_of_the_log_can_not_be_read_all_older_keys_are_overwritten(path: Path) -> None:
    vault = Vault(path)
    boxes = [stored(vault, secrets) for secrets in (FIRST, SECOND)]
    assert isinstance(boxes[1], tuple)
    epoch, box = boxes[1]
    assert isinstance(epoch, int)
    assert Vault(path).open((epoch + 2, box)) is None
    assert [Vault(path).open(one) for one in boxes] == [None, None]


def test_wiping_overwrites_both_slots_before_the_file_is_deleted(path: Path) -> None:
    vault = Vault(path)
    first, second = stored(vault, FIRST), stored(vault, SECOND)
    with path.open("rb") as file:
        vault.wipe()
        assert file.read() == bytes(2 * SLOT_BYTES)
    assert not path.exists()
    assert (Vault(path).open(first), Vault(path).open(second)) == (None, None)
    vault.wipe()


@pytest.mark.parametrize("torn", range(1, 48))
def test_a_slot_that_is_torn_at_any_byte_is_none(path: Path, torn: int) -> None:
    vault = Vault(path)
    first = stored(vault, FIRST)
    before = path.read_bytes()
    second = stored(vault, SECOND)
    vault._disk.create(path, path.read_bytes()[:torn] + before[torn:])
    assert (Vault(path).open(first), Vault(path).open(second)) == (FIRST, None)


def test_changed_boxes_and_other_things_are_no_secrets(path: Path) -> None:
    sealed = stored(Vault(path), FIRST)
    assert isinstance(sealed, tuple)
    epoch, box = sealed
    assert isinstance(box, bytes)
    assert Vault(path).open((epoch, box[:-1] + bytes([box[-1] ^ 1]))) is None
    for value in (FIRST, b"key", (epoch,), (box, epoch)):
        with pytest.raises(MalformedError):
            Vault(path).open(value)


# -- disks that fail


def test_on_a_full_disk_the_old_epoch_holds_and_the_next_begins_when_there_is_room(path: Path) -> None:
    disk = WeakDisk()
    vault = Vault(path, disk)
    for _ in range(2):
        disk.write_error = errno.ENOSPC
        with pytest.raises(DiskFull):
            vault.seal(FIRST, renew=True)
        disk.write_error = None
        sealed = stored(vault, FIRST)
        assert Vault(path).open(sealed) == FIRST


def test_after_a_failed_sync_nothing_more_is_sealed(path: Path) -> None:
    disk = WeakDisk()
    vault = Vault(path, disk)
    first = stored(vault, FIRST)
    disk.sync_error = errno.EIO
    with pytest.raises(StoreError, match=r"store\.write"):
        vault.seal(SECOND, renew=True)
    disk.sync_error = None
    with pytest.raises(StoreError, match=r"store\.failed"):
        vault.seal(SECOND, renew=False)
    assert Vault(path).open(first) == FIRST


def test_if_an_old_key_can_not_be_overwritten_nothing_more_is_sealed(path: Path) -> None:
    disk = WeakDisk()
    vault = Vault(path, disk)
    stored(vault, FIRST)
    stored(vault, SECOND)
    disk.sync_error = errno.EIO
    with pytest.raises(StoreError, match=r"store\.write"):
        vault.tidy()
    disk.sync_error = None
    with pytest.raises(StoreError, match=r"store\.failed"):
        vault.seal(SECOND, renew=False)


def test_no_text_of_a_vault_shows_a_key(path: Path) -> None:
    assert repr(Vault(path)) == f"Vault({path})"


# -- the end of a game


@pytest.mark.parametrize("dies_at", range(9))
def test_who_dies_while_a_game_is_ended_ends_it_next_time_and_no_key_is_left(tmp_path: Path, dies_at: int) -> None:
    net = MortalNet(tmp_path, 3, Seat(0), lambda _: None, setup=Setup(3, short=SHORT_DECK))
    for _ in range(3):
        net.write_something()
    game, keys = net.keeper.game, net.keeper.log.path.with_suffix(".keys")
    net.keeper.close()
    net._profile.close()
    disk = Recorder()
    profile = Profile.open("mortal", tmp_path, disk)
    keeper = Keeper.resume(profile, game, GROUP, Drbg("end"))
    assert keys.exists()
    disk.calls, disk.dies_at = [], dies_at
    with pytest.raises(CrashError):
        keeper.finish()
    keeper.log.close()
    profile.close()
    with Profile.open("mortal", tmp_path) as profile:
        assert keys.exists() == (profile.unfinished_games() == (game,))
        again = Keeper.resume(profile, game, GROUP, Drbg("again"))
        assert (len(again.session.secrets.keys.secrets()) > 0) == keys.exists()
        again.finish()
        again.close()
        assert not keys.exists()
        assert profile.unfinished_games() == ()
