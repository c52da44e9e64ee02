"""The pictures of the documentation are there, and small; `make pictures` makes them anew."""

import re
from pathlib import Path

from tests.fronts.tui.pictures import SIZES, screens

ROOT = Path(__file__).parents[3]
SCREENS = ROOT / "docs" / "screens"
NAMED = re.compile(r"docs/screens/[\w./-]+")


def test_every_picture_that_the_readme_names_is_there() -> None:
    named = NAMED.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert {Path(name).suffix for name in named} >= {".png", ".gif"}
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_pictures_are_small() -> None:
    sizes = {path: path.stat().st_size for path in SCREENS.rglob("*") if path.is_file()}
    assert {path.suffix for path in sizes} == {".png", ".gif"}
    assert sum(sizes.values()) < 5_000_000
    assert all(size < (2_000_000 if path.suffix == ".gif" else 100_000) for path, size in sizes.items())


def test_there_are_pictures_of_every_phase_in_all_sizes() -> None:
    wanted = {f"{name.replace('_', '-')}-{width}x{height}.png" for name in screens() for width, height in SIZES}
    assert len(wanted) > 3 * 20
    assert {path.name for path in (SCREENS / "phases").iterdir()} == wanted
