"""The keys under which a log keeps its secrets: what is dropped can't be read again, though the log still holds it.

A log only grows, and a disk keeps what a program has "deleted". So secrets are sealed under the key of their *epoch*.
When some of them are dropped, the next epoch begins: all that are left are sealed anew, and the old key is overwritten,
in its place, in a file with two slots that never changes its size.
"""

import os
from pathlib import Path
from secrets import token_bytes
from typing import Final

from nacl.exceptions import CryptoError
from nacl.secret import Aead

from p2p_sheriff.node.disk import Disk, StoreError, reading, storing
from protocol.codec import Value, decode, encode
from protocol.errors import MalformedError
from protocol.hashing import digest

SLOT_BYTES: Final = 4096
"""As far apart are the two slots: a torn write spoils a sector of the disk, and must not spoil the other slot."""

_NUMBER_BYTES: Final = 8
_CHECK_BYTES: Final = 8
_USED_BYTES: Final = _NUMBER_BYTES + Aead.KEY_SIZE + _CHECK_BYTES
_MOST_BYTES: Final = 1 << 24
"""Of all secrets of a seat: far more than a game has."""


class Vault:
    """The epoch keys of one game."""

    def __init__(self, path: Path, disk: Disk | None = None) -> None:
        """Reads what is there.

        Raises:
            StoreError: It can't be read.
        """
        self.path, self._disk = path, disk or Disk()
        self._keys: dict[int, bytes] = self._read()
        self._epoch = max(self._keys, default=0)
        self._next: int | None = None
        """The epoch that has begun, and of which no record is stored yet."""
        self._ready: int | None = None
        """The next epoch, if its key is on disk already."""
        self._is_broken = False

    def open(self, sealed: Value) -> Value:
        """Returns the secrets of the log's last record that has any; None if their key is not here.

        From now on theirs is the epoch, and keys of older ones are overwritten. Not of a newer one: if a backup of the
        log was put in its place, the log itself may come back.

        Raises:
            MalformedError: They are not sealed secrets.
            StoreError: The slots could not be written.
        """
        match sealed:
            case (int(epoch), bytes(box)):
                secrets, newest, self._epoch = self._unseal(epoch, box), self._epoch, epoch
            case _:
                raise MalformedError("sealed secrets are the number of an epoch and a box")
        self.tidy()
        if secrets is None:
            self._epoch = max(newest, epoch)
        return secrets

    def seal(self, secrets: Value, *, renew: bool) -> Value:
        """Returns secrets as they may be stored; ``stored`` must follow when they are.

        Args:
            secrets: All there are.
            renew: Whether some of those that were stored before are to be dropped: so begins the next epoch.

        Raises:
            DiskFull: There is no room for the slots: try again later.
            StoreError: The disk does not work: nothing more may be stored.
        """
        if self._is_broken:
            raise StoreError("store.failed", path=str(self.path))
        if renew or self._epoch not in self._keys:
            # A number is tried again with another key: what could not be stored may have left traces all the same.
            begun, self._next = self._epoch + 1, None
            if self._ready != begun:
                self._begin(begun)
            self._next, self._ready = begun, None
        epoch = self._epoch if self._next is None else self._next
        return (epoch, bytes(Aead(self._keys[epoch]).encrypt(encode(secrets), _place(epoch))))

    def stored(self) -> None:
        """Takes note that the secrets that were sealed last are on disk: keys of other epochs are not needed."""
        if self._next is not None:
            self._epoch, self._next = self._next, None

    def tidy(self) -> None:
        """Overwrites the keys of older epochs than that of the last stored record, if there are any.

        In the slot of the next epoch that is done with its key: nobody has to wait for it when that epoch begins, nor
        when the first one does.

        Raises:
            StoreError: The disk does not work: nothing more may be stored.
        """
        if not self._epoch and not self._keys:
            self._begin(1)
            self._ready = 1
        for epoch in [one for one in self._keys if one < self._epoch]:
            if (self._epoch - epoch) % 2:
                self._begin(self._epoch + 1)
                self._ready = self._epoch + 1
            else:
                self._write(epoch, bytes(_USED_BYTES))
                del self._keys[epoch]

    def _begin(self, epoch: int) -> None:
        """Puts a fresh key for an epoch on disk; the key that was in its slot is gone with that."""
        key = token_bytes(Aead.KEY_SIZE)
        self._write(epoch, _slot(epoch, key))
        self._keys = {one: kept for one, kept in self._keys.items() if (epoch - one) % 2} | {epoch: key}

    def wipe(self) -> None:
        """Overwrites all keys, and deletes the file: no secret that was ever stored can be read again.

        Raises:
            StoreError: It could not.
        """
        self._keys.clear()
        self._next = self._ready = None
        if not self.path.exists():
            return
        for slot in range(2):
            self._write(slot, bytes(_USED_BYTES))
        try:
            self.path.unlink()
            self._disk.sync_folder(self.path.parent)
        except OSError as error:
            raise storing(self.path, error) from error

    def __repr__(self) -> str:
        """Shows where it is."""
        return f"Vault({self.path})"

    def _unseal(self, epoch: int, box: bytes) -> Value:
        key = self._keys.get(epoch)
        try:
            return decode(Aead(key).decrypt(box, _place(epoch)), max_bytes=_MOST_BYTES) if key else None
        except CryptoError:
            return None

    def _read(self) -> dict[int, bytes]:
        try:
            data = self.path.read_bytes()[: 2 * SLOT_BYTES] if self.path.exists() else b""
        except OSError as error:
            raise reading(self.path, error) from error
        return dict(filter(None, (_sound(data[slot * SLOT_BYTES :][:_USED_BYTES]) for slot in range(2))))

    def _write(self, epoch: int, data: bytes) -> None:
        """Writes the slot of an epoch, and returns when it is on disk."""
        try:
            if not self.path.exists():
                os.close(self._disk.create(self.path, bytes(2 * SLOT_BYTES)))
            file = self._disk.open_private(self.path, os.O_RDWR)
        except OSError as error:
            raise storing(self.path, error) from error
        try:
            self._disk.write(file, data, epoch % 2 * SLOT_BYTES)
            try:
                self._disk.sync(file)
            except OSError:
                self._is_broken = True  # The system takes for stored what is not: no record may rest on it.
                raise
        except OSError as error:
            raise storing(self.path, error) from error
        finally:
            os.close(file)


def _place(epoch: int) -> bytes:
    return encode(("epoch", epoch))


def _check(number: bytes, key: bytes) -> bytes:
    return digest("epoch", number, key)[:_CHECK_BYTES]


def _slot(epoch: int, key: bytes) -> bytes:
    number = epoch.to_bytes(_NUMBER_BYTES)
    return number + key + _check(number, key)


def _sound(slot: bytes) -> tuple[int, bytes] | None:
    """Returns epoch and key of a slot; None if it is empty, or torn."""
    number, key = slot[:_NUMBER_BYTES], slot[_NUMBER_BYTES:-_CHECK_BYTES]
    is_sound = len(slot) == _USED_BYTES and slot[-_CHECK_BYTES:] == _check(number, key)
    return (int.from_bytes(number), key) if is_sound else None
