"""The table in words: what a player sees, as lines that can also be read aloud."""

from collections import Counter
from collections.abc import Sequence

from p2p_sheriff.linemode import HAGGLING, HELP
from p2p_sheriff.narration import Narrator, kinds
from p2p_sheriff.rules import Choice, Phase, Seat, View


class Tableau:
    """Puts one player's view into words."""

    def __init__(self, names: Sequence[str]) -> None:
        """Takes the names by seat."""
        self._names, self._narrator = names, Narrator(names)

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
                cards = [card.kind for pile in view.state.piles for card in pile]
                return [f"On the discard pile: {kinds(cards) or 'nothing'}."]
            case _:
                return self.help(view, choice)

    def hand(self, view: View) -> list[str]:
        """Returns the own cards, numbered."""
        table = view.state.setup.table
        lines = [
            f"{place} {card.kind} (worth {table[card.kind].value}, fine {table[card.kind].fine})"
            for place, card in enumerate(view.hand, start=1)
        ]
        hidden = [f"{place} {card.kind}" for place, card in enumerate(view.stack, start=1)]
        return [
            f"Your hand: {'; '.join(lines) or 'empty'}.",
            *([f"Your face-down cards: {', '.join(hidden)}."] if hidden else []),
            *([f"In your bag: {kinds(card.kind for card in view.bag)}."] if view.bag else []),
        ]

    def table(self, view: View) -> list[str]:
        """Returns what lies in front of everybody."""
        state = view.state
        officers = " and ".join(self._names[seat] for seat in state.officers)
        lines = [f"Round {state.round}, {state.phase.value}. Sheriff: {officers}. {state.deck} cards in the deck."]
        return lines + [self._stall(view, seat) for seat in state.seats]

    def _stall(self, view: View, seat: Seat) -> str:
        player = view.state[seat]
        parts = [f"{player.gold} gold", kinds(card.kind for card in player.stall) or "an empty stall"]
        parts += [f"{len(player.stack)} face down"] if player.stack else []
        parts += list(player.prizes)
        if player.bag is not None and player.bag.count is not None:
            dealt_with = f" ({player.bag.fate.value}ed)" if player.bag.fate else ""
            parts.append(f'declared "{player.bag.count} {player.bag.kind}"{dealt_with}')
        return f"{self._names[seat]}{' (you)' if seat == view.seat else ''}: {', '.join(parts)}."

    def offers(self, view: View) -> list[str]:
        """Returns all offers that stand, with the names to accept them by."""
        lines = [
            f"{self._names[one.offer.seat]} {one.offer.number}: {self._narrator.offer(one.offer)}"
            for one in view.state.offers
        ]
        return lines or ["No offers stand."]

    def help(self, view: View, choice: Choice | None) -> list[str]:
        """Returns what can be typed now."""
        lines = [f"You can type {HELP[choice]}."] if choice in HELP else []
        if view.state.phase is Phase.INSPECT:
            lines.append(f"You can haggle: {HAGGLING}.")
        return [*lines, "At any time: hand, table, offers, pile, say WORDS, help, quit."]

    def prompt(self, view: View, choice: Choice) -> list[str]:
        """Returns the question that a choice is."""
        question = _QUESTIONS.get(choice, choice.value)
        lines = ["", f">>> {question}"]
        if choice in (
            Choice.SET_ASIDE,
            Choice.LOAD,
            Choice.HAND_OVER,
            Choice.TRADE,
            Choice.PAY_IN_KIND,
            Choice.DECLARE,
        ):
            lines += self.hand(view)
        if choice is Choice.ACT:
            lines += [self._stall(view, seat) for seat in view.state.closed_bags] + self.offers(view)
        return [*lines, f"Type {HELP[choice]}." if choice in HELP else ""]

    def stakes(self, view: View) -> str:
        """Returns what happens if the own bag is inspected, once it is declared."""
        bag = view.me.bag
        if bag is None or bag.kind is None:
            return ""
        table = view.state.setup.table
        counts = Counter(card.kind for card in view.bag)
        lost = {kind: count for kind, count in counts.items() if kind != bag.kind}
        if not lost:
            earned = sum(table[kind].fine * count for kind, count in counts.items())
            return f"Your bag is true: if it is inspected, the sheriff pays you {earned}."
        fine = sum(table[kind].fine * count for kind, count in lost.items())
        gone = ", ".join(f"{count} {kind}" for kind, count in lost.items())
        return f"If your bag is inspected, you lose {gone} and pay {fine}."


_ABOUT_OWN_CARDS = frozenset(
    {Choice.SET_ASIDE, Choice.LOAD, Choice.DECLARE, Choice.HAND_OVER, Choice.TRADE, Choice.PAY_IN_KIND}
)

_QUESTIONS = {
    Choice.NAME_FIRST: "You are the sheriff. Who goes to the market first?",
    Choice.SET_ASIDE: "The market: which cards do you set aside, face up, to draw others?",
    Choice.LOAD: "Load your bag, unseen by anyone.",
    Choice.DECLARE: "Hand your bag to the sheriff: what do you say is in it?",
    Choice.ACT: "You are the sheriff: inspect a bag, let one pass, or haggle.",
    Choice.HAND_OVER: "You promised face-down cards: which?",
    Choice.PAY_IN_KIND: "Your gold does not cover the fine: what do you give?",
    Choice.TRADE: "The black market: do you show three of a kind for its card?",
}
