"""Honest shuffles for tests, and how one says that a proof must be refused."""

from dataclasses import dataclass, replace

import pytest

from protocol.cipher import Lock, card_points
from protocol.errors import InvalidProofError
from protocol.group import GENERATOR, Group
from protocol.proofs.context import Context
from protocol.proofs.shuffle import Attested, Shuffle, ShuffleProof, prepare, prove, shuffle, verify
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


def chain_of_shuffles(group: Group, count: int, seats: int, rng: Rng) -> list[Attested]:
    """Returns the shuffles of one deck by so many seats, each of what the one before has left, with their proofs."""
    cards, links = card_points(group, "goods", count), []
    for seat in range(seats):
        lock, preparation = Lock.generate(group, rng), prepare(group, count, rng)
        statement, context = shuffle(group, preparation, lock, cards), replace(HERE, seat=seat)
        links.append(Attested(context, statement, prove(group, context, statement, lock.k, preparation)))
        cards = statement.outputs
    return links


def refused(group: Group, statement: Shuffle, proof: ShuffleProof, check: str, context: Context = HERE) -> None:
    with pytest.raises(InvalidProofError) as caught:
        verify(group, context, statement, proof, Drbg("weights"))
    assert caught.value.check == check
