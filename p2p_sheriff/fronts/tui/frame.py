"""What screens outside a game have in common: a header, a line for sentences, what is asked, and the keys."""

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys, draw_keys, lines_of_keys
from p2p_sheriff.seat.picture import Notice
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import clip
from p2p_sheriff.texts.cleaning import clean


def draw_frame(
    canvas: Canvas,
    words: Words,
    title: str,
    right: str,
    notice: Notice | None,
    asked: str,
    keys: Keys,
    keys_behind: Keys = (),
) -> Canvas:
    """Draws the lines at the top and at the bottom; returns the part between them.

    It leaves room for `keys_behind` too, so that nothing moves when a dialogue with fewer keys opens.
    """
    lines = lines_of_keys(words, keys, canvas.width)
    rows = 2 + max(len(lines), len(lines_of_keys(words, keys_behind, canvas.width)))
    header = canvas.part(0, 0, canvas.width, 1)
    header.fill("header")
    start = header.put_right(0, clip(clean(right), canvas.width // 2), "header", 1)
    header.put(1, 0, title, "header.strong", max(0, start - 3))
    footer = canvas.part(0, canvas.height - rows, canvas.width, rows)
    if notice is not None:
        style = "prompt.refused" if notice.refused else "strong"
        line = footer.part(0, 0, footer.width, 1)
        if notice.refused:
            line.fill(style)
        line.put(1, 0, notice.text, style, line.width - 2)
    line = footer.part(0, 1, footer.width, 1)
    line.fill("prompt")
    line.put(1, 0, asked, "prompt", line.width - 2)
    for y, some in enumerate(lines, start=2):
        draw_keys(words, footer.part(0, y, footer.width, 1), some)
    return canvas.part(0, 1, canvas.width, canvas.height - 1 - rows)
