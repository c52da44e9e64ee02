from random import Random

import pytest

from p2p_sheriff.rules import LOOT, Edition, Handle, Phase, Seat, Setup, apply, new_game, outcome
from p2p_sheriff.rules.facts import Drawn, Proved, Shown
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Condition,
    Declare,
    Gift,
    LayDown,
    Offer,
    Refuse,
    SetAside,
    TakeDiscards,
    Things,
    Verb,
    Withdraw,
)
from p2p_sheriff.rules.steps import TurnUp
from p2p_sheriff.seat.narration import Narrator, kinds
from tests.rules.scenario import Scenario
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
    office = "the deputies" if players == 6 else "the sheriff"
    assert {line for line in lines if line.startswith("The bags are")} == {
        f"The bags are with {office}: everybody may haggle."
    }
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
        "Anna's offer 2: Anna pays Ben 5 gold and 2 apples of the stall and "
        "1 silk of the face-down cards and one face-down card and 1 mead out of the bag and two cards of contraband "
        "out of the bag and the promise \"a song\": let Anna's bag pass, then inspect Cleo's bag."
    )
    assert TELLER.negotiation(Withdraw(ANNA, 3)) == "Anna withdraws offer 4."
    assert TELLER.negotiation(Accept(BEN, ANNA, 1)) == "Ben accepts Anna's offer 2."


def test_an_offer_tells_each_player_who_pays_whom_and_never_says_let_pass_marian() -> None:
    demand = Offer.bribe(BEN, 4, ANNA, (BEN,), (Act(ANNA, Verb.PASS),), Things(8))
    told = [Narrator(NAMES, me=seat).offer(demand) for seat in (ANNA, BEN, Seat(2))]
    assert told == [
        "You pay Ben 8 gold: let your bag pass.",
        "Anna pays you 8 gold: let Anna's bag pass.",
        "Anna pays Ben 8 gold: let Anna's bag pass.",
    ]
    assert Narrator(NAMES, me=BEN).negotiation(demand) == "Your offer 5: Anna pays you 8 gold: let Anna's bag pass."
    assert Narrator(NAMES, me=BEN).negotiation(Refuse(ANNA, BEN, 4)) == "Anna refuses your offer 5."
    assert TELLER.negotiation(demand).startswith("Ben's offer 5: ")
    assert TELLER.negotiation(Refuse(ANNA, BEN, 4)) == "Anna refuses Ben's offer 5."


def test_whatever_is_offered_can_be_told_also_what_nobody_could_close() -> None:
    gifts = (Gift(BEN, Seat(2), Things(3)), Gift(Seat(99), LOOT, Things(stack_blind=1), Condition.IF_LIE))
    assert TELLER.negotiation(Offer(ANNA, 1, (BEN,), gifts, (Act(Seat(-3), Verb.PASS),))) == (
        "Anna's offer 2: Ben pays Cleo 3 gold; the Loot pays the Loot one face-down card if the Loot's bag is a lie: "
        "let the Loot's bag pass."
    )
    assert TELLER.negotiation(Offer(ANNA, 1, (), (), (Act(ANNA, Verb.PASS),))) == (
        "Anna's offer 2: nothing: let Anna's bag pass."
    )
    assert TELLER.negotiation(Offer(ANNA, 1, (BEN,), gifts[1:], ())).endswith("pays the Loot one face-down card.")


def test_a_deal_of_several_says_who_pays_whom_for_what() -> None:
    gifts = (Gift(ANNA, BEN, Things(5)), Gift(Seat(2), BEN, Things(3), Condition.IF_TRUE))
    assert TELLER.negotiation(Offer(ANNA, 1, (BEN,), gifts, (Act(ANNA, Verb.INSPECT),))) == (
        "Anna's offer 2: Anna pays Ben 5 gold; Cleo pays Ben 3 gold if Anna's bag is true: inspect Anna's bag."
    )
    trade = (Gift(ANNA, Seat(2), Things(stall=(("apples", 2),))), Gift(Seat(2), ANNA, Things(5)))
    assert TELLER.negotiation(Offer(ANNA, 1, (BEN,), trade, (), "a song")) == (
        'Anna\'s offer 2: Anna pays Cleo 2 apples of the stall; Cleo pays Anna 5 gold; the promise "a song".'
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


def test_the_market_of_the_first_edition_is_told_with_the_cards_that_all_see() -> None:
    table = Scenario(3, edition=Edition.FIRST).until(Phase.MARKET).lay_piles("bread, silk", "mead")
    ben = table.state.merchants[0]
    cheese, chicken = table.hold(ben, "cheese, chicken")
    told = len(table.log)
    table.submit(SetAside(ben, (cheese, chicken)), TakeDiscards(ben, (1, 1)), LayDown(ben, 1, (chicken, cheese)))
    lines = [line for before, item in table.log[told:] for line in TELLER.tell(before, item, apply(before, item))]
    assert lines == [
        "Ben sets two cards aside.",
        "Ben takes from the left pile: silk; from the right one: mead.",
        "Ben puts onto the right pile, the last on top: chicken, cheese.",
    ]


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((0, 0), "Ben takes nothing from the discard piles."),
        ((2, 0), "Ben takes from the left pile: silk, bread."),
        ((0, 1), "Ben takes from the right pile: mead."),
    ],
)
def test_what_is_taken_is_told_from_the_top(counts: tuple[int, int], told: str) -> None:
    state = Scenario(4, edition=Edition.FIRST).until(Phase.MARKET).lay_piles("bread, silk", "mead").state
    assert TELLER.tell(state, TakeDiscards(BEN, counts), state) == [told]


def test_the_first_discards_are_told_when_they_are_shown_and_not_when_they_are_drawn() -> None:
    state = new_game(Setup(3, Edition.FIRST)).but(todo=(TurnUp(),))
    handles = tuple(map(Handle, range(10)))
    assert TELLER.tell(state, Drawn(ANNA, handles), state) == []
    state = state.but(todo=(TurnUp(handles),))
    shown = tuple((handle, "silk" if handle == 4 else "apples") for handle in reversed(handles))
    (line,) = TELLER.tell(state, Shown(ANNA, shown), state)
    left, right = "apple, apple, apple, apple, silk", "apple, apple, apple, apple, apple"
    assert line == f"Anna turns up the first discards, the last on top. Left pile: {left}. Right pile: {right}."
