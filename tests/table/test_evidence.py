"""A proven fault becomes a file that anybody can check: the audit names the seat, the fault and the entry."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_sheriff.audit import as_text, audit
from p2p_sheriff.cli import main
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.rules.moves import Inspect, NameFirst
from p2p_sheriff.seat.aftermath import keep_evidence
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.acts import FREE, Act, Moves, Opens, Says
from p2p_sheriff.session.record import evidence_of
from p2p_sheriff.session.replay import Finding
from protocol.entry import Head
from protocol.faults import FaultCode
from tests.table.cheats import Cheat, lies, moves_instead
from tests.table.departures import put_out
from tests.table.tables import GROUP, MERCHANT, OTHER, SHERIFF, Net, played
from tests.table.test_attacks_history import at_the_inspection


def words(cheat: Cheat, text: str, heads: tuple[Head, ...] = ()) -> bytes:
    return cheat.sign(FREE.write(Says(text)), heads=heads)


def out_of_turn() -> Net:
    net = at_the_inspection("usurper", MERCHANT)
    net.cheat.push(Moves(Inspect(MERCHANT, OTHER)))
    return net


def equivocates() -> Net:
    net = at_the_inspection("two numbers", MERCHANT)
    for text in ("yes", "no"):
        net.tell(MERCHANT, words(net.cheat, text))
    return net


def breaks_the_chain() -> Net:
    net = at_the_inspection("broken", MERCHANT)
    heads = list(net.cheat.table.transcript.heads)
    heads[MERCHANT] = Head(heads[MERCHANT].length, bytes(32))
    net.tell(MERCHANT, words(net.cheat, "I never said that", tuple(heads)))
    return net


def says_nonsense() -> Net:
    net = at_the_inspection("nonsense", MERCHANT)
    net.tell(MERCHANT, net.cheat.sign(("shout", "hello")))
    return net


def votes_nonsense() -> Net:
    net = at_the_inspection("no vote", MERCHANT)
    net.tell(MERCHANT, net.cheat.sign(("vote", (), (OTHER, OTHER), 0)))
    return net


def says_too_much() -> Net:
    net = at_the_inspection("too much", MERCHANT)
    net.tell(MERCHANT, net.cheat.sign(("say", "x" * 3000)))
    return net


def proves_what_is_false() -> Net:
    def other_salt(_cheat: Cheat, act: Act) -> Act:
        assert isinstance(act, Opens)
        return replace(act, salt=bytes(32))

    return played("other salt", MERCHANT, lies(Opens, other_salt))


def breaks_a_rule() -> Net:
    return played("no merchant", SHERIFF, moves_instead(NameFirst, lambda _cheat, _move: NameFirst(SHERIFF, SHERIFF)))


@pytest.mark.parametrize(
    ("cheated", "code"),
    [
        (out_of_turn, FaultCode.OUT_OF_TURN),
        (equivocates, FaultCode.EQUIVOCATION),
        (breaks_the_chain, FaultCode.BROKEN_CHAIN),
        (says_nonsense, FaultCode.MALFORMED),
        (votes_nonsense, FaultCode.MALFORMED),
        (says_too_much, FaultCode.OVER_BUDGET),
        (proves_what_is_false, FaultCode.FALSE_PROOF),
        (breaks_a_rule, FaultCode.FORBIDDEN),
    ],
)
@pytest.mark.parametrize("is_out", [False, True], ids=["", "put out"])
def test_the_audit_of_the_evidence_names_the_seat_the_fault_and_the_entry(
    cheated: Callable[[], Net], code: FaultCode, is_out: bool
) -> None:
    net = cheated()
    net.run()
    if is_out:  # Who comes back hears of the fault when the others have gone on already.
        put_out(net.honest, net.cheat.seat)
        net.run()
    for session in net.honest:
        ((seat, fault),) = session.table.faults.items()
        report = audit(evidence_of(session.table, fault).to_bytes(), GROUP)
        finding = report.verdict
        assert isinstance(finding, Finding), finding
        assert (finding.code, finding.seat, finding.number) == (code, seat, fault.evidence[-1].entry.sequence)
        assert (fault.code, fault.reason, finding.is_proven) == (code, finding.reason, True)
        assert f"It is signed by seat {seat} (player {seat}): {code.name}." in as_text(report)


def test_a_player_is_told_where_the_evidence_is_and_the_audit_of_that_file_names_the_seat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net = breaks_a_rule()
    net.run()
    session = net.honest[0]
    ((seat, fault),) = session.table.faults.items()
    with Profile.open("ann", tmp_path) as profile:
        (notice,) = keep_evidence(profile, session, fault, Words())
    (path,) = tmp_path.rglob("*.evidence")
    assert notice.text == f"What proves it is in {path}; `p2p-sheriff audit` checks it."
    assert main(["audit", str(path)]) == 1
    assert f"It is signed by seat {seat} (player {seat}): {fault.code.name}." in capsys.readouterr().out
