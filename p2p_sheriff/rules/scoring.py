"""The end of the game: the full sum for every player (section 11)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from p2p_sheriff.rules.cards import Kind, Pack, Seat, kinds_of
from p2p_sheriff.rules.goods import BONUSES, Side
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.modules.order_cards import ORDERS
from p2p_sheriff.rules.phases import Ending, Phase
from p2p_sheriff.rules.refusals import GameNotOver
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.rules.state import State


class Rank(Enum):
    """King has most of a legal good, queen second most (rule 11.3)."""

    KING = "king"
    QUEEN = "queen"


@dataclass(frozen=True, slots=True)
class Crown:
    """A bonus for one good."""

    good: Kind
    rank: Rank
    shared: int
    """Among how many it was split (rule 11.4)."""
    points: int


@dataclass(frozen=True, slots=True)
class GoodsScore:
    """What all cards of one kind are worth."""

    kind: Kind
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """The sum of one player."""

    seat: Seat
    gold: int
    goods: tuple[GoodsScore, ...]
    crowns: tuple[Crown, ...]
    modules: tuple[tuple[str, int], ...]
    """What further modules add, by name."""
    legal_cards: int
    """First tie-break (rule 11.5)."""
    contraband_cards: int
    """Second tie-break."""
    total: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended: why, with which scores in seat order, and for whom."""

    ending: Ending
    scores: tuple[Score, ...]
    winners: tuple[Seat, ...]
    """Several if the win is shared; nobody if the game was abandoned (rule 19.6)."""


def outcome(state: State) -> Outcome:
    """Return the result of a game that is over. Raises GameNotOver if it is not."""
    if state.phase is not Phase.OVER or state.ending is None:
        raise GameNotOver("The game is still going on.")
    kinds = {
        seat: kinds_of(state[seat].stall) + kinds_of(state[seat].revealed) + state[seat].prizes for seat in state.seats
    }
    crowns = royal_court(crown_counts(state.setup, kinds))
    scores = tuple(
        with_modules(score(state.setup, seat, state[seat].gold, kinds[seat], crowns[seat]), orders_score(state, seat))
        for seat in state.seats
    )
    return Outcome(state.ending, scores, winners(scores) if state.ending is Ending.FINISHED else ())


def crown_counts(setup: Setup, kinds: Mapping[Seat, tuple[Kind, ...]]) -> dict[Kind, dict[Seat, int]]:
    """Count for every legal good with a bonus how many each player has, royal goods as two or three (rule 11.3)."""
    counts = {good: dict.fromkeys(kinds, 0) for good in BONUSES}
    for seat, owned in kinds.items():
        for kind in owned:
            if counts_for := setup.table[kind].counts_for:
                good, number = counts_for
                counts[good][seat] += number
    return counts


def is_king(counts: Mapping[Seat, int], seat: Seat) -> bool:
    """Whether nobody has more of the good, and the seat has some (rules 11.3 and 11.4)."""
    return counts[seat] > 0 and counts[seat] == max(counts.values())


def is_queen(counts: Mapping[Seat, int], seat: Seat) -> bool:
    """Whether just one player has more of the good, and the seat has some: a tie for king leaves no queen (11.4)."""
    return counts[seat] > 0 and sum(other > counts[seat] for other in counts.values()) == 1


def royal_court(counts: Mapping[Kind, Mapping[Seat, int]]) -> dict[Seat, tuple[Crown, ...]]:
    """Give out the bonuses; a tie splits them, rounded down (rule 11.4)."""
    crowns: dict[Seat, list[Crown]] = {seat: [] for of_good in counts.values() for seat in of_good}
    for good, of_good in counts.items():
        kings = [seat for seat in of_good if is_king(of_good, seat)]
        queens = [seat for seat in of_good if is_queen(of_good, seat)]
        bonus = BONUSES[good]
        king_points = bonus.king if len(kings) == 1 else bonus.king + bonus.queen
        for seat in kings:
            crowns[seat].append(Crown(good, Rank.KING, len(kings), king_points // len(kings)))
        for seat in queens:
            crowns[seat].append(Crown(good, Rank.QUEEN, len(queens), bonus.queen // len(queens)))
    return {seat: tuple(of_seat) for seat, of_seat in crowns.items()}


def score(setup: Setup, seat: Seat, gold: int, kinds: tuple[Kind, ...], crowns: tuple[Crown, ...]) -> Score:
    """Add up what one player has (rule 11.2)."""
    counted = count_goods(setup, kinds)
    goods = tuple(GoodsScore(kind, count, count * value_of(setup, kind)) for kind, count in counted)
    legal = sum(count for kind, count in counted if setup.table[kind].side is Side.LEGAL)
    return Score(
        seat=seat,
        gold=gold,
        goods=goods,
        crowns=crowns,
        modules=(),
        legal_cards=legal,
        contraband_cards=len(kinds) - legal,
        total=gold + sum(good.points for good in goods) + sum(crown.points for crown in crowns),
    )


def orders_score(state: State, seat: Seat) -> tuple[tuple[str, int], ...]:
    """Return what special orders add: their bonus, and the values of both goods (rule 14.4)."""
    if Pack.ORDERS not in state.setup.packs:
        return ()
    orders = state[seat].orders
    goods = sum(value_of(state.setup, card.kind) for order in orders for card in order.cards)
    return ((Pack.ORDERS.value, goods + sum(ORDERS[order.name].bonus for order in orders)),)


def with_modules(one: Score, modules: tuple[tuple[str, int], ...]) -> Score:
    """Return the sum of a player with what modules add."""
    return replace(one, modules=modules, total=one.total + sum(points for _, points in modules))


def winners(scores: tuple[Score, ...]) -> tuple[Seat, ...]:
    """Return who wins: most points, then most legal goods, then most contraband, then all who tie (rule 11.5)."""

    def standing(one: Score) -> tuple[int, int, int]:
        return one.total, one.legal_cards, one.contraband_cards

    best = max((standing(one) for one in scores), default=None)
    return tuple(one.seat for one in scores if standing(one) == best)
