"""A closed bag stays as it is, holds what its owner had, and is shown for what it is."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from p2p_sheriff.rules import Claim, Handle, Kind, Phase, Seat, Setup, View
from p2p_sheriff.rules.demands import Open
from p2p_sheriff.rules.moves import (
    Accept,
    Declare,
    Inspect,
    Load,
    Move,
    Offer,
    PayInKind,
    SetAside,
    Things,
    Trade,
    Verb,
)
from p2p_sheriff.rules.moves import Act as Bargain
from p2p_sheriff.session.acts import Act, Moves, Opens, Payload, Proves, Shows
from p2p_sheriff.session.labels import labels_of
from protocol.commitment import commit
from protocol.faults import FaultCode
from protocol.zones import Statement
from tests.table.cheats import Cheat, Lie, moves_instead
from tests.table.tables import (
    GROUP,
    MERCHANT,
    OTHER,
    SHERIFF,
    Net,
    Script,
    among_four,
    assert_caught,
    assert_named,
    assert_nobody_is_blamed,
    of_kind,
    played,
    smuggled,
)


def inspected(view: View) -> Move | None:
    """The sheriff looks into every bag."""
    return Inspect(view.seat, view.state.closed_bags[0])


def strict() -> Mapping[Seat, Script]:
    return {SHERIFF: Script(acts=inspected)}


def opening(cheat: Cheat, payload: Payload) -> tuple[Opens, Shows] | None:
    """Returns how the honest entry opens the bag, if it does."""
    match payload.acts:
        case (Opens() as opens, Shows() as shows, *_) if cheat.seat == MERCHANT:
            return opens, shows
        case _:
            return None


def assert_the_bag_stays_closed(net: Net, seat: Seat = MERCHANT) -> None:
    for session in net.honest:
        player = session.play.state[seat]
        assert player.bag is not None
        assert player.bag.handles == ()
        assert player.bag.shown == ()
        assert player.stall == ()
        assert player.stack == ()


class TestOpening:
    @pytest.mark.parametrize("scripts", [dict, strict], ids=["passes", "is inspected"])
    def test_a_bag_swapped_after_loading_is_refused(self, scripts: Callable[[], Mapping[Seat, Script]]) -> None:
        """The silk is taken out, a legal card of the hand put in: all that is shown is true, but the hash is not."""

        def swapped(cheat: Cheat, payload: Payload) -> Payload | None:
            if (found := opening(cheat, payload)) is None:
                return None
            opens, _ = found
            hand = cheat.play.state[MERCHANT].hand
            legal = [handle for handle in hand if cheat.knows(handle) in ("apples", "cheese")][:2]
            shows = Shows(tuple((handle, cheat.knows(handle)) for handle in legal))
            return Payload((Opens(tuple(legal), opens.salt), shows), cheat.claim(2, shows.cards))

        net = among_four("swapped bag", MERCHANT, swapped, scripts=scripts)
        assert_caught(net, FaultCode.FALSE_PROOF, "commitment")
        assert_the_bag_stays_closed(net)

    def test_cards_that_are_named_in_another_order_than_the_ascending_one_are_refused(self) -> None:
        """The commitment is to that order too, and opens: it would be a second encoding of the same bag."""

        def unsorted(cheat: Cheat, move: Move) -> Move:
            assert isinstance(move, Load)
            assert cheat.secrets.bag is not None
            bag = cheat.secrets.bag = replace(cheat.secrets.bag, handles=cheat.secrets.bag.handles[::-1])
            return Load(move.seat, commit(cheat.play.bag_context(cheat.seat), bag.handles, bag.salt))

        net = among_four("unsorted", MERCHANT, moves_instead(Load, unsorted))
        assert_named(net, FaultCode.MALFORMED, "ascending order")
        assert_the_bag_stays_closed(net)

    @pytest.mark.parametrize("size", [0, 31, 33])
    def test_a_commitment_of_another_length_is_refused_where_it_enters(self, size: int) -> None:
        net = among_four("length", MERCHANT, moves_instead(Load, lambda cheat, _move: Load(cheat.seat, bytes(size))))
        assert_caught(net, FaultCode.MALFORMED, "32 bytes")

    @pytest.mark.parametrize("more", [1, -1])
    def test_another_number_than_declared_is_refused_when_the_bag_opens(self, more: int) -> None:
        def miscounted(_cheat: Cheat, move: Move) -> Move:
            assert isinstance(move, Declare)
            return Declare(move.seat, move.count + more, move.kind)

        net = among_four("wrong number", MERCHANT, moves_instead(Declare, miscounted))
        assert_caught(net, FaultCode.FORBIDDEN, "number of cards that was declared")
        assert_the_bag_stays_closed(net)

    @staticmethod
    def loaded_with(choose: Callable[[Cheat], tuple[Handle, ...]]) -> Lie:
        """Closes the bag over cards of the cheat's choice, and opens it truly."""

        def lie(cheat: Cheat, payload: Payload) -> Payload | None:
            handles, salt = choose(cheat), bytes(32)
            match payload.acts[0]:
                case Moves(Load()):
                    commitment = commit(cheat.play.bag_context(cheat.seat), handles, salt)
                    return Payload((Moves(Load(cheat.seat, commitment)),))
                case Opens():
                    return Payload((Opens(handles, salt), *payload.acts[1:]), payload.proof)
                case _:
                    return None

        return lie

    def test_cards_of_somebody_else_in_the_bag_are_refused(self) -> None:
        net = among_four("foreign cards", MERCHANT, self.loaded_with(of_the_sheriff))
        assert_caught(net, FaultCode.FORBIDDEN, "not in the hand")
        assert_the_bag_stays_closed(net)

    def test_a_card_twice_in_the_bag_is_refused(self) -> None:
        net = among_four("card twice", MERCHANT, self.loaded_with(one_twice))
        assert_caught(net, FaultCode.MALFORMED, "each once")
        assert_the_bag_stays_closed(net)

    def test_a_bag_that_is_never_opened_makes_all_wait_and_name_the_seat(self) -> None:
        def is_to_open(cheat: Cheat) -> bool:
            play = cheat.play
            asked = play.passing is None and bool(play.state.todo) and play.expected() == (MERCHANT,)
            return asked and isinstance(play.demand_to(MERCHANT), Open)

        net = among_four("never opened", MERCHANT, waits=is_to_open)
        assert_nobody_is_blamed(net)
        assert_the_bag_stays_closed(net)
        for session in net.honest:
            assert session.play.expected() == (MERCHANT,)
            assert session.play.demand_to(MERCHANT) == Open(MERCHANT)

    def test_the_commitment_of_another_merchant_cannot_be_opened_as_the_own(self) -> None:
        """The other bag is opened before, so that the cheat knows its cards and its salt."""

        def copied(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts[0]:
                case Moves(Load()):
                    return Payload((Moves(Load(cheat.seat, cheat.play.state.bag_of(MERCHANT).commitment)),))
                case Opens():
                    return Payload((opened_by(cheat, MERCHANT), *payload.acts[1:]), payload.proof)
                case _:
                    return None

        net = among_four("copied commitment", OTHER, copied, scripts=strict)
        assert_caught(net, FaultCode.FALSE_PROOF, "commitment")
        assert_the_bag_stays_closed(net, OTHER)

    def test_the_bag_of_an_earlier_round_shown_again_is_refused(self) -> None:
        """Everything is true to the old commitment, but it belongs to another round."""

        def again(cheat: Cheat, payload: Payload) -> Payload | None:
            if cheat.play.state.round == 1:
                return None
            match payload.acts[0]:
                case Moves(Load()):
                    return Payload((Moves(Load(cheat.seat, load_of(cheat))),))
                case Opens():
                    return Payload((opened_by(cheat, OTHER), *payload.acts[1:]), payload.proof)
                case _:
                    return None

        net = played(
            "old bag", OTHER, again, scripts=lambda: dict.fromkeys((SHERIFF, MERCHANT, OTHER), Script(rounds=2))
        )
        assert net.cheat.play.state.round == 2
        assert_caught(net, FaultCode.FALSE_PROOF, "commitment")


def of_the_sheriff(cheat: Cheat) -> tuple[Handle, ...]:
    return cheat.play.state[SHERIFF].hand[:2]


def one_twice(cheat: Cheat) -> tuple[Handle, ...]:
    return cheat.play.state[cheat.seat].hand[:1] * 2


def load_of(cheat: Cheat) -> bytes:
    """Returns the first commitment to a bag that the cheat has written."""
    moves = (act.move for payload in cheat.written_by(cheat.seat) for act in payload.acts if isinstance(act, Moves))
    return next(move.commitment for move in moves if isinstance(move, Load))


def opened_by(cheat: Cheat, seat: Seat) -> Opens:
    """Returns how that seat has opened a bag."""
    return next(act for payload in cheat.written_by(seat) for act in payload.acts if isinstance(act, Opens))


class TestKinds:
    """What is said of the cards in a bag that opens."""

    @staticmethod
    def proved(cheat: Cheat, opens: Opens, shown: tuple[Claim, ...], hidden: tuple[Kind, ...]) -> Payload:
        """Shows some cards of the bag as something, and says of the rest that it is one of these kinds."""
        labels = labels_of(GROUP, cheat.play.state.setup)
        rest = [handle for handle in opens.handles if handle not in dict(shown)]
        acts: tuple[Act, ...] = (opens, Shows(shown), *([Proves()] if rest else []))
        statements = [Statement(cheat.play.cards[handle], labels.among((kind,))) for handle, kind in shown]
        statements += [Statement(cheat.play.cards[handle], labels.among(hidden)) for handle in rest]
        return Payload(acts, cheat.prove(len(acts), statements))

    def test_legal_goods_hidden_as_contraband_are_refused(self) -> None:
        """Face down they would stay secret, and could not be taken for a fine before they are needed."""

        def hidden(cheat: Cheat, payload: Payload) -> Payload | None:
            if (found := opening(cheat, payload)) is None:
                return None
            return self.proved(cheat, found[0], (), cheat.play.state.setup.contraband)

        net = among_four("hidden apples", MERCHANT, hidden)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert_the_bag_stays_closed(net)

    def test_contraband_shown_as_legal_is_refused(self) -> None:
        def washed(cheat: Cheat, payload: Payload) -> Payload | None:
            if (found := opening(cheat, payload)) is None:
                return None
            return self.proved(cheat, found[0], tuple((handle, "apples") for handle in found[0].handles), ())

        for scripts in (dict, strict):
            net = among_four("washed silk", MERCHANT, washed, scripts=scripts)
            assert_caught(net, FaultCode.FALSE_PROOF)
            assert_the_bag_stays_closed(net)

    def test_a_card_of_an_inspected_bag_that_is_not_shown_is_missed(self) -> None:
        def kept(cheat: Cheat, payload: Payload) -> Payload | None:
            if (found := opening(cheat, payload)) is None:
                return None
            shows = Shows(found[1].cards[:1])
            return Payload((found[0], shows), cheat.claim(2, shows.cards))

        net = among_four("kept back", MERCHANT, kept, scripts=strict)
        assert_caught(net, FaultCode.FORBIDDEN, "rule 7.11")
        assert_the_bag_stays_closed(net)

    def test_a_bag_that_is_opened_without_any_proof_is_refused(self) -> None:
        def unproved(cheat: Cheat, payload: Payload) -> Payload | None:
            return Payload(payload.acts) if opening(cheat, payload) else None

        net = among_four("no proof", MERCHANT, unproved)
        assert_caught(net, FaultCode.MALFORMED)
        assert_the_bag_stays_closed(net)

    def test_a_card_of_the_hand_shown_in_place_of_one_in_the_bag_is_refused(self) -> None:
        def other_card(cheat: Cheat, payload: Payload) -> Payload | None:
            if (found := opening(cheat, payload)) is None:
                return None
            hand = cheat.play.state[MERCHANT].hand
            kept = next(handle for handle in hand if handle not in found[0].handles)
            shows = Shows(((kept, cheat.knows(kept)), found[1].cards[0]))
            return Payload((found[0], shows), cheat.claim(2, shows.cards))

        net = among_four("card of the hand", MERCHANT, other_card, scripts=strict)
        assert_caught(net, FaultCode.FORBIDDEN, "of those that are asked for")

    def test_a_card_of_somebody_else_shown_as_the_own_is_refused(self) -> None:
        def stolen(cheat: Cheat, payload: Payload) -> Payload | None:
            if (found := opening(cheat, payload)) is None:
                return None
            stranger = cheat.play.state[SHERIFF].hand[0]
            return Payload((found[0], Shows(((stranger, "apples"),))), payload.proof)

        net = among_four("stolen card", MERCHANT, stolen)
        assert_caught(net, FaultCode.FORBIDDEN, "not under the lock of seat 1 alone")

    def test_a_proof_that_is_valid_for_somebody_else_is_refused(self) -> None:
        """Both merchants load alike, and the cheat shows the proof of the one whose bag was opened before."""

        def borrowed(cheat: Cheat, payload: Payload) -> Payload | None:
            if cheat.seat != OTHER or not isinstance(payload.acts[0], Opens):
                return None
            return Payload(payload.acts, next(one.proof for one in cheat.written_by(MERCHANT) if one.proof))

        def scripts() -> Mapping[Seat, Script]:
            return dict.fromkeys((MERCHANT, OTHER), Script(bag=smuggled))

        net = among_four("borrowed proof", OTHER, borrowed, scripts=scripts)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert_the_bag_stays_closed(net, OTHER)


class TestOtherCards:
    def test_cards_of_another_hand_set_aside_are_refused(self) -> None:
        def stolen(cheat: Cheat, move: Move) -> Move:
            return SetAside(move.seat, cheat.play.state[OTHER].hand[:2])

        net = among_four("stolen aside", MERCHANT, moves_instead(SetAside, stolen))
        assert_caught(net, FaultCode.FORBIDDEN, "own hand")

    def test_silk_set_aside_as_apples_is_refused(self) -> None:
        """A market turn shows what is set aside in the same entry."""

        def washed(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts:
                case (Moves(SetAside()), Shows(cards)):
                    false: tuple[Claim, ...] = tuple(
                        (handle, "silk" if kind == "apples" else "apples") for handle, kind in cards
                    )
                    return Payload((payload.acts[0], Shows(false)), cheat.claim(2, false))
                case _:
                    return None

        net = among_four("washed aside", MERCHANT, washed, scripts=lambda: {MERCHANT: Script(aside=1)})
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(session.play.state.phase is Phase.MARKET for session in net.honest)

    def test_three_cards_that_are_not_equal_buy_nothing_at_the_black_market(self) -> None:
        def three(view: View) -> tuple[Handle, ...]:
            return of_kind(view, "silk", 2) + of_kind(view, "pepper")

        def forged(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts[0]:
                case Moves(Trade()):
                    claims: tuple[Claim, ...] = tuple((handle, "silk") for handle in cheat.play.state[MERCHANT].stack)
                    return Payload((Moves(Trade(MERCHANT, claims)),), cheat.claim(1, claims))
                case _:
                    return None

        short = (("apples", 1), ("pepper", 8), ("mead", 1), ("silk", 9))
        setup = Setup(3, short=short, candidates=(SHERIFF,), options=frozenset({"black-market"}))
        net = played("false trade", MERCHANT, forged, setup=setup, scripts=lambda: {MERCHANT: Script(bag=three)})
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(session.play.state[MERCHANT].prizes == () for session in net.honest)

    def test_a_fine_is_not_paid_with_pepper_called_silk(self) -> None:
        """In the second round the cheat has spent all gold on another bag, and owes for the own one."""

        def only_pepper(view: View) -> tuple[Handle, ...]:
            return of_kind(view, "pepper")

        def spend_all(view: View) -> Move | None:
            if view.state.round == 1:
                return None
            (sheriff,) = view.state.officers
            return Offer.bribe(OTHER, 0, OTHER, (sheriff,), (Bargain(SHERIFF, Verb.PASS),), Things(gold=view.me.gold))

        def first_deal_then_look(view: View) -> Move | None:
            return Accept(view.seat, OTHER, 0) if view.state.offers else Inspect(view.seat, view.state.closed_bags[0])

        def called_silk(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts[0]:
                case Moves(PayInKind(cards=cards) as paid):
                    assert cards
                    false: tuple[Claim, ...] = tuple((handle, "silk") for handle, _ in cards)
                    return Payload((Moves(replace(paid, cards=false)),), cheat.claim(1, false))
                case _:
                    return None

        def scripts() -> Mapping[Seat, Script]:
            return {
                SHERIFF: Script(rounds=2),
                MERCHANT: Script(rounds=2, acts=first_deal_then_look),
                OTHER: Script(rounds=2, bag=only_pepper, says=[spend_all]),
            }

        short = (("apples", 8), ("pepper", 14), ("silk", 6))
        setup = Setup(3, short=short, candidates=(SHERIFF,))
        net = played("false debt", OTHER, called_silk, setup=setup, scripts=scripts)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(len(session.play.state[OTHER].stack) == 1 for session in net.honest)
