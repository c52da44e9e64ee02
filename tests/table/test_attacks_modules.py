"""The decks of modules: whoever deals, shows, puts back or looks at another card than the rules say is named for it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import pytest

from p2p_sheriff.rules import Claim, Handle, Pack, Phase, Seat, View
from p2p_sheriff.rules.moves import Discard, FillOrders, KeepMan, LayLaws, LayOut, Move, Reorder
from p2p_sheriff.session.acts import Moves, Payload
from p2p_sheriff.session.passes import (
    DealingOut,
    Disclosing,
    Looking,
    Matching,
    Redealing,
    Returning,
    TurningOver,
    Unveiling,
)
from p2p_sheriff.session.passes.passing import CardPassing
from protocol.deck import Card, Change, lock_cards
from protocol.faults import FaultCode
from protocol.group import Element
from tests.table.bands import (
    MEN,
    Member,
    gathered,
    in_pass,
    of_the_deck,
    stack,
    with_man,
    with_modules,
    with_other,
)
from tests.table.cheats import Cheat, Lie, honest, moves_instead, points_of, with_points
from tests.table.departures import put_out
from tests.table.tables import (
    GROUP,
    MERCHANT,
    OTHER,
    SHERIFF,
    BadHandError,
    Net,
    Script,
    anything,
    assert_caught,
    assert_named,
    assert_nobody_is_blamed,
    of_kind,
    seated,
)
from tests.table.test_attacks_shuffle import forged

LEAVER = Seat(3)
Claims = Callable[[Cheat], tuple[Claim, ...]]
"""What to say of which card."""
ALL_SEATS = pytest.mark.parametrize("seat", [SHERIFF, MERCHANT, OTHER])
BOTH_ENDS = pytest.mark.parametrize("seat", [SHERIFF, OTHER])


def as_found(_cheat: Cheat, passing: CardPassing, made: Change) -> Change:
    """Leaves the cards as they are."""
    return with_points(made, [passing.cards[place].point for place in passing.places(_cheat.seat)])


def claiming(kind: type[LayOut | Discard], claims: Claims) -> Lie:
    """Says something else of the cards that such a move shows, with a proof of it as good as one can be made."""

    def lie(cheat: Cheat, payload: Payload) -> Payload | None:
        match payload.acts[0]:
            case Moves(LayOut() | Discard() as move) if isinstance(move, kind):
                false = claims(cheat)
                others = tuple(claim for claim in move.cards if claim[0] != false[0][0])[: len(move.cards[1:])]
                cards = (*false, *others)
                is_own = all(cheat.play.cards[handle].is_held_by(cheat.seat) for handle, _ in cards)
                proof = cheat.claim(1, cards) if is_own else bytes(32)
                return Payload((Moves(replace(move, cards=cards)),), proof)
            case _:
                return None

    return lie


def in_hand(cheat: Cheat, kind: str) -> Handle:
    """Returns a card of the own hand of that kind."""
    handle = next((one for one in cheat.play.state[cheat.seat].hand if cheat.knows(one) == kind), None)
    if handle is None:
        raise BadHandError(f"no {kind} in the hand")
    return handle


def silk_as_apples(cheat: Cheat) -> tuple[Claim, ...]:
    return ((in_hand(cheat, "silk"), "apples"),)


def silk_as_it_is(cheat: Cheat) -> tuple[Claim, ...]:
    return ((in_hand(cheat, "silk"), "silk"),)


def of_another_hand(cheat: Cheat) -> tuple[Claim, ...]:
    """A card under somebody else's lock, whose key a proof would need."""
    return ((cheat.play.state[MERCHANT].hand[0], "apples"),)


FALSE_CLAIMS = pytest.mark.parametrize(
    ("claims", "code", "reason"),
    [
        (silk_as_apples, FaultCode.FALSE_PROOF, ""),
        (silk_as_it_is, FaultCode.FORBIDDEN, "rule 15.4"),
        (of_another_hand, FaultCode.FORBIDDEN, "is not under the lock of seat"),
    ],
)


# -- special orders


class TestOrders:
    SETUP = with_modules("orders")
    TOP = ("apples+silk", "cheese+pepper", "chicken+silk", "cheese+silk")

    def table(self, lie: Lie, cheat: Seat, members: Mapping[Seat, Script] | None = None) -> Net:
        return gathered(f"orders {cheat}", self.SETUP, cheat, lie, lambda: members or {}, {Pack.ORDERS: self.TOP})

    @BOTH_ENDS
    def test_an_order_turned_over_cannot_be_another_card_of_the_deck(self, seat: Seat) -> None:
        net = self.table(in_pass(TurningOver, "orders", with_other(of_the_deck("orders"))), seat)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(session.play.state.orders == () for session in net.honest)

    def test_the_last_to_strip_cannot_name_the_order_that_comes_up(self) -> None:
        def named(cheat: Cheat, _passing: CardPassing, made: Change) -> Change:
            return with_points(made, [cheat.play.labels.decks["orders"][-1], *points_of(made)[1:]])

        assert_caught(self.table(in_pass(TurningOver, "orders", named), OTHER), FaultCode.FALSE_PROOF)

    @staticmethod
    def filling(order: str, kind: str, *, from_stack: bool = False) -> Lie:
        """Fills an order with a hidden card of the bag, or of the old stack, that is called such a good."""

        def lie(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts[0]:
                case Moves(FillOrders(seat)) if cheat.play.state[seat].stack or not from_stack:
                    zone = cheat.play.state[seat].stack if from_stack else cheat.play.state.bag_of(seat).handles
                    claims: tuple[Claim, ...] = ((zone[0], kind),)
                    return Payload((Moves(FillOrders(seat, (order,), claims)),), cheat.claim(1, claims))
                case _:
                    return None

        return lie

    def test_an_order_cannot_be_filled_with_another_good_than_it_asks_for(self) -> None:
        net = self.table(self.filling("cheese+pepper", "pepper"), MERCHANT, {MERCHANT: Member(bag=cheese_and_silk)})
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(session.play.state[MERCHANT].orders == () for session in net.honest)

    def test_an_order_that_does_not_lie_open_cannot_be_filled(self) -> None:
        net = self.table(self.filling("apples+pepper", "silk"), MERCHANT)
        assert_caught(net, FaultCode.FORBIDDEN, "rule 14.3")

    def test_an_order_cannot_be_filled_from_the_old_stack(self) -> None:
        members = {seat: Member(rounds=2) for seat in self.SETUP.seats}
        net = self.table(self.filling("apples+silk", "silk", from_stack=True), OTHER, members)
        assert all(session.play.state.round == 2 for session in net.honest)
        assert_caught(net, FaultCode.FORBIDDEN, "cards of your bag")


def cheese_and_silk(view: View) -> tuple[Handle, ...]:
    return of_kind(view, "cheese") + of_kind(view, "silk")


# -- laws


class TestLaws:
    SETUP = with_modules("laws")
    TOP = ("toll", "mercy", "duty", "no coin")

    def table(self, lie: Lie, cheat: Seat = SHERIFF) -> Net:
        return gathered(f"laws {cheat}", self.SETUP, cheat, lie, decks={Pack.LAWS: self.TOP})

    def test_a_law_dealt_cannot_be_another_card_of_the_deck(self) -> None:
        for seat in (MERCHANT, OTHER):
            net = self.table(in_pass(DealingOut, "laws", with_other(of_the_deck("laws"), place=2)), seat)
            assert_caught(net, FaultCode.FALSE_PROOF)
            assert all(session.play.state.drawn_laws == () for session in net.honest)

    def test_a_law_that_was_not_drawn_cannot_be_laid(self) -> None:
        def another(cheat: Cheat, move: Move) -> Move:
            assert isinstance(move, LayLaws)
            return replace(move, laid=(cheat.play.state[SHERIFF].hand[0], *move.laid[1:]))

        assert_caught(self.table(moves_instead(LayLaws, another)), FaultCode.FORBIDDEN)

    def test_the_law_that_is_put_back_cannot_be_shown_in_place_of_one_that_is_laid(self) -> None:
        def spare(cheat: Cheat) -> Card:
            return cheat.play.cards[cheat.play.state.drawn_laws[-1]]

        net = self.table(in_pass(Unveiling, "laws", with_other(spare)))
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(session.play.state.laws == () for session in net.honest)

    def test_a_law_that_is_laid_cannot_be_called_another(self) -> None:
        def named(cheat: Cheat, _passing: CardPassing, made: Change) -> Change:
            return with_points(made, [cheat.play.labels.decks["laws"][0], *points_of(made)[1:]])

        assert_caught(self.table(in_pass(Unveiling, "laws", named)), FaultCode.FALSE_PROOF)

    @ALL_SEATS
    def test_a_law_cannot_be_swapped_when_it_is_put_back(self, seat: Seat) -> None:
        net = self.table(in_pass(Returning, "laws", with_other(of_the_deck("laws"))), seat)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(len(session.play.state.drawn_laws) == 1 for session in net.honest)

    def test_a_law_that_was_laid_cannot_be_put_back_in_place_of_the_other(self) -> None:
        def laid(cheat: Cheat) -> Card:
            return Card(cheat.play.decks["laws"].gone[0])

        assert_caught(self.table(in_pass(Returning, "laws", with_other(laid))), FaultCode.FALSE_PROOF)

    @BOTH_ENDS
    def test_a_law_that_is_put_back_as_it_was_found_is_not_locked_freshly(self, seat: Seat) -> None:
        assert_caught(self.table(in_pass(Returning, "laws", as_found), seat), FaultCode.FALSE_PROOF)

    @BOTH_ENDS
    def test_a_law_cannot_be_put_back_under_a_key_that_is_in_use(self, seat: Seat) -> None:
        def in_use(cheat: Cheat, passing: CardPassing, _made: Change) -> Change:
            key = cheat.play.decks["laws"].undrawn[0].key_of(cheat.seat)
            assert key is not None
            keys, context = cheat.secrets.keys, passing._context(cheat.table.turn(), 0)
            return lock_cards(GROUP, context, cheat.seat, passing.cards, keys, cheat.rng, keys[key])

        assert_caught(self.table(in_pass(Returning, "laws", in_use), seat), FaultCode.FORBIDDEN, "a fresh key")

    def test_a_law_cannot_be_put_back_under_the_key_of_who_has_just_locked_it(self) -> None:
        def theirs(_cheat: Cheat, passing: CardPassing, made: Change) -> Change:
            return replace(made, key=bytes(passing.cards[0].locks[1][1]))

        net = self.table(in_pass(Returning, "laws", theirs), OTHER)
        assert_caught(net, FaultCode.FORBIDDEN, "a fresh key")

    def test_nothing_can_be_put_back_in_the_place_of_a_law(self) -> None:
        def nothing(_cheat: Cheat, _passing: CardPassing, made: Change) -> Change:
            return with_points(made, [])

        assert_caught(self.table(in_pass(Returning, "laws", nothing), MERCHANT), FaultCode.MALFORMED, "1 points")

    @FALSE_CLAIMS
    def test_only_a_legal_card_of_the_own_hand_goes_into_the_private_stash(
        self, claims: Claims, code: FaultCode, reason: str
    ) -> None:
        top = ("sheriff's private stash", *self.TOP)
        net = gathered("stash", self.SETUP, SHERIFF, claiming(LayOut, claims), decks={Pack.LAWS: top})
        assert_caught(net, code, reason)
        assert all(session.play.state[SHERIFF].stall == () for session in net.honest)


class TestDeputies:
    SETUP = with_modules("laws", players=6)

    @pytest.mark.parametrize("which", [0, 1], ids=["the first-drawn", "the other"])
    def test_a_deputy_cannot_let_the_other_see_another_card(self, which: int) -> None:
        """Under a lock that only the other one can take off, nobody else would see it."""
        net = self.table(in_pass(Disclosing, "laws", with_other(of_the_deck("laws"))), which)
        assert_named(net, FaultCode.FALSE_PROOF)  # Those who go on draw other laws, which no script knows.
        for session in net.honest:
            assert session.play.state.drawn_laws == ()
            assert session.play.copies == {}

    def test_a_deputy_cannot_let_the_other_see_the_cards_in_another_order(self) -> None:
        def swapped(_cheat: Cheat, _passing: CardPassing, made: Change) -> Change:
            one, two, *rest = points_of(made)
            return with_points(made, [two, one, *rest])

        assert_named(self.table(in_pass(Disclosing, "laws", swapped), 0), FaultCode.FALSE_PROOF)

    def table(self, lie: Lie, which: int) -> Net:
        return gathered("deputies", self.SETUP, self.deputies()[which], lie)

    @classmethod
    @cache
    def deputies(cls) -> tuple[Seat, ...]:
        net = gathered("deputies", cls.SETUP, SHERIFF, honest, until=lambda play: bool(play.state.officers))
        return net.sessions[0].play.state.officers


# -- merry men

DISCARDERS = pytest.mark.parametrize("man", ["David of Doncaster", "Much the miller's son", "Will Stutely"])


class TestMerryMen:
    SETUP = with_modules("merry-men")

    def table(self, lie: Lie, cheat: Seat, man: str = "Will Scarlet") -> Net:
        """One merchant smuggles silk; the other one has a merry man in the bag."""

        def members() -> Mapping[Seat, Script]:
            return {OTHER: Member(bag=with_man, keeps=man)}

        return gathered(f"{man} {cheat}", self.SETUP, cheat, lie, members, {Pack.MERRY_MEN: MEN})

    @pytest.mark.parametrize("man", ["Will Scarlet", "Gandelyn"])
    def test_who_does_not_cheat_is_not_blamed(self, man: str) -> None:
        net = self.table(honest, MERCHANT, man)
        assert_nobody_is_blamed(net)
        assert net.sessions[0].play.state.round == 2
        assert len(net.sessions[0].play.looks) == (man == "Will Scarlet")

    def test_somebody_elses_merry_man_cannot_be_kept(self) -> None:
        def theirs(cheat: Cheat, move: Move) -> Move:
            return KeepMan(move.seat, cheat.play.state[OTHER].men[0])

        assert_caught(self.table(moves_instead(KeepMan, theirs), MERCHANT), FaultCode.FORBIDDEN)

    @BOTH_ENDS
    def test_the_merry_man_who_stays_cannot_be_put_back_in_place_of_the_other(self, seat: Seat) -> None:
        def kept(cheat: Cheat) -> Card:
            return cheat.play.cards[cheat.play.state[SHERIFF].men[0]]

        net = self.table(in_pass(Returning, "merry men", with_other(kept)), seat)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(len(session.play.state[SHERIFF].men) == 2 for session in net.honest)

    def test_the_merry_man_in_a_bag_cannot_be_called_another(self) -> None:
        def named(cheat: Cheat, _passing: CardPassing, made: Change) -> Change:
            return with_points(made, [cheat.play.labels.decks["merry men"][0]])

        net = self.table(in_pass(Unveiling, "merry men", named), OTHER)
        assert_caught(net, FaultCode.FALSE_PROOF)

    @BOTH_ENDS
    def test_a_merry_man_who_was_shown_cannot_be_swapped_when_he_is_put_back(self, seat: Seat) -> None:
        def lie(cheat: Cheat, payload: Payload) -> Payload | None:
            if cheat.play.state.phase is not Phase.INSPECT:
                return None
            return in_pass(Returning, "merry men", with_other(lambda cheat: Card(self.other_label(cheat))))(
                cheat, payload
            )

        assert_caught(self.table(lie, seat), FaultCode.FALSE_PROOF)

    @staticmethod
    def other_label(cheat: Cheat) -> Element:
        (shown,) = (card.point for card in cheat.play.cards.values() if not card.locks)
        return next(point for point in cheat.play.labels.decks["merry men"] if point != shown)

    def test_a_look_cannot_show_another_card(self) -> None:
        def other(cheat: Cheat, _passing: CardPassing, made: Change) -> Change:
            return with_points(made, [cheat.play.cards[cheat.play.state[MERCHANT].hand[0]].point])

        net = self.table(in_pass(Looking, "goods", other), MERCHANT)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(session.play.looks == () for session in net.honest)
        assert net.sessions[OTHER].view().knowledge.looked == ()

    def test_nobody_looks_at_another_card_than_the_one_that_was_named(self) -> None:
        def of_the_hand(cheat: Cheat) -> Card:
            return cheat.play.cards[cheat.play.state[MERCHANT].hand[0]]

        net = self.table(in_pass(Looking, "goods", with_other(of_the_hand)), OTHER)
        assert_caught(net, FaultCode.FALSE_PROOF)

    @BOTH_ENDS
    def test_another_card_cannot_go_back_onto_the_deck(self, seat: Seat) -> None:
        net = self.table(in_pass(Returning, "goods", with_other(of_the_deck("goods"), place=1)), seat, "Gandelyn")
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(len(session.play.state[OTHER].peeked) == 3 for session in net.honest)

    def test_the_cards_go_back_in_the_order_that_was_named_and_in_no_other(self) -> None:
        def exchanged(_cheat: Cheat, _passing: CardPassing, made: Change) -> Change:
            return with_points(made, points_of(made)[::-1])

        net = self.table(in_pass(Returning, "goods", exchanged), OTHER, "Gandelyn")
        assert_caught(net, FaultCode.FALSE_PROOF)

    def test_a_card_of_the_hand_cannot_go_back_onto_the_deck(self) -> None:
        def of_the_hand(cheat: Cheat, move: Move) -> Move:
            assert isinstance(move, Reorder)
            return replace(move, handles=(cheat.play.state[OTHER].hand[0], *move.handles[1:]))

        net = self.table(moves_instead(Reorder, of_the_hand), OTHER, "Gandelyn")
        assert_caught(net, FaultCode.FORBIDDEN)

    @FALSE_CLAIMS
    def test_only_a_legal_card_of_the_own_hand_goes_onto_the_stall_by_friar_tuck(
        self, claims: Claims, code: FaultCode, reason: str
    ) -> None:
        assert_caught(self.with_discards(claiming(LayOut, claims), "Friar Tuck"), code, reason)

    @DISCARDERS
    def test_a_card_that_is_laid_down_cannot_be_called_another_good(self, man: str) -> None:
        assert_caught(self.with_discards(claiming(Discard, silk_as_apples), man), FaultCode.FALSE_PROOF)

    @DISCARDERS
    def test_a_card_of_another_hand_cannot_be_laid_down(self, man: str) -> None:
        net = self.with_discards(claiming(Discard, of_another_hand), man)
        assert_caught(net, FaultCode.FORBIDDEN, "is not under the lock of seat")

    @DISCARDERS
    def test_the_same_card_cannot_be_laid_down_twice_nor_none_in_place_of_one(self, man: str) -> None:
        for change in (lambda cards: (*cards[:1], *cards[:-1], *cards[:1]), lambda cards: cards[1:]):

            def other(_cheat: Cheat, move: Move, change: Callable[..., tuple[Claim, ...]] = change) -> Move:
                assert isinstance(move, Discard)
                return replace(move, cards=change(move.cards))

            assert_caught(self.with_discards(moves_instead(Discard, other), man), FaultCode.FORBIDDEN)

    def test_david_takes_nothing_that_does_not_lie_on_a_pile(self) -> None:
        def of_the_hand(cheat: Cheat, move: Move) -> Move:
            assert isinstance(move, Discard)
            return replace(move, taken=(cheat.play.state[MERCHANT].hand[0], *move.taken[1:]))

        net = self.with_discards(moves_instead(Discard, of_the_hand), "David of Doncaster")
        assert_caught(net, FaultCode.FORBIDDEN)

    def with_discards(self, lie: Lie, man: str) -> Net:
        """A merchant sets two cards aside; the other one, who cheats, has this merry man in the bag."""

        def members() -> Mapping[Seat, Script]:
            return {MERCHANT: Member(aside=2), OTHER: Member(bag=with_man, keeps=man)}

        return gathered(man, self.SETUP, OTHER, lie, members, {Pack.MERRY_MEN: (*MEN[:4], man, MEN[5])})


# -- dealing around a gap


class TestGap:
    SETUP = with_modules("laws", "merry-men", players=4)

    def around(self, lie: Lie, seat: Seat = MERCHANT) -> Net:
        """When laws lie there and everybody has a merry man, somebody leaves."""
        scripts = {one: Member(bag=anything) for one in self.SETUP.seats}
        net = seated(f"gap {seat}", seat, lie, scripts=scripts, setup=self.SETUP, hasty=False)
        stack(net.sessions, Pack.LAWS, *TestLaws.TOP)
        net.run(until=lambda play: play.state.phase is Phase.LOAD)
        while net._deliver():
            pass
        put_out(net.sessions, LEAVER)
        net.run()
        return net

    def test_the_decks_are_dealt_around_a_gap_and_nobody_is_blamed(self) -> None:
        net = self.around(honest)
        assert_nobody_is_blamed(net)
        state = net.honest[0].play.state
        assert (state.round, state.left_in(Pack.MERRY_MEN)) == (2, 18 - len(state.seats))

    @BOTH_ENDS
    def test_a_card_cannot_be_smuggled_into_the_new_deck(self, seat: Seat) -> None:
        def laid_again(cheat: Cheat, found: list[Element], k: int) -> list[Element]:
            return [GROUP.mul(k, point) for point in (cheat.play.decks["laws"].gone[0], *found[1:])]

        net = self.around(forged(laid_again, 1, "laws"), seat)  # type: ignore[arg-type] # A list is a sequence.
        assert_named(net, FaultCode.FALSE_PROOF, "shuffle equations")
        assert all(isinstance(session.play.passing, Redealing) for session in net.honest)
        assert all(session.play.decks["laws"].undrawn == () for session in net.honest)

    def test_a_merry_man_who_lies_in_front_of_somebody_cannot_stay_in_the_new_deck(self) -> None:
        def another(_cheat: Cheat, passing: CardPassing, made: Change) -> Change:
            assert isinstance(passing, Matching)
            points = points_of(made)
            free: list[Element] = [card.point for card in passing.locked if card.point not in points]
            return with_points(made, [free[0], *points[1:]])

        net = self.around(in_pass(Matching, "merry men", another), OTHER)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(session.play.decks["merry men"].undrawn == () for session in net.honest)
