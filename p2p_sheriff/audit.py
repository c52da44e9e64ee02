"""Checks the transcript of a game without any secret: every signature, link, proof, rule and the score."""

import json
from dataclasses import asdict, dataclass
from secrets import token_bytes
from typing import TypeAlias

from p2p_sheriff.rules import Outcome, Score, outcome
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.record import NotARecordError, Record
from p2p_sheriff.session.replay import Finding, FindingError, Flaw, replay
from p2p_sheriff.session.resume import OnProgress
from p2p_sheriff.texts.cleaning import clean
from protocol.charter import Charter
from protocol.errors import MalformedError
from protocol.group import Group


@dataclass(frozen=True, slots=True)
class Valid:
    """Everything holds, and the result is signed by all."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Everything holds so far, but the result is not signed by all."""

    waits_for: tuple[int, ...]
    """The seats whose entries come next."""
    is_cut_off: bool
    """Whether the file ends in the middle of an entry."""


Verdict: TypeAlias = Valid | Finding | Unfinished


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit has found out."""

    verdict: Verdict
    entries: int
    """How many the file has."""
    charter: Charter | None
    """None if even that could not be read."""

    def name(self, seat: int | None) -> str | None:
        """Returns what a player is called."""
        return self.charter.players[seat].name if self.charter and seat is not None else None


def audit(data: bytes, group: Group, progress: OnProgress = lambda _done, _of: None) -> Report:
    """Checks the content of a transcript file; a group with a parallel ``map`` uses all cores.

    A damaged file is refused before any proof is checked; else the first fault in it is named.

    Raises:
        NotARecordError: It is none.
    """
    try:
        record = Record.from_bytes(group, data)
    except NotARecordError:
        raise
    except MalformedError as error:
        return Report(Finding(None, Flaw.BAD_CHARTER, str(error)), 0, None)
    return Report(_verdict(record, group, progress), len(record.entries), record.charter)


def _verdict(record: Record, group: Group, progress: OnProgress) -> Verdict:
    play: Play | None = None
    try:
        for step in replay(record, group, token_bytes):
            play = step.play
            progress(step.place + 1, len(record.entries))
    except FindingError as error:
        return error.finding
    if play and play.is_over:
        return Valid(outcome(play.state))
    return Unfinished(play.expected() if play else (), record.is_cut_off)


# -- for programs


def as_json(report: Report) -> str:
    """Returns the report as JSON."""
    plain: dict[str, object] = {
        "verdict": "",
        "game": report.charter.game.hex() if report.charter else None,
        "entries": report.entries,
        "scores": [],
        "fault": None,
    }
    match report.verdict:
        case Valid(result):
            plain |= {"verdict": "valid", "scores": [_score(report, result, score) for score in result.scores]}
        case Finding(code=code) as finding:
            plain |= {"verdict": "undecided" if code is Flaw.DEFECT else "fault", "fault": _fault(report, finding)}
        case Unfinished(waits_for, is_cut_off):
            plain |= {"verdict": "unfinished", "waits_for": list(waits_for), "cut_off": is_cut_off}
    return json.dumps(plain, indent=1)


def _score(report: Report, result: Outcome, score: Score) -> dict[str, object]:
    return {
        "seat": score.seat,
        "name": report.name(score.seat),
        "gold": score.gold,
        "goods": [asdict(goods) for goods in score.goods],
        "crowns": [{**asdict(crown), "rank": crown.rank.value} for crown in score.crowns],
        "modules": dict(score.modules),
        "total": score.total,
        "wins": score.seat in result.winners,
    }


def _fault(report: Report, finding: Finding) -> dict[str, object]:
    return {
        "entry": finding.place,
        "seat": finding.seat,
        "name": report.name(finding.seat),
        "number": finding.number,
        "code": finding.code.name,
        "reason": finding.reason,
        "proven": finding.is_proven,
    }


# -- for people


def as_text(report: Report) -> str:
    """Returns the report as sentences and a table."""
    lines = [f"Game {report.charter.game.hex()}"] if report.charter else []
    match report.verdict:
        case Valid(result):
            checked = f"{report.entries} entries, every signature, link, proof and rule"
            lines += [f"Valid: {checked}; all have signed the result.", "", *_table(report, result)]
        case Finding(code=Flaw.DEFECT) as finding:
            lines += [f"Undecided at {_where(report, finding)}: {finding.reason}."]
            lines += ["This program has a defect: it says nothing about the file, nor about anybody in it."]
        case Finding() as finding:
            lines += [f"Fault in {_where(report, finding)}: {finding.reason}.", _whose(report, finding)]
        case Unfinished(waits_for, is_cut_off):
            lines += [f"Unfinished: all {report.entries} entries are valid, but the result is not signed by all."]
            waiting = " and ".join(_who(report, seat) for seat in waits_for) or "its first entry"
            broken = f"The file breaks off in the middle of entry {report.entries}."
            lines += [broken if is_cut_off else f"The game waits for {waiting}, or the end of the file is missing."]
    return "\n".join(map(clean, lines))


def _where(report: Report, finding: Finding) -> str:
    if finding.place is None:
        return "the charter"
    by = f", number {finding.number} of {_who(report, finding.seat)}" if finding.seat is not None else ""
    return f"entry {finding.place} of the file{by}"


def _whose(report: Report, finding: Finding) -> str:
    if finding.is_proven:
        return f"It is signed by {_who(report, finding.seat)}: {finding.code.name}."
    return f"The file was changed, damaged or made up: {finding.code.name}. It proves nothing against anybody."


def _who(report: Report, seat: int | None) -> str:
    return f"seat {seat} ({report.name(seat)})"


def _table(report: Report, result: Outcome) -> list[str]:
    rows: list[tuple[str, ...]] = [("", "gold", "goods", "crowns", "total", "")]
    for score in result.scores:
        name, wins = clean(report.name(score.seat) or ""), "wins" if score.seat in result.winners else ""
        goods, crowns = sum(good.points for good in score.goods), sum(crown.points for crown in score.crowns)
        rows.append((name, *map(str, (score.gold, goods, crowns, score.total)), wins))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:-1], widths[1:-1]), row[-1]]).rstrip() for row in rows
    ]
