"""What goods are worth to one seat: their value, and what they do for crowns and for black-market sets."""

from collections.abc import Iterator, Mapping

from p2p_sheriff.bots.band import fillable
from p2p_sheriff.bots.crowns import Crowns
from p2p_sheriff.rules.black_market import CARDS_FOR_A_PRIZE, wanted_kinds
from p2p_sheriff.rules.cards import Kind
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.modules.order_cards import ORDERS
from p2p_sheriff.rules.moves import Verb
from p2p_sheriff.rules.state import Player
from p2p_sheriff.rules.view import View

_PROMISE_OF_A_SET = (0.0, 0.1, 0.35)
"""How much of a prize's gain one and two of three equal cards are worth: the third may never come."""

_PROMISE_OF_AN_ORDER = 0.7
"""How much of an order's bonus the goods for it are worth: somebody else may be first, and they win no crown there."""


class Appraisal:
    """The table of values of one seat at one moment."""

    def __init__(self, view: View) -> None:
        state = view.state
        self._setup = state.setup
        self.crowns = Crowns(view)
        stack = [card.kind for card in view.stack]
        self._have = {kind: stack.count(kind) for kind in wanted_kinds(state)}
        self._gains: dict[Kind, list[int]] = {}
        for pair in state.market:
            for prize in pair:
                kind = prize.rsplit(" ", 1)[0]
                gain = value_of(state.setup, prize) - CARDS_FOR_A_PRIZE * value_of(state.setup, kind)
                self._gains.setdefault(kind, []).append(gain)
        self._orders = state.orders
        self._single: dict[Kind, float] = {}

    def of(self, goods: Mapping[Kind, int]) -> float:
        """Return what these goods add to the own stall, all together."""
        total = 0.0
        for kind, count in goods.items():
            total += value_of(self._setup, kind) * count
            if kind in self._have:
                total += self._set_gain(kind, self._have[kind] + count) - self._set_gain(kind, self._have[kind])
        total += sum(ORDERS[name].bonus for name in fillable(self._orders, goods)) * _PROMISE_OF_AN_ORDER
        for gain in self._crown_gains(goods):
            total += gain
        return total

    def crowned(self, goods: Mapping[Kind, int]) -> float:
        """Return what these goods do for the own crowns, beyond their value."""
        return sum(self._crown_gains(goods))

    def _crown_gains(self, goods: Mapping[Kind, int]) -> Iterator[float]:
        extra: dict[Kind, int] = {}
        for kind, count in goods.items():
            if counts_for := self._setup.table[kind].counts_for:
                extra[counts_for[0]] = extra.get(counts_for[0], 0) + counts_for[1] * count
        return (self.crowns.gain(good, count) for good, count in extra.items())

    def one(self, kind: Kind) -> float:
        """Return what a single card of this kind adds."""
        if kind not in self._single:
            self._single[kind] = self.of({kind: 1})
        return self._single[kind]

    def loss(self, kind: Kind) -> float:
        """Return what giving away one card of this kind costs."""
        value, counts_for = value_of(self._setup, kind), self._setup.table[kind].counts_for
        if not counts_for:
            return float(value)
        return value + max(0.0, -self.crowns.gain(counts_for[0], -counts_for[1]))

    def _set_gain(self, kind: Kind, count: int) -> float:
        sets, rest = divmod(count, CARDS_FOR_A_PRIZE)
        gains = self._gains[kind]
        whole = float(sum(gains[:sets]))
        return whole + (_PROMISE_OF_A_SET[rest] * gains[sets] if sets < len(gains) else 0.0)


class Appraiser:
    """Appraises anew only when something has moved on the stalls: most choices of a round see the same ones."""

    def __init__(self) -> None:
        self._last: tuple[View, Appraisal] | None = None

    def appraise(self, view: View) -> Appraisal:
        """Return what goods are worth to this seat now."""
        if self._last is None or not _same_stalls(self._last[0], view):
            self._last = (view, Appraisal(view))
        return self._last[1]


def _same_stalls(earlier: View, view: View) -> bool:
    before, now = earlier.state, view.state
    return (
        before.round == now.round
        and before.market is now.market
        and before.orders is now.orders
        and earlier.me.stack is view.me.stack
        and all(
            old.stall is new.stall and _fate(old) is _fate(new)
            for old, new in zip(before.players, now.players, strict=True)
        )
    )


def _fate(player: Player) -> Verb | None:
    return player.bag.fate if player.bag else None
