"""What modules have put up for all to see: laws in force, and special orders that can be filled."""

from p2p_sheriff.fronts.tui.canvas import Canvas, Piece
from p2p_sheriff.fronts.tui.ledger import abridged
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.rules import Pack, State
from p2p_sheriff.rules.modules.order_cards import ORDERS
from p2p_sheriff.seat.printed import laws_in_force
from p2p_sheriff.texts.cells import cells_of, wrap

_LEAST_LOWER = 7
"""So many lines a question about cards needs, so that nothing of them is cut."""
_ROOMY, _LEAST_ROOMY, _MOST = 12, 10, 7
"""From so many lines on, there is room for what laws do, if so many are left; and it never takes more than these."""


def lines_of(model: Model, state: State, width: int, rows: int) -> list[list[Piece]]:
    """Returns the lines of the board: laws with what they do if there is room, by name if not."""
    texts, packs = model.words.texts, state.setup.packs
    orders: list[list[Piece]] = []
    if Pack.ORDERS in packs:
        title = f"{model.words('board.orders')} "
        orders = [[("title", title), _orders(model, state, width - cells_of(title))]]
    laws = laws_in_force(texts, state)
    if Pack.LAWS not in packs or rows <= 0:
        return orders[:rows]
    told = ", ".join(name for name, _ in laws) or model.words("board.none")
    short: list[Piece] = [("title", f"{model.words('board.laws')} "), ("strong", told)]
    full = [line for name, text in laws for line in _law(name, text, width)]
    if laws and len(full) + len(orders) <= rows:
        return full + orders
    return [short, *orders][:rows]


def _orders(model: Model, state: State, room: int) -> str:
    """Returns the orders that lie open, with the beginnings of their goods if there is no room for more."""
    texts, cards = model.words.texts, [ORDERS[name] for name in state.orders]
    for abridge in (lambda name: name, abridged):
        told = ", ".join(
            texts(
                "modules.order_short",
                legal=abridge(texts.name(card.legal)),
                contraband=abridge(texts.name(card.contraband)),
                n=card.bonus,
            )
            for card in cards
        )
        if cells_of(told) <= room:
            break
    return told or model.words("board.none")


def _law(name: str, text: str, width: int) -> list[list[Piece]]:
    """Returns a law by name, and beside it what it does, in as many lines as that takes."""
    title = f"{name}: "
    beside = cells_of(title) * " "
    lines: list[list[Piece]] = [[beside, line] for line in wrap(text, width - cells_of(title))]
    return [[("title", title), *lines[0][1:]], *lines[1:]]


def draw_notices(model: Model, state: State, canvas: Canvas) -> int:
    """Draws the board above what is asked, as far as that leaves room for it; returns the lines used."""
    if not {Pack.LAWS, Pack.ORDERS} & set(state.setup.packs):
        return 0
    lines = lines_of(model, state, canvas.width - 3, _rows(canvas.height))
    for y, line in enumerate(lines):
        canvas.put_pieces(2, y, line, width=canvas.width - 3)
        canvas.click("d", 0, y)
    return len(lines)


def without_room(model: Model, state: State, room: int) -> list[str]:
    """Returns what the board has no line for, of so many under the ledger: laws in force, and how many orders lie open.

    The key that shows all of it stands with the orders: nothing else on the screen may name it then.
    """
    rows, packs, words = _rows(room), state.setup.packs, model.words
    laws = [] if rows > 0 else [name for name, _ in laws_in_force(words.texts, state)]
    if rows > (Pack.LAWS in packs) or not state.orders:
        return laws
    return [*laws, f"{words('player.orders_short', n=len(state.orders))} ({words.cap('d')})"]


def _rows(height: int) -> int:
    """Returns how many lines the board may have."""
    return min(_MOST, height - _LEAST_ROOMY) if height >= _ROOMY else min(2, height - _LEAST_LOWER)
