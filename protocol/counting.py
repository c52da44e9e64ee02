"""A group that counts its operations: what a procedure costs, whatever machine it runs on."""

from collections import Counter

from protocol.codec import Value
from protocol.group import Element, Group


class CountingGroup(Group):
    """Passes everything on to another group. Long sums are counted term by term; count on one thread."""

    def __init__(self, inner: Group) -> None:
        """Takes the group that does the work, and its ``map``."""
        super().__init__(inner.parallel)
        self.inner = inner
        self.counts: Counter[str] = Counter()
        """Operations since the last ``clear()``, by the name of the method."""

    def mul(self, s: int, P: Element) -> Element:
        """Returns sP."""
        self.counts["mul"] += 1
        return self.inner.mul(s, P)

    def mul_base(self, s: int) -> Element:
        """Returns sG."""
        self.counts["mul_base"] += 1
        return self.inner.mul_base(s)

    def add(self, P: Element, Q: Element) -> Element:
        """Returns P + Q."""
        self.counts["add"] += 1
        return self.inner.add(P, Q)

    def sub(self, P: Element, Q: Element) -> Element:
        """Returns P - Q."""
        self.counts["sub"] += 1
        return self.inner.sub(P, Q)

    def decode(self, data: bytes) -> Element:
        """Returns the element that 32 received bytes encode."""
        self.counts["decode"] += 1
        return self.inner.decode(data)

    def hash_to_group(self, tag: str, *fields: Value) -> Element:
        """Returns an element whose discrete logarithm nobody knows; counted once, not by its parts."""
        self.counts["hash_to_group"] += 1
        return self.inner.hash_to_group(tag, *fields)
