"""By which number people read and choose an offer: one for the whole table, the same in every list and in the log.

Authors count their own offers, so that two may have the same number; and all through a game, so that it grows long.
"""

from collections.abc import Iterable
from itertools import chain, count
from typing import Final, TypeAlias

from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.moves import Offer

Numbers: TypeAlias = dict[tuple[Seat, int], int]
"""By author, and the number that the author has given; the last one that was told comes last."""
_KEYS: Final = 9
"""So many can be chosen by one digit."""


def numbered(known: Numbers, offer: Offer, standing: Iterable[Offer]) -> Numbers:
    """Returns the numbers with one for this offer: the next digit that no offer has that stands."""
    if (offer.seat, offer.number) in known:
        return known
    taken = {known.get((one.seat, one.number)) for one in standing}
    last = next(reversed(known.values()), 0)
    others = chain(range(last + 1, _KEYS + 1), range(1, last + 1), count(_KEYS + 1))
    return {**known, (offer.seat, offer.number): next(number for number in others if number not in taken)}
