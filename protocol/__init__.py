"""A trustless card table: a game-agnostic library for hidden-information games without a server or a dealer.

What a new game needs is offered here; `examples/high_card.py` is a whole one. Players with an `Identity` agree on a
`Charter`. A `Game` says whose turn it is and folds every `Turn`; one `Table` for each node signs what its player does
and checks what the others do. With the cards it is done by `deck` (shuffle, lock, strip) and `zones` (rearrange, show).
"""

from protocol import deck, zones
from protocol.charter import Charter, Player, Proposal
from protocol.cipher import card_points
from protocol.codec import Value
from protocol.deck import Card, Change, Keyring
from protocol.entry import Entry
from protocol.errors import MalformedError
from protocol.group import Edwards25519, Group
from protocol.identity import Identity
from protocol.table import Game, Table, Turn
from protocol.zones import Statement

__all__ = [
    "Card",
    "Change",
    "Charter",
    "Edwards25519",
    "Entry",
    "Game",
    "Group",
    "Identity",
    "Keyring",
    "MalformedError",
    "Player",
    "Proposal",
    "Statement",
    "Table",
    "Turn",
    "Value",
    "card_points",
    "deck",
    "zones",
]
