"""The errands of merry men (rule 16.6) in words: what is chosen for one, and what comes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from p2p_sheriff.rules import Card, Kind, Seat, View
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.modules.card_errands import LookAtOne, SwapGoods, TakeConfiscated, TakeGood, TakeTop
from p2p_sheriff.rules.modules.errands import Errand
from p2p_sheriff.rules.modules.gold_errands import CollectForGood, Levy, Rob, SellGoods, SheriffPaysPassed
from p2p_sheriff.rules.modules.merry_men import man_of
from p2p_sheriff.rules.moves import UseMan
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.seat.printed import man_name, man_text
from p2p_sheriff.texts import Texts


@dataclass(frozen=True, slots=True)
class Label:
    """One thing that is chosen, and a word about it."""

    text: str
    detail: str = ""


InWords: TypeAlias = tuple[tuple[Label, ...], str]
"""What is chosen, one after the other, and what comes of it."""


def in_words(view: View, move: UseMan, texts: Texts, name: Callable[[Seat], str]) -> InWords:
    """Returns a way to use the own merry man who got in; ``name`` says what a player is called."""
    man = man_of(view.state, view.seat)
    labels, told = _Errand(view, move, texts, name).in_words(man.errand)
    return labels, told or man_text(texts, man.name, view.state)


@dataclass(frozen=True, slots=True)
class _Errand:
    view: View
    move: UseMan
    texts: Texts
    name: Callable[[Seat], str]

    def in_words(self, errand: Errand) -> InWords:
        """Returns the labels, and what happens; nothing where the card says it all."""
        move, texts, name = self.move, self.texts, self.name
        match errand:
            case Levy(take, pay):
                return self._levy(take, pay)
            case _ if not move.use:
                man = man_name(texts, man_of(self.view.state, self.view.seat).name)
                return (Label(texts("ways.waive")),), texts("ways.waived", man=man)
            case Rob(take, keep):
                return self._robbery(take, keep)
            case SheriffPaysPassed():
                return self._office() or (Label(texts("ways.send")),), ""
            case LookAtOne():
                stack = self.view.state[move.who[0]].stack
                place, n = stack.index(move.cards[0]) + 1, len(stack)
                told = texts("ways.look", name=name(move.who[0]), place=place, n=n)
                hidden = texts("offer.stack_blind", n=n)
                return (self._from(move.who[0], hidden), Label(texts("ways.card", place=place, n=n))), told
            case TakeGood():
                good = texts.good(move.goods[0], 1)
                told = texts("ways.take_good", good=good, name=name(move.who[0]))
                return (*self._office(), self._good(move.goods[0])), told
            case SwapGoods():
                own, other = move.goods
                fields = {"own": texts.good(own, 1), "good": texts.good(other, 1), "name": name(move.who[0])}
                labels = self._good(own), self._from(move.who[0]), self._good(other)
                return labels, texts("ways.swap", **fields)
            case TakeTop():
                return self._top()
            case TakeConfiscated():
                good = self._discard().kind
                return (self._good(good),), texts("ways.take_confiscated", good=texts.good(good, 1))
            case CollectForGood(gold):
                return self._for_good(move.goods[0], gold)
            case SellGoods(_, times):
                goods = texts.goods(count_goods(self.view.state.setup, move.goods))
                paid = times * sum(value_of(self.view.state.setup, kind) for kind in move.goods)
                return (Label(goods, texts("offer.gold", n=paid)),), texts("ways.sell", goods=goods, n=paid)
            case _:
                return (Label(texts("ways.send")),), ""

    # -- gold

    def _robbery(self, take: int, keep: int) -> InWords:
        officer, *receivers = self.move.who
        taken = min(take, self.view.state[officer].gold)
        shares = ", ".join(f"{self.name(seat)} {gold}" for seat, gold in zip(receivers, self.move.gold, strict=True))
        told = self.texts("ways.rob", name=self.name(officer), n=taken if shares else min(taken, keep))
        told += " " + self.texts("ways.share", n=min(taken, keep), shares=shares) if shares else ""
        return (*self._office(), Label(shares or self.texts("ways.send"))), told

    def _levy(self, take: int, pay: int) -> InWords:
        who = list(self.move.who)
        if self.move.use:
            victim = who.pop(0)
            taken = min(take, self.view.state[victim].gold)
            first, told = self._from(victim), self.texts("ways.rob", name=self.name(victim), n=taken)
        else:
            first, told = Label(self.texts("ways.take_nothing")), self.texts("ways.take_nothing_told")
        if who:
            told += " " + self.texts("ways.pay", name=self.name(who[0]), n=pay)
        return (first, *(Label(self.texts("ways.to", name=self.name(seat)), self._gold(seat)) for seat in who)), told

    def _for_good(self, good: Kind, gold: int) -> InWords:
        state = self.view.state
        payers = [seat for seat in state.seats if seat != self.view.seat and good in kinds_of(state[seat].stall)]
        names = self.texts.every(map(self.name, payers))
        told = self.texts("ways.collect", good=self.texts.name(good), names=names, n=gold)
        return (Label(self.texts.name(good), names),), told

    # -- cards

    def _top(self) -> InWords:
        piles, card = self.view.state.piles, self._discard()
        good = self.texts.good(card.kind, 1)
        side = ""
        if len(piles) > 1:
            side = self.texts("tui.pile.left" if card in piles[0] else "tui.pile.right")
        return (Label(good, side),), self.texts("ways.take_top", good=good)

    def _discard(self) -> Card:
        return next(card for pile in self.view.state.piles for card in pile if card.handle in self.move.cards)

    # -- labels

    def _office(self) -> tuple[Label, ...]:
        """Returns which of two deputies it is about; a sheriff is the only one."""
        return (self._from(self.move.who[0]),) if len(self.view.state.officers) > 1 else ()

    def _from(self, seat: Seat, detail: str = "") -> Label:
        return Label(self.texts("ways.from", name=self.name(seat)), detail or self._gold(seat))

    def _gold(self, seat: Seat) -> str:
        gold = self.texts("offer.gold", n=self.view.state[seat].gold)
        return self.texts("ways.has_gold", name=self.name(seat), gold=gold)

    def _good(self, kind: Kind) -> Label:
        return Label(self.texts.good(kind, 1), self.texts("ways.worth", n=value_of(self.view.state.setup, kind)))
