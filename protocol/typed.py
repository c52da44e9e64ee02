"""Typed values: how a value stands in a message, said by its type alone (docs/protocol.md, Typed values).

- A truth value, a number, text, bytes and None stand as they are, and of exactly that type; an Enum as its value.
- A tuple is an array; a frozenset is one in ascending order.
- A dataclass is an array of its fields. Of several that may stand in one place, each has a word before its fields: the
  one that ``word`` gives it, or the name of the class.
- What may be one of several types is written as the one that it is: they must look different.
- A class that reads itself from bytes (``from_bytes``, with ``to_bytes``) stands as these bytes.
- ``Annotated`` adds bounds, or a ``Form`` of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Generic, NewType, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from protocol.codec import Value
from protocol.errors import LocalError, MalformedError
from protocol.group import Group

T = TypeVar("T")

_WORD: Final = "_word"


@dataclass(frozen=True, slots=True)
class Form:
    """How the values of some types stand in a message."""

    kinds: tuple[type, ...]
    """The types."""
    plain: type
    """What stands in the message: an array (tuple), bytes, text, a number ..."""
    write: Callable[[Any], Any]
    read: Callable[[Any, Any], Any]
    """Takes what has the type ``plain``, and the group; raises MalformedError."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a value may measure."""

    least: int
    most: int
    measure: Callable[[Any], int]
    what: str


def between(least: int, most: int = (1 << 64) - 1) -> Bound:
    """Returns the bound of a number; above, by default, that of the codec."""
    return Bound(least, most, int, "the number is")


def sized(least: int, most: int | None = None) -> Bound:
    """Returns the bound of how many bytes, characters or items there are; one figure: exactly so many."""
    return Bound(least, least if most is None else most, len, "its length is")


def utf8(least: int, most: int) -> Bound:
    """Returns the bound of how many bytes a text takes."""
    return Bound(least, most, lambda text: len(text.encode()), "its length in bytes is")


def word(text: str) -> Callable[[type[T]], type[T]]:
    """Gives a dataclass the word that stands before its fields wherever it stands."""

    def give(kind: type[T]) -> type[T]:
        setattr(kind, _WORD, text)
        return kind

    return give


class Codec(Generic[T]):
    """Writes and reads the values of one type, which may be a union."""

    def __init__(self, hint: object) -> None:
        """Takes the type.

        Raises:
            LocalError: Its values have no form, or not one for each.
        """
        self._form = _form(hint)

    def write(self, value: T) -> Value:
        """Returns the plain form."""
        written: Value = self._form.write(value)
        return written

    def read(self, value: Value, group: Group | None = None) -> T:
        """Reads the plain form.

        Args:
            value: What was received.
            group: Where there are keys in it.

        Raises:
            MalformedError: It is something else.
        """
        read: T = _read(self._form, value, group)
        return read


class Plain:
    """A dataclass that can be said in a message; one that needs a form of its own overrides both methods."""

    __slots__ = ()

    def to_value(self) -> tuple[Value, ...]:
        """Returns the plain form."""
        written: tuple[Value, ...] = _form(type(self)).write(self)
        return written

    @classmethod
    def from_value(cls, value: Value, group: Group | None = None) -> Self:
        """Reads the plain form.

        Raises:
            MalformedError: It is something else.
        """
        read: Self = _read(_form(cls), value, group)
        return read


class _MisfitError(MalformedError):
    """The field in which this stands says its name as well."""


def _read(form: Form, value: Value, group: Group | None) -> Any:
    # `bool` is an `int` to the language, but not in a message: one value has one form.
    if type(value) is not form.plain and form.plain is not object:
        raise _MisfitError(f"{_NAMES[form.plain]} was expected, not {_name(value)}")
    return form.read(value, group)


_NAMES: Final = {
    bool: "a truth value", int: "a number", str: "text", bytes: "bytes", tuple: "an array", NoneType: "nothing"
}  # fmt: skip


def _name(value: object) -> str:
    return _NAMES.get(type(value), f"a {type(value).__name__}")


def _as_it_is(value: Any, _: Any = None) -> Any:
    return value


class _Probe:
    value: Value


_ANYTHING: Final = get_type_hints(_Probe)["value"]
"""What ``Value`` becomes in the hints of a class: it is left as it is."""


def _compiled(hint: Any) -> Form:
    if isinstance(hint, NewType):
        return _form(hint.__supertype__)
    if hint in (Value, _ANYTHING):
        return Form((object,), object, _as_it_is, _as_it_is)
    if hint in _NAMES:
        return Form((hint,), hint, _as_it_is, _as_it_is)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(*arguments)
    if origin in (Union, UnionType):
        return _union(arguments)
    if origin is tuple:
        return _sequence(_form(arguments[0])) if arguments[1:] == (...,) else _parts(arguments)
    if origin is frozenset:
        return _set(_form(arguments[0]))
    if isinstance(hint, type):
        return _class(hint)
    raise LocalError(f"{hint} has no form in a message")


_form: Final[Callable[[Any], Form]] = cache(_compiled)


def _class(kind: Any) -> Form:
    if issubclass(kind, Enum):
        return _enum(kind)
    if hasattr(kind, "from_bytes"):
        return Form((kind,), bytes, kind.to_bytes, lambda value, group: kind.from_bytes(group, value))
    if issubclass(kind, Plain) and kind.from_value.__func__ is not Plain.from_value.__func__:  # type: ignore[attr-defined] # Methods of classes have it.
        return Form((kind,), tuple, kind.to_value, kind.from_value)
    if is_dataclass(kind):
        return _record(kind, getattr(kind, _WORD, None))
    raise LocalError(f"{kind.__name__} has no form in a message")


def _annotated(hint: Any, *details: Any) -> Form:
    form = _form(hint)
    for detail in details:
        form = _bounded(form, detail) if isinstance(detail, Bound) else detail
    return form


def _bounded(form: Form, bound: Bound) -> Form:
    def read(value: Any, group: Any) -> Any:
        if not bound.least <= (found := bound.measure(value)) <= bound.most:
            most = "" if bound.least == bound.most else f" to {bound.most}"
            raise _MisfitError(f"{bound.what} {bound.least}{most}, not {found}")
        return form.read(value, group)

    return Form(form.kinds, form.plain, form.write, read)


def _enum(kind: type[Enum]) -> Form:
    members = {member.value: member for member in kind}
    (plain,) = {type(value) for value in members}

    def read(value: Any, _: Any) -> Enum:
        if value not in members:
            raise _MisfitError(f"there is no such {kind.__name__}")
        return members[value]

    return Form((kind,), plain, lambda member: member.value, read)


def _sequence(item: Form) -> Form:
    def write(items: Any) -> Any:
        return tuple(item.write(one) for one in items)

    return Form((tuple,), tuple, write, lambda value, group: tuple(_read(item, one, group) for one in value))


def _set(item: Form) -> Form:
    array = _sequence(item)

    def read(value: Any, group: Any) -> frozenset[Any]:
        items = array.read(value, group)
        if list(items) != sorted(set(items)):
            raise _MisfitError("a set has its members in ascending order, each once")
        return frozenset(items)

    return Form((frozenset,), tuple, lambda items: array.write(sorted(items)), read)


def _parts(hints: tuple[Any, ...]) -> Form:
    forms = tuple(_form(hint) for hint in hints)

    def write(parts: Any) -> Any:
        return tuple(form.write(part) for form, part in zip(forms, parts, strict=True))

    def read(value: Any, group: Any) -> tuple[Any, ...]:
        if len(value) != len(forms):
            raise _MisfitError(f"{len(forms)} parts were expected, not {len(value)}")
        return tuple(_read(form, part, group) for form, part in zip(forms, value, strict=True))

    return Form((tuple,), tuple, write, read)


def _record(kind: Any, said: str | None) -> Form:
    hints = get_type_hints(kind, include_extras=True)
    forms = {field.name: _form(hints[field.name]) for field in fields(kind) if field.init}
    parts_of = [(form, form.plain, form.read) for form in forms.values()]
    before = () if said is None else (said,)
    start, size = len(before), len(before) + len(forms)

    def write(value: Any) -> Any:
        return (*before, *(form.write(getattr(value, name)) for name, form in forms.items()))

    def read(value: Any, group: Any) -> Any:
        if len(value) != size or value[:start] != before:
            raise MalformedError(f"{kind.__name__} stands as [{', '.join((*before, *forms))}]")
        parts = list[Any]()
        try:
            for (form, plain, read_part), part in zip(parts_of, value[start:], strict=True):
                parts.append(read_part(part, group) if type(part) is plain else _read(form, part, group))
        except _MisfitError as error:
            raise MalformedError(f"{kind.__name__}.{list(forms)[len(parts)]}: {error}") from error
        try:
            return kind(*parts)
        except LocalError as error:
            raise MalformedError(f"no {kind.__name__}: {error}") from error

    return Form((kind,), tuple, write, read)


def _union(hints: tuple[Any, ...]) -> Form:
    forms = [_form(hint) for hint in hints]
    records = [kind for form in forms for kind in form.kinds if form.plain is tuple and is_dataclass(kind)]
    if len(records) > 1:
        forms = [form for form in forms if form.kinds[0] not in records] + [_words(records)]
    by_plain = {form.plain: form for form in forms}
    by_kind = {kind: form for form in forms for kind in form.kinds}
    if len(by_plain) < len(forms):
        raise LocalError(f"values of {hints} look the same in a message")
    if len(forms) == 1:
        return forms[0]

    def read(value: Any, group: Any) -> Any:
        if type(value) not in by_plain:
            raise _MisfitError(f"{_name(value)} can't stand there")
        return by_plain[type(value)].read(value, group)

    return Form(tuple(by_kind), object, lambda value: by_kind[type(value)].write(value), read)


def _words(kinds: list[Any]) -> Form:
    said = {getattr(kind, _WORD, kind.__name__): kind for kind in kinds}
    forms = {text: _record(kind, text) for text, kind in said.items()}
    by_kind = {kind: forms[text].write for text, kind in said.items()}

    def read(value: Any, group: Any) -> Any:
        if not value or type(value[0]) is not str or value[0] not in forms:
            raise _MisfitError("a word that means nothing there")
        return forms[value[0]].read(value, group)

    return Form(tuple(by_kind), tuple, lambda value: by_kind[type(value)](value), read)
