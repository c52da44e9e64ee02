"""The result that every seat signs at the end."""

from dataclasses import asdict

from p2p_sheriff.rules import Outcome, State, outcome
from protocol.codec import Value
from protocol.hashing import digest


def result_digest(game: bytes, state: State) -> bytes:
    """Returns the digest of all scores and winners of a finished game."""
    return digest("result", game, result_value(outcome(state)))


def result_value(result: Outcome) -> Value:
    """Returns what is hashed of a result: records as pairs of a name and a value, in the order of their names."""
    return _value(asdict(result))


def _value(plain: object) -> Value:
    """Puts a plain structure into the one form that is hashed: mappings as sorted pairs, sequences as arrays."""
    match plain:
        case dict():
            return tuple((str(key), _value(plain[key])) for key in sorted(plain))
        case list() | tuple():
            return tuple(_value(one) for one in plain)
        case None | bool() | int() | str() | bytes():
            return plain
        case _:
            return _value(getattr(plain, "value", str(plain)))
