"""The public state of a game as one plain value, to compare two programs entry by entry (docs/protocol.md, Vectors)."""

from collections.abc import Iterable, Sequence

from p2p_sheriff.rules import Card, Player
from p2p_sheriff.rules.state import Bag
from p2p_sheriff.session.board import Deck
from p2p_sheriff.session.play import Play
from protocol.codec import Value
from protocol.deck import Card as LockedCard
from protocol.hashing import digest


def public_state(play: Play, stage: Iterable[int]) -> tuple[Value, ...]:
    """Returns what every node has alike after an entry, and whose entries it waits for."""
    state, loot = play.state, play.state.loot
    return (
        tuple(sorted(stage)),
        (state.phase.value, state.round, state.lead, state.officers, state.bank, state.next_handle),
        tuple(map(_player, state.players)),
        (tuple(map(_open, state.piles)), _open(state.box), state.market),
        (loot.gold, tuple((card.handle, card.kind) for card in loot.cards), loot.prizes),
        tuple((one.offer.seat, one.offer.number, tuple(sorted(one.accepted))) for one in state.offers),
        (state.orders, state.laws, state.drawn_laws),
        tuple(
            (deck.name, deck.generation, _points(deck.undrawn), _points(deck.missing)) for deck in play.decks.values()
        ),
        tuple((handle, bytes(play.cards[handle].point)) for handle in sorted(play.cards)),
    )


def state_digest(play: Play, stage: Iterable[int]) -> bytes:
    """Returns its digest."""
    return digest("state", *public_state(play, stage))


def _player(player: Player) -> Value:
    return (
        (player.out, player.gold, player.served),
        (player.hand, player.aside, _open(player.aside_shown)),
        (_open(player.stall), player.stack, _open(player.revealed), player.prizes),
        None if player.bag is None else _bag(player.bag),
        tuple((order.name, _open(order.cards)) for order in player.orders),
        (player.men, player.lost_man, player.halves, player.peeked),
    )


def _bag(bag: Bag) -> Value:
    fate = bag.fate.value if bag.fate else None
    return (bag.commitment, bag.count, bag.kind, fate, bag.handles, _open(bag.shown), bag.man)


def _open(cards: Sequence[Card]) -> Value:
    return tuple((card.handle, card.kind, card.keeper) for card in cards)


def _points(cards: Sequence[LockedCard]) -> Value:
    return tuple(bytes(card.point) for card in cards)


def _deck(deck: Deck) -> Value:
    return (deck.name, deck.generation, _points(deck.undrawn), _points(deck.missing))
