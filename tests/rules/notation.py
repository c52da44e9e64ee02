"""Short words for seats, cards, goods and deals, as the tests of the rules use them."""

from collections import Counter
from collections.abc import Iterable

from p2p_sheriff.rules import Card, Edition, Goods, Input, Kind, Seat
from p2p_sheriff.rules.moves import Act, Things, Verb
from protocol.typed import Codec

ANN, BEN, CAT, DAN, EVE, FAY = (Seat(number) for number in range(6))

FIRST = Edition.FIRST
SECOND = Edition.SECOND

INPUTS = Codec[Input](Input)
"""Moves and facts as they would go over the wire."""

FILLER: Kind = "apples"
"""What a card is that no test has spoken of."""


def cards(text: str) -> tuple[Kind, ...]:
    """Read "2 chicken, silk" as the kinds of three cards."""
    kinds: list[Kind] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        number, _, kind = part.partition(" ")
        kinds += [kind] * int(number) if number.isdigit() else [part]
    return tuple(kinds)


def goods(text: str) -> Goods:
    """Read "2 chicken, silk" as goods by kind and number, in the order of the text."""
    return tuple(Counter(cards(text)).items())


def names(shown: Iterable[Card]) -> list[Kind]:
    """Return the sorted kinds of cards that lie open."""
    return sorted(card.kind for card in shown)


def acts(text: str) -> tuple[Act, ...]:
    """Read "pass 1, inspect 2" as acts on the bags of these seats."""
    pairs = (part.split() for part in text.split(","))
    return tuple(Act(Seat(int(seat)), Verb(verb)) for verb, seat in pairs)


def pay(**payment: str | int) -> Things:
    """Return what is paid, goods given as text."""
    fields = {name: goods(value) if isinstance(value, str) else value for name, value in payment.items()}
    return Things(**fields)  # type: ignore[arg-type]
