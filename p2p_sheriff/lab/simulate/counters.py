"""Plain counter-strategies: what somebody tries who has seen through bots. They play at simulated tables alone."""

from dataclasses import dataclass
from enum import Enum
from random import Random

from p2p_sheriff.bots.appraisal import Appraisal
from p2p_sheriff.bots.belief import unseen
from p2p_sheriff.bots.bot import Bot, Opinion
from p2p_sheriff.bots.character import Character
from p2p_sheriff.bots.routine import by_kind
from p2p_sheriff.rules import Card, Handle, Kind, Seat, View
from p2p_sheriff.rules.law import bag_limits, bag_room, declarable_kinds, fine_of, is_contraband, value_of
from p2p_sheriff.rules.market import cards_needed
from p2p_sheriff.rules.moves import Accept, Act, Offer, Things, Verb


class Looks(Enum):
    """Whose bags a counter-strategy opens as sheriff."""

    NEVER = "never"
    DISCARDED = "whoever declares a good just discarded"
    LIARS = "whoever has lied more often than not"
    PAYERS = "whoever offers something"
    ALWAYS = "everybody"


@dataclass(frozen=True, slots=True)
class Ploy:
    """What a counter-strategy does, and always does."""

    looks: Looks
    price: int
    """The gold for which it lets a bag pass that it would open."""
    lies: float = 0.0
    """How often contraband goes into the bag, all that there is."""
    pays: float = 0.0
    """What it offers for a lie, and pays at most: a share of what is at stake."""
    bait: int = 0
    """What it offers for a true bag, to be looked into."""
    empty: int = 0
    """How many silks it promises for a lie that are not in the bag."""
    asks: tuple[int, ...] = ()
    """What it asks of everybody as sheriff, one question after the other."""
    tips: int = 0
    """What it offers for a look at the next merchant's bag."""


PLOYS: dict[str, Ploy] = {
    "saint": Ploy(Looks.DISCARDED, price=10),
    "lamb": Ploy(Looks.NEVER, price=0),
    "judge": Ploy(Looks.LIARS, price=10),
    "hawk": Ploy(Looks.ALWAYS, price=12),
    "baiter": Ploy(Looks.LIARS, price=10, bait=4),
    "briber": Ploy(Looks.DISCARDED, price=8, lies=1.0, pays=0.5),
    "liar": Ploy(Looks.LIARS, price=10, lies=0.8),
    "prober": Ploy(Looks.PAYERS, price=20, asks=(20,)),
    "trader": Ploy(Looks.LIARS, price=6, lies=0.5, pays=0.2, empty=2, asks=(14, 10, 7, 5, 3), tips=3),
}
"""Those that are plain, by name."""
SILENT = "silent"
"""One that is not plain: it plays as well as the shrewd one."""
COUNTERS: tuple[str, ...] = (*PLOYS, SILENT)
"""All counter-strategies, by name."""


class Silent(Character):
    """Plays as the shrewd one does, and never offers or pays anything."""

    def __init__(self, seat: Seat, rng: Random) -> None:
        super().__init__("shrewd", seat, rng)
        self.name = SILENT

    def propose(self, view: View) -> None:
        """Say nothing."""

    def respond(self, view: View, offer: Offer) -> None:
        """Say nothing."""


class CounterBot(Bot):
    """Plays by a ploy; its cards it plays as well as a plain mind can."""

    def __init__(self, style: str, seat: Seat, rng: Random) -> None:
        super().__init__(seat, rng)
        self.style = self.name = style
        self._ploy = PLOYS[style]

    def new_round(self) -> None:
        """Make up its mind for a round."""
        self._smuggles = self.rng.random() < self._ploy.lies
        self._offered = self._tipped = False

    # -- market and bag

    def discard(self, view: View) -> tuple[Handle, ...]:
        """Collect the legal good that promises most, and contraband if it is to lie."""
        state, left = view.state, unseen(view)
        worth, total = Appraisal(view), max(1, left.total())
        held = by_kind(view.hand)

        def promise(kind: Kind) -> float:
            count = len(held.get(kind, []))
            return worth.one(kind) * min(bag_room(state), count + (len(view.hand) - count) * left[kind] / total)

        best = max(declarable_kinds(state), key=promise)
        keeps = {best, *(kind for kind in held if self._smuggles and is_contraband(state, kind))}
        return tuple(card.handle for card in view.hand if card.kind not in keeps)

    def take(self, view: View) -> tuple[int, int]:
        """Take what it collects, as long as it lies on top."""
        kinds, need = {card.kind for card in view.hand}, cards_needed(view.state, self.seat)
        counts = [0, 0]
        for index, pile in enumerate(view.state.piles):
            for card in reversed(pile):
                if sum(counts) == need or card.kind not in kinds:
                    break
                counts[index] += 1
        return counts[0], counts[1]

    def pack(self, view: View) -> tuple[Handle, ...]:
        """Load the legal good that is worth most, and all contraband if it is to lie."""
        state, (least, most) = view.state, bag_limits(view.state, self.seat)
        cards: list[Card] = []
        if self._smuggles:
            contraband = [card for card in view.hand if is_contraband(state, card.kind)]
            cards = sorted(contraband, key=lambda card: -value_of(state.setup, card.kind))
        legal = {kind: group for kind, group in by_kind(view.hand).items() if kind in declarable_kinds(state)}
        worth = Appraisal(view)
        if legal:
            cards += legal[max(legal, key=lambda kind: worth.of({kind: min(most, len(legal[kind]))}))]
        cards = cards or sorted(view.hand, key=lambda card: value_of(state.setup, card.kind))[:1]
        cards += [card for card in view.hand if card not in cards][: max(0, least - len(cards))]
        return tuple(sorted(card.handle for card in cards[:most]))

    def declaration(self, view: View) -> Kind:
        """Declare the legal good that is in the bag, or one that was not just set aside."""
        legal, aside = declarable_kinds(view.state), self.memory.stories[self.seat].aside
        kinds = [card.kind for card in view.bag]
        return max(legal, key=lambda kind: (kinds.count(kind), aside[kind] == 0, self.rng.random()))

    # -- as a merchant

    def propose(self, view: View) -> Offer | None:
        """Offer what the ploy says, once."""
        ploy, gold = self._ploy, view.me.gold
        if not self._offered and self.seat in view.state.closed_bags:
            self._offered = True
            stake = self._stake(view)
            things = Things(min(gold, round(ploy.pays * stake) if stake else ploy.bait))
            if stake and ploy.empty:
                things = Things(things.gold, bag=(("silk", ploy.empty),))
            if things != Things():
                return self.offer(view, things, Act(self.seat, Verb.PASS))
        if ploy.tips and not self._tipped:
            self._tipped = True
            others = [bag for bag in view.state.closed_bags if bag != self.seat]
            if others and gold >= ploy.tips:
                return self.offer(view, Things(ploy.tips), Act(others[0], Verb.INSPECT))
        return None

    def respond(self, view: View, offer: Offer) -> Accept | Offer | None:
        """Pay as much as the ploy says, and no more."""
        affordable = offer.gift.things.gold <= self._ploy.pays * self._stake(view)
        wanted = offer.acts == (Act(self.seat, Verb.PASS),)
        return Accept(self.seat, offer.seat, offer.number) if wanted and affordable else None

    def _stake(self, view: View) -> int:
        declared = view.me.bag.kind if view.me.bag else None
        false = [card.kind for card in view.bag if card.kind != declared]
        return sum(value_of(view.state.setup, kind) + fine_of(view.state, kind) for kind in false)

    # -- as an officer

    def opinion(self, view: View, bag: Seat) -> Opinion:  # noqa: ARG002 - a ploy looks at people.
        """Open whom the ploy opens; ask what it asks."""
        ploy, story, conduct = self._ploy, self.memory.stories[bag], self.memory.conduct[bag]
        match ploy.looks:
            case Looks.NEVER:
                opens = False
            case Looks.DISCARDED:
                opens = story.aside[story.kind] > 0
            case Looks.LIARS:
                opens = conduct.is_liar
            case Looks.PAYERS:
                opens = story.bribe is not None
            case Looks.ALWAYS:
                opens = True
        ask = ploy.asks[self.asked[bag]] if self.asked[bag] < len(ploy.asks) else 0
        return Opinion(opens, ploy.price if opens else 0, 0 if opens else 5, ask)
