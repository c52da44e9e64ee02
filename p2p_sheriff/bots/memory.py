"""What a bot remembers of the game: everything in it was seen by the whole table."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from p2p_sheriff.rules.cards import Goods, Handle, Kind, Seat
from p2p_sheriff.rules.facts import Given, Input, Opened, Shown
from p2p_sheriff.rules.moves import Accept, Act, Declare, Inspect, Offer, Pass, SetAside, Stance, Verb


class _Stage(Enum):
    """How far a merchant has come this round: it tells what cards shown are."""

    AT_MARKET = 1
    DECLARED = 2
    OPENING = 3
    SETTLED = 4


@dataclass(slots=True)
class BagStory:
    """One merchant's round, as the table has seen it."""

    stage: _Stage = _Stage.AT_MARKET
    count: int = 0
    kind: Kind = ""
    aside: Counter[Kind] = field(default_factory=Counter)
    """What was set aside at the market."""
    taken: Counter[Kind] = field(default_factory=Counter)
    """What was taken from others' discards (first edition)."""
    bribe: Offer | None = None
    """The last offer of the owner to have this very bag passed, or the question that the owner has paid."""
    owed: list[Goods] = field(default_factory=list)
    """Face-down goods that the owner has promised by kind in deals that were closed, and not yet shown."""
    verdicts: dict[Seat, Verb] = field(default_factory=dict)
    """The last word of each officer about this bag."""


@dataclass(slots=True)
class Conduct:
    """How a player has behaved as a merchant. Every bag is known once it is opened."""

    true: int = 0
    """True bags."""
    lies: int = 0
    quiet_true: int = 0
    """Those among the true ones for which nothing was offered nor paid."""
    quiet_lies: int = 0
    false_cards: int = 0
    """Cards in lying bags that were not the declared good."""
    false_of: int = 0
    """All cards in lying bags."""
    promised: int = 0
    """Goods promised by kind, face-down or out of bags that were let pass for it."""
    kept: int = 0
    """Those of them that were there."""

    @property
    def is_liar(self) -> bool:
        """Whether more bags of this player were lies than were true."""
        return self.lies > self.true

    @property
    def candour(self) -> float:
        """How far it tells that nothing was paid: fully of a stranger, less with every lie that went with silence."""
        return (self.quiet_true + 1) / (self.quiet_true + 3 * self.quiet_lies + 1)

    def note_promise(self, goods: Goods, shown: Sequence[Kind]) -> None:
        """Learn how much of what was promised by kind was there."""
        self.promised += sum(count for _, count in goods)
        self.kept += sum(min(count, shown.count(kind)) for kind, count in goods)

    def trust(self, stranger: float) -> float:
        """Return how much of what this player promises is likely to be there (rule 7.8); strangers: so much."""
        return (self.kept + 2 * stranger) / (self.promised + 2)


@dataclass(frozen=True, slots=True)
class Decision:
    """What an officer did with a bag."""

    merchant: Seat
    was_liar: bool
    """Whether the merchant was known as a liar by then."""
    count: int
    bribe: Offer | None
    verb: Verb


class Memory:
    """Reads the stream of public inputs and keeps what matters for judging people."""

    def __init__(self) -> None:
        self.stories: defaultdict[Seat, BagStory] = defaultdict(BagStory)
        """What is known of each merchant's round."""
        self.conduct: defaultdict[Seat, Conduct] = defaultdict(Conduct)
        """How each player has behaved as a merchant so far."""
        self.judged = 0
        """How many bags were judged so far."""
        self.decisions: defaultdict[Seat, list[Decision]] = defaultdict(list)
        self._offers: dict[tuple[Seat, int], Offer] = {}
        self._accepted: defaultdict[tuple[Seat, int], set[Seat]] = defaultdict(set)
        self._shown: dict[Handle, Kind] = {}

    def note(self, item: Input) -> None:
        """Take in what has just happened at the table."""
        match item:
            case SetAside(seat):
                self.stories[seat] = BagStory()
            case Declare(seat, count, kind):
                story = self.stories[seat]
                story.stage, story.count, story.kind = _Stage.DECLARED, count, kind
            case Offer():
                self._note_offer(item)
            case Accept(seat, author, number):
                self._note_accepted(seat, author, number)
            case Pass(seat, bag, for_nothing):
                story = self.stories[bag]
                story.verdicts[seat] = Verb.PASS
                if story.bribe is not None and not for_nothing:
                    self._note_closed(story.bribe)
            case Inspect(seat, bag):
                self.stories[bag].verdicts[seat] = Verb.INSPECT
            case Stance(seat, bag, verb):
                self.stories[bag].verdicts[seat] = verb
            case Opened(seat):
                self.stories[seat].stage = _Stage.OPENING
            case Shown():
                self._note_shown(item)
            case Given(_, receiver, handles):
                self._note_given(receiver, handles)
            case _:
                pass

    def _note_offer(self, offer: Offer) -> None:
        self._offers[offer.seat, offer.number] = offer
        if offer.is_bribe and offer.seat == offer.gift.giver and offer.acts == (Act(offer.seat, Verb.PASS),):
            self.stories[offer.seat].bribe = offer

    def _note_accepted(self, seat: Seat, author: Seat, number: int) -> None:
        offer = self._offers.get((author, number))
        if offer is None:
            return
        accepted = self._accepted[author, number]
        accepted.add(seat)
        is_closed = {author, *accepted} >= set(offer.parties)
        if is_closed:
            self._note_closed(offer)
        if not offer.is_bribe:
            if not is_closed:
                return  # What a deputy says for a bribe tells something; of others, what is done for them.
        elif offer.acts == (Act(offer.gift.giver, Verb.PASS),):
            self.stories[offer.gift.giver].bribe = offer
        for act in offer.acts:
            self.stories[act.bag].verdicts.update(dict.fromkeys(offer.officers, act.verb))

    def _note_closed(self, offer: Offer) -> None:
        for gift in offer.gifts:
            if gift.things.stack:
                self.stories[gift.giver].owed.append(gift.things.stack)

    def _note_shown(self, fact: Shown) -> None:
        story = self.stories[fact.seat]
        kinds = [kind for _, kind in fact.cards]
        if story.stage is _Stage.AT_MARKET:
            story.aside.update(kinds)
            self._shown.update(fact.cards)
        elif story.stage is _Stage.OPENING:
            story.stage = _Stage.SETTLED
            self._judge(fact.seat, story, kinds)
            self._shown.update(fact.cards)
        elif story.owed:
            self.conduct[fact.seat].note_promise(story.owed.pop(0), kinds)

    def _note_given(self, receiver: Seat, handles: tuple[tuple[Handle, Handle], ...]) -> None:
        if receiver < 0:
            return
        story = self.stories[receiver]
        if story.stage is _Stage.AT_MARKET:
            story.taken.update(self._shown[old] for old, _ in handles if old in self._shown)

    def _judge(self, seat: Seat, story: BagStory, shown: list[Kind]) -> None:
        """Learn from an opened bag: of one that passes the legal cards are shown, and hidden ones make it a lie."""
        conduct = self.conduct[seat]
        self.judged += 1
        for officer, verb in story.verdicts.items():
            decision = Decision(seat, conduct.is_liar, story.count, story.bribe, verb)
            self.decisions[officer].append(decision)
        honest = sum(kind == story.kind for kind in shown)
        if honest == story.count:
            conduct.true += 1
            conduct.quiet_true += story.bribe is None
        else:
            conduct.lies += 1
            conduct.quiet_lies += story.bribe is None
            conduct.false_cards += story.count - honest
            conduct.false_of += story.count
        if story.bribe is not None and Verb.INSPECT not in story.verdicts.values():
            conduct.note_promise(story.bribe.gift.things.bag, shown)
