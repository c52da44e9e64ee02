"""Choosing one of a few things: who begins, what to declare, what to trade, how to share, what to pick."""

from collections import Counter
from dataclasses import dataclass, field, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys, digits, stepped
from p2p_sheriff.fronts.tui.model import Model, Turn, good_style
from p2p_sheriff.rules import Choice, Kind, LegalMove, Move, Seat, State, View
from p2p_sheriff.rules.black_market import CARDS_FOR_A_PRIZE, wanted_kinds
from p2p_sheriff.rules.bounds import TradeBounds
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.goods import BLACK_MARKET
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.market import cards_needed, lacking
from p2p_sheriff.rules.moves import Declare, NameFirst, PickLoot, ShareLoot, TakeDiscards, Trade
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.seat import stakes
from p2p_sheriff.seat.asking import question
from p2p_sheriff.seat.words import Words

_DIGITS = 9
"""So many lines can be chosen by a digit."""


@dataclass(frozen=True, slots=True)
class Option:
    """One line to choose."""

    label: str
    detail: str
    move: Move
    style: str = ""
    seat: Seat | None = None
    """Whose stall stands for it."""


@dataclass(frozen=True, slots=True)
class Options:
    """One of these is chosen."""

    choice: Choice
    title: str = field(repr=False)
    options: tuple[Option, ...] = field(repr=False)
    cursor: int = 0

    @property
    def marked(self) -> Seat | None:
        """The stall that the cursor points at."""
        return self.options[self.cursor].seat

    def press(self, model: Model, key: str) -> Turn | None:
        """Moves, or chooses."""
        match key:
            case "up" | "down" | "wheel-up" | "wheel-down" | "left" | "right":
                return model.asking(replace(self, cursor=stepped(self.cursor, key, len(self.options)))), ()
            case "home":
                return model.asking(replace(self, cursor=0)), ()
            case "end":
                return model.asking(replace(self, cursor=len(self.options) - 1)), ()
            case "enter":
                return replace(model, sending=True), (self.options[self.cursor].move,)
            case _ if key.isdecimal() and 1 <= int(key) <= len(self.options):
                return model.asking(replace(self, cursor=int(key) - 1)), ()
            case _ if key.startswith("row:"):
                place = int(key.removeprefix("row:"))
                return self.press(model, "enter") if place == self.cursor else self.press(model, str(place + 1))
            case _ if key.startswith("seat:"):
                seats = [option.seat for option in self.options]
                seat = Seat(int(key.removeprefix("seat:")))
                return self.press(model, f"row:{seats.index(seat)}") if seat in seats else None
            case _:
                return None

    def renewed(self, model: Model) -> "Options | None":
        """Returns itself while the same is asked."""
        fresh = of_choice(model)
        return self if fresh is not None and fresh.options == self.options else None

    def draw(self, _model: Model, canvas: Canvas) -> int:
        """Draws the lines, and beside them what the marked one means."""
        canvas.rule(0, self.title)
        rows = canvas.height - 1
        first = max(0, min(self.cursor - rows // 2, len(self.options) - rows))
        wide = max(24, canvas.width * 2 // 5) if any(option.detail for option in self.options) else canvas.width - 4
        for y, place in enumerate(range(first, min(len(self.options), first + rows)), start=1):
            option = self.options[place]
            is_marked = place == self.cursor
            canvas.put(1, y, "▶" if is_marked else " ", "border.on")
            canvas.put(3, y, f" {place + 1} ", "key" if place < _DIGITS else "faint")
            canvas.put(7, y, option.label, "cursor" if is_marked else option.style, wide - 7)
            canvas.click(f"row:{place}", 0, y, wide)
        beside = canvas.part(wide + 2, 1, canvas.width - wide - 3, rows)
        low = beside.put_wrapped(0, 0, self.options[self.cursor].detail, "strong")
        return 1 + min(rows, max(low, len(self.options)))

    def prompt(self, model: Model) -> str:
        """Returns the question."""
        if self.choice is Choice.DECLARE:
            return model.words("ask.declare", n=len(model.mine.knowledge.bag))
        return model.words(f"ask.{question(model.mine.state, self.choice)}")

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        done = "key.declare" if self.choice is Choice.DECLARE else "key.done"
        return ("↑↓", "key.move"), (digits(len(self.options)), "key.take"), ("Enter", done)


def of_choice(model: Model) -> Options | None:
    """Returns the dialogue for a choice among a few things; None if the choice is about something else."""
    view, choice, words = model.view, model.choice, model.words
    if view is None or choice is None:
        return None
    options = tuple(option for move in model.legal() for option in _options_of(model, view, choice, move))
    if not options:
        return None
    title = words(f"ask.{question(view.state, choice)}", n=0)
    if choice is Choice.DECLARE:
        title = stakes.bag_in_words(words, view)
        kinds = [option.move.kind for option in options if isinstance(option.move, Declare)]
        return Options(choice, title, options, kinds.index(stakes.likeliest(view.state, kinds_of(view.bag))))
    for option in options:
        if isinstance(option.move, ShareLoot) and option.move.split is not None:
            title = option.detail  # What is proposed is seen before it is accepted.
    return Options(choice, title, options)


def _options_of(model: Model, view: View, choice: Choice, move: LegalMove) -> list[Option]:
    words, state = model.words, view.state
    match choice, move:
        case Choice.NAME_FIRST, NameFirst(_, merchant):
            return [Option(words("first.row", name=model.name(merchant)), "", move, seat=merchant)]
        case Choice.DECLARE, Declare(_, count, kind) if count == len(view.knowledge.bag):
            at_stake = stakes.stakes(view, kinds_of(view.bag), kind, stakes.man_in_bag(view))
            key = "declare.true" if at_stake.is_true else "declare.lie"
            label = words(key, goods=words.counted(kind, count))
            detail = stakes.in_words(words, view, at_stake)
            return [Option(label, detail, move, good_style(state, kind))]
        case Choice.TAKE_DISCARDS, TakeDiscards(_, (left, right)):
            need = cards_needed(state, view.seat)
            deck, tops = need - left - right, _tops(words, state, need)
            taken = [card.kind for pile, n in zip(state.piles, (left, right), strict=True) for card in pile[::-1][:n]]
            details = [words("take.detail", goods=words.goods(count_goods(state.setup, taken)))] if taken else []
            details += [words("take.short")] if lacking(state, view.seat, move.counts) else []
            return [Option(words("take.row", left=left, right=right, deck=deck), " ".join((*details, tops)), move)]
        case Choice.TRADE, Trade(_, ()):
            wanted = ", ".join(words.good(kind) for kind in wanted_kinds(state))
            counts = Counter(kinds_of(view.stack))
            able = any(counts[kind] >= CARDS_FOR_A_PRIZE for kind in wanted_kinds(state))
            detail = "" if able else words("trade.none_detail", goods=wanted)
            return [Option(words("trade.none"), detail, move)]
        case Choice.TRADE, TradeBounds():
            return _trades(words, view, move)
        case Choice.SHARE_LOOT, ShareLoot(_, split):
            if split is None:
                return [Option(words("loot.even"), words("loot.even_detail"), move)]
            return [Option(words("loot.accept"), model.narrator.split(state, split), move)]
        case Choice.PICK_LOOT, PickLoot(_, item):
            kinds = {card.handle: card.kind for card in state.loot.cards}
            name: Kind | None = item if isinstance(item, str) else kinds[item]
            return [Option(words.good(name) if name else words("loot.card"), "", move)]
        case _:
            return []


def _tops(words: Words, state: State, count: int) -> str:
    """Returns what lies on top of the discard piles, as far down as cards can be taken."""
    tops = (", ".join(words.good(kind) for kind in kinds_of(pile[::-1][:count])) for pile in state.piles)
    left, right = (top or words("take.no_top") for top in tops)
    return words("take.tops", left=left, right=right)


def _trades(words: Words, view: View, bounds: TradeBounds) -> list[Option]:
    counts = Counter(kinds_of(view.stack))
    prizes = {kind: left[0] for (kind, _), left in zip(BLACK_MARKET, view.state.market, strict=True) if left}
    options = []
    for kind in bounds.kinds:
        if counts[kind] >= CARDS_FOR_A_PRIZE:
            cards = tuple((card.handle, card.kind) for card in view.stack if card.kind == kind)[:CARDS_FOR_A_PRIZE]
            value = value_of(view.state.setup, prizes[kind])
            prize = words.good(prizes[kind])
            label = words("trade.row", good=words.good(kind), prize=prize)
            detail = words("trade.detail", prize=prize, value=value)
            options.append(Option(label, detail, Trade(view.seat, cards), "good.contraband"))
    return options
