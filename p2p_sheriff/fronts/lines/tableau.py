"""The table in words: what a player sees, as lines that can also be read aloud."""

from collections.abc import Sequence

from p2p_sheriff.fronts.lines.understanding import help_for
from p2p_sheriff.rules import Choice, Phase, Seat, State, View, legal_moves
from p2p_sheriff.rules.bounds import HandOverBounds, PayInKindBounds
from p2p_sheriff.rules.law import fine_of, value_of
from p2p_sheriff.rules.moves import Verb
from p2p_sheriff.rules.state import Bag
from p2p_sheriff.seat.narration import Narrator, kinds
from p2p_sheriff.seat.stakes import stakes
from p2p_sheriff.texts import ENGLISH, Texts


class Tableau:
    """Puts one player's view into words."""

    def __init__(self, names: Sequence[str], texts: Texts = ENGLISH) -> None:
        """Takes the names by seat, and the language."""
        self._names, self._texts, self._narrator = names, texts, Narrator(names, texts)

    def about(self, view: View, choice: Choice | None, what: str) -> list[str]:
        """Returns the answer to a look: at the hand, the table, the offers, the discard pile; or help."""
        match what:
            case "hand":
                return self.hand(view)
            case "table":
                return self.table(view)
            case "offers":
                return self.offers(view)
            case "pile":
                return [self.pile(view)]
            case _:
                return self.help(view, choice)

    def pile(self, view: View) -> str:
        """Returns what lies on the discard piles."""
        cards = [card.kind for pile in view.state.piles for card in pile]
        return self._texts("table.pile", goods=kinds(cards, self._texts)) if cards else self._texts("table.pile_empty")

    def hand(self, view: View) -> list[str]:
        """Returns the own cards, numbered."""
        texts = self._texts
        cards = [
            texts(
                "table.card",
                place=place,
                good=texts.good(card.kind, 1),
                value=value_of(view.state.setup, card.kind),
                fine=fine_of(view.state, card.kind),
            )
            for place, card in enumerate(view.hand, start=1)
        ]
        hidden = [
            texts("table.hidden_card", place=place, good=texts.good(card.kind, 1))
            for place, card in enumerate(view.stack, start=1)
        ]
        in_bag = kinds((card.kind for card in view.bag), texts)
        return [
            texts("table.hand", cards="; ".join(cards)) if cards else texts("table.hand_empty"),
            *([texts("table.stack", cards="; ".join(hidden))] if hidden else []),
            *([texts("table.bag", goods=in_bag)] if in_bag else []),
        ]

    def table(self, view: View) -> list[str]:
        """Returns what lies in front of everybody."""
        state, texts = view.state, self._texts
        phase = texts(f"phases.{state.phase.name.lower()}")
        parts = [texts("table.round", round=state.round, phase=phase) if state.round else texts("table.setup")]
        if state.officers:
            names = self._narrator.names(state.officers)
            parts.append(texts("table.sheriff" if len(state.officers) == 1 else "table.deputies", names=names))
        parts.append(texts("table.deck", n=state.deck))
        return [" ".join(parts), *(self._stall(view, seat) for seat in state.seats), *black_market(state, texts)]

    def _stall(self, view: View, seat: Seat) -> str:
        texts, player = self._texts, view.state[seat]
        things = [texts("offer.gold", n=player.gold)]
        things.append(kinds((card.kind for card in player.stall), texts) or texts("table.stall_empty"))
        things += [texts("table.face_down", n=len(player.stack))] if player.stack else []
        things += [texts.name(prize) for prize in player.prizes]
        things += [self._declaration(player.bag)] if player.bag else []
        line = ", ".join(filter(None, things))
        return texts("table.own_stall" if seat == view.seat else "table.stall", name=self._names[seat], things=line)

    def _declaration(self, bag: Bag) -> str:
        if bag.count is None or bag.kind is None:
            return ""
        keys = {None: "table.declared", Verb.PASS: "table.declared_pass", Verb.INSPECT: "table.declared_inspect"}
        return self._texts(keys[bag.fate], n=bag.count, goods=self._texts.good(bag.kind, bag.count))

    def offers(self, view: View) -> list[str]:
        """Returns all offers that stand, with the names to accept them by."""
        lines = [
            self._texts(
                "table.offer",
                name=self._names[one.offer.seat],
                number=one.offer.number,
                offer=self._narrator.offer(one.offer),
            )
            for one in view.state.offers
        ]
        return lines or [self._texts("table.no_offers")]

    def help(self, view: View, choice: Choice | None) -> list[str]:
        """Returns what can be typed now."""
        texts, help_text = self._texts, help_for(choice, self._texts)
        return [
            *([texts("table.can_type", help=help_text)] if help_text else []),
            *(self._haggling() if view.state.phase is Phase.INSPECT else []),
            texts("help.any_time"),
            texts("help.words"),
        ]

    def _haggling(self) -> list[str]:
        texts = self._texts
        return [
            texts("table.can_haggle", help=texts("help.haggling")),
            texts("help.face_down"),
            texts("help.blind"),
            texts("help.from_bag"),
            texts("help.promise"),
        ]

    def prompt(self, view: View, choice: Choice) -> list[str]:
        """Returns the question that a choice is."""
        lines = ["", f">>> {self._texts(f'questions.{choice.name.lower()}')}"]
        if choice in _ABOUT_OWN_CARDS:
            lines += self.hand(view)
        if choice is Choice.ACT:
            lines += [self._stall(view, seat) for seat in view.state.closed_bags] + self.offers(view)
        help_text = help_for(choice, self._texts)
        what_to_type = self._texts("table.type", help=help_text) if help_text else ""
        return [*lines, *hints(view, choice, self._texts), what_to_type]

    def stakes(self, view: View) -> str:
        """Returns what happens if the own bag is inspected, once it is declared."""
        bag = view.me.bag
        if bag is None or bag.kind is None:
            return ""
        at_stake = stakes(view.state, [card.kind for card in view.bag], bag.kind)
        if at_stake.is_true:
            return self._texts("table.stakes_true", n=at_stake.fine)
        return self._texts("table.stakes_false", goods=self._texts.goods(at_stake.lost), n=at_stake.fine)


_ABOUT_OWN_CARDS = frozenset(
    {Choice.SET_ASIDE, Choice.LOAD, Choice.DECLARE, Choice.HAND_OVER, Choice.TRADE, Choice.PAY_IN_KIND}
)


# -- what a question needs besides


def hints(view: View, choice: Choice, texts: Texts = ENGLISH) -> list[str]:
    """Returns what must be known to answer: how much is owed, and what there is to choose from."""
    if choice is Choice.TRADE:
        return black_market(view.state, texts)
    if choice not in (Choice.HAND_OVER, Choice.PAY_IN_KIND):
        return []
    for bounds in legal_moves(view.state, view.seat):
        match bounds:
            case HandOverBounds(handles=handles, count=count):
                kinds = [texts.good(view.knowledge.kinds[handle], 1) for handle in handles]
                cards = ", ".join(f"{place} {kind}" for place, kind in enumerate(kinds, 1))
                return [texts("seat.give", n=count, cards=cards)]
            case PayInKindBounds(amount=amount, goods=goods):
                on_stall = [texts("seat.on_stall", goods=texts.goods(goods))] if goods else []
                return [texts("seat.owe", n=amount), *on_stall]
            case _:
                pass
    return []


def black_market(state: State, texts: Texts = ENGLISH) -> list[str]:
    """Returns what the black market has, if it is played with."""
    cards = ", ".join(texts.name(pair[0]) for pair in state.market if pair)
    return [texts("seat.black_market", goods=cards)] if cards else []
