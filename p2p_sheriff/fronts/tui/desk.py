"""The inspection: all bags and all offers, for the sheriff who decides and for the merchants who haggle."""

from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.composing import Composer
from p2p_sheriff.fronts.tui.confirming import Confirming
from p2p_sheriff.fronts.tui.deals import Deal
from p2p_sheriff.fronts.tui.keyboard import Keys, digits
from p2p_sheriff.fronts.tui.model import Model, Turn
from p2p_sheriff.rules import Choice, Phase, Seat, State, View
from p2p_sheriff.rules.deals import bribe_for_passing, deciding, may_accept, own_bribe
from p2p_sheriff.rules.inspection import opener_of
from p2p_sheriff.rules.law import required_verb
from p2p_sheriff.rules.moves import Accept, Apart, Inspect, Pass, Refuse, Stance, Verb
from p2p_sheriff.rules.state import DeputyStance, Standing
from p2p_sheriff.seat import stakes
from p2p_sheriff.seat.asking import question
from p2p_sheriff.seat.deciding import BagMove, decision, is_shared
from p2p_sheriff.seat.effects import given_in_words
from p2p_sheriff.seat.intents import NothingMore, PassTheRest
from p2p_sheriff.seat.printed import law_text
from p2p_sheriff.texts.cells import wrap

_ACTS = (("i", "key.inspect"), ("p", "key.pass"), ("n", "key.nothing"), ("l", "key.apart"))
"""What officers press, with the words for it."""


_VERBS = {Verb.INSPECT: "pn", Verb.PASS: "i"}
"""Which keys do what a law forbids, if it leaves only this to be done (rule 15.6)."""
_DEMANDED_BY = {Verb.INSPECT: "duty", Verb.PASS: "mercy"}


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
            case "o" if self.marked is not None:
                return self._compose(model)
            case "a" if view.seat in view.state.officers and model.choice is Choice.ACT and len(bags) > 1:
                asked = model.words("confirm.pass_rest", n=len(bags))
                paid = ("confirm.pass_rest_paid",) if any(bribe_for_passing(view.state, bag) for bag in bags) else ()
                final = "confirm.both" if len(view.state.officers) == 2 else "confirm.final"
                return model.over(Confirming(asked, tuple(map(model.words, (*paid, final))), PassTheRest())), ()
            case "i" | "p" | "n" | "l" | "a" if view.seat in view.state.officers:
                return self._decide(model, view, "p" if key == "a" else key), ()
            case "n" if _can_be_done(model):
                return model, (NothingMore(),)
            case "r" if refusals := _refusals(model):
                if len(refusals) > 1:
                    return model.refusing("desk.which_refused"), ()
                return model, (refusals[0],)
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
        for one in view.state.offers:
            if model.numbers[one.offer.seat, one.offer.number] == number:
                return model.over(Deal(one.offer.seat, one.offer.number))
        return model.refusing("desk.no_offer", n=number)

    # -- deciding

    def _decide(self, model: Model, view: View, key: str) -> Model:
        if model.choice is not Choice.ACT:
            return model.refusing("desk.wait")
        if self.marked is None:
            return model.refusing("desk.no_bag")
        move = _wanted(view, self.marked, key)
        if move in model.legal():
            return model.over(_confirming(model, view, self.marked, move))
        if (required := required_verb(view.state, self.marked)) is not None and key in _VERBS[required]:
            return model.saying(model.words.texts("refusals.duty"), refused=True)
        if isinstance(move, Accept | Pass) and _is_unpaid(view, self.marked):
            return model.saying(model.words.texts("refusals.act_unpaid"), refused=True)
        if isinstance(move, Accept):
            return model.saying(model.words.texts("refusals.accept_again"), refused=True)
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
        if clock := self._clock(model):
            canvas.put_right(0, f" {clock} ", "strong", 2)
        y = 1
        if note := self._note(model, view):
            y = canvas.put_wrapped(2, y, note, "strong", rows=3)
        offers = in_view(view)
        canvas.put(2, y, words("desk.offers"), "title")
        if not offers:
            canvas.put(12, y, words("desk.no_offers"), "muted")
            return y + 1
        y += 1
        texts = {one.offer.name: wrap(model.narrator.negotiation(one.offer), canvas.width - 5) for one in offers}
        shown, end = list[Standing](), y
        for place, standing in enumerate(offers, start=1):
            end += len(texts[standing.offer.name])
            if end > canvas.height - (place < len(offers)):  # The last line says how many more there are.
                break
            shown.append(standing)
        for standing in sorted(shown, key=lambda one: model.numbers[one.offer.name]):
            is_mine, is_own = may_accept(view.state, view.seat, standing), standing.offer.seat == view.seat
            lines = texts[standing.offer.name]
            canvas.click(f"offer:{model.numbers[standing.offer.name]}", 0, y, height=len(lines))
            for line in lines:
                canvas.put(4, y, line, "strong" if is_mine else "name.me" if is_own else "")
                y += 1
        if len(shown) < len(offers):
            canvas.put(4, y, f"+{len(offers) - len(shown)}", "muted")
            y += 1
        return y

    def _title(self, model: Model, view: View) -> str:
        bag = view.state[self.marked].bag if self.marked is not None else None
        if self.marked is None or bag is None:
            return model.words("phase.inspect")
        goods = model.words.counted(bag.kind or "", bag.count or 0)
        return model.words("desk.about", name=model.name(self.marked), goods=goods)

    def _clock(self, model: Model) -> str:
        """Returns how long the sheriff still leaves the marked bag open."""
        if self.marked is None:
            return ""
        if self.marked in model.silent:
            return model.words("desk.silent_me" if self.marked == model.seat else "desk.silent")
        if (until := model.open_until.get(self.marked)) is None:
            return ""
        return model.words("desk.open_for", time=model.words.time(until - model.now))

    def _note(self, model: Model, view: View) -> str:
        words, state = model.words, view.state
        if self.marked is None:
            return ""
        if self.marked == view.seat and view.bag:
            kinds = [card.kind for card in view.bag]
            bag, man = stakes.bag_in_words(words, view), stakes.man_in_bag(view)
            declared = state.bag_of(view.seat).kind or ""
            return f"{bag}. {stakes.in_words(words, view, stakes.stakes(view, kinds, declared, man))}"
        if view.seat not in deciding(state, self.marked):
            return ""
        if (required := required_verb(state, self.marked)) is not None:
            return law_text(words.texts, _DEMANDED_BY[required], state)
        if _is_unpaid(view, self.marked):
            return words.texts("refusals.act_unpaid")
        offer = bribe_for_passing(state, self.marked)
        return words("desk.owner_pays", payment=given_in_words(model, offer)) if offer else ""

    def prompt(self, model: Model) -> str:
        """Returns what is asked."""
        state = model.mine.state
        if model.seat not in state.officers:
            if len(state.officers) > 1:
                return model.words("ask.haggle_open_deputies" if _can_be_done(model) else "ask.haggle_deputies")
            return model.words("ask.haggle_open" if _can_be_done(model) else "ask.haggle")
        is_alone = self.marked is not None and state.bag_of(self.marked).alone == model.seat
        return model.words("ask.act_alone" if is_alone else f"ask.{question(state, Choice.ACT)}")

    def keys(self, model: Model) -> Keys:
        """Returns what can be pressed."""
        view = model.mine
        keys = [("↑↓", "key.move")]
        if view.seat in view.state.officers and model.choice is Choice.ACT and self.marked is not None:
            legal = model.legal()
            bribed = own_bribe(view.state, self.marked) is not None
            for key, what in _ACTS:
                if key == "n" and not bribed:  # To let it pass is for nothing then.
                    continue
                if (move := _wanted(view, self.marked, key)) in legal and not _is_said(view, move):
                    keys.append((key, what))
            keys += [("a", "key.pass_rest")] if len(view.state.closed_bags) > 1 else []
        keys.append(("o", "key.offer"))
        if view.seat not in view.state.officers:
            keys += [("n", "key.nothing_more")] if _can_be_done(model) else []
            keys += [("r", "key.refuse")] if _refusals(model) else []
        if numbers := [model.numbers[one.offer.seat, one.offer.number] for one in view.state.offers]:
            keys.append((digits(max(numbers), min(numbers)), "key.look_offer"))
        return tuple(keys)


def in_view(view: View) -> tuple[Standing, ...]:
    """Returns all offers, those first that the player can accept: where there is little room, these are shown."""
    return tuple(sorted(view.state.offers, key=lambda one: not may_accept(view.state, view.seat, one)))


def _can_be_done(model: Model) -> bool:
    """Whether the player can say that there is nothing more to say about the own bag."""
    return model.seat in model.mine.state.closed_bags and model.seat not in model.silent


def _refusals(model: Model) -> list[Refuse]:
    return [move for move in model.legal() if isinstance(move, Refuse)]


def _wanted(view: View, bag: Seat, key: str) -> BagMove | Apart:
    """Returns the move that a key stands for."""
    match key:
        case "i":
            return decision(view, bag, Verb.INSPECT)
        case "p" | "n":
            return decision(view, bag, Verb.PASS, for_nothing=key == "n")
        case _:
            return Apart(view.seat, bag)


def _is_said(view: View, move: BagMove | Apart) -> bool:
    """Whether a deputy says just this already."""
    match move:
        case Stance(seat, bag, verb):
            return view.state.bag_of(bag).stance(seat) == DeputyStance(seat, verb)
        case _:
            return False


def _is_unpaid(view: View, bag: Seat) -> bool:
    """Whether an offer stands for passing this bag that its owner can't pay any more (rule 7.6)."""
    return own_bribe(view.state, bag) is not None and bribe_for_passing(view.state, bag) is None


def _finality(state: State, bag: Seat, move: BagMove | Apart) -> str:
    """Returns what says when it is done: of two deputies, when both say the same; one of them may have (rule 10.4)."""
    if not is_shared(state, bag):
        return "confirm.final"
    verb = move.verb if isinstance(move, Stance) else Verb.PASS
    price = (move.author, move.number) if isinstance(move, Accept) else None
    words = [(word.verb, word.price) for word in state.bag_of(bag).stances if word.seat != move.seat]
    return "confirm.both_now" if (verb, price) in words else "confirm.both"


def _confirming(model: Model, view: View, bag: Seat, move: BagMove | Apart) -> Confirming:
    """Returns the question before a decision that nobody can take back (rule 7.2)."""
    words, state, name = model.words, view.state, model.name(bag)
    declared = state.bag_of(bag)
    bribe = bribe_for_passing(state, bag)
    paid = given_in_words(model, bribe) if bribe else ""
    final = words(_finality(state, bag, move))
    ignored = (words("confirm.pass_ignored", payment=paid),) if bribe else ()
    match move:
        case Inspect():
            kind = declared.kind or ""
            fine = stakes.fine_for(state, [kind] * (declared.count or 0), kind, "", (view.seat,))
            goods = words.counted(declared.kind or "", declared.count or 0)
            said = words("confirm.inspect", name=name, goods=goods)
            true, lie = words("confirm.inspect_true", name=name, fine=fine), words("confirm.inspect_lie", name=name)
            return Confirming(said, (true, lie), move)
        case Pass(for_nothing=False) if bribe:
            return Confirming(words("confirm.pass", name=name, payment=paid), (final,), move, bribe)
        case Pass():
            return Confirming(words("confirm.pass_nothing", name=name), (*ignored, final), move, bribe)
        case Accept():
            return Confirming(words("confirm.stance_pass_for", name=name, payment=paid), (final,), move)
        case Stance(verb=Verb.PASS):
            return Confirming(words("confirm.stance_pass", name=name), (*ignored, final), move, bribe)
        case Stance():
            kind = declared.kind or ""
            fine = stakes.fine_for(state, [kind] * (declared.count or 0), kind, "", ())
            true, lie = words("confirm.stance_true", name=name, fine=fine), words("confirm.stance_lie")
            return Confirming(words("confirm.stance_inspect", name=name), (true, lie, final), move)
        case Apart():
            opener = opener_of(state, bag)
            key = "confirm.alone" if opener == view.seat else "confirm.apart"
            asked = words(key, name=name, opener=model.name(view.seat if opener is None else opener))
            return Confirming(asked, (words("confirm.final"),), move)
