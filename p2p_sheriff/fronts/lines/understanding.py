"""What a player types, understood: the commands of the line mode. Pure: a view and a line in, a move out.

English commands are understood in every language, and so are those of the player's own; with or without accents.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from p2p_sheriff.fronts.lines.cardlines import in_hand
from p2p_sheriff.fronts.lines.discards import to_put_back
from p2p_sheriff.rules import Choice, Goods, Handle, Kind, LoadBag, Seat, State, View, legal_moves, moves
from p2p_sheriff.rules.bounds import DiscardBounds, HandOverBounds
from p2p_sheriff.rules.cards import receiver_of
from p2p_sheriff.rules.deals import deciding
from p2p_sheriff.rules.goods import Side
from p2p_sheriff.rules.law import hidden_kinds
from p2p_sheriff.rules.loot import loot_items
from p2p_sheriff.rules.steps import ShareOut
from p2p_sheriff.seat import stakes
from p2p_sheriff.seat.asking import question
from p2p_sheriff.seat.deciding import decision
from p2p_sheriff.seat.intents import (
    Autopilot,
    GameIntent,
    GoOnWithout,
    LeaveForGood,
    Mute,
    NothingMore,
    PassTheRest,
    Say,
    WaitOn,
)
from p2p_sheriff.seat.narration import Narrator
from p2p_sheriff.seat.numbering import Numbers
from p2p_sheriff.seat.sharing import Pile, lying, split_of
from p2p_sheriff.seat.ways import LISTED, ways
from p2p_sheriff.texts import ENGLISH, Texts
from p2p_sheriff.texts.vocabulary import Vocabulary, fold


class NotUnderstood(Exception):  # noqa: N818 - it is an answer, not an error.
    """The line means nothing here; the sentence says what would."""


@dataclass(frozen=True, slots=True)
class Look:
    """Tell me about this."""

    what: str


Understood: TypeAlias = GameIntent | Look

_LOOKS = frozenset({"help", "hand", "table", "offers", "pile", "words", "history", "cards"})


def help_for(choice: Choice | None, texts: Texts = ENGLISH, state: State | None = None) -> str:
    """Returns what can be typed as an answer to a choice; nothing if it has no commands."""
    if choice not in _ANSWERED:
        return ""
    asked = f"help.{question(state, choice)}" if state is not None else ""  # Deputies may be told more.
    return texts(asked if asked in texts.entries else f"help.{choice.name.lower()}")


def is_numbers(line: str) -> bool:
    """Whether a line has nothing but numbers of cards: it answers whatever is asked."""
    return re.fullmatch(r"[\d\s,-]*\d[\d\s,-]*", line.strip()) is not None


def stake(view: View, intent: Understood) -> int:
    """Returns the gold that the player would give, if that is so much that it may be a slip.

    Above ten, and above half of the purse.
    """
    match intent:
        case moves.Offer() as offer:
            given = offer.gifts
        case moves.Accept(_, author, number):
            offers = (one.offer for one in view.state.offers)
            given = next((one.gifts for one in offers if (one.seat, one.number) == (author, number)), ())
        case _:
            return 0
    gold = sum(gift.things.gold for gift in given if gift.giver == view.seat)
    return gold if stakes.is_much(gold, view.me.gold) else 0


def is_quit(line: str, texts: Texts = ENGLISH) -> bool:
    """Whether a line says that the player leaves the table."""
    return Vocabulary(texts).verb(line.strip()) == "quit"


def understand(
    view: View,
    names: Sequence[str],
    choice: Choice | None,
    line: str,
    texts: Texts = ENGLISH,
    numbers: Numbers | None = None,
) -> Understood:
    """Returns what a line means to this player now; offers have their numbers, or else those that authors give them.

    Raises:
        NotUnderstood: Nothing; the sentence helps.
    """
    word, _, rest = unicodedata.normalize("NFC", line).strip().partition(" ")
    reader = _Reader(view, names, texts, numbers)
    verb, rest = reader.vocabulary.verb(word), rest.strip()
    if verb == "say" and rest:
        return Say(rest)
    if verb in _LOOKS:
        return Look(verb)
    if choice in _NUMBERED and is_numbers(line):
        verb, rest = _NUMBERED[choice], line
    understood = _CHOICES.get((choice, verb)) if choice else None
    understood = understood or _AT_ANY_TIME.get(verb)
    now = help_for(choice, texts, view.state) or texts("help.waiting")
    is_late = verb == "done" and view.seat not in view.state.closed_bags  # The bag was dealt with meanwhile.
    if is_late or (understood is None and any(verb == known for _, known in _CHOICES)):
        raise NotUnderstood(texts("line.not_now", word=word, help=now))
    if understood is None:
        raise NotUnderstood(texts("line.means_nothing", help=now))
    return understood(reader, rest)


class _Reader:
    """Reads the parts of a command for one view."""

    def __init__(self, view: View, names: Sequence[str], texts: Texts, numbers: Numbers | None) -> None:
        self.view, self.seat = view, view.seat
        self._narrator, self._numbers = Narrator(names, texts, numbers=numbers), numbers or {}
        self.vocabulary = Vocabulary(texts)
        self._names, self._texts = names, texts

    # -- parts

    @property
    def hand(self) -> list[Handle]:
        return [card.handle for card in in_hand(self.view)]

    @property
    def loadable(self) -> list[Handle]:
        """The hand, and after it the own merry man (rule 16.2)."""
        return [*self.hand, *self.view.me.men[:1]]

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
            elif hidden is not None or self.kind(thing) in hidden_kinds(self.view.state.setup, ()):
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

    def take(self, rest: str) -> Understood:
        """Reads how many cards of each pile are taken: 2 1; 2 left, 1 right; nothing."""
        if self.vocabulary.means("nothing", rest):
            return moves.TakeDiscards(self.seat, (0, 0))
        if re.fullmatch(r"[0-9]+[\s,]+[0-9]+", rest):
            left, right = map(self.number, re.split(r"[\s,]+", rest))
            return moves.TakeDiscards(self.seat, (left, right))
        counts = [0, 0]
        for part in self.vocabulary.parts("and", rest):
            count, pile = self.vocabulary.counted(part)
            if count is None:
                raise NotUnderstood(self._texts("line.take"))
            counts[self.pile(pile, "line.take")] += count
        if not rest:
            raise NotUnderstood(self._texts("line.take"))
        return moves.TakeDiscards(self.seat, (counts[0], counts[1]))

    def lay(self, rest: str) -> Understood:
        """Reads onto which pile cards go, and in which order; without numbers as they are listed."""
        lying = [card.handle for card in to_put_back(self.view)]
        words = re.sub(r"[\d\s,-]*$", "", rest)
        pile, numbers = self.pile(words, "line.lay"), rest[len(words) :]
        handles = self.cards(numbers, lying) if numbers.strip() else tuple(lying)
        if len(handles) != len(lying):
            raise NotUnderstood(self._texts("line.lay"))
        return moves.LayDown(self.seat, pile, handles)

    def pile(self, words: str, help_key: str) -> int:
        for place, side in enumerate(("left", "right")):
            if self.vocabulary.means(side, words):
                return place
        raise NotUnderstood(self._texts(help_key))

    def let_pass(self, rest: str) -> Understood:
        if self.vocabulary.means("the_rest", rest):
            return PassTheRest()
        name = self.vocabulary.before("for_nothing", rest)
        bag = self.player(rest if name is None else name)
        return decision(self.view, bag, moves.Verb.PASS, for_nothing=name is not None)

    def share(self, rest: str) -> Understood:
        """Reads what the proposer would get of the Loot."""
        things, loot = self.things(rest), self.view.state.loot
        wanted: Pile = {**dict(things.stall), **dict(things.stack), None: things.stack_blind}
        if any(count > lying(loot).get(kind, 0) for kind, count in wanted.items()):
            raise NotUnderstood(self._texts("refusals.loot_item"))
        return moves.ShareLoot(self.seat, split_of(loot, things.gold, wanted))

    def accept_share(self, rest: str) -> Understood:
        match self.view.state.todo:
            case (ShareOut(moves.Split() as proposal), *_):
                return moves.ShareLoot(self.seat, proposal)
            case _:
                return self.accept(rest)

    def pick(self, rest: str) -> Understood:
        items = loot_items(self.view.state)
        if not 1 <= (place := self.number(rest)) <= len(items):
            raise NotUnderstood(self._texts("refusals.loot_item"))
        return moves.PickLoot(self.seat, items[place - 1])

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

    def choose(self, choice: Choice, rest: str) -> Understood:
        """Reads the number of a way to answer, as they are listed."""
        listed = ways(self.view, choice, self._texts, self._narrator.name)
        if not 1 <= (place := self.number(rest)) <= len(listed):
            raise NotUnderstood(self._texts("line.choose", n=len(listed)))
        return listed[place - 1].move

    def discard(self, rest: str) -> Understood:
        """Reads which cards of the hand are discarded: by number, and none twice."""
        if self._swappable() is not None:
            raise NotUnderstood(self._texts("line.swap"))
        return moves.Discard(self.seat, self._claimed(rest))

    def swap(self, rest: str) -> Understood:
        """Reads which cards of the hand are given for which discards: swap 1 3 for 1 silk, 1 apple."""
        lying, sides = self._swappable(), self.vocabulary.around("for", f" {rest}")
        if lying is None or sides is None:
            raise NotUnderstood(self._texts("line.swap"))
        kinds, taken = self.view.state.kinds, list[Handle]()
        things = self.things(sides[1])
        for kind, count in (*things.stall, *things.stack):
            there = [handle for handle in lying if kinds[handle] == kind][:count]
            if len(there) < count:
                raise NotUnderstood(self._texts("line.not_discarded", good=self._texts.name(kind)))
            taken += there
        return moves.Discard(self.seat, self._claimed(sides[0]), tuple(taken))

    def _swappable(self) -> tuple[Handle, ...] | None:
        """Returns the discards that can be had for cards of the hand; None if nothing is swapped now."""
        bounds = (one for one in legal_moves(self.view.state, self.seat) if isinstance(one, DiscardBounds))
        return next((one.taken for one in bounds), None)

    def _claimed(self, words: str) -> tuple[tuple[Handle, Kind], ...]:
        return tuple((handle, self.view.knowledge.kinds[handle]) for handle in self.cards(words, self.hand))

    def without(self, rest: str) -> Understood:
        names = self.vocabulary.parts("and", rest) or [""]
        return GoOnWithout(tuple(sorted({self.player(name) for name in names})))

    def accept(self, rest: str) -> Understood:
        return moves.Accept(self.seat, *self._meant(rest))

    def refuse(self, rest: str) -> Understood:
        return moves.Refuse(self.seat, *self._meant(rest))

    def _meant(self, rest: str) -> tuple[Seat, int]:
        """Reads whose offer is meant, and which; of somebody's only one, the number need not be said."""
        author, number = self.player_first(rest)
        standing = [one.offer for one in self.view.state.offers if one.offer.seat == author]
        if number:
            return author, self.offer_number(author, number)
        if not standing:
            raise NotUnderstood(self._texts("line.no_offer", name=self._names[author]))
        if len(standing) > 1:
            numbers = self._texts.either(str(self._narrator.number(author, one.number)) for one in standing)
            raise NotUnderstood(self._texts("line.which_offer", name=self._names[author], numbers=numbers))
        return author, standing[0].number

    def offer_number(self, author: Seat, word: str) -> int:
        """Reads the number of somebody's offer as it is shown, the last that was told so."""
        typed = self.number(word)
        known = (own for (seat, own), told in reversed(self._numbers.items()) if (seat, told) == (author, typed))
        return next(known, typed - 1)

    def deal(self, rest: str) -> moves.Offer:
        """Reads who gives whom what, and what is done for it, if anything: deal me ANN 5 gold; BEN me 1 silk."""
        terms, promise = self.vocabulary.halves("promise", rest) or (rest, "")
        sides = self.vocabulary.around("for", terms)
        state, acts = self.view.state, self.acts(sides[1], self.seat) if sides else ()
        first = acts[0].bag if acts else None
        officers = deciding(state, first) if first in state.closed_bags else state.officers
        gifts = [self._gift(part, officers) for part in (sides[0] if sides else terms).split(";") if part.strip()]
        number = state.offer_numbers[self.seat] + 1
        return moves.Offer(self.seat, number, officers, tuple(gifts), acts, promise.strip(" ,"))

    def _gift(self, words: str, officers: tuple[Seat, ...]) -> moves.Gift:
        """Reads who gives whom what, and whether it hangs on how the bag is found."""
        giver, rest = self.player_first(words.strip(" ,"))
        receiver, things = self.player_first(rest)
        condition = None
        for name, one in (("if_true", moves.Condition.IF_TRUE), ("if_lie", moves.Condition.IF_LIE)):
            if (before := self.vocabulary.before(name, things)) is not None:
                things, condition = before, one
        receiver = receiver_of(officers) if receiver in officers else receiver
        return moves.Gift(giver, receiver, self.things(things), condition)

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
        state, acts, things = self.view.state, self.acts(sides[1], giver), self.things(sides[0])
        first = acts[0].bag
        officers = deciding(state, first) if first in state.closed_bags else state.officers
        number = state.offer_numbers[self.seat] + 1
        return moves.Offer.bribe(self.seat, number, giver, officers, acts, things, promise.strip(" ,"))


def promised(view: View) -> tuple[Handle, ...]:
    """Returns the cards of which some are owed: they lie face down, or are in the bag."""
    owed = (one.handles for one in legal_moves(view.state, view.seat) if isinstance(one, HandOverBounds))
    return next(owed, tuple(card.handle for card in view.stack))


_ACTS = {"pass": moves.Verb.PASS, "inspect": moves.Verb.INSPECT}


def _chosen(choice: Choice, read: _Reader, rest: str) -> Understood:
    return read.choose(choice, rest)


_Command: TypeAlias = Callable[[_Reader, str], Understood]

_CHOICES: dict[tuple[Choice, str], _Command] = {
    (Choice.NAME_FIRST, "first"): lambda read, rest: moves.NameFirst(read.seat, read.player(rest)),
    (Choice.SET_ASIDE, "aside"): lambda read, rest: moves.SetAside(read.seat, read.cards(rest, read.hand)),
    (Choice.SET_ASIDE, "keep"): lambda read, _: moves.SetAside(read.seat, ()),
    (Choice.TAKE_DISCARDS, "take"): _Reader.take,
    (Choice.LAY_DOWN, "lay"): _Reader.lay,
    (Choice.LOAD, "load"): lambda read, rest: LoadBag(read.seat, read.cards(rest, read.loadable)),
    (Choice.DECLARE, "declare"): _Reader.declare,
    (Choice.ACT, "inspect"): lambda read, rest: decision(read.view, read.player(rest), moves.Verb.INSPECT),
    (Choice.ACT, "pass"): _Reader.let_pass,
    (Choice.ACT, "apart"): lambda read, rest: moves.Apart(read.seat, read.player(rest)),
    (Choice.HAND_OVER, "give"): lambda read, rest: moves.HandOver(read.seat, read.cards(rest, promised(read.view))),
    (Choice.PAY_IN_KIND, "pay"): _Reader.pay,
    (Choice.TRADE, "trade"): _Reader.trade,
    (Choice.TRADE, "no"): lambda read, _: moves.Trade(read.seat, ()),
    (Choice.SHARE_LOOT, "share"): _Reader.share,
    (Choice.SHARE_LOOT, "even"): lambda read, _: moves.ShareLoot(read.seat),
    (Choice.SHARE_LOOT, "accept"): _Reader.accept_share,
    (Choice.PICK_LOOT, "pick"): _Reader.pick,
    (Choice.DISCARD, "discard"): _Reader.discard,
    (Choice.DISCARD, "trade"): _Reader.swap,
    (Choice.DISCARD, "keep"): lambda read, _: moves.Discard(read.seat),
    (Choice.LAY_OUT, "no"): lambda read, _: moves.LayOut(read.seat),
    (Choice.FILL_ORDERS, "no"): lambda read, _: moves.FillOrders(read.seat),
    **{(choice, "pick"): partial(_chosen, choice) for choice in LISTED},
}

_AT_ANY_TIME: dict[str, _Command] = {
    "offer": lambda read, rest: read.offer(read.seat, rest),
    "ask": lambda read, rest: read.offer(*read.player_first(rest)),
    "deal": _Reader.deal,
    "withdraw": lambda read, rest: moves.Withdraw(read.seat, read.offer_number(read.seat, rest)),
    "accept": _Reader.accept,
    "refuse": _Reader.refuse,
    "done": lambda _read, _rest: NothingMore(),
    "without": _Reader.without,
    "wait": lambda _read, _rest: WaitOn(),
    "autopilot": lambda _read, _rest: Autopilot(is_on=True),
    "leave": lambda _read, _rest: LeaveForGood(),
    "mute": lambda read, rest: Mute(read.player(rest), is_muted=True),
    "unmute": lambda read, rest: Mute(read.player(rest), is_muted=False),
}

_NUMBERED: dict[Choice | None, str] = {
    Choice.SET_ASIDE: "aside",
    Choice.TAKE_DISCARDS: "take",
    Choice.LOAD: "load",
    Choice.HAND_OVER: "give",
    Choice.PICK_LOOT: "pick",
    Choice.DISCARD: "discard",
    **dict.fromkeys(LISTED, "pick"),
}
"""What numbers alone mean."""

_ANSWERED = frozenset(choice for choice, _ in _CHOICES)
"""The choices that have commands."""
