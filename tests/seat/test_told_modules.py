"""Gold that moves without anybody's word is told with what moves it, and never as if another card had brought it.

A law that is only shown is not told as one that binds.
"""

import pytest

from p2p_sheriff.rules import apply
from p2p_sheriff.rules.facts import Unveiled
from p2p_sheriff.rules.moves import FillOrders, LayLaws
from p2p_sheriff.seat.narration import Narrator
from p2p_sheriff.texts import LANGUAGES, Texts
from tests.rules.notation import ANN, BEN, CAT, DAN
from tests.rules.scenario import Scenario
from tests.rules.test_section_14_orders import hidden
from tests.rules.test_section_15_laws import at_laws, lawful
from tests.rules.test_section_16_merry_men import band

TELLER = Narrator(["Ann", "Ben", "Cat", "Dan"])


def with_gold(game: Scenario, since: int) -> list[str]:
    """Returns what was told of gold since so many inputs."""
    told = [line for before, item in game.log[since:] for line in TELLER.tell(before, item, apply(before, item))]
    return [line for line in told if "[gold" in line]


def test_the_gold_of_a_merry_man_is_not_told_in_the_line_of_an_order() -> None:
    game = band("Robin Hood", ("apples, pepper", "apples"), {}, "orders").lay_orders("apples+pepper").passes(BEN)
    since = len(game.log)
    game.submit(FillOrders(BEN, ("apples+pepper",), hidden(game, BEN, "pepper")))
    before, item = game.log[since]
    assert TELLER.tell(before, item, apply(before, item)) == [
        "Ben fills orders: apples + pepper.",
        "In comes Robin Hood: the bank pays Ben 10. [gold: Ben +10]",
    ]


def test_the_gold_of_a_merry_man_is_told_also_when_he_comes_after_cards_that_nobody_sees() -> None:
    game = band("Robin Hood", ("chicken, silk", "chicken"))
    since = len(game.log)
    assert with_gold(game.passes(BEN), since) == ["In comes Robin Hood: the bank pays Ben 10. [gold: Ben +10]"]


def test_a_law_that_moves_gold_by_itself_is_named() -> None:
    game = lawful({BEN: ("silk, chicken", "chicken")}, "toll", "smugglers' premium")
    since = len(game.log)
    for seat in (CAT, BEN, DAN):
        game.passes(seat)
    assert with_gold(game, since) == [
        "By law: toll. [gold: Ann +1, Cat -1]",
        "By law: toll. [gold: Ann +1, Ben -1]",
        "By law: toll. By law: smugglers' premium. [gold: Ann +1, Ben +2, Dan -1]",
    ]


def test_a_forced_sale_is_named_with_the_fine_that_ends_the_round() -> None:
    game = lawful({BEN: ("chicken, chicken", "chicken")}, "forced chicken sale")
    since = len(game.log)
    game.passes(CAT).passes(DAN).inspects(BEN)
    (line,) = with_gold(game, since)
    assert line == "Ben shows 2 chicken. By law: forced chicken sale. [gold: Ann -4, Ben +8]"


@pytest.mark.parametrize("language", LANGUAGES)
def test_r15_1_a_law_that_is_shown_and_not_laid_is_not_told_as_a_law_in_force(language: str) -> None:
    game, texts = at_laws(4, "toll", "duty", "mercy"), Texts.of(language)
    toll, _, mercy = game.state.drawn_laws
    since = len(game.log)
    game.submit(LayLaws(ANN, (mercy, toll), shown=True))
    assert game.state.laws == ("mercy", "toll")
    before, item = next((before, item) for before, item in game.log[since:] if isinstance(item, Unveiled))
    teller = Narrator(["Ann", "Ben", "Cat", "Dan"], texts)
    (told,) = teller.tell(before, item, apply(before, item))
    assert told.endswith(texts("modules.shows_law", law=texts("laws.duty")))
    assert texts("lawtexts.Toll", gold=1) in told
    assert texts("lawtexts.Mercy") in told
    assert texts("lawtexts.Duty") not in told
