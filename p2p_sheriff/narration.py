"""What happens at the table, told in sentences: for the line mode, the demo and the log."""

from collections import Counter
from collections.abc import Iterable, Sequence

from p2p_sheriff.rules import Ending, Goods, Input, Kind, Outcome, Phase, Seat, State
from p2p_sheriff.rules.facts import (
    Coin,
    Drawn,
    Given,
    Left,
    Opened,
    Proved,
    Redealt,
    Reshuffled,
    Shown,
    Shuffled,
    TimeUp,
)
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Alone,
    Confirm,
    Declare,
    HandOver,
    Inspect,
    LayDown,
    Load,
    NameFirst,
    Offer,
    Pass,
    PayInKind,
    Payment,
    PickLoot,
    SetAside,
    ShareLoot,
    Stance,
    TakeDiscards,
    Trade,
    Verb,
    Withdraw,
)

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Narrator:
    """Tells one game with the names of its players."""

    def __init__(self, names: Sequence[str]) -> None:
        """Takes the names by seat."""
        self._names = names

    def name(self, seat: Seat) -> str:
        """Returns what a player is called."""
        return self._names[seat] if 0 <= seat < len(self._names) else "the Loot"

    def tell(self, before: State, item: Input, after: State) -> list[str]:
        """Returns the sentences about one input; none if there is nothing to see."""
        lines = []
        if sentence := self._sentence(before, item):
            lines.append(sentence + self._gold(before, after))
        if before.round != after.round and after.phase is not Phase.OVER:
            lines.append(self._new_round(after))
        if before.round == after.round and before.phase is not after.phase and after.phase in _PHASES:
            lines.append(_PHASES[after.phase])
        return lines

    def _new_round(self, state: State) -> str:
        officers = " and ".join(self.name(seat) for seat in state.officers)
        return (
            f"=== Round {state.round}: {officers} {'is sheriff' if len(state.officers) == 1 else 'are deputies'}. ==="
        )

    def _gold(self, before: State, after: State) -> str:
        changes = [
            f"{self.name(seat)} {after[seat].gold - before[seat].gold:+d}"
            for seat in after.setup.seats
            if after[seat].gold != before[seat].gold
        ]
        return f" [gold: {', '.join(changes)}]" if changes else ""

    def _sentence(self, state: State, item: Input) -> str:
        match item:
            case Shuffled(cards):
                return f"All players have shuffled the {cards} cards, and proved it to each other."
            case Reshuffled(cards):
                return f"The deck is empty: the {cards} discards are shuffled into a new one."
            case Redealt(cards):
                return f"The deck is dealt anew: {cards} cards."
            case Coin(purpose, _):
                return f"A coin that nobody could bias decides: {purpose}."
            case Drawn(seat, handles):
                return f"{self.name(seat)} draws {_count(len(handles), 'card')}."
            case Shown(seat, cards):
                return f"{self.name(seat)} shows {kinds(kind for _, kind in cards)}." if cards else ""
            case Proved(seat, handles, proved):
                return self._proof(state, seat, len(handles), proved) if handles else ""
            case Opened(seat, handles):
                return f"{self.name(seat)}'s bag is opened: {_count(len(handles), 'card')}."
            case Given(giver, receiver, handles):
                return (
                    f"{_count(len(handles), 'card').capitalize()} go from {self.name(giver)} to {self.name(receiver)}."
                )
            case TimeUp():
                return "The time is up."
            case Left(seats):
                return f"{' and '.join(self.name(seat) for seat in seats)} left the game."
            case _:
                return self._choice(state, item)

    def _proof(self, state: State, seat: Seat, count: int, proved: Sequence[Kind]) -> str:
        denied = [kind for kind in state.setup.contraband if kind not in proved]
        without = f" and no {' or '.join(denied)}" if denied else ""
        cards = _count(count, "other card")
        return f"{self.name(seat)} proves that {cards} {'is' if count == 1 else 'are'} contraband{without}, unseen."

    def _choice(self, state: State, item: Input) -> str:
        match item:
            case NameFirst(seat, merchant):
                return f"{self.name(seat)} lets {self.name(merchant)} go to the market first."
            case SetAside(seat, handles):
                return f"{self.name(seat)} sets {_count(len(handles), 'card')} aside."
            case TakeDiscards(seat, (left, right)):
                return f"{self.name(seat)} takes {left} from the left pile and {right} from the right one."
            case LayDown(seat, pile, handles):
                return f"{self.name(seat)} lays {_count(len(handles), 'card')} onto the {('left', 'right')[pile]} pile."
            case Load(seat, _):
                return f"{self.name(seat)} closes the bag."
            case Declare(seat, count, kind):
                return f'{self.name(seat)}: "{_NUMBERS[count].capitalize()} {kind}."'
            case Pass(seat, bag, for_nothing):
                return f"{self.name(seat)} lets {self.name(bag)}'s bag pass{' for nothing' if for_nothing else ''}."
            case Inspect(seat, bag):
                return f"{self.name(seat)} inspects {self.name(bag)}'s bag!"
            case Accept(seat, author, number):
                offer = next(
                    (one.offer for one in state.offers if (one.offer.seat, one.offer.number) == (author, number)), None
                )
                return f"{self.name(seat)} accepts: {self.offer(offer)}" if offer else f"{self.name(seat)} accepts."
            case PayInKind(seat, goods, cards):
                paid = [kind for kind, count in goods for _ in range(count)] + [kind for _, kind in cards]
                return f"{self.name(seat)} is out of gold and gives {kinds(paid)}."
            case Trade(seat, cards):
                return (
                    f"{self.name(seat)} trades {kinds(kind for _, kind in cards)} on the black market." if cards else ""
                )
            case Offer() | Withdraw():
                return self.negotiation(item)
            case _:
                return self._deputies(item)

    def _deputies(self, item: Input) -> str:
        match item:
            case HandOver(seat, handles):
                return f"{self.name(seat)} chooses {_count(len(handles), 'face-down card')} to give."
            case Stance(seat, bag, verb):
                return f"{self.name(seat)} would {verb.value} {self.name(bag)}'s bag."
            case Confirm(seat, bag):
                return f"{self.name(seat)} confirms it for {self.name(bag)}'s bag."
            case Alone(seat, bag):
                return f"{self.name(seat)} goes on alone with {self.name(bag)}'s bag."
            case ShareLoot(seat, split):
                return f"{self.name(seat)} wants to share the Loot {'evenly' if split is None else 'in another way'}."
            case PickLoot(seat, _):
                return f"{self.name(seat)} picks from the Loot."
            case _:
                return ""

    # -- negotiation

    def negotiation(self, move: Offer | Withdraw | Accept) -> str:
        """Returns a sentence about something said while bags are closed."""
        match move:
            case Offer():
                return f"{self.name(move.seat)} offers: {self.offer(move)}"
            case Withdraw(seat, number):
                return f"{self.name(seat)} withdraws offer {number}."
            case Accept(seat, author, number):
                return f"{self.name(seat)} accepts {self.name(author)}'s offer {number}."

    def offer(self, offer: Offer) -> str:
        """Returns what an offer says."""
        acts = ", then ".join(self._act(act) for act in offer.acts)
        return f"{acts}, for {self._payment(offer.payment)} from {self.name(offer.payer)}."

    def _act(self, act: Act) -> str:
        return f"{'let pass' if act.verb is Verb.PASS else 'inspect'} {self.name(act.bag)}'s bag"

    def _payment(self, payment: Payment) -> str:
        parts = [f"{payment.gold} gold"] if payment.gold else []
        parts += [f"{goods(payment.stall)} of the stall"] if payment.stall else []
        parts += [f"{goods(payment.stack)} of the face-down cards"] if payment.stack else []
        parts += [_count(payment.stack_blind, "face-down card")] if payment.stack_blind else []
        parts += [f"{goods(payment.bag)} out of the bag"] if payment.bag else []
        parts += [f"{_count(payment.bag_blind, 'card')} of contraband out of the bag"] if payment.bag_blind else []
        parts += [f'the promise "{payment.promise}"'] if payment.promise else []
        return " and ".join(parts) or "nothing"

    # -- the end

    def score_sheet(self, outcome: Outcome) -> list[str]:
        """Returns the full sum of every player."""
        lines = [f"{'':20}{'gold':>6}{'goods':>7}{'crowns':>8}{'total':>7}"]
        for score in outcome.scores:
            worth = sum(one.points for one in score.goods)
            crowns = sum(crown.points for crown in score.crowns)
            lines.append(f"{self.name(score.seat)[:19]:20}{score.gold:>6}{worth:>7}{crowns:>8}{score.total:>7}")
        for score in outcome.scores:
            for crown in score.crowns:
                shared = f", shared by {crown.shared}" if crown.shared > 1 else ""
                lines.append(f"{self.name(score.seat)} is {crown.rank.value} of {crown.good}: {crown.points}{shared}.")
        winners = " and ".join(self.name(seat) for seat in outcome.winners)
        if outcome.ending is Ending.ABANDONED:
            lines.append("The game was abandoned: nobody wins.")
        else:
            lines.append(f"{winners} {'wins' if len(outcome.winners) == 1 else 'share the win'}!")
        return lines


_PHASES = {
    Phase.LOAD: "The merchants load their bags.",
    Phase.DECLARE: "The merchants declare.",
    Phase.INSPECT: "The bags are with the sheriff: everybody may haggle.",
    Phase.REVEAL: "The last round is over: what lies face down is shown.",
}


def kinds(cards: Iterable[Kind]) -> str:
    """Returns cards by kind and number: '2 apples, 1 silk'."""
    return ", ".join(f"{count} {kind}" for kind, count in Counter(cards).items())


def goods(some: Goods) -> str:
    """Returns goods by kind and number."""
    return ", ".join(f"{count} {kind}" for kind, count in some)


def _count(number: int, noun: str) -> str:
    return f"{_NUMBERS[number] if number < len(_NUMBERS) else number} {noun}{'' if number == 1 else 's'}"
