"""What happens to a bag: if it is inspected, and if it passes."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_sheriff.rules import Goods, Kind, Seat, State, View
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.law import (
    declarable_kinds,
    fine_of,
    heavier,
    in_force,
    is_contraband,
    lie_fine,
    premium,
    reward,
    tax_on,
    value_of,
)
from p2p_sheriff.rules.modules.law_cards import Toll
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.seat.printed import man_name
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import Texts

_LITTLE = 10
"""So much gold is never asked about again."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What depends on one bag with one declaration."""

    good: Kind
    lost: Goods
    """What is taken if it is inspected; nothing if it is true."""
    fine: int
    """What is paid if it is inspected: by the merchant, or by the sheriff if it is true."""
    worth: int
    """What it brings if it passes: the value of its goods, and of a merry man."""
    man: str = ""
    """The merry man in it: he is found, too, and it is no longer true with him (rule 16.4)."""
    by_law: tuple[tuple[str, int], ...] = ()
    """What laws add: a key of the words, and how much."""

    @property
    def is_true(self) -> bool:
        """Whether everything in the bag is what is said."""
        return not self.lost and not self.man


def fine_for(state: State, kinds: Sequence[Kind], good: Kind, man: str, payers: Sequence[Seat]) -> int:
    """Returns the fine for a bag with these goods, said to be that good; each payer's marker halves it (rule 15.5)."""
    lies, caught = [kind for kind in kinds if kind != good], MEN.get(man)
    fine = sum(lie_fine(state, kind) for kind in lies) if lies or man else sum(fine_of(state, kind) for kind in kinds)
    fine += caught.fine + heavier(state) if caught else 0
    share, odd = divmod(fine, max(1, len(payers)))
    shares = [share + (odd if place == 0 else 0) for place in range(len(payers))]
    halves = [(one + 1) // 2 if state[seat].halves else one for one, seat in zip(shares, payers, strict=True)]
    return sum(halves) if payers else fine


def stakes(view: View, kinds: Sequence[Kind], good: Kind, man: str = "") -> Stakes:
    """Returns what depends on an own bag of these kinds, perhaps with a merry man, said to be that good."""
    state = view.state
    lost = [kind for kind in kinds if kind != good]
    is_lie, stowaway = bool(lost or man), MEN.get(man)
    return Stakes(
        good=good,
        lost=count_goods(state.setup, lost),
        fine=fine_for(state, kinds, good, man, (view.seat,) if is_lie else state.officers),
        worth=sum(value_of(state.setup, kind) for kind in kinds) + (stowaway.value if stowaway else 0),
        man=man,
        by_law=_by_law(view, kinds, good, is_lie=is_lie),
    )


def _by_law(view: View, kinds: Sequence[Kind], good: Kind, *, is_lie: bool) -> tuple[tuple[str, int], ...]:
    """Returns what laws, and the widow's son, do to such a bag; what is paid already is not told again."""
    state, bag = view.state, view.me.bag
    sums = {
        "stakes.tax": tax_on(state, good) if bag is None or bag.kind is None else 0,
        "stakes.reward": 0 if is_lie else reward(state) * len(kinds),
        "stakes.premium": premium(state) * sum(is_contraband(state, kind) for kind in kinds),
        "stakes.toll": sum(toll.gold for toll in in_force(state, Toll)),
        "stakes.halved": int(is_lie and view.me.halves),
    }
    return tuple((key, n) for key, n in sums.items() if n)


def told_by_law(texts: Texts, at_stake: Stakes) -> list[str]:
    """Returns what laws do to a bag, a short sentence for each."""
    return [texts(key, n=n) for key, n in at_stake.by_law]


def lost_in_words(texts: Texts, at_stake: Stakes) -> str:
    """Returns all that is lost if a bag is inspected."""
    man = [man_name(texts, at_stake.man)] if at_stake.man else []
    return ", ".join(filter(None, [texts.goods(at_stake.lost), *man]))


def man_in_bag(view: View) -> str:
    """Returns the merry man in the own closed bag, if he is there."""
    men = [handle for handle in view.me.men if handle in view.knowledge.bag]
    return view.knowledge.kinds[men[0]] if men else ""


def bag_in_words(words: Words, view: View) -> str:
    """Returns what is in the own bag."""
    man, goods = man_in_bag(view), words.goods(count_goods(view.state.setup, kinds_of(view.bag)))
    return words("declare.bag", goods=", ".join([goods, man_name(words.texts, man)] if man else [goods]))


def likeliest(state: State, kinds: Sequence[Kind]) -> Kind:
    """Returns what such a bag is best said to be: its most frequent legal good."""
    sayable = declarable_kinds(state)
    return max(sayable, key=lambda kind: (kinds.count(kind), -sayable.index(kind)))


def is_much(gold: int, purse: int) -> bool:
    """Whether so much of a purse is asked about again before it is given: a typed digit too many is soon done."""
    return gold > _LITTLE and 2 * gold > purse


def in_words(words: Words, view: View, at_stake: Stakes) -> str:
    """Returns the stakes as sentences."""
    good, texts = words.good(at_stake.good), words.texts
    passed = " ".join([words("stakes.worth", n=at_stake.worth), *told_by_law(texts, at_stake)])
    if at_stake.is_true:
        key = "stakes.true" if len(view.state.officers) == 1 else "stakes.true_deputies"
        return f"{words(key, good=good, n=at_stake.fine)} {passed}"
    lie = words("stakes.lie", good=good, goods=lost_in_words(texts, at_stake), n=at_stake.fine)
    broke = words("stakes.lie_broke", gold=view.me.gold) if at_stake.fine > view.me.gold else ""
    return f"{lie} {passed} {broke}".strip()
