"""What styles look like: the same names with true colours, 256, 16, or none at all.

All colours are of the 256-colour palette, so they look the same where there are more; they stay apart for the
colour-blind, and nothing is said by a colour alone. Without colours (`NO_COLOR`) bold, reverse and underline remain.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Depth(Enum):
    """How many colours a terminal shows."""

    NONE = 1
    SIXTEEN = 4
    PALETTE = 8
    TRUE = 24


@dataclass(frozen=True, slots=True)
class Look:
    """One style: its colours of the palette, its colours among sixteen, and what it has with any colours or none."""

    colours: str
    sixteen: str = ""
    attributes: str = ""
    plain: str = ""
    """What it has besides where there are no colours: with them, reverse would undo what they show."""

    def at(self, depth: Depth) -> str:
        """Returns the style in prompt-toolkit's words."""
        match depth:
            case Depth.NONE:
                return f"{self.attributes} {self.plain}".strip()
            case Depth.SIXTEEN:
                return f"{self.sixteen} {self.attributes}".strip()
            case Depth.PALETTE | Depth.TRUE:
                return f"{self.colours} {self.attributes}".strip()


BACKGROUND = "bg:#1c1c1c"

LOOKS: Mapping[str, Look] = {
    "": Look(f"#d0d0d0 {BACKGROUND}"),
    "muted": Look("#9e9e9e", "ansigray"),
    "faint": Look("#767676", "ansibrightblack"),
    "strong": Look("#ffffff", "", "bold"),
    "title": Look("#ffd787", "ansiyellow", "bold"),
    "border": Look("#585858", "ansibrightblack"),
    "border.on": Look("#ffd787", "ansiyellow", "bold"),
    # The lines at the top and at the bottom.
    "header": Look("#d7d7af bg:#303030", "ansiwhite bg:ansiblue"),
    "header.strong": Look("#ffd787 bg:#303030", "ansiyellow bg:ansiblue", "bold"),
    "prompt": Look("#1c1c1c bg:#ffd787", "ansiblack bg:ansiyellow", "bold", "reverse"),
    "prompt.waiting": Look("#d0d0d0 bg:#303030", "ansiwhite bg:ansibrightblack"),
    "prompt.refused": Look("#1c1c1c bg:#ff8787", "ansiwhite bg:ansired", "bold", "reverse"),
    "key": Look("#1c1c1c bg:#87afaf", "ansiblack bg:ansicyan", plain="reverse"),
    "key.label": Look("#afafaf", "ansigray"),
    # Players.
    "name": Look("#d0d0d0", "", "bold"),
    "name.me": Look("#87d7ff", "ansicyan", "bold"),
    "badge": Look("#ffd75f", "ansiyellow", "bold"),
    "away": Look("#ff8787", "ansired", "bold"),
    "gold": Look("#ffd75f", "ansiyellow"),
    "cursor": Look("#1c1c1c bg:#ffd787", "ansiblack bg:ansiyellow", plain="reverse"),
    "declared": Look("#d7d7af"),
    "passed": Look("#5fd7af", "ansigreen"),
    "inspected": Look("#ffaf5f", "ansired"),
    # Goods: the four legal ones, and what is hidden.
    "good.apples": Look("#d7875f", "ansired"),
    "good.cheese": Look("#ffd75f", "ansiyellow"),
    "good.bread": Look("#d7af87", "ansigray"),
    "good.chicken": Look("#87d7ff", "ansicyan"),
    "good.legal": Look("#87d7af", "ansigreen"),
    "good.contraband": Look("#d787d7", "ansimagenta", "bold"),
    "good.royal": Look("#ffafd7", "ansibrightmagenta", "bold"),
    "good.prize": Look("#ffd7ff", "ansibrightmagenta", "bold"),
    "bar.empty": Look("#3a3a3a", "ansibrightblack"),
    "king": Look("#ffd75f", "ansiyellow", "bold"),
    "queen": Look("#d0d0d0", "", "bold"),
    "selected": Look("#1c1c1c bg:#87d7ff", "ansiblack bg:ansicyan", plain="reverse"),
    "back": Look("#5f5f87", "ansiblue"),
    # What is told.
    "log": Look("#bcbcbc", ""),
    "log.round": Look("#ffd787", "ansiyellow", "bold"),
    "log.deal": Look("#87d7af", "ansigreen"),
    "log.chat": Look("#87d7ff", "ansicyan"),
    "log.trouble": Look("#ff8787", "ansired", "bold"),
    "log.proof": Look("#8787af", "ansiblue"),
    "win": Look("#5fd7af", "ansigreen", "bold"),
    "loss": Look("#ffaf5f", "ansired", "bold"),
    "shadow": Look("#767676", "ansibrightblack"),
}


def styles(depth: Depth) -> dict[str, str]:
    """Returns every style by name, in prompt-toolkit's words."""
    return {name: look.at(depth) for name, look in LOOKS.items()}


def depth_of(environment: Mapping[str, str]) -> Depth:
    """Returns how many colours the terminal shows, as its environment says."""
    if environment.get("NO_COLOR"):
        return Depth.NONE
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return Depth.TRUE
    terminal = environment.get("TERM", "")
    if "256color" in terminal or "direct" in terminal:
        return Depth.PALETTE
    return Depth.NONE if terminal in ("", "dumb") or terminal.startswith("vt") else Depth.SIXTEEN


def needs_ascii(environment: Mapping[str, str]) -> bool:
    """Whether the locale knows no box lines: they would show as question marks."""
    locale = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or ""
    return "utf" not in locale.lower()
