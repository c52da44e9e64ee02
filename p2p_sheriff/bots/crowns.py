"""What is to be expected of king and queen bonuses (rule 11.3) while the game still goes on."""

from functools import cache
from math import erf, sqrt

from p2p_sheriff.rules.cards import Kind, Seat, kinds_of
from p2p_sheriff.rules.goods import BONUSES
from p2p_sheriff.rules.moves import Verb
from p2p_sheriff.rules.scoring import crown_counts
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.view import View

_USUAL_RATE = 0.75
"""Cards of one legal good that a merchant brings in per round, before anything is known of the merchant."""
_USUAL_ROUNDS = 2.0
"""How many rounds of observation this guess is worth."""
_VARIANCE_PER_ROUND = 1.7
_VARIANCE_NOW = 0.4


def rounds_as_merchant(state: State, seat: Seat) -> tuple[int, int]:
    """Return how many bags a player has had settled, and how many are still to come, one that is closed included."""
    terms, players = state.setup.terms, state.setup.players
    rounds = terms * players // (2 if state.setup.with_deputies else 1)
    player = state[seat]
    merchant = seat not in state.officers
    settled = player.bag is not None and player.bag.fate in (Verb.PASS, Verb.INSPECT)
    before = max(0, state.round - player.served - (1 if merchant and not settled else 0))
    return before, max(0, rounds - terms - before)


class Crowns:
    """Expects who will be king and queen of each good, from one seat's point of view.

    By default it is the own one; somebody named is seen as by the whole table, without what lies face down.
    """

    def __init__(self, view: View, whose: Seat | None = None) -> None:
        state, self._me = view.state, view.seat if whose is None else whose
        known = {seat: state[seat].stall for seat in state.seats}
        if whose is None:
            known[view.seat] += view.stack
        self._counts = crown_counts(state.setup, {seat: kinds_of(cards) for seat, cards in known.items()})
        self._rounds = {seat: rounds_as_merchant(state, seat) for seat in state.seats}
        self._expected = cache(self._reckon)

    def gain(self, good: Kind, extra: int) -> float:
        """Return how much the expected bonuses grow with so many more of the good on the own stall."""
        return self._expected(good, extra) - self._expected(good, 0)

    def _reckon(self, good: Kind, extra: int) -> float:
        mean, left = self._outlook(self._me, good)
        king, queen = 1.0, 0.0
        for seat in self._rounds:
            if seat == self._me:
                continue
            rival, rounds = self._outlook(seat, good)
            spread = sqrt(2 * (_VARIANCE_NOW + _VARIANCE_PER_ROUND * (left + rounds)))
            ahead = 0.5 + 0.5 * erf((mean + extra - rival) / spread)
            # Second so far and ahead of this one too, or first so far and behind this one alone.
            king, queen = king * ahead, queen * ahead + king * (1 - ahead)
        bonus = BONUSES[good]
        return bonus.king * king + bonus.queen * queen

    def _outlook(self, seat: Seat, good: Kind) -> tuple[float, int]:
        """Return how many a player is expected to have at the end, and in how many rounds they are still to come."""
        before, left = self._rounds[seat]
        count = self._counts[good][seat]
        left = max(0, left - 1) if seat == self._me else left
        rate = (count + _USUAL_RATE * _USUAL_ROUNDS) / (before + _USUAL_ROUNDS)
        return count + rate * left, left
