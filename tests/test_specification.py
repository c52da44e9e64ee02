"""What docs/protocol.md says of lists, names and versions is so, and what it points to is there."""

import re
from collections import Counter
from pathlib import Path

from p2p_sheriff.node.discovery import SERVICE
from p2p_sheriff.node.handshake import WIRE
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.wire import MAX_FRAME_BYTES
from p2p_sheriff.node.wordlist import WORDS
from p2p_sheriff.rules import Setup
from p2p_sheriff.rules.cards import Pack
from p2p_sheriff.rules.modules.packs import rows_of
from p2p_sheriff.rules.setup import PACKS
from p2p_sheriff.session.terms import GAME
from protocol.faults import FaultCode
from protocol.hashing import PROTOCOL

PAGE = (Path(__file__).parents[1] / "docs" / "protocol.md").read_text("utf-8")
HEADINGS = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)


def anchor(heading: str) -> str:
    """Returns what a link to a heading says."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_link_within_the_page_leads_to_a_heading() -> None:
    anchors = Counter(map(anchor, HEADINGS))
    assert {link for link in re.findall(r"\]\(#([^)]+)\)", PAGE) if anchors[link] != 1} == set()


def test_the_contents_name_every_chapter() -> None:
    contents = PAGE[: PAGE.index("## Conventions")]
    chapters = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert [chapter for chapter in chapters if f"(#{anchor(chapter)})" not in contents] == []


def test_reasons_and_costs_are_in_the_appendix() -> None:
    specified, appendix = PAGE.split("## Appendix (informative)")
    reasons = re.compile(r"^#+ .*(?:Rationale|Why|Cost|Operations of|conclude|informative).*$", re.MULTILINE)
    assert reasons.findall(specified) == []
    assert len(reasons.findall(appendix)) > 10
    assert "## " not in re.sub(r"^### .*$", "", appendix, flags=re.MULTILINE), "nothing normative follows it"


def test_versions_are_those_that_are_spoken() -> None:
    for version in (PROTOCOL, GAME, WIRE):
        assert f"`{version}`" in PAGE
    assert set(re.findall(r"`(sheriff/\d+)`", PAGE)) == {GAME}


def test_the_list_of_words_is_the_one_that_nodes_use() -> None:
    listed = re.search(r"^    acorn(?:.*\n)+?\n", PAGE, re.MULTILINE)
    assert listed is not None
    assert tuple(listed[0].split()) == WORDS


def test_how_nodes_find_each_other_and_show_that_they_live_is_as_they_do() -> None:
    timing = Timing()
    assert f"`{SERVICE}`" in PAGE
    assert f"Every {timing.heartbeat_seconds} s a node sends [`ping`]" in PAGE
    assert f"after {timing.dead_after_seconds} s without any" in PAGE
    assert f"at most {MAX_FRAME_BYTES >> 10} KiB" in PAGE


def test_every_code_of_a_fault_has_its_line() -> None:
    lines = re.findall(r"^\| (\d+) \| ([A-Z_]+) \|", PAGE, re.MULTILINE)
    assert [(int(code), name) for code, name in lines] == [(code.value, code.name) for code in FaultCode]


def test_the_cards_of_modules_are_listed_as_they_stand_in_the_terms() -> None:
    everything = Setup(4, options=frozenset(PACKS))
    assert {pack: _listed(pack) for pack in Pack} == {pack: rows_of(everything, pack) for pack in Pack}


def _listed(pack: Pack) -> tuple[tuple[str | int, ...], ...]:
    """Returns the rows of the table of a module: cells, of which the last may hold several figures, or none."""
    table = re.search(rf"^\| {pack.value}: .*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert table is not None
    rows = (re.split(r" \| |, ", line.strip("| ")) for line in table[1].splitlines())
    return tuple(tuple(int(cell) if cell.isdigit() else cell for cell in row) for row in rows)
