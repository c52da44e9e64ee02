"""What everybody did, round by round, as all could see it: a player's past is how others judge them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2p_sheriff.rules import Handle, Input, Kind, Phase, Seat, State, Transition
from p2p_sheriff.rules.deals import bribe_for_passing, find_offer
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.moves import Accept, Declare, Offer, Pass, Verb
from p2p_sheriff.rules.steps import Judge, ShowAside, ShowBag, ShowPassing
from p2p_sheriff.seat.stakes import fine_for


@dataclass(frozen=True, slots=True)
class Doing:
    """What one player did in one round."""

    gold: int
    """At the beginning of the round."""
    gain: int = 0
    """What became of it so far."""
    aside: tuple[Kind, ...] = ()
    """What was set aside face up."""
    declared: tuple[int, Kind] | None = None
    fate: Verb | None = None
    """What became of the bag."""
    cards: tuple[Kind | None, ...] = ()
    """What was in it, once that was seen; None for a card that went face down onto the stack: contraband."""
    fine: int = 0
    """Gold that was paid as a fine for the own bag; below zero: that was got, because it was true."""
    bribes: int = 0
    """Gold that was paid in deals."""
    received: int = 0
    """Gold that was got in deals."""
    promises: tuple[str, ...] = ()
    """Words that were part of a deal."""

    @property
    def is_true(self) -> bool | None:
        """Whether the bag was what it was said to be; None while nobody can know."""
        if self.declared is None or not self.cards:
            return None
        return all(kind == self.declared[1] for kind in self.cards)

    @property
    def is_caught(self) -> bool:
        """Whether a lie was found by the sheriff."""
        return self.fate is Verb.INSPECT and self.is_true is False


@dataclass(frozen=True, slots=True)
class Round:
    """One round."""

    number: int
    officers: tuple[Seat, ...]
    """The sheriff, or the deputies."""
    players: tuple[Doing, ...]
    """By seat."""
    is_over: bool = False

    @classmethod
    def begun(cls, state: State) -> "Round":
        """Returns the round that has just begun."""
        return cls(state.round, state.officers, tuple(Doing(player.gold) for player in state.players))

    def noting(self, seat: Seat, doing: Doing) -> "Round":
        """Returns the round with this as what one player did."""
        return replace(self, players=(*self.players[:seat], doing, *self.players[seat + 1 :]))


def continued(rounds: tuple[Round, ...], change: Transition) -> tuple[Round, ...]:
    """Returns the rounds after what was put into the rules: a round that is over, and the next one, if it begins."""
    before, after = change.before, change.after
    if rounds and not rounds[-1].is_over:
        now = _counted(_noted(rounds[-1], change), after)
        is_over = after.round != before.round or after.phase in (Phase.REVEAL, Phase.OVER)
        rounds = (*rounds[:-1], replace(now, is_over=is_over))
    return (*rounds, Round.begun(after)) if after.round != before.round else rounds


def _counted(now: Round, state: State) -> Round:
    pairs = zip(now.players, state.players, strict=True)
    return replace(now, players=tuple(replace(doing, gain=player.gold - doing.gold) for doing, player in pairs))


def _noted(now: Round, change: Transition) -> Round:
    before, item = change.before, change.item
    match item:
        case Declare(seat, count, kind):
            return now.noting(seat, replace(now.players[seat], declared=(count, kind)))
        case Shown(seat, cards) if isinstance(before.todo[0], ShowAside):
            return now.noting(seat, replace(now.players[seat], aside=tuple(kind for _, kind in cards)))
        case Shown(seat, cards) if isinstance(before.todo[0], ShowBag | ShowPassing):
            return _opened(now, change, seat, dict(cards), inspected=isinstance(before.todo[0], ShowBag))
        case Accept() | Pass():
            return _dealt(now, change, closed_by(before, item))
        case _:
            return now


def _opened(now: Round, change: Transition, seat: Seat, shown: dict[Handle, Kind], *, inspected: bool) -> Round:
    bag = change.before.bag_of(seat)
    man = (bag.man_name,) if bag.man is not None else ()  # A bag with him is never what it is said to be.
    kinds = (*(shown.get(handle) for handle in bag.handles), *man)
    fine = _fine(change, seat, kinds) if inspected else 0
    fate = Verb.INSPECT if inspected else Verb.PASS
    return now.noting(seat, replace(now.players[seat], cards=kinds, fate=fate, fine=fine))


def _fine(change: Transition, seat: Seat, kinds: Sequence[Kind | None]) -> int:
    """Returns what was paid for a lie, as far as there was gold; for a true bag, what was got, below zero."""
    before, bag = change.before, change.before.bag_of(seat)
    if all(kind == bag.kind for kind in kinds):
        return before[seat].gold - change.after[seat].gold
    judged = any(isinstance(step, Judge) and step.seat == seat and step.officers for step in before.todo)
    goods = [kind for kind in kinds if kind is not None and kind != bag.man_name]
    fine = fine_for(before, goods, bag.kind or "", bag.man_name, (seat,))  # A law may move more gold at once.
    return min(fine, before[seat].gold) if judged else 0


def closed_by(state: State, item: Input) -> Offer | None:
    """Returns the deal that is closed by this, if one is."""
    match item:
        case Accept(_, author, number):
            standing = find_offer(state, author, number)
            return standing.offer if standing else None
        case Pass(_, bag, for_nothing=False):
            return bribe_for_passing(state, bag)
        case _:
            return None


def _dealt(now: Round, change: Transition, offer: Offer | None) -> Round:
    if offer is None or find_offer(change.after, offer.seat, offer.number) is not None:
        return now
    for seat in change.after.setup.seats:
        paid = change.before[seat].gold - change.after[seat].gold
        doing = now.players[seat]
        promises = (*doing.promises, offer.promise) if offer.promise and seat == offer.seat else doing.promises
        bribes, received = doing.bribes + max(0, paid), doing.received + max(0, -paid)
        now = now.noting(seat, replace(doing, bribes=bribes, received=received, promises=promises))
    return now
