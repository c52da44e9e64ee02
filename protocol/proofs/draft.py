"""Ahead of an MB proof: the sums over the set of a card whose owner may have to show it (docs/protocol.md, MB).

The card's set and place in it are known long before it is spoken of; the key of its lock and the claims beside it are
not, and do not matter here. All drafts take as many multiplications: how long they take tells nothing of the cards.
"""

from collections.abc import Sequence
from operator import add
from typing import NoReturn

from protocol.errors import AlreadyUsedError, LocalError
from protocol.group import GENERATOR, Element, Group
from protocol.proofs.membership import Claim, Drafted, Layout, Opening
from protocol.randomness import Rng, scalars


class Draft:
    """A part of one proof, in the making. It serves once: two proofs with the same masks would give the card away."""

    __slots__ = ("_masks", "_rest", "_sums", "among")

    def __init__(self, among: tuple[Element, ...], index: int, rng: Rng, size: int) -> None:
        """Takes the set, the card's place in it, and for how long a set it is to take the time.

        Raises:
            LocalError: The set is longer, or has no such place.
        """
        if len(among) > size:
            raise LocalError(f"a set of {len(among)} cards takes longer than one of {size}")
        layout = Layout([Claim(GENERATOR, GENERATOR, among)])
        s, a = layout.bits([Opening(1, index)]), layout.complete(scalars(rng, layout.free), 0)
        p_0 = layout.label_sums([1], a, a)
        p_1 = map(add, layout.label_sums([1], s, a), layout.label_sums([1], a, s))
        self.among = among
        self._masks = [tuple(a)]
        self._rest = [*zip(p_0, p_1, layout.labels, strict=True), *[(0, 0, GENERATOR)] * (size - len(among))]
        self._sums: tuple[Element, ...] = ()

    def go_on(self, group: Group, terms: int) -> bool:
        """Does so many terms of both sums; returns whether any was left to do."""
        if not self._rest:
            return False
        now, self._rest = self._rest[:terms], self._rest[terms:]
        p_0, p_1, labels = zip(*now, strict=True)
        sums = (group.msm(p_0, labels), group.msm(p_1, labels))
        self._sums = tuple(map(group.add, self._sums, sums)) if self._sums else sums
        return True

    @property
    def is_ready(self) -> bool:
        """Whether all of it is done."""
        return not self._rest

    def take(self) -> Drafted:
        """Returns what was done, once.

        Raises:
            AlreadyUsedError: It was taken before.
            LocalError: It is not ready.
        """
        if self._rest:
            raise LocalError("this draft is not ready")
        try:
            return Drafted(self._masks.pop(), *self._sums)
        except IndexError:
            raise AlreadyUsedError("this draft has served a proof already: make another") from None

    def __reduce__(self) -> NoReturn:
        """Refuses to be copied or stored: both would allow a second use."""
        raise LocalError("a draft is used once, by who made it: it can't be copied or stored")

    def __repr__(self) -> str:
        """Shows nothing of the card."""
        return "Draft()"


def taken(drafts: Sequence[Draft | None]) -> list[Drafted | None]:
    """Returns what was done of each, where it is ready."""
    return [draft.take() if draft is not None and draft.is_ready else None for draft in drafts]
