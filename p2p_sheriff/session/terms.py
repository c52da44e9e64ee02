"""The terms of a table in its charter: editions, options and tables of goods, so that all sign the same ones."""

import re
from collections.abc import Sequence

from p2p_sheriff.rules import BadSetup, Setup
from protocol.charter import Charter, Player, Proposal
from protocol.codec import Value
from protocol.errors import MalformedError

GAME = "sheriff/2"
"""The game and its version: another one is not played, and its records are not read."""


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
        MalformedError: The terms are not those of this game, or of another version of its rules.
    """
    setup = setup_from_value(charter.proposal.terms)
    if setup.players != len(charter.players):
        raise MalformedError("the charter has another number of players than its terms")
    return setup


def setup_to_value(setup: Setup) -> Value:
    """Returns the plain form of a table's terms: with all tables of goods, so that who signs them signs these."""
    return (GAME, tuple((name, _frozen(value)) for name, value in setup.to_plain().items()))


def setup_from_value(value: Value) -> Setup:
    """Reads the plain form of a table's terms.

    Raises:
        MalformedError: They are not those of this game, or of another version of its rules.
    """
    match value:
        case (str(game), tuple(pairs)) if game == GAME:
            try:
                return Setup.from_plain(dict(map(_pair, pairs)))
            except BadSetup as problem:
                raise MalformedError(str(problem)) from problem
        case (str(game), _) if re.fullmatch(r"sheriff/[0-9]{1,9}", game):
            raise MalformedError(f"a game of version {game}; this program plays {GAME}")
        case _:
            raise MalformedError("these are not the terms of this game")


def _pair(value: Value) -> tuple[str, object]:
    match value:
        case (str(name), term):
            return name, _thawed(term)
        case _:
            raise MalformedError("a term is a name and a value")


def _frozen(plain: object) -> Value:
    if isinstance(plain, list):
        return tuple(_frozen(one) for one in plain)
    if plain is None or isinstance(plain, bool | int | str | bytes):
        return plain
    raise TypeError(f"{plain!r} is no plain value")


def _thawed(value: Value) -> object:
    return [_thawed(one) for one in value] if isinstance(value, tuple) else value
