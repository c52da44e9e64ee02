"""A game begins: words that the players compare, while the deck is being shuffled."""

from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.frame import draw_frame
from p2p_sheriff.fronts.tui.keyboard import Keys, readings, unknown_key
from p2p_sheriff.fronts.tui.screen import Pop, Pressed, Screen
from p2p_sheriff.seat.intents import LeaveGame
from p2p_sheriff.seat.picture import Notice
from p2p_sheriff.seat.words import Words

_WIDTH, _HEIGHT = 70, 17


@dataclass(frozen=True, slots=True)
class Beginning(Screen):
    """The words of a game; left with Enter."""

    words: Words
    names: tuple[str, ...]
    """The players, by seat."""
    compared: tuple[str, ...]
    """The words of the table."""
    notice: Notice | None = None

    def press(self, key: str) -> Pressed:
        """Goes on to the table."""
        if key in ("enter", "c-c"):
            return self, (Pop(),)
        if "d" in readings(key):
            return self, (Pop(), LeaveGame())
        return replace(self, notice=unknown_key(self.words, key, self._keys())), ()

    def _keys(self) -> Keys:
        return ("Enter", "key.to_table"), ("d", "key.differ")

    def draw(self, canvas: Canvas) -> None:
        """Draws the words, large enough to be read aloud."""
        words = self.words
        body = draw_frame(canvas, words, words("begin.title"), "", self.notice, words("begin.prompt"), self._keys())
        page = body.part((body.width - _WIDTH) // 2, (body.height - _HEIGHT) // 2, _WIDTH, _HEIGHT)
        page.put_wrapped(0, 0, words("begin.players", names=words.listed(self.names)), "muted", 2)
        page.put(0, 3, words("begin.words"), "strong")
        inner = page.part(0, 4, page.width, 4).box("", "border.on", heavy=True)
        half = (len(self.compared) + 1) // 2
        inner.put_centred(0, "   ".join(self.compared[:half]), "title")
        inner.put_centred(1, "   ".join(self.compared[half:]), "title")
        y = page.put_wrapped(0, 9, words("begin.compare"))
        y = page.put_wrapped(0, y, words("begin.differ"), "strong")
        page.put_wrapped(0, y + 1, words("begin.shuffle"), "muted")
