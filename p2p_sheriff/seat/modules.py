"""What happens with the cards of the modules, told in sentences."""

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from p2p_sheriff.rules import Pack, Phase, Seat, State, View
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.facts import (
    DealtOut,
    Looked,
    PackFact,
    PackRedealt,
    PackShuffled,
    TurnedOver,
    Unveiled,
    WentOnTop,
    WentUnder,
)
from p2p_sheriff.rules.modules.law_cards import LAWS, Effect, ForcedSale, Premium, Toll
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.moves import Discard, FillOrders, KeepMan, LayLaws, LayOut, ModuleMove, Reorder, UseMan
from p2p_sheriff.rules.steps import EndInspection, ManArrives, Negotiate, PayToll, RevealLaws, Step
from p2p_sheriff.seat.printed import drawn_laws, law_name, law_text, man_card, man_name, order_names
from p2p_sheriff.texts import Texts


def sentence(texts: Texts, name: Callable[[Seat], str], state: State, item: PackFact | ModuleMove) -> str:
    """Returns a sentence about one input; ``name`` says what a player is called."""
    match item:
        case PackShuffled(pack, cards):
            return texts("modules.shuffled", pack=texts(f"packs.{pack.value}"), n=cards)
        case PackRedealt(pack, cards):
            return texts("modules.redealt", pack=texts(f"packs.{pack.value}"), n=cards)
        case TurnedOver(_, names):
            return texts("modules.turned", orders=order_names(texts, names))
        case DealtOut(pack, seats, handles):
            who = texts.every(name(seat) for seat in seats)
            return texts("modules.draws", names=who, pack=texts(f"packs.{pack.value}"), n=len(handles))
        case Unveiled(Pack.LAWS, _, cards):
            step = state.todo[0]
            laid = step.laid if isinstance(step, RevealLaws) else ()
            told = (
                texts("modules.reveals_law", law=law_name(texts, law), text=law_text(texts, law, state))
                if handle in laid
                else texts("modules.shows_law", law=law_name(texts, law))
                for handle, law in cards
            )
            return " ".join(told)
        case Unveiled(_, _, cards):
            return texts("modules.reveals", cards=", ".join(man_card(texts, man) for _, man in cards))
        case WentUnder(pack, _, handles):
            return texts("modules.under", pack=texts(f"packs.{pack.value}"), n=len(handles))
        case LayLaws(seat, laid):
            return texts("modules.lays_laws", name=name(seat), n=len(laid))
        case LayOut(seat, ()):
            return texts("modules.lays_nothing_out", name=name(seat))
        case LayOut(seat, cards):
            return texts("modules.lays_out", name=name(seat), goods=texts.goods((kind, 1) for _, kind in cards))
        case Looked(seat, owner):
            return texts("modules.looks", name=name(seat), owner=name(owner))
        case WentOnTop(seat, handles):
            return texts("modules.puts_on_top", name=name(seat), n=len(handles))
        case KeepMan(seat):
            return texts("modules.keeps", name=name(seat))
        case UseMan(seat, False):
            return texts("modules.waives", name=name(seat))
        case UseMan(seat, _, ()):
            return texts("modules.sends", name=name(seat))
        case UseMan(seat, _, who):
            return texts("modules.sends_with", name=name(seat), names=texts.every(map(name, who)))
        case Discard(seat, ()):
            return texts("modules.discards_nothing", name=name(seat))
        case Discard(seat, cards):
            return texts("modules.discards", name=name(seat), goods=texts.goods((kind, 1) for _, kind in cards))
        case Reorder(seat):
            return texts("modules.reorders", name=name(seat))
        case FillOrders(seat, ()):
            return texts("modules.fills_none", name=name(seat))
        case FillOrders(seat, orders):
            return texts("modules.fills", name=name(seat), orders=order_names(texts, orders))
        case _:
            assert_never(item)


def by_itself(texts: Texts, name: Callable[[Seat], str], before: State, after: State) -> Iterator[str]:
    """Yields what may have moved gold after an input without anybody's word: laws, and a merry man who got in."""
    done = [step for step in before.todo if step not in after.todo]
    for law in before.laws:
        if _acts(LAWS[law].effect, before, after, done):
            yield texts("modules.by_law", law=law_name(texts, law))
    for step in done:
        if isinstance(step, ManArrives) and (man := before.bag_of(step.seat).man_name):
            card = MEN[man]
            yield texts("modules.gets_in", man=man_name(texts, man), name=name(step.seat), n=card.value)


def _acts(effect: Effect, before: State, after: State, done: Sequence[Step]) -> bool:
    """Whether a law has done something by itself."""
    match effect:
        case Toll():
            return any(isinstance(step, PayToll) for step in done)
        case Premium():
            is_over = any(isinstance(step, Negotiate | EndInspection) for step in done)
            bags = (state[seat].bag for state in (before, after) for seat in before.seats)
            return is_over and EndInspection() not in after.todo and any(bag and bag.smuggled for bag in bags)
        case ForcedSale(good):
            stalls = (kinds_of(state[seat].stall) for state in (before, after) for seat in before.merchants)
            return before.phase is Phase.INSPECT is not after.phase and any(good in stall for stall in stalls)
        case _:
            return False


def seen_alone(texts: Texts, name: Callable[[Seat], str], before: View | None, view: View) -> Iterator[str]:
    """Yields what the own player has just seen, and not everybody: face-down cards of others, laws that were drawn."""
    known = len(before.knowledge.looked) if before is not None else len(view.knowledge.looked)
    for owner, kind in view.knowledge.looked[known:]:
        yield texts("modules.saw", name=name(owner), good=texts.good(kind, 1))
    is_new = before is None or view.state.drawn_laws != before.state.drawn_laws
    laws = ", ".join(law for law, _ in drawn_laws(texts, view)) if is_new else ""
    if laws and len(view.state.drawn_laws) > 1:  # The last one is on its way under the deck.
        yield texts("modules.saw_laws", laws=laws)
