"""Both deputies mix what lies face down on their Loot: whoever mixes something else, or out of turn, is named."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.moves import Things
from p2p_sheriff.session.acts import Locks, Shuffles
from p2p_sheriff.session.passes import Collecting, Remixing
from p2p_sheriff.session.play import Play
from protocol.deck import Card, Change
from protocol.faults import FaultCode
from protocol.group import Element
from tests.table.bands import in_pass, with_other
from tests.table.cheats import Cheat, Lie, points_of, with_points
from tests.table.tables import GROUP, Net, assert_caught, assert_named
from tests.table.test_attacks_shuffle import Forge, foreign, forged, listed
from tests.table.test_deputies import SIX, deputies, game

LOOT = 4
"""Every merchant gives a card blind."""
BOTH = pytest.mark.parametrize("which", [0, 1], ids=["the first-drawn", "the other"])
played = partial(game, things=Things(bag_blind=1))


def of_the_loot(play: Play) -> bool:
    return isinstance(play.passing, Collecting | Remixing) and bool(play.passing.owners)


def mixing(lie: Lie) -> Lie:
    """Lies when the Loot is mixed, and not when the first deck is made."""
    return lambda cheat, payload: lie(cheat, payload) if of_the_loot(cheat.play) else None


def assert_lies_as_it_lay(net: Net) -> None:
    for session in net.honest:
        assert of_the_loot(session.play)
        assert len(session.play.state.loot.face_down) == LOOT


def of_the_hand(cheat: Cheat) -> Card:
    return cheat.play.cards[cheat.play.state[cheat.seat].hand[0]]


@BOTH
def test_a_card_of_the_loot_cannot_be_swapped_for_one_of_the_hand_before_it_is_mixed(which: int) -> None:
    cheat = deputies()[which]
    net = played(cheat=cheat, lie=mixing(in_pass(Collecting, "goods", with_other(of_the_hand))))
    assert_lies_as_it_lay(net)
    assert_caught(net, FaultCode.FALSE_PROOF)


@BOTH
def test_cards_of_the_loot_cannot_be_gathered_in_another_order_than_they_lie(which: int) -> None:
    def swapped(_cheat: Cheat, _passing: Collecting, made: Change) -> Change:
        return with_points(made, points_of(made)[::-1])

    net = played(cheat=deputies()[which], lie=mixing(in_pass(Collecting, "goods", swapped)))
    assert_lies_as_it_lay(net)
    assert_caught(net, FaultCode.FALSE_PROOF)


def from_the_hand(cheat: Cheat, found: Sequence[Element], k: int) -> list[Element]:
    """A card of the own hand in the place of one of the Loot."""
    return [of_the_hand(cheat).point, *(GROUP.mul(k, point) for point in found[1:])]


@BOTH
@pytest.mark.parametrize("forge", [from_the_hand, foreign])
def test_a_list_of_the_loot_with_another_card_is_found_when_both_have_proved(which: int, forge: Forge) -> None:
    net = played(cheat=deputies()[which], lie=mixing(forged(forge)))
    assert_named(net, FaultCode.FALSE_PROOF, "shuffle equations")
    assert_lies_as_it_lay(net)


@BOTH
def test_a_list_of_the_loot_with_a_card_twice_is_refused_at_once(which: int) -> None:
    def doubled(_cheat: Cheat, made: Change) -> Change:
        first, _, *rest = points_of(made)
        return with_points(made, [first, first, *rest])

    net = played(cheat=deputies()[which], lie=mixing(listed(doubled)))
    assert_caught(net, FaultCode.MALFORMED, "twice")
    assert_lies_as_it_lay(net)


@BOTH
def test_a_proof_of_another_order_than_the_list_of_the_loot_is_refused(which: int) -> None:
    def exchanged(_cheat: Cheat, made: Change) -> Change:
        first, second, *rest = points_of(made)
        return with_points(made, [second, first, *rest])

    net = played(cheat=deputies()[which], lie=mixing(listed(exchanged)))
    assert_named(net, FaultCode.FALSE_PROOF)
    assert_lies_as_it_lay(net)


def merchant() -> Seat:
    return next(seat for seat in SIX.seats if seat not in deputies())


@pytest.mark.parametrize(
    ("who", "kind"),
    [
        (lambda: deputies()[1], Collecting),
        (lambda: max(deputies()), Remixing),
        (merchant, Collecting),
        (merchant, Remixing),
    ],
    ids=["the other deputy gathers", "the later deputy shuffles", "a merchant gathers", "a merchant shuffles"],
)
def test_nobody_mixes_the_loot_when_it_is_the_turn_of_another(
    who: Callable[[], Seat], kind: type[Collecting | Remixing]
) -> None:
    def lays(cheat: Cheat) -> bool:
        passing = cheat.play.passing
        if isinstance(passing, kind) and of_the_loot(cheat.play) and not passing.done and not cheat.has_lied:
            points = [card.point for card in passing.cards]
            made = Change(points[0], b"".join(points), b"")
            cheat.push(Locks(made) if kind is Collecting else Shuffles(made))
        return cheat.has_lied

    assert_named(played(cheat=who(), leaves_undone=lays), FaultCode.OUT_OF_TURN)
