"""The table in words: what a player sees, as lines that can also be read aloud."""

from collections.abc import Collection, Mapping, Sequence

from p2p_sheriff.fronts.lines import cardlines
from p2p_sheriff.fronts.lines.discards import piles, to_put_back
from p2p_sheriff.fronts.lines.understanding import help_for
from p2p_sheriff.rules import Choice, Handle, Phase, Seat, State, View, legal_moves
from p2p_sheriff.rules.bounds import HandOverBounds, PayInKindBounds
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.deals import find_offer
from p2p_sheriff.rules.law import declarable_kinds, fine_of, value_of
from p2p_sheriff.rules.moves import Verb
from p2p_sheriff.rules.state import Bag
from p2p_sheriff.rules.steps import ShareOut
from p2p_sheriff.seat.asking import question
from p2p_sheriff.seat.narration import Narrator, kinds
from p2p_sheriff.seat.printed import man_name
from p2p_sheriff.seat.sharing import lying
from p2p_sheriff.seat.stakes import in_words, lost_in_words, man_in_bag, stakes, told_by_law
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import ENGLISH, Texts


class Tableau:
    """Puts one player's view into words."""

    def __init__(
        self,
        names: Sequence[str],
        texts: Texts = ENGLISH,
        bots: Mapping[Seat, str] | None = None,
        new_cards: Collection[Handle] = (),
        narrator: Narrator | None = None,
    ) -> None:
        """Takes the names by seat, the language, who is a bot of which style, the cards drawn last, and who tells."""
        self._names, self._texts, self._narrator = names, texts, narrator or Narrator(names, texts)
        self._bots, self._new_cards = bots or {}, new_cards

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
                return piles(view.state, self._texts)
            case "cards":
                return cardlines.in_the_decks(view.state, self._texts)
            case _:
                return self.help(view, choice)

    def hand(self, view: View) -> list[str]:
        """Returns the own cards, numbered."""
        texts = self._texts
        cards = [
            texts(
                "table.new_card" if card.handle in self._new_cards else "table.card",
                place=place,
                good=texts.good(card.kind, 1),
                value=value_of(view.state.setup, card.kind),
                fine=fine_of(view.state, card.kind),
            )
            for place, card in enumerate(cardlines.in_hand(view), start=1)
        ]
        hidden = [
            texts("table.hidden_card", place=place, good=texts.good(card.kind, 1))
            for place, card in enumerate(view.stack, start=1)
        ]
        man = man_in_bag(view)
        in_bag = ", ".join(
            filter(None, [kinds((card.kind for card in view.bag), texts), man_name(texts, man) if man else ""])
        )
        return [
            texts("table.hand", cards="; ".join(cards)) if cards else texts("table.hand_empty"),
            *cardlines.own_man(view, texts),
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
        stalls = (self._stall(view, seat) for seat in state.seats)
        loot = [self._loot(state)] if state.loot else []
        middle = (*loot, *black_market(state, texts), *cardlines.in_the_middle(state, texts))
        return [" ".join(parts), *stalls, *middle, *cardlines.looked_at(view, texts, self._narrator.name)]

    def _loot(self, state: State) -> str:
        things = self._narrator.portion(state.loot.gold, lying(state.loot))
        return self._texts("table.loot", things=things)

    def _sharing(self, state: State, choice: Choice) -> list[str]:
        """Returns what lies on the Loot: as it is shared, with what is proposed, or by the numbers to pick it by."""
        if choice is Choice.SHARE_LOOT:
            proposed = [step.proposal for step in state.todo[:1] if isinstance(step, ShareOut) and step.proposal]
            return [self._loot(state), *(self._narrator.split(state, split) for split in proposed)]
        kinds = [card.kind for card in state.loot.cards] + [*state.loot.prizes]
        names = [self._texts.good(kind, 1) if kind else self._texts("offer.stack_blind", n=1) for kind in kinds]
        cards = (self._texts("table.hidden_card", place=at, good=name) for at, name in enumerate(names, start=1))
        return [self._texts("table.loot", things="; ".join(cards))]

    def _stall(self, view: View, seat: Seat) -> str:
        texts, player = self._texts, view.state[seat]
        things = [texts("table.bot", style=self._bots[seat])] if seat in self._bots else []
        things.append(texts("offer.gold", n=player.gold))
        things.append(kinds((card.kind for card in player.stall), texts) or texts("table.stall_empty"))
        things += [texts("table.face_down", n=len(player.stack))] if player.stack else []
        things += [texts.name(prize) for prize in player.prizes] + cardlines.at_a_stall(player, texts)
        things += [self._declaration(player.bag), *self._said(view.state, player.bag)] if player.bag else []
        line = ", ".join(filter(None, things))
        return texts("table.own_stall" if seat == view.seat else "table.stall", name=self._names[seat], things=line)

    def _declaration(self, bag: Bag) -> str:
        if bag.count is None or bag.kind is None:
            return ""
        keys = {None: "table.declared", Verb.PASS: "table.declared_pass", Verb.INSPECT: "table.declared_inspect"}
        return self._texts(keys[bag.fate], n=bag.count, goods=self._texts.good(bag.kind, bag.count))

    def _said(self, state: State, bag: Bag) -> list[str]:
        """Returns what deputies have said about a bag, and for which offer (rule 10.4)."""
        texts, name = self._texts, self._narrator.name
        if bag.alone is not None:
            return [texts("tui.player.alone", name=name(bag.alone))]
        said = []
        for word in bag.stances:
            key = f"tui.player.says_{word.verb.value}"
            standing = find_offer(state, *word.price) if word.price else None
            paid = self._narrator.payment(standing.offer) if standing else ""
            said.append(
                texts(f"{key}_for", name=name(word.seat), payment=paid) if paid else texts(key, name=name(word.seat))
            )
        return said

    def offers(self, view: View) -> list[str]:
        """Returns all offers that stand, with the names to accept them by."""
        standing = sorted(
            (self._narrator.number(*one.offer.name), one.offer.seat, one.offer) for one in view.state.offers
        )
        lines = [
            self._narrator.negotiation(offer)
            if seat == view.seat
            else self._texts("table.offer", name=self._names[seat], number=number, offer=self._narrator.offer(offer))
            for number, seat, offer in standing
        ]
        return lines or [self._texts("table.no_offers")]

    def help(self, view: View, choice: Choice | None) -> list[str]:
        """Returns what can be typed now."""
        texts, help_text = self._texts, help_for(choice, self._texts, view.state)
        return [
            *([texts("table.can_type", help=help_text)] if help_text else []),
            *(self._haggling() if view.state.phase is Phase.INSPECT else []),
            texts("help.any_time"),
            *([texts("help.cards")] if view.state.setup.packs else []),
            texts("help.words"),
            texts("help.parting"),
        ]

    def _haggling(self) -> list[str]:
        texts = self._texts
        return [
            texts("table.can_haggle", help=texts("help.haggling")),
            texts("help.face_down"),
            texts("help.blind"),
            texts("help.from_bag"),
            texts("help.promise"),
            texts("help.deal"),
        ]

    def prompt(self, view: View, choice: Choice) -> list[str]:
        """Returns the question that a choice is."""
        is_down = choice is Choice.SET_ASIDE and view.state.setup.two_piles
        asked = "table.set_aside_down" if is_down else f"questions.{question(view.state, choice)}"
        lines = ["", f">>> {self._texts(asked)}"]
        if choice in _ABOUT_OWN_CARDS:
            lines += self.hand(view)
        if choice is Choice.NAME_FIRST:
            lines.append(self._texts("table.merchants", names=self._narrator.names(view.state.merchants)))
        if choice is Choice.ACT:
            lines += [self._stall(view, seat) for seat in view.state.closed_bags] + self.offers(view)
        if choice in (Choice.SHARE_LOOT, Choice.PICK_LOOT):
            lines += self._sharing(view.state, choice)
        lines += cardlines.to_choose(view, choice, self._texts, self._narrator.name)
        help_text = help_for(choice, self._texts, view.state)
        what_to_type = self._texts("table.type", help=help_text) if help_text else ""
        return [*lines, *hints(view, choice, self._texts), what_to_type]

    def haggling(self, view: View, seconds: int | None) -> list[str]:
        """Returns what a merchant is asked whose bag lies before the sheriff; and for how long, if a bot waits."""
        texts = self._texts
        lines = ["", f">>> {texts('questions.haggle')}", *self.offers(view)]
        lines += [texts("table.open_for", n=seconds)] if seconds is not None else []
        return [*lines, texts("table.type", help=texts("help.haggle"))]

    def stakes(self, view: View) -> str:
        """Returns what happens if the own bag is inspected, once it is declared."""
        bag = view.me.bag
        if bag is None or bag.kind is None:
            return ""
        at_stake = stakes(view, [card.kind for card in view.bag], bag.kind, man_in_bag(view))
        lost = lost_in_words(self._texts, at_stake)
        if at_stake.is_true:
            inspected = self._texts("table.stakes_true", n=at_stake.fine)
        else:
            inspected = self._texts("table.stakes_false", goods=lost, n=at_stake.fine)
        return " ".join([inspected, *told_by_law(self._texts, at_stake)])


_ABOUT_OWN_CARDS = frozenset(
    {Choice.SET_ASIDE, Choice.LOAD, Choice.DECLARE, Choice.HAND_OVER, Choice.TRADE, Choice.PAY_IN_KIND, Choice.DISCARD}
)


# -- what a question needs besides


def hints(view: View, choice: Choice, texts: Texts = ENGLISH) -> list[str]:
    """Returns what must be known to answer: how much is owed, what there is to choose from, and what a lie costs."""
    if choice is Choice.DECLARE:
        words, bag, man = Words(texts), kinds_of(view.bag), man_in_bag(view)
        return [in_words(words, view, stakes(view, bag, kind, man)) for kind in declarable_kinds(view.state)]
    if choice is Choice.TRADE:
        return black_market(view.state, texts)
    if choice is Choice.LAY_DOWN:
        numbered = (f"{place} = {texts.good(card.kind, 1)}" for place, card in enumerate(to_put_back(view), start=1))
        return [texts("table.to_put_back", cards="; ".join(numbered))]
    swaps = choice is Choice.DISCARD and question(view.state, choice) == "swap"
    if swaps or choice is Choice.TAKE_DISCARDS or (choice is Choice.SET_ASIDE and view.state.setup.two_piles):
        return piles(view.state, texts)
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
