"""A finished game on the screen of the game: forward, back, by round, by bag, or playing by itself."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from p2p_sheriff.fronts.tui.canvas import Canvas, Piece, bar
from p2p_sheriff.fronts.tui.help import HelpScreen
from p2p_sheriff.fronts.tui.keyboard import Keys, draw_keys, readings, unknown_key
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.questions import shown
from p2p_sheriff.fronts.tui.revealing import moved_on
from p2p_sheriff.fronts.tui.screen import AskHelp, Pop, Pressed, Push, Wish
from p2p_sheriff.fronts.tui.table import draw_table
from p2p_sheriff.fronts.tui.table import press as press_table
from p2p_sheriff.rules import Phase
from p2p_sheriff.seat.film import Film
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.seat.words import Words

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Steps in a second."""
_UNHURRIED: Final = 2.0
"""Up to this speed a bag that opens is shown card by card."""
_PANELS: Final = ("g", "d", "v", "?", "f1")
"""What the table itself shows."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A film, at one of its pictures."""

    film: Film
    words: Words
    place: int
    shown: Model
    """The picture, with what was opened over it."""
    is_playing: bool = False
    speed: int = 1
    now: float = 0.0
    due: float = 0.0
    """When the next picture comes, while it plays."""

    @classmethod
    def of(cls, film: Film, words: Words) -> "Replay":
        """Returns the film of a game that was checked, at its beginning, and says whether it came to its end."""
        notice = words("replay.valid" if film.is_over else "replay.unfinished")
        return cls(film, words, 0, _model(film.pictures[0]).saying(notice))

    # -- time

    def at(self, now: float) -> "Replay":
        """Returns what is shown at that time: while it plays, the next picture when this one was long enough."""
        then = replace(self, now=now, shown=moved_on(replace(self.shown, now=now)))
        if not then.is_playing or then.shown.reveals or now < then.due:
            return then
        if then.place == len(then.film) - 1:
            return replace(then, is_playing=False)
        return then._forward()

    @property
    def moves(self) -> bool:
        """Whether it plays, or a bag opens."""
        return self.is_playing or bool(self.shown.reveals)

    # -- places

    def _forward(self) -> "Replay":
        """Returns the next picture; a bag opens in front of the player's eyes."""
        return self._to(self.place + 1, opening=not self.is_playing or SPEEDS[self.speed] <= _UNHURRIED)

    def _to(self, place: int, *, opening: bool = False) -> "Replay":
        picture = self.film.pictures[place]
        model = _model(picture if opening else replace(picture, reveals=()))
        shown = moved_on(replace(model, now=self.now))
        return replace(self, place=place, shown=shown, due=self.now + 1 / SPEEDS[self.speed])

    def _paused(self) -> "Replay":
        return replace(self, is_playing=False, shown=replace(self.shown, reveals=(), notice=None))

    def _saying(self, key: str) -> "Replay":
        return replace(self, shown=self.shown.saying(self.words(key)))

    # -- keys

    def press(self, key: str) -> Pressed:
        """Moves through the game, or opens what can be looked at."""
        if self.shown.overlay is not None:
            return self._on_the_table(key)
        for one in readings(key):
            if (pressed := self._press(one)) is not None:
                return pressed
        return replace(self, shown=replace(self.shown, notice=unknown_key(self.words, key, self._keys()))), ()

    def _press(self, key: str) -> Pressed | None:
        if key == "space":
            return self._played(), ()
        if key in ("+", "=", "-"):
            step = -1 if key == "-" else 1
            return replace(self, speed=max(0, min(len(SPEEDS) - 1, self.speed + step)), due=self.now), ()
        if (moved := self._paused()._moved(key)) is not None:
            return moved, ()
        if key in ("q", "c-c", "escape"):
            return self, (Pop(),)
        if key in _PANELS or (key == "tab" and self._is_over):
            return self._paused()._on_the_table(key)
        return None

    def _played(self) -> "Replay":
        if self.is_playing:
            return self._paused()
        start = self._to(0) if self.place == len(self.film) - 1 else self
        return replace(start, is_playing=True, due=self.now)

    def _moved(self, key: str) -> "Replay | None":
        """Returns the place that a key goes to; None if it goes nowhere."""
        last = len(self.film) - 1
        match key:
            case "right" | "enter" | "wheel-down":
                return self._forward() if self.place < last else self._saying("replay.last")
            case "left" | "backspace" | "wheel-up":
                return self._to(self.place - 1) if self.place else self._saying("replay.first")
            case "down" | "pagedown" | "r":
                return self._after(self.film.rounds(), "replay.no_round")
            case "up" | "pageup" | "R":
                return self._to(max((place for place in self.film.rounds() if place < self.place), default=0))
            case "b":
                return self._after(self.film.bags(), "replay.no_bag", opening=True)
            case "B":
                before = [place for place in self.film.bags() if place < self.place]
                return self._to(before[-1], opening=True) if before else self._saying("replay.no_bag")
            case "home":
                return self._to(0)
            case "end":
                return self._to(last)
            case _ if key.startswith("place:"):
                return self._to(min(last, int(key.removeprefix("place:"))))
            case _:
                return None

    def _after(self, places: Iterator[int], otherwise: str, *, opening: bool = False) -> "Replay":
        place = next((place for place in places if place > self.place), None)
        return self._saying(otherwise) if place is None else self._to(place, opening=opening)

    def _on_the_table(self, key: str) -> Pressed:
        shown, intents = press_table(replace(self.shown, calm_until=0.0), key)
        pushed: tuple[Wish, ...] = ()
        if shown.told is not None and any(isinstance(intent, AskHelp) for intent in intents):
            pushed = (Push(HelpScreen.of(shown.told.setup, shown.words)),)
        return replace(self, shown=shown), pushed

    @property
    def _is_over(self) -> bool:
        return self.shown.told is not None and self.shown.told.phase is Phase.OVER

    # -- the picture

    def draw(self, canvas: Canvas) -> None:
        """Draws the table as it was, and under it where in the game this is."""
        draw_table(self.shown, canvas)
        if self.shown.overlay is not None:
            return
        footer = canvas.part(0, canvas.height - 3, canvas.width, 3)
        footer.forget_clicks()
        footer.fill()
        self._draw_timeline(footer.part(0, 0, footer.width, 1))
        self._draw_news(footer.part(0, 1, footer.width, 1))
        draw_keys(self.words, footer.part(0, 2, footer.width, 1), self._keys())

    def _draw_timeline(self, line: Canvas) -> None:
        words, last = self.words, len(self.film) - 1
        cells = max(10, line.width - 60)
        place = words("replay.place", step=self.place, steps=last)
        speed = words("replay.speed", speed=f"x{SPEEDS[self.speed]:g}")
        seat = self.shown.seat
        whose = words("replay.public") if seat is None else words("replay.own", name=self.shown.name(seat))
        full, empty = bar(self.place, last, cells)
        pieces: list[Piece] = [("win", "▶ " if self.is_playing else "■ "), ("win", full), ("bar.empty", empty)]
        pieces += [("strong", f" {place}"), ("muted", f" · {speed} · {whose}")]
        line.put_pieces(1, 0, pieces)
        for cell in range(cells):
            line.click(f"place:{-(-cell * last // max(1, cells - 1))}", 3 + cell, 0, 1)

    def _draw_news(self, line: Canvas) -> None:
        notice, log = self.shown.notice, self.shown.log
        style = "prompt.refused" if notice and notice.refused else "prompt"
        line.fill(style)
        text = notice.text if notice else log[-1].text if log else self.words("replay.begin")
        line.put(1, 0, text, style, line.width - 2)

    def _keys(self) -> Keys:
        play = "replay.key.pause" if self.is_playing else "replay.key.play"
        now: Keys = (("Tab", "key.sheet"),) if self._is_over else (("b", "replay.key.bag"), ("+-", "replay.key.speed"))
        always = ("←→", "replay.key.step"), ("↑↓", "replay.key.round"), ("Space", play)
        panels = ("g", "key.log"), ("d", "key.piles"), ("v", "key.proofs")
        return *always, *now, ("q", "key.quit"), ("?", "key.help"), *panels


def _model(picture: Picture) -> Model:
    return shown(Model(picture.names, picture.words), picture)
