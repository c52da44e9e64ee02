"""The stalls of all players, one under the other, so that everybody sees who is going to be king and queen of what."""

from collections import Counter
from enum import Enum

from p2p_sheriff.fronts.tui.canvas import Canvas, Piece, bar
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.summing import fate_in_words
from p2p_sheriff.rules import Kind, Phase, Player, Seat, State
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.deals import find_offer
from p2p_sheriff.rules.goods import BONUSES
from p2p_sheriff.rules.moves import Offer, Things, Verb
from p2p_sheriff.rules.scoring import crown_counts, is_king, is_queen
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.rules.state import Bag
from p2p_sheriff.seat.chronicle import Doing
from p2p_sheriff.seat.effects import given_in_words
from p2p_sheriff.seat.printed import orders_text
from p2p_sheriff.texts.cells import cells_of, clip

_ABRIDGED = 6
"""So many letters are left of a good where there is little room."""
_LETTERS = 3
"""And so many where there is less."""
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
        stall.put_pieces(4, 1, _fitting(model, state, seat, name_width, stall.width - 4), "muted")


def _fitting(model: Model, state: State, seat: Seat, name_width: int, room: int) -> list[Piece]:
    """Returns the second line of a stall as full as there is room; the kind of a bot if it did not fit beside the name.

    What was set aside keeps its goods longest: it tells about the bag.
    """
    kind: list[Piece] = []
    if (style := model.bots.get(seat)) is not None and not _fits_beside(model, seat, name_width):
        kind = [("faint", " · "), ("muted", model.words("seats.bot", style=model.words.style(style)))]
    whole = details(model, state, seat)
    shorts = [short for short in Short if short is not Short.NOT and (short is not Short.ASIDE or state.setup.packs)]
    ways = ([*whole, *kind], whole, *(details(model, state, seat, short) for short in shorts))
    return next((way for way in ways if sum(cells_of(_text(piece)) for piece in way) <= room), ways[-1])


def _text(piece: Piece) -> str:
    return piece if isinstance(piece, str) else piece[1]


def _draw_heads(model: Model, canvas: Canvas, goods: tuple[Kind, ...], start: int, each: int, name_width: int) -> None:
    gold = model.words("ledger.gold")
    canvas.put(2 + name_width + 4 - cells_of(gold), 0, gold, "faint")
    bonuses = {good: f"{BONUSES[good].king}/{BONUSES[good].queen}" for good in goods}
    fit = all(cells_of(model.words.good(good)) + 1 + len(bonus) < each for good, bonus in bonuses.items())
    if fit:  # What the figures beside the goods are.
        canvas.put(2, 0, model.words("ledger.bonus"), "faint", name_width - 1)
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
    if seat in model.bots:
        note = _bot(model, seat) if _fits_beside(model, seat, width) else f" ({model.words('player.bot')})"
    x = stall.put(2, 0, clip(name, width - cells_of(note)), style)
    stall.put(x, 0, note, "muted")
    if state[seat].out:
        stall.put(4, 1, model.words("player.out"), "away")


def _bot(model: Model, seat: Seat) -> str:
    return f" ({model.words('seats.bot', style=model.words.style(model.bots[seat]))})"


def _fits_beside(model: Model, seat: Seat, width: int) -> bool:
    """Whether there is room for the kind of a bot beside its name."""
    return cells_of(model.name(seat) + _bot(model, seat)) <= width


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


class Short(Enum):
    """What of the second line of a stall is told in short, one after the other."""

    NOT = 0
    STACK = 1
    """Only how many cards lie face down."""
    GOODS = 2
    """And only the beginning of the goods that were set aside."""
    LETTERS = 3
    """And only their first letters."""
    COUNTS = 4
    """And only how many these were."""
    ASIDE = 5
    """And not even that, where modules need the room."""


def details(model: Model, state: State, seat: Seat, short: Short = Short.NOT) -> list[Piece]:
    """Returns the second line of a stall: bag and declaration first, then what was set aside and what lies hidden."""
    words, player = model.words, state[seat]
    parts: list[list[Piece]] = []
    if seat in model.away:
        parts.append([("away", words("player.away", time=words.time(model.now - model.away[seat])))])
    if seat in state.officers:
        parts.append([("badge", words("player.sheriff" if len(state.officers) == 1 else "player.deputy"))])
    if bag := _bag(model, state, seat, player, short=short is not Short.NOT):
        parts.append(bag)
    aside = kinds_of(player.aside_shown) or (
        _aside(model, state, seat) if player.bag is None or not player.bag.fate else ()
    )
    if aside and short is not Short.ASIDE:
        parts.append([("declared", words("player.aside", goods=_set_aside(model, state, aside, short)))])
    if player.stack:
        parts.append([_stack(model, seat, player, short=short is not Short.NOT)])
    if player.revealed:
        shown = words.goods(count_goods(state.setup, kinds_of(player.revealed)))
        parts.append([("good.contraband", shown)])
    if player.prizes:
        parts.append([("good.prize", ", ".join(map(words.good, player.prizes)))])
    # Legal goods that no king is made of (rule 12.5).
    if others := Counter(card.kind for card in player.stall if not state.setup.table[card.kind].counts_for):
        parts.append([words.goods(tuple(others.items()))])
    if player.orders:
        parts.append([("good.prize", _orders(model, player, short=short is not Short.NOT))])
    if not parts or state.phase is Phase.MARKET:
        parts.append([("faint", words("player.hand", n=len(player.hand)))])
    parts += _band(model, player, short=short is not Short.NOT)
    pieces: list[Piece] = []
    for part in parts:
        pieces += [("faint", " · "), *part] if pieces else part
    return pieces


def _orders(model: Model, player: Player, *, short: bool) -> str:
    """Returns the special orders under a stall."""
    words, names = model.words, [one.name for one in player.orders]
    if short:
        return words("player.orders_short", n=len(names))
    return words("player.orders", orders=orders_text(words.texts, names))


def _band(model: Model, player: Player, *, short: bool) -> list[list[Piece]]:
    """Returns what all can see of somebody's merry man: whether there is one, and what one has left behind."""
    man = "player.man_short" if short else "player.man"
    keys = ((man, player.men), ("player.man_lost", player.lost_man), ("player.halves", player.halves))
    return [[("muted", model.words(key))] for key, has in keys if has]


def _aside(model: Model, state: State, seat: Seat) -> tuple[Kind, ...]:
    """Returns what a merchant has set aside in this round: it tells something about the bag until that is judged."""
    is_time = state.phase in (Phase.MARKET, Phase.LOAD, Phase.DECLARE, Phase.INSPECT)
    return model.rounds[-1].players[seat].aside if is_time and model.rounds else ()


def _set_aside(model: Model, state: State, kinds: tuple[Kind, ...], short: Short) -> str:
    words, goods = model.words, count_goods(state.setup, kinds)
    match short:
        case Short.NOT | Short.STACK:
            return words.goods(goods)
        case Short.GOODS:
            return ", ".join(f"{count} {abridged(words.good(kind))}" for kind, count in goods)
        case Short.LETTERS:
            return " ".join(f"{count} {words.good(kind)[:_LETTERS]}" for kind, count in goods)
        case Short.COUNTS | Short.ASIDE:
            return words("terms.cards", n=len(kinds))


def abridged(name: str) -> str:
    """Returns the beginning of a good's name."""
    return name if cells_of(name) <= _ABRIDGED else f"{name[: _ABRIDGED - 1].rstrip()}."


def _stack(model: Model, seat: Seat, player: Player, *, short: bool) -> Piece:
    if not short and model.view and seat == model.view.seat:
        known = count_goods(model.view.state.setup, kinds_of(model.view.stack))
        return "good.contraband", model.words("player.face_down_known", goods=model.words.goods(known))
    return "good.contraband", model.words("player.face_down", n=len(player.stack))


def _bag(model: Model, state: State, seat: Seat, player: Player, *, short: bool) -> list[Piece]:
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
            return [("declared", said), " ", fate_in_words(model, _doing(model, seat))]
        case None:
            return [("declared", said), *_stances(model, state, bag, short=short)]


def _doing(model: Model, seat: Seat) -> Doing:
    """Returns what a player has done in this round; nothing, if nobody has written it down."""
    return model.rounds[-1].players[seat] if model.rounds else Doing(0, fate=Verb.INSPECT)


def _stances(model: Model, state: State, bag: Bag, *, short: bool) -> list[Piece]:
    """Returns what deputies have said about a bag, and for which offer (rule 10.4)."""
    words = model.words
    if bag.alone is not None:
        return [" ", words("player.alone", name=model.name(bag.alone))]
    said = []
    for stance in bag.stances:
        key, name = f"player.says_{stance.verb.value}", model.name(stance.seat)
        standing = find_offer(state, *stance.price) if stance.price else None
        if standing is None:
            said.append(words(key, name=name))
        else:
            paid = _price(model, standing.offer) if short else given_in_words(model, standing.offer)
            said.append(words(f"{key}_for", name=name, payment=paid))
    return [" ", ", ".join(said)] if said else []


def _price(model: Model, offer: Offer) -> str:
    """Returns what is offered as short as it can be said: so much gold, or the number of the offer."""
    gold = offer.gift.things.gold if offer.is_bribe else 0
    is_gold = offer.is_bribe and offer.gift.things == Things(gold) and not offer.promise
    return str(gold) if is_gold else model.words("player.offer", n=model.narrator.number(*offer.name))
