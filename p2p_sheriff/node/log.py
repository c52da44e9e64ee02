"""The write-ahead log of one game: what is on disk before anything is sent.

A header, then frames: length, checksums, and the canonical encoding of one record. One frame is written at a time, and
synced before the next one: so after a crash the last one alone can be torn. It was never sent, and is cut off; what is
cut off is kept beside the log, for whoever wants to know what has happened.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from zlib import crc32

from p2p_sheriff.node.disk import Disk, StoreError, contents, reading, storing
from protocol.codec import Value, decode, encode
from protocol.errors import MalformedError

MAGIC: Final = b"sheriff log\x02"
SALT_BYTES: Final = 4
HEADER_BYTES: Final = len(MAGIC) + SALT_BYTES
FRAME_BYTES: Final = 12
"""What a frame has before its record: its length, the checksum of the length, the checksum of the record."""

TORN: Final = ".torn"
"""Added to the name of a log: what was cut off it last."""


class DamagedLog(StoreError):  # noqa: N818 - says what is the case.
    """The log was changed by something else than a torn write."""


class GameBegun(StoreError):  # noqa: N818 - says what is the case.
    """There is a log of this game already."""


class GameLog:
    """An open log. One process has it: whoever holds the lock of the profile."""

    def __init__(self, path: Path, disk: Disk | None = None) -> None:
        """Opens a log, and cuts off a torn end: what is cut off is kept beside it first.

        Raises:
            DamagedLog: It is damaged before its end; nothing was cut off.
            StoreError: It can't be read, or not be written.
        """
        self.path, self._disk = path, disk or Disk()
        self._is_broken = False
        try:
            self._file = self._disk.open_private(path, os.O_RDWR)
            data = contents(self._file)
        except OSError as error:
            raise reading(path, error) from error
        try:
            self._salt = _salt(path, data)
            self._end = _sound_end(path, data, self._salt)
            self.torn_bytes = len(data) - self._end
            """How much was cut off."""
            if self.torn_bytes:
                os.close(self._disk.create(path.with_name(path.name + TORN), data[self._end :]))
                self._disk.truncate(self._file, self._end)
            # What a killed process has written may not have reached the disk; from now on it is relied upon.
            self._disk.sync(self._file)
            self._disk.sync_folder(path.parent)
        except OSError as error:
            self.close()
            raise storing(path, error) from error
        except StoreError:
            self.close()
            raise

    @classmethod
    def create(cls, path: Path, records: Sequence[Value], disk: Disk | None = None) -> "GameLog":
        """Makes a log with these first records, or none at all.

        Raises:
            GameBegun: There is one already.
            StoreError: It can't be written.
        """
        if path.exists():
            raise GameBegun("store.begun", path=str(path))
        disk = disk or Disk()
        try:
            os.close(disk.create(path, _whole(records)))
        except OSError as error:
            raise storing(path, error) from error
        return cls(path, disk)

    def read(self) -> list[Value]:
        """Returns all records.

        Raises:
            DamagedLog: One is no record at all.
        """
        data = contents(self._file)[: self._end]
        try:
            return [decode(record, max_bytes=len(record)) for record in _records(data, self._salt)]
        except MalformedError as error:
            raise DamagedLog("store.record", path=str(self.path), detail=str(error)) from error

    def append(self, record: Value) -> None:
        """Returns when the record is on disk for good: only then may what it holds be sent.

        Raises:
            DiskFull: There is no room. The log is as it was: the same record may be appended again.
            StoreError: The disk does not work. Nothing more can be appended.
        """
        if self._is_broken:
            raise StoreError("store.failed", path=str(self.path))
        frame = _frame(record, self._salt)
        try:
            self._disk.write(self._file, frame, self._end)
        except OSError as error:
            self._take_back()
            raise storing(self.path, error) from error
        try:
            self._disk.sync(self._file)
        except OSError as error:
            # After a failed sync the system takes for stored what is not: nothing that follows can be trusted.
            self._take_back()
            self._is_broken = True
            raise storing(self.path, error) from error
        self._end += len(frame)

    def rewrite(self, records: Sequence[Value]) -> None:
        """Puts these records in the place of all others, in one step.

        What was in the others may stay on the disk: secrets are sealed, and their keys are wiped elsewhere.

        Raises:
            StoreError: It could not; the log is as it was.
        """
        data = _whole(records)
        try:
            new = self._disk.create(self.path, data)
        except OSError as error:
            raise storing(self.path, error) from error
        os.close(self._file)
        self._file, self._end, self._salt = new, len(data), _salt(self.path, data)

    def close(self) -> None:
        """Closes the file: everything is on disk already."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _take_back(self) -> None:
        try:
            self._disk.truncate(self._file, self._end)
        except OSError:
            self._is_broken = True

    def __repr__(self) -> str:
        """Shows where it is."""
        return f"GameLog({self.path})"


def first_record(path: Path) -> Value:
    """Returns the first record of a log without opening it for good.

    Raises:
        StoreError: There is none that can be read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEADER_BYTES + FRAME_BYTES)
            length = _length(head, HEADER_BYTES, _salt(path, head))
            data = head + file.read(length or 0)
    except OSError as error:
        raise reading(path, error) from error
    try:
        return decode(next(_records(data, _salt(path, data))), max_bytes=len(data))
    except (MalformedError, StopIteration) as error:
        raise DamagedLog("store.no_beginning", path=str(path)) from error


# -- frames


def _whole(records: Sequence[Value]) -> bytes:
    salt = os.urandom(SALT_BYTES)
    return MAGIC + salt + b"".join(_frame(record, int.from_bytes(salt)) for record in records)


def _salt(path: Path, data: bytes) -> int:
    """Returns what all checksums begin with: nobody else knows it, so no player's words can look like a frame."""
    if len(data) < HEADER_BYTES or not data.startswith(MAGIC):
        raise DamagedLog("store.no_log", path=str(path))
    return int.from_bytes(data[len(MAGIC) : HEADER_BYTES])


def _frame(record: Value, salt: int) -> bytes:
    body = encode(record)
    length = len(body).to_bytes(4)
    return length + crc32(length, salt).to_bytes(4) + crc32(body, salt).to_bytes(4) + body


def _length(data: bytes, place: int, salt: int) -> int | None:
    """Returns how long the record of the frame that begins here is; None if none does.

    A length has a checksum of its own, which nobody can make who does not know the salt: so a search for frames in
    bytes of others' making looks at each of them once, and no damaged length is ever believed.
    """
    length = data[place : place + 4]
    is_sound = any(length) and crc32(length, salt) == int.from_bytes(data[place + 4 : place + 8])
    return int.from_bytes(length) if is_sound else None


def _end_of_frame(data: bytes, place: int, salt: int) -> int | None:
    """Returns where the frame that begins here ends; None if none does."""
    start, length = place + FRAME_BYTES, _length(data, place, salt)
    if length is None or start + length > len(data):
        return None
    is_sound = crc32(memoryview(data)[start : start + length], salt) == int.from_bytes(data[place + 8 : start])
    return start + length if is_sound else None


def _records(data: bytes, salt: int) -> Iterator[bytes]:
    place: int = HEADER_BYTES
    while (end := _end_of_frame(data, place, salt)) is not None:
        yield data[place + FRAME_BYTES : end]
        place = end


def _sound_end(path: Path, data: bytes, salt: int) -> int:
    """Returns where the last sound frame ends. Damage before a sound frame, or of the first one, is no torn write.

    The first frame was there before the log had its name. If it is not sound, nothing is: then the salt may be what is
    damaged, and every other frame would seem torn.
    """
    end = HEADER_BYTES + sum(FRAME_BYTES + len(record) for record in _records(data, salt))
    if end == HEADER_BYTES:
        raise DamagedLog("store.no_beginning", path=str(path))
    if any(_end_of_frame(data, place, salt) for place in range(end + 1, len(data) - FRAME_BYTES)):
        raise DamagedLog("store.damaged", path=str(path), n=end)
    return end
