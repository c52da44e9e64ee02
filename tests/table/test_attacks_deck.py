"""Nobody can stack, shorten or double a deck, strip a wrong card, bias a coin, or slip a card into a zone."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_sheriff.rules import Phase, Setup
from p2p_sheriff.session.acts import Act, Commits, Locks, Payload, Rearranges, Reveals, Strips
from p2p_sheriff.session.labels import GOODS
from p2p_sheriff.session.passes import Collecting, Dealing, Tossing
from protocol.deck import Change, shuffle_cards
from protocol.faults import FaultCode
from protocol.group import ELEMENT_BYTES, GENERATOR, Element
from protocol.proofs import dleq
from protocol.proofs.shuffle import prepare
from tests.table.cheats import Cheat, Lie, lies, points_of, with_points
from tests.table.tables import (
    GROUP,
    MERCHANT,
    OTHER,
    SHERIFF,
    SHORT,
    Net,
    Script,
    among_four,
    assert_caught,
    assert_named,
    played,
)

LAST = OTHER
"""Who shuffles last."""


class TestStrips:
    """In a deal everybody takes the own lock off the others' cards."""

    @staticmethod
    def with_stripped(change: Callable[[list[Element]], list[Element]]) -> Lie:
        """Strips wrongly, with a proof made for the very points that are sent."""

        def strip(cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Strips)
            dealing, turn = cheat.play.passing, cheat.table.turn()
            assert isinstance(dealing, Dealing)
            cards = [dealing.cards[place] for place in dealing.places(cheat.seat)]
            key = cards[0].key_of(cheat.seat)
            assert key is not None
            points = change(points_of(act.change))
            statement = dleq.Equality(GENERATOR, key, tuple(points), tuple(card.point for card in cards))
            context = turn.context(GOODS, cheat.play.goods.generation, "deal", 0)
            proof = dleq.prove(GROUP, context, [statement], [cheat.secrets.keys[key].k], cheat.rng)
            return Strips(Change(b"", b"".join(points), proof.to_bytes()))

        return lies(Strips, strip)

    @pytest.mark.parametrize("seat", [SHERIFF, MERCHANT, OTHER])
    def test_one_wrong_strip_is_refused(self, seat: int) -> None:
        def off_by_one(points: list[Element]) -> list[Element]:
            return [GROUP.add(points[0], GENERATOR), *points[1:]]

        cheat = (SHERIFF, MERCHANT, OTHER)[seat]
        net = among_four("wrong strip", cheat, self.with_stripped(off_by_one))
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(session.play.cards == {} for session in net.honest)

    def test_two_wrong_strips_that_cancel_are_refused(self) -> None:
        def cancelling(points: list[Element]) -> list[Element]:
            return [GROUP.add(points[0], GENERATOR), GROUP.sub(points[1], GENERATOR), *points[2:]]

        assert_caught(among_four("cancel", MERCHANT, self.with_stripped(cancelling)), FaultCode.FALSE_PROOF)

    def test_two_cards_that_exchange_their_receivers_are_refused(self) -> None:
        def exchanged(points: list[Element]) -> list[Element]:
            return [points[-1], *points[1:-1], points[0]]

        assert_caught(among_four("exchange", MERCHANT, self.with_stripped(exchanged)), FaultCode.FALSE_PROOF)

    def test_a_strip_of_fewer_cards_than_asked_for_is_refused(self) -> None:
        def fewer(_cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Strips)
            return Strips(with_points(act.change, points_of(act.change)[1:]))

        assert_caught(among_four("fewer strips", MERCHANT, lies(Strips, fewer)), FaultCode.MALFORMED, "18 points")

    def test_a_fresh_lock_in_place_of_a_strip_is_refused(self) -> None:
        def locked(_cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Strips)
            return Locks(act.change)

        assert_caught(among_four("lock, not strip", MERCHANT, lies(Strips, locked)), FaultCode.FORBIDDEN)


class TestCoin:
    """All are candidates, so the first sheriff is drawn."""

    SETUP = Setup(3, short=SHORT)

    @staticmethod
    def is_not_the_last(cheat: Cheat) -> bool:
        """Whether the others have still to commit, or to reveal."""
        match cheat.play.passing:
            case Tossing(waiting=waiting):
                return len(waiting) > 1
            case _:
                return False

    def test_a_share_changed_after_seeing_the_others_is_refused(self) -> None:
        def biased(cheat: Cheat, _act: Act) -> Act:
            return Reveals(cheat.rng(32))

        net = played("biased coin", LAST, lies(Reveals, biased), setup=self.SETUP, waits=self.is_not_the_last)
        assert_caught(net, FaultCode.FALSE_PROOF, "commitment")
        assert all(session.play.state.officers == () for session in net.honest)

    def test_a_copied_commitment_cannot_be_opened_with_the_copied_share(self) -> None:
        """The cheat commits to what the others have committed to, so that its share would be one of theirs."""

        def copied(cheat: Cheat, _payload: Payload) -> Payload | None:
            match cheat.play.passing:
                case Tossing(is_committed=False, commitments=commitments):
                    return Payload((Commits(dict(commitments)[SHERIFF]),))
                case Tossing(shares=shares):
                    return Payload((Reveals(shares[SHERIFF]),))
                case _:
                    return None

        net = played("copied share", LAST, copied, setup=self.SETUP, waits=self.is_not_the_last)
        assert_caught(net, FaultCode.FALSE_PROOF, "commitment")
        assert all(session.play.state.officers == () for session in net.honest)

    def test_a_commitment_that_is_none_is_refused(self) -> None:
        def short(_cheat: Cheat, _act: Act) -> Act:
            return Commits(b"heads")

        net = played("no commitment", SHERIFF, lies(Commits, short), setup=self.SETUP)
        assert_caught(net, FaultCode.MALFORMED, "its length is 32, not 5")


class TestRearrangements:
    @staticmethod
    def test_an_old_card_point_swapped_in_is_refused() -> None:
        """The cheat keeps a copy of a card that was just stripped for somebody else."""

        def old(cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Rearranges)
            change = act.rearrangement.change
            seen = cheat.play.cards[cheat.play.state[SHERIFF].hand[0]].point
            points = [seen, *points_of(change)[1:]]
            return Rearranges(replace(act.rearrangement, change=with_points(change, points)))

        net = among_four("old point", MERCHANT, lies(Rearranges, old))
        assert_named(net, FaultCode.FALSE_PROOF)
        assert all(session.play.state.phase is Phase.SETUP for session in net.honest)

    @staticmethod
    def test_the_cards_of_another_hand_rearranged_as_the_own_are_refused() -> None:
        """A sound shuffle of cards that lie under somebody else's lock."""

        def stolen(cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Rearranges)
            cards = [cheat.play.cards[handle] for handle in cheat.play.state[SHERIFF].hand]
            context = cheat.table.turn().context(
                GOODS, cheat.play.goods.generation, "rearrange", 0, cheat.play.state[MERCHANT].hand
            )
            order = prepare(GROUP, len(cards), cheat.rng)
            change = shuffle_cards(GROUP, context, cheat.seat, cards, cheat.secrets.keys, order)
            return Rearranges(replace(act.rearrangement, change=change))

        assert_named(among_four("stolen hand", MERCHANT, lies(Rearranges, stolen)), FaultCode.FALSE_PROOF)

    @staticmethod
    def test_a_second_rearrangement_in_the_same_entry_is_refused() -> None:
        """Two keys where one is due would leave everybody unsure which handles are which."""

        def gathered(_cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Rearranges)
            return Rearranges(replace(act.rearrangement, gather=act.rearrangement.change))

        net = among_four("gathered for nothing", MERCHANT, lies(Rearranges, gathered))
        assert_named(net, FaultCode.MALFORMED, "gathered")


class TestReshuffles:
    """The deck is empty after the deal; the cards set aside in the first round become the next one."""

    SETUP = Setup(3, short=(("apples", 8), ("silk", 8), ("pepper", 2)), candidates=(SHERIFF,))

    def play(self, seat: int, lie: Lie) -> Net:
        cheat = (SHERIFF, MERCHANT, OTHER)[seat]
        net = played(
            "reshuffle", cheat, lie, setup=self.SETUP, scripts=lambda: dict.fromkeys((MERCHANT, OTHER), Script(aside=2))
        )
        assert net.cheat.before.goods.generation == 1
        return net

    @staticmethod
    def gathers(change: Callable[[Cheat, Change], Change]) -> Lie:
        def lie(cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Locks)
            assert isinstance(cheat.play.passing, Collecting)
            return Locks(change(cheat, act.change))

        return lies(Locks, lie)

    @pytest.mark.parametrize("seat", [SHERIFF, MERCHANT])
    def test_a_discard_replaced_by_another_one_is_refused(self, seat: int) -> None:
        """The cheat doubles a card that it has discarded itself, or that somebody else has."""

        def doubled(_cheat: Cheat, made: Change) -> Change:
            first, _, *rest = points_of(made)
            return with_points(made, [first, GROUP.add(first, first), *rest])

        assert_caught(self.play(seat, self.gathers(doubled)), FaultCode.FALSE_PROOF)

    def test_a_discard_dropped_is_refused(self) -> None:
        def dropped(_cheat: Cheat, made: Change) -> Change:
            return replace(made, points=made.points[ELEMENT_BYTES:])

        assert_caught(self.play(OTHER, self.gathers(dropped)), FaultCode.MALFORMED, "4 points")
