"""Two deputies in lines of text: what they are asked, what they see, and what of it is done."""

import pytest

from p2p_sheriff.fronts.lines.tableau import Tableau
from p2p_sheriff.rules import Choice
from p2p_sheriff.rules.moves import Accept, Apart, PickLoot, ShareLoot, Stance, Verb
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.seat.sharing import split_of
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import LANGUAGES, Texts
from tests.fronts.lines.test_haggling_lines import Seated
from tests.rules.notation import ANN, BEN, CAT
from tests.rules.situations import patrol
from tests.rules.test_section_10_loot import with_loot

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
TABLEAU = Tableau(NAMES)


def line_of(lines: list[str], begin: str) -> str:
    (line,) = (line for line in lines if line.startswith(begin))
    return line


def test_r10_4_a_deputy_sees_each_word_with_its_price_beside_the_bag() -> None:
    game = patrol({})
    number = game.offer(CAT, "pass 2", to=(ANN, BEN), gold=8)
    game.submit(Accept(ANN, CAT, number), Stance(BEN, CAT, Verb.INSPECT))
    lines = TABLEAU.prompt(game.view(BEN), Choice.ACT)
    assert lines[1] == ">>> You are a deputy: say what to do with a bag. What both say is done."
    assert "Ann: pass for 8 gold, Ben: inspect." in line_of(lines, "Cat: ")
    assert "apart NAME" in lines[-1]
    game.submit(Apart(ANN, CAT))
    assert "Ben alone." in line_of(TABLEAU.table(game.view(BEN)), "Cat: ")


def test_r10_5_who_proposes_sees_what_lies_there_and_who_answers_what_is_proposed() -> None:
    game = with_loot(12, "2 apples", bag=("silk", "apples"))
    there = "On the Loot: 12 gold, 2 apples, one face-down card."
    assert there in TABLEAU.table(game.view(CAT))
    proposer = TABLEAU.prompt(game.view(ANN), Choice.SHARE_LOOT)
    assert there in proposer
    assert "share 8 gold" in proposer[-1]
    game.submit(ShareLoot(ANN, split_of(game.state.loot, 12, {None: 1})))
    answerer = TABLEAU.prompt(game.view(BEN), Choice.SHARE_LOOT)
    assert "Ann: 12 gold, one face-down card; Ben: 2 apples." in answerer
    assert answerer[-1].startswith("Type accept")


def test_r10_5_cards_are_picked_by_the_numbers_that_are_shown() -> None:
    game = with_loot(0, "2 apples", bag=("silk", "apples")).submit(ShareLoot(ANN))
    lines = TABLEAU.prompt(game.view(ANN), Choice.PICK_LOOT)
    assert "On the Loot: 1 = apple; 2 = apple; 3 = one face-down card." in lines
    picture = Picture(NAMES, Words(), game.view(ANN), game.state, choice=Choice.PICK_LOOT, game=b"game", rematch=True)
    ann = Seated(picture)
    ann.now = 2.0
    assert ann.types("pick 3") == PickLoot(ANN, game.state.loot.cards[2].handle)
    assert Seated(picture).types("3") is None  # Typed before it could be read.


@pytest.mark.parametrize("language", LANGUAGES)
def test_deputies_are_asked_in_their_own_words_in_every_language(language: str) -> None:
    texts, game = Texts.of(language), patrol({})
    tableau = Tableau(NAMES, texts)
    for choice, key in {Choice.ACT: "act_deputy", Choice.NAME_FIRST: "name_first_deputy"}.items():
        assert tableau.prompt(game.view(ANN), choice)[1] == f">>> {texts(f'questions.{key}')}"
