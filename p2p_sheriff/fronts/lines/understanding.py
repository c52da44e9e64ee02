"""What a player types, understood: the commands of the line mode. Pure: a view and a line in, a move out.

English commands are understood in every language, and so are those of the player's own; with or without accents.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from p2p_sheriff.rules import Choice, Goods, Handle, Kind, LoadBag, Seat, View, legal_moves, moves
from p2p_sheriff.rules.bounds import HandOverBounds
from p2p_sheriff.rules.goods import Side
from p2p_sheriff.rules.law import stack_kinds
from p2p_sheriff.seat.intents import GameIntent, Mute, Say
from p2p_sheriff.texts import ENGLISH, Texts
from p2p_sheriff.texts.vocabulary import Vocabulary, fold


class NotUnderstood(Exception):  # noqa: N818 - it is an answer, not an error.
    """The line means nothing here; the sentence says what would."""


@dataclass(frozen=True, slots=True)
class Look:
    """Tell me about this."""

    what: str


Understood: TypeAlias = GameIntent | Look

_LOOKS = frozenset({"help", "hand", "table", "offers", "pile", "words"})


def help_for(choice: Choice | None, texts: Texts = ENGLISH) -> str:
    """Returns what can be typed as an answer to a choice; nothing if it has no commands."""
    return texts(f"help.{choice.name.lower()}") if choice in _ANSWERED else ""


def is_quit(line: str, texts: Texts = ENGLISH) -> bool:
    """Whether a line says that the player leaves the table."""
    return Vocabulary(texts).verb(line.strip()) == "quit"


def understand(
    view: View, names: Sequence[str], choice: Choice | None, line: str, texts: Texts = ENGLISH
) -> Understood:
    """Returns what a line means to this player now.

    Raises:
        NotUnderstood: Nothing; the sentence helps.
    """
    word, _, rest = unicodedata.normalize("NFC", line).strip().partition(" ")
    reader = _Reader(view, names, texts)
    verb, rest = reader.vocabulary.verb(word), rest.strip()
    if verb == "say" and rest:
        return Say(rest)
    if verb in _LOOKS:
        return Look(verb)
    understood = _CHOICES.get((choice, verb)) if choice else None
    understood = understood or _AT_ANY_TIME.get(verb)
    if understood is None:
        raise NotUnderstood(texts("line.means_nothing", help=help_for(choice, texts) or texts("help.waiting")))
    return understood(reader, rest)


class _Reader:
    """Reads the parts of a command for one view."""

    def __init__(self, view: View, names: Sequence[str], texts: Texts) -> None:
        self.view, self.seat = view, view.seat
        self.vocabulary = Vocabulary(texts)
        self._names, self._texts = names, texts

    # -- parts

    @property
    def hand(self) -> list[Handle]:
        return [card.handle for card in self.view.hand]

    def player(self, words: str) -> Seat:
        if self._is_me(words):
            return self.seat
        fits = self._called(words)
        if len(fits) != 1:
            known = ", ".join(self._names[seat] for seat in self.view.state.seats)
            if words:
                raise NotUnderstood(self._texts("line.who", word=words, names=known))
            raise NotUnderstood(self._texts("line.who_is_meant", names=known))
        return fits[0]

    def _is_me(self, words: str) -> bool:
        return self.seat in self.view.state.seats and self.vocabulary.means("me", words)

    def _called(self, words: str) -> list[Seat]:
        """Returns who is called so, or else whose names begin so."""
        typed, names = fold(words), {seat: fold(self._names[seat]) for seat in self.view.state.seats}
        exact = [seat for seat, name in names.items() if name == typed]
        return exact or [seat for seat, name in names.items() if typed and name.startswith(typed)]

    def player_first(self, words: str) -> tuple[Seat, str]:
        """Returns who is named at the beginning, by as many words as fit, and what stands after that."""
        parts = words.split()
        for length in range(len(parts), 0, -1):
            name = " ".join(parts[:length])
            if self._is_me(name) or len(self._called(name)) == 1:
                return self.player(name), " ".join(parts[length:])
        return self.player(parts[0] if parts else ""), ""

    def number(self, word: str) -> int:
        if not word:
            raise NotUnderstood(self._texts("line.number_missing"))
        if (number := self.vocabulary.number(word)) is None:
            raise NotUnderstood(self._texts("line.no_number", word=word))
        return number

    def kind(self, words: str) -> Kind:
        table = self.view.state.setup.table
        fits = self.vocabulary.kinds(words, table) if words else []
        if len(fits) > 1:  # Three letters of pepper mean pepper, also where the black market has a 'pepper 30'.
            fits = [kind for kind in fits if table[kind].side is not Side.PRIZE]
        if len(fits) != 1:
            known = ", ".join(self._texts.name(kind) for kind in table)
            if words:
                raise NotUnderstood(self._texts("line.no_good", word=words, goods=known))
            raise NotUnderstood(self._texts("line.good_missing", goods=known))
        return fits[0]

    def cards(self, words: str, among: Sequence[Handle]) -> tuple[Handle, ...]:
        places: list[int] = []
        for word in re.split(r"[\s,]+", re.sub(r"\s*[-\u2013]\s*", "-", words)):
            if word and not self.vocabulary.means("and", word):
                first, _, last = word.partition("-")
                places += self._places(self.number(first), self.number(last or first), len(among))
        if len(set(places)) != len(places):
            raise NotUnderstood(self._texts("line.cards", n=len(among)))
        return tuple(among[place - 1] for place in places)

    def _places(self, first: int, last: int, most: int) -> range:
        if not 1 <= first <= last <= most:
            raise NotUnderstood(self._texts("line.cards", n=most))
        return range(first, last + 1)

    def goods(self, counts: Counter[Kind]) -> Goods:
        return tuple((kind, counts[kind]) for kind in self.view.state.setup.table if counts[kind])

    def things(self, words: str) -> moves.Things:
        gold = stack_blind = bag_blind = 0
        stall, stack, bag = Counter[Kind](), Counter[Kind](), Counter[Kind]()
        for part in self.vocabulary.parts("and", words):
            if self.vocabulary.means("nothing", part):
                continue
            count, thing = self.vocabulary.counted(part)
            if count is None:
                raise NotUnderstood(self._texts("line.no_number", word=part.split()[0]))
            of_bag = self.vocabulary.before("from_bag", thing)
            hidden = self.vocabulary.before("face_down", thing)
            thing = thing if of_bag is None else of_bag
            thing = thing if hidden is None else hidden
            if self.vocabulary.means("gold", thing):
                gold += count
            elif self.vocabulary.means("blind", thing):
                bag_blind += 0 if of_bag is None else count
                stack_blind += count if of_bag is None else 0
            elif of_bag is not None:
                bag[self.kind(thing)] += count
            elif hidden is not None or self.kind(thing) in stack_kinds(self.view.state):
                stack[self.kind(thing)] += count
            else:
                stall[self.kind(thing)] += count
        return moves.Things(gold, self.goods(stall), self.goods(stack), stack_blind, self.goods(bag), bag_blind)

    def acts(self, words: str, giver: Seat) -> tuple[moves.Act, ...]:
        """Reads what is to be done with which bags; where none is named, it is the giver's."""
        acts = []
        for part in self.vocabulary.parts("then", words):
            word, _, name = part.partition(" ")
            verb = _ACTS.get(self.vocabulary.verb(word))
            if verb is None:
                raise NotUnderstood(self._texts("line.no_acts"))
            acts.append(moves.Act(self.player(name.strip()) if name.strip() else giver, verb))
        if not acts:
            raise NotUnderstood(self._texts("line.no_acts"))
        return tuple(acts)

    # -- commands

    def declare(self, rest: str) -> Understood:
        _, good = self.vocabulary.counted(rest)
        return moves.Declare(self.seat, len(self.view.knowledge.bag), self.kind(good))

    def let_pass(self, rest: str) -> Understood:
        name = self.vocabulary.before("for_nothing", rest)
        return moves.Pass(self.seat, self.player(rest if name is None else name), for_nothing=name is not None)

    def pay(self, rest: str) -> Understood:
        paid = self.things(rest)
        left = Counter(dict(paid.stack))
        cards = []
        for card in self.view.stack:
            if left[card.kind]:
                left[card.kind] -= 1
                cards.append((card.handle, card.kind))
        if +left:
            missing = ", ".join(self._texts.name(kind) for kind in +left)
            raise NotUnderstood(self._texts("line.too_much", goods=missing))
        return moves.PayInKind(self.seat, paid.stall, tuple(cards))

    def trade(self, rest: str) -> Understood:
        kind = self.kind(rest)
        cards = [(card.handle, card.kind) for card in self.view.stack if card.kind == kind][:3]
        if len(cards) < 3:
            raise NotUnderstood(self._texts("line.not_three", good=self._texts.name(kind)))
        return moves.Trade(self.seat, tuple(cards))

    def accept(self, rest: str) -> Understood:
        author, number = self.player_first(rest)
        standing = [one.offer for one in self.view.state.offers if one.offer.seat == author]
        if not number and len(standing) == 1:
            return moves.Accept(self.seat, author, standing[0].number)
        return moves.Accept(self.seat, author, self.number(number))

    def offer(self, giver: Seat, terms: str) -> moves.Offer:
        terms, promise = self.vocabulary.halves("promise", terms) or (terms, "")
        before_and = self.vocabulary.before("and", terms)
        terms = terms if before_and is None else before_and
        sides = self.vocabulary.around("for", terms)
        if sides is None and promise:  # The acts come last: promise a song for pass me.
            said = self.vocabulary.around("for", f" {promise}")
            promise, sides = (said[0], (terms, said[1])) if said else (promise, None)
        if sides is None:
            raise NotUnderstood(self._texts("line.one_side"))
        things, acts = sides
        state = self.view.state
        return moves.Offer.bribe(
            self.seat,
            state.offer_numbers[self.seat] + 1,
            giver,
            state.officers,
            self.acts(acts, giver),
            self.things(things),
            promise.strip(" ,"),
        )


def promised(view: View) -> tuple[Handle, ...]:
    """Returns the cards of which some are owed: they lie face down, or are in the bag."""
    owed = (one.handles for one in legal_moves(view.state, view.seat) if isinstance(one, HandOverBounds))
    return next(owed, tuple(card.handle for card in view.stack))


_ACTS = {"pass": moves.Verb.PASS, "inspect": moves.Verb.INSPECT}

_Command: TypeAlias = Callable[[_Reader, str], Understood]

_CHOICES: dict[tuple[Choice, str], _Command] = {
    (Choice.NAME_FIRST, "first"): lambda read, rest: moves.NameFirst(read.seat, read.player(rest)),
    (Choice.SET_ASIDE, "aside"): lambda read, rest: moves.SetAside(read.seat, read.cards(rest, read.hand)),
    (Choice.SET_ASIDE, "keep"): lambda read, _: moves.SetAside(read.seat, ()),
    (Choice.LOAD, "load"): lambda read, rest: LoadBag(read.seat, read.cards(rest, read.hand)),
    (Choice.DECLARE, "declare"): _Reader.declare,
    (Choice.ACT, "inspect"): lambda read, rest: moves.Inspect(read.seat, read.player(rest)),
    (Choice.ACT, "pass"): _Reader.let_pass,
    (Choice.HAND_OVER, "give"): lambda read, rest: moves.HandOver(read.seat, read.cards(rest, promised(read.view))),
    (Choice.PAY_IN_KIND, "pay"): _Reader.pay,
    (Choice.TRADE, "trade"): _Reader.trade,
    (Choice.TRADE, "no"): lambda read, _: moves.Trade(read.seat, ()),
}

_AT_ANY_TIME: dict[str, _Command] = {
    "offer": lambda read, rest: read.offer(read.seat, rest),
    "ask": lambda read, rest: read.offer(*read.player_first(rest)),
    "withdraw": lambda read, rest: moves.Withdraw(read.seat, read.number(rest)),
    "accept": _Reader.accept,
    "mute": lambda read, rest: Mute(read.player(rest), is_muted=True),
    "unmute": lambda read, rest: Mute(read.player(rest), is_muted=False),
}

_ANSWERED = frozenset(choice for choice, _ in _CHOICES)
"""The choices that have commands."""
