"""Looking at an offer that stands: what it will do, and what can be done with it."""

from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.composing import Composer
from p2p_sheriff.fronts.tui.confirming import Confirming, box_in
from p2p_sheriff.fronts.tui.keyboard import Keys
from p2p_sheriff.fronts.tui.model import Model, Turn
from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.deals import find_offer, problem_with
from p2p_sheriff.rules.moves import Accept, Refuse, Withdraw
from p2p_sheriff.rules.state import Standing
from p2p_sheriff.seat import stakes
from p2p_sheriff.seat.effects import effects
from p2p_sheriff.texts import translated
from p2p_sheriff.texts.cells import wrap


@dataclass(frozen=True, slots=True)
class Deal:
    """One offer that stands, looked at."""

    author: Seat
    number: int

    def _standing(self, model: Model) -> Standing | None:
        return find_offer(model.view.state, self.author, self.number) if model.view else None

    def press(self, model: Model, key: str) -> Turn | None:
        """Accepts, counters, withdraws, or goes back."""
        standing, seat = self._standing(model), model.mine.seat
        if standing is None:
            return model.over(None).refusing("deal.gone"), ()
        is_own = seat == self.author
        match key:
            case "escape" | "backspace":
                return model.over(None), ()
            case "enter" | "a" if not is_own:
                move = Accept(seat, self.author, self.number)
                if move not in model.legal():
                    return self._refuse(model, standing), ()
                gold = sum(gift.things.gold for gift in standing.offer.gifts if gift.giver == seat)
                if stakes.is_much(gold, purse := model.mine.me.gold):
                    asked = model.words("confirm.much", n=gold, purse=purse)
                    return model.over(Confirming(asked, (model.words("confirm.final"),), move, back=self)), ()
                return replace(model.over(None), sending=True), (move,)
            case "r" if Refuse(seat, self.author, self.number) in model.legal():
                return model.over(None), (Refuse(seat, self.author, self.number),)
            case "w" if is_own:
                return model.over(None), (Withdraw(seat, self.number),)
            case "c" | "o":
                composer = Composer.countering(model, standing.offer)
                return (model.over(composer), ()) if composer else (model.refusing("desk.not_now"), ())
            case "enter" | "a":
                return model.refusing("deal.own"), ()
            case _:
                return None

    def _refuse(self, model: Model, standing: Standing) -> Model:
        if problem := problem_with(model.mine.state, standing.offer):
            return model.refusing("deal.impossible", reason=translated(problem[1], model.words.texts))
        if model.seat in standing.accepted:
            return model.saying(model.words.texts("refusals.accept_again"), refused=True)
        offer = standing.offer
        asked = tuple(seat for seat in offer.parties if seat != offer.seat)
        if model.seat in asked:
            return model.refusing("desk.wait")
        return model.refusing("deal.not_yours", names=model.names_of(asked))

    def renewed(self, model: Model) -> "Deal | None":
        """Returns itself while the offer stands."""
        return self if self._standing(model) else None

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws a box with every effect of the deal."""
        standing, words = self._standing(model), model.words
        if standing is None:
            return 0
        offer = standing.offer
        lines = effects(model, model.mine.state, offer)
        asked = tuple(seat for seat in offer.parties if seat not in (offer.seat, *standing.accepted))
        lines.append(("muted", words("deal.needs", names=model.names_of(asked))))
        lines.append(("muted", words("deal.at_once")))
        room = min(72, canvas.width) - 6
        rows = 3 + sum(len(wrap(text, room - 2)) for _, text in lines)
        inner = box_in(canvas, room + 6, rows, self.prompt(model))
        inner.put(0, 0, words("deal.if_accepted"), "strong")
        y = 1
        for style, text in lines:
            inner.put(0, y, "•", style)
            y = inner.put_wrapped(2, y, text, style)
        return canvas.height

    def prompt(self, model: Model) -> str:
        """Returns what can be done with it."""
        key = "deal.title_yours" if self.author == model.seat else "deal.title"
        return model.words(key, name=model.name(self.author), n=model.narrator.number(self.author, self.number))

    def keys(self, model: Model) -> Keys:
        """Returns what can be pressed."""
        first = ("w", "key.withdraw") if model.seat == self.author else ("Enter", "key.accept")
        can_refuse = model.seat is not None and Refuse(model.seat, self.author, self.number) in model.legal()
        refuse = (("r", "key.refuse"),) if can_refuse else ()
        standing = self._standing(model)  # Only a bribe can be begun anew with other figures.
        counter = (("c", "key.counter"),) if standing is not None and standing.offer.is_bribe else ()
        return first, *refuse, *counter, ("Esc", "key.back")
