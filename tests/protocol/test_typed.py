"""Typed values: what is written is what is read, and nothing else is."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import Value, decode, encode
from protocol.errors import LocalError, MalformedError
from protocol.group import Edwards25519
from protocol.identity import Identity, PublicIdentity
from protocol.typed import Codec, Form, Plain, between, sized, utf8, word
from tests.drbg import Drbg
from tests.protocol.test_codec import values

Seat = NewType("Seat", int)


class Suit(Enum):
    RED = "red"
    BLACK = "black"


@dataclass(frozen=True)
class Card(Plain):
    seat: Seat
    suit: Suit
    marks: frozenset[str] = frozenset()


@word("draw")
@dataclass(frozen=True)
class Draws(Plain):
    count: Annotated[int, between(1, 5)]


@dataclass(frozen=True)
class Plays:
    cards: Annotated[tuple[Card, ...], sized(0, 2)]
    trump: Card | None
    pair: tuple[int, str]
    name: int | str
    note: Annotated[str, utf8(0, 4)] = ""
    rest: Value = None

    def __post_init__(self) -> None:
        if self.note == "no":
            raise LocalError("not that note")


@dataclass(frozen=True)
class Sits:
    who: PublicIdentity
    key: Annotated[bytes, sized(2)]


Turn = Draws | Plays | Sits | None
TURNS = Codec[Turn](Turn)
GROUP = Edwards25519()
ANNA = Identity.generate(Drbg("Anna")).public
CARD = Card(Seat(2), Suit.RED, frozenset({"bent", "a"}))
CASES: list[tuple[Turn, Value]] = [
    (None, None),
    (Draws(3), ("draw", 3)),
    (Plays((), None, (1, "x"), 7), ("Plays", (), None, (1, "x"), 7, "", None)),
    (
        Plays((CARD,), CARD, (-1, ""), "seven", "öö", (b"any", (True,))),
        ("Plays", ((2, "red", ("a", "bent")),), (2, "red", ("a", "bent")), (-1, ""), "seven", "öö", (b"any", (True,))),
    ),
    (Sits(ANNA, b"ab"), ("Sits", ANNA.key, b"ab")),
]


@pytest.mark.parametrize(("turn", "plain"), CASES)
def test_a_value_stands_as_its_type_says_and_comes_back(turn: Turn, plain: Value) -> None:
    assert TURNS.write(turn) == plain
    assert TURNS.read(decode(encode(plain)), GROUP) == turn


def test_of_two_classes_each_has_a_word() -> None:
    codec = Codec[Draws | Sits](Draws | Sits)
    assert [codec.write(turn) for turn in (Draws(1), Sits(ANNA, b"ab"))] == [("draw", 1), ("Sits", ANNA.key, b"ab")]
    assert codec.read(("draw", 1)) == Draws(1)


def test_a_class_alone_has_no_word_unless_it_has_one_of_its_own() -> None:
    assert CARD.to_value() == (2, "red", ("a", "bent"))
    assert Card.from_value((2, "red", ("a", "bent"))) == CARD
    assert Draws(1).to_value() == ("draw", 1)
    assert Draws.from_value(("draw", 1)) == Draws(1)


GOOD: tuple[Value, ...] = ("Plays", (), None, (1, "x"), 7, "", None)


@pytest.mark.parametrize(
    ("value", "match"),
    [
        (True, "can't stand there"),
        ((), "word"),
        ((7,), "word"),
        (("Draws", 3), "word"),
        (("draw", 0), r"Draws\.count"),
        (("draw", 6), r"Draws\.count"),
        (("draw", True), r"Draws\.count: a number was expected, not a truth value"),
        (("draw",), r"\[draw, count\]"),
        (("draw", 3, 3), "Draws stands as"),
        (("Plays", None, *GOOD[2:]), r"Plays\.cards"),
        (("Plays", ((2, "red", ()),) * 3, *GOOD[2:]), r"Plays\.cards"),
        (("Plays", ((2, "green", ()),), *GOOD[2:]), r"Card\.suit"),
        (("Plays", ((2, 7, ()),), *GOOD[2:]), r"Card\.suit"),
        (("Plays", ((2, "red", ("b", "a")),), *GOOD[2:]), r"Card\.marks"),
        (("Plays", ((2, "red", ("a", "a")),), *GOOD[2:]), r"Card\.marks"),
        (("Plays", ((2, "red", ("a", 1)),), *GOOD[2:]), r"Card\.marks"),
        (("Plays", ((2, "red"),), *GOOD[2:]), "Card stands as"),
        ((*GOOD[:2], 7, *GOOD[3:]), r"Plays\.trump"),
        ((*GOOD[:3], (1,), *GOOD[4:]), r"Plays\.pair"),
        ((*GOOD[:3], (1, 1), *GOOD[4:]), r"Plays\.pair"),
        ((*GOOD[:4], b"7", *GOOD[5:]), r"Plays\.name"),
        ((*GOOD[:4], None, *GOOD[5:]), r"Plays\.name"),
        ((*GOOD[:5], "ööö", None), r"Plays\.note"),
        ((*GOOD[:5], "no", None), "no Plays: not that note"),
        (("Sits", bytes(32), b"ab"), "element"),
        (("Sits", ANNA.key[1:], b"ab"), "32 bytes"),
        (("Sits", ANNA.key.hex(), b"ab"), r"Sits\.who"),
        (("Sits", ANNA.key, b"abc"), r"Sits\.key"),
    ],
)
def test_anything_else_is_malformed_and_the_reason_names_the_field(value: Value, match: str) -> None:
    with pytest.raises(MalformedError, match=match):
        TURNS.read(value, GROUP)


def read_as_written_or_refused(value: Value) -> None:
    try:
        read = TURNS.read(value, GROUP)
    except MalformedError:
        return
    assert encode(TURNS.write(read)) == encode(value)


@given(values)
def test_any_value_is_malformed_or_what_is_written_for_it(value: Value) -> None:
    read_as_written_or_refused(value)


@given(st.data())
def test_a_changed_value_is_malformed_or_what_is_written_for_it(data: st.DataObject) -> None:
    plain = data.draw(st.sampled_from([plain for _, plain in CASES if isinstance(plain, tuple)]))
    place = data.draw(st.integers(0, len(plain) - 1))
    read_as_written_or_refused((*plain[:place], data.draw(values), *plain[place + 1 :]))


def test_a_form_of_its_own_is_used_where_it_is_named() -> None:
    hexed = Annotated[int, Form((int,), str, hex, lambda value, _: int(value, 16))]
    codec = Codec[tuple[int, ...]](tuple[hexed, ...])
    assert codec.write((255, 1)) == ("0xff", "0x1")
    assert codec.read(("0xff", "0x1")) == (255, 1)
    with pytest.raises(MalformedError, match="text was expected"):
        codec.read((255,))


@dataclass(frozen=True)
class Odd(Plain):
    """Stands as its number and half of it."""

    number: int

    def to_value(self) -> tuple[Value, ...]:
        return (self.number, self.number // 2)

    @classmethod
    def from_value(cls, value: Value, _group: object = None) -> "Odd":
        match value:
            case (int(number), _):
                return cls(number)
            case _:
                raise MalformedError("a number and half of it")


def test_a_class_that_writes_and_reads_itself_does_so_within_others() -> None:
    codec = Codec[tuple[Odd, ...]](tuple[Odd, ...])
    assert codec.write((Odd(7),)) == ((7, 3),)
    assert codec.read(((7, 3),)) == (Odd(7),)


@pytest.mark.parametrize("hint", [float, list[int], object, int | Suit | str, tuple[int, ...] | Card], ids=str)
def test_a_type_whose_values_have_no_form_or_look_the_same_is_refused_before_any_is_read(hint: object) -> None:
    with pytest.raises(LocalError):
        Codec[object](hint)
