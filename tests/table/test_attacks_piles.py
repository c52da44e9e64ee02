"""The market of the first edition: nobody changes what was set aside, takes another card, or puts another one back."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from p2p_sheriff.rules import Claim, Edition, Handle, Seat, Setup
from p2p_sheriff.rules.moves import Inspect, LayDown, Move, SetAside, TakeDiscards
from p2p_sheriff.session.acts import Locks, Moves, Payload, Rearranges, Shows, Strips
from p2p_sheriff.session.passes import Collecting, Giving
from protocol.deck import Card, lock_cards, strip_cards
from protocol.faults import FaultCode
from tests.table.cheats import Cheat, Lie, moves_instead, points_of, with_points
from tests.table.tables import (
    GROUP,
    MERCHANT,
    OTHER,
    SHERIFF,
    BadHandError,
    Net,
    Script,
    assert_caught,
    assert_named,
    of_kind,
    played,
)

FIRST = Setup(
    3, Edition.FIRST, short=(("apples", 19), ("cheese", 4), ("pepper", 2), ("silk", 9)), candidates=(SHERIFF,)
)
"""34 cards: three hands, five on each pile, six in the deck. The sheriff has turned the piles up."""
EMPTY_DECK = replace(FIRST, short=(("apples", 15), ("cheese", 2), ("pepper", 2), ("silk", 9)))
"""28 cards: when both piles lie there, the deck is empty."""


def table(
    seed: str,
    lie: Lie,
    cheat: Seat = MERCHANT,
    *,
    setup: Setup = FIRST,
    scripts: Callable[[], Mapping[Seat, Script]] | None = None,
) -> Net:
    """A merchant sets three cards aside, takes two from the left pile and draws one."""

    def usual() -> Mapping[Seat, Script]:
        return {MERCHANT: Script(aside=3, takes=(2, 0))}

    return played(seed, cheat, lie, setup=setup, scripts=scripts or usual)


def aside(cheat: Cheat) -> tuple[Handle, ...]:
    return cheat.play.state[cheat.seat].aside


# -- the first discard piles


class TestTurningUp:
    @staticmethod
    def showing(change: Callable[[Cheat, tuple[Claim, ...]], tuple[Claim, ...]]) -> Lie:
        """Shows something else in place of the ten cards, with a proof of it as good as one can be made."""

        def lie(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts:
                case (Shows(cards),):
                    shown = change(cheat, cards)
                    return Payload((Shows(shown),), cheat.claim(1, shown))
                case _:
                    return None

        return lie

    def refused(self, seed: str, change: Callable[[Cheat, tuple[Claim, ...]], tuple[Claim, ...]]) -> Net:
        net = table(seed, self.showing(change), SHERIFF)
        assert all(session.play.state.piles == ((), ()) for session in net.honest)
        return net

    def test_a_card_turned_up_cannot_be_called_another_good(self) -> None:
        def renamed(_cheat: Cheat, cards: tuple[Claim, ...]) -> tuple[Claim, ...]:
            (handle, kind), *rest = cards
            return ((handle, "silk" if kind != "silk" else "apples"), *rest)

        assert_caught(self.refused("renamed", renamed), FaultCode.FALSE_PROOF)

    def test_a_card_of_the_hand_cannot_be_shown_in_place_of_one_turned_up(self) -> None:
        def exchanged(cheat: Cheat, cards: tuple[Claim, ...]) -> tuple[Claim, ...]:
            handle = cheat.play.state[SHERIFF].hand[0]
            return ((handle, cheat.knows(handle)), *cards[1:])

        assert_caught(self.refused("from the hand", exchanged), FaultCode.FORBIDDEN)

    def test_nine_cards_are_not_ten(self) -> None:
        assert_caught(self.refused("nine", lambda _cheat, cards: cards[1:]), FaultCode.FORBIDDEN)


# -- setting aside


class TestCardsSetAside:
    """They are named before the draws, and shown after them."""

    @staticmethod
    def laying(change: Callable[[Cheat, LayDown], tuple[tuple[Handle, ...], tuple[Claim, ...]]]) -> Lie:
        """Lays and shows something else, with a proof of it as good as one can be made."""

        def lie(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts:
                case (Moves(LayDown() as move), Shows()):
                    handles, shown = change(cheat, move)
                    acts = (Moves(replace(move, handles=handles)), Shows(shown))
                    return Payload(acts, cheat.claim(len(acts), shown))
                case _:
                    return None

        return lie

    def refused(
        self, seed: str, change: Callable[[Cheat, LayDown], tuple[tuple[Handle, ...], tuple[Claim, ...]]]
    ) -> Net:
        net = table(seed, self.laying(change))
        assert all(len(session.play.state[MERCHANT].aside) == 3 for session in net.honest)
        assert all(list(map(len, session.play.state.piles)) == [3, 5] for session in net.honest)
        return net

    @staticmethod
    def claims(cheat: Cheat, handles: tuple[Handle, ...]) -> tuple[Claim, ...]:
        return tuple((handle, cheat.knows(handle)) for handle in handles)

    def test_a_card_set_aside_cannot_be_exchanged_for_one_of_the_hand_after_the_draws(self) -> None:
        def exchanged(cheat: Cheat, move: LayDown) -> tuple[tuple[Handle, ...], tuple[Claim, ...]]:
            handles = (cheat.play.state[MERCHANT].hand[0], *move.handles[1:])
            return handles, self.claims(cheat, handles)

        assert_caught(self.refused("exchanged", exchanged), FaultCode.FORBIDDEN, "All of these cards")

    def test_a_card_of_the_hand_cannot_be_shown_in_place_of_one_that_was_laid_down(self) -> None:
        def another_shown(cheat: Cheat, move: LayDown) -> tuple[tuple[Handle, ...], tuple[Claim, ...]]:
            shown = (cheat.play.state[MERCHANT].hand[0], *move.handles[1:])
            return move.handles, self.claims(cheat, shown)

        assert_caught(self.refused("another shown", another_shown), FaultCode.FORBIDDEN)

    def test_a_card_set_aside_cannot_be_kept(self) -> None:
        def kept(cheat: Cheat, move: LayDown) -> tuple[tuple[Handle, ...], tuple[Claim, ...]]:
            return move.handles[1:], self.claims(cheat, move.handles[1:])

        assert_caught(self.refused("kept", kept), FaultCode.FORBIDDEN)

    def test_the_same_card_cannot_be_put_back_twice(self) -> None:
        def twice(cheat: Cheat, move: LayDown) -> tuple[tuple[Handle, ...], tuple[Claim, ...]]:
            handles = (move.handles[0], *move.handles[:2])
            return handles, self.claims(cheat, handles)

        assert_caught(self.refused("twice", twice), FaultCode.FORBIDDEN)

    def test_a_card_put_back_cannot_be_called_another_good(self) -> None:
        def renamed(cheat: Cheat, move: LayDown) -> tuple[tuple[Handle, ...], tuple[Claim, ...]]:
            (handle, kind), *rest = self.claims(cheat, move.handles)
            return move.handles, ((handle, "cheese" if kind != "cheese" else "silk"), *rest)

        assert_caught(self.refused("renamed", renamed), FaultCode.FALSE_PROOF)

    def test_the_kinds_that_lie_on_the_pile_cannot_be_in_another_order_than_the_cards(self) -> None:
        """The order is that of the move; who shows two cards as each other has put them back in another one."""

        def swapped(cheat: Cheat, move: LayDown) -> tuple[tuple[Handle, ...], tuple[Claim, ...]]:
            handles, kinds = list(move.handles), [cheat.knows(handle) for handle in move.handles]
            place = next((place for place, kind in enumerate(kinds) if kind != kinds[0]), None)
            if place is None:
                raise BadHandError("three cards of one kind")
            kinds[0], kinds[place] = kinds[place], kinds[0]
            return move.handles, tuple(zip(handles, kinds, strict=True))

        assert_caught(self.refused("another order", swapped), FaultCode.FALSE_PROOF)

    def test_nobody_sets_aside_again_after_the_draws(self) -> None:
        def again(cheat: Cheat, move: Move) -> Move:
            return SetAside(move.seat, cheat.play.state[MERCHANT].hand[:1])

        assert_caught(table("again", moves_instead(LayDown, again)), FaultCode.FORBIDDEN, "rule 4.1")

    def test_there_is_no_third_pile(self) -> None:
        def third(_cheat: Cheat, move: Move) -> Move:
            assert isinstance(move, LayDown)
            return replace(move, pile=2)

        assert_caught(table("third pile", moves_instead(LayDown, third)), FaultCode.FORBIDDEN, "no such")


# -- taking from the piles


class TestTaking:
    @pytest.mark.parametrize(
        ("counts", "reason"),
        [
            ((4, 0), "rule 4.3"),
            ((2, 2), "rule 4.3"),
            ((6, -3), "one number of cards"),
            ((0, 6), "rule 4.3"),
        ],
        ids=["more than were set aside", "of both piles", "less than none", "more than lie there"],
    )
    def test_a_merchant_takes_as_many_as_are_needed_and_lie_there(self, counts: tuple[int, int], reason: str) -> None:
        def greedy(_cheat: Cheat, move: Move) -> Move:
            return TakeDiscards(move.seat, counts)

        net = table("greedy", moves_instead(TakeDiscards, greedy))
        assert_caught(net, FaultCode.FORBIDDEN, reason)

    def test_nothing_is_taken_from_a_pile_once_a_card_came_from_the_deck(self) -> None:
        def late(_cheat: Cheat, move: Move) -> Move:
            return TakeDiscards(move.seat, (1, 0))

        net = table("late", moves_instead(LayDown, late))
        assert_caught(net, FaultCode.FORBIDDEN, "rule 4.3")

    @staticmethod
    def handing(seat: Seat, cards: Callable[[Cheat, Giving], tuple[Card, ...]]) -> Lie:
        """Locks or strips other cards than those that are on the way, with a sound proof for these others."""

        def lie(cheat: Cheat, _payload: Payload) -> Payload | None:
            passing, turn = cheat.play.passing, cheat.table.turn()
            if not isinstance(passing, Giving) or passing.expected != (seat,):
                return None
            context, others = passing._context(turn, 0), cards(cheat, passing)
            known = (GROUP, context, cheat.seat, others, cheat.secrets.keys, cheat.rng)
            return Payload((Locks(lock_cards(*known)) if passing.way[0] is Locks else Strips(strip_cards(*known)),))

        return lie

    def test_a_card_that_is_not_on_top_cannot_be_taken(self) -> None:
        def below(cheat: Cheat, passing: Giving) -> tuple[Card, ...]:
            pile = cheat.play.state.piles[0]
            return (cheat.play.cards[pile[0].handle], *passing.cards[1:])

        net = table("below the top", self.handing(MERCHANT, below))
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(isinstance(session.play.passing, Giving) for session in net.honest)

    def test_cards_cannot_be_taken_in_another_order_than_they_lie(self) -> None:
        net = table("another order", self.handing(MERCHANT, lambda _cheat, passing: passing.cards[::-1]))
        assert_caught(net, FaultCode.FALSE_PROOF)

    def test_who_discarded_a_card_cannot_hand_over_another_one(self) -> None:
        """Both cards that are taken lie under one key of the sheriff's, who lets them change places on the way."""
        net = table("swapped", self.handing(SHERIFF, lambda _cheat, passing: passing.cards[::-1]), SHERIFF)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(len(session.play.state.piles[0]) == 5 for session in net.honest)

    def test_who_discarded_a_card_cannot_keep_it_locked(self) -> None:
        def locked(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts:
                case (Strips(change),) if isinstance(cheat.play.passing, Giving):
                    same = [card.point for card in cheat.play.passing.cards]
                    return Payload((Strips(with_points(change, same)),))
                case _:
                    return None

        assert_caught(table("kept locked", locked, SHERIFF), FaultCode.FALSE_PROOF)

    def test_a_taken_card_cannot_be_exchanged_for_one_set_aside_when_the_hand_is_laid_anew(self) -> None:
        def kept(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts:
                case (Rearranges(rearrangement),) if aside(cheat):
                    assert rearrangement.gather is not None
                    points = points_of(rearrangement.gather)
                    points[-1] = cheat.play.cards[aside(cheat)[0]].point
                    gather = with_points(rearrangement.gather, points)
                    return Payload((Rearranges(replace(rearrangement, gather=gather)),))
                case _:
                    return None

        assert_named(table("kept card", kept), FaultCode.FALSE_PROOF)


# -- what the sheriff takes away


class TestConfiscated:
    """The merchant declares two apples, and has silk in the bag."""

    @staticmethod
    def refused(seed: str, change: Callable[[Cheat, LayDown], LayDown]) -> Net:
        def other(cheat: Cheat, move: Move) -> Move:
            assert isinstance(move, LayDown)
            return change(cheat, move)

        def scripts() -> Mapping[Seat, Script]:
            inspects = Script(acts=lambda view: Inspect(SHERIFF, view.state.closed_bags[0]))
            return {SHERIFF: inspects, MERCHANT: Script(bag=lambda view: of_kind(view, "silk", 2))}

        return table(seed, moves_instead(LayDown, other), SHERIFF, scripts=scripts)

    def test_a_confiscated_card_cannot_be_kept(self) -> None:
        net = self.refused("kept", lambda _cheat, move: replace(move, handles=move.handles[1:]))
        assert_caught(net, FaultCode.FORBIDDEN)

    def test_another_card_of_the_merchant_cannot_be_laid_down_in_its_place(self) -> None:
        def another(cheat: Cheat, move: LayDown) -> LayDown:
            return replace(move, handles=(cheat.play.state[MERCHANT].hand[0], *move.handles[1:]))

        assert_caught(self.refused("another", another), FaultCode.FORBIDDEN)

    def test_a_card_that_lies_on_a_pile_cannot_be_laid_down_again(self) -> None:
        def buried(cheat: Cheat, move: LayDown) -> LayDown:
            return replace(move, handles=(*move.handles, cheat.play.state.piles[0][-1].handle))

        assert_caught(self.refused("buried", buried), FaultCode.FORBIDDEN)


# -- reshuffling


class TestReshuffles:
    """Nothing is left in the deck: what lies below the top five of the left pile becomes the next one."""

    @staticmethod
    def play(seat: Seat, change: Callable[[Cheat, Collecting], tuple[Card, ...]]) -> Net:
        def lie(cheat: Cheat, _payload: Payload) -> Payload | None:
            passing = cheat.play.passing
            if not isinstance(passing, Collecting):
                return None
            context = passing._context(cheat.table.turn(), 0)
            known = (GROUP, context, cheat.seat, change(cheat, passing), cheat.secrets.keys, cheat.rng)
            return Payload((Locks(lock_cards(*known)),))

        def scripts() -> Mapping[Seat, Script]:
            return dict.fromkeys((MERCHANT, OTHER), Script(aside=3))

        net = table("reshuffle", lie, seat, setup=EMPTY_DECK, scripts=scripts)
        for session in net.honest:
            assert list(map(len, session.play.state.piles)) == [8, 5]
            assert isinstance(session.play.passing, Collecting)
            assert len(session.play.passing.handles) == 3
        return net

    @staticmethod
    def top(cheat: Cheat) -> Card:
        return cheat.play.cards[cheat.play.state.piles[0][-5].handle]

    @pytest.mark.parametrize("seat", [SHERIFF, MERCHANT, OTHER])
    def test_one_of_the_top_five_cannot_be_shuffled_in_in_place_of_another_card(self, seat: Seat) -> None:
        net = self.play(seat, lambda cheat, passing: (self.top(cheat), *passing.cards[1:]))
        assert_caught(net, FaultCode.FALSE_PROOF)

    @pytest.mark.parametrize("seat", [SHERIFF, OTHER])
    def test_one_of_the_top_five_cannot_be_shuffled_in_besides(self, seat: Seat) -> None:
        net = self.play(seat, lambda cheat, passing: (*passing.cards, self.top(cheat)))
        assert_caught(net, FaultCode.MALFORMED, "3 points")
