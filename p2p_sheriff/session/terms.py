"""The terms of a table in its charter: editions, options and tables of cards, so that all sign the same ones.

Here, where charters and tables are read, it is decided what can be played at a table: the rules know more.
"""

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated, Final, TypeAlias

from p2p_sheriff.rules import BadSetup, Edition, Good, Setup
from p2p_sheriff.rules.modules.packs import rows_of
from protocol.charter import Charter, Player, Proposal
from protocol.codec import Value, encode
from protocol.errors import MalformedError
from protocol.typed import Codec, Form

GAME: Final = "sheriff/5"
"""The game and its version: another one is not played, and its records are not read."""

PLAYERS: Final = range(3, 7)
EDITIONS: Final = tuple(Edition)
OPTIONS: Final = ("royal", "timer", "missing", "seven", "black-market", "orders", "laws", "merry-men")
"""What can be played at a table: by so many players, of these editions and options; goods and decks as in the rules."""

ABSENT_SECONDS: Final = 60
"""How long somebody is waited for who is not connected, or has put the game down (rule 19.2)."""
IDLE_SECONDS: Final = 180
"""How long somebody is waited for who is connected and expected, and does nothing."""


def require_playable(setup: Setup) -> None:
    """Returns if this can be played at a table.

    Raises:
        BadSetup: It can't yet; the sentence says what.
    """
    if setup.players not in PLAYERS:
        raise BadSetup(f"{setup.players} players can't play at the table yet; `simulate` can.")
    for option in sorted(setup.options.difference(OPTIONS)):
        raise BadSetup(f"The option {option} can't be played at the table yet; `simulate` can.")


def propose(players: Sequence[Player], setup: Setup) -> Proposal:
    """Returns the proposal to play these terms with these players.

    Raises:
        BadSetup: The table is for another number of players.
    """
    if len(players) != setup.players:
        raise BadSetup(f"The table is for {setup.players} players, not {len(players)}.")
    return Proposal(tuple(players), setup_to_value(setup))


def setup_of(charter: Charter) -> Setup:
    """Returns what is played.

    Raises:
        MalformedError: The terms are not those of this game, or of another version of its rules, or can't be played.
    """
    setup = setup_from_value(charter.proposal.terms)
    if setup.players != len(charter.players):
        raise MalformedError("the charter has another number of players than its terms")
    return setup


def setup_to_value(setup: Setup) -> Value:
    """Returns the plain form of a table's terms: with all cards and grace times, so that who signs them signs these."""
    agreed = zip((field.name for field in fields(setup)), setup.to_value(), strict=True)
    spelt_out = (
        ("goods", _GOODS.write(setup.goods)),
        ("black_market", setup.black_market),
        ("modules", tuple((pack.value, rows_of(setup, pack)) for pack in setup.packs)),
        ("grace", (ABSENT_SECONDS, IDLE_SECONDS)),
    )
    return (GAME, (*agreed, *spelt_out))


def setup_from_value(value: Value) -> Setup:
    """Reads the plain form of a table's terms.

    Raises:
        MalformedError: They are not those of this game, or of another version of its rules, or can't be played.
    """
    match value:
        case (str(game), *_) if game != GAME and re.fullmatch("sheriff/[0-9]{1,9}", game):
            raise MalformedError(f"a game of version {game}; this program plays {GAME}")
    game, pairs = _TERMS.read(value)
    if game != GAME:
        raise MalformedError("these are not the terms of this game")
    try:
        setup = Setup.from_value(tuple(term for _, term in pairs[: len(fields(Setup))]))
        require_playable(setup)
    except BadSetup as problem:
        raise MalformedError(str(problem)) from problem
    if encode(setup_to_value(setup)) != encode(value):
        raise MalformedError(
            "the tables of cards or the grace times differ from those of this version: all must play the same one"
        )
    return setup


_GOODS: Final = Codec[tuple[Good, ...]](tuple[Good, ...])
_TERMS: Final = Codec[tuple[str, tuple[tuple[str, Value], ...]]](tuple[str, tuple[tuple[str, Value], ...]])

Terms: TypeAlias = Annotated[Setup, Form((Setup,), tuple, setup_to_value, lambda value, _: setup_from_value(value))]
"""A setup as it stands in messages."""
