"""A readable dump of a state, for golden files and digests."""

from dataclasses import fields, is_dataclass
from enum import Enum

from p2p_sheriff.rules.state import State


def dump(state: State) -> dict[str, object]:
    """Return the whole state as plain values with names, for golden files and digests: equal states, equal dumps."""
    named = _named(state)
    if not isinstance(named, dict):
        raise TypeError("A state is a dataclass.")
    named["todo"] = [[type(step).__name__, _named(step)] for step in state.todo]
    return named


def _named(value: object) -> object:
    if is_dataclass(value):
        return {one.name: _named(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_named(one) for one in value]
    return value
