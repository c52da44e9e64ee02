"""Plain values: numbers, strings, bytes and lists for what goes over the wire, and a readable dump of a state."""

from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

from p2p_sheriff.rules.facts import Fact, Input
from p2p_sheriff.rules.moves import Move
from p2p_sheriff.rules.refusals import NotAMove
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.state import State

INPUTS: dict[str, type] = {kind.__name__: kind for kind in (*get_args(Move), *get_args(Fact))}
"""The vocabulary: every move and fact by its name."""


def to_plain(item: Input) -> list[object]:
    """Return an input as [name, field, field, ...]: only numbers, strings, bytes, truth values, None and lists."""
    return [type(item).__name__, *_encoded(item)]


def _encoded(value: Any) -> list[object]:
    return [_encode(getattr(value, one.name)) for one in fields(value)]


def _encode(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_encode(one) for one in value]
    return _encoded(value) if is_dataclass(value) else value


def from_plain(plain: object) -> Input:
    """Read back what `to_plain` wrote. Raises NotAMove if it is anything else."""
    if not isinstance(plain, list | tuple) or not plain or not isinstance(plain[0], str) or plain[0] not in INPUTS:
        raise NotAMove("refusals.not_a_move", detail="This is no move and no fact of the game.")
    item: Input = _decode_fields(INPUTS[plain[0]], plain[1:])
    return item


@cache
def _hints(kind: type) -> tuple[Any, ...]:
    return tuple(get_type_hints(kind).values())


def _decode_fields(kind: type, values: object) -> Any:
    hints = _hints(kind)
    if not isinstance(values, list | tuple) or len(values) != len(hints):
        raise NotAMove("refusals.not_a_move", detail=f"{kind.__name__} has {len(hints)} fields.")
    return kind(*(_decode(hint, value) for hint, value in zip(hints, values, strict=True)))


def _decode(hint: Any, value: object) -> Any:
    if isinstance(hint, NewType):
        return _decode(hint.__supertype__, value)
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _decode_union(get_args(hint), value)
    if origin is tuple:
        return _decode_tuple(get_args(hint), value)
    if is_dataclass(hint) and isinstance(hint, type):
        return _decode_fields(hint, value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _decode_enum(hint, value)
    # `bool` is an `int` to the language, but not in a message: one value has one form.
    if type(value) is not hint:
        raise NotAMove("refusals.not_a_move", detail=f"{value!r} is not of the type {getattr(hint, '__name__', hint)}.")
    return value


def _decode_union(hints: tuple[Any, ...], value: object) -> Any:
    if value is None and NoneType in hints:
        return None
    for hint in hints:
        if hint is NoneType:
            continue
        try:
            return _decode(hint, value)
        except NotAMove:
            continue
    raise NotAMove("refusals.not_a_move", detail=f"{value!r} is none of the values that are possible there.")


def _decode_tuple(hints: tuple[Any, ...], value: object) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise NotAMove("refusals.not_a_move", detail=f"{value!r} is not a list.")
    if len(hints) == 2 and hints[1] is Ellipsis:
        return tuple(_decode(hints[0], one) for one in value)
    if len(hints) != len(value):
        raise NotAMove("refusals.not_a_move", detail=f"{value!r} must have {len(hints)} parts.")
    return tuple(_decode(hint, one) for hint, one in zip(hints, value, strict=True))


def _decode_enum(hint: type[Enum], value: object) -> Enum:
    try:
        return hint(value)
    except ValueError as problem:
        raise NotAMove("refusals.not_a_move", detail=f"{value!r} is no {hint.__name__}.") from problem


def dump(state: State) -> dict[str, object]:
    """Return the whole state as plain values with names, for golden files and digests: equal states, equal dumps."""
    named = _named(state)
    if not isinstance(named, dict):
        raise TypeError("A state is a dataclass.")
    named["todo"] = [[type(step).__name__, _named(step)] for step in state.todo]
    return named


def _named(value: object) -> object:
    if isinstance(value, Setup):
        return value.to_plain()
    if is_dataclass(value):
        return {one.name: _named(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [_named(one) for one in value]
    return value
