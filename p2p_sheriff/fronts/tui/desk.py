"""The inspection: all bags and all offers, for the sheriff who decides and for the merchants who haggle."""

from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas, Piece
from p2p_sheriff.fronts.tui.composing import Composer
from p2p_sheriff.fronts.tui.confirming import Confirming
from p2p_sheriff.fronts.tui.deals import Deal
from p2p_sheriff.fronts.tui.keyboard import Keys, digits
from p2p_sheriff.fronts.tui.model import Model, Turn
from p2p_sheriff.rules import Choice, Phase, Seat, View
from p2p_sheriff.rules.deals import bribe_for_passing, may_accept
from p2p_sheriff.rules.law import fine_of
from p2p_sheriff.rules.moves import Alone, Confirm, Inspect, Pass, Stance, Verb
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.rules.state import Standing
from p2p_sheriff.seat import stakes
from p2p_sheriff.seat.effects import acts_in_words, given_in_words

_ACTS = (("i", "key.inspect"), ("p", "key.pass"), ("n", "key.nothing"), ("c", "key.confirm"), ("l", "key.alone"))
"""What officers press, with the words for it."""

_Decision = Inspect | Pass | Stance | Confirm | Alone


@dataclass(frozen=True, slots=True)
class Desk:
    """The bag that the player points at."""

    marked: Seat | None = None

    def press(self, model: Model, key: str) -> Turn | None:
        """Points at a bag, decides about it, or opens an offer."""
        view = model.mine
        bags = view.state.closed_bags
        match key:
            case "up" | "down" | "left" | "right" if bags:
                step = 1 if key in ("down", "right") else -1
                seats = sorted(bags)
                place = seats.index(self.marked) if self.marked in seats else 0
                return model.asking(replace(self, marked=seats[(place + step) % len(seats)])), ()
            case "o" | "enter" if self.marked is not None:
                return self._compose(model)
            case "i" | "p" | "n" | "c" | "l" if view.seat in view.state.officers:
                return self._decide(model, view, key), ()
            case _ if key.startswith("seat:"):
                seat = Seat(int(key.removeprefix("seat:")))
                return (model.asking(replace(self, marked=seat)), ()) if seat in bags else None
            case _ if key.startswith("offer:") or (key.isdecimal() and key != "0"):
                return self._look(model, view, int(key.removeprefix("offer:"))), ()
            case _:
                return None

    def _compose(self, model: Model) -> Turn:
        composer = Composer.about(model, self.marked) if self.marked is not None else None
        return (model.over(composer), ()) if composer else (model.refusing("desk.not_now"), ())

    def _look(self, model: Model, view: View, number: int) -> Model:
        offers = in_view(view)
        if not 1 <= number <= len(offers):
            return model.refusing("desk.no_offer", n=number)
        offer = offers[number - 1].offer
        return model.over(Deal(offer.seat, offer.number))

    # -- deciding

    def _decide(self, model: Model, view: View, key: str) -> Model:
        if model.choice is not Choice.ACT:
            return model.refusing("desk.wait")
        if self.marked is None:
            return model.refusing("desk.no_bag")
        bag, legal = self.marked, model.legal()
        for move in _wanted(view.seat, bag, key):
            if move in legal:
                return model.over(_confirming(model, view, bag, move))
        return model.refusing("desk.not_now")

    def renewed(self, model: Model) -> "Desk | None":
        """Returns itself while bags are closed, pointing at one of them."""
        view = model.view
        if view is None or view.state.phase is not Phase.INSPECT or not view.state.closed_bags:
            return None
        if model.choice not in (None, Choice.ACT):
            return None
        bags = view.state.closed_bags
        if self.marked in bags:
            return self
        return Desk(view.seat if view.seat in bags else bags[0])

    # -- the picture

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws what is known of the marked bag, and all offers."""
        view, words = model.mine, model.words
        canvas.rule(0, self._title(model, view))
        y = 1
        if note := self._note(model, view):
            y = canvas.put_wrapped(2, y, note, "strong", rows=2)
        offers = in_view(view)
        canvas.put(2, y, words("desk.offers"), "title")
        if not offers:
            canvas.put(12, y, words("desk.no_offers"), "muted")
            return y + 1
        y += 1
        for number, standing in enumerate(offers, start=1):
            if y >= canvas.height:
                canvas.put_right(canvas.height - 1, f" +{len(offers) - number + 2} ", "muted")
                break
            pieces = _offer_line(model, view, number, standing)
            canvas.put_pieces(2, y, pieces)
            canvas.click(f"offer:{number}", 0, y)
            y += 1
        return y

    def _title(self, model: Model, view: View) -> str:
        bag = view.state[self.marked].bag if self.marked is not None else None
        if self.marked is None or bag is None:
            return model.words("phase.inspect")
        goods = model.words.counted(bag.kind or "", bag.count or 0)
        return model.words("desk.about", name=model.name(self.marked), goods=goods)

    def _note(self, model: Model, view: View) -> str:
        words, state = model.words, view.state
        if self.marked is None:
            return ""
        if self.marked == view.seat and view.bag:
            kinds = [card.kind for card in view.bag]
            bag = words("declare.bag", goods=words.goods(count_goods(state.setup, kinds)))
            declared = state.bag_of(view.seat).kind or ""
            return f"{bag}. {stakes.in_words(words, view, stakes.stakes(state, kinds, declared))}"
        if view.seat in state.officers and (offer := bribe_for_passing(state, self.marked, state.officers)):
            return words("desk.owner_pays", payment=given_in_words(model, offer))
        return ""

    def prompt(self, model: Model) -> str:
        """Returns what is asked."""
        officers = model.mine.state.officers
        if model.seat not in officers:
            return model.words("ask.haggle")
        return model.words("ask.act" if len(officers) == 1 else "ask.act_deputy")

    def keys(self, model: Model) -> Keys:
        """Returns what can be pressed."""
        view = model.mine
        keys = [("↑↓", "key.move")]
        if view.seat in view.state.officers and model.choice is Choice.ACT and self.marked is not None:
            legal = model.legal()
            for key, what in _ACTS:
                if any(move in legal for move in _wanted(view.seat, self.marked, key)):
                    keys.append((key, what))
        keys.append(("o", "key.offer"))
        if offers := in_view(view):
            keys.append((digits(len(offers)), "key.look_offer"))
        return tuple(keys)


def in_view(view: View) -> tuple[Standing, ...]:
    """Returns all offers, those first that the player can accept."""
    return tuple(sorted(view.state.offers, key=lambda one: not may_accept(view.state, view.seat, one)))


def _offer_line(model: Model, view: View, number: int, standing: Standing) -> list[Piece]:
    offer, words = standing.offer, model.words
    mine = may_accept(view.state, view.seat, standing)
    author = words("desk.own") if offer.seat == view.seat else model.name(offer.seat)
    return [
        ("key" if mine else "muted", f" {number} "),
        ("name.me" if offer.seat == view.seat else "name", f" {author}: "),
        ("gold", given_in_words(model, offer)),
        ("muted", f" → {acts_in_words(model, offer)}"),
    ]


def _wanted(seat: Seat, bag: Seat, key: str) -> tuple[_Decision, ...]:
    """Returns the moves that a key stands for: the sheriff's, or what a deputy says (rule 10.4)."""
    match key:
        case "i":
            return Inspect(seat, bag), Stance(seat, bag, Verb.INSPECT)
        case "p":
            return Pass(seat, bag), Stance(seat, bag, Verb.PASS)
        case "n":
            return Pass(seat, bag, for_nothing=True), Confirm(seat, bag, for_nothing=True)
        case "c":
            return (Confirm(seat, bag),)
        case _:
            return (Alone(seat, bag),)


def _confirming(model: Model, view: View, bag: Seat, move: _Decision) -> Confirming:
    """Returns the question before a decision that nobody can take back (rule 7.2)."""
    words, state, name = model.words, view.state, model.name(bag)
    declared = state.bag_of(bag)
    bribe = bribe_for_passing(state, bag, (view.seat,))
    paid = given_in_words(model, bribe) if bribe else ""
    final = words("confirm.final")
    match move:
        case Inspect():
            fine = fine_of(state, declared.kind or "") * (declared.count or 0)
            goods = words.counted(declared.kind or "", declared.count or 0)
            said = words("confirm.inspect", name=name, goods=goods)
            true, lie = words("confirm.inspect_true", name=name, fine=fine), words("confirm.inspect_lie", name=name)
            return Confirming(said, (true, lie), move)
        case Pass(for_nothing=False) if bribe:
            return Confirming(words("confirm.pass", name=name, payment=paid), (final,), move, bribe)
        case Pass():
            ignored = (words("confirm.pass_ignored", payment=paid),) if bribe else ()
            return Confirming(words("confirm.pass_nothing", name=name), (*ignored, final), move, bribe)
        case Stance(verb=verb):
            key = "confirm.stance_pass" if verb is Verb.PASS else "confirm.stance_inspect"
            return Confirming(words(key, name=name), (), move)
        case Alone():
            return Confirming(words("confirm.alone", name=name), (final,), move)
        case Confirm():
            return Confirming(words("confirm.both"), (final,), move)
