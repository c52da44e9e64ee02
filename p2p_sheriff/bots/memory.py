"""What a bot remembers of the game: everything in it was seen by the whole table."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from enum import Enum

from p2p_sheriff.rules.cards import Handle, Kind, Seat
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
    """The last offer of the owner to have this very bag passed."""
    verdicts: dict[Seat, Verb] = field(default_factory=dict)
    """The last word of each officer about this bag."""


@dataclass(slots=True)
class Conduct:
    """How a player has behaved as a merchant, bribed bags apart from others. Every bag is known once it is opened."""

    true: Counter[bool] = field(default_factory=Counter)
    """True bags; the key is whether a bribe was offered."""
    lies: Counter[bool] = field(default_factory=Counter)
    false_cards: int = 0
    """Cards in lying bags that were not the declared good."""
    false_of: int = 0
    """All cards in lying bags."""
    promised: int = 0
    """Goods promised by kind out of bags that were let pass for it."""
    kept: int = 0
    """Those of them that were there."""

    @property
    def trust(self) -> float:
        """How much of what this player promises is likely to be there (rule 7.8)."""
        return (self.kept + 1.2) / (self.promised + 2)


@dataclass(frozen=True, slots=True)
class Decision:
    """What an officer did with a bag."""

    merchant: Seat
    had_lied: bool
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
        self.decisions: defaultdict[Seat, list[Decision]] = defaultdict(list)
        self._offers: dict[tuple[Seat, int], Offer] = {}
        self._shown: dict[Handle, Kind] = {}

    def has_lied(self, seat: Seat) -> bool:
        """Whether a bag of this player was ever not what it was said to be."""
        return self.conduct[seat].lies.total() > 0

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
            case Accept(_, author, number):
                self._note_acts(author, number)
            case Pass(seat, bag):
                self.stories[bag].verdicts[seat] = Verb.PASS
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
        if offer.seat == offer.gift.giver and offer.acts == (Act(offer.seat, Verb.PASS),):
            self.stories[offer.seat].bribe = offer

    def _note_acts(self, author: Seat, number: int) -> None:
        offer = self._offers.get((author, number))
        if offer is None:
            return
        for act in offer.acts:
            self.stories[act.bag].verdicts.update(dict.fromkeys(offer.officers, act.verb))

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

    def _note_given(self, receiver: Seat, handles: tuple[tuple[Handle, Handle], ...]) -> None:
        if receiver < 0:
            return
        story = self.stories[receiver]
        if story.stage is _Stage.AT_MARKET:
            story.taken.update(self._shown[old] for old, _ in handles if old in self._shown)

    def _judge(self, seat: Seat, story: BagStory, shown: list[Kind]) -> None:
        """Learn from an opened bag: of one that passes the legal cards are shown, and hidden ones make it a lie."""
        conduct = self.conduct[seat]
        for officer, verb in story.verdicts.items():
            decision = Decision(seat, conduct.lies.total() > 0, story.count, story.bribe, verb)
            self.decisions[officer].append(decision)
        honest = sum(kind == story.kind for kind in shown)
        bribed = story.bribe is not None
        if honest == story.count:
            conduct.true[bribed] += 1
        else:
            conduct.lies[bribed] += 1
            conduct.false_cards += story.count - honest
            conduct.false_of += story.count
        if story.bribe is not None and Verb.INSPECT not in story.verdicts.values():
            for kind, count in story.bribe.gift.things.bag:
                conduct.promised += count
                conduct.kept += min(count, shown.count(kind))
