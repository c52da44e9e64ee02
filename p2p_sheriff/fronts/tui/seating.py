"""A table that is being gathered, seat by seat: the second half of the lobby."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys, stepped
from p2p_sheriff.fronts.tui.listing import draw_addresses, side_width
from p2p_sheriff.fronts.tui.lobbydialogues import Answer, Asked, BotChoice, Line, Sure
from p2p_sheriff.fronts.tui.screen import AskHelp
from p2p_sheriff.gathering.tables import Member, TableInfo
from p2p_sheriff.rules import Setup, first_sheriff_candidates
from p2p_sheriff.seat.conditions import unusual
from p2p_sheriff.seat.hall import Hall, option_names
from p2p_sheriff.seat.intents import Arrange, BeReady, LeaveTable, MuteMember, SendAway
from p2p_sheriff.seat.picture import short
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.terms import OPTIONS
from p2p_sheriff.texts.cells import cells_of, wrap

_ROOMY: Final = 30
"""From so many lines on there is one between the seats."""
_WIDEST: Final = 76
_NOTE: Final = 14
_PURSE: Final = 11
_READY: Final = 9
_OPENERS_KEYS: Final = frozenset({"b", "x", "delete", "u", "d", "s"})


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of the own table; one of them is marked."""

    place: int = 0

    # -- keys

    def press(self, words: Words, hall: Hall, key: str) -> "tuple[Seating, Answer] | None":
        """Returns the seats after a key, and what comes of it; None if the key means nothing here."""
        table = _own(hall)
        match key:
            case "up" | "down" | "wheel-up" | "wheel-down":
                return Seating(stepped(self.place, key, len(table.members))), Answer(None)
            case _ if key.startswith("row:"):
                place = int(key.removeprefix("row:"))
                if place >= len(table.members) and table.opener == hall.me.identity and hall.open_seats:
                    return self, Answer(BotChoice())
                return self._moved(table, place), Answer(None)
            case "u" | "d" if table.opener == hall.me.identity:
                return self._arranged(words, table, -1 if key == "u" else 1)
            case _:
                answer = self._press_letter(words, hall, table, key)
                return None if answer is None else (self, answer)

    def _press_letter(self, words: Words, hall: Hall, table: TableInfo, key: str) -> Answer | None:
        me = table.member(hall.me.identity)
        if key in _OPENERS_KEYS and table.opener != hall.me.identity:
            return Answer(None, refusal=words("seats.not_opener", name=_opener(table)))
        match key:
            case "r" if me is None:
                return Answer(None, refusal=words("seats.prompt_asking", name=_opener(table)))
            case "r" if me is not None:
                return Answer(None, (BeReady(not me.ready),))
            case "p":
                return Answer(Line(Asked.PURSE, str(me.purse) if me is not None and me.purse is not None else ""))
            case "b" if not table.free_seats:
                return Answer(None, refusal=words("seats.no_free"))
            case "b" if not hall.open_seats:
                return Answer(None, refusal=_taken(words, hall))
            case "b":
                return Answer(BotChoice())
            case "x" | "delete":
                return self._send_away(words, hall, table)
            case "t":
                return Answer(Line(Asked.WORDS))
            case "m":
                return self._mute(words, hall, table)
            case "s":
                return _start(words, hall, table)
            case "?" | "f1":
                return Answer(None, (AskHelp(),))
            case "q" | "escape" | "c-c":
                return _leave(words, hall, table)
            case _:
                return None

    def _moved(self, table: TableInfo, place: int) -> "Seating":
        return Seating(max(0, min(place, len(table.members) - 1)))

    def _arranged(self, words: Words, table: TableInfo, by: int) -> "tuple[Seating, Answer]":
        order = [member.identity for member in table.members]
        here = min(self.place, len(order) - 1)
        there = here + by
        if not 0 <= there < len(order):
            return self, Answer(None, refusal=words("seats.no_further"))
        order[here], order[there] = order[there], order[here]
        return self._moved(table, there), Answer(None, (Arrange(tuple(order)),))

    def _send_away(self, words: Words, hall: Hall, table: TableInfo) -> Answer:
        member = table.members[min(self.place, len(table.members) - 1)]
        if member.identity == hall.me.identity:
            return Answer(None, refusal=words("seats.not_yourself"))
        if hall.style_of(member) is not None:
            return Answer(None, (SendAway(member.identity),))
        return Answer(Sure(words("seats.send_away", name=short(member.name)), SendAway(member.identity)))

    def _mute(self, words: Words, hall: Hall, table: TableInfo) -> Answer:
        member = table.members[min(self.place, len(table.members) - 1)]
        if member.identity == hall.me.identity:
            return Answer(None, refusal=words("seats.mute_yourself"))
        return Answer(None, (MuteMember(member.identity, member.identity not in hall.muted),))

    # -- the picture

    def title(self, words: Words, hall: Hall) -> tuple[str, str]:
        """Returns what stands at the left and at the right of the header."""
        title = _own(hall).title
        if hall.private:
            title = words("seats.title_private", title=title)
        return title, words("lobby.you", name=hall.me.name)

    def draw(self, words: Words, hall: Hall, news: tuple[str, ...], canvas: Canvas) -> None:
        """Draws the seats, what is played, how others come, and what was heard."""
        table = _own(hall)
        side = side_width(canvas.width)
        wide, step = canvas.width - side, 2 if canvas.height >= _ROOMY else 1
        rows = 4 + table.setup.players * step + (1 if step == 1 else 0)
        title = words("seats.title", n=len(table.members), of=table.setup.players)
        inner = canvas.part(0, 0, wide, rows).box(title).inset(1, 0)
        for place in range(table.setup.players):
            row = inner.part(0, place * step, min(inner.width, _WIDEST), 1)
            if place < len(table.members):
                self._draw_seat(words, hall, table, place, row)
            else:
                row.put(2, 0, f"{place + 1}", "faint")
                row.put(4, 0, _free(words, hall, table, place - len(table.members)), "muted")
            inner.click(f"row:{place}", 0, place * step)
        inner.put(2, inner.height - 1, _first_sheriff(words, table), "gold")
        heard = canvas.part(0, rows, wide, canvas.height - rows).box(words("news.title")).inset(1, 0)
        lines = [line for text in news or (words("news.nothing"),) for line in wrap(text, heard.width)]
        for y, text in enumerate(lines[-heard.height :]):
            heard.put(0, y, text, "log" if news else "muted")
        right = canvas.part(wide, 0, side, canvas.height)
        odd = unusual(replace(table.setup, options=frozenset()), words.texts)  # Options have names of their own here.
        below = 0 if odd and canvas.height < _ROOMY else 7
        _draw_terms(words, table.setup, odd, right.part(0, 0, side, right.height - below))
        if below:
            draw_addresses(words, hall, right.part(0, right.height - below, side, below))

    def _draw_seat(self, words: Words, hall: Hall, table: TableInfo, place: int, row: Canvas) -> None:
        member = table.members[place]
        is_marked, is_me = place == min(self.place, len(table.members) - 1), member.identity == hall.me.identity
        ready, purse, note = row.width - _READY, row.width - _READY - _PURSE, row.width - _READY - _PURSE - _NOTE
        row.put(0, 0, "▶" if is_marked else " ", "border.on")
        row.put(2, 0, f"{place + 1}", "faint")
        row.put(4, 0, member.name, "cursor" if is_marked else "name.me" if is_me else "name", note - 5)
        row.put(note, 0, *_note(words, hall, table, member), _NOTE - 1)
        if member.purse is not None:
            coins = words("seats.purse", n=member.purse)
            row.put(purse, 0, coins if cells_of(coins) < _PURSE else str(member.purse), "gold")
        if member.ready:
            row.put(ready, 0, f"✓ {words('seats.ready')}", "passed")
        else:
            row.put(ready, 0, f"· {words('seats.unready')}", "muted")

    # -- the lines at the bottom

    def prompt(self, words: Words, hall: Hall) -> str:
        """Returns what the table waits for."""
        table = _own(hall)
        me = table.member(hall.me.identity)
        if me is None:
            return words("seats.prompt_asking", name=_opener(table))
        if not me.ready:
            others = any(not member.ready for member in table.members if member is not me)
            return words("seats.prompt_unready" if others or table.free_seats else "seats.prompt_last")
        if table.free_seats:
            if not hall.open_seats and hall.expected:
                return words.texts("rematch.awaited", names=words.listed([short(one.name) for one in hall.expected]))
            if not hall.open_seats:
                return words.texts("gather.coming", n=hall.coming)
            own = table.opener == hall.me.identity
            return words("seats.prompt_free_bot" if own else "seats.prompt_free", n=hall.open_seats)
        if unready := [short(member.name) for member in table.members if not member.ready]:
            return words("seats.prompt_waiting", names=words.listed(unready))
        if away := [short(member.name) for member in table.members if member.identity not in hall.here]:
            return words("seats.prompt_away", names=words.listed(away))
        return words("seats.prompt_begins")

    def keys(self, hall: Hall) -> Keys:
        """Returns what can be pressed, the most important first."""
        table = _own(hall)
        me = table.member(hall.me.identity)
        marked = table.members[min(self.place, len(table.members) - 1)]
        is_opener = table.opener == hall.me.identity
        keys = [("r", "key.unready" if me is not None and me.ready else "key.ready")]
        keys += [("b", "key.bot")] if is_opener and hall.open_seats else []
        keys += [("s", "key.start")] if is_opener else []
        keys += [("t", "key.chat"), ("?", "key.help")]
        keys += [("x", "key.send_away")] if is_opener else []
        keys += [("m", "key.unmute" if marked.identity in hall.muted else "key.mute")]
        keys += [("u", "key.up"), ("d", "key.down")] if is_opener else []
        keys += [("p", "key.purse"), ("q", "key.stand_up")]
        return tuple(keys)


def _own(hall: Hall) -> TableInfo:
    assert hall.table is not None  # noqa: S101 - the lobby shows seats only to who has one.
    return hall.table


def _opener(table: TableInfo) -> str:
    opener = table.member(table.opener)
    return short(opener.name) if opener else ""


def _free(words: Words, hall: Hall, table: TableInfo, place: int) -> str:
    """Returns for whom a free seat is kept, or what can be done with it."""
    if place < len(hall.expected):
        return words.texts("rematch.awaited", names=short(hall.expected[place].name))
    if place < len(hall.expected) + hall.coming:
        return words("seats.coming")
    return words("seats.free_bot" if table.opener == hall.me.identity else "seats.free")


def _taken(words: Words, hall: Hall) -> str:
    """Returns why no bot can be added though seats are free."""
    return words.texts("news.seats_kept") if hall.expected else words.texts("gather.coming", n=hall.coming)


def _note(words: Words, hall: Hall, table: TableInfo, member: Member) -> tuple[str, str]:
    """Returns what there is to say of somebody at the table, with its style."""
    is_me, is_opener = member.identity == hall.me.identity, member.identity == table.opener
    if member.identity not in hall.here:
        return words("seats.away"), "away"
    if (style := hall.style_of(member)) is not None:
        return words("seats.bot", style=words.style(style)), "muted"
    if is_me:
        return words("seats.your_table" if is_opener else "seats.you"), "muted"
    return words("seats.opener") if is_opener else "", "muted"


def _start(words: Words, hall: Hall, table: TableInfo) -> Answer:
    """Starts the game as far as the own player can: the rest comes by itself when all others are ready."""
    if table.free_seats:
        return Answer(None, refusal=words("seats.missing_seats", n=table.free_seats))
    unready = [short(one.name) for one in table.members if not one.ready and one.identity != hall.me.identity]
    if unready:
        return Answer(None, refusal=words("seats.missing_ready", names=words.listed(unready)))
    return Answer(None, (BeReady(True),))


def _leave(words: Words, hall: Hall, table: TableInfo) -> Answer:
    others = [short(one.name) for one in table.members if one.identity != hall.me.identity]
    if not others or table.member(hall.me.identity) is None:
        return Answer(None, (LeaveTable(),))
    is_opener = table.opener == hall.me.identity
    question = words("seats.close", names=words.listed(others)) if is_opener else words("confirm.leave")
    return Answer(Sure(question, LeaveTable()))


def _first_sheriff(words: Words, table: TableInfo) -> str:
    purses = [member.purse for member in table.members]
    if table.setup.with_deputies:
        return words("sheriff.deputies")
    if all(purse is None for purse in purses):
        return words("sheriff.lot")
    richest = [short(table.members[seat].name) for seat in first_sheriff_candidates(purses)]
    return words("sheriff.purse" if len(richest) == 1 else "sheriff.purses", names=words.listed(richest))


def _draw_terms(words: Words, setup: Setup, odd: Sequence[str], canvas: Canvas) -> None:
    inner = canvas.box(words("terms.title")).inset(1, 0)
    y = inner.put_wrapped(0, 0, words("terms.players", n=setup.players))
    office = words("terms.deputies") if setup.with_deputies else words("terms.sheriff", n=setup.terms)
    y = inner.put_wrapped(0, y, office, "muted")
    y = inner.put_wrapped(0, y, words("terms.cards", n=setup.cards), "muted")
    for line in odd:
        y = inner.put_wrapped(0, y, line, "strong")
    names = option_names(words, setup)
    if y + len(names) > inner.height:
        inner.put_wrapped(0, y, ", ".join(names), "strong")
        return
    for name in names or [words("table.no_options")]:
        y = inner.put_wrapped(0, y, f"• {name}", "strong" if names else "muted")
    if inner.height >= _ROOMY // 2:
        for option in (one for one in OPTIONS if one in setup.options):
            y = inner.put_wrapped(0, y + 1, words(f"option.{option}.detail"), "muted")
