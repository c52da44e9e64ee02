"""The merry men as data (rule 16.6): value, fine, and what each does when he gets in."""

from dataclasses import dataclass
from typing import Final

from p2p_sheriff.rules.modules.card_errands import (
    DrawAndDiscard,
    LayOne,
    LookAtDeck,
    LookAtOne,
    RefillAndSwap,
    SwapGoods,
    TakeConfiscated,
    TakeGood,
    TakeTop,
)
from p2p_sheriff.rules.modules.errands import Errand
from p2p_sheriff.rules.modules.gold_errands import (
    CollectForGood,
    CollectFromPassed,
    CollectFromRicher,
    HalveNextFine,
    Levy,
    PayForContraband,
    Rob,
    SellGoods,
    SheriffPaysPassed,
)


@dataclass(frozen=True, slots=True)
class MerryMan:
    """One line of the table of merry men."""

    name: str
    value: int
    fine: int
    errand: Errand


_TABLE: Final = (
    MerryMan("Robin Hood", 10, 8, Rob(take=6, keep=3)),
    MerryMan("Little John", 8, 6, Levy(take=4, pay=2)),
    MerryMan("David of Doncaster", 6, 5, RefillAndSwap(2)),
    MerryMan("Will Scarlet", 8, 6, LookAtOne()),
    MerryMan("Maid Marian", 8, 6, TakeGood()),
    MerryMan("Friar Tuck", 7, 5, LayOne()),
    MerryMan("Alan-a-Dale", 6, 5, CollectFromPassed(1)),
    MerryMan("Much the miller's son", 6, 4, DrawAndDiscard(2)),
    MerryMan("Gilbert Whitehand", 7, 5, SwapGoods()),
    MerryMan("Will Stutely", 7, 5, TakeTop()),
    MerryMan("Arthur a Bland", 6, 5, PayForContraband(2)),
    MerryMan("Richard at the Lee", 9, 7, SheriffPaysPassed(2)),
    MerryMan("Wat the tinker", 6, 4, TakeConfiscated()),
    MerryMan("Gandelyn", 5, 4, LookAtDeck(3)),
    MerryMan("Reynold Greenleaf", 6, 5, CollectFromRicher(2)),
    MerryMan("Young Gamwell", 7, 6, CollectForGood(1)),
    MerryMan("Roger the cook", 5, 3, SellGoods(2, times=2)),
    MerryMan("the widow's son", 5, 3, HalveNextFine()),
)

MEN: Final = {man.name: man for man in _TABLE}
"""All merry men by name."""
