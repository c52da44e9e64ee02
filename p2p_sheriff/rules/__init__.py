"""The rules of the game as a pure engine: public states, moves and facts in, states and demands out.

    state = new_game(Setup(players=4))
    demands(state)          # what must happen next: the same on every node
    state = apply(state, Shuffled(204))

A `State` holds only what everybody sees. What a seat knows besides is its `Knowledge`; both together are its `View`. A
dealer who holds the cards, or proofs at a table without a dealer, answer the demands with facts; players answer with
moves. The rules are those of docs/rules.md, and every refusal names the number of the rule.
"""

from p2p_sheriff.rules.bags import LoadBag, check_load
from p2p_sheriff.rules.bounds import Bounds, LegalMove
from p2p_sheriff.rules.cards import LOOT, Card, Claim, Goods, Handle, Kind, Pack, Seat, Zone
from p2p_sheriff.rules.demands import Choice, Choose, Demand
from p2p_sheriff.rules.engine import Transition, apply, demands, may_time_out
from p2p_sheriff.rules.facts import Fact, Input, claims
from p2p_sheriff.rules.goods import Good, Side
from p2p_sheriff.rules.legal import check_move, legal_moves
from p2p_sheriff.rules.moves import Move
from p2p_sheriff.rules.phases import Ending, Phase
from p2p_sheriff.rules.refusals import BadSetup, GameNotOver, NotAllowed, NotAMove, NotDemanded, Refusal
from p2p_sheriff.rules.scoring import Outcome, Score, outcome
from p2p_sheriff.rules.setup import OPTIONS, Edition, Setup, extra_goods, first_sheriff_candidates
from p2p_sheriff.rules.state import Player, State, new_game
from p2p_sheriff.rules.view import Knowledge, View

__all__ = [
    "LOOT",
    "OPTIONS",
    "BadSetup",
    "Bounds",
    "Card",
    "Choice",
    "Choose",
    "Claim",
    "Demand",
    "Edition",
    "Ending",
    "Fact",
    "GameNotOver",
    "Good",
    "Goods",
    "Handle",
    "Input",
    "Kind",
    "Knowledge",
    "LegalMove",
    "LoadBag",
    "Move",
    "NotAMove",
    "NotAllowed",
    "NotDemanded",
    "Outcome",
    "Pack",
    "Phase",
    "Player",
    "Refusal",
    "Score",
    "Seat",
    "Setup",
    "Side",
    "State",
    "Transition",
    "View",
    "Zone",
    "apply",
    "check_load",
    "check_move",
    "claims",
    "demands",
    "extra_goods",
    "first_sheriff_candidates",
    "legal_moves",
    "may_time_out",
    "new_game",
    "outcome",
]
