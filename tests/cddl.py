"""Reads a grammar in CDDL, as far as docs/grammar.cddl needs it: which values match it, and random ones that do."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from protocol.codec import Value, decode, encode
from protocol.errors import MalformedError


@dataclass(frozen=True, slots=True)
class Name:
    """What a rule, or the language, calls so."""

    name: str


@dataclass(frozen=True, slots=True)
class Exactly:
    """One text or number."""

    value: str | int


@dataclass(frozen=True, slots=True)
class Range:
    """A number between two others, both included."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Sized:
    """Bytes, or text in bytes, of some lengths."""

    of: Name
    lengths: Range


@dataclass(frozen=True, slots=True)
class Matching:
    """Text of so many characters: no other patterns are needed."""

    characters: Range


@dataclass(frozen=True, slots=True)
class Encoded:
    """Bytes that encode such a value."""

    inner: "Type"


@dataclass(frozen=True, slots=True)
class Items:
    """Some items of an array."""

    of: "Type"
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Array:
    """An array of these items, one after the other."""

    items: tuple[Items, ...]


@dataclass(frozen=True, slots=True)
class OneOf:
    """One type or another."""

    types: tuple["Type", ...]


Type: TypeAlias = Name | Exactly | Range | Sized | Matching | Encoded | Array | OneOf

_MANY: Final = 1 << 14
_TOKEN: Final = re.compile(
    r'\s+|;[^\n]*|("[^"]*"|\d*\*\d*|-?\d+|\.\.|\.(?:size|regexp|cbor)\b|[a-z][a-z0-9_-]*|[][(),:/=])'
)
_PATTERN: Final = re.compile(r'"\[\\\\s\\\\S\]\{(\d+),(\d+)\}"')


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise ValueError(f"nothing of this language: {text[at : at + 40]}")
            self.tokens += [found[1]] if found[1] else []
            at = found.end()
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        token = self.peek()
        if not token or (wanted and token not in wanted):
            raise ValueError(f"{wanted} expected, not {token}, behind {self.tokens[max(0, self.at - 8) : self.at]}")
        self.at += 1
        return token

    def rules(self) -> Iterator[tuple[str, Type]]:
        while self.peek():
            name = self.take()
            self.take("=")
            yield name, self.type()

    def type(self) -> Type:
        types = [self.one()]
        while self.peek() == "/":
            self.take()
            types.append(self.one())
        return OneOf(tuple(types)) if types[1:] else types[0]

    def one(self) -> Type:
        first = self.take()
        if first == "[":
            return Array(tuple(self.items()))
        if first == "(":
            inner = self.type()
            self.take(")")
            return inner
        if first[0] == '"':
            return Exactly(first[1:-1])
        if first[0] in "-0123456789":
            if self.peek() != "..":
                return Exactly(int(first))
            self.take()
            return Range(int(first), int(self.take()))
        return self.controlled(Name(first))

    def controlled(self, name: Name) -> Type:
        match self.peek():
            case ".size":
                self.take()
                size = self.one()
                return Sized(name, Range(size.value, size.value) if isinstance(size, Exactly) else size)  # type: ignore[arg-type] # A number, or two.
            case ".regexp":
                self.take()
                found = _PATTERN.fullmatch(self.take())
                if found is None:
                    raise ValueError("only a number of characters is known here")
                return Matching(Range(int(found[1]), int(found[2])))
            case ".cbor":
                self.take()
                return Encoded(self.one())
            case _:
                return name

    def items(self) -> Iterator[Items]:
        while self.peek() != "]":
            least, most = 1, 1
            if "*" in self.peek():
                low, _, high = self.take().partition("*")
                least, most = int(low or 0), int(high or _MANY)
            if self.peek(1) == ":":
                self.take()
                self.take(":")
            yield Items(self.type(), least, most)
            if self.peek() != "]":
                self.take(",")
        self.take("]")


_PLAIN: Final[dict[str, Callable[[Value], bool]]] = {
    "nil": lambda value: value is None,
    "bool": lambda value: type(value) is bool,
    "int": lambda value: type(value) is int,
    "uint": lambda value: type(value) is int and value >= 0,
    "bstr": lambda value: type(value) is bytes,
    "tstr": lambda value: type(value) is str,
}
"""What the language itself has names for."""


class Rules:
    """A grammar."""

    def __init__(self, text: str) -> None:
        """Reads it."""
        rules = list(_Reader(text).rules())
        self.rules = dict(rules)
        if len(self.rules) < len(rules):
            raise ValueError("a name has two rules")

    def named(self, kind: Type) -> Iterator[str]:
        """Yields the names that a type uses."""
        match kind:
            case Name(name) | Sized(Name(name)):
                yield name
            case Encoded(inner):
                yield from self.named(inner)
            case Array(items):
                for item in items:
                    yield from self.named(item.of)
            case OneOf(types):
                for one in types:
                    yield from self.named(one)
            case _:
                pass

    def matches(self, name: str, value: Value) -> bool:
        """Whether a value is one of the rule's."""
        return self._matches(Name(name), value)

    def _matches(self, kind: Type, value: Value) -> bool:
        match kind:
            case Name(name):
                return _PLAIN[name](value) if name in _PLAIN else self._matches(self.rules[name], value)
            case Exactly(one):
                return type(value) is type(one) and value == one
            case Range(least, most):
                return type(value) is int and least <= value <= most
            case Sized(of, Range(least, most)):
                found = value.encode() if isinstance(value, str) else value
                return self._matches(of, value) and isinstance(found, bytes) and least <= len(found) <= most
            case Matching(Range(least, most)):
                return isinstance(value, str) and least <= len(value) <= most
            case Encoded(inner):
                try:
                    return isinstance(value, bytes) and self._matches(inner, decode(value))
                except MalformedError:
                    return False
            case Array(items):
                return isinstance(value, tuple) and self._fits(items, value)
            case OneOf(types):
                return any(self._matches(one, value) for one in types)

    def _fits(self, items: Sequence[Items], values: Sequence[Value]) -> bool:
        """Whether values are these items; what comes often stands last, so the first that does not match ends it."""
        if not items:
            return not values
        first, *rest = items
        count = 0
        while count < min(first.most, len(values)) and self._matches(first.of, values[count]):
            count += 1
        return count >= first.least and self._fits(rest, values[count:])

    # -- random values

    def sample(self, name: str, random: Random) -> Value:
        """Returns a random value of the rule's."""
        return self._sample(Name(name), random)

    def _sample(self, kind: Type, random: Random) -> Value:
        match kind:
            case Name(name):
                return _SAMPLES[name](random) if name in _SAMPLES else self._sample(self.rules[name], random)
            case Exactly(one):
                return one
            case Range(least, most):
                return random.choice([least, most, random.randint(least, most)])
            case Sized(Name(name), lengths):
                length = self._length(lengths, random)
                return "x" * length if name == "tstr" else random.randbytes(length)
            case Matching(lengths):
                return "\u0119" * self._length(lengths, random)
            case Encoded(inner):
                return encode(self._sample(inner, random))
            case Array(items):
                return tuple(one for item in items for one in self._samples(item, random))
            case OneOf(types):
                return self._sample(random.choice(types), random)

    def _samples(self, item: Items, random: Random) -> Iterator[Value]:
        for _ in range(random.randint(item.least, max(item.least, min(item.most, 3)))):
            yield self._sample(item.of, random)

    @staticmethod
    def _length(lengths: Range, random: Random) -> int:
        return random.choice([lengths.least, lengths.most, random.randint(lengths.least, lengths.most)])


_SAMPLES: Final[dict[str, Callable[[Random], Value]]] = {
    "nil": lambda _: None,
    "bool": lambda random: random.random() < 0.5,
    "int": lambda random: random.choice([-1, 0, 7, (1 << 64) - 1]),
    "uint": lambda random: random.choice([0, 1, 300]),
    "bstr": lambda random: random.randbytes(random.choice([0, 1, 32])),
    "tstr": lambda random: random.choice(["", "apples", "\u017c\u00f3\u0142w"]),
}


def spoiled(value: Value, random: Random) -> Value:
    """Returns a value with one place in it changed, anywhere."""
    if isinstance(value, tuple) and value and random.random() < 0.8:
        place = random.randrange(len(value))
        changed = (spoiled(value[place], random),)
        return random.choice([value[:place] + changed + value[place + 1 :]] * 4 + [value[:place], (*value, *changed)])
    others: list[Value] = [None, True, -1, 0, 101, 1 << 20, b"", b"x" * 32, "", "pass", "y" * 401, (), (0, 1)]
    return random.choice(others)
