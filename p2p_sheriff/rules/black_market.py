"""The black market (section 13)."""

from p2p_sheriff.rules.cards import Card, Kind
from p2p_sheriff.rules.goods import BLACK_MARKET
from p2p_sheriff.rules.moves import Trade
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove
from p2p_sheriff.rules.setup import Edition
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import AskTrade

CARDS_FOR_A_PRIZE = 3


def wanted_kinds(state: State) -> tuple[Kind, ...]:
    """Return the kinds for which a black-market card is left."""
    return tuple(kind for (kind, _), left in zip(BLACK_MARKET, state.market, strict=False) if left)


def ask_trade(state: State, step: AskTrade) -> State | None:
    """Skip the question if there are too few face-down cards: whether three are equal, only the merchant knows."""
    return None if len(state[step.seat].stack) >= CARDS_FOR_A_PRIZE and any(state.market) else state.done()


def on_trade(state: State, move: Trade) -> State:
    if state.todo[0] != AskTrade(move.seat):
        raise NotAllowed("13.2", "refusals.trade_not_now", move.seat)
    if not move.cards:
        return state.done()
    handles = {handle for handle, _ in move.cards}
    kinds = {kind for _, kind in move.cards}
    if len(handles) != len(move.cards) or not handles <= set(state[move.seat].stack):
        raise NotAMove("refusals.trade_cards")
    if len(handles) != CARDS_FOR_A_PRIZE or len(kinds) != 1 or not kinds <= set(wanted_kinds(state)):
        raise NotAllowed("13.2", "refusals.trade_three", move.seat, goods=wanted_kinds(state))
    return _trade(state, move, kinds.pop())


def _trade(state: State, move: Trade, kind: Kind) -> State:
    pair = next(index for index, (wanted, _) in enumerate(BLACK_MARKET) if wanted == kind)
    prize, *left = state.market[pair]
    player = state[move.seat]
    handles = [handle for handle, _ in move.cards]
    stack = tuple(handle for handle in player.stack if handle not in handles)
    state = state.with_player(move.seat, stack=stack, prizes=(*player.prizes, prize)).but(
        box=state.box + tuple(Card(handle, kind, move.seat) for handle in handles),
        market=(*state.market[:pair], tuple(left), *state.market[pair + 1 :]),
    )
    # Second edition: one trade per player and round. First: no limit, so the question comes again.
    return state if state.setup.edition is Edition.FIRST else state.done()
