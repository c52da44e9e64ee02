"""Honest shuffles for tests, and how one says that a proof must be refused."""

from dataclasses import dataclass

import pytest

from protocol.cipher import Lock, card_points
from protocol.errors import InvalidProofError
from protocol.group import GENERATOR, Group
from protocol.proofs.context import Context
from protocol.proofs.shuffle import Shuffle, ShuffleProof, prepare, prove, shuffle, verify
from protocol.randomness import Rng
from tests.drbg import Drbg
from tests.protocol.contexts import HERE

EQUATIONS = "shuffle equations"


@dataclass(frozen=True)
class Shuffled:
    """An honest shuffle with its secrets, for attackers to start from."""

    statement: Shuffle
    lock: Lock
    order: tuple[int, ...]
    proof: ShuffleProof


def lock_from(group: Group, base_pair: str, rng: Rng) -> Lock:
    base = GENERATOR if base_pair == "put on" else Lock.generate(group, rng).public
    return Lock.generate(group, rng, base)


def shuffled(group: Group, count: int, rng: Rng, base_pair: str = "put on") -> Shuffled:
    lock = lock_from(group, base_pair, rng)
    preparation = prepare(group, count, rng)
    statement = shuffle(group, preparation, lock, card_points(group, "goods", count))
    return Shuffled(statement, lock, preparation.order, prove(group, HERE, statement, lock.k, preparation))


def refused(group: Group, statement: Shuffle, proof: ShuffleProof, check: str, context: Context = HERE) -> None:
    with pytest.raises(InvalidProofError) as caught:
        verify(group, context, statement, proof, Drbg("weights"))
    assert caught.value.check == check
