"""The goods of the game as data: rule 1, and the tables of 11.3 and 13.1."""

from dataclasses import dataclass
from enum import Enum

from p2p_sheriff.rules.cards import Kind


class Side(Enum):
    """On which side of the law a good stands."""

    LEGAL = "legal"
    CONTRABAND = "contraband"
    ROYAL = "royal"
    """Contraband in every way until scoring (rule 12.1)."""
    PRIZE = "prize"
    """A card of the black market (rule 13.2): contraband that lies open, and is no part of the deck."""


@dataclass(frozen=True, slots=True)
class Good:
    """One line of the table of goods."""

    kind: Kind
    side: Side
    count: int
    """How many cards of it are in the game."""
    value: int
    fine: int
    counts_for: tuple[Kind, int] | None = None
    """Which legal good it counts for with king and queen, and for how many (rule 11.3)."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """What king and queen of a good are worth."""

    king: int
    queen: int


BONUSES: dict[Kind, Bonus] = {
    "apples": Bonus(20, 10),
    "cheese": Bonus(15, 10),
    "bread": Bonus(15, 10),
    "chicken": Bonus(10, 5),
}

BLACK_MARKET: tuple[tuple[Kind, tuple[int, ...]], ...] = (
    ("pepper", (30, 27)),
    ("mead", (32, 29)),
    ("silk", (34, 31)),
)
"""The pairs of rule 13.1: the kind that buys them, and what the cards are worth, the one on top first."""

MISSING_CARDS = 10
"""How many cards go back into the box unseen with the option of rule 12.3."""

STARTING_GOLD = 50
BOX_GOLD = 1255
"""All the gold there is; what nobody holds is the bank's. It never runs dry (rule 1.3): it may fall below nothing."""

# kind, side, cards for 3 players, cards for 4-6, value, fine, counts for
_TABLE: tuple[tuple[Kind, Side, int, int, int, int, tuple[Kind, int] | None], ...] = (
    ("apples", Side.LEGAL, 48, 48, 2, 2, ("apples", 1)),
    ("cheese", Side.LEGAL, 36, 36, 3, 2, ("cheese", 1)),
    ("bread", Side.LEGAL, 0, 36, 3, 2, ("bread", 1)),
    ("chicken", Side.LEGAL, 24, 24, 4, 2, ("chicken", 1)),
    ("pepper", Side.CONTRABAND, 18, 22, 6, 4, None),
    ("mead", Side.CONTRABAND, 16, 21, 7, 4, None),
    ("silk", Side.CONTRABAND, 9, 12, 8, 4, None),
    ("crossbow", Side.CONTRABAND, 5, 5, 9, 4, None),
    ("green apples", Side.ROYAL, 2, 2, 4, 3, ("apples", 2)),
    ("golden apples", Side.ROYAL, 1, 2, 6, 4, ("apples", 3)),
    ("gouda", Side.ROYAL, 2, 2, 6, 4, ("cheese", 2)),
    ("blue cheese", Side.ROYAL, 0, 1, 9, 5, ("cheese", 3)),
    ("rye bread", Side.ROYAL, 0, 2, 6, 4, ("bread", 2)),
    ("pumpernickel", Side.ROYAL, 0, 1, 9, 5, ("bread", 3)),
    ("royal rooster", Side.ROYAL, 1, 2, 8, 4, ("chicken", 2)),
)


def goods_in_the_box() -> frozenset[Kind]:
    """Return the names of all goods that the box holds, whatever is played with."""
    return frozenset(row[0] for row in _TABLE)


def goods_for(players: int, *, royal: bool) -> tuple[Good, ...]:
    """Return the goods that this number of players shuffles, without extra goods."""
    goods = []
    for kind, side, with_three, with_more, value, fine, counts_for in _TABLE:
        count = with_three if players == 3 else with_more
        if count and (royal or side is not Side.ROYAL):
            goods.append(Good(kind, side, count, value, fine, counts_for))
    return tuple(goods)


def prizes() -> tuple[tuple[Good, ...], ...]:
    """Return the pairs of the black market as goods with names of their own: no pepper, mead or silk (rule 13.2)."""
    return tuple(
        tuple(Good(f"{kind} {value}", Side.PRIZE, 1, value, 0) for value in values) for kind, values in BLACK_MARKET
    )
