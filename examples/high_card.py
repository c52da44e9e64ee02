"""Highest card wins, without a dealer: a whole game on ``protocol`` alone. Run it: ``python examples/high_card.py``.

Everybody shuffles a deck of twelve cards, everybody draws one, everybody shows it. ``HighCard`` is what all nodes
share: it says whose turn it is and checks what they do. ``Hand`` is what one player keeps to themselves.
"""

import sys
from dataclasses import dataclass, replace
from secrets import token_bytes

from protocol import (
    Card,
    Change,
    Charter,
    Edwards25519,
    Entry,
    Group,
    Identity,
    Keyring,
    MalformedError,
    Player,
    Proposal,
    Statement,
    Table,
    Turn,
    Value,
    card_points,
    deck,
    zones,
)
from protocol.proofs.shuffle import prepare

CARDS = 12
DECK = "high card"


@dataclass(frozen=True)
class HighCard:
    """The public game: the deck is shuffled by each seat, then each seat unlocks the others' cards, then all show."""

    group: Group
    seats: int
    cards: tuple[Card, ...]
    turns: int = 0
    shown: tuple[int, ...] = ()

    def expected(self) -> tuple[int, ...]:
        """Seats shuffle and strip one after the other; they show all at once."""
        if self.turns < 2 * self.seats:
            return (self.turns % self.seats,)
        return tuple(range(len(self.shown), self.seats))

    def dealt_to_others(self, seat: int) -> list[Card]:
        """Card i of the deck is for seat i: these are not for this one."""
        return [card for place, card in enumerate(self.cards[: self.seats]) if place != seat]

    def fold(self, turn: Turn) -> "HighCard":
        """Checks a turn, and returns the game after it."""
        seat, payload = turn.entry.author, turn.entry.payload
        if self.turns < self.seats:
            context = turn.context(DECK, 0, "shuffle", 0)
            change = Change.from_value(payload)
            cards = deck.verify_shuffle(self.group, context, seat, self.cards, change, token_bytes)
            return replace(self, cards=cards, turns=self.turns + 1)
        if self.turns < 2 * self.seats:
            context, mine = turn.context(DECK, 0, "deal", 0), self.dealt_to_others(seat)
            stripped = list(deck.verify_strip(self.group, context, seat, mine, Change.from_value(payload)))
            stripped.insert(seat, self.cards[seat])
            return replace(self, cards=tuple(stripped) + self.cards[self.seats :], turns=self.turns + 1)
        match payload:
            case (int(label), bytes(proof)) if 0 <= label < CARDS:
                statement = self.showing(seat, label)
                context = turn.context(DECK, 0, "show", 0)
                zones.verify_statements(self.group, context, seat, [statement], proof, token_bytes)
                return replace(self, shown=(*self.shown, label))
            case _:
                raise MalformedError("a card that is shown is a label and a proof")

    def left(self, seats: tuple[int, ...]) -> "HighCard":
        return replace(self, seats=0) if seats else self  # So short a game is abandoned.

    def check_words(self, entry: Entry) -> None:
        raise MalformedError(f"seat {entry.author} talks, which means nothing in this game")

    def showing(self, seat: int, label: int) -> Statement:
        """The card of this seat is this one."""
        return Statement(self.cards[seat], (card_points(self.group, DECK, CARDS)[label],))

    @property
    def winner(self) -> int:
        """Who has the highest card."""
        return self.shown.index(max(self.shown))


class Hand:
    """One player: a node's table and its secret keys."""

    def __init__(self, charter: Charter, identity: Identity, group: Group) -> None:
        """Sits down at the table."""
        cards = tuple(map(Card, card_points(group, DECK, CARDS)))
        self.table = Table(charter, HighCard(group, len(charter.players), cards), identity)
        self.keys = Keyring(group, token_bytes)

    def play(self) -> bytes | None:
        """Takes the turn if it is the own one; returns the entry for the others."""
        return self.table.write(self.payload())[0] if self.table.may_write else None

    def payload(self) -> Value:
        """Returns what this seat has to say now."""
        game, turn, seat = self.table.game, self.table.turn(), self.table.seat
        assert seat is not None  # noqa: S101 - a player has a seat.
        if game.turns < game.seats:
            preparation = prepare(game.group, CARDS, token_bytes)
            context = turn.context(DECK, 0, "shuffle", 0)
            return deck.shuffle_cards(game.group, context, seat, game.cards, self.keys, preparation).to_value()
        if game.turns < 2 * game.seats:
            context, mine = turn.context(DECK, 0, "deal", 0), game.dealt_to_others(seat)
            return deck.strip_cards(game.group, context, seat, mine, self.keys, token_bytes).to_value()
        card = game.cards[seat]
        (point,) = self.keys[card.locks[0][1]].open(game.group, [card.point])
        label = card_points(game.group, DECK, CARDS).index(point)
        context, statement = turn.context(DECK, 0, "show", 0), game.showing(seat, label)
        return (label, zones.prove_statements(game.group, context, seat, [statement], [point], self.keys, token_bytes))


def seat(names: list[str]) -> list[Hand]:
    """Agrees on a charter: everybody commits to a nonce, then reveals it."""
    group, identities = Edwards25519(), [Identity.generate(token_bytes) for _ in names]
    players = tuple(Player(one.public, name) for one, name in zip(identities, names, strict=True))
    proposal, nonces = Proposal(players, DECK), [token_bytes(32) for _ in names]
    charter = Charter.sealed(proposal, [proposal.commit_nonce(i, nonce) for i, nonce in enumerate(nonces)], nonces)
    return [Hand(charter, identity, group) for identity in identities]


def play(hands: list[Hand]) -> None:
    """Lets everybody take their turns, and passes every entry on to all others."""
    while any(hand.table.game.expected() for hand in hands):
        for hand in hands:
            if entry := hand.play():
                for other in hands:
                    if other is not hand:
                        other.table.receive(entry)


if __name__ == "__main__":
    table = seat(["Anna", "Ben", "Cleo"])
    play(table)
    result, players = table[0].table.game, table[0].table.charter.players
    sys.stdout.write(f"cards {result.shown}: {players[result.winner].name} wins\n")
