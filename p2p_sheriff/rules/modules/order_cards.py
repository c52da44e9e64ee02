"""The special orders as data (rule 14.1): pairs and bonuses come from one outside source."""

from dataclasses import dataclass
from typing import Final

from p2p_sheriff.rules.cards import Kind


@dataclass(frozen=True, slots=True)
class Order:
    """One line of the table of orders."""

    legal: Kind
    contraband: Kind
    bonus: int
    count: int = 1
    """How many such cards there are."""

    @property
    def name(self) -> str:
        """What the card is called in states and moves."""
        return f"{self.legal}+{self.contraband}"

    @property
    def goods(self) -> tuple[Kind, Kind]:
        """The two goods that fill it."""
        return self.legal, self.contraband


_TABLE: Final = (
    Order("apples", "pepper", 7, count=2),
    Order("apples", "mead", 6, count=2),
    Order("apples", "silk", 6),
    Order("apples", "crossbow", 6),
    Order("bread", "pepper", 6),
    Order("bread", "mead", 5),
    Order("bread", "silk", 5),
    Order("cheese", "pepper", 6),
    Order("cheese", "mead", 5),
    Order("cheese", "silk", 5),
    Order("chicken", "pepper", 5),
    Order("chicken", "mead", 5),
    Order("chicken", "silk", 4),
)

ORDERS: Final = {order.name: order for order in _TABLE}
"""All orders by name."""
