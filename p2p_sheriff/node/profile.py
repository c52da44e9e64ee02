"""A profile: one player on this machine. A folder that one process uses at a time, with a key, a nick, and games."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes
from types import MappingProxyType
from typing import Final, Self

from p2p_sheriff.node.counter import SignedCounter
from p2p_sheriff.node.disk import TEMPORARY, Disk, StoreError, contents, lock, reading, storing
from p2p_sheriff.node.handshake import folded
from p2p_sheriff.node.log import DamagedLog, GameLog, first_record
from p2p_sheriff.node.vault import Vault
from p2p_sheriff.session.keepsake import Keepsake
from p2p_sheriff.session.resume import FirstRecord, Kept, ended
from protocol.charter import MAX_NAME_BYTES, Charter
from protocol.codec import Value, decode, encode
from protocol.errors import MalformedError, VerificationError
from protocol.group import ELEMENT_BYTES, Edwards25519
from protocol.identity import SEED_BYTES, Identity, PublicIdentity
from protocol.randomness import Rng

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_GAME: Final = re.compile(r"[0-9a-f]{64}")
_MAX_FILE_BYTES: Final = 4096

MAX_PINS: Final = 500
"""Names of people one has played with."""

_MAX_PINS_BYTES: Final = MAX_PINS * (MAX_NAME_BYTES + ELEMENT_BYTES + 8)


class ProfileInUse(StoreError):  # noqa: N818 - says what is the case.
    """Another process has it: two that write with one key would make each other cheats."""


class Profile:
    """An open profile: this process alone has it, until it is closed or dies."""

    def __init__(self, name: str, folder: Path, lock: int, disk: Disk, state: Path | None) -> None:
        """Use ``open``."""
        self.name, self.folder, self._state = name, folder, state
        self._lock, self._disk = lock, disk
        self._games, self._pins_path = folder / "games", folder / "pins"
        self._pins: dict[str, PublicIdentity] | None = None

    @classmethod
    def open(cls, name: str, base: Path, disk: Disk | None = None, state: Path | None = None) -> Self:
        """Opens the profile of that name under the base folder; makes it if there is none.

        ``state`` is a folder elsewhere, which notices if an old copy of the profile was put back: see ``counter``.

        Raises:
            ProfileInUse: Another process has it.
            StoreError: The name is none, or the folder can't be used.
        """
        if not _NAME.fullmatch(name):
            raise StoreError("store.profile_name", name=repr(name))
        disk, folder = disk or Disk(), base / name
        try:
            disk.make_folder(folder)
            disk.make_folder(folder / "games")
            file = disk.open_private(folder / "lock", os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise storing(folder, error) from error
        if not lock(file):
            process = contents(file)[:20].decode(errors="replace").strip() or "?"
            os.close(file)
            raise ProfileInUse("store.in_use", name=name, process=process)
        with suppress(OSError):  # On a full disk nobody is told which process it is; the lock holds all the same.
            os.ftruncate(file, 0)
            disk.write(file, f"{os.getpid()}\n".encode(), 0)
        profile = cls(name, folder, file, disk, state)
        try:
            profile._sweep()
        except StoreError:
            profile.close()
            raise
        return profile

    def _sweep(self) -> None:
        """Clears away what a crash has left: files that were not complete, and keys of games that are over."""
        for left in (*self.folder.glob(f"*{TEMPORARY}"), *self._games.glob(f"*{TEMPORARY}")):
            with suppress(OSError):  # It may be something else that somebody has put there, like a folder.
                left.unlink()
        for keys in self._files(".keys"):
            log = keys.with_suffix(".log")
            if not log.exists() or ((first := _opening(log)) and first.is_over):
                Vault(keys, self._disk).wipe()

    def _files(self, suffix: str) -> list[Path]:
        """Returns the files of games: those that are called as we call them."""
        found = self._games.glob(f"*{suffix}")
        return [path for path in found if _GAME.fullmatch(path.stem) and path.is_file()]

    # -- who plays

    def identity(self, rng: Rng = token_bytes) -> Identity:
        """Returns the profile's key; the first time, makes it.

        Raises:
            StoreError: What is stored is none: a new key would be somebody else.
        """
        path = self.folder / "identity"
        if not path.exists():
            fresh = Identity.generate(rng)
            self._put(path, encode((fresh.seed(), fresh.public.key)))
            return fresh
        try:
            match decode(self._get(path)):
                case (bytes(seed), bytes(public)) if len(seed) == SEED_BYTES:
                    identity = Identity(seed)
                    if identity.public.key == public:
                        return identity
        except MalformedError:
            pass
        raise StoreError("store.key", path=str(path))

    @property
    def nick(self) -> str | None:
        """What the player wants to be called; None before it was chosen."""
        path = self.folder / "nick"
        return self._get(path).decode(errors="replace") if path.exists() else None

    @nick.setter
    def nick(self, nick: str) -> None:
        data = nick.encode(errors="replace")
        if not 0 < len(data) <= MAX_NAME_BYTES:
            raise StoreError("store.nick", most=MAX_NAME_BYTES, n=len(data))
        self._put(self.folder / "nick", data)

    # -- who they have played with

    def pins(self) -> Mapping[str, PublicIdentity]:
        """Returns whose names are known here; what is pinned later is added to it.

        Raises:
            StoreError: What is stored can't be read.
        """
        if self._pins is None:
            self._pins = self._read_pins()
        return MappingProxyType(self._pins)

    def pin(self, name: str, identity: PublicIdentity) -> None:
        """Remembers who has a name. The first keeps it, however it is spelled; of too many, the oldest is forgotten.

        Raises:
            StoreError: It can't be stored.
        """
        known = self.pins()
        if folded(name) not in map(folded, known):
            self._keep_pins(dict([*known.items(), (name, identity)][-MAX_PINS:]))

    def unpin(self, name: str) -> None:
        """Forgets who has a name: the next one may have it.

        Raises:
            StoreError: It can't be stored.
        """
        self._keep_pins({one: identity for one, identity in self.pins().items() if folded(one) != folded(name)})

    def _keep_pins(self, pins: dict[str, PublicIdentity]) -> None:
        self._put(self._pins_path, encode(tuple((name, identity.key) for name, identity in pins.items())))
        if self._pins is not None:
            self._pins.clear()
            self._pins.update(pins)

    def _read_pins(self) -> dict[str, PublicIdentity]:
        path = self._pins_path
        if not path.exists():
            return {}
        try:
            pins = decode(self._get(path, _MAX_PINS_BYTES))
            if isinstance(pins, tuple):
                return dict(map(_pin, pins))
        except MalformedError:
            pass
        raise StoreError("store.names", path=str(path))

    # -- games

    def _log(self, game: bytes) -> Path:
        return self._games / f"{game.hex()}.log"

    def new_game(self, charter: Charter) -> GameLog:
        """Returns the log of a game that begins, with its charter on disk.

        Raises:
            StoreError: It was begun before, or the disk does not work.
        """
        return GameLog.create(self._log(charter.game), [FirstRecord(charter.to_bytes()).to_value()], self._disk)

    def game_log(self, game: bytes) -> GameLog:
        """Returns the log of a game that was begun before.

        Raises:
            StoreError: There is none, or it is damaged.
        """
        return GameLog(self._log(game), self._disk)

    def vault(self, game: bytes) -> Vault:
        """Returns the keys that the secrets in a game's log are sealed under.

        Raises:
            StoreError: They can't be read.
        """
        return Vault(self._log(game).with_suffix(".keys"), self._disk)

    def counter(self, game: bytes) -> SignedCounter:
        """Returns the count of what was signed in a game, kept outside of the profile where there is a place."""
        if self._state is None:
            return SignedCounter(None)
        with suppress(OSError):
            self._disk.make_folder(self._state)
        return SignedCounter(self._state / f"{self.name}-{game.hex()}")

    def give_up(self, game: bytes) -> None:
        """Ends a game that will not be resumed: its keys are wiped, its entries stay.

        Raises:
            StoreError: It could not. The keys are wiped all the same, if the disk can be written at all.
        """
        self.vault(game).wipe()
        self.counter(game).forget()
        log = self.game_log(game)
        try:
            first, *rest = log.read() or [None]
            entries = [entry for one in rest for entry in Kept.from_value(one).entries]
            log.rewrite(ended(FirstRecord.from_value(first).charter, entries))
        except MalformedError as error:
            raise DamagedLog("store.no_resume", path=str(log.path), detail=str(error)) from error
        finally:
            log.close()

    def unfinished_games(self) -> tuple[bytes, ...]:
        """Returns the ids of games that can be resumed, or whose logs say why not, the latest first."""
        logs = sorted(self._files(".log"), key=lambda path: path.stat().st_mtime, reverse=True)
        return tuple(bytes.fromhex(path.stem) for path in logs if not ((first := _opening(path)) and first.is_over))

    def charter(self, game: bytes) -> Charter | None:
        """Returns what a game was begun with; None if its log can't be read, which says why when it is opened."""
        first = _opening(self._log(game))
        try:
            return Charter.from_bytes(Edwards25519(), first.charter) if first is not None else None
        except VerificationError:
            return None

    def keep_transcript(self, game: bytes, data: bytes) -> Path:
        """Stores the transcript of a finished game, whole or not at all; returns where."""
        path = self._games / f"{game.hex()}.sheriff"
        self._put(path, data)
        return path

    def keep_evidence(self, game: bytes, seat: int, data: bytes) -> Path:
        """Stores the record that proves a fault of a seat; returns where."""
        path = self._games / f"{game.hex()}-{seat}.evidence"
        self._put(path, data)
        return path

    # -- files

    def _get(self, path: Path, most: int = _MAX_FILE_BYTES) -> bytes:
        try:
            return path.read_bytes()[:most]
        except OSError as error:
            raise reading(path, error) from error

    def _put(self, path: Path, data: bytes) -> None:
        try:
            os.close(self._disk.create(path, data))
        except OSError as error:
            raise storing(path, error) from error

    def close(self) -> None:
        """Lets others use the profile."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Self:
        """Returns itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes it."""
        self.close()

    def __repr__(self) -> str:
        """Shows which it is."""
        return f"Profile({self.name})"


def _pin(value: Value) -> tuple[str, PublicIdentity]:
    match value:
        case (str(name), bytes(key)):
            return name, PublicIdentity.from_bytes(Edwards25519(), key)
        case _:
            raise MalformedError("a pin is a name and a key")


def _opening(path: Path) -> FirstRecord | None:
    try:
        return FirstRecord.from_value(first_record(path))
    except (StoreError, MalformedError):
        return None


def remembered(name: str, base: Path, game: bytes) -> Keepsake | None:
    """Returns what the player of a profile saw in a finished game; None if the profile keeps nothing of it.

    Nothing is locked or changed: a profile that is in use can be looked into.
    """
    opening = _opening(base / name / "games" / f"{game.hex()}.log")
    return opening.memory if opening else None
