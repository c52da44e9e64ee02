"""What can be joined and watched on the network, and who is there: the first half of the lobby."""

from dataclasses import asdict, dataclass
from typing import TypeAlias

from p2p_sheriff.fronts.tui.canvas import Canvas, Piece
from p2p_sheriff.fronts.tui.keyboard import Keys, stepped
from p2p_sheriff.fronts.tui.lobbydialogues import Answer, Asked, Line, PastChoice, Sure
from p2p_sheriff.fronts.tui.opening import Opening
from p2p_sheriff.fronts.tui.screen import AskHelp, Leave, SwitchBell
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.seat.hall import Hall, RunningGame, doing, option_names
from p2p_sheriff.seat.intents import GoPrivate, Join, Resume, StartTutorial, Watch
from p2p_sheriff.seat.picture import short
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import cells_of

Item: TypeAlias = TableInfo | RunningGame

_DETAIL_ROWS = 7
_ADDRESS_ROWS = 7


def side_width(width: int) -> int:
    """Returns how wide the column at the right is."""
    return min(48, max(26, width // 4 + 4))


@dataclass(frozen=True, slots=True)
class Listing:
    """The list of tables and games; one of them is chosen, and stays so while others come and go."""

    chosen: bytes = b""

    # -- keys

    def press(self, words: Words, hall: Hall, key: str) -> "tuple[Listing, Answer] | None":
        """Returns the list after a key, and what comes of it; None if the key means nothing here."""
        items = _items(hall)
        place = self._place(items)
        match key:
            case "up" | "down" | "wheel-up" | "wheel-down":
                return self._moved(items, stepped(place, key, len(items))), Answer(None)
            case "home" | "pageup":
                return self._moved(items, 0), Answer(None)
            case "end" | "pagedown":
                return self._moved(items, len(items)), Answer(None)
            case "enter":
                return self, self._enter(words, items[place] if items else None)
            case _ if key.startswith("row:"):
                clicked = int(key.removeprefix("row:"))
                if clicked == place and self.chosen:
                    return self.press(words, hall, "enter")
                return self._moved(items, clicked), Answer(None)
            case _:
                answer = self._press_letter(words, hall, key)
                return None if answer is None else (self, answer)

    def _press_letter(self, words: Words, hall: Hall, key: str) -> Answer | None:
        match key:
            case "o":
                return Answer(Opening(**asdict(hall.tempo)))
            case "b":
                return Answer(Opening(with_bots=True, **asdict(hall.tempo)))
            case "c":
                return Answer(Line(Asked.ADDRESS))
            case "p" if hall.private:
                return Answer(Sure(words("sure.public"), GoPrivate("")))
            case "p":
                return Answer(Line(Asked.PHRASE))
            case "n":
                return Answer(Line(Asked.NAME, hall.me.name))
            case "g" if hall.interrupted:
                return Answer(None, (Resume(),))
            case "h" if hall.past:
                return Answer(PastChoice(hall.past))
            case "t":
                return Answer(None, (StartTutorial(),))
            case "?" | "f1":
                return Answer(None, (AskHelp(),))
            case "m":
                return Answer(None, (SwitchBell(),))
            case "q" | "c-c":
                return Answer(None, (Leave(),))
            case "escape":
                return Answer(Sure(words("sure.quit"), Leave()))
            case _:
                return None

    def _enter(self, words: Words, item: Item | None) -> Answer:
        match item:
            case TableInfo() if item.free_seats == 0:
                return Answer(None, refusal=words("lobby.full"))
            case TableInfo():
                return Answer(None, (Join(item.id),))
            case RunningGame():
                return Answer(None, (Watch(item.id),))
            case None:
                return Answer(None, refusal=words("lobby.nothing"))

    def _place(self, items: tuple[Item, ...]) -> int:
        return next((place for place, item in enumerate(items) if item.id == self.chosen), 0)

    def _moved(self, items: tuple[Item, ...], place: int) -> "Listing":
        if not items:
            return self
        item = items[max(0, min(place, len(items) - 1))]
        return Listing(item.id)

    # -- the picture

    def title(self, words: Words, hall: Hall) -> tuple[str, str]:
        """Returns what stands at the left and at the right of the header."""
        title = words("lobby.title_private" if hall.private else "lobby.title")
        return title, words("lobby.you", name=hall.me.name)

    def draw(self, words: Words, hall: Hall, _news: tuple[str, ...], canvas: Canvas) -> None:
        """Draws the list with what is chosen in it, and beside it the people, and how to be found."""
        side = side_width(canvas.width)
        left = canvas.part(0, 0, canvas.width - side, canvas.height)
        items = _items(hall)
        details = _DETAIL_ROWS if items else 0
        title = words("lobby.tables", n=len(hall.tables))
        inner = left.part(0, 0, left.width, left.height - details).box(title).inset(1, 0)
        if items:
            self._draw_items(words, hall, items, inner)
            below = left.part(0, left.height - details, left.width, details)
            _draw_details(words, items[self._place(items)], below)
        else:
            _draw_nothing(words, inner)
        right = canvas.part(canvas.width - side, 0, side, canvas.height)
        _draw_people(words, hall, right.part(0, 0, side, right.height - _ADDRESS_ROWS))
        draw_addresses(words, hall, right.part(0, right.height - _ADDRESS_ROWS, side, _ADDRESS_ROWS))

    def _draw_items(self, words: Words, hall: Hall, items: tuple[Item, ...], inner: Canvas) -> None:
        place = self._place(items)
        lines: list[int | None] = list(range(len(items)))
        if hall.games:
            lines.insert(len(hall.tables), None)  # Their heading.
        marked = lines.index(place)
        first = max(0, min(marked - inner.height // 2, len(lines) - inner.height))
        for y, line in enumerate(lines[first : first + inner.height]):
            if line is None:
                inner.rule(y, words("lobby.games", n=len(hall.games)))
                continue
            is_marked = line == place
            inner.put(0, y, "▶" if is_marked else " ", "border.on")
            _draw_row(words, items[line], inner.part(2, y, inner.width - 2, 1), is_marked=is_marked)
            inner.click(f"row:{line}", 0, y)
        if first > 0:
            inner.put(inner.width - 1, 0, "▲", "title")
        if first + inner.height < len(lines):
            inner.put(inner.width - 1, inner.height - 1, "▼", "title")

    # -- the lines at the bottom

    def prompt(self, words: Words, hall: Hall) -> str:
        """Returns what can be done now."""
        items = _items(hall)
        if hall.interrupted:
            return words("lobby.prompt_resume")
        match items[self._place(items)] if items else None:
            case None:
                return words("lobby.prompt_empty")
            case TableInfo() as table if table.free_seats:
                return words("lobby.prompt_join", title=short(table.title))
            case TableInfo() as table:
                return words("lobby.prompt_full", title=short(table.title))
            case RunningGame():
                return words("lobby.prompt_watch")

    def keys(self, hall: Hall) -> Keys:
        """Returns what can be pressed, the most important first."""
        items = _items(hall)
        keys = [("g", "key.resume")] if hall.interrupted else []
        keys += [("o", "key.open"), ("b", "key.bots")]
        if items:
            enter = "key.join" if isinstance(items[self._place(items)], TableInfo) else "key.watch"
            keys = [("Enter", enter), *keys]
        keys += [("t", "key.tutorial"), ("?", "key.help")]
        keys += [("c", "key.connect"), ("p", "key.public" if hall.private else "key.private"), ("n", "key.name")]
        keys += [("h", "key.past")] if hall.past else []
        keys += [("m", "key.bell"), ("q", "key.end")]
        return tuple(keys)


def _items(hall: Hall) -> tuple[Item, ...]:
    return (*hall.tables, *hall.games)


def _draw_row(words: Words, item: Item, row: Canvas, *, is_marked: bool) -> None:
    style = "cursor" if is_marked else "strong"
    wide = row.width * 2 // 5
    match item:
        case TableInfo():
            row.put(0, 0, item.title, style, wide - 1)
            end = row.put(wide, 0, "●" * len(item.members) + "○" * item.free_seats, "gold")
            free = words("table.free", n=item.free_seats) if item.free_seats else words("table.full")
            end = row.put(max(end, wide + 6) + 1, 0, free, "passed" if item.free_seats else "faint")
            options = ", ".join((words("table.rematch"),) if item.again else option_names(words, item.setup))
            row.put(max(end, wide + 14) + 1, 0, options, "muted")
        case RunningGame():
            row.put(0, 0, item.title or words("game.untitled"), style, wide - 1)
            row.put(wide, 0, words.listed([player.name for player in item.players]), "muted")


def _draw_nothing(words: Words, inner: Canvas) -> None:
    top = max(0, inner.height // 2 - 3)
    inner.put_centred(top, words("lobby.empty"), "strong")
    inner.put_centred(top + 1, words("lobby.empty_live"), "muted")
    for y, key, what in ((top + 3, "o", "lobby.empty_open"), (top + 4, "b", "lobby.empty_bots")):
        text = words(what)
        x = max(0, (inner.width - 40) // 2)
        inner.put(x, y, f" {key} ", "key")
        inner.put(x + 5, y, text)
        inner.click(key, x, y, 5 + cells_of(text))


def _draw_details(words: Words, item: Item, canvas: Canvas) -> None:
    title = item.title or words("game.untitled")
    inner = canvas.box(title).inset(1, 0)
    match item:
        case TableInfo():
            pieces: list[Piece] = [words("table.members")]
            for place, member in enumerate(item.members):
                pieces += [", " if place else " ", ("name", member.name), ("passed", " ✓" if member.ready else "")]
            inner.put_pieces(0, 0, pieces)
            options = option_names(words, item.setup)
            inner.put(0, 1, words("table.options", options=", ".join(options) or words("table.none")))
            terms = "table.terms_deputies" if item.setup.with_deputies else "table.terms"
            inner.put(0, 2, words(terms, n=item.setup.terms, cards=item.setup.cards), "muted")
            hint = "table.hint_join" if item.free_seats else "table.hint_full"
            inner.put_wrapped(0, 3, words(hint), "muted", 2)
        case RunningGame():
            inner.put_wrapped(
                0, 0, words("game.players", names=words.listed([one.name for one in item.players])), "", 2
            )
            inner.put_wrapped(0, 3, words("game.hint"), "muted", 2)


def _draw_people(words: Words, hall: Hall, canvas: Canvas) -> None:
    inner = canvas.box(words("people.title", n=len(hall.people) + 1)).inset(1, 0)
    inner.put_pieces(0, 0, [("passed", "● "), ("name.me", hall.me.name), ("muted", f" {words('people.you')}")])
    room = inner.height - 1
    shown = hall.people if len(hall.people) <= room else hall.people[: room - 1]
    for y, person in enumerate(shown, start=1):
        what = doing(words, hall, person.identity)
        pieces: list[Piece] = [("passed", "● "), ("name", person.name), ("muted", f" {what}" if what else "")]
        inner.put_pieces(0, y, pieces)
    if len(shown) < len(hall.people):
        inner.put(2, room, words("people.more", n=len(hall.people) - len(shown)), "muted")
    if not hall.people and inner.height > 3:
        inner.put_wrapped(0, 2, words("people.alone"), "muted")


def draw_addresses(words: Words, hall: Hall, canvas: Canvas) -> None:
    """Draws how others reach this node, where they don't find it by themselves."""
    inner = canvas.box(words("address.title")).inset(1, 0)
    room = max(1, min(2, len(hall.addresses)))
    y = inner.put_wrapped(0, 0, words("address.text"), "muted", inner.height - room)
    for address in hall.addresses[: inner.height - y]:
        inner.put(0, y, address, "strong")
        y += 1
