"""Composing an offer: what is paid, and what is done for it. Few keys for usual ones, all of rule 7.4 for the rest."""

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.confirming import Confirming, box_in
from p2p_sheriff.fronts.tui.keyboard import Keys, stepped
from p2p_sheriff.fronts.tui.model import Model, Turn, good_style
from p2p_sheriff.rules import Goods, Kind, Seat, View
from p2p_sheriff.rules.bounds import OfferBounds
from p2p_sheriff.rules.cards import LOOT, receiver_of
from p2p_sheriff.rules.deals import MAX_PROMISE_CHARACTERS, deciding, problem_with
from p2p_sheriff.rules.law import coin, in_force
from p2p_sheriff.rules.legal import offer_bounds
from p2p_sheriff.rules.modules.law_cards import NoCoin
from p2p_sheriff.rules.moves import NOTHING, Act, Condition, Gift, Offer, Things, Verb
from p2p_sheriff.seat import stakes
from p2p_sheriff.seat.effects import effects
from p2p_sheriff.seat.printed import law_name
from p2p_sheriff.texts import translated
from p2p_sheriff.texts.cells import wrap

USUAL_GOLD = 5
"""What an offer begins with, if the giver has it."""
_LEAP = 5


class Part(Enum):
    """A part of an offer, called as in the words, and in what is given where it is about that."""

    GOLD = "gold"
    ACTS = "acts"
    STALL = "stall"
    STACK = "stack"
    BAG = "bag"
    PROMISE = "promise"
    TO = "to"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the composer."""

    part: Part
    label: str
    thing: Kind | Seat | None = None
    """The good, or whose bag; None for gold and for cards given unseen."""
    most: int = 0
    hint: str = ""
    style: str = ""

    @property
    def field(self) -> str:
        """Which of the things that are given has its number."""
        is_blind = self.part in (Part.STACK, Part.BAG) and self.thing is None
        return f"{self.part.value}_blind" if is_blind else self.part.value


@dataclass(frozen=True, slots=True)
class Composer:
    """An offer as far as it is composed."""

    giver: Seat
    officers: tuple[Seat, ...]
    acts: tuple[Act, ...]
    things: Things = NOTHING
    promise: str = ""
    receiver: Seat | None = None
    """Which merchant gets it; None: those who act."""
    condition: Condition | None = None
    gifts: tuple[Gift, ...] = ()
    """What others give besides, or this one to others."""
    cursor: int = 0
    typing: bool = False
    """Whether the number in the line is being typed: the first digit replaces what stood there."""

    # -- where it begins

    @classmethod
    def about(cls, model: Model, bag: Seat) -> "Composer | None":
        """Returns an offer about a bag: the owner's to pass, somebody else's to have it inspected."""
        view = model.mine
        officers = deciding(view.state, bag)
        giver = bag if view.seat in officers else view.seat
        act = Act(bag, Verb.PASS if giver == bag else Verb.INSPECT)
        composer = cls(giver, officers, (act,), Things(gold=min(USUAL_GOLD, coin(view.state, giver))))
        return composer.renewed(model)

    @classmethod
    def countering(cls, model: Model, offer: Offer) -> "Composer | None":
        """Returns an offer that begins as another one: the same deal for who is part of it, else an own one."""
        view = model.mine
        if not offer.is_bribe:
            return None
        gift = offer.gift
        if view.seat in offer.parties:
            return cls(gift.giver, offer.officers, offer.acts, gift.things, offer.promise).renewed(model)
        return cls(view.seat, offer.officers, offer.acts, Things(gold=gift.things.gold)).renewed(model)

    def renewed(self, model: Model) -> "Composer | None":
        """Returns itself without bags that were dealt with meanwhile; None if it is over, or who is in it has left."""
        bounds, named = self._bounds(model), {self.receiver}.union(*((it.giver, it.receiver) for it in self.gifts))
        if bounds is None or not named <= {None, LOOT, *model.mine.state.seats}:
            return None
        return replace(self, acts=tuple(act for act in self.acts if act.bag in bounds.bags))

    def _bounds(self, model: Model) -> OfferBounds | None:
        all_bounds = [move for move in model.legal() if isinstance(move, OfferBounds)]
        found = next((it for it in all_bounds if (it.giver, it.officers) == (self.giver, self.officers)), None)
        if (
            found is None
            and any(it.officers == self.officers for it in all_bounds)
            and self.giver in self._givers(model)
        ):
            return offer_bounds(model.mine.state, model.mine.seat, self.giver, self.officers)
        return found

    def offer(self, model: Model) -> Offer | None:
        """Returns the offer as it would be sent."""
        bounds = self._bounds(model)
        if bounds is None or not (self.acts or self.gifts or self.receiver is not None):
            return None
        payee = receiver_of(self.officers) if self.receiver is None else self.receiver
        gift = Gift(self.giver, payee, self.things, self.condition)
        gifts = self.gifts if self.gifts and self.things == NOTHING else (*self.gifts, gift)
        return Offer(bounds.seat, bounds.number, self.officers, gifts, self.acts, self.promise)

    # -- more than a bribe

    def _givers(self, model: Model) -> tuple[Seat, ...]:
        """Returns who can give something: any merchant, in a deal that needs their word."""
        return model.mine.state.merchants

    def _further(self, model: Model) -> "Composer":
        """Returns the offer with this gift kept, and a further one begun: by the next merchant."""
        offer, givers = self.offer(model), self._givers(model)
        kept = self.gifts if offer is None or self.things == NOTHING else offer.gifts
        after = givers[(givers.index(self.giver) + 1) % len(givers)]
        return replace(self, giver=after, gifts=kept, things=NOTHING, receiver=None, condition=None, cursor=0)

    def _handed(self, model: Model) -> "Composer":
        """Returns the offer with this gift for the next one who can get it: those who act, then each other merchant."""
        getters = (None, *(seat for seat in self._givers(model) if seat != self.giver))
        return replace(self, receiver=getters[(getters.index(self.receiver) + 1) % len(getters)])

    def _pledged(self) -> "Composer":
        """Returns the offer with this gift as a surety: if the bag is found true, if it is a lie, or in any case."""
        ways = (None, *Condition)
        return replace(self, condition=ways[(ways.index(self.condition) + 1) % len(ways)])

    # -- its lines

    def rows(self, model: Model) -> tuple[Row, ...]:
        """Returns all lines."""
        bounds, view, words = self._bounds(model), model.mine, model.words
        if bounds is None:
            return ()
        of = law_name(words.texts, "no coin") if in_force(view.state, NoCoin) else words("offer.of", n=bounds.gold)
        rows = [Row(Part.GOLD, words("offer.gold"), None, bounds.gold, of, "gold")]
        if len(view.state.officers) > 1:
            rows.append(Row(Part.TO, words("offer.to")))
        rows += [Row(Part.ACTS, self._bag_name(model, bag), bag) for bag in bounds.bags]
        for kind, most in bounds.stall:
            hint = words("offer.of", n=most)
            rows.append(Row(Part.STALL, words.good(kind), kind, most, hint, good_style(view.state, kind)))
        rows += self._hidden(model, view, Part.STACK, bounds.stack, bounds.stack_kinds if bounds.stack else ())
        rows += self._hidden(model, view, Part.BAG, bounds.bag, bounds.bag_kinds)
        rows.append(Row(Part.PROMISE, words("offer.promise")))
        return tuple(rows)

    def _bag_name(self, model: Model, bag: Seat) -> str:
        if bag == model.seat:
            return model.words("offer.bag_mine")
        return model.words("offer.bag_of", name=model.name(bag))

    def _hidden(self, model: Model, view: View, part: Part, most: int, kinds: tuple[Kind, ...]) -> list[Row]:
        """Returns the lines for hidden cards: unseen ones, then by kind, those first that the giver knows to have."""
        if not most:
            return []
        words, state = model.words, view.state
        rows = [Row(part, words("offer.blind"), None, most, words("offer.of", n=most), "good.contraband")]
        own = Counter[Kind]()
        if self.giver == view.seat:
            own.update(card.kind for card in (view.stack if part is Part.STACK else view.bag))
        for kind in sorted(kinds, key=lambda kind: (not own[kind], kinds.index(kind))):
            hint = ""
            if self.giver == view.seat:
                hint = words("offer.there", n=own[kind]) if own[kind] else words("offer.not_there")
            rows.append(Row(part, words.good(kind), kind, most, hint, good_style(state, kind)))
        return rows

    def count(self, row: Row) -> int:
        """Returns the number in a line."""
        given: int | Goods = getattr(self.things, row.field, 0)
        return given if isinstance(given, int) else dict(given).get(str(row.thing), 0)

    def verb(self, bag: Seat) -> Verb | None:
        """Returns what is to be done with a bag."""
        return next((act.verb for act in self.acts if act.bag == bag), None)

    def _cycled(self, bag: Seat, step: int) -> "Composer":
        verbs = (None, Verb.PASS, Verb.INSPECT)
        acts: dict[Seat, Verb | None] = {act.bag: act.verb for act in self.acts}
        acts[bag] = verbs[(verbs.index(acts.get(bag)) + step) % len(verbs)]
        return replace(self, acts=tuple(Act(one, verb) for one, verb in acts.items() if verb is not None))

    def _readdressed(self, model: Model, step: int) -> "Composer | None":
        """Returns the offer to both deputies, or to one about the bags that this one decides about alone (10.4)."""
        possible = list(dict.fromkeys(it.officers for it in model.legal() if isinstance(it, OfferBounds)))
        where = (possible.index(self.officers) + step) % len(possible)
        return replace(self, officers=possible[where]).renewed(model)

    # -- keys

    def press(self, model: Model, key: str) -> Turn | None:
        """Moves, changes a line, sends, or goes back."""
        rows = self.rows(model)
        if not rows:
            return model.over(None).refusing("offer.over"), ()
        cursor = min(self.cursor, len(rows) - 1)
        row = rows[cursor]
        match key:
            case "escape":
                return model.over(None), ()
            case "enter":
                return self._send(model)
            case "up" | "down" | "wheel-up" | "wheel-down":
                return model.over(self._moved(stepped(cursor, key, len(rows)))), ()
            case "tab":
                later = [at for at in range(cursor + 1, len(rows)) if rows[at].part is not row.part]
                return model.over(self._moved(later[0] if later else 0)), ()
            case _ if key.startswith("row:"):
                at = int(key.removeprefix("row:"))
                return self.press(model, "right") if at == cursor else (model.over(self._moved(at)), ())
            case _ if row.part is Part.PROMISE:
                return self._write(model, key)
            case _:
                return self._change(model, row, key)

    def _moved(self, cursor: int) -> "Composer":
        return replace(self, cursor=cursor, typing=False)

    def _change(self, model: Model, row: Row, key: str) -> Turn | None:
        count, typing = self.count(row), replace(self, typing=True)
        if self.typing and not (key.isdecimal() or key == "backspace"):
            return replace(self, typing=False)._change(model, row, key)
        match key:
            case "right" | "left" | "space" if row.part is Part.ACTS and isinstance(row.thing, int):
                return model.over(self._cycled(Seat(row.thing), -1 if key == "left" else 1)), ()
            case "right" | "left" | "space" if row.part is Part.TO:
                return model.over(self._readdressed(model, -1 if key == "left" else 1)), ()
            case "m":
                return model.over(self._further(model)), ()
            case "u":
                return model.over(self._handed(model)), ()
            case "i":
                return model.over(self._pledged()), ()
            case "right" | "+" | "space":
                return self._count_to(model, row, count + 1), ()
            case "left" | "-":
                return self._count_to(model, row, count - 1), ()
            case "pageup" if count < row.most < count + _LEAP:
                return self._count_to(model, row, row.most).refusing("offer.most", n=row.most), ()
            case "pagedown" if 0 < count < _LEAP:
                return self._count_to(model, row, 0).refusing("offer.most", n=row.most), ()
            case "pageup" | "pagedown":
                return self._count_to(model, row, count + (_LEAP if key == "pageup" else -_LEAP)), ()
            case "backspace":
                return typing._count_to(model, row, count // 10), ()
            case _ if key.isdecimal() and row.most:
                return typing._count_to(model, row, int(key) + (count * 10 if self.typing else 0)), ()
            case _:
                return None

    def _count_to(self, model: Model, row: Row, count: int) -> Model:
        if row.part is Part.GOLD and count > row.most and in_force(model.mine.state, NoCoin):
            return model.saying(model.words.texts("refusals.offer_no_coin"), refused=True)
        if not 0 <= count <= row.most:
            return model.refusing("offer.most", n=row.most)
        given: int | Goods | None = getattr(self.things, row.field, None)
        if given is None:  # A line without a number.
            return model.over(self)
        now: Any = count
        if isinstance(given, tuple):
            counts = {**dict(given), str(row.thing): count}
            now = tuple((kind, counts[kind]) for kind in model.mine.state.setup.table if counts.get(kind))
        return model.over(replace(self, things=replace(self.things, **{row.field: now})))

    def _write(self, model: Model, key: str) -> Turn | None:
        promise = self.promise
        if key == "backspace":
            promise = promise[:-1]
        elif key == "space" or len(key) == 1:
            promise = (promise + (" " if key == "space" else key))[:MAX_PROMISE_CHARACTERS]
        else:
            return None
        return model.over(replace(self, promise=promise)), ()

    def _send(self, model: Model) -> Turn:
        offer = self.offer(model)
        if offer is None:
            return model.refusing("offer.no_act"), ()
        if problem := problem_with(model.mine.state, offer):
            return model.saying(translated(problem[1], model.words.texts), refused=True), ()
        gold = sum(gift.things.gold for gift in offer.gifts if gift.giver == model.seat)
        if stakes.is_much(gold, model.mine.me.gold):
            asked = model.words("confirm.much", n=gold, purse=model.mine.me.gold)
            return model.over(Confirming(asked, (), offer, back=self)), ()
        return model.over(None), (offer,)

    # -- the picture

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws the lines on the left, and what comes of them on the right."""
        words, rows = model.words, self.rows(model)
        title = words("offer.title")
        if self.giver != model.seat:
            title = words("offer.title_ask", name=model.name(self.giver))
        inner = box_in(canvas, 110, max(14, len(rows) + 10), title)
        left = inner.part(0, 0, 39, inner.height)
        lines = self._lines(model, rows)
        cursor = min(self.cursor, len(rows) - 1)
        at = next(place for place, line in enumerate(lines) if line == cursor)
        first = max(0, min(at - left.height // 2, len(lines) - left.height))
        for y, line in enumerate(lines[first : first + left.height]):
            if isinstance(line, str):
                left.put(0, y, line, "faint")
            else:
                self._draw_row(model, left.part(0, y, left.width, 1), rows[line], line, is_marked=line == cursor)
        for y in range(inner.height):
            inner.put(39, y, "│", "border")
        self._draw_effects(model, inner.part(41, 0, inner.width - 41, inner.height))
        return canvas.height

    def _lines(self, model: Model, rows: tuple[Row, ...]) -> list[str | int]:
        """Returns headings, and the numbers of the rows under them."""
        lines: list[str | int] = []
        for place, row in enumerate(rows):
            if row.part in (Part.ACTS, Part.STALL, Part.STACK, Part.BAG) and (
                place == 0 or rows[place - 1].part is not row.part
            ):
                lines.append(model.words(f"offer.section_{row.part.value}"))
            lines.append(place)
        return lines

    def _draw_row(self, model: Model, line: Canvas, row: Row, place: int, *, is_marked: bool) -> None:
        words = model.words
        line.click(f"row:{place}")
        line.put(0, 0, "▶" if is_marked else " ", "border.on")
        line.put(2, 0, row.label, "cursor" if is_marked else row.style, 14)
        match row.part:
            case Part.ACTS if isinstance(row.thing, int):
                verb = self.verb(Seat(row.thing))
                key = {None: "offer.act_none", Verb.PASS: "offer.act_pass", Verb.INSPECT: "offer.act_inspect"}[verb]
                style = {None: "faint", Verb.PASS: "passed", Verb.INSPECT: "inspected"}[verb]
                line.put(17, 0, f"◀ {words(key)} ▶" if is_marked else f"  {words(key)}", style)
            case Part.TO:
                names = model.names_of(self.officers)
                line.put(17, 0, f"◀ {names} ▶" if is_marked else f"  {names}")
            case Part.PROMISE:
                text = self.promise[-20:] + ("▌" if is_marked else "")
                line.put(17, 0, text or words("offer.promise_hint"), "strong" if self.promise else "faint")
            case _:
                count = self.count(row)
                style = "strong" if count else "faint"
                line.put(17, 0, f"◀ {count:>2} ▶" if is_marked else f"  {count:>2}", style)
                line.put(25, 0, row.hint, "faint")

    def _draw_effects(self, model: Model, canvas: Canvas) -> None:
        offer, words, y = self.offer(model), model.words, 1
        if offer is None:
            y = canvas.put_wrapped(0, 0, words("offer.no_act"), "inspected")
        else:
            canvas.put(0, 0, words("deal.if_accepted"), "strong")
            for style, text in effects(model, model.mine.state, offer):
                canvas.put(0, y, "•", style)
                y = canvas.put_wrapped(2, y, text, style)
            if problem := problem_with(model.mine.state, offer):
                y = canvas.put_wrapped(0, y + 1, translated(problem[1], words.texts), "inspected")
        richer = wrap(words("help.keys.richer"), canvas.width)
        if y + len(richer) < canvas.height:  # The lowest line has no room for these keys in a bribe.
            canvas.put_wrapped(0, canvas.height - len(richer), " ".join(richer), "faint")

    def prompt(self, model: Model) -> str:
        """Returns what is being done."""
        if self.giver != model.seat:
            return model.words("offer.prompt_ask", name=model.name(self.giver))
        return model.words("offer.prompt")

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed: in a bribe what it takes, in other deals what makes them."""
        if self.gifts or self.receiver is not None or self.condition is not None:
            return ("m u i", "key.richer"), ("Tab", "key.section"), ("Enter", "key.send"), ("Esc", "key.back")
        change = ("↑↓", "key.move"), ("←→ 0-9", "key.less_more"), ("Tab", "key.section")
        return *change, ("Enter", "key.send"), ("Esc", "key.back")
