"""Who cheats while the deck is dealt around a gap is named, and put out: the cards on the table stay what they are."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_sheriff.rules import Phase, Seat, Setup
from p2p_sheriff.rules.facts import Redealt
from p2p_sheriff.session.acts import Locks, Payload, Strips
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.passes import Matching, Redealing
from protocol import deck
from protocol.cipher import Lock
from protocol.deck import Change
from protocol.faults import FaultCode
from protocol.group import Element
from protocol.hashing import ORDER
from tests.table.cheats import Cheat, Lie, points_of, with_points
from tests.table.departures import put_out
from tests.table.tables import (
    GROUP,
    MERCHANT,
    OTHER,
    SHERIFF,
    Net,
    Script,
    assert_caught,
    assert_named,
    assert_nobody_is_blamed,
    replaced_keys,
    seated,
)
from tests.table.test_attacks_shuffle import Forge, foreign, forged, listed, stacked, twice_the_first

SHORT = (("apples", 12), ("cheese", 6), ("pepper", 6), ("silk", 8))
LEAVER = Seat(3)
EVERYWHERE = pytest.mark.parametrize("seat", [SHERIFF, MERCHANT, OTHER], ids=["first", "middle", "last"])


def around(seat: Seat, lie: Lie, players: int = 4) -> Net:
    """At the end of the market, when there are discards, somebody leaves; the others deal around the gap."""
    setup = Setup(players, short=SHORT, candidates=(SHERIFF,))
    net = seated(f"gap {seat}", seat, lie, scripts={one: Script(aside=2) for one in setup.seats}, setup=setup)
    net.run(until=lambda play: play.state.phase is Phase.LOAD)
    goes(net, LEAVER)
    return net


def goes(net: Net, seat: Seat) -> None:
    while net._deliver():
        pass
    put_out(net.sessions, seat)
    net.run()


def matched(change: Callable[[Cheat, Matching, Change], Change]) -> Lie:
    """Changes what the cheat does to the copies."""

    def lie(cheat: Cheat, payload: Payload) -> Payload | None:
        passing = cheat.play.passing
        match payload.acts[0]:
            case Locks(made) if isinstance(passing, Matching):
                return Payload((Locks(change(cheat, passing, made)),))
            case _:
                return None

    return lie


def locked_with(cheat: Cheat, passing: Matching, lock: Lock) -> Change:
    context = passing._context(cheat.table.turn(), 0)
    return deck.lock_cards(GROUP, context, cheat.seat, passing.cards, cheat.secrets.keys, cheat.rng, lock)


def own_places(cheat: Cheat, passing: Matching) -> list[int]:
    """Where the copies of the cheat's own cards are."""
    return [place for place, card in enumerate(passing.cards) if card.key_of(cheat.seat)]


def assert_as_before(net: Net) -> None:
    """Asserts that no deck was made, that its keys are thrown away, and that all who are in have what they had."""
    for session in net.honest:
        play, secrets = session.play, session.secrets
        assert play.goods.undrawn == ()
        mine = {key for card in play.cards.values() if (key := card.key_of(session.seat))}
        assert mine <= secrets.keys._locks.keys() <= mine | replaced_keys(session)
        assert secrets.lost(play, spoiled=session.is_spoiled) == ()
        if session.seat in play.state.seats:
            assert None not in [card.kind for card in session.view().hand]


# -- while nobody cheats


def test_the_deck_is_dealt_around_a_gap_and_nobody_is_blamed() -> None:
    net = around(MERCHANT, lambda _cheat, _payload: None)
    assert_nobody_is_blamed(net)
    told = [change.item for _, event in net.events if isinstance(event, Happened) for change in event.changes]
    assert any(isinstance(item, Redealt) for item in told)
    assert net.honest[0].play.state.round == 2


# -- the lists


@pytest.mark.parametrize(
    ("seat", "forge"), [(SHERIFF, foreign), (MERCHANT, twice_the_first), (MERCHANT, stacked), (OTHER, foreign)]
)
def test_a_false_list_is_found_before_any_card_is_matched(seat: Seat, forge: Forge) -> None:
    net = around(seat, forged(forge, generation=1))
    assert_named(net, FaultCode.FALSE_PROOF)
    assert all(isinstance(session.play.passing, Redealing) for session in net.honest)
    assert_as_before(net)


def test_a_list_that_leaves_a_label_out_is_refused_at_once() -> None:
    def short(_cheat: Cheat, made: Change) -> Change:
        return with_points(made, points_of(made)[:-1])

    net = around(MERCHANT, listed(short, generation=1))
    assert_caught(net, FaultCode.MALFORMED, "32 points")


# -- the copies


@EVERYWHERE
def test_copies_under_another_key_than_that_of_the_own_list_are_refused(seat: Seat) -> None:
    """Nothing would match: and who could choose the key now could see whether a copy and an entry are one card."""

    def with_another(cheat: Cheat, passing: Matching, _made: Change) -> Change:
        return locked_with(cheat, passing, cheat.secrets.keys.fresh())

    net = around(seat, matched(with_another))
    assert_caught(net, FaultCode.FORBIDDEN, "the key of the own list")
    assert_as_before(net)


def test_copies_under_another_key_that_is_called_the_own_are_refused() -> None:
    def as_the_own(cheat: Cheat, passing: Matching, made: Change) -> Change:
        return replace(locked_with(cheat, passing, cheat.secrets.keys.fresh()), key=made.key)

    net = around(OTHER, matched(as_the_own))
    assert_caught(net, FaultCode.FALSE_PROOF)
    assert_as_before(net)


def test_copies_that_have_changed_places_are_refused() -> None:
    """Of two own cards under one key: what is taken out would be the same, and yet it is refused."""

    def exchanged(cheat: Cheat, passing: Matching, made: Change) -> Change:
        (one, other, *_), points = own_places(cheat, passing), points_of(made)
        points[one], points[other] = points[other], points[one]
        return with_points(made, points)

    assert_caught(around(MERCHANT, matched(exchanged)), FaultCode.FALSE_PROOF)


@pytest.mark.parametrize("is_own", [True, False], ids=["an own card", "another's card"])
def test_a_copy_of_another_card_in_its_place_is_refused(is_own: bool) -> None:
    """A card that stays in the deck although it lies on the table would be there twice."""

    def another(cheat: Cheat, passing: Matching, made: Change) -> Change:
        own, points = own_places(cheat, passing), points_of(made)
        places = own if is_own else [place for place in range(len(points)) if place not in own]
        points[places[0]] = points[places[1]]
        return with_points(made, points)

    net = around(MERCHANT, matched(another))
    assert_caught(net, FaultCode.FALSE_PROOF)
    assert_as_before(net)


def test_an_entry_of_the_deck_that_the_cheat_would_like_to_be_rid_of_is_no_copy() -> None:
    """The last one knows the locked set, and could name any entry as what comes out."""

    def entry(_cheat: Cheat, passing: Matching, made: Change) -> Change:
        points = points_of(made)
        free: list[Element] = [card.point for card in passing.locked if card.point not in points]
        return with_points(made, [free[0], *points[1:]])

    assert_caught(around(OTHER, matched(entry)), FaultCode.FALSE_PROOF)


def test_a_card_that_is_left_out_is_missed() -> None:
    def left_out(_cheat: Cheat, _passing: Matching, made: Change) -> Change:
        return with_points(made, points_of(made)[:-1])

    assert_caught(around(MERCHANT, matched(left_out)), FaultCode.MALFORMED, "points have")


def test_an_own_lock_that_is_not_taken_off_is_refused() -> None:
    """The copy of an own card with both locks matches nothing: the card would be in the deck as well."""

    def with_both(cheat: Cheat, passing: Matching, made: Change) -> Change:
        place, points = own_places(cheat, passing)[0], points_of(made)
        key = passing.cards[place].key_of(cheat.seat)
        assert key is not None
        points[place] = GROUP.mul(cheat.secrets.keys[key].k % ORDER, points[place])
        return with_points(made, points)

    assert_caught(around(MERCHANT, matched(with_both)), FaultCode.FALSE_PROOF)


def test_a_strip_in_place_of_the_lock_is_refused() -> None:
    def lie(cheat: Cheat, payload: Payload) -> Payload | None:
        match payload.acts[0]:
            case Locks(made) if isinstance(cheat.play.passing, Matching):
                return Payload((Strips(made),))
            case _:
                return None

    assert_caught(around(MERCHANT, lie), FaultCode.FORBIDDEN, "asked for something else")


# -- what becomes of it


def test_who_cheats_there_is_put_out_and_the_deck_is_dealt_around_both() -> None:
    def with_another(cheat: Cheat, passing: Matching, _made: Change) -> Change:
        return locked_with(cheat, passing, cheat.secrets.keys.fresh())

    net = around(MERCHANT, matched(with_another), players=5)
    assert_caught(net, FaultCode.FORBIDDEN)
    goes(net, MERCHANT)
    play = net.honest[0].play
    assert play.state.seats == (SHERIFF, OTHER, Seat(4))
    assert play.goods.generation == 2
    assert play.state.round == 2
    assert all(session.play == play for session in net.honest)
