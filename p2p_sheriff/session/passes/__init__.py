"""Work that goes around the table: one seat after the other, or all at once, until the last one completes it.

A pass is a value and has everything about it side by side: how it begins, whose entry comes next and where its proof
stands, how a seat makes its part and how all check it, and what is so when the last one has done theirs.
"""

from typing import assert_never

from p2p_sheriff.rules import demands
from p2p_sheriff.rules.demands import (
    Around,
    DealOut,
    Draw,
    Give,
    LetLook,
    Mix,
    PutOnTop,
    PutUnder,
    Redeal,
    RedealPack,
    Reshuffle,
    Shuffle,
    ShufflePack,
    Toss,
    TurnOver,
    Unveil,
)
from p2p_sheriff.session.board import Board
from p2p_sheriff.session.passes.baring import TurningOver, Unveiling
from p2p_sheriff.session.passes.gap import Matching, Redealing
from p2p_sheriff.session.passes.handing import Dealing, DealingOut, Disclosing, Giving, Looking
from p2p_sheriff.session.passes.mixing import Collecting, Mixing, Remixing
from p2p_sheriff.session.passes.passing import Maker, Passing
from p2p_sheriff.session.passes.returning import Returning
from p2p_sheriff.session.passes.tossing import Tossing

__all__ = [
    "Collecting",
    "Dealing",
    "DealingOut",
    "Disclosing",
    "Giving",
    "Looking",
    "Maker",
    "Matching",
    "Mixing",
    "Passing",
    "Redealing",
    "Remixing",
    "Returning",
    "Tossing",
    "TurningOver",
    "Unveiling",
    "begin",
]


def begin(board: Board) -> Passing | None:
    """Returns the pass that the rules' first demand asks for; None if it asks one seat."""
    demand, *others = demands(board.state)
    if not isinstance(demand, Around):
        return None
    match demand:
        case Shuffle():
            return Mixing.begin(board)
        case Reshuffle(handles):
            return Collecting.begin(board, handles)
        case Mix():
            return Collecting.among(board, demand)
        case Draw():
            return Dealing.begin(board, (demand, *(other for other in others if isinstance(other, Draw))))
        case Toss():
            return Tossing.begin(board, demand)
        case Give():
            return Giving.begin(board, demand)
        case Redeal():
            return Redealing.begin(board)
        case ShufflePack(pack):
            return Mixing.begin(board, pack)
        case RedealPack(pack):
            return Redealing.begin(board, pack)
        case TurnOver():
            return TurningOver.begin(board, demand)
        case DealOut():
            return DealingOut.begin(board, demand)
        case Unveil():
            return Unveiling.begin(board, demand)
        case PutUnder() | PutOnTop():
            return Returning.begin(board, demand)
        case LetLook():
            return Looking.begin(board, demand)
        case _:
            assert_never(demand)
