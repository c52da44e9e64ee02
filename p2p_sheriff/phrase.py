"""What is said to a player, as a value: the sentence lives in the catalogues (`p2p_sheriff.texts`) alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, Union

Field: TypeAlias = Union[str, int, tuple[str, ...], "Phrase"]
"""What fills a sentence; what it is, its name says: see `p2p_sheriff.texts.telling`."""


@dataclass(frozen=True, slots=True, init=False)
class Phrase:
    """The key of a text, and what fills its fields: ``Phrase("closings.closed", name="Kim")``."""

    key: str
    fields: Mapping[str, Field] = field(hash=False)

    def __init__(self, key: str, /, **fields: Field) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "fields", fields)

    def __str__(self) -> str:
        return " ".join([self.key, *(f"{name}={value}" for name, value in self.fields.items())])


class Told(Exception):  # noqa: N818 - a base of refusals, which are no errors of the program.
    """What a player is told because something can't be done."""

    def __init__(self, what: str | Phrase, /, **fields: Field) -> None:
        """Takes the key of the text, and its fields; or both as one."""
        self.phrase = Phrase(what, **fields) if isinstance(what, str) else what
        super().__init__(str(self.phrase))


def phrase_of(error: BaseException) -> Phrase:
    """Returns what an error says to the player: one that was not meant for them is a defect."""
    if isinstance(error, Told):
        return error.phrase
    return Phrase("troubles.defect", detail=f"{type(error).__name__}: {error}")
