"""Paints screens as images: letters of a terminal font in the colours of the theme."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NewType

import pyte
from PIL import Image, ImageDraw, ImageFont
from wcwidth import wcwidth

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.theme import LOOKS, Depth

FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "~/.fonts", "~/.local/share/fonts")
FONT, BOLD = "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"
WIDE_FONTS = ("NotoSansCJK-Regular.ttc", "NotoSansMonoCJK-Regular.ttc", "unifont.otf", "unifont.ttf", "wqy-zenhei.ttc")
"""Any of these for letters that take two cells."""

_INK, _PAPER = re.findall(r"#(\w{6})", LOOKS[""].colours)


class MissingFontError(Exception):
    """A font is not installed."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """One cell of a screen; an empty letter is the right half of a wide one."""

    letter: str
    ink: str = _INK
    paper: str = _PAPER
    bold: bool = False


Grid = NewType("Grid", tuple[tuple[Glyph, ...], ...])
"""A screen, line by line."""


def grid_of_canvas(canvas: Canvas) -> Grid:
    """Returns a drawn screen in the colours of the theme."""
    return Grid(tuple(tuple(_styled(style, letter) for style, letter in line) for line in canvas.to_cells()))


def _styled(style: str, letter: str) -> Glyph:
    look = LOOKS[style].at(Depth.TRUE)
    paper = re.search(r"bg:#(\w{6})", look)
    ink = re.search(r"(?<!bg:)#(\w{6})", look)
    return Glyph(letter, ink[1] if ink else _INK, paper[1] if paper else _PAPER, "bold" in look)


def grid_of_terminal(screen: pyte.Screen) -> Grid:
    """Returns what a terminal with true colours shows."""
    lines = []
    for y in range(screen.lines):
        cells = (screen.buffer[y][x] for x in range(screen.columns))
        lines.append(tuple(Glyph(one.data, _hex(one.fg, _INK), _hex(one.bg, _PAPER), one.bold) for one in cells))
    return Grid(tuple(lines))


def _hex(colour: str, default: str) -> str:
    return colour if re.fullmatch(r"[0-9a-f]{6}", colour) else default


@cache
def _find(names: tuple[str, ...]) -> Path:
    for name in names:
        for folder in FOLDERS:
            for path in sorted(Path(folder).expanduser().rglob(name)):
                return path
    raise MissingFontError(
        f"Pictures need one of these fonts, and none is installed: {', '.join(names)}. "
        "The packages fonts-dejavu-core and fonts-noto-cjk (or unifont) have them."
    )


@cache
def _font(names: tuple[str, ...], size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_find(names), size)


def paint(grid: Grid, size: int = 15) -> Image.Image:
    """Returns a picture with letters of this size, in as few colours as it has."""
    plain = _font((FONT,), size)
    wide, high = round(plain.getlength("M")), sum(plain.getmetrics()) - 1  # So that lines of boxes touch.
    image = Image.new("RGB", (wide * len(grid[0]), high * len(grid)), f"#{_PAPER}")
    brush = ImageDraw.Draw(image)
    for x, y, glyph in _placed(grid):
        if glyph.paper != _PAPER:
            brush.rectangle((x * wide, y * high, (x + 1) * wide - 1, (y + 1) * high - 1), f"#{glyph.paper}")
    for x, y, glyph in _placed(grid):
        if glyph.letter.strip():
            names = WIDE_FONTS if wcwidth(glyph.letter[0]) > 1 else (BOLD if glyph.bold else FONT,)
            brush.text((x * wide, y * high), glyph.letter, f"#{glyph.ink}", _font(names, size))
    return image


def _placed(grid: Grid) -> Iterator[tuple[int, int, Glyph]]:
    for y, line in enumerate(grid):
        for x, glyph in enumerate(line):
            yield x, y, glyph


def save_png(grid: Grid, path: Path, size: int = 15) -> None:
    """Paints a screen into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    paint(grid, size).quantize(128, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)


def save_gif(frames: Iterable[tuple[Grid, float]], path: Path, size: int = 12) -> None:
    """Paints screens one after the other into a moving picture, each for so many seconds; it begins again and again."""
    painted = [(paint(grid, size), seconds) for grid, seconds in frames]
    # One palette for all, made of some pictures side by side: colours that changed would make every frame a whole one.
    some = [image for image, _ in painted[:: max(1, len(painted) // 8)]]
    sheet = Image.new("RGB", (some[0].width, sum(image.height for image in some)))
    for place, image in enumerate(some):
        sheet.paste(image, (0, place * image.height))
    palette = sheet.quantize(96, kmeans=2, dither=Image.Dither.NONE)
    first, *rest = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image, _ in painted)
    durations = [round(seconds * 1000) for _, seconds in painted]
    first.save(path, save_all=True, append_images=rest, duration=durations, loop=0, optimize=False, disposal=1)
