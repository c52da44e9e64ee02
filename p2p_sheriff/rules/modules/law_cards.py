"""The laws as data (section 15): each a name and one small effect, which `rules/law.py` asks for.

Those of the rulebook are the bans of bread and chicken, the forced sale of cheese, the premium and the private stash;
the others are our own.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from p2p_sheriff.rules.cards import Kind


@dataclass(frozen=True, slots=True)
class Ban:
    """The good can't be declared, and counts as contraband in a bag (rule 15.4)."""

    good: Kind


@dataclass(frozen=True, slots=True)
class ForcedSale:
    """At the end of the round whoever of the merchants has most of it face up sells one."""

    good: Kind


@dataclass(frozen=True, slots=True)
class Tax:
    """Who declares the good pays the bank at once."""

    good: Kind
    gold: int = 2


@dataclass(frozen=True, slots=True)
class Premium:
    """The bank pays for every contraband card that a merchant has brought in this round."""

    gold: int = 2


@dataclass(frozen=True, slots=True)
class PrivateStash:
    """Who is in office may put one legal card of the hand onto the own stall."""


@dataclass(frozen=True, slots=True)
class HeavyHand:
    """Every fine paid by a merchant is higher, for each card."""

    gold: int = 1


@dataclass(frozen=True, slots=True)
class LightHand:
    """Confiscated legal goods cost no fine."""


@dataclass(frozen=True, slots=True)
class HonestReward:
    """The bank pays a merchant found true, for each card."""

    gold: int = 1


@dataclass(frozen=True, slots=True)
class BagAtLeast:
    """A bag holds at least so many cards, or the whole hand."""

    cards: int


@dataclass(frozen=True, slots=True)
class BagAtMost:
    """A bag holds at most so many cards."""

    cards: int


@dataclass(frozen=True, slots=True)
class NoCoin:
    """No deal may move gold."""


@dataclass(frozen=True, slots=True)
class Duty:
    """At least one bag must be inspected (rule 15.6)."""


@dataclass(frozen=True, slots=True)
class Mercy:
    """At least one bag must pass (rule 15.6)."""


@dataclass(frozen=True, slots=True)
class MarketAtMost:
    """At most so many cards may be set aside in a market turn."""

    cards: int


@dataclass(frozen=True, slots=True)
class Toll:
    """A merchant whose bag passes pays the sheriff."""

    gold: int = 1


Effect: TypeAlias = (
    Ban
    | ForcedSale
    | Tax
    | Premium
    | PrivateStash
    | HeavyHand
    | LightHand
    | HonestReward
    | BagAtLeast
    | BagAtMost
    | NoCoin
    | Duty
    | Mercy
    | MarketAtMost
    | Toll
)


@dataclass(frozen=True, slots=True)
class Law:
    """One line of the table of laws."""

    name: str
    effect: Effect
    not_with: int | None = None
    """The number of players with whom it stays in the box."""

    @property
    def goods(self) -> tuple[Kind, ...]:
        """The goods that it speaks of: without them it stays out (rule 15.7)."""
        return (self.effect.good,) if isinstance(self.effect, Ban | ForcedSale | Tax) else ()


_TABLE: Final = (
    Law("apple ban", Ban("apples")),
    Law("cheese ban", Ban("cheese")),
    Law("bread ban", Ban("bread")),
    Law("chicken ban", Ban("chicken")),
    Law("forced apple sale", ForcedSale("apples")),
    Law("forced cheese sale", ForcedSale("cheese")),
    Law("forced bread sale", ForcedSale("bread")),
    Law("forced chicken sale", ForcedSale("chicken")),
    Law("apple tax", Tax("apples")),
    Law("cheese tax", Tax("cheese")),
    Law("bread tax", Tax("bread")),
    Law("chicken tax", Tax("chicken")),
    Law("smugglers' premium", Premium()),
    Law("sheriff's private stash", PrivateStash(), not_with=5),
    Law("heavy hand", HeavyHand()),
    Law("light hand", LightHand()),
    Law("honest reward", HonestReward()),
    Law("full wagons", BagAtLeast(3)),
    Law("small wagons", BagAtMost(4)),
    Law("no coin", NoCoin()),
    Law("duty", Duty()),
    Law("mercy", Mercy()),
    Law("thin market", MarketAtMost(3)),
    Law("toll", Toll()),
)

LAWS: Final = {law.name: law for law in _TABLE}
"""All laws by name."""
