"""Durable writing: the few calls to the operating system that it takes, and what their errors mean to people.

A file counts as written when it was synced, and its name when its folder was. Everything here is private to its owner.

On Windows, where no test runs, two promises are weaker: a folder can't be synced, so that a loss of power may take the
name of a new file along; and a file is as private as the folder in which it is made.
"""

import errno
import os
import sys
from pathlib import Path
from typing import Final

from p2p_sheriff.phrase import Told

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PRIVATE_FILE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700
TEMPORARY: Final = ".new"
"""How a file is called until it is complete: a crash leaves such a file behind, and nobody reads it."""

_LOCKED_BYTE: Final = 1 << 30
"""Windows locks bytes and lets nobody read them: this one is far behind all that a file holds."""


class StoreError(Told):
    """Something could not be stored or read."""


class DiskFull(StoreError):  # noqa: N818 - says what is the case.
    """There is no room. Nothing was written, so what was to be stored can be stored again later."""


class Disk:
    """The real disk. Tests put faults between its calls."""

    def write(self, file: int, data: bytes, place: int) -> None:
        """Writes all of the data, or raises OSError with an unknown part of it written."""
        rest = memoryview(data)
        while rest:
            os.lseek(file, place, os.SEEK_SET)
            written = os.write(file, rest)
            rest, place = rest[written:], place + written

    def sync(self, file: int) -> None:
        """Returns when all that was written to the file, or into the folder, survives a loss of power."""
        if sys.platform == "darwin":
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)  # Where fsync leaves data in the drive's own cache.
        else:
            os.fsync(file)

    def truncate(self, file: int, size: int) -> None:
        """Cuts the file."""
        os.ftruncate(file, size)

    def rename(self, old: Path, new: Path) -> None:
        """Renames a file, in place of one that has that name, in one step."""
        old.replace(new)

    # -- made of these

    def open_private(self, path: Path, flags: int) -> int:
        """Opens a file that only its owner can read, whatever it was before."""
        file = os.open(path, flags | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
        path.chmod(PRIVATE_FILE)
        return file

    def create(self, path: Path, data: bytes) -> int:
        """Makes a file, in place of one that may be there, whole or not at all; returns it, open for writing.

        Raises:
            OSError: It could not; the old file is still there.
        """
        temporary = path.with_name(path.name + TEMPORARY)
        file = self.open_private(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        try:
            self.write(file, data, 0)
            self.sync(file)
            self.rename(temporary, path)
            self.sync_folder(path.parent)
        except OSError:
            os.close(file)
            temporary.unlink(missing_ok=True)
            raise
        return file

    def sync_folder(self, folder: Path) -> None:
        """Returns when the names in the folder survive a loss of power."""
        if sys.platform == "win32":
            return
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            self.sync(file)
        finally:
            os.close(file)

    def make_folder(self, folder: Path) -> None:
        """Makes a folder that only its owner can look into, if it is not there; tightens it if it is."""
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        for one in reversed(missing):
            one.mkdir(PRIVATE_FOLDER, exist_ok=True)
            self.sync_folder(one.parent)
        folder.chmod(PRIVATE_FOLDER)


def lock(file: int) -> bool:
    """Keeps a file for this process until it closes it or dies; returns whether nobody else has it."""
    try:
        if sys.platform == "win32":
            os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def contents(file: int) -> bytes:
    """Returns all that is in an open file."""
    os.lseek(file, 0, os.SEEK_SET)
    return os.read(file, os.fstat(file).st_size)


def storing(path: Path, error: OSError) -> StoreError:
    """Returns what a failed attempt to write means."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull("store.full", path=str(path))
    return StoreError("store.write", path=str(path), detail=str(error.strerror))


def reading(path: Path, error: OSError) -> StoreError:
    """Returns what a failed attempt to read means."""
    return StoreError("store.read", path=str(path), detail=str(error.strerror))
