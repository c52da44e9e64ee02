"""What a node is started with: one value, read once from the command line or made by a program."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import platformdirs

from p2p_sheriff.texts import ENGLISH, Texts

LOOPBACK: Final = "127.0.0.1"
DEFAULT_PROFILE: Final = "default"
PACE_SECONDS: Final = 1.5
HAGGLE_SECONDS: Final = 30
MIXED: Final = "mixed"


def data_folder(chosen: Path | None = None) -> Path:
    """Returns where profiles live: where the player says, or where this system wants them."""
    return chosen or Path(platformdirs.user_data_dir("p2p-sheriff", appauthor=False))


def state_folder(chosen: Path | None = None) -> Path | None:
    """Returns where this system wants what is no data of the player's; None if the player has chosen a folder."""
    return None if chosen else Path(platformdirs.user_state_dir("p2p-sheriff", appauthor=False))


@dataclass(frozen=True, slots=True)
class Tempo:
    """How a player's own bots play: how fast, and how well. Between bots nothing waits."""

    pace: float = PACE_SECONDS
    """How many seconds a bot lets others talk before it speaks or acts."""
    haggle: int = HAGGLE_SECONDS
    """How many seconds a bot as sheriff leaves a person's bag open after the last offer about it; three times that at
    the most."""
    level: str = MIXED
    """Easy, normal, or hard; mixed: of three one plays hard, whoever it is, and the others normal."""


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
    tempo: Tempo = field(default_factory=Tempo)
    """How the player's own bots play."""
    bot: str = ""
    """The style of the bot that plays here; empty for a person."""
    texts: Texts = ENGLISH

    @property
    def private(self) -> bool:
        """Whether only those can be seen who know the passphrase."""
        return self.passphrase is not None

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the node."""
        return bool(self.interfaces) and all(interface.startswith("127.") for interface in self.interfaces)
