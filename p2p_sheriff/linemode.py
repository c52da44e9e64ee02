"""What a player types, understood: the commands of the line mode. Pure: a view and a line in, a move out."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from p2p_sheriff.rules import Card, Choice, Goods, Handle, Kind, Move, Seat, View
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Declare,
    HandOver,
    Inspect,
    NameFirst,
    Offer,
    Pass,
    PayInKind,
    Payment,
    SetAside,
    Trade,
    Verb,
    Withdraw,
)


class NotUnderstood(Exception):  # noqa: N818 - it is an answer, not an error.
    """The line means nothing here; the sentence says what would."""


@dataclass(frozen=True, slots=True)
class LoadBag:
    """Put these cards into the bag."""

    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Say this to all."""

    text: str


@dataclass(frozen=True, slots=True)
class Look:
    """Tell me about this."""

    what: str


Intent: TypeAlias = Move | LoadBag | Say | Look

LOOKS = ("help", "hand", "table", "offers", "pile")

HELP: dict[Choice, str] = {
    Choice.NAME_FIRST: "first NAME: who goes to the market first",
    Choice.SET_ASIDE: "aside 1 3 5: set these cards of your hand aside and draw others; keep: keep all",
    Choice.LOAD: "load 1 2 3: put these cards of your hand into the bag (one to five)",
    Choice.DECLARE: "declare apples: say what is in the bag (the number is always true, the rest need not be)",
    Choice.ACT: "inspect NAME; pass NAME; pass NAME for nothing; accept NAME 2; ask NAME 5 gold for pass NAME",
    Choice.HAND_OVER: "give 1 2: choose these of your face-down cards",
    Choice.PAY_IN_KIND: "pay 2 apples, 1 silk: give goods for what your gold does not cover",
    Choice.TRADE: "trade pepper: show three of them for the black-market card; no: keep them",
}
"""What can be typed, by what is asked."""

HAGGLING = (
    "offer 5 gold, 2 apples for pass me; offer 20 gold for pass me, inspect NAME; offer 1 silk from bag for pass me; "
    "withdraw 2; accept NAME 2"
)


def understand(view: View, names: Sequence[str], choice: Choice | None, line: str) -> Intent:
    """Returns what a line means to this player now.

    Raises:
        NotUnderstood: Nothing; the sentence helps.
    """
    verb, _, rest = line.strip().partition(" ")
    verb, rest = verb.lower(), rest.strip()
    if verb == "say" and rest:
        return Say(rest)
    if verb in LOOKS:
        return Look(f"{verb} {rest}".strip())
    reader = _Reader(view, names)
    understood = _CHOICES.get((choice, verb)) if choice else None
    understood = understood or _HAGGLING.get(verb)
    if understood is None:
        wanted = (choice and HELP.get(choice)) or "wait, or: say WORDS, hand, table, offers, help"
        raise NotUnderstood(f"That means nothing here. You can type: {wanted}.")
    return understood(reader, rest)


class _Reader:
    """Reads the parts of a command for one view."""

    def __init__(self, view: View, names: Sequence[str]) -> None:
        self.view, self.seat = view, view.seat
        self._names = names

    # -- parts

    def player(self, word: str) -> Seat:
        if word.lower() in ("me", "my", "mine"):
            return self.seat
        fits = [seat for seat in self.view.state.seats if self._names[seat].lower().startswith(word.lower())]
        if not word or len(fits) != 1:
            known = ", ".join(self._names[seat] for seat in self.view.state.seats)
            raise NotUnderstood(f"Who is {word or 'meant'}? At the table: {known}.")
        return fits[0]

    def number(self, word: str) -> int:
        if not re.fullmatch(r"\d{1,6}", word):
            raise NotUnderstood(f"{word or 'Nothing'} is no number.")
        return int(word)

    def kind(self, words: str) -> Kind:
        table = self.view.state.setup.table
        fits = [kind for kind in table if kind == words.lower()] or [
            kind for kind in table if kind.startswith(words.lower()) or kind.rstrip("s") == words.lower().rstrip("s")
        ]
        if not words or len(fits) != 1:
            raise NotUnderstood(f"There is no good called {words or 'so'}. There are: {', '.join(table)}.")
        return fits[0]

    def cards(self, words: str, among: Sequence[Card]) -> tuple[Handle, ...]:
        places = [self.number(word) for word in re.split(r"[\s,]+", words) if word]
        if any(not 1 <= place <= len(among) for place in places) or len(set(places)) != len(places):
            raise NotUnderstood(f"Name cards by their numbers, each once: 1 to {len(among)}.")
        return tuple(among[place - 1].handle for place in places)

    def goods(self, counts: Counter[Kind]) -> Goods:
        return tuple((kind, counts[kind]) for kind in self.view.state.setup.table if counts[kind])

    def payment(self, words: str) -> Payment:
        gold = stack_blind = bag_blind = 0
        stall, stack, bag = Counter[Kind](), Counter[Kind](), Counter[Kind]()
        promise = ""
        for part in filter(None, (part.strip() for part in re.split(r",| and ", words))):
            if part.startswith("promise "):
                promise = part.removeprefix("promise ").strip()
                continue
            count_word, _, thing = part.partition(" ")
            count, thing = self.number(count_word), thing.strip().lower()
            from_bag = thing.endswith("from bag")
            hidden = thing.endswith("face down")
            thing = thing.removesuffix("from bag").removesuffix("face down").strip()
            if thing == "gold":
                gold += count
            elif thing == "blind":
                bag_blind += count if from_bag else 0
                stack_blind += 0 if from_bag else count
            elif from_bag:
                bag[self.kind(thing)] += count
            elif hidden or self.kind(thing) in self.view.state.setup.contraband:
                stack[self.kind(thing)] += count
            else:
                stall[self.kind(thing)] += count
        return Payment(gold, self.goods(stall), self.goods(stack), stack_blind, self.goods(bag), bag_blind, promise)

    def acts(self, words: str) -> tuple[Act, ...]:
        acts = []
        for part in filter(None, (part.strip() for part in re.split(r",| then ", words))):
            verb, _, name = part.partition(" ")
            verbs = {"pass": Verb.PASS, "inspect": Verb.INSPECT}
            if verb.lower() not in verbs:
                raise NotUnderstood(
                    "Say what is to be done for it: for pass me; for inspect NAME; several with commas."
                )
            acts.append(Act(self.player(name.strip() or "me"), verbs[verb.lower()]))
        if not acts:
            raise NotUnderstood("Say what is to be done for it: ... for pass me.")
        return tuple(acts)

    # -- commands

    def first(self, rest: str) -> Intent:
        return NameFirst(self.seat, self.player(rest))

    def aside(self, rest: str) -> Intent:
        return SetAside(self.seat, self.cards(rest, self.view.hand))

    def keep(self, _rest: str) -> Intent:
        return SetAside(self.seat, ())

    def load(self, rest: str) -> Intent:
        return LoadBag(self.cards(rest, self.view.hand))

    def declare(self, rest: str) -> Intent:
        words = re.sub(r"^\d+\s+", "", rest)
        return Declare(self.seat, len(self.view.knowledge.bag), self.kind(words))

    def inspect(self, rest: str) -> Intent:
        return Inspect(self.seat, self.player(rest))

    def let_pass(self, rest: str) -> Intent:
        name, _, how = rest.partition(" ")
        return Pass(self.seat, self.player(name), for_nothing=how.strip().lower() == "for nothing")

    def give(self, rest: str) -> Intent:
        return HandOver(self.seat, self.cards(rest, self.view.stack))

    def pay(self, rest: str) -> Intent:
        paid = self.payment(rest)
        left = Counter(dict(paid.stack))
        cards = []
        for card in self.view.stack:
            if left[card.kind]:
                left[card.kind] -= 1
                cards.append((card.handle, card.kind))
        if +left:
            raise NotUnderstood(f"You have not so much: {', '.join(+left)}.")
        return PayInKind(self.seat, paid.stall, tuple(cards))

    def trade(self, rest: str) -> Intent:
        kind = self.kind(rest)
        cards = [(card.handle, card.kind) for card in self.view.stack if card.kind == kind][:3]
        if len(cards) < 3:
            raise NotUnderstood(f"You have not three {kind} face down.")
        return Trade(self.seat, tuple(cards))

    def no(self, _rest: str) -> Intent:
        return Trade(self.seat, ())

    def accept(self, rest: str) -> Intent:
        name, _, number = rest.partition(" ")
        author = self.player(name)
        standing = [one.offer for one in self.view.state.offers if one.offer.seat == author]
        if not number and len(standing) == 1:
            return Accept(self.seat, author, standing[0].number)
        return Accept(self.seat, author, self.number(number.strip()))

    def withdraw(self, rest: str) -> Intent:
        return Withdraw(self.seat, self.number(rest))

    def offer(self, rest: str) -> Intent:
        return self._offer(self.seat, rest)

    def ask(self, rest: str) -> Intent:
        name, _, terms = rest.partition(" ")
        return self._offer(self.player(name), terms)

    def _offer(self, payer: Seat, terms: str) -> Offer:
        payment, divider, acts = terms.partition(" for ")
        if not divider:
            raise NotUnderstood("An offer has two sides: offer 5 gold for pass me.")
        state = self.view.state
        number = state.offer_numbers[self.seat] + 1
        return Offer(self.seat, number, payer, state.officers, self.acts(acts), self.payment(payment))


_Command: TypeAlias = Callable[[_Reader, str], Intent]

_CHOICES: dict[tuple[Choice, str], _Command] = {
    (Choice.NAME_FIRST, "first"): _Reader.first,
    (Choice.SET_ASIDE, "aside"): _Reader.aside,
    (Choice.SET_ASIDE, "keep"): _Reader.keep,
    (Choice.LOAD, "load"): _Reader.load,
    (Choice.DECLARE, "declare"): _Reader.declare,
    (Choice.ACT, "inspect"): _Reader.inspect,
    (Choice.ACT, "pass"): _Reader.let_pass,
    (Choice.HAND_OVER, "give"): _Reader.give,
    (Choice.PAY_IN_KIND, "pay"): _Reader.pay,
    (Choice.TRADE, "trade"): _Reader.trade,
    (Choice.TRADE, "no"): _Reader.no,
}

_HAGGLING: dict[str, _Command] = {
    "offer": _Reader.offer,
    "ask": _Reader.ask,
    "withdraw": _Reader.withdraw,
    "accept": _Reader.accept,
}
