"""A second prover of SH, written down from docs/protocol.md, that says whatever it is told to say.

The library's prover makes use of the statement being true. This one does not: it announces the two sums of the second
equation as they stand, and its three uses of the coefficients u may differ. So a lie fails at the one equation that is
there to stop it, and not by accident.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from protocol.group import Element, Group
from protocol.hashing import ORDER, Oracle
from protocol.proofs.context import Context
from protocol.proofs.pedersen import com
from protocol.proofs.shuffle import Shuffle, ShuffleProof
from protocol.randomness import Rng, scalar, scalars

Mix: TypeAlias = Callable[[list[int]], list[int]]
"""From u to one coefficient for each output."""


class Challenges(NamedTuple):
    u: list[int]
    y: int
    z: int
    c: int


def challenges(context: Context, statement: Shuffle, commitments: Sequence[Element]) -> Challenges:
    """Returns the challenges of a finished proof."""
    P, Q, *T = commitments
    oracle, u = _bind(context, statement, P)
    oracle.absorb("Q", Q)
    y, z = oracle.scalar("y"), oracle.scalar("z")
    oracle.absorb("T", *T)
    return Challenges(u, y, z, oracle.scalar("c"))


def permuted(order: Sequence[int]) -> Mix:
    return lambda u: [u[i] for i in order]


def lie(
    group: Group,
    context: Context,
    statement: Shuffle,
    k: int,
    order: Sequence[int],
    rng: Rng,
    *,
    used: Mix | None = None,
    committed: Mix | None = None,
    multiplied: Mix | None = None,
) -> ShuffleProof:
    """Returns a proof in which the s_j, the commitment Q and the factors of the product use these coefficients.

    By default all three are u_pi(j), as they must be.
    """
    A, C, D, N = statement.base, statement.inputs, statement.outputs, len(statement.inputs)
    numbers = [i + 1 for i in order]
    w, d = scalars(rng, N), scalars(rng, N)
    delta = [d[0], *scalars(rng, N - 2), 0]
    r_p, r_q, w_q, w_k, w_f, r_0, r_1 = (scalar(rng) for _ in range(7))

    P = com(group, numbers, r_p)
    oracle, u = _bind(context, statement, P)
    honest = permuted(order)
    Q = com(group, (committed or honest)(u), r_q)
    oracle.absorb("Q", Q)
    y, z = oracle.scalar("y"), oracle.scalar("z")
    a = [(y * n + u_j - z) % ORDER for n, u_j in zip(numbers, (multiplied or honest)(u), strict=True)]
    b = [a[0]]
    for a_j in a[1:]:
        b.append(b[-1] * a_j % ORDER)

    T_Q = com(group, w, w_q)
    T_D = group.sub(group.msm(w, D), group.mul(w_k, group.msm(u, C)))
    T_B = group.mul(w_k, A)
    T_f = com(group, d, w_f)
    E_0 = com(group, [*(-delta[j] * d[j + 1] for j in range(N - 1)), 0], r_0)
    E_1 = com(group, [*(delta[j + 1] - a[j + 1] * delta[j] - b[j] * d[j + 1] for j in range(N - 1)), 0], r_1)
    oracle.absorb("T", T_Q, T_D, T_B, T_f, E_0, E_1)
    c = oracle.scalar("c")

    def answer(mask: int, secret: int) -> int:
        return (mask + c * secret) % ORDER

    return ShuffleProof(
        commitments=(P, Q, T_Q, T_D, T_B, T_f, E_0, E_1),
        coefficients=tuple(map(answer, w, (used or honest)(u))),
        factors=tuple(map(answer, d, a)),
        products=tuple(map(answer, delta[1:-1], b[1:-1])),
        closing=(answer(w_q, r_q), answer(w_k, k), answer(w_f, y * r_p + r_q), answer(r_0, r_1)),
    )


def _bind(context: Context, statement: Shuffle, P: Element) -> tuple[Oracle, list[int]]:
    oracle = Oracle("SH", context.to_bytes())
    oracle.absorb("statement", statement.base, statement.image, statement.inputs, statement.outputs)
    oracle.absorb("P", P)
    return oracle, oracle.scalars("u", len(statement.inputs))
