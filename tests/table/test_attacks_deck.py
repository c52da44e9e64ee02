"""Nobody can stack, shorten or double a deck, strip a wrong card, bias a coin, or slip a card into a zone."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_sheriff.rules import Phase, Setup
from p2p_sheriff.session.acts import Act, Commits, Locks, Payload, Rearranges, Reveals, Shuffles, Strips
from p2p_sheriff.session.labels import GOODS, labels_of
from p2p_sheriff.session.passes import Collecting, Dealing, Mixing, Tossing
from protocol.cipher import Lock
from protocol.deck import Card, Change, shuffle_cards
from protocol.faults import FaultCode
from protocol.group import ELEMENT_BYTES, GENERATOR, IDENTITY, Element
from protocol.proofs import dleq
from protocol.proofs.shuffle import Shuffle, prepare
from tests.protocol import shuffle_liar
from tests.table.cheats import Cheat, Lie, lies, points_of, with_points
from tests.table.tables import GROUP, MERCHANT, OTHER, SHERIFF, SHORT, Net, Script, assert_caught, assert_named, played

LAST = OTHER
"""Who shuffles last."""


def shuffled(change: Callable[[Cheat, Change], Change], generation: int = 0) -> Lie:
    """Changes the own shuffle of that making of the deck."""

    def lie(cheat: Cheat, payload: Payload) -> Payload | None:
        match payload.acts[0]:
            case Shuffles(made) if cheat.play.goods.generation == generation:
                return Payload((Shuffles(change(cheat, made)),))
            case _:
                return None

    return lie


def list_on_the_table(cheat: Cheat) -> tuple[Card, ...]:
    assert isinstance(cheat.play.passing, Mixing)
    return cheat.play.passing.cards


def assert_no_card_was_dealt(net: Net) -> None:
    for session in net.honest:
        assert session.play.state.phase is Phase.SETUP
        assert session.play.cards == {}


class TestShuffles:
    @staticmethod
    def stacked(cheat: Cheat, _made: Change) -> Change:
        """A sound shuffle, with a sound proof, of another list: the deck in the order of its labels."""
        cards = tuple(map(Card, labels_of(GROUP, cheat.play.state.setup).points))
        order = prepare(GROUP, len(cards), cheat.rng, range(len(cards)))
        context = cheat.table.turn().context(GOODS, 0, "shuffle", 0)
        return shuffle_cards(GROUP, context, cheat.seat, cards, cheat.secrets.keys, order)

    def test_a_stacked_deck_is_refused(self) -> None:
        net = played("stacked deck", LAST, shuffled(self.stacked))
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert_no_card_was_dealt(net)

    @staticmethod
    def doubled(cheat: Cheat, _made: Change) -> Change:
        """A card twice, another one not at all, with the best proof that the cheat can make."""
        inputs = tuple(card.point for card in list_on_the_table(cheat))
        lock = Lock.generate(GROUP, cheat.rng)
        outputs = lock.close(GROUP, inputs)
        outputs[1] = outputs[0]
        statement = Shuffle(GENERATOR, lock.public, inputs, tuple(outputs))
        context = cheat.table.turn().context(GOODS, cheat.play.goods.generation, "shuffle", 0)
        order = range(len(inputs))
        proof = shuffle_liar.lie(GROUP, context, statement, lock.k, order, cheat.rng)
        return Change(bytes(lock.public), b"".join(outputs), proof.to_bytes())

    @pytest.mark.parametrize("seat", [SHERIFF, LAST])
    def test_a_deck_with_a_card_twice_is_refused(self, seat: int) -> None:
        net = played("doubled card", SHERIFF if seat == 0 else LAST, shuffled(self.doubled))
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert_no_card_was_dealt(net)

    @staticmethod
    def foreign(cheat: Cheat, _made: Change) -> Change:
        """One card that is none of this deck, so that a hand would come up short."""
        inputs = tuple(card.point for card in list_on_the_table(cheat))
        lock = Lock.generate(GROUP, cheat.rng)
        outputs = tuple(lock.close(GROUP, [GROUP.mul_base(7), *inputs[1:]]))
        statement = Shuffle(GENERATOR, lock.public, inputs, outputs)
        context = cheat.table.turn().context(GOODS, cheat.play.goods.generation, "shuffle", 0)
        proof = shuffle_liar.lie(GROUP, context, statement, lock.k, range(len(inputs)), cheat.rng)
        return Change(bytes(lock.public), b"".join(outputs), proof.to_bytes())

    def test_a_deck_with_a_card_of_the_cheats_own_making_is_refused(self) -> None:
        assert_caught(played("foreign card", MERCHANT, shuffled(self.foreign)), FaultCode.FALSE_PROOF)

    def test_a_short_deck_is_refused(self) -> None:
        def short(_cheat: Cheat, made: Change) -> Change:
            return with_points(made, points_of(made)[:-1])

        net = played("short deck", MERCHANT, shuffled(short))
        assert_caught(net, FaultCode.MALFORMED, "20 points")
        assert_no_card_was_dealt(net)

    def test_a_deck_with_the_identity_in_it_is_refused(self) -> None:
        """Under every lock the identity is the identity: who sees it drawn knows it."""

        def nothing(_cheat: Cheat, made: Change) -> Change:
            return with_points(made, [IDENTITY, *points_of(made)[1:]])

        assert_caught(played("identity", MERCHANT, shuffled(nothing)), FaultCode.MALFORMED)

    def test_two_cards_exchanged_after_the_proof_are_refused(self) -> None:
        def exchanged(_cheat: Cheat, made: Change) -> Change:
            first, second, *rest = points_of(made)
            return with_points(made, [second, first, *rest])

        assert_caught(played("exchanged", LAST, shuffled(exchanged)), FaultCode.FALSE_PROOF)


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
        net = played("wrong strip", cheat, self.with_stripped(off_by_one))
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(session.play.cards == {} for session in net.honest)

    def test_two_wrong_strips_that_cancel_are_refused(self) -> None:
        def cancelling(points: list[Element]) -> list[Element]:
            return [GROUP.add(points[0], GENERATOR), GROUP.sub(points[1], GENERATOR), *points[2:]]

        assert_caught(played("cancel", MERCHANT, self.with_stripped(cancelling)), FaultCode.FALSE_PROOF)

    def test_two_cards_that_exchange_their_receivers_are_refused(self) -> None:
        def exchanged(points: list[Element]) -> list[Element]:
            return [points[-1], *points[1:-1], points[0]]

        assert_caught(played("exchange", MERCHANT, self.with_stripped(exchanged)), FaultCode.FALSE_PROOF)

    def test_a_strip_of_fewer_cards_than_asked_for_is_refused(self) -> None:
        def fewer(_cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Strips)
            return Strips(with_points(act.change, points_of(act.change)[1:]))

        assert_caught(played("fewer strips", MERCHANT, lies(Strips, fewer)), FaultCode.MALFORMED, "12 points")

    def test_a_fresh_lock_in_place_of_a_strip_is_refused(self) -> None:
        def locked(_cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Strips)
            return Locks(act.change)

        assert_caught(played("lock, not strip", MERCHANT, lies(Strips, locked)), FaultCode.FORBIDDEN)


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
        assert_caught(net, FaultCode.MALFORMED, "32 bytes")


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

        net = played("old point", MERCHANT, lies(Rearranges, old))
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

        assert_named(played("stolen hand", MERCHANT, lies(Rearranges, stolen)), FaultCode.FALSE_PROOF)

    @staticmethod
    def test_a_second_rearrangement_in_the_same_entry_is_refused() -> None:
        """Two keys where one is due would leave everybody unsure which handles are which."""

        def gathered(_cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Rearranges)
            return Rearranges(replace(act.rearrangement, gather=act.rearrangement.change))

        net = played("gathered for nothing", MERCHANT, lies(Rearranges, gathered))
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

    def test_a_reshuffled_deck_with_a_card_twice_is_refused(self) -> None:
        assert_caught(self.play(MERCHANT, shuffled(self.doubled, generation=1)), FaultCode.FALSE_PROOF)

    @staticmethod
    def doubled(_cheat: Cheat, made: Change) -> Change:
        """The own lock was put on while gathering, so this shuffle replaces it."""
        first, _, *rest = points_of(made)
        return with_points(made, [first, first, *rest])

    def test_the_shuffle_of_the_first_deck_shown_again_is_refused(self) -> None:
        def replayed(cheat: Cheat, _made: Change) -> Change:
            (act,) = Payload.from_value(cheat.table.transcript.chains[cheat.seat][0].entry.payload).acts
            assert isinstance(act, Shuffles)
            return act.change

        assert_caught(self.play(MERCHANT, shuffled(replayed, generation=1)), FaultCode.MALFORMED)
