"""Choosing cards: for the market, the bag, or to hand over. Nothing is final before Enter."""

from dataclasses import dataclass, field, replace
from typing import Literal

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.hand import Marks, draw_cards, own_cards
from p2p_sheriff.fronts.tui.keyboard import Keys, digits
from p2p_sheriff.fronts.tui.model import Model, Turn
from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.rules import Card, Choice, Handle, LoadBag, View
from p2p_sheriff.rules.bounds import DiscardBounds, HandOverBounds, LayDownBounds, LoadBounds, SetAsideBounds
from p2p_sheriff.rules.law import bag_limits
from p2p_sheriff.rules.market import drawable
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.moves import Discard, HandOver, LayDown, SetAside
from p2p_sheriff.rules.stalls import count_goods, in_order
from p2p_sheriff.seat import stakes
from p2p_sheriff.seat.printed import man_card, man_text

CardBounds = SetAsideBounds | LoadBounds | HandOverBounds | LayDownBounds | DiscardBounds


@dataclass(frozen=True, slots=True)
class Picking:
    """Some of these cards are chosen."""

    choice: Literal[Choice.SET_ASIDE, Choice.LOAD, Choice.HAND_OVER, Choice.LAY_DOWN, Choice.DISCARD]
    cards: tuple[Card, ...] = field(repr=False)
    least: int
    most: int
    cursor: int = 0
    chosen: tuple[Handle, ...] = ()
    """In the order in which they were chosen."""
    pile: int = 0
    """Onto which pile they go, where there are two."""

    # -- keys

    def press(self, model: Model, key: str) -> Turn | None:
        """Moves, chooses, takes back, or is done."""
        match key:
            case "left" | "up":
                return model.asking(replace(self, cursor=(self.cursor - 1) % len(self.cards))), ()
            case "right" | "down":
                return model.asking(replace(self, cursor=(self.cursor + 1) % len(self.cards))), ()
            case "home":
                return model.asking(replace(self, cursor=0)), ()
            case "end":
                return model.asking(replace(self, cursor=len(self.cards) - 1)), ()
            case "space":
                return self._toggle(model, self.cursor), ()
            case "backspace":
                return model.asking(replace(self, chosen=self.chosen[:-1])), ()
            case "escape" if self.chosen:
                return model.asking(replace(self, chosen=())), ()
            case "tab" if self.choice is Choice.LAY_DOWN:
                return model.asking(replace(self, pile=1 - self.pile)), ()
            case "enter":
                return self._done(model)
            case _ if key.isdecimal() and key != "0":
                return self._toggle(model, int(key) - 1), ()
            case _ if key.startswith("card:"):
                return self._toggle(model, int(key.removeprefix("card:"))), ()
            case _:
                return None

    def _toggle(self, model: Model, place: int) -> Model:
        if place >= len(self.cards):
            return model.refusing("cards.no_such", n=place + 1)
        handle = self.cards[place].handle
        if handle in self.chosen:
            rest = tuple(other for other in self.chosen if other != handle)
            return model.asking(replace(self, cursor=place, chosen=rest))
        if len(self.chosen) >= self.most:
            return model.asking(replace(self, cursor=place)).refusing("cards.too_many", n=self.most)
        return model.asking(replace(self, cursor=place, chosen=(*self.chosen, handle)))

    def _done(self, model: Model) -> Turn:
        if len(self.chosen) < self.least:
            return model.refusing("cards.too_few", n=self.least), ()
        if all(card.kind in MEN for card in self.cards if card.handle in self.chosen) and self.choice is Choice.LOAD:
            return model.saying(model.words.texts("refusals.bag_goods"), refused=True), ()
        return replace(model, sending=True), (self._intent(model),)

    def _intent(self, model: Model) -> Wish:
        seat = model.mine.seat
        match self.choice:
            case Choice.LOAD:
                return LoadBag(seat, self.chosen)
            case Choice.HAND_OVER:
                return HandOver(seat, self.chosen)
            case Choice.LAY_DOWN:
                return LayDown(seat, self.pile, self.chosen)
            case Choice.SET_ASIDE:
                return SetAside(seat, self.chosen)
            case Choice.DISCARD:
                kinds = model.mine.knowledge.kinds
                return Discard(seat, tuple((handle, kinds[handle]) for handle in self.chosen))

    def renewed(self, model: Model) -> "Picking | None":
        """Returns itself while the same is asked about the same cards."""
        fresh = of_choice(model)
        same = fresh is not None and (fresh.choice, fresh.cards) == (self.choice, self.cards)
        return self if same else None

    # -- the picture

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws the cards, and what comes of the ones that are chosen."""
        view, words = model.mine, model.words
        own = self.choice in (Choice.LOAD, Choice.SET_ASIDE, Choice.DISCARD)
        canvas.rule(0, f"{words('hand.title' if own else 'hand.these')} · {words('hand.worth')}")
        ordered = self.choice is Choice.LAY_DOWN
        cards = canvas.part(0, 1, canvas.width, min(6, canvas.height - 2))
        marks = Marks(self.cursor, self.chosen, ordered)
        y = 1 + draw_cards(model, view.state, cards, self.cards, marks)
        return canvas.put_wrapped(2, y, self.consequence(model, view), "strong")

    def consequence(self, model: Model, view: View) -> str:
        """Returns what happens with the chosen cards."""
        words = model.words
        faces = [card.kind for card in self.cards if card.handle in self.chosen]
        kinds, man = [kind for kind in faces if kind not in MEN], "".join(kind for kind in faces if kind in MEN)
        goods = words.goods(count_goods(view.state.setup, kinds))
        match self.choice:
            case Choice.SET_ASIDE if kinds:
                draw, most = words("market.draw", goods=goods, n=len(kinds)), drawable(view.state)
                return f"{draw} {words('market.short', n=most)}" if len(kinds) > most else draw
            case Choice.SET_ASIDE:
                return words("market.keep")
            case Choice.LOAD if (him := self.cards[self.cursor]).kind in MEN and him.handle not in self.chosen:
                return f"{man_card(words.texts, him.kind)}: {man_text(words.texts, him.kind, view.state)}"
            case Choice.LOAD if kinds:
                best = stakes.likeliest(view.state, kinds)
                return stakes.in_words(words, view, stakes.stakes(view, kinds, best, man))
            case Choice.LAY_DOWN:
                pile = words("pile.left" if self.pile == 0 else "pile.right")
                return f"{pile}: {goods or words('cards.none')}"
            case Choice.LOAD | Choice.HAND_OVER | Choice.DISCARD:
                return words("cards.chosen", goods=goods) if kinds else words("cards.none")

    def prompt(self, model: Model) -> str:
        """Returns the question."""
        match self.choice:
            case Choice.LOAD:
                return model.words("ask.load", least=self.least, most=self.most)
            case Choice.SET_ASIDE if model.mine.state.setup.two_piles:
                return model.words("ask.set_aside_down", n=self.most)
            case Choice.SET_ASIDE:
                return model.words("ask.set_aside", n=self.most)
            case Choice.HAND_OVER:
                return model.words("ask.hand_over", n=self.least)
            case Choice.LAY_DOWN:
                return model.words("ask.lay_down")
            case Choice.DISCARD:
                return model.words("ask.discard", n=self.least)

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        done = {Choice.LOAD: "key.close_bag"}.get(self.choice, "key.done")
        if self.choice is Choice.SET_ASIDE and not self.chosen:
            done = "key.keep_all"
        pile = (("Tab", "key.pile"),) if self.choice is Choice.LAY_DOWN else ()
        chosen = (("Esc", "key.clear"),) if self.chosen else ()
        return ("←→", "key.move"), (digits(len(self.cards)), "key.take"), *pile, *chosen, ("Enter", done)


def of_choice(model: Model) -> Picking | None:
    """Returns the dialogue for a choice of cards; None if the choice is about something else."""
    view = model.view
    if view is None or model.choice is None:
        return None
    bounds = next((move for move in model.legal() if isinstance(move, CardBounds)), None)
    match bounds:
        case SetAsideBounds(_, _, most):
            return Picking(Choice.SET_ASIDE, in_order(view.state.setup, view.hand), 0, most)
        case LoadBounds():
            return Picking(Choice.LOAD, own_cards(view), *bag_limits(view.state, view.seat))
        case DiscardBounds(_, _, count, None):
            return Picking(Choice.DISCARD, in_order(view.state.setup, view.hand), count, count)
        case HandOverBounds(_, handles, count):
            return Picking(Choice.HAND_OVER, in_order(view.state.setup, _cards(view, handles)), count, count)
        case LayDownBounds(_, _, handles):
            cards = _cards(view, handles)
            return Picking(Choice.LAY_DOWN, in_order(view.state.setup, cards), len(cards), len(cards))
        case _:
            return None


def _cards(view: View, handles: tuple[Handle, ...]) -> tuple[Card, ...]:
    """Returns cards of which the player knows the kinds: own ones, or ones that lie open."""
    shown = view.state.kinds
    kinds = {handle: shown.get(handle) or view.knowledge.kinds[handle] for handle in handles}
    return tuple(Card(handle, kind, view.seat) for handle, kind in kinds.items())
