"""Ballots while real cards are on the table: it waits or goes on, never forks silently, and undoes nobody's entry."""

from collections.abc import Sequence

import pytest

from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.rules import Phase, Seat, Setup
from p2p_sheriff.rules.facts import Opened
from p2p_sheriff.rules.moves import Pass
from p2p_sheriff.seat.aftermath import _End
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.record import deciding, evidence_of, record_of, unsigned
from p2p_sheriff.session.replay import Finding, replay
from p2p_sheriff.session.session import MOST_JOINED, Session
from protocol.ballots import Certificate, Vote, is_vote, vote_payload
from protocol.budget import VOTES_BETWEEN_CERTIFICATES
from protocol.electorate import Electorate
from protocol.entry import Entry, SignedEntry
from protocol.faults import FaultCode
from tests.drbg import Drbg
from tests.secrecy.twins import Table, deck_of, hand_of, setup_for
from tests.table.departures import GROUP, SHORT, GapNet, is_redealt, put_out
from tests.table.forks import all_vote_out, half_on_each_branch, loading, settle, share, tell, twin_of, voted_twice
from tests.table.games import assert_agreed
from tests.table.test_gap import FIVE, FOUR, assert_proved

ANN, BEN, CAT, DAN, EVE = map(Seat, range(5))
HIGHEST = (Certificate(1 << 20, (), ()),)
"""Beyond which no vote binds."""


def falls_silent(net: GapNet, *seats: Seat) -> None:
    net.quits |= dict.fromkeys(seats, 0)


def vote(net: GapNet, voters: Sequence[Seat], *out: Seat) -> None:
    """These say what they want, and do not hear each other before."""
    for seat in voters:
        net.sessions[seat].vote(out)
    for seat in voters:
        net._flush(seat)


def assert_waits(net: GapNet, before: Play, *bound: Seat) -> None:
    assert net.goes_on().play == before
    assert [session.seat for session in net.sessions if session.table.is_bound] == list(bound)


def assert_goes_on(net: GapNet, before: Play, *seats: Seat) -> None:
    """Asserts that these play on with the cards that they had, that no card is lost, and that all can be checked."""
    net.goes_on(lambda play: is_redealt(play) and play.state.seats == seats)
    assert net.seats == seats
    assert all(before.cards.get(handle, card) == card for handle, card in net.play.cards.items())
    net.goes_on(lambda play: play.state.round > before.state.round)
    assert net.play.state.round > before.state.round
    net.assert_complete()
    assert_proved(net)


def test_an_accomplice_who_never_votes_keeps_the_table_waiting_until_it_is_put_out_too() -> None:
    net = loading(GapNet(FIVE, 1))
    falls_silent(net, DAN, EVE)
    before = net.play
    vote(net, (ANN, BEN, CAT), EVE)
    assert_waits(net, before, ANN, BEN, CAT)
    vote(net, (ANN, BEN, CAT), DAN, EVE)
    assert_goes_on(net, before, ANN, BEN, CAT)


def test_who_says_twice_what_they_want_before_it_is_heard_has_voted_once_and_the_game_goes_on() -> None:
    """With two tries there were two certificates, and all voted to go on with all on the one and the other by turns."""
    net = loading(GapNet(FOUR, 3))
    falls_silent(net, DAN)
    before, ann = net.play, net.sessions[ANN]
    ann.vote((DAN,))
    ann.vote((DAN,))
    assert [one.entry.payload for one in ann.table.transcript.chains[ANN] if is_vote(one.entry)] == [
        vote_payload(Vote((), (DAN,), 0))
    ]
    vote(net, (BEN, CAT), DAN)
    net._flush(ANN)
    assert_goes_on(net, before, ANN, BEN, CAT)


@pytest.mark.parametrize("instead", [None, ()], ids=["at once", "another one in between"])
def test_who_votes_for_the_same_with_two_tries_makes_one_certificate_although_all_answer_at_once(
    instead: tuple[Seat, ...] | None,
) -> None:
    """With two certificates beside each other, all voted on the one and the other by turns, until they had no votes."""
    net = loading(GapNet(FOUR, 3))
    falls_silent(net, DAN)
    before, liar = net.play, net.sessions[ANN]
    for out in ((DAN,), instead, (DAN,)):
        if out is not None:
            liar._wanted = frozenset(out)
            liar._cast()
    for seat in (BEN, CAT):
        net.sessions[seat]._wanted = frozenset((DAN,))
    net.answers_at_once()
    assert [one.out for one in net.sessions[BEN].table.best] == [(DAN,), ()]
    assert_goes_on(net, before, ANN, BEN, CAT)


def test_two_against_two_wait_until_all_want_the_same() -> None:
    net = loading(GapNet(FOUR, 2))
    before = net.play
    vote(net, (ANN, BEN), DAN)
    vote(net, (CAT, DAN), BEN)
    assert_waits(net, before, ANN, BEN, CAT, DAN)
    vote(net, (ANN, BEN, CAT, DAN))
    assert_goes_on(net, before, ANN, BEN, CAT, DAN)


def test_of_two_sets_that_are_proposed_at_once_none_counts_until_all_want_the_same() -> None:
    net = loading(GapNet(FIVE, 3))
    falls_silent(net, ANN, BEN)
    before = net.play
    vote(net, (CAT, DAN), ANN)
    vote(net, (EVE,), ANN, BEN)
    assert_waits(net, before, CAT, DAN, EVE)
    vote(net, (CAT, DAN), ANN, BEN)
    assert_goes_on(net, before, CAT, DAN, EVE)


def test_a_refusal_that_comes_when_all_others_have_agreed_changes_nothing() -> None:
    net = loading(GapNet(FOUR, 4))
    falls_silent(net, DAN)
    before = net.play
    net.sessions[DAN].vote(())
    (refusal,) = net.sessions[DAN].outbox
    net.sessions[DAN].outbox.clear()
    put_out(net.sessions[:DAN], DAN)
    for session in net.sessions[:DAN]:
        session.receive(refusal)
    assert_goes_on(net, before, ANN, BEN, CAT)


def test_who_comes_back_in_the_middle_of_a_ballot_refuses_and_all_go_on_together() -> None:
    net = loading(GapNet(FOUR, 5))
    falls_silent(net, DAN)
    before = net.play
    vote(net, (ANN, BEN), DAN)
    assert_waits(net, before, ANN, BEN)
    net.comes_back(DAN)
    del net.quits[DAN]
    vote(net, (DAN, ANN, BEN))
    assert_goes_on(net, before, ANN, BEN, CAT, DAN)


def test_who_wanted_to_go_on_without_one_who_was_out_already_refuses_no_later_ballot() -> None:
    net = loading(GapNet(FIVE, 6))
    falls_silent(net, DAN)
    net.leaves(EVE).sessions[ANN].vote((EVE,))  # As the player saw it a moment ago.
    vote(net, (BEN,), DAN)
    net.goes_on()
    assert net.sessions[CAT].table.ballot.keys() == {BEN}


def test_who_has_changed_their_mind_while_the_others_end_the_game_comes_to_know_it_and_all_sign() -> None:
    net = loading(GapNet(Setup(3, short=SHORT), 5))
    falls_silent(net, CAT)
    vote(net, (BEN, ANN), CAT)
    net.sessions[BEN].vote(())  # Before hearing of ANN's vote, which ends the game.
    net._flush(BEN)
    net.goes_on()
    assert_agreed(net.sessions)


def test_who_has_voted_before_seeing_the_last_entry_comes_to_know_the_end_and_all_sign() -> None:
    net = GapNet(FOUR, 0).goes_on(lambda play: play.state.phase is Phase.REVEAL)
    falls_silent(net, DAN)
    net.sessions[DAN]._acknowledge()  # So all others show what lies face down.
    net._flush(DAN)
    assert net.goes_on().play.expected() == (DAN,)
    net.sessions[ANN].vote((DAN,))
    del net.quits[DAN]
    assert net.sessions[DAN].advance()
    net._flush(DAN)
    net.hear()
    assert [session.play.is_decided for session in net.sessions] == [False, True, True, True]
    net.sessions[ANN].vote(())
    net._flush(ANN)
    net.run()
    assert_agreed(net.sessions)


# -- with a liar


def test_who_calls_for_ballots_again_and_again_uses_up_nobodys_votes_and_is_put_out() -> None:
    net = loading(GapNet(FOUR, 8))
    before = net.play
    for _ in range(MOST_JOINED + 4):
        net.sessions[DAN].vote(())
        net._flush(DAN)
        while net._work() or net._deliver():
            pass
    assert {len(session.table.best) for session in net.sessions} == {MOST_JOINED}
    net.leaves(DAN)
    assert_goes_on(net, before, ANN, BEN, CAT)


def test_two_who_never_try_the_same_with_each_other_use_up_nobodys_votes_and_are_put_out() -> None:
    """Each raises the other's try: all others follow, and there is never a ballot in which both have voted."""
    net = loading(GapNet(FIVE, 9))
    before = net.play
    falls_silent(net, DAN, EVE)
    for attempt in range(VOTES_BETWEEN_CERTIFICATES + 4):
        liar = net.sessions[(DAN, EVE)[attempt % 2]]
        liar._send(liar.table.write(vote_payload(Vote((), (), attempt)), free=True))
        net.goes_on()
    assert not any(session.table.best for session in net.sessions)
    vote(net, (ANN, BEN, CAT), DAN, EVE)
    assert_goes_on(net, before, ANN, BEN, CAT)


def assert_one_game_without(liar: Seat, sessions: Sequence[Session], code: FaultCode) -> None:
    for session in sessions:
        assert session.play == sessions[0].play
        assert liar not in session.play.state.seats
        assert {seat: fault.code for seat, fault in session.table.faults.items()} == {liar: code}
        assert session.secrets.lost(session.play) == ()
    assert [*replay(record_of(sessions[0].table), GROUP, Drbg("auditor"))][-1].play == sessions[0].play


def test_a_voter_who_votes_twice_with_one_number_is_found_out_and_put_out_next() -> None:
    honest = voted_twice()
    assert honest[0].play.state.seats == (BEN, CAT, DAN)
    assert_one_game_without(ANN, honest, FaultCode.EQUIVOCATION)


def test_an_equivocator_with_half_of_the_table_on_each_branch_is_put_out_and_all_go_on_from_one() -> None:
    liar, honest = half_on_each_branch()
    hands = {session.seat: session.view().hand for session in honest}
    assert all(list(session.table.faults) == [liar.seat] for session in honest)
    assert not any(session.table.may_write for session in honest)
    all_vote_out(liar, honest)
    assert_one_game_without(liar.seat, honest, FaultCode.EQUIVOCATION)
    for session in honest:
        assert [card.kind for card in session.view().hand] == [card.kind for card in hands[session.seat]]


def end_on_one_branch(knowing: int) -> tuple[Session, list[Session]]:
    """Returns an equivocator, and the others: so many of them, the last ones, stand on the branch that has an end."""
    net = GapNet(FOUR, 0).goes_on(lambda play: play.state.phase is Phase.REVEAL)
    falls_silent(net, DAN)
    net.sessions[DAN]._acknowledge()  # So all others show what lies face down.
    net._flush(DAN)
    assert net.goes_on().play.expected() == (DAN,)
    liar, honest = net.sessions[CAT], [net.sessions[seat] for seat in (ANN, BEN, DAN)]
    twin = twin_of(liar)
    for version, half in ((liar, honest[-knowing:]), (twin, honest[:-knowing])):
        version.say(f"Only {len(half)} of you read this.")
        tell(version, *half)
    assert honest[-1].advance()
    tell(honest[-1], *honest[:-1], liar)
    assert [session.play.is_decided for session in honest] == [place >= 3 - knowing for place in range(3)]
    liar.say("I have seen the end.")
    share([*honest, liar, twin])
    for session in honest[:-1]:
        session.say("I have, too.")
    share(honest)
    return liar, honest


def test_the_keys_of_an_end_that_an_equivocator_may_have_taken_back_are_kept() -> None:
    liar, honest = end_on_one_branch(1)
    last = honest[-1]
    assert all(last.table.has_seen(seat, one) for seat in last.table.seats for one in deciding(last.table))
    assert not _End.of(last).is_seen
    for session in honest[:-1]:
        session.vote((liar.seat,))
    share(honest)
    assert last.advance()
    share(honest)
    assert not last.play.is_decided
    assert not _End.of(last).is_seen


@pytest.mark.parametrize("knowing", [1, 2], ids=["taken back", "it stands"])
def test_an_equivocator_who_shows_some_another_branch_at_the_end_keeps_nobody_from_the_result(knowing: int) -> None:
    liar, honest = end_on_one_branch(knowing)
    for session in honest[:-knowing]:
        session.vote((liar.seat,))
    share(honest)
    settle(honest)
    for session in honest:
        assert session.play.is_decided
        assert session.play == honest[0].play
        assert session.table.seats == (ANN, BEN, DAN)
        assert set(unsigned(session.table)) <= {CAT}
        assert isinstance(audit(record_of(session.table).to_bytes(), GROUP).verdict, Valid)


def test_who_cheats_at_a_table_that_has_stood_on_two_branches_is_proved_to_anyone_all_the_same() -> None:
    liar, honest = half_on_each_branch()
    all_vote_out(liar, honest)
    *others, cheat = honest
    table, identity = cheat.table, cheat.table._identity
    assert identity is not None
    words = Entry(table.charter.game, cheat.seat, table.transcript.heads, None, ("shout", "hello"))
    for session in others:
        session.receive(SignedEntry.sign(identity, words).to_bytes())
        verdict = audit(evidence_of(session.table, session.table.faults[cheat.seat]).to_bytes(), GROUP).verdict
        assert isinstance(verdict, Finding)
        assert (verdict.seat, verdict.code) == (cheat.seat, FaultCode.MALFORMED)


def a_bag_could_open() -> tuple[Table, list[bytes]]:
    """CAT and DAN want to go on without ANN and BEN, then see that BEN's bag may pass, and say so; EVE lies.

    Returns the table, and the vote that EVE shows to CAT and DAN only.
    """
    setup = setup_for(players=5, short=(("apples", 40), ("mead", 3), ("silk", 4)))
    table = Table(setup, deck_of(setup, "", "silk, mead")).until_inspection({BEN: hand_of(BEN)[:2]})
    ann, ben, cat, dan, eve = table.sessions
    twin = twin_of(eve)
    for session in (cat, dan):
        session.vote((ANN, BEN))
    ann.submit(Pass(ANN, BEN))
    tell(ann, ben, cat, dan, eve)
    for session in (cat, dan):
        session.say("So be it.")
        tell(session, ann, ben)
    assert eve._acknowledge()
    tell(eve, ann, ben)
    twin.vote((ANN, BEN))
    return table, tell(twin)


def opened(session: Session) -> bool:
    told = [item for event in session.events if isinstance(event, Happened) for item in event.inputs]
    return any(isinstance(item, Opened) for item in told)


def test_no_bag_opens_on_what_was_named_while_bound_although_a_vote_was_shown_to_some_only() -> None:
    table, hidden = a_bag_could_open()
    _, ben, cat, dan, _ = table.sessions
    while ben.advance():
        pass
    assert not opened(ben)
    for session in (cat, dan):
        for data in (*hidden, *votes_of(cat, dan)):
            session.receive(data)
        assert session.play.state.seats == (CAT, DAN, EVE)
        assert session.table.faults == {}


def votes_of(*sessions: Session) -> list[bytes]:
    chains = [session.table.transcript.chains[session.seat] for session in sessions]
    return [signed.to_bytes() for chain in chains for signed in chain if is_vote(signed.entry)]


def test_the_same_bag_would_open_if_what_is_named_while_bound_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = a_bag_could_open()
    has_seen = Electorate.has_seen
    monkeypatch.setattr(Electorate, "has_seen", lambda self, seat, signed, _: has_seen(self, seat, signed, HIGHEST))
    ben = table.sessions[BEN]
    while ben.advance():
        pass
    assert opened(ben)
