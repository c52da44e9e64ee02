"""A summary as JSON for programs, and as tables for people."""

import json
from collections.abc import Iterator, Sequence

from p2p_sheriff.lab.simulate.entrants import NAMES
from p2p_sheriff.lab.simulate.series import Series
from p2p_sheriff.lab.simulate.statistics import QUANTILES, Rate, Spread, rate, spread
from p2p_sheriff.lab.simulate.summary import Cohort, Summary
from p2p_sheriff.lab.simulate.tournament import PLAYERS, SEEDS, Measure, Tournament
from p2p_sheriff.rules import Pack, Setup
from p2p_sheriff.rules.modules.packs import cards_of

# -- JSON


def as_json(series: Series, summary: Summary) -> str:
    """Return the summary as JSON: the same bytes for the same series."""
    setup = series.setup
    plain: dict[str, object] = {
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
    if setup.timed:
        plain["times_up"] = _rate_to_plain(_times_up(summary))
    if setup.packs:
        plain["played"] = {pack.value: dict(_played(setup, summary, pack)) for pack in setup.packs}
    return json.dumps(plain, indent=2)


def _times_up(summary: Summary) -> Rate:
    """Give in how many of the rounds the time for the bags ran out."""
    return rate(summary.times_up, sum(summary.rounds))


def _played(setup: Setup, summary: Summary, pack: Pack) -> Iterator[tuple[str, int]]:
    """Give how often each card of a module was played, never ones too."""
    return ((name, summary.played[pack, name]) for name in dict.fromkeys(cards_of(setup, pack)))


def _short(value: float) -> float:
    return round(value, 4)


def _by_style(summary: Summary) -> Iterator[tuple[str, Cohort]]:
    return ((style, summary.by_style[style]) for style in NAMES if style in summary.by_style)


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
        "judged": {
            "lies_opened": _rate_to_plain(rate(tally.opened_lies, tally.judged_lies)),
            "true_opened": _rate_to_plain(rate(tally.opened_true, tally.judged_true)),
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
        *([f"The time for the bags ran out in {_times_up(summary).value:.1%} of the rounds."] if setup.timed else []),
        *(
            f"{pack.value.capitalize()} played: "
            + ", ".join(f"{name} {count}" for name, count in _played(setup, summary, pack))
            for pack in setup.packs
        ),
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


# -- the tournament


def figures_as_json(tournament: Tournament, figures: Sequence[Measure]) -> str:
    """Return what a tournament has measured as JSON: the same bytes for the same tournament."""
    plain = {
        "players": PLAYERS,
        "games": tournament.games,
        "seeds": [tournament.seed + number for number in range(SEEDS)],
        "holds": all(figure.holds for figure in figures),
        "figures": [
            {
                "part": figure.part,
                "who": figure.who,
                "what": figure.what,
                "seed": figure.seed,
                "value": _short(figure.value),
                "least": figure.least,
                "most": figure.most,
                "holds": figure.holds,
            }
            for figure in figures
        ],
    }
    return json.dumps(plain, indent=2)


def figures_as_text(tournament: Tournament, figures: Sequence[Measure]) -> str:
    """Return the same as a table: a line for each figure, a column for each seed."""
    seeds = [tournament.seed + number for number in range(SEEDS)]
    by_line: dict[tuple[str, str, str], list[Measure]] = {}
    for figure in figures:
        by_line.setdefault((figure.part, figure.who, figure.what), []).append(figure)
    rows = (
        (" ".join((part, who)), what, *(f"{one.value:.3f}" for one in line), _bounds(line[0]), _verdict(line))
        for (part, who, what), line in by_line.items()
    )
    head = ("", "", *(f"seed {seed}" for seed in seeds), "wanted", "")
    return f"{tournament.games} games of everybody with each seed\n\n{_table(head, rows)}"


def _bounds(figure: Measure) -> str:
    least, most = figure.least > 0, figure.most not in (1.0, 99.0)
    low, high = f"{figure.least:.2f}", f"{figure.most:.2f}"
    return f"{low} - {high}" if least and most else f"from {low}" if least else f"to {high}" if most else "-"


def _verdict(line: Sequence[Measure]) -> str:
    return "ok" if all(figure.holds for figure in line) else "NO"
