"""EQ: equality of discrete logarithms, batched over many cards and several keys (docs/protocol.md, EQ).

A statement EQ(A, B; in -> out) says: out_i = t in_i for every card i, with the one t for which B = tA. It is what a
player proves when putting a lock on (A = G, B = K), taking it off (the same, with in and out exchanged) or replacing
it. With no cards at all it proves knowledge of t.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.errors import InvalidProofError, LocalError, MalformedError
from protocol.group import GENERATOR, IDENTITY, SCALAR_BYTES, Element, Group, decode_scalar, encode_scalar
from protocol.hashing import ORDER, Oracle
from protocol.proofs.context import Context
from protocol.randomness import Rng, hedged, scalars


@dataclass(frozen=True, slots=True)
class Equality:
    """The statement EQ(A, B; in -> out)."""

    base: Element
    """A"""
    image: Element
    """B = tA"""
    inputs: tuple[Element, ...]
    """in_1 .. in_n"""
    outputs: tuple[Element, ...]
    """out_1 .. out_n, where out_i = t in_i"""


@dataclass(frozen=True, slots=True)
class EqualityProof:
    """One challenge, and one response for each statement."""

    challenge: int
    """c"""
    responses: tuple[int, ...]
    """s_k"""

    def to_bytes(self) -> bytes:
        """Returns 32 (1 + number of statements) bytes."""
        return b"".join(map(encode_scalar, (self.challenge, *self.responses)))

    @classmethod
    def from_bytes(cls, data: bytes, statements: int) -> "EqualityProof":
        """Reads a received proof of that many statements.

        Raises:
            MalformedError: Another length, or a scalar that is not below q.
        """
        if len(data) != SCALAR_BYTES * (1 + statements):
            raise MalformedError(f"a proof of {statements} equalities has {SCALAR_BYTES * (1 + statements)} bytes")
        c, *s = (decode_scalar(data[i : i + SCALAR_BYTES]) for i in range(0, len(data), SCALAR_BYTES))
        return cls(c, tuple(s))


def prove(
    group: Group, context: Context, statements: Sequence[Equality], secrets: Sequence[int], rng: Rng
) -> EqualityProof:
    """Proves all statements at once; ``secrets`` holds the t of each. A false statement gives a proof that fails.

    Raises:
        LocalError: No verifier would accept such a statement.
    """
    for statement in statements:
        if fault := _fault(statement):
            raise LocalError(f"this can't be proved, it fails at: {fault}")
    oracle, e = _start(context, statements)
    known = b"".join(encode_scalar(t % ORDER) for t in secrets)
    w = scalars(hedged(rng, "EQ", known, oracle.bound), len(statements))
    for w_k, e_k, statement in zip(w, e, statements, strict=True):
        oracle.absorb("T", *_images(group, statement, [(w_k * e_i) for e_i in e_k], w_k))
    c = oracle.scalar("c")
    return EqualityProof(c, tuple((w_k + c * t) % ORDER for w_k, t in zip(w, secrets, strict=True)))


def verify(group: Group, context: Context, statements: Sequence[Equality], proof: EqualityProof) -> None:
    """Returns if every statement is true.

    Raises:
        InvalidProofError: One is not, or the proof belongs elsewhere.
    """
    if len(proof.responses) != len(statements):
        raise InvalidProofError("as many responses as statements")
    for statement in statements:
        if fault := _fault(statement):
            raise InvalidProofError(fault)
    oracle, e = _start(context, statements)
    c = proof.challenge
    for s, e_k, statement in zip(proof.responses, e, statements, strict=True):
        A, B = statement.base, statement.image
        T = [group.sub(_times(group, s, A), group.mul(c, B))]
        if statement.inputs:
            points = statement.inputs + statement.outputs
            T.append(group.msm([s * e_i for e_i in e_k] + [-c * e_i for e_i in e_k], points))
        oracle.absorb("T", *T)
    if oracle.scalar("c") != c:
        raise InvalidProofError("c = hash(statements, T)")


def _fault(statement: Equality) -> str | None:
    """Returns the first condition that lists must meet, and these do not; no group operation is needed for it."""
    if len(statement.inputs) != len(statement.outputs):
        return "as many outputs as inputs"
    if IDENTITY in (statement.base, statement.image, *statement.inputs, *statement.outputs):
        return "no identity among keys and cards"
    return None


def _start(context: Context, statements: Sequence[Equality]) -> tuple[Oracle, list[list[int]]]:
    """Binds all statements before any coefficient: else errors of two cards could be made to cancel."""
    oracle = Oracle("EQ", context.to_bytes())
    for statement in statements:
        oracle.absorb("statement", statement.base, statement.image, statement.inputs, statement.outputs)
    return oracle, [oracle.scalars("e", len(statement.inputs)) for statement in statements]


def _images(group: Group, statement: Equality, coefficients: Sequence[int], w: int) -> list[Element]:
    T = [_times(group, w, statement.base)]
    if statement.inputs:
        T.append(group.msm(coefficients, statement.inputs))
    return T


def _times(group: Group, s: int, A: Element) -> Element:
    """Returns sA, which costs a fifth if A is G: wherever a lock is put on or taken off, and replaces none."""
    return group.mul_base(s) if A == GENERATOR else group.mul(s, A)
