"""Lists go around without their proofs: a false one is found before a card is dealt, and its author alone is named."""

from collections.abc import Callable, Sequence

import pytest

from p2p_sheriff.rules import Phase, Seat, Setup
from p2p_sheriff.session.acts import Act, Attests, Locks, Moves, Payload, Rearranges, Shuffles, Strips
from p2p_sheriff.session.labels import GOODS, labels_of
from p2p_sheriff.session.passes import Collecting, Mixing, Remixing
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.resume import resume
from p2p_sheriff.session.session import Session
from protocol.deck import Card, Change
from protocol.errors import DefectError
from protocol.faults import FaultCode
from protocol.group import GENERATOR, IDENTITY, Element
from protocol.hashing import ORDER
from protocol.proofs.shuffle import Shuffle
from protocol.table import Table
from tests.drbg import Drbg
from tests.protocol import shuffle_liar
from tests.table.cheats import Cheat, Lie, lies, points_of, with_points
from tests.table.tables import (
    GROUP,
    MERCHANT,
    OTHER,
    SHERIFF,
    SHORT,
    Net,
    Script,
    assert_caught,
    assert_named,
    assert_nobody_is_blamed,
    played,
    seated,
)

LAST = OTHER
"""Who shuffles last."""
EVERYWHERE = pytest.mark.parametrize("seat", [SHERIFF, MERCHANT, LAST], ids=["first", "middle", "last"])

Forge = Callable[[Cheat, Sequence[Element], int], list[Element]]
"""The points to lay, from those that were found and the own secret key."""


def mixing(session: Session) -> Mixing:
    passing = session.play.passing
    assert isinstance(passing, Mixing)
    return passing


def forged(forge: Forge, generation: int = 0, deck: str = GOODS) -> Lie:
    """Lays another list than the honest one, and gives the best proof of it that anybody could make."""

    def lie(cheat: Cheat, payload: Payload) -> Payload | None:
        passing = cheat.play.passing
        if not isinstance(passing, Mixing) or (passing.deck.name, passing.deck.generation) != (deck, generation):
            return None
        match payload.acts[0]:
            case Shuffles(made):
                found, new = passing.cards, cheat.secrets.keys[GROUP.decode(made.key)]
                points = forge(cheat, [card.point for card in found], factor(cheat, found[0], new.k))
                return Payload((Shuffles(with_points(made, points)),))
            case _:
                before, after = passing._around(cheat.seat)
                image = after[0].key_of(cheat.seat)
                assert image is not None
                inputs, outputs = (tuple(card.point for card in cards) for cards in (before, after))
                statement = Shuffle(before[0].key_of(cheat.seat) or GENERATOR, image, inputs, outputs)
                k = factor(cheat, before[0], cheat.secrets.keys[image].k)
                context = cheat.table.turn().context(deck, generation, "shuffle", 0)
                proof = shuffle_liar.lie(GROUP, context, statement, k, range(len(inputs)), cheat.rng)
                return Payload((Attests(proof.to_bytes()),))

    return lie


def factor(cheat: Cheat, card: Card, k: int) -> int:
    """What a card is multiplied with to come under the key k, in place of the own lock if it has one."""
    old = card.key_of(cheat.seat)
    return k if old is None else k * pow(cheat.secrets.keys[old].k, -1, ORDER) % ORDER


def listed(change: Callable[[Cheat, Change], Change], generation: int = 0) -> Lie:
    """Changes the own list, and leaves its proof to the honest code."""

    def lie(cheat: Cheat, payload: Payload) -> Payload | None:
        match payload.acts[0]:
            case Shuffles(made) if cheat.play.goods.generation == generation:
                return Payload((Shuffles(change(cheat, made)),))
            case _:
                return None

    return lie


def assert_nothing_was_dealt(net: Net) -> None:
    for session in net.honest:
        assert session.play.state.phase is Phase.SETUP
        assert session.play.cards == {}
        assert session.secrets.keys.secrets() == (), "the keys of a deck that failed were kept"


# -- false lists


def twice_the_first(_cheat: Cheat, found: Sequence[Element], k: int) -> list[Element]:
    """Twice a card is no card: a hand would come up short."""
    points = [GROUP.mul(k, point) for point in found]
    return [GROUP.add(points[0], points[0]), *points[1:]]


def foreign(_cheat: Cheat, found: Sequence[Element], k: int) -> list[Element]:
    """One card of the cheat's own making."""
    return [GROUP.mul(k, point) for point in (GROUP.mul_base(7), *found[1:])]


def stacked(cheat: Cheat, _found: Sequence[Element], k: int) -> list[Element]:
    """The deck in the order of its labels, under the own lock alone."""
    return [GROUP.mul(k, point) for point in labels_of(GROUP, cheat.play.state.setup).points]


@EVERYWHERE
@pytest.mark.parametrize("forge", [twice_the_first, foreign])
def test_a_false_list_is_found_when_all_have_proved_and_its_author_alone_is_named(seat: Seat, forge: Forge) -> None:
    net = played(f"false list {seat}", seat, forged(forge))
    assert_named(net, FaultCode.FALSE_PROOF, "shuffle equations")
    assert_nothing_was_dealt(net)
    for session in net.honest:
        (evidence,) = session.table.faults[seat].evidence
        assert isinstance(Payload.from_value(evidence.entry.payload).acts[0], Attests)


@pytest.mark.parametrize("seat", [MERCHANT, LAST])
def test_a_stacked_deck_is_refused(seat: Seat) -> None:
    net = played("stacked deck", seat, forged(stacked))
    assert_named(net, FaultCode.FALSE_PROOF)
    assert_nothing_was_dealt(net)


def test_the_list_of_another_under_the_own_lock_is_refused() -> None:
    """The last seat locks what the first has left: what the middle one has mixed and locked would be gone."""

    def skipping(cheat: Cheat, _found: Sequence[Element], k: int) -> list[Element]:
        left = mixing(cheat)._around(SHERIFF)[1]
        return [GROUP.mul(k, card.point) for card in left]

    net = played("skipped", LAST, forged(skipping))
    assert_named(net, FaultCode.FALSE_PROOF)
    assert_nothing_was_dealt(net)


def test_the_list_and_key_of_another_as_the_own_are_refused() -> None:
    """Who copies the list before, with its key, would have shuffled nothing, and can't prove anything either."""

    def copied(cheat: Cheat, _act: Act) -> Act:
        return next(cheat.written_by(SHERIFF)).acts[0]

    def has_nothing_to_prove(cheat: Cheat) -> bool:
        return not isinstance(cheat.play.passing, Mixing) or cheat.play.passing.is_listed

    net = played("copied list", MERCHANT, lies(Shuffles, copied), waits=has_nothing_to_prove)
    (theirs,) = list(net.cheat.written_by(SHERIFF))[-1].acts
    assert isinstance(theirs, Attests)
    net.cheat.push(theirs)
    net.run()
    assert_named(net, FaultCode.FALSE_PROOF)
    assert_nothing_was_dealt(net)


def test_a_proof_of_another_order_than_the_lists_is_refused() -> None:
    def exchanged(_cheat: Cheat, made: Change) -> Change:
        first, second, *rest = points_of(made)
        return with_points(made, [second, first, *rest])

    assert_named(played("exchanged", LAST, listed(exchanged)), FaultCode.FALSE_PROOF)


# -- lists that are refused at once


def test_a_list_with_a_card_twice_is_refused_before_anybody_goes_on() -> None:
    def doubled(_cheat: Cheat, made: Change) -> Change:
        first, _, *rest = points_of(made)
        return with_points(made, [first, first, *rest])

    net = played("doubled card", MERCHANT, listed(doubled))
    assert_caught(net, FaultCode.MALFORMED, "twice")
    assert_nothing_was_dealt(net)
    assert all(session.table.transcript.chains[LAST] == [] for session in net.honest)


def test_a_short_list_is_refused() -> None:
    def short(_cheat: Cheat, made: Change) -> Change:
        return with_points(made, points_of(made)[:-1])

    net = played("short deck", MERCHANT, listed(short))
    assert_caught(net, FaultCode.MALFORMED, "20 points")
    assert_nothing_was_dealt(net)


def test_a_list_with_the_identity_in_it_is_refused() -> None:
    """Under every lock the identity is the identity: who sees it drawn knows it."""

    def nothing(_cheat: Cheat, made: Change) -> Change:
        return with_points(made, [IDENTITY, *points_of(made)[1:]])

    assert_caught(played("identity", MERCHANT, listed(nothing)), FaultCode.MALFORMED)


@pytest.mark.parametrize("bad", [bytes(IDENTITY), (2**255 - 20).to_bytes(32, "little"), b"\xff" * 32])
def test_a_list_with_what_is_no_card_is_refused_by_who_locks_it_while_reading_it(bad: bytes) -> None:
    def spoilt(_cheat: Cheat, made: Change) -> Change:
        return Change(made.key, made.points[:-32] + bad, made.proof)

    net = seated("no card", MERCHANT, listed(spoilt))
    last = net.sessions[LAST]
    net.run(until=lambda _: isinstance(last.play.passing, Mixing) and last.play.passing.waiting[:1] == (MERCHANT,))
    last.rest()
    assert last.secrets._ahead_lock is not None
    net.run()
    assert_caught(net, FaultCode.MALFORMED)
    assert_nothing_was_dealt(net)
    assert last.secrets._ahead_lock is None


def test_who_waits_for_the_list_before_its_own_makes_the_lock_of_its_list_ahead() -> None:
    net = seated("ahead of the list")
    last = net.sessions[LAST]
    net.run(until=lambda _: isinstance(last.play.passing, Mixing) and last.play.passing.waiting[:1] == (MERCHANT,))
    last.rest()
    lock = last.secrets._ahead_lock
    assert lock is not None
    net.run(until=lambda play: isinstance(play.passing, Mixing) and play.passing.is_listed)
    assert mixing(last).cards[0].key_of(LAST) == lock.public
    assert last.secrets.keys[lock.public].k == lock.k
    net.run()
    assert_nobody_is_blamed(net)


def test_a_list_that_brings_a_proof_along_is_refused() -> None:
    def proved(_cheat: Cheat, made: Change) -> Change:
        return Change(made.key, made.points, b"proof")

    assert_caught(played("too early", MERCHANT, listed(proved)), FaultCode.MALFORMED, "without its proof")


# -- proofs that do not come, or are none


@EVERYWHERE
def test_a_proof_that_is_none_names_its_author_and_nobody_goes_on(seat: Seat) -> None:
    def empty(_cheat: Cheat, _act: Act) -> Act:
        return Attests(b"")

    net = played("no proof", seat, lies(Attests, empty))
    assert_named(net, FaultCode.MALFORMED, "bytes")
    assert_nothing_was_dealt(net)


@EVERYWHERE
def test_a_proof_withheld_stops_the_deal_and_it_is_known_whose(seat: Seat) -> None:
    def withholds(cheat: Cheat) -> bool:
        return isinstance(cheat.play.passing, Mixing) and cheat.play.passing.is_listed

    net = played("withheld", seat, waits=withholds)
    assert_nobody_is_blamed(net)
    for session in net.honest:
        assert session.play.cards == {}
        assert session.table.awaited == (seat,)


# -- one name on all nodes


def test_onlookers_and_who_comes_back_name_the_same_entry() -> None:
    net = played("same name", MERCHANT, forged(foreign))
    session = net.honest[0]
    (evidence,) = session.table.faults[MERCHANT].evidence
    charter, setup = session.table.charter, session.play.state.setup
    onlooker = Table(charter, Play.begin(charter.game, setup, GROUP, Drbg("onlooker")))
    for signed in session.table.transcript.in_order():
        onlooker.take(signed)
    assert onlooker.faults[MERCHANT] == session.table.faults[MERCHANT]
    assert onlooker.game == session.play
    back = come_back(session)
    assert back.table.faults[MERCHANT].evidence == (evidence,)
    assert back.is_spoiled
    assert back.secrets.lost(back.play, spoiled=back.is_spoiled) == ()


# -- reshuffles


class TestReshuffles:
    """The deck is empty after the deal; the cards set aside in the first round become the next one."""

    SETUP = Setup(3, short=(("apples", 8), ("silk", 8), ("pepper", 2)), candidates=(SHERIFF,))

    def play(self, seat: Seat, lie: Lie) -> Net:
        scripts = dict.fromkeys((MERCHANT, OTHER), Script(aside=2))
        net = played("reshuffle", seat, lie, setup=self.SETUP, scripts=lambda: scripts)
        assert net.cheat.before.goods.generation == 1
        return net

    @staticmethod
    def assert_still_discarded(net: Net) -> None:
        """The new deck is none, and the discards are where they were, under locks that all still have keys for."""
        for session in net.honest:
            assert session.play.goods.undrawn == ()
            assert session.is_spoiled
            assert session.secrets.lost(session.play, spoiled=True) == ()
            assert len(session.view().knowledge.kinds) == len(session.play.state.hidden_of(session.seat))

    @EVERYWHERE
    def test_a_live_card_smuggled_in_is_found_and_read_by_nobody(self, seat: Seat) -> None:
        """A hidden card of the next seat in the place of a discard: what that seat makes of it says nothing."""
        victim = Seat((seat + 1) % 3)
        smuggled: list[Element] = []

        def smuggling(cheat: Cheat, found: Sequence[Element], k: int) -> list[Element]:
            hand = cheat.play.state[victim].hand or cheat.play.state.hidden_of(victim)
            smuggled.append(cheat.play.cards[hand[0]].point)
            return [smuggled[0], *(GROUP.mul(k, point) for point in found[1:])]

        net = self.play(seat, forged(smuggling, generation=1))
        assert_named(net, FaultCode.FALSE_PROOF)
        self.assert_still_discarded(net)
        for session in net.honest:
            assert isinstance(session.play.passing, Remixing)
            seen = {card.point for _, found in session.play.passing.lists for card in found}
            old = {card.point for card in session.play.cards.values()}
            assert seen & old <= set(smuggled), "a list shows a card as it lies somewhere else"

    def test_a_live_card_smuggled_into_what_is_collected_is_refused_before_its_owner_touches_it(self) -> None:
        """Here locks in use are replaced: so this pass is proved entry by entry."""

        def smuggling(cheat: Cheat, act: Act) -> Act:
            assert isinstance(act, Locks)
            assert isinstance(cheat.play.passing, Collecting)
            live = cheat.play.cards[cheat.play.state[MERCHANT].hand[0]].point
            return Locks(with_points(act.change, [live, *points_of(act.change)[1:]]))

        net = self.play(SHERIFF, lies(Locks, smuggling))
        assert_caught(net, FaultCode.FALSE_PROOF)
        self.assert_still_discarded(net)
        for session in net.honest:
            assert isinstance(session.play.passing, Collecting)
            assert session.play.passing.done == 0

    def test_a_reshuffled_deck_with_a_card_of_the_cheats_own_making_is_refused(self) -> None:
        net = self.play(MERCHANT, forged(foreign, generation=1))
        assert_named(net, FaultCode.FALSE_PROOF)
        self.assert_still_discarded(net)

    def test_the_list_of_the_first_deck_shown_again_is_refused(self) -> None:
        def replayed(cheat: Cheat, _made: Change) -> Change:
            (act,) = next(cheat.written_by(cheat.seat)).acts
            assert isinstance(act, Shuffles)
            return act.change

        assert_caught(self.play(MERCHANT, listed(replayed, generation=1)), FaultCode.MALFORMED)


# -- crashes, and own mistakes


def come_back(session: Session) -> Session:
    identity = session.table._identity
    assert identity is not None
    entries = tuple(signed.to_bytes() for signed in session.table.transcript.in_order())
    rng, secrets = Drbg(f"another life {session.seat}"), session.secrets.to_value()
    return resume(session.table.charter, identity, GROUP, rng, entries, secrets)


@EVERYWHERE
@pytest.mark.parametrize("generation", [0, 1])
def test_who_crashes_between_list_and_proof_proves_the_same_list_and_signs_nothing_twice(
    seat: Seat, generation: int
) -> None:
    setup = Setup(3, short=TestReshuffles.SETUP.short if generation else SHORT, candidates=(SHERIFF,))
    scripts = {MERCHANT: Script(aside=2), OTHER: Script(aside=2)}
    net = seated("crash", Seat((seat + 1) % 3), scripts=scripts, setup=setup)

    def is_due(play: Play) -> bool:
        is_listed = isinstance(play.passing, Mixing) and play.passing.is_listed
        return is_listed and play.goods.generation == generation

    net.run(until=is_due)
    assert all(is_due(session.play) for session in net.sessions)
    back = come_back(net.sessions[seat])
    assert back.secrets.take_listed() is None
    net.sessions[seat] = back
    net.run(until=lambda play: not isinstance(play.passing, Mixing))
    for session in net.sessions:
        assert session.table.faults == {}
        assert session.play.goods.generation == generation
        assert not isinstance(session.play.passing, Mixing)
    numbers = [signed.entry.sequence for signed in net.sessions[seat].table.transcript.chains[seat]]
    assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("seat", [SHERIFF, MERCHANT], ids=["first", "middle"])
@pytest.mark.parametrize("speaks", [False, True], ids=["silent", "speaks"])
@pytest.mark.parametrize("generation", [0, 1])
def test_a_list_is_proved_while_others_lay_theirs_and_anew_if_its_author_says_something_meanwhile(
    seat: Seat, speaks: bool, generation: int
) -> None:
    setup = Setup(3, short=TestReshuffles.SETUP.short if generation else SHORT, candidates=(SHERIFF,))
    scripts = {MERCHANT: Script(aside=2), OTHER: Script(aside=2)}
    net = seated("ahead", Seat((seat + 1) % 3), scripts=scripts, setup=setup)
    author = net.sessions[seat]

    def has_laid(play: Play) -> bool:
        passing = play.passing
        is_making = isinstance(passing, Mixing) and play.goods.generation == generation
        return is_making and passing is not None and passing.owes_proof(seat)

    net.run(until=lambda _: has_laid(author.play))
    assert not mixing(author).is_listed
    assert author.secrets.has_listed
    assert author.rest()
    assert not author.secrets.has_listed
    assert author.secrets._proof is not None
    _, made = author.secrets._proof
    if speaks:
        author.say("hello")
    net.run(until=lambda play: not isinstance(play.passing, Mixing))
    entries = [signed.entry for signed in author.table.transcript.chains[seat] if signed.entry.step is not None]
    acts = [act for entry in entries for act in entry.said(Payload.from_value).acts]
    *_, sent = (act.proof for act in acts if isinstance(act, Attests))
    assert (sent == made) is not speaks
    assert author.secrets._proof is None
    for session in net.sessions:
        assert session.table.faults == {}
        assert session.play.goods.generation == generation
        assert not isinstance(session.play.passing, Mixing)


def test_an_own_proof_that_does_not_hold_stops_the_node_before_its_next_entry() -> None:
    """A flipped bit in the own machine: the others have it already, but nothing follows, and nobody else is blamed."""

    def flipped(_cheat: Cheat, act: Act) -> Act:
        assert isinstance(act, Attests)
        return Attests(act.proof[:-32] + bytes([act.proof[-32] ^ 1]) + act.proof[-31:])

    net = played("flipped", MERCHANT, lies(Attests, flipped))
    assert_named(net, FaultCode.FALSE_PROOF)
    with pytest.raises(DefectError, match="an own entry does not hold"):
        Table.settle(net.cheat.table)
    with pytest.raises(DefectError):
        net.cheat.say("hello")


def test_the_own_shuffle_is_checked_after_it_was_sent() -> None:
    net = seated("owed", SHERIFF)
    net.run(until=lambda play: play.state.phase is not Phase.SETUP)
    owing = [session for session in net.honest if session.table._folding.owed]
    assert owing
    for session in owing:
        assert session.rest()
        assert session.table._folding.owed == []


def test_own_proofs_of_locks_and_of_what_cards_are_are_checked_after_they_were_sent_too() -> None:
    net = seated("owed", SHERIFF, scripts={MERCHANT: Script(aside=2)})
    owed = set[type[Act]]()

    def note(play: Play) -> bool:
        for session in net.honest:
            own = session.table.transcript.chains[session.seat]
            if session.table._folding.owed and own and own[-1].entry.step is not None:
                owed.update(type(act) for act in Payload.from_value(own[-1].entry.payload).acts)
        return play.state.phase is Phase.INSPECT

    net.run(until=note)
    assert {Strips, Moves, Rearranges} <= owed
    for session in net.honest:
        while session.rest():
            pass
        assert session.table._folding.owed == []
        assert session.table.faults == {}


def test_who_does_not_think_drafts_no_proofs_of_what_its_cards_are() -> None:
    net = seated("undrafted", SHERIFF)
    net.run(until=lambda play: play.state.phase is not Phase.SETUP)
    session = net.honest[0]
    while session.rest(drafts=False):
        pass
    assert session.secrets._drafts == {}
    while session.rest():
        pass
    assert len(session.secrets._drafts) == len(session.play.state[session.seat].hand)
