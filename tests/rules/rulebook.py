"""The text of the rules, read by tests that compare the engine with it."""

import re
from pathlib import Path

RULES = Path(__file__).parents[2] / "docs" / "rules.md"


def sections() -> dict[int, str]:
    """Return the text of every section by its number."""
    parts = re.split(r"^## (\d+) ", RULES.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {int(number): text for number, text in zip(parts[1::2], parts[2::2], strict=True)}


def numbered_rules(section: int) -> list[str]:
    """Return the numbers of all rules of a section, such as "7.5"."""
    return re.findall(rf"^- ({section}\.\d+) ", sections()[section], flags=re.MULTILINE)


def table(section: int) -> list[list[str]]:
    """Return the rows of the first table of a section, without its head."""
    lines = [line for line in sections()[section].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
