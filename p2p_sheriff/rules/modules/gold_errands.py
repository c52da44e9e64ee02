"""Effects of merry men that move gold (rule 16.6)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from p2p_sheriff.rules.cards import Seat, kinds_of
from p2p_sheriff.rules.gifts import from_bank, pay_gold
from p2p_sheriff.rules.modules.errands import Errand, collect, have_passed, merchants_besides, others
from p2p_sheriff.rules.modules.laws import sell
from p2p_sheriff.rules.moves import UseMan
from p2p_sheriff.rules.state import State


@dataclass(frozen=True, slots=True)
class Rob(Errand):
    """Take from the sheriff, keep the first part, and share the rest among the others."""

    take: int
    keep: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """One for each deputy and each way to share."""
        receivers = merchants_besides(state, seat)
        for officer in state.officers:
            rest = max(0, min(self.take, state[officer].gold) - self.keep) if receivers else 0
            for shares in combinations_with_replacement(receivers, rest):
                who = tuple(dict.fromkeys(shares))
                if state[officer].gold:
                    yield UseMan(seat, who=(officer, *who), gold=tuple(shares.count(one) for one in who))

    def happen(self, state: State, send: UseMan) -> State:
        """The sheriff pays all of them."""
        officer, *receivers = send.who
        state = collect(state, (officer,), send.seat, self.keep)
        for receiver, gold in zip(receivers, send.gold, strict=True):
            state = pay_gold(state, officer, receiver, gold)
        return state


@dataclass(frozen=True, slots=True)
class Levy(Errand):
    """Take from somebody, then pay a merchant: that is due in any case."""

    take: int
    pay: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """One for each victim and each payee."""
        for waiver in self.waivers(state, seat):
            for victim in others(state, seat):
                if state[victim].gold:
                    yield UseMan(seat, who=(victim, *waiver.who))

    def waivers(self, state: State, seat: Seat) -> tuple[UseMan, ...]:
        """Return whom to pay if nothing is taken."""
        payees = merchants_besides(state, seat)
        return tuple(UseMan(seat, use=False, who=(payee,)) for payee in payees) or (UseMan(seat, use=False),)

    def happen(self, state: State, send: UseMan) -> State:
        """The payee gets it after the victim has paid."""
        who = list(send.who)
        if send.use:
            state = collect(state, (who.pop(0),), send.seat, self.take)
        for payee in who:
            state = collect(state, (send.seat,), payee, self.pay)
        return state


@dataclass(frozen=True, slots=True)
class CollectFromPassed(Errand):
    """Every other merchant whose bag has passed this round pays."""

    gold: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """If there is somebody to pay."""
        if set(have_passed(state)) - {seat}:
            yield UseMan(seat)

    def happen(self, state: State, send: UseMan) -> State:
        """All pay."""
        payers = tuple(seat for seat in have_passed(state) if seat != send.seat)
        return collect(state, payers, send.seat, self.gold)


@dataclass(frozen=True, slots=True)
class PayForContraband(Errand):
    """The bank pays for every contraband card that came in with this bag."""

    gold: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """If there was some."""
        if state.bag_of(seat).smuggled:
            yield UseMan(seat)

    def happen(self, state: State, send: UseMan) -> State:
        """The bank pays."""
        return from_bank(state, send.seat, self.gold * state.bag_of(send.seat).smuggled)


@dataclass(frozen=True, slots=True)
class SheriffPaysPassed(Errand):
    """The sheriff pays every merchant whose bag has passed this round; the owner counts (rule 16.7)."""

    gold: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """One for each deputy."""
        yield from (UseMan(seat, who=(officer,)) for officer in state.officers if state[officer].gold)

    def happen(self, state: State, send: UseMan) -> State:
        """From the sheriff's left, as far as the gold goes."""
        for seat in have_passed(state):
            state = collect(state, send.who, seat, self.gold)
        return state


@dataclass(frozen=True, slots=True)
class CollectFromRicher(Errand):
    """Every richer player pays; all are compared before anybody does (rule 16.7)."""

    gold: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """If somebody is richer."""
        if self._richer(state, seat):
            yield UseMan(seat)

    def happen(self, state: State, send: UseMan) -> State:
        """All pay."""
        return collect(state, self._richer(state, send.seat), send.seat, self.gold)

    def _richer(self, state: State, seat: Seat) -> tuple[Seat, ...]:
        return tuple(other for other in others(state, seat) if state[other].gold > state[seat].gold)


@dataclass(frozen=True, slots=True)
class CollectForGood(Errand):
    """Name a legal good: everyone else who has it face up pays."""

    gold: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """One for each good that somebody has."""
        kinds = {kind for other in others(state, seat) for kind in kinds_of(state[other].stall)}
        yield from (UseMan(seat, goods=(kind,)) for kind in state.setup.table if kind in kinds)

    def happen(self, state: State, send: UseMan) -> State:
        """All who have it pay."""
        have = tuple(seat for seat in others(state, send.seat) if set(send.goods) <= set(kinds_of(state[seat].stall)))
        return collect(state, have, send.seat, self.gold)


@dataclass(frozen=True, slots=True)
class SellGoods(Errand):
    """Sell a few legal goods of the own stall to the bank for more than their value."""

    cards: int
    times: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """One for every choice of goods."""
        kinds = kinds_of(state[seat].stall)
        ordered = [kind for kind in state.setup.table if kind in kinds]
        for count in range(1, self.cards + 1):
            for goods in combinations_with_replacement(ordered, count):
                if all(goods.count(kind) <= kinds.count(kind) for kind in goods):
                    yield UseMan(seat, goods=goods)

    def happen(self, state: State, send: UseMan) -> State:
        """The bank pays, the cards are discarded."""
        for kind in send.goods:
            card = next(card for card in state[send.seat].stall if card.kind == kind)
            state = sell(state, send.seat, card, self.times)
        return state


@dataclass(frozen=True, slots=True)
class HalveNextFine(Errand):
    """The next fine is halved, rounded up."""

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:  # noqa: ARG002 - it always helps.
        """Always."""
        yield UseMan(seat)

    def happen(self, state: State, send: UseMan) -> State:
        """An open marker says so (rule 16.7)."""
        return state.with_player(send.seat, halves=True)
