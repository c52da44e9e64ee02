"""The end of a round in one look: who said what, whether it was true, and what it brought. It waits for people."""

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.confirming import box_in
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.moves import Verb
from p2p_sheriff.seat.chronicle import Doing, Round

SECONDS = 20.0
"""So long it stays by itself."""
_SAID, _FATE, _GOLD = 16, 36, 58


def draw_summary(model: Model, canvas: Canvas, round_: Round) -> None:
    """Draws what the round was, over the table."""
    words = model.words
    inner = box_in(canvas, 76, len(round_.players) + 5, words("summary.title", n=round_.number))
    for x, key in ((0, "who"), (_SAID, "said"), (_FATE, "fate"), (_GOLD, "gold")):
        inner.put(x, 0, words(f"summary.{key}"), "title")
    for y, doing in enumerate(round_.players, start=1):
        seat = Seat(y - 1)
        inner.put(0, y, model.name(seat), "name.me" if seat == model.seat else "name", _SAID - 1)
        inner.put(_SAID, y, said_in_words(model, round_, seat), "declared", _FATE - _SAID - 1)
        style, text = fate_in_words(model, doing)
        inner.put(_FATE, y, text, style, _GOLD - _FATE - 1)
        gain = f"{doing.gain:+d}" if doing.gain else "·"
        inner.put(_GOLD, y, words("summary.has", n=doing.gold + doing.gain, gain=gain), "gold", inner.width - _GOLD)
    inner.put_right(inner.height - 1, words("key.skip", key=words.cap("Enter")), "faint")
    canvas.click("enter", 0, 0, canvas.width, canvas.height)


def said_in_words(model: Model, round_: Round, seat: Seat) -> str:
    """Returns what somebody declared in a round, or that they were the sheriff."""
    doing = round_.players[seat]
    if seat in round_.officers:
        return model.words("player.sheriff" if len(round_.officers) == 1 else "player.deputy")
    return f"“{model.words.counted(doing.declared[1], doing.declared[0])}”" if doing.declared else "·"


def fate_in_words(model: Model, doing: Doing) -> tuple[str, str]:
    """Returns what became of a bag, with its style: who looked, and whether it was true as far as all know."""
    words = model.words
    match doing.fate, doing.is_true:
        case Verb.PASS, False:
            hidden = sum(kind is None for kind in doing.cards)
            return (
                ("good.contraband", words("history.smuggled", n=hidden))
                if hidden
                else ("passed", words("history.mixed"))
            )
        case Verb.PASS, _:
            return "passed", words("player.passed")
        case Verb.INSPECT, False:
            return "loss", words("player.caught")
        case Verb.INSPECT, True:
            return "win", words("player.proved")
        case Verb.INSPECT, None:
            return "inspected", words("player.inspected")
        case _:
            return "muted", "·"
