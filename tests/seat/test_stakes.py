"""What is told about a bag before it is closed, and while it opens: the same that the rules then do."""

from dataclasses import replace

import pytest

from p2p_sheriff.rules import Choice, Phase, Setup, Transition, View, new_game
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.moves import Declare
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.seat.stakes import Stakes, lost_in_words, man_in_bag, stakes, told_by_law
from p2p_sheriff.seat.story import happened, wealth
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import ENGLISH
from tests.dealt import MODULES, asked_for, games

ROBIN = "Robin Hood"


def of_bag(*kinds: str, man: str = "", laws: tuple[str, ...] = (), halves: bool = False) -> Stakes:
    """Returns what depends on a bag with these goods that is said to hold apples."""
    view = asked_for(Choice.LOAD)
    state = view.state.but(laws=laws).with_player(view.seat, halves=halves)
    return stakes(View(state, view.knowledge), kinds, "apples", man)


def test_a_merry_man_makes_a_lie_of_a_true_bag_costs_his_fine_and_brings_his_value() -> None:
    assert of_bag("apples", "apples").is_true
    at_stake = of_bag("apples", "apples", man=ROBIN)
    assert not at_stake.is_true
    assert (at_stake.fine, at_stake.worth) == (8, 14)
    assert lost_in_words(ENGLISH, at_stake) == "Robin Hood"
    assert lost_in_words(ENGLISH, of_bag("apples", "silk", man=ROBIN)) == "1 silk, Robin Hood"


@pytest.mark.parametrize(
    ("laws", "fine", "told"),
    [
        (("heavy hand",), 4 + 2 + 8 + 3, []),
        (("light hand",), 4 + 8, []),
        (("light hand", "heavy hand"), 4 + 1 + 8 + 1, []),
        (("apple tax",), 14, ["To say so costs 2 tax."]),
        (("smugglers' premium", "toll"), 14, ["Passed, the bank adds 2 for contraband.", "Passed, you pay 1 toll."]),
        (("bread ban", "smugglers' premium"), 14, ["Passed, the bank adds 4 for contraband."]),
        (("honest reward",), 14, []),
    ],
)
def test_laws_change_what_a_lie_costs_and_what_it_brings(laws: tuple[str, ...], fine: int, told: list[str]) -> None:
    at_stake = of_bag("apples", "bread", "silk", man=ROBIN, laws=laws)
    assert at_stake.fine == fine
    assert told_by_law(ENGLISH, at_stake) == told


def test_a_true_bag_is_rewarded_and_the_widow_s_son_halves_a_lie_rounded_up() -> None:
    assert told_by_law(ENGLISH, of_bag("apples", "apples", laws=("honest reward",))) == ["Found true, the bank adds 2."]
    halved = of_bag("silk", "bread", "cheese", "pepper", laws=("heavy hand",), halves=True)
    assert halved.fine == (4 + 2 + 2 + 4 + 4 + 1) // 2
    assert told_by_law(ENGLISH, halved) == ["(The fine is halved already.)"]
    assert not told_by_law(ENGLISH, of_bag("apples", halves=True))


def test_the_man_in_the_own_bag_is_known_to_its_owner_while_it_is_closed() -> None:
    view = asked_for(Choice.LOAD)
    assert man_in_bag(view) == ""
    bag = (*view.me.hand[:2], *view.me.men)
    assert man_in_bag(View(view.state, replace(view.knowledge, bag=bag))) == view.man


@pytest.mark.parametrize("players", [4, 5])
def test_what_is_told_of_an_inspected_bag_is_what_the_rules_take(players: int) -> None:
    """Every bag that is opened shows the fine that is then paid, as far as there is gold."""
    setup = Setup(players, options=MODULES.options)
    found = {"paid": 0, "lie": 0, "man": 0, "law": 0}
    for seed in range(4):
        changes: list[Transition] = []
        *_, (dealer, _) = games(setup, seed, tell=changes.extend)
        picture = Picture(("Anna", "Ben", "Cleo", "Dan", "Eve")[:players], Words(), told=new_game(setup))
        for change in changes:
            picture = replace(happened(picture, change), reveals=())
            opened = happened(replace(picture, told=change.before), change).reveals
            if not (isinstance(change.item, Shown) and opened and opened[0].payers == (opened[0].owner,)):
                continue
            owner, before = opened[0].owner, change.before
            noted = next(one for one in picture.rounds if one.number == before.round).players[owner]
            assert noted.fine == min(opened[0].fine, before[owner].gold)
            if change.after.phase is Phase.INSPECT and change.after.round == before.round:
                paid = before[owner].gold - change.after[owner].gold
                assert paid == min(opened[0].fine, before[owner].gold)  # At the end of a round laws move gold, too.
                found["paid"] += 1
            found["lie"] += 1
            found["man"] += opened[0].man in MEN
            found["law"] += bool(before.laws)
        assert dealer.state.phase is Phase.OVER
        assert picture.wealth[-1] == wealth(dealer.state)
    assert min(found.values()) > 3


def test_a_bag_with_a_man_is_no_true_one_in_the_history() -> None:
    changes: list[Transition] = []
    *_, _ = games(MODULES, 1, tell=changes.extend)
    picture = happened(Picture(("Anna", "Ben", "Cleo", "Dan"), Words(), told=new_game(MODULES)), *changes)
    stowed = [doing for one in picture.rounds for doing in one.players if set(doing.cards) & set(MEN)]
    assert stowed
    assert not [doing for doing in stowed if doing.is_true]
    assert any(isinstance(change.item, Declare) for change in changes)
