"""What holds at the table now: figures and limits that the rules ask for, in one place, where a law can change them.

What is printed on a card and no law touches, as its place in the table of goods or the king it counts for, is asked of
the setup.
"""

from collections.abc import Collection
from typing import TypeVar

from p2p_sheriff.rules.cards import Kind, Seat
from p2p_sheriff.rules.goods import Side
from p2p_sheriff.rules.modules.law_cards import (
    LAWS,
    BagAtLeast,
    BagAtMost,
    Ban,
    Duty,
    Effect,
    HeavyHand,
    HonestReward,
    LightHand,
    MarketAtMost,
    Mercy,
    NoCoin,
    Premium,
    Tax,
)
from p2p_sheriff.rules.moves import Act, Verb
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.state import State

MOST_SET_ASIDE = 5
MOST_IN_A_BAG = 5
LEAST_IN_A_BAG = 1


Sort = TypeVar("Sort", bound=Effect)


def in_force(state: State, effect: type[Sort]) -> tuple[Sort, ...]:
    """Return the effects of this sort that laws have now, that of slot 1 first (rule 15.2)."""
    effects = (LAWS[name].effect for name in state.laws)
    return tuple(one for one in effects if isinstance(one, effect))


def banned(state: State) -> tuple[Kind, ...]:
    """Every legal good that counts as contraband in a bag of this round (rule 15.4)."""
    bans = [ban.good for ban in in_force(state, Ban)]
    return tuple(kind for kind in state.setup.legal if kind in bans)


def side_of(state: State, kind: Kind) -> Side:
    """Return what the good counts as in a bag now."""
    return Side.CONTRABAND if kind in banned(state) else state.setup.table[kind].side


def is_legal_good(state: State, kind: Kind) -> bool:
    """Whether the good is legal in a bag now: declared openly, face up when it passes (rules 6.2 and 7.10)."""
    return kind in state.setup.legal and kind not in banned(state)


def is_contraband(state: State, kind: Kind) -> bool:
    """Whether the good counts as contraband in a bag now; royal goods do (rule 12.1)."""
    return not is_legal_good(state, kind)


def may_be_declared(state: State, kind: Kind) -> bool:
    """Whether a merchant may declare the good (rule 6.2)."""
    return kind in declarable_kinds(state)


def declarable_kinds(state: State) -> tuple[Kind, ...]:
    """Every good that a merchant may declare (rule 6.2), in the order of the table of goods."""
    if not state.laws:
        return state.setup.legal
    return tuple(kind for kind in state.setup.legal if kind not in banned(state))


def contraband_kinds(state: State) -> tuple[Kind, ...]:
    """Every kind that a hidden card of a bag that passes can be (rule 7.10)."""
    return hidden_kinds(state.setup, banned(state))


def stack_kinds(state: State, seat: Seat) -> tuple[Kind, ...]:
    """Every kind that a face-down card above this stall can be (rules 7.8 and 15.4)."""
    return hidden_kinds(state.setup, state[seat].unlawful)


def hidden_kinds(setup: Setup, unlawful: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """Contraband, and these legal goods, in the order of the table of goods."""
    if not unlawful:
        return setup.contraband
    return tuple(good.kind for good in setup.goods if good.side is not Side.LEGAL or good.kind in unlawful)


def fine_of(state: State, kind: Kind) -> int:
    """What this good costs whoever opens a true bag (rule 7.12): no law changes that."""
    return state.setup.table[kind].fine


def lie_fine(state: State, kind: Kind) -> int:
    """What this good costs a merchant when it is confiscated (rules 7.13 and 15.5)."""
    if in_force(state, LightHand) and is_legal_good(state, kind):
        return 0
    return fine_of(state, kind) + heavier(state)


def heavier(state: State) -> int:
    """How much higher a merchant's fine is, for each card (rule 15.5)."""
    return sum(hand.gold for hand in in_force(state, HeavyHand))


def tax_on(state: State, kind: Kind) -> int:
    """What declaring this good costs."""
    return sum(tax.gold for tax in in_force(state, Tax) if tax.good == kind)


def reward(state: State) -> int:
    """What the bank pays for each card of a bag found true."""
    return sum(one.gold for one in in_force(state, HonestReward))


def premium(state: State) -> int:
    """What the bank pays for each contraband card that a merchant brings in."""
    return sum(one.gold for one in in_force(state, Premium))


def coin(state: State, seat: Seat) -> int:
    """How much gold a player can offer in a deal."""
    return 0 if in_force(state, NoCoin) else state[seat].gold


def required_verb(state: State, bag: Seat) -> Verb | None:
    """What duty or mercy leave to do with this bag, if it is the last one (rule 15.6)."""
    if not state.laws or state.closed_bags != (bag,):
        return None
    return next((verb for verb in _wanted(state) if verb not in state.acts), None)


def breaks_duty(state: State, acts: Collection[Act]) -> bool:
    """Whether a deal with these acts would leave no bag for what duty or mercy demand (rule 15.6)."""
    wanted = _wanted(state)
    if not wanted or not set(state.closed_bags) <= {act.bag for act in acts}:
        return False
    done = {*state.acts, *(act.verb for act in acts)}
    single = len(state.acts) + len(acts) == 1
    return any(verb not in done for verb in (wanted[:1] if single else wanted))


def _wanted(state: State) -> tuple[Verb, ...]:
    """Return what must be done with some bag of the round; what slot 1 demands comes first."""
    effects = [LAWS[name].effect for name in state.laws]
    return tuple(
        Verb.INSPECT if isinstance(one, Duty) else Verb.PASS for one in effects if isinstance(one, Duty | Mercy)
    )


def value_of(setup: Setup, kind: Kind) -> int:
    """What this good is worth (rules 7.14 and 11.2): no law changes that, so the setup knows it."""
    return setup.table[kind].value


def full_hand(state: State) -> int:
    """How many cards a hand has after a draw (rules 4.4 and 12.4)."""
    return state.setup.hand_size


def market_limit(state: State, seat: Seat) -> int:
    """How many cards may be set aside in a market turn (rule 4.2)."""
    most = [law.cards for law in in_force(state, MarketAtMost)]
    return min(MOST_SET_ASIDE, *most, len(state[seat].hand))


def bag_room(state: State) -> int:
    """How many cards a bag holds at most, if the hand has as many (rule 5.1)."""
    return min([MOST_IN_A_BAG, *(law.cards for law in in_force(state, BagAtMost))])


def bag_limits(state: State, seat: Seat) -> tuple[int, int]:
    """How many cards a bag holds at least and at most (rule 5.1); a merry man is one of them (rule 16.2)."""
    hand = len(state[seat].hand)
    least = max([LEAST_IN_A_BAG, *(law.cards for law in in_force(state, BagAtLeast))])
    return min(least, hand), min(bag_room(state), hand + len(state[seat].men))
