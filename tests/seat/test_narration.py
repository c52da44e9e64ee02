from random import Random

import pytest

from p2p_sheriff.rules import LOOT, Edition, Seat, Setup, apply, new_game, outcome
from p2p_sheriff.rules.facts import Proved, Shown
from p2p_sheriff.rules.moves import Accept, Act, Condition, Declare, Gift, Offer, Things, Verb, Withdraw
from p2p_sheriff.seat.narration import Narrator, kinds
from tests.rules.table import RandomTable

NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn"]
ANNA, BEN = Seat(0), Seat(1)
TELLER = Narrator(NAMES)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("edition", Edition)
def test_every_input_of_a_game_can_be_told_and_every_round_is_announced(players: int, edition: Edition) -> None:
    table = RandomTable(Setup(players, edition, frozenset({"black-market", "royal"})), Random(players))
    table.play()
    lines: list[str] = []
    state = new_game(table.state.setup)
    for item in table.inputs:
        after = apply(state, item)
        lines += TELLER.tell(state, item, after)
        state = after
    assert sum(line.startswith("=== Round") for line in lines) == state.round
    assert all(line and not line.startswith(" ") for line in lines)
    sheet = TELLER.score_sheet(outcome(state))
    assert sheet[-1].endswith(("wins!", "share the win!"))


def test_a_declaration_is_what_the_merchant_says() -> None:
    state = new_game(Setup(3))
    assert TELLER.tell(state, Declare(BEN, 4, "chicken"), state) == ['Ben: "Four chicken."']


def test_an_offer_is_told_with_everything_that_it_pays_and_asks_for() -> None:
    payment = Things(5, (("apples", 2),), (("silk", 1),), 1, (("mead", 1),), 2)
    offer = Offer.bribe(ANNA, 1, ANNA, (BEN,), (Act(ANNA, Verb.PASS), Act(Seat(2), Verb.INSPECT)), payment, "a song")
    assert TELLER.negotiation(offer) == (
        "Anna offers: let pass Anna's bag, then inspect Cleo's bag, for 5 gold and 2 apples of the stall and "
        "1 silk of the face-down cards and one face-down card and 1 mead out of the bag and two cards of contraband "
        'out of the bag and the promise "a song" from Anna.'
    )
    assert TELLER.negotiation(Withdraw(ANNA, 3)) == "Anna withdraws offer 3."
    assert TELLER.negotiation(Accept(BEN, ANNA, 1)) == "Ben accepts Anna's offer 1."


def test_whatever_is_offered_can_be_told_also_what_nobody_could_close() -> None:
    gifts = (Gift(BEN, Seat(2), Things(3)), Gift(Seat(99), LOOT, Things(stack_blind=1), Condition.IF_LIE))
    assert TELLER.negotiation(Offer(ANNA, 1, (BEN,), gifts, (Act(Seat(-3), Verb.PASS),))) == (
        "Anna offers: let pass the Loot's bag, for 3 gold and one face-down card from Ben and the Loot."
    )
    assert TELLER.negotiation(Offer(ANNA, 1, (), (), (Act(ANNA, Verb.PASS),))) == (
        "Anna offers: let pass Anna's bag, for nothing from Anna."
    )


def test_a_proof_says_what_the_hidden_cards_are_not() -> None:
    state = new_game(Setup(3))
    without_silk = tuple(kind for kind in state.setup.contraband if kind != "silk")
    (line,) = TELLER.tell(state, Proved(BEN, (1, 2), without_silk), state)  # type: ignore[arg-type] # handles are numbers.
    assert line == "Ben proves that two other cards are contraband and no silk, unseen."
    assert TELLER.tell(state, Shown(BEN, ()), state) == []


def test_cards_are_counted_by_kind() -> None:
    assert kinds(["apples", "silk", "apples"]) == "2 apples, 1 silk"
    assert kinds(["cheese"] * 3 + ["apples", "pepper 30"]) == "3 cheese, 1 apple, 1 pepper 30"
