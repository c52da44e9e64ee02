"""What is fixed before the deck is shuffled: players, edition, options, goods (rules 1, 2 and 12)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import chain

from p2p_sheriff.rules.cards import Goods, Kind, Pack, Seat
from p2p_sheriff.rules.goods import (
    BLACK_MARKET,
    BONUSES,
    MISSING_CARDS,
    Good,
    Side,
    goods_for,
    goods_in_the_box,
    prizes,
)
from p2p_sheriff.rules.refusals import BadSetup
from protocol.typed import Plain

OPTIONS = ("royal", "timer", "missing", "seven", "black-market", "orders", "laws", "merry-men")
"""The options of rules 12 to 16 by the names that the command line and the charter use."""

MINUTE = 60
"""Seconds for the bag of each merchant, where the inspect phase runs against the clock (rule 12.2)."""

PACKS = {"orders": Pack.ORDERS, "laws": Pack.LAWS, "merry-men": Pack.MERRY_MEN}
"""The options that come with a deck of their own."""

# Bounds for extra goods (rule 12.5): generous at a table, small enough for a deck that must be shuffled with proofs.
MAX_EXTRA_CARDS = 60
MAX_EXTRA_FIGURE = 99
_EXTRA_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|[ '-]){0,22}[^\W\d_]")


class Edition(Enum):
    """Which rulebook the table plays by."""

    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True)
class Setup(Plain):
    """Everything that all players have agreed on. Plain data: a charter carries it, and the tables that follow from it.

    Raises BadSetup if it can't be played.
    """

    players: int
    edition: Edition = Edition.SECOND
    options: frozenset[str] = frozenset()
    extra: tuple[Good, ...] = ()
    """Extra goods (rule 12.5)."""
    short: Goods = ()
    """A short deck: only these goods, only so many of each; empty: the whole deck of rule 1."""
    candidates: tuple[Seat, ...] = ()
    """Among whom the first sheriff is drawn (rule 2.5), in seat order; empty: among all."""

    def __post_init__(self) -> None:
        if not 3 <= self.players <= 6:
            raise BadSetup(f"The game is for 3 to 6 players, not {self.players}.")
        for option in sorted(self.options):
            if option not in OPTIONS:
                raise BadSetup(f"There is no option {option!r}. There are: {', '.join(OPTIONS)}.")
        _check_extra_goods(self.extra)
        _check_short_deck(self)
        seats = range(self.players)
        if any(seat not in seats for seat in self.candidates) or list(self.candidates) != sorted(set(self.candidates)):
            raise BadSetup("The candidates for the first sheriff must be seats of this table, in order, each once.")

    @cached_property
    def goods(self) -> tuple[Good, ...]:
        """Every good in the deck."""
        goods = goods_for(self.players, royal="royal" in self.options)
        if self.short:
            counts = dict(self.short)
            goods = tuple(replace(good, count=counts[good.kind]) for good in goods if good.kind in counts)
        return goods + self.extra

    @cached_property
    def table(self) -> Mapping[Kind, Good]:
        """Every good that can lie on a stall, black-market cards included, by kind, in the order of the rules."""
        market = prizes() if "black-market" in self.options else ()
        return {good.kind: good for good in chain(self.goods, *market)}

    @cached_property
    def legal(self) -> tuple[Kind, ...]:
        """The legal goods of this table: the ones that can be declared (rule 6.2)."""
        return tuple(good.kind for good in self.goods if good.side is Side.LEGAL)

    @cached_property
    def contraband(self) -> tuple[Kind, ...]:
        """Contraband and royal goods of the deck: what lies face down."""
        return tuple(good.kind for good in self.goods if good.side is not Side.LEGAL)

    @cached_property
    def black_market(self) -> tuple[tuple[Kind, ...], ...]:
        """The pairs of the black market, each with the top card first; empty without the module."""
        pairs = prizes() if "black-market" in self.options else ()
        return tuple(tuple(prize.kind for prize in pair) for pair in pairs)

    @cached_property
    def packs(self) -> tuple[Pack, ...]:
        """The decks of the modules that are played."""
        return tuple(pack for option, pack in PACKS.items() if option in self.options)

    @cached_property
    def cards(self) -> int:
        """How many cards are shuffled (rule 1.1)."""
        return sum(good.count for good in self.goods)

    @cached_property
    def missing(self) -> int:
        """How many cards go back into the box unseen (rule 12.3)."""
        return MISSING_CARDS if "missing" in self.options else 0

    @cached_property
    def hand_size(self) -> int:
        """A full hand (rules 2.3 and 12.4)."""
        return 7 if "seven" in self.options else 6

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the table."""
        return tuple(Seat(seat) for seat in range(self.players))

    @cached_property
    def terms(self) -> int:
        """How often everyone is sheriff or deputy before the game ends (rules 3.3, 10.1, 19.5)."""
        return {3: 3, 4: 2, 5: 2, 6: 3}[self.players]

    @cached_property
    def with_deputies(self) -> bool:
        """Whether the table began with six (section 10)."""
        return self.players == 6

    @cached_property
    def two_piles(self) -> bool:
        """Whether market and discards are those of the first edition (rules 2.4, 4.3, 9.1; six players: 10.2)."""
        return self.edition is Edition.FIRST and not self.with_deputies

    @cached_property
    def timed(self) -> bool:
        """Whether the inspect phase runs against the clock (rule 12.2)."""
        return "timer" in self.options


def extra_goods(plain: object) -> tuple[Good, ...]:
    """Read a table of extra goods (rule 12.5): a list of [name, kind, count, value, fine, counts for or None].

    Raises BadSetup with the line that is wrong.
    """
    if not isinstance(plain, list | tuple):
        raise BadSetup("Extra goods are a list of [name, kind, count, value, fine, counts for].")
    goods = []
    for row in plain:
        try:
            name, side, count, value, fine, counts_for = row
            pair = None if counts_for is None else (str(counts_for[0]), _int(counts_for[1]))
            goods.append(Good(str(name), Side(side), _int(count), _int(value), _int(fine), pair))
        except (IndexError, TypeError, ValueError) as problem:
            raise BadSetup(f"The extra good {row!r} is not [name, kind, count, value, fine, counts for].") from problem
    _check_extra_goods(tuple(goods))
    return tuple(goods)


def first_sheriff_candidates(purses: Sequence[int | None]) -> tuple[Seat, ...]:
    """Return among whom the first sheriff is drawn: who carries the most, or all if nobody says (rule 2.5)."""
    most = max((purse for purse in purses if purse is not None), default=None)
    return tuple(Seat(seat) for seat, purse in enumerate(purses) if purse == most)


def _check_extra_goods(extra: tuple[Good, ...]) -> None:
    names = goods_in_the_box() | {""}
    for good in extra:
        if not _EXTRA_NAME.fullmatch(good.kind) or good.kind in names:
            raise BadSetup(f"The extra good {good.kind!r} needs a name of its own: 2 to 24 letters, spaces, hyphens.")
        names |= {good.kind}
        if good.side is Side.PRIZE:
            raise BadSetup(f"The extra good {good.kind!r} must be legal, contraband or royal.")
        if not 1 <= good.count <= MAX_EXTRA_CARDS:
            raise BadSetup(f"The extra good {good.kind!r} must have 1 to {MAX_EXTRA_CARDS} cards, not {good.count}.")
        if not (1 <= good.value <= MAX_EXTRA_FIGURE and 0 <= good.fine <= MAX_EXTRA_FIGURE):
            raise BadSetup(f"The extra good {good.kind!r} needs a value of 1 to 99 and a fine of 0 to 99.")
        if good.counts_for and not (good.counts_for[0] in BONUSES and 1 <= good.counts_for[1] <= 9):
            raise BadSetup(f"The extra good {good.kind!r} can count for 1 to 9 of {', '.join(BONUSES)}, nothing else.")
    if sum(good.count for good in extra) > MAX_EXTRA_CARDS:
        raise BadSetup(f"All extra goods together can be at most {MAX_EXTRA_CARDS} cards.")


def _check_short_deck(setup: Setup) -> None:
    if not setup.short:
        return
    usual = {good.kind: good.count for good in goods_for(setup.players, royal="royal" in setup.options)}
    for kind, count in setup.short:
        if not 1 <= count <= usual.get(kind, 0):
            raise BadSetup(f"A short deck can't have {count} {kind}: the whole deck has {usual.get(kind, 0)}.")
    if len(dict(setup.short)) != len(setup.short):
        raise BadSetup("A short deck names each good once.")
    needed = setup.players * setup.hand_size + setup.missing + (2 * 5 if setup.two_piles else 0)
    if setup.cards < needed:
        raise BadSetup(f"A short deck for this table needs at least {needed} cards, not {setup.cards}.")
    if not (setup.legal and setup.contraband):
        raise BadSetup("A short deck needs legal goods and contraband.")
    if "laws" in setup.options and len(setup.legal) <= 2:
        raise BadSetup("A short deck needs three legal goods: two laws may ban two of them.")
    if "black-market" in setup.options and any(kind not in setup.table for kind, _ in BLACK_MARKET):
        raise BadSetup("A short deck needs the goods that the black market wants.")


def _int(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is not a whole number")
    return value
