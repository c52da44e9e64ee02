"""The stalls of all players, one under the other, so that everybody sees who is going to be king and queen of what."""

from collections import Counter

from p2p_sheriff.fronts.tui.canvas import Canvas, Piece, bar
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.rules import Kind, Phase, Player, Seat, State
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.goods import BONUSES
from p2p_sheriff.rules.moves import Verb
from p2p_sheriff.rules.scoring import crown_counts, is_king, is_queen
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.rules.state import Bag
from p2p_sheriff.texts.cells import cells_of, clip

_LEAST_SCALE = 6
"""A bar is full at so many goods, or at the most that anybody has."""


def height_of(state: State, room: int) -> int:
    """Returns how many lines the ledger takes of so many: two or three for everybody, and one for the heads."""
    players = state.setup.players
    return 1 + players * (3 if room >= 1 + 3 * players + 12 else 2)


def draw_ledger(model: Model, state: State, canvas: Canvas, marked: Seat | None = None) -> None:
    """Draws all stalls; `marked` is the one that the player points at."""
    goods = tuple(kind for kind in BONUSES if kind in state.setup.table)
    name_width = 18 + min(10, (canvas.width - 80) // 6)
    start = 2 + name_width + 6
    each = (canvas.width - start) // max(1, len(goods))
    _draw_heads(model, canvas, goods, start, each, name_width)
    owned = {seat: kinds_of(state[seat].stall) + kinds_of(state[seat].revealed) for seat in state.seats}
    counts = crown_counts(state.setup, owned)
    lines = (canvas.height - 1) // state.setup.players
    for seat in state.setup.seats:
        stall = canvas.part(0, 1 + seat * lines, canvas.width, lines)
        stall.click(f"seat:{seat}", 0, 0, canvas.width, 2)
        _draw_name(model, state, stall, seat, name_width, marked=seat == marked)
        if state[seat].out:
            continue
        gold = str(state[seat].gold)
        stall.put(2 + name_width + 4 - cells_of(gold), 0, gold, "gold")
        for place, good in enumerate(goods):
            _draw_good(model, stall.part(start + place * each, 0, each - 1, 1), counts[good], good, seat)
        stall.put_pieces(4, 1, details(model, state, seat), "muted")


def _draw_heads(model: Model, canvas: Canvas, goods: tuple[Kind, ...], start: int, each: int, name_width: int) -> None:
    canvas.put(2, 0, model.words("ledger.player"), "faint")
    gold = model.words("ledger.gold")
    canvas.put(2 + name_width + 4 - cells_of(gold), 0, gold, "faint")
    bonuses = {good: f"{BONUSES[good].king}/{BONUSES[good].queen}" for good in goods}
    fit = all(cells_of(model.words.good(good)) + 1 + len(bonus) < each for good, bonus in bonuses.items())
    for place, (good, bonus) in enumerate(bonuses.items()):
        head = canvas.part(start + place * each, 0, each - 1, 1)
        head.put(0, 0, model.words.good(good), f"good.{good}")
        if fit:
            head.put_right(0, bonus, "faint")


def _draw_name(model: Model, state: State, stall: Canvas, seat: Seat, width: int, *, marked: bool) -> None:
    if marked:
        stall.put(0, 0, "▶", "border.on")
    elif seat in state.officers:
        stall.put(0, 0, "★", "badge")
    name = model.name(seat)
    style = "cursor" if marked else "name.me" if seat == model.seat else "name"
    note = f" ({model.words('player.you')})" if seat == model.seat else ""
    x = stall.put(2, 0, clip(name, width - cells_of(note)), style)
    stall.put(x, 0, note, "muted")
    if state[seat].out:
        stall.put(4, 1, model.words("player.out"), "away")


def _draw_good(model: Model, cell: Canvas, counts: dict[Seat, int], good: Kind, seat: Seat) -> None:
    scale = max(_LEAST_SCALE, *counts.values())
    full, empty = bar(counts[seat], scale, cell.width - 5)
    x = cell.put(0, 0, full, f"good.{good}")
    cell.put(x, 0, empty, "bar.empty")
    number = str(counts[seat])
    cell.put(cell.width - 2 - len(number), 0, number, f"good.{good}" if counts[seat] else "faint")
    if is_king(counts, seat):
        cell.put(cell.width - 1, 0, model.words("ledger.king"), "king")
    elif is_queen(counts, seat):
        cell.put(cell.width - 1, 0, model.words("ledger.queen"), "queen")


def details(model: Model, state: State, seat: Seat) -> list[Piece]:
    """Returns the second line of a stall: bag and declaration first, then what lies hidden."""
    words, player = model.words, state[seat]
    parts: list[list[Piece]] = []
    if seat in model.away:
        parts.append([("away", words("player.away", time=words.time(model.now - model.away[seat])))])
    if seat in state.officers:
        parts.append([("badge", words("player.sheriff" if len(state.officers) == 1 else "player.deputy"))])
    if bag := _bag(model, state, seat, player):
        parts.append(bag)
    if player.aside_shown:
        aside = words.goods(count_goods(state.setup, kinds_of(player.aside_shown)))
        parts.append([("declared", words("player.aside", goods=aside))])
    if player.stack:
        parts.append([_stack(model, seat, player)])
    if player.revealed:
        shown = words.goods(count_goods(state.setup, kinds_of(player.revealed)))
        parts.append([("good.contraband", shown)])
    if player.prizes:
        parts.append([("good.prize", ", ".join(map(words.good, player.prizes)))])
    # Legal goods that no king is made of (rule 12.5).
    if others := Counter(card.kind for card in player.stall if not state.setup.table[card.kind].counts_for):
        parts.append([words.goods(tuple(others.items()))])
    if not parts or state.phase is Phase.MARKET:
        parts.append([("faint", words("player.hand", n=len(player.hand)))])
    pieces: list[Piece] = []
    for part in parts:
        pieces += [("faint", " · "), *part] if pieces else part
    return pieces


def _stack(model: Model, seat: Seat, player: Player) -> Piece:
    if model.view and seat == model.view.seat:
        known = count_goods(model.view.state.setup, kinds_of(model.view.stack))
        return "good.contraband", model.words("player.face_down_known", goods=model.words.goods(known))
    return "good.contraband", model.words("player.face_down", n=len(player.stack))


def _bag(model: Model, state: State, seat: Seat, player: Player) -> list[Piece]:
    words, bag = model.words, player.bag
    if bag is None:
        loads = state.phase is Phase.LOAD and seat in state.merchants and player.hand
        return [("muted", words("player.bag_loading"))] if loads else []
    if bag.count is None:
        return [("declared", words("player.bag_closed"))]
    said = words("player.declared", goods=words.counted(bag.kind or "", bag.count))
    match bag.fate:
        case Verb.PASS:
            return [("declared", said), " ", ("passed", words("player.passed"))]
        case Verb.INSPECT:
            return [("declared", said), " ", ("inspected", words("player.inspected"))]
        case None:
            return [("declared", said), *_stances(model, bag)]


def _stances(model: Model, bag: Bag) -> list[Piece]:
    """Returns what deputies have said about a bag (rule 10.4)."""
    words = model.words
    if bag.alone is not None:
        return [" ", words("player.alone", name=model.name(bag.alone))]
    pieces: list[Piece] = []
    for stance in bag.stances:
        key = "player.says_pass" if stance.verb is Verb.PASS else "player.says_inspect"
        pieces += [" ", words(key, name=model.name(stance.seat)) + (" ✓" if stance.confirmed else "")]
    return pieces
