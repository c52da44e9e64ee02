"""The screen of a game: what lies on the table, what is asked, and which keys answer it."""

from dataclasses import dataclass, replace
from itertools import takewhile

from p2p_sheriff.fronts.tui import commons, notices
from p2p_sheriff.fronts.tui.canvas import Canvas, Piece, bar
from p2p_sheriff.fronts.tui.confirming import Confirming, Leaving
from p2p_sheriff.fronts.tui.desk import Desk
from p2p_sheriff.fronts.tui.hand import CARD_ROWS, Marks, draw_cards, own_cards
from p2p_sheriff.fronts.tui.keyboard import Keys, cells_of_keys, draw_keys, readings, unknown_key
from p2p_sheriff.fronts.tui.ledger import draw_ledger, height_of
from p2p_sheriff.fronts.tui.model import Dialogue, Model, Turn
from p2p_sheriff.fronts.tui.options import Options
from p2p_sheriff.fronts.tui.panels import Chat, Log, Piles, Proofs, draw_log
from p2p_sheriff.fronts.tui.pasts import Past
from p2p_sheriff.fronts.tui.revealing import REVEAL_KEYS, draw_reveal, is_shown, moved_on, skipped, title_of
from p2p_sheriff.fronts.tui.score import Sheet
from p2p_sheriff.fronts.tui.screen import AskHelp, Pressed, SwitchBell
from p2p_sheriff.rules import Choice, Phase, Seat, State, demands
from p2p_sheriff.rules.demands import Choose
from p2p_sheriff.rules.rounds import rounds_in_all
from p2p_sheriff.seat import parting
from p2p_sheriff.seat.chronicle import Round
from p2p_sheriff.seat.intents import Autopilot, GoOnWithout, LeaveGame, WaitOn
from p2p_sheriff.seat.picture import Ground, Topic
from p2p_sheriff.texts.cells import cells_of

_WIDE = 110
"""From this width on, the log has a column of its own."""
_SOON_SECONDS = 60
"""So long before the game may go on without somebody who is there, it is said."""
_FOOTER = 3
_LOG_ROWS = 5
"""So much of the log is more worth than a picture of the deck."""


@dataclass(frozen=True, slots=True)
class TableScreen:
    """A game as one player sees it."""

    model: Model

    # -- the screen

    def at(self, now: float) -> "TableScreen":
        """Returns the table at that time."""
        return TableScreen(moved_on(self.model.at(now)))

    @property
    def moves(self) -> bool:
        """Whether a bag is being opened, or a question is so new that it takes no keys yet."""
        return is_shown(self.model) or self.model.is_calm

    def press(self, key: str) -> Pressed:
        """Returns the table after a key."""
        model, intents = press(self.model, key)
        return TableScreen(model), intents

    def draw(self, canvas: Canvas) -> None:
        """Draws everything."""
        draw_table(self.model, canvas)


# -- keys


def press(model: Model, key: str) -> Turn:
    """Returns what comes of a key: what is open takes it first, then what is asked, then the table itself."""
    quiet = replace(model, notice=None)
    if model.autopilot:
        return (model if ":" in key[1:] else quiet), () if ":" in key[1:] else (Autopilot(is_on=False),)
    if model.is_calm and key != "c-c":
        return (model if ":" in key[1:] else model.saying(model.words("status.calm"))), ()
    if is_shown(model) and key != "c-c":
        if key in ("enter", "space", "escape"):
            return skipped(quiet), ()
        return replace(quiet, notice=unknown_key(model.words, key, REVEAL_KEYS)), ()
    current = _current(model)
    for one in readings(key):
        if current is not None and (turn := current.press(quiet, one)) is not None:
            return turn
        if (model.overlay is None or one == "c-c") and (turn := _press_table(quiet, one)) is not None:
            return turn
    return replace(quiet, notice=unknown_key(model.words, key, current.keys(model) if current else ())), ()


def _current(model: Model) -> Dialogue | None:
    """Returns what takes keys now."""
    if model.overlay is not None:
        return model.overlay
    if model.state is not None and model.state.phase is Phase.OVER and not isinstance(model.dialogue, Sheet):
        return Sheet()
    return None if model.sending and not isinstance(model.dialogue, Desk) else model.dialogue


def _press_table(model: Model, key: str) -> Turn | None:
    match key:
        case "t" if model.seat is not None:  # Who only looks on has no voice at the table.
            return model.over(Chat()), ()
        case "g":
            return model.over(Log()), ()
        case "v":
            return model.over(Proofs()), ()
        case "d":
            return model.over(Piles()), ()
        case "h":
            return model.over(Past(model.seat or Seat(0))), ()
        case "?" | "f1":
            return model, (AskHelp(),)
        case "b":
            return model, (SwitchBell(),)
        case "x" if out := parting.asked(model, model.now):
            asked, detail = (
                model.words("confirm.without", names=model.names_of(out)),
                model.words("confirm.without_detail"),
            )
            return model.over(Confirming(asked, (detail,), GoOnWithout(out))), ()
        case "w" if _may_wait(model):
            return model, (WaitOn(),)
        case "q" | "c-c":
            return _leaving(model), ()
        case _:
            return None


def _leaving(model: Model) -> Model:
    words = model.words
    if model.seat is not None and not model.is_out and not (model.told and model.told.phase is Phase.OVER):
        return model.over(Leaving())
    details = () if model.seat is None else (words("confirm.leave_detail"),)  # Nobody waits for who only looks on.
    return model.over(Confirming(words("confirm.leave"), details, LeaveGame()))


def _may_wait(model: Model) -> bool:
    """Whether there is a vote to take back, or to refuse."""
    is_open = any(model.votes.values()) and model.seat is not None and not model.is_out
    return is_open and model.votes.get(model.seat or Seat(0)) != ()


# -- the picture


def draw_table(model: Model, canvas: Canvas) -> None:
    """Draws the table."""
    state = model.state
    if state is None:
        canvas.put_centred(canvas.height // 2, model.words("wait.begin"), "strong")
        return
    side = 0 if canvas.width < _WIDE else min(72, canvas.width * 32 // 100)
    table = model.behind if is_shown(model) else model
    lying = table.state or state
    if is_shown(model) and not model.reveals:
        table, lying = _of_the_round(table, lying, model.summaries[0])
    current, mute = _current(table), False
    if is_shown(model) and isinstance(current, Sheet):  # Who has won is not told behind the last round.
        table, current = replace(table, dialogue=None), None
    body = canvas.part(0, 1, canvas.width, canvas.height - 1 - _FOOTER)
    board = notices.without_room(table, state, body.height - height_of(state, body.height))
    _draw_header(table, lying, canvas.part(0, 0, canvas.width, 1), board)
    if isinstance(current, Sheet):
        current.draw(table, body)
    else:
        main = body.part(0, 0, body.width - side - (1 if side else 0), body.height)
        mute = _draw_body(main, table, lying, log=not side)
        if side:
            _draw_side(table, body.part(body.width - side, 0, side, body.height))
    if model.overlay is not None:
        model.overlay.draw(model, body)
    if is_shown(model):
        draw_reveal(model, body)
    _draw_footer(model, state, canvas.part(0, canvas.height - _FOOTER, canvas.width, _FOOTER), current, mute=mute)


def _of_the_round(model: Model, state: State, summed: Round) -> tuple[Model, State]:
    """Returns the table without what the next round has brought, who is sheriff in it above all: that comes later."""
    log = takewhile(lambda line: line.topic is not Topic.ROUND or line.round <= summed.number, model.log)
    return replace(model, dialogue=None, log=tuple(log)), state.but(officers=summed.officers)


def _draw_header(model: Model, state: State, bar_: Canvas, board: list[str]) -> None:
    words = model.words
    bar_.fill("header")
    rounds = rounds_in_all(state)
    number, phase = max(1, model.round), state.phase
    if is_shown(model) and not model.reveals:  # A round is summed up: it is not over for who reads that.
        number, phase = model.summaries[0].number, Phase.END_OF_ROUND
    x = bar_.put(1, 0, words("header.round", round=number, rounds=rounds), "header.strong")
    x = bar_.put(x, 0, f" · {words(f'phase.{phase.value}')}", "header.strong")
    if (timer := model.timer) is not None:
        key = "header.time" if timer.stands_since is None else "header.time_stands"
        x = bar_.put(x, 0, f" · {words(key, time=words.time(timer.left(model.now)))}", "header.strong")
    if model.seat is not None and (until := model.open_until.get(model.seat)) is not None:
        x = bar_.put(x, 0, f" · {words('header.bag', time=words.time(until - model.now))}", "header.strong")
    room = bar_.width - x - 3
    full, short = ([*board, *_middle(model, state, short=short)] for short in (False, True))
    counts = range(len(short), -1, -1)  # Of the board, it is said how much is left out, and where it is.
    cut = (
        [*short[:count], *(f"+{len(board) - count} ({words.cap('d')})" for _ in board[count : count + 1])]
        for count in counts
    )
    tries = map(" · ".join, (full, *cut))
    fitting = next((line for line in tries if cells_of(line) <= room), "")
    bar_.part(x + 2, 0, room + 1, 1).put_right(0, fitting, "header", margin=1)
    bar_.click("d", x + 2, 0)


def _middle(model: Model, state: State, *, short: bool) -> list[str]:
    """Returns what lies in the middle of the table, in words."""
    words = model.words
    parts = [words("header.deck", n=state.deck), _piles(model, state, short=short)]
    if tops := [pair[0] for pair in state.market if pair]:
        prizes = [words.good(top).split()[-1] if short else words.good(top) for top in tops]
        parts.append(words("header.market_short" if short else "header.market", prizes=", ".join(prizes)))
    elif state.setup.black_market:
        parts.append(words("header.market_empty"))
    if state.loot:
        parts.append(words("header.loot", gold=state.loot.gold, cards=len(state.loot.cards) + len(state.loot.prizes)))
    return parts


def _piles(model: Model, state: State, *, short: bool) -> str:
    words = model.words
    if len(state.piles) == 2:
        return words("header.piles", left=len(state.piles[0]), right=len(state.piles[1]))
    pile = state.piles[0]
    if short or not pile:
        return words("header.pile", n=len(pile))
    return words("header.pile_top", n=len(pile), good=words.good(pile[-1].kind))


def _draw_body(body: Canvas, model: Model, state: State, *, log: bool) -> bool:
    """Draws stalls, question, hand, and what else there is room for; returns whether the log had none."""
    ledger = height_of(state, body.height)
    marked: Seat | None = None
    if isinstance(model.dialogue, Desk | Options) and not model.sending:
        marked = model.dialogue.marked
    draw_ledger(model, state, body.part(0, 0, body.width, ledger), marked)
    ledger += notices.draw_notices(model, state, body.part(0, ledger, body.width, body.height - ledger))
    lower = body.part(0, ledger, body.width, body.height - ledger)
    used = 0
    if model.dialogue is not None and not (model.sending and not isinstance(model.dialogue, Desk)):
        used = model.dialogue.draw(model, lower) + 1
    if used == 0 or isinstance(model.dialogue, Desk | Options):
        used += _draw_hand(model, state, lower.part(0, used, lower.width, lower.height - used))
    if lower.height - used >= commons.ROWS + (_LOG_ROWS if log else 0):
        middle = lower.part(0, used, lower.width, lower.height - used)
        used += commons.draw_commons(model, state, middle)
    rest = lower.part(0, used, lower.width, lower.height - used)
    if not log or rest.height < 2:
        return log and rest.height < 2
    rest.rule(0, model.words("log.title"))
    draw_log(rest.part(2, 1, rest.width - 3, rest.height - 1), model.log)
    return False


def _draw_hand(model: Model, state: State, canvas: Canvas) -> int:
    """Draws the own cards without a question; returns the lines used."""
    view = model.view
    if view is None or canvas.height < CARD_ROWS + 1:
        return 0
    sheriff = view.seat in state.officers
    kept = "hand.sheriff" if len(state.officers) == 1 else "hand.deputy"
    title = model.words(kept if sheriff and state.phase is not Phase.OVER else "hand.title")
    in_bag = view.knowledge.bag
    legend = f" · ✓ {model.words('card.in_bag')}" if in_bag else ""
    canvas.rule(0, f"{title} · {model.words('hand.worth')}{legend}")
    if not (own := own_cards(view)):
        canvas.put(2, 1, model.words("hand.empty"), "muted")
        return 2
    cards = canvas.part(0, 1, canvas.width, CARD_ROWS)
    return 1 + draw_cards(model, state, cards, own, Marks(None, tuple(in_bag)))


def _draw_side(model: Model, side: Canvas) -> None:
    for y in range(side.height):
        side.put(0, y, "│", "border")
    side.put(2, 0, model.words("log.title"), "title")
    side.click("g", 0, 0, side.width, side.height)
    draw_log(side.part(2, 1, side.width - 3, side.height - 1), model.log)


def _draw_footer(model: Model, state: State, footer: Canvas, current: Dialogue | None, *, mute: bool) -> None:
    _draw_status(model, state, footer.part(0, 0, footer.width, 1), mute=mute)
    line = footer.part(0, 1, footer.width, 1)
    reveals = is_shown(model)
    asked = current is not None and (model.choice is not None or model.overlay is not None)
    asked = asked and not reveals and not model.is_calm
    line.fill("prompt" if asked else "prompt.waiting")
    waiting = current.prompt(model) if current else _waiting(model, state, line.width - 2)
    text = title_of(model) if reveals else waiting
    line.put(1, 0, text, "prompt" if asked else "prompt.waiting", line.width - 2)
    _draw_keys(model, footer.part(0, 2, footer.width, 1), current)


def _draw_status(model: Model, state: State, line: Canvas, *, mute: bool) -> None:
    """Draws what was just said to the player, or what is going on; the end of the log, if it is nowhere else."""
    words = model.words
    if model.notice is not None:
        if model.notice.refused:
            line.fill("prompt.refused")
        line.put(1, 0, model.notice.text, "prompt.refused" if model.notice.refused else "strong", line.width - 2)
    elif model.autopilot:
        line.put(1, 0, words("status.autopilot"), "strong", line.width - 2)
    elif told := " ".join(parting.told(model, model.now) if _is_parting(model) else ()):
        line.put(1, 0, told, "away", line.width - 2)
    elif model.sending:
        line.put(1, 0, words("status.sending"), "muted")
    elif model.progress is not None:
        progress = model.progress
        full, empty = bar(progress.done, progress.of, 16)
        pieces: list[Piece] = [("win", full), ("bar.empty", empty), " "]
        pieces.append(words(progress.what, done=progress.done, of=progress.of))
        line.put_pieces(1, 0, pieces)
    elif state.phase is Phase.LOAD and model.choice is not None and len(model.waiting_for) > 1:
        line.put(1, 0, _waiting(model, state, line.width - 2), "muted")
    elif mute and (told := _last_told(model.behind)):
        line.put(1, 0, told, "muted", line.width - 2)


def _is_parting(model: Model) -> bool:
    """Whether somebody may go, or soon: who is only slow is not yet spoken of."""
    soon = any(one.ground is not Ground.IDLE or one.until <= model.now + _SOON_SECONDS for one in model.missed.values())
    return bool(model.votes) or soon


def _last_told(model: Model) -> str:
    """Returns the end of the log: an answer, if there was one; offers that stand are at the desk anyway."""
    offers = model.view.state.offers if isinstance(model.dialogue, Desk) and model.view is not None else ()
    standing = {model.narrator.negotiation(one.offer) for one in offers}
    return next((line.text for line in reversed(model.log) if line.text not in standing), "")


def _waiting(model: Model, state: State, width: int) -> str:
    """Returns for whom the game waits besides the player; for how many, if there is no room for their names."""
    words, seats = model.words, tuple(seat for seat in model.waiting_for if seat != model.seat)
    if not seats:
        return words("wait.nothing")
    gone = tuple(seat for seat in seats if seat in model.away)
    if gone:
        since = min(model.away[seat] for seat in gone)
        return words("status.waiting_away", names=model.names_of(gone), time=words.time(model.now - since))
    asked = {one.seat: one.choice for one in demands(state) if isinstance(one, Choose)}
    choices: list[Choice] = [asked[seat] for seat in seats if seat in asked]
    what = f"wait.{choices[0].name.lower()}" if choices and model.progress is None else "wait.cards"
    text = words("status.waiting", names=model.names_of(seats), what=words(what))
    return text if cells_of(text) <= width else words("status.waiting_many", n=len(seats), what=words(what))


def _draw_keys(model: Model, line: Canvas, current: Dialogue | None) -> None:
    """Draws the keys: those of the question, then those of the table as far as there is room."""
    words = model.words
    if is_shown(model):
        draw_keys(words, line, REVEAL_KEYS)
        return
    room, keys = line.width, current.keys(model) if current else ()
    if model.overlay is None:
        room = line.put_right(0, f" ?  {words('key.help')} ", "key.label")
        line.put(room, 0, " ? ", "key")
        line.click("?", room, 0)
    if model.overlay is None:
        keys = (*_parting_keys(model), *keys)
    for plain in (_ARROWS, _OFFERS):  # Where there is little room, arrows speak for themselves, then offers' numbers.
        if cells_of_keys(words, keys) > room:
            keys = tuple((key, "" if key in plain or what in plain else what) for key, what in keys)
    if model.overlay is None:
        more = _KEYS if model.seat is not None else _KEYS[1:]  # Who only looks on has no voice at the table.
        keys += tuple(key for key in more if key not in keys)
    draw_keys(words, line.part(0, 0, room - 1, 1), keys)


def _parting_keys(model: Model) -> Keys:
    without = (("x", "key.without"),) if parting.asked(model, model.now) else ()
    return (*without, *((("w", "key.wait"),) if _may_wait(model) else ()))


_ARROWS = ("↑↓", "←→")
_OFFERS = ("key.look_offer",)
_KEYS: Keys = (
    ("t", "key.chat"),
    ("g", "key.log"),
    ("h", "key.people"),
    ("d", "key.piles"),
    ("v", "key.proofs"),
    ("q", "key.quit"),
)
