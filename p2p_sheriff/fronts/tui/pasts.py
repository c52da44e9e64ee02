"""Who sits here: people or bots, and what each of them did, round by round; whose words are shown."""

from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.confirming import box_in
from p2p_sheriff.fronts.tui.keyboard import Keys
from p2p_sheriff.fronts.tui.model import Dialogue, Model, Turn
from p2p_sheriff.fronts.tui.summing import fate_in_words, said_in_words
from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.seat.intents import Mute

_SAID, _FATE, _PAID = 4, 24, 46


@dataclass(frozen=True, slots=True)
class Past(Dialogue):
    """The past of one player; the others are an arrow away."""

    seat: Seat
    scroll: int = 0

    def press(self, model: Model, key: str) -> Turn | None:
        """Turns to another player, scrolls, mutes, or goes back."""
        match key:
            case "escape" | "h":
                return model.over(None), ()
            case "left" | "right" | "tab" | "backtab":
                step = -1 if key in ("left", "backtab") else 1
                return model.over(Past(Seat((self.seat + step) % len(model.names)))), ()
            case "up" | "wheel-up":
                return model.over(replace(self, scroll=max(0, self.scroll - 1))), ()
            case "down" | "wheel-down":
                return model.over(replace(self, scroll=self.scroll + 1)), ()
            case "m" if self._can_be_muted(model):
                return model, (Mute(self.seat, self.seat not in model.muted),)
            case _:
                return None

    def _can_be_muted(self, model: Model) -> bool:
        return model.seat is not None and self.seat != model.seat

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws a line for every round, and under it what was set aside and promised."""
        words = model.words
        inner = box_in(canvas, canvas.width, canvas.height, self.prompt(model), heavy=False)
        lines: list[tuple[str, str, str, str, str]] = []
        for round_ in model.rounds:
            doing = round_.players[self.seat]
            paid = words("history.paid", n=doing.bribes) if doing.bribes else ""
            got = words("history.got", n=doing.received) if doing.received else ""
            said, (style, fate) = said_in_words(model, round_, self.seat), fate_in_words(model, doing)
            lines.append((str(round_.number), said, style, fate, " ".join(filter(None, (paid, got)))))
            aside = count_goods(model.state.setup, doing.aside) if model.state is not None else ()
            notes = [words("player.aside", goods=words.goods(aside))] if aside else []
            notes += [words("deal.promise", promise=one) for one in doing.promises]
            lines += [("", note, "", "", "") for note in notes]
        if not lines:
            inner.put(0, 0, words("log.empty"), "muted")
        first = min(self.scroll, max(0, len(lines) - inner.height))
        for y, (number, said, style, fate, paid) in enumerate(lines[first : first + inner.height]):
            inner.put(0, y, number, "title")
            inner.put(_SAID, y, said, "declared" if number else "muted", _FATE - _SAID - 1 if number else None)
            inner.put(_FATE, y, fate, style, _PAID - _FATE - 1)
            inner.put(_PAID, y, paid, "gold")
        return canvas.height

    def prompt(self, model: Model) -> str:
        """Returns who is looked at: a person, or a bot of which kind."""
        name, words = model.name(self.seat), model.words
        who = words("history.title", name=name)
        if (style := model.bots.get(self.seat)) is not None:
            who = words("history.title_bot", name=name, style=words.style(style))
        return f"{who} · {words('history.muted')}" if self.seat in model.muted else who

    def keys(self, model: Model) -> Keys:
        """Returns what can be pressed."""
        mute = ("m", "key.unmute" if self.seat in model.muted else "key.mute")
        who = ("←→", "key.player"), ("↑↓", "key.scroll")
        return *who, *((mute,) if self._can_be_muted(model) else ()), ("Esc", "key.back")
