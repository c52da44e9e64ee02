"""Checks the transcript of a game without any secret: every signature, link, proof, rule and the score."""

import json
from dataclasses import asdict, dataclass
from secrets import token_bytes
from typing import TypeAlias

from p2p_sheriff.rules import Ending, Outcome, Score, outcome
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.record import NotARecordError, Record
from p2p_sheriff.session.replay import Finding, FindingError, Flaw, Replayed, replay
from p2p_sheriff.session.resume import OnProgress
from p2p_sheriff.session.terms import setup_of
from p2p_sheriff.texts import ENGLISH, Texts
from p2p_sheriff.texts.cleaning import clean
from protocol.charter import Charter
from protocol.errors import MalformedError
from protocol.group import Group


@dataclass(frozen=True, slots=True)
class Valid:
    """Everything holds, and the game is decided."""

    outcome: Outcome
    unsigned: tuple[int, ...] = ()
    """Who has not signed the result. It is the result all the same."""
    is_cut_off: bool = False
    """Whether the file ends in the middle of an entry, which would sign it."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Everything holds so far, but the game is not decided."""

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
    step: Replayed | None = None
    try:
        for step in replay(record, group, token_bytes):
            progress(step.place + 1, len(record.entries))
    except FindingError as error:
        return error.finding
    if step and step.play.is_decided:
        return Valid(outcome(step.play.state), step.unsigned, record.is_cut_off)
    if step:
        return Unfinished(step.awaited, record.is_cut_off)
    play = Play.begin(record.charter.game, setup_of(record.charter), group, token_bytes)
    return Unfinished(play.expected(), record.is_cut_off)


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
        case Valid(result, unsigned, is_cut_off):
            scores = [_score(report, result, score) for score in result.scores]
            left = list(_left(report, result))
            plain |= {"verdict": "valid", "scores": scores, "left": left, "unsigned": list(unsigned)}
            plain |= {"cut_off": is_cut_off}
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


def as_text(report: Report, texts: Texts = ENGLISH) -> str:
    """Returns the report as sentences and a table; what a fault says of itself is in English."""
    lines = [texts("audit.game", game=report.charter.game.hex())] if report.charter else []
    match report.verdict:
        case Valid(result, unsigned, is_cut_off):
            missing = texts.every(_who(report, seat, texts) for seat in unsigned)
            signed = texts("audit.unsigned", names=missing) if unsigned else texts("audit.all_signed")
            lines.append(texts("audit.valid", n=report.entries, signed=signed))
            lines += [*([_broken(report, texts)] if is_cut_off else []), "", *_table(report, result, texts)]
            lines += [texts("audit.left", name=_who(report, seat, texts)) for seat in _left(report, result)]
            lines += [texts("audit.abandoned")] if result.ending is Ending.ABANDONED else []
        case Finding(code=Flaw.DEFECT) as finding:
            lines.append(texts("audit.undecided", where=_where(report, finding, texts), reason=finding.reason))
            lines.append(texts("audit.defect"))
        case Finding() as finding:
            lines.append(texts("audit.fault", where=_where(report, finding, texts), reason=finding.reason))
            lines.append(_whose(report, finding, texts))
        case Unfinished(waits_for, is_cut_off):
            waiting = texts.every(_who(report, seat, texts) for seat in waits_for)
            lines.append(texts("audit.unfinished", n=report.entries))
            lines.append(_broken(report, texts) if is_cut_off else texts("audit.waits", names=waiting))
    return "\n".join(map(clean, lines))


def _broken(report: Report, texts: Texts) -> str:
    return texts("audit.broken", entry=report.entries)


def _where(report: Report, finding: Finding, texts: Texts) -> str:
    if finding.place is None:
        return texts("audit.charter")
    if finding.seat is None:
        return texts("audit.entry", entry=finding.place)
    name = _who(report, finding.seat, texts)
    return texts("audit.entry_of", entry=finding.place, number=finding.number, name=name)


def _whose(report: Report, finding: Finding, texts: Texts) -> str:
    if finding.is_proven:
        return texts("audit.proven", name=_who(report, finding.seat, texts), code=finding.code.name)
    return texts("audit.unproven", code=finding.code.name)


def _who(report: Report, seat: int | None, texts: Texts) -> str:
    return texts("audit.seat", seat=seat, name=report.name(seat))


def _left(report: Report, result: Outcome) -> list[int]:
    """Returns who was not in the game any more when it ended."""
    stayed = {score.seat for score in result.scores}
    return [seat for seat in range(len(report.charter.players) if report.charter else 0) if seat not in stayed]


def _table(report: Report, result: Outcome, texts: Texts) -> list[str]:
    columns = texts("audit.gold"), texts("audit.goods"), texts("audit.crowns"), texts("audit.total")
    rows: list[tuple[str, ...]] = [("", *columns, "")]
    for score in result.scores:
        name, wins = clean(report.name(score.seat) or ""), texts("audit.wins") if score.seat in result.winners else ""
        goods, crowns = sum(good.points for good in score.goods), sum(crown.points for crown in score.crowns)
        rows.append((name, *map(str, (score.gold, goods, crowns, score.total)), wins))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:-1], widths[1:-1]), row[-1]]).rstrip() for row in rows
    ]
