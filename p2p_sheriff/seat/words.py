"""The words of the screen: the group `tui` of the catalogue, and phrases made of them."""

from collections.abc import Iterable, Sequence

from p2p_sheriff.rules import Kind
from p2p_sheriff.texts import ENGLISH, Texts
from p2p_sheriff.texts.cells import clip
from p2p_sheriff.texts.cleaning import clean

_STYLE_CELLS = 12


class Words:
    """The texts of the screen in one language: `words("cards.chosen", goods="2 apples")` is `tui.cards.chosen`."""

    def __init__(self, texts: Texts = ENGLISH) -> None:
        """Takes the catalogue."""
        self.texts = texts

    def __call__(self, key: str, /, **fields: object) -> str:
        """Returns the text with its fields filled in; `n` chooses the form."""
        return self.texts(f"tui.{key}", **fields)

    def cap(self, key: str) -> str:
        """Returns what stands on a key of the keyboard: Enter is Intro in Spain; letters and arrows are as they are."""
        name = f"tui.keyname.{key.lower()}"
        return self.texts(name) if name in self.texts.entries else key

    def good(self, kind: Kind) -> str:
        """Returns what a good is called."""
        return self.texts.name(kind)

    def style(self, style: str) -> str:
        """Returns how a bot plays; one that is not known here by its own word for it."""
        name = f"tui.style.{style}"
        return self.texts(name) if name in self.texts.entries else clip(clean(style), _STYLE_CELLS)

    def counted(self, kind: Kind, n: int) -> str:
        """Returns so many of a good."""
        return self.texts.goods(((kind, n),))

    def goods(self, counted: Iterable[tuple[Kind, int]]) -> str:
        """Returns goods by number and kind."""
        return self.texts.goods(counted)

    def listed(self, names: Sequence[str]) -> str:
        """Returns several names as one phrase."""
        return self.texts.every([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

    @staticmethod
    def time(seconds: float) -> str:
        """Returns a span of time."""
        minutes, rest = divmod(max(0, int(seconds)), 60)
        return f"{minutes}:{rest:02}"
