"""Two deputies, as every front tells of them: their words, who goes on alone, and how the Loot is shared."""

import pytest

from p2p_sheriff.rules import Choice, Seat
from p2p_sheriff.rules.moves import Accept, Apart, Inspect, Move, Pass, ShareLoot, Split, Stance, Verb
from p2p_sheriff.rules.state import Loot, LootCard
from p2p_sheriff.seat.deciding import decision
from p2p_sheriff.seat.narration import Narrator
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.seat.sharing import lying, shares, split_of
from p2p_sheriff.seat.story import after_event
from p2p_sheriff.seat.waving import Waving
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.happenings import Negotiated
from tests.rules.notation import ANN, BEN, CAT, DAN, EVE, FAY
from tests.rules.scenario import Scenario
from tests.rules.situations import patrol
from tests.rules.test_section_10_loot import with_loot

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
TELLER = Narrator(NAMES)


def told(game: Scenario, *moves: Move) -> list[str]:
    """Returns how the moves are told, one after the other, without what follows from them."""
    lines = []
    for move in moves:
        before = game.state
        game.submit(move)
        lines.append(TELLER.tell(before, move, game.state)[0].partition(" [")[0])
    return lines


# -- words


def test_r10_4_a_word_is_told_and_the_same_of_both_is_told_as_done() -> None:
    assert told(patrol({}), Stance(ANN, CAT, Verb.PASS), Stance(BEN, CAT, Verb.PASS)) == [
        "Ann would let Cat's bag pass for nothing.",
        "Ann and Ben let Cat's bag pass for nothing.",
    ]
    assert told(patrol({}), Stance(BEN, CAT, Verb.INSPECT), Stance(ANN, CAT, Verb.INSPECT)) == [
        "Ben would inspect Cat's bag.",
        "Ann and Ben inspect Cat's bag!",
    ]


def test_r10_4_the_same_verb_for_another_price_is_not_told_as_done() -> None:
    game = patrol({})
    number = game.offer(CAT, "pass 2", to=(ANN, BEN), gold=8)
    accepted, passed = told(game, Accept(ANN, CAT, number), Stance(BEN, CAT, Verb.PASS))
    assert accepted.startswith("Ann accepts Cat's offer")
    assert passed == "Ben would let Cat's bag pass for nothing."


@pytest.mark.parametrize("speaker", [ANN, BEN])
def test_r10_4_apart_is_told_with_who_decides_alone(speaker: Seat) -> None:
    words = (Stance(ANN, CAT, Verb.INSPECT), Stance(BEN, CAT, Verb.PASS), Apart(speaker, CAT))
    assert told(patrol({}), *words)[-1] == f"{NAMES[speaker]} says “apart”: Ann decides alone about Cat's bag."


def test_r10_4_the_second_deputys_acceptance_is_told_when_it_counts_and_a_merchants_when_it_is_said() -> None:
    game = patrol({})
    number = game.offer(CAT, "pass 2", to=(ANN, BEN), gold=8)
    picture = Picture(NAMES, Words(), told=game.state)
    assert after_event(picture, Negotiated(Accept(BEN, CAT, number)), (), 0.0).log == ()
    assert after_event(picture, Negotiated(Stance(BEN, CAT, Verb.PASS)), (), 0.0).log == ()
    assert len(after_event(picture, Negotiated(Accept(DAN, ANN, 1)), (), 0.0).log) == 1


# -- deciding


def test_r10_4_a_deputy_says_what_a_sheriff_does_until_one_acts_alone() -> None:
    game = patrol({})
    assert decision(game.view(ANN), CAT, Verb.INSPECT) == Stance(ANN, CAT, Verb.INSPECT)
    assert decision(game.view(ANN), CAT, Verb.PASS) == Stance(ANN, CAT, Verb.PASS)
    number = game.offer(CAT, "pass 2", to=(ANN, BEN), gold=8)
    assert decision(game.view(ANN), CAT, Verb.PASS) == Accept(ANN, CAT, number)
    assert decision(game.view(ANN), CAT, Verb.PASS, for_nothing=True) == Stance(ANN, CAT, Verb.PASS)
    game.submit(Stance(ANN, CAT, Verb.INSPECT), Stance(BEN, CAT, Verb.PASS), Apart(BEN, CAT))
    assert decision(game.view(ANN), CAT, Verb.INSPECT) == Inspect(ANN, CAT)
    assert decision(game.view(ANN), CAT, Verb.PASS) == Pass(ANN, CAT)


def test_r7_6_an_offer_that_can_not_be_paid_any_more_is_not_taken_for_nothing() -> None:
    game = patrol({})
    number = game.offer(CAT, "pass 2", to=(ANN, BEN), gold=8)
    game.grant(CAT, gold=3)
    assert decision(game.view(ANN), CAT, Verb.PASS) == Accept(ANN, CAT, number)  # Which the rules refuse.


def test_r10_4_a_deputy_who_lets_all_the_rest_pass_says_so_of_each_bag_once() -> None:
    game, said = patrol({}), []
    number = game.offer(DAN, "pass 3", to=(ANN, BEN), gold=5)
    game.submit(Stance(ANN, CAT, Verb.PASS), Stance(ANN, FAY, Verb.INSPECT), Stance(BEN, FAY, Verb.PASS))
    game.submit(Apart(BEN, FAY))  # Which Ann alone decides about now.
    waving: Waving | None = Waving.begin(game.view(ANN))
    while waving is not None:
        waving, move = waving.next(Picture(NAMES, Words(), game.view(ANN), choice=Choice.ACT))
        if move is not None:
            said.append(move)
            game.submit(move)
    assert said == [Accept(ANN, DAN, number), Stance(ANN, EVE, Verb.PASS), Pass(ANN, FAY)]
    assert game.state.closed_bags == (CAT, DAN, EVE)
    other = Waving.begin(game.view(BEN))
    assert other.bags == {CAT, DAN, EVE}


def test_r10_3_who_has_no_say_about_a_bag_does_not_let_it_pass_with_the_rest() -> None:
    game = patrol({}).submit(Stance(ANN, CAT, Verb.INSPECT), Stance(BEN, CAT, Verb.PASS), Apart(BEN, CAT))
    assert CAT not in Waving.begin(game.view(BEN)).bags
    assert CAT in Waving.begin(game.view(ANN)).bags


# -- the Loot


def test_r10_5_a_proposal_and_its_answer_are_told_with_what_each_gets() -> None:
    game = with_loot(12, "2 apples")
    loot = game.state.loot
    split = split_of(loot, 8, {"apples": 1})
    shared = "Ann: 8 gold, 1 apple; Ben: 4 gold, 1 apple."
    assert told(game, ShareLoot(ANN, split)) == [f"Ann proposes for the Loot: {shared}"]
    assert told(game, ShareLoot(BEN, split)) == [f"Agreed: {shared}"]


@pytest.mark.parametrize("moves", [(ShareLoot(ANN),), (ShareLoot(ANN, Split(12)), ShareLoot(BEN))])
def test_r10_5_the_even_split_is_told_of_who_wants_it(moves: tuple[Move, ...]) -> None:
    assert told(with_loot(12), *moves)[-1] == f"{NAMES[moves[-1].seat]} wants to share the Loot evenly."


def test_what_one_gets_of_the_loot_and_what_the_other_gets_is_all_of_it() -> None:
    cards = (LootCard(3, "apples"), LootCard(1, None), LootCard(2, "apples"), LootCard(5, None))  # type: ignore[arg-type] # handles are numbers.
    loot = Loot(9, cards, ("pepper 30",))
    split = split_of(loot, 4, {"apples": 1, None: 1, "pepper 30": 1})
    assert split == Split(4, (1, 3), ("pepper 30",))  # type: ignore[arg-type] # handles are numbers.
    (mine, my_cards), (theirs, their_cards) = shares(loot, split)
    assert (mine, theirs) == (4, 5)
    assert dict(my_cards) == {"apples": 1, None: 1, "pepper 30": 1}
    assert dict(their_cards) == {"apples": 1, None: 1}
    assert dict(lying(loot)) == {"apples": 2, None: 2, "pepper 30": 1}
    assert TELLER.portion(9, lying(loot)) == "9 gold, 2 apples, 1 pepper 30, two face-down cards"
    assert TELLER.portion(0, {}) == "nothing"
