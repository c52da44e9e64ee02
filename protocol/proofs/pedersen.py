"""Pedersen commitments to vectors of scalars: perfectly hiding; binding while nobody knows a relation of the bases."""

from collections.abc import Sequence
from functools import lru_cache

from protocol.group import Element, Group


@lru_cache(maxsize=256)
def generators(group: Group, count: int) -> tuple[Element, ...]:
    """Returns h_1 .. h_N: hashes of fixed labels, so that nobody knows a trapdoor."""
    return tuple(_generator(group, j) for j in range(1, count + 1))


@lru_cache(maxsize=2048)
def _generator(group: Group, j: int) -> Element:
    return group.hash_to_group("generator", j)


@lru_cache(maxsize=4)
def second_base(group: Group) -> Element:
    """Returns H, for commitments to one scalar."""
    return group.hash_to_group("second-base")


def com(group: Group, values: Sequence[int], r: int) -> Element:
    """Commits to v_1 .. v_n with blinding r: rG + sum v_j h_j. Costs one mul_base, n mul and n add."""
    return group.add(group.mul_base(r), group.msm(values, generators(group, len(values))))
