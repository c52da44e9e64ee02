"""The write-ahead log: what is synced comes back, what is torn is cut off, what is damaged is refused."""

import errno
import os
import tracemalloc
from pathlib import Path
from stat import S_ISDIR
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.node.disk import Disk, DiskFull, StoreError
from p2p_sheriff.node.log import FRAME_BYTES, HEADER_BYTES, DamagedLog, GameLog, first_record
from p2p_sheriff.texts import refusal_sentence
from protocol.codec import Value, encode

RECORDS: list[Value] = [
    ("game", b"charter"),
    ("entries", (b"theirs",), (), None),
    ("entries", (), (b"mine",), (b"key",)),
]


class CrashError(BaseException):
    """The node is dead."""


class Recorder(Disk):
    """Notes what is asked of the disk, and fails, or dies, at a chosen call."""

    def __init__(self, fails: dict[str, OSError] | None = None, dies_at: int | None = None) -> None:
        self.calls: list[str] = []
        self.fails = fails or {}
        self.dies_at = dies_at

    def _call(self, name: str) -> None:
        if len(self.calls) == self.dies_at:
            raise CrashError
        self.calls.append(name)
        if name in self.fails:
            raise self.fails[name]

    def write(self, file: int, data: bytes, place: int) -> None:
        if "write" in self.fails:
            super().write(file, data[: len(data) // 2], place)
        self._call("write")
        super().write(file, data, place)

    def sync(self, file: int) -> None:
        self._call("sync folder" if S_ISDIR(os.fstat(file).st_mode) else "sync")
        super().sync(file)

    def truncate(self, file: int, size: int) -> None:
        self._call("truncate")
        super().truncate(file, size)

    def rename(self, old: Path, new: Path) -> None:
        self._call("rename")
        super().rename(old, new)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.log"


def written(path: Path, records: list[Value] = RECORDS, disk: Disk | None = None) -> GameLog:
    log = GameLog.create(path, records[:1], disk)
    for record in records[1:]:
        log.append(record)
    return log


def reopened(path: Path) -> list[Value]:
    log = GameLog(path)
    try:
        return log.read()
    finally:
        log.close()


# -- what was stored


def test_records_come_back_in_their_order(path: Path) -> None:
    log = written(path)
    assert log.read() == RECORDS
    log.close()
    assert reopened(path) == RECORDS
    assert first_record(path) == RECORDS[0]


def test_a_record_larger_than_anything_on_the_wire_comes_back(path: Path) -> None:
    large: Value = ("entries", tuple(bytes([i]) * (1 << 16) for i in range(40)), None)
    written(path, [*RECORDS, large]).close()
    assert reopened(path) == [*RECORDS, large]


def test_a_log_can_be_continued_after_it_was_opened_again(path: Path) -> None:
    written(path, RECORDS[:2]).close()
    log = GameLog(path)
    log.append(RECORDS[2])
    log.close()
    assert reopened(path) == RECORDS


def test_a_record_is_synced_before_append_returns(path: Path) -> None:
    disk = Recorder()
    log = written(path, RECORDS[:1], disk)
    assert disk.calls == ["write", "sync", "rename", "sync folder", "sync", "sync folder"]
    disk.calls.clear()
    log.append(RECORDS[1])
    assert disk.calls == ["write", "sync"]
    log.close()


def test_what_a_killed_process_left_in_memory_is_synced_before_it_is_relied_upon(path: Path) -> None:
    written(path).close()
    disk = Recorder()
    GameLog(path, disk).close()
    assert disk.calls == ["sync", "sync folder"]


def test_a_log_is_private_whatever_it_was_before(path: Path) -> None:
    old = os.umask(0)
    try:
        written(path).close()
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    GameLog(path).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_game_is_not_begun_twice(path: Path) -> None:
    written(path).close()
    with pytest.raises(StoreError, match=r"store\.begun"):
        GameLog.create(path, RECORDS[:1])
    assert reopened(path) == RECORDS


def test_a_log_that_is_not_there_is_named(path: Path) -> None:
    with pytest.raises(StoreError, match=r"store\.read .*game\.log detail=No such file"):
        GameLog(path)
    with pytest.raises(StoreError, match=r"store\.read .*game\.log detail=No such file"):
        first_record(path)


def test_no_text_of_a_log_shows_what_is_in_it(path: Path) -> None:
    log = written(path)
    assert repr(log) == f"GameLog({path})"
    log.close()


# -- torn writes

LAST = HEADER_BYTES + sum(FRAME_BYTES + len(encode(record)) for record in RECORDS[:-1])
"""Where the last frame begins."""


def assert_last_was_cut_off(path: Path, torn: int) -> None:
    rest = path.read_bytes()[LAST:]
    log = GameLog(path)
    assert path.with_name("game.log.torn").read_bytes() == rest
    assert log.read() == RECORDS[:-1]
    assert log.torn_bytes == torn
    assert path.stat().st_size == LAST
    log.append(RECORDS[-1])
    log.close()
    assert reopened(path) == RECORDS


def test_a_write_torn_at_any_byte_is_cut_off_and_can_be_repeated(path: Path) -> None:
    written(path).close()
    whole = path.read_bytes()
    for size in range(LAST + 1, len(whole)):
        path.write_bytes(whole[:size])
        assert_last_was_cut_off(path, size - LAST)


def test_a_write_of_which_only_a_later_part_was_stored_is_cut_off(path: Path) -> None:
    written(path).close()
    whole = path.read_bytes()
    for lost in range(4, len(whole) - LAST + 1):  # The length, at least: its first bytes are zero anyway.
        path.write_bytes(whole[:LAST] + bytes(lost) + whole[LAST + lost :])
        assert_last_was_cut_off(path, len(whole) - LAST)


def test_a_torn_write_is_cut_off_even_if_somebodys_words_in_it_look_like_a_record(path: Path) -> None:
    words = encode(("entries", (), None))
    length = len(words).to_bytes(4)
    forged = length + crc32(length).to_bytes(4) + crc32(words).to_bytes(4) + words
    written(path, [*RECORDS, ("entries", (forged,), None)]).close()
    path.write_bytes(path.read_bytes()[:-1])
    assert reopened(path) == RECORDS


@given(st.binary(min_size=1, max_size=200))
def test_whatever_is_left_of_a_last_write_the_records_before_it_come_back(
    tmp_path_factory: pytest.TempPathFactory, rest: bytes
) -> None:
    path = tmp_path_factory.mktemp("torn") / "game.log"
    written(path).close()
    with path.open("ab") as file:
        file.write(rest)
    assert reopened(path) == RECORDS


# -- damage


def test_damage_before_a_sound_record_is_refused_and_nothing_is_cut(path: Path) -> None:
    written(path).close()
    whole = path.read_bytes()
    first = HEADER_BYTES + FRAME_BYTES + len(encode(RECORDS[0]))
    for place in range(first, LAST):
        damaged = whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :]
        path.write_bytes(damaged)
        with pytest.raises(DamagedLog, match=r"store\.damaged") as caught:
            GameLog(path)
        assert "Put a backup of it in its place" in refusal_sentence(caught.value)
        assert path.read_bytes() == damaged


def test_one_flipped_bit_of_the_salt_or_the_first_record_cuts_nothing(path: Path) -> None:
    written(path).close()
    whole = path.read_bytes()
    for place in range(HEADER_BYTES - 4, HEADER_BYTES + FRAME_BYTES + len(encode(RECORDS[0]))):
        damaged = whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :]
        path.write_bytes(damaged)
        with pytest.raises(DamagedLog, match=r"store\.no_beginning"):
            GameLog(path)
        assert path.read_bytes() == damaged
        with pytest.raises(DamagedLog, match=r"store\.no_beginning"):
            first_record(path)
    assert [one.name for one in path.parent.iterdir()] == ["game.log"]


def test_a_damaged_length_of_four_gibibytes_is_not_believed(path: Path) -> None:
    written(path).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:HEADER_BYTES] + b"\xff" * 4 + whole[HEADER_BYTES + 4 :])
    tracemalloc.start()
    with pytest.raises(DamagedLog, match=r"store\.no_beginning"):
        first_record(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 20


def test_a_torn_end_of_hostile_bytes_is_looked_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Wherever one begins to read, this is the length of a record that ends just before the end of the file.
    size, summed = 200_000, 0

    def counted(data: bytes | memoryview, value: int = 0) -> int:
        nonlocal summed
        summed += memoryview(data).nbytes
        return crc32(data, value)

    monkeypatch.setattr("p2p_sheriff.node.log.crc32", counted)
    written(path).close()
    before = path.stat().st_size
    with path.open("ab") as file:
        file.write(b"\x00\x00\x01\x00" * (size // 4))
    summed = 0
    assert reopened(path) == RECORDS
    assert summed <= 4 * size + 4 * before


def test_a_file_that_is_no_log_is_refused(path: Path) -> None:
    written(path).close()
    whole = path.read_bytes()
    for data in (b"", whole[:5], b"x" + whole[1:]):
        path.write_bytes(data)
        with pytest.raises(DamagedLog, match=r"store\.no_log"):
            GameLog(path)
    path.write_bytes(whole[: HEADER_BYTES + 3])
    with pytest.raises(DamagedLog, match=r"store\.no_beginning"):
        first_record(path)


def test_a_sound_frame_with_a_record_of_no_known_form_is_refused(path: Path) -> None:
    written(path).close()
    salt = int.from_bytes(path.read_bytes()[HEADER_BYTES - 4 : HEADER_BYTES])
    with path.open("ab") as file:
        length = (1).to_bytes(4)
        file.write(length + crc32(length, salt).to_bytes(4) + crc32(b"\xc1", salt).to_bytes(4) + b"\xc1")
    log = GameLog(path)
    with pytest.raises(DamagedLog, match=r"store\.record"):
        log.read()
    log.close()


# -- disks that fail


def no_space() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def broken() -> OSError:
    return OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_full_disk_is_named_and_the_same_record_can_be_stored_when_there_is_room(path: Path) -> None:
    disk = Recorder()
    log = written(path, RECORDS[:2], disk)
    before = path.read_bytes()
    disk.fails = {"write": no_space()}
    with pytest.raises(DiskFull, match=r"store\.full"):
        log.append(RECORDS[2])
    assert path.read_bytes() == before
    disk.fails = {}
    log.append(RECORDS[2])
    log.close()
    assert reopened(path) == RECORDS


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_real_full_disk_is_one() -> None:
    with Path("/dev/full").open("rb+", buffering=0) as full, pytest.raises(OSError, match="No space left"):
        Disk().write(full.fileno(), b"record", 0)


def test_after_a_failed_sync_nothing_more_is_stored_and_the_record_is_gone(path: Path) -> None:
    disk = Recorder()
    log = written(path, RECORDS[:2], disk)
    disk.fails = {"sync": broken()}
    with pytest.raises(StoreError, match=r"store\.write .*Input/output error"):
        log.append(RECORDS[2])
    disk.fails = {}
    with pytest.raises(StoreError, match=r"store\.failed"):
        log.append(RECORDS[2])
    log.close()
    assert reopened(path) == RECORDS[:2]


def test_a_failed_write_that_can_not_be_taken_back_ends_the_log(path: Path) -> None:
    disk = Recorder()
    log = written(path, RECORDS[:2], disk)
    disk.fails = {"write": no_space(), "truncate": broken()}
    with pytest.raises(DiskFull):
        log.append(RECORDS[2])
    disk.fails = {}
    with pytest.raises(StoreError, match=r"store\.failed"):
        log.append(RECORDS[2])
    log.close()
    assert reopened(path) == RECORDS[:2]


@pytest.mark.parametrize("call", ["write", "sync", "rename"])
def test_a_log_that_can_not_be_made_leaves_nothing_behind(path: Path, call: str) -> None:
    with pytest.raises(DiskFull, match=r"store\.full"):
        GameLog.create(path, RECORDS[:1], Recorder({call: no_space()}))
    assert list(path.parent.iterdir()) == []


def test_a_log_whose_torn_end_can_not_be_cut_off_is_not_used(path: Path) -> None:
    written(path).close()
    path.write_bytes(path.read_bytes()[:-1])
    torn = path.read_bytes()
    for call in ("truncate", "rename"):
        with pytest.raises(StoreError, match=r"store\.write"):
            GameLog(path, Recorder({call: broken()}))
        assert path.read_bytes() == torn


# -- whole files, in one step


@pytest.mark.parametrize("dies_at", range(4))
def test_who_dies_while_a_log_is_made_has_a_whole_one_or_none(path: Path, dies_at: int) -> None:
    with pytest.raises(CrashError):
        GameLog.create(path, RECORDS[:1], Recorder(dies_at=dies_at))
    assert path.exists() == (dies_at == 3)
    if path.exists():
        assert reopened(path) == RECORDS[:1]


NEW: list[Value] = [("over", b"charter"), ("entries", (b"theirs", b"mine"), None)]


@pytest.mark.parametrize("dies_at", range(4))
def test_who_dies_while_a_log_is_replaced_has_all_old_records_or_all_new_ones(path: Path, dies_at: int) -> None:
    written(path).close()
    log = GameLog(path, Recorder(dies_at=2 + dies_at))
    with pytest.raises(CrashError):
        log.rewrite(NEW)
    log.close()
    assert reopened(path) == (RECORDS if dies_at < 3 else NEW)


def test_a_log_that_was_replaced_goes_on(path: Path) -> None:
    log = written(path)
    log.rewrite(NEW)
    log.append(RECORDS[1])
    log.close()
    assert reopened(path) == [*NEW, RECORDS[1]]
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["game.log"]


def test_a_full_disk_leaves_the_old_records_when_a_log_is_replaced(path: Path) -> None:
    disk = Recorder()
    log = written(path, RECORDS, disk)
    disk.fails = {"write": no_space()}
    with pytest.raises(DiskFull):
        log.rewrite(NEW)
    disk.fails = {}
    assert log.read() == RECORDS
    log.rewrite(NEW)
    assert log.read() == NEW
    log.close()
