"""The characters: what a style is like, in figures, and what a level makes of it."""

from dataclasses import dataclass, replace
from enum import Enum


class Level(Enum):
    """How well a bot plays."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Temperament:
    """What one player is like. Gold is what everything is measured in unless it says otherwise."""

    thrill: float
    """What smuggling a card in is worth beyond its value; below nothing: a bad conscience."""
    whim: float
    """How far chance moves what a bag seems to be worth."""
    doubt: float
    """What is added to the log-odds of a lie."""
    blur: float
    """How far chance moves them."""
    asks: tuple[float, ...]
    """What is asked for a suspicious bag, one question after the other: shares of what is at stake for a liar."""
    opening: float
    """What a first offer is, as a share of what seems right."""
    purse: float
    """How likely an officer who asks for money seems to look: the share of the stake that is paid at most."""
    silence: float
    """How often nothing is offered or paid in a round, whatever is in the bag."""
    insight: float
    """How much it tells, in log-odds, that somebody who was asked for money did not pay."""
    bluff: float
    """How often something is offered unasked, whatever is in the bag."""
    meddling: float
    """How often a rival's suspicious bag is pointed at."""
    enterprise: float
    """How often a richer deal than a bribe is thought of in a round, where such deals are made."""
    trust: float
    """How much of the hidden goods that strangers promise is believed in."""


TEMPERAMENTS: dict[str, Temperament] = {
    "honest": Temperament(
        thrill=-3.6, whim=3.2, doubt=-0.5, blur=0.3, asks=(0.6, 0.4), opening=0.9, purse=0.8, silence=0.3, insight=0.8,
        bluff=0.03, meddling=0.05, enterprise=0.1, trust=0.5,
    ),
    "smuggler": Temperament(
        thrill=-1.8, whim=3.0, doubt=-0.1, blur=0.5, asks=(0.5, 0.35), opening=1.1, purse=0.9, silence=0.15,
        insight=0.5, bluff=0.1, meddling=0.1, enterprise=0.25, trust=0.6,
    ),
    "gambler": Temperament(
        thrill=-2.2, whim=4.0, doubt=-0.2, blur=0.4, asks=(0.7, 0.4), opening=0.8, purse=0.8, silence=0.4, insight=0.6,
        bluff=0.2, meddling=0.15, enterprise=0.5, trust=0.8,
    ),
    "shrewd": Temperament(
        thrill=-1.6, whim=2.5, doubt=0.0, blur=0.4, asks=(0.6, 0.45, 0.3), opening=1.0, purse=0.8, silence=0.25,
        insight=0.6, bluff=0.08, meddling=0.15, enterprise=0.4, trust=0.6,
    ),
}  # fmt: skip
"""The styles by name."""

_HARD_ASKS = (0.8, 0.6, 0.45, 0.3)
_HARD_PURSE = 0.7
"""Less than any style pays otherwise: most who ask for money let the bag pass in the end if they get little or none."""
_HARD_CAUTION = 3.0
"""What a false card costs beyond the risk that is reckoned with: a lie is remembered, and the bag that seems best is
often the one whose risk was underrated.
"""


def temperament(style: str, level: Level) -> Temperament:
    """Return the character of a style at a level. Raises KeyError if there is no such style."""
    usual = TEMPERAMENTS[style]
    match level:
        case Level.EASY:
            return replace(usual, whim=usual.whim + 4, blur=usual.blur + 1.2, asks=usual.asks[:1])
        case Level.NORMAL:
            return usual
        case Level.HARD:
            # A strong player keeps its colour, but is neither vague nor hasty: it haggles to the end.
            calm = replace(
                usual,
                thrill=usual.thrill / 6 - _HARD_CAUTION,
                whim=0.5,
                doubt=usual.doubt / 3 - 0.7,
                blur=0.1,
                bluff=0.05,
                meddling=0.0,
            )
            return replace(calm, asks=_HARD_ASKS, purse=_HARD_PURSE, silence=0.65, insight=0.6)
