"""What a node is started with: one value, read once from the command line or made by a program."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import platformdirs

from p2p_sheriff.texts import ENGLISH, Texts

LOOPBACK: Final = "127.0.0.1"
DEFAULT_PROFILE: Final = "default"
PACE_SECONDS: Final = 1.5


def data_folder(chosen: Path | None = None) -> Path:
    """Returns where profiles live: where the player says, or where this system wants them."""
    return chosen or Path(platformdirs.user_data_dir("p2p-sheriff", appauthor=False))


@dataclass(frozen=True, slots=True)
class NodeOptions:
    """How a node is to be opened."""

    profile: str = DEFAULT_PROFILE
    name: str | None = None
    """What the player is called; None: as last time, or as on this machine."""
    connect: tuple[tuple[str, int], ...] = ()
    interfaces: tuple[str, ...] = ()
    data: Path | None = None
    trusted: tuple[str, ...] = ()
    """Who comes with a new key that is to be trusted."""
    passphrase: str | None = field(default=None, repr=False)
    """What everybody must know who connects; None for an open table."""
    pace: float = PACE_SECONDS
    """How long the player's own bots let others talk, in seconds."""
    texts: Texts = ENGLISH

    @property
    def private(self) -> bool:
        """Whether only those can be seen who know the passphrase."""
        return self.passphrase is not None

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the node."""
        return bool(self.interfaces) and all(interface.startswith("127.") for interface in self.interfaces)
