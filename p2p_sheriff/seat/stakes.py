"""What happens to a bag: if it is inspected, and if it passes."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_sheriff.rules import Goods, Kind, State, View
from p2p_sheriff.rules.law import declarable_kinds, fine_of, value_of
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.seat.words import Words


@dataclass(frozen=True, slots=True)
class Stakes:
    """What depends on one bag with one declaration."""

    good: Kind
    lost: Goods
    """What is taken if it is inspected; nothing if it is true."""
    fine: int
    """What is paid if it is inspected: by the merchant, or by the sheriff if it is true."""
    worth: int
    """What its goods are worth if it passes."""

    @property
    def is_true(self) -> bool:
        """Whether everything in the bag is what is said."""
        return not self.lost


def stakes(state: State, kinds: Sequence[Kind], good: Kind) -> Stakes:
    """Returns what depends on a bag of these kinds, said to be that good."""
    lost = [kind for kind in kinds if kind != good]
    return Stakes(
        good=good,
        lost=count_goods(state.setup, lost),
        fine=sum(fine_of(state, kind) for kind in lost or kinds),
        worth=sum(value_of(state.setup, kind) for kind in kinds),
    )


def likeliest(state: State, kinds: Sequence[Kind]) -> Kind:
    """Returns what such a bag is best said to be: its most frequent legal good."""
    sayable = declarable_kinds(state)
    return max(sayable, key=lambda kind: (kinds.count(kind), -sayable.index(kind)))


def in_words(words: Words, view: View, at_stake: Stakes) -> str:
    """Returns the stakes as sentences."""
    good = words.good(at_stake.good)
    passed = words("stakes.worth", n=at_stake.worth)
    if at_stake.is_true:
        return f"{words('stakes.true', good=good, n=at_stake.fine)} {passed}"
    lie = words("stakes.lie", good=good, goods=words.goods(at_stake.lost), n=at_stake.fine)
    broke = words("stakes.lie_broke", gold=view.me.gold) if at_stake.fine > view.me.gold else ""
    return f"{lie} {passed} {broke}".strip()
