"""A summary as JSON for programs, and as tables for people."""

import json
from collections.abc import Iterator, Sequence

from p2p_sheriff.bots import STYLES
from p2p_sheriff.lab.simulate.series import Series
from p2p_sheriff.lab.simulate.statistics import QUANTILES, Rate, Spread, rate, spread
from p2p_sheriff.lab.simulate.summary import Cohort, Summary

# -- JSON


def as_json(series: Series, summary: Summary) -> str:
    """Return the summary as JSON: the same bytes for the same series."""
    setup = series.setup
    plain = {
        "players": setup.players,
        "edition": setup.edition.value,
        "options": sorted(setup.options),
        "extra": [good.kind for good in setup.extra],
        "seed": series.seed,
        "games": series.games,
        "styles": list(series.styles),
        "fair_share": _short(1 / setup.players),
        "by_style": {style: _group_to_plain(group) for style, group in _by_style(summary)},
        "by_seat": [_group_to_plain(summary.by_seat[seat]) for seat in setup.seats],
        "all": _group_to_plain(summary.everyone),
        "rounds": _spread_to_plain(spread(summary.rounds)),
        "cards_left_in_deck": _spread_to_plain(spread(summary.deck_left)),
    }
    return json.dumps(plain, indent=2)


def _short(value: float) -> float:
    return round(value, 4)


def _by_style(summary: Summary) -> Iterator[tuple[str, Cohort]]:
    return ((style, summary.by_style[style]) for style in STYLES if style in summary.by_style)


def _group_to_plain(group: Cohort) -> dict[str, object]:
    tally = group.tally
    return {
        "seats_played": len(group.scores),
        "wins": _rate_to_plain(group.win_rate),
        "score": _spread_to_plain(group.score),
        "bags": {
            "count": tally.bags,
            "passed": _rate_to_plain(rate(tally.passed_true + tally.passed_lies, tally.bags)),
            "inspected": _rate_to_plain(rate(tally.inspected_true + tally.inspected_lies, tally.bags)),
            "lies": _rate_to_plain(rate(tally.lies, tally.bags)),
            "lies_caught": _rate_to_plain(rate(tally.inspected_lies, tally.lies)),
        },
        "deals": {
            "offers": tally.offers,
            "closed": tally.bribes,
            "gold": tally.bribe_gold,
            "mean_gold": _short(tally.bribe_gold / tally.bribes) if tally.bribes else 0.0,
            "goods": tally.bribe_goods,
            "about_others": tally.deals_about_others,
        },
    }


def _rate_to_plain(share: Rate) -> dict[str, float]:
    return {
        "count": _short(float(share.successes)),
        "rate": _short(share.value),
        "low": _short(share.low),
        "high": _short(share.high),
    }


def _spread_to_plain(numbers: Spread) -> dict[str, object]:
    return {
        "mean": _short(numbers.mean),
        "error": _short(numbers.error),
        "deviation": _short(numbers.deviation),
        "least": numbers.least,
        "quantiles": {str(point): value for point, value in zip(QUANTILES, numbers.quantiles, strict=True)},
        "most": numbers.most,
    }


# -- tables


def as_text(series: Series, summary: Summary) -> str:
    """Return the summary as tables."""
    setup = series.setup
    options = ", ".join(sorted(setup.options)) or "no options"
    groups = [
        *_by_style(summary),
        *((f"seat {seat}", summary.by_seat[seat]) for seat in setup.seats),
        ("all", summary.everyone),
    ]
    parts = (
        f"{series.games} games, {setup.players} players, {setup.edition.value} edition, {options}, seed {series.seed}",
        _table(("", "seats", "wins", "95 % interval", "score", "sd", *(f"{point} %" for point in QUANTILES)), (
            (name, str(len(group.scores)), *_shown_rate(group.win_rate), *_shown_score(group.score))
            for name, group in groups
        )),
        f"A fair share of wins is {1 / setup.players:.1%}. The last columns are quantiles of the score.",
        _table(("bags", "count", "passed", "lies", "lies caught", "true inspected"), (
            (name, str(group.tally.bags), *_shown_bags(group)) for name, group in groups
        )),
        _table(("deals", "offers", "closed", "mean gold", "goods", "about others"), (
            (name, *_shown_deals(group)) for name, group in groups
        )),
        f"Rounds: {_shown_spread(spread(summary.rounds))}",
        f"Cards left in the deck: {_shown_spread(spread(summary.deck_left))}",
    )  # fmt: skip
    return "\n\n".join(parts)


def _table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        )
        for line in lines
    )


def _shown_rate(share: Rate) -> tuple[str, str]:
    return f"{share.value:.1%}", f"{share.low:.1%} - {share.high:.1%}"


def _shown_score(score: Spread) -> tuple[str, ...]:
    return f"{score.mean:.1f} ± {score.error:.1f}", f"{score.deviation:.1f}", *(str(value) for value in score.quantiles)


def _shown_bags(group: Cohort) -> tuple[str, ...]:
    tally = group.tally
    true = tally.bags - tally.lies
    shares = (
        rate(tally.passed_true + tally.passed_lies, tally.bags),
        rate(tally.lies, tally.bags),
        rate(tally.inspected_lies, tally.lies),
        rate(tally.inspected_true, true),
    )
    return tuple(f"{share.value:.1%}" if share.of else "-" for share in shares)


def _shown_deals(group: Cohort) -> tuple[str, ...]:
    tally = group.tally
    mean = f"{tally.bribe_gold / tally.bribes:.1f}" if tally.bribes else "-"
    return str(tally.offers), str(tally.bribes), mean, str(tally.bribe_goods), str(tally.deals_about_others)


def _shown_spread(numbers: Spread) -> str:
    if numbers.least == numbers.most:
        return str(numbers.least)
    return f"{numbers.mean:.1f} ± {numbers.error:.1f} ({numbers.least} to {numbers.most})"
