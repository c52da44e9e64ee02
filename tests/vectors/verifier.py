"""A second verifier of all proofs, on the second implementation of the curve: slow, and each equation by itself.

It is written from docs/protocol.md and the descriptions in the files, and uses nothing of ``protocol.proofs``. It does
not check points beyond decoding them, on purpose: so it shows which cases the equations alone would let pass.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import islice
from math import isqrt
from typing import Any, TypeAlias

from protocol.group import Edwards25519
from protocol.hashing import ORDER, Oracle, digest
from tests.protocol import edwards
from tests.protocol.edwards import GENERATOR, NEUTRAL, Point, decode

Case: TypeAlias = "dict[str, Any]"
Extended: TypeAlias = tuple[int, int, int, int]
"""X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z."""

unhex = bytes.fromhex


def equality_failures(case: Case, context: bytes) -> set[str]:
    """Returns the names of the equations of a case of EQ that do not hold."""
    c, *s = _scalars(unhex(case["proof"]))
    statements = [
        (unhex(row["base"]), unhex(row["image"]), _unhexed(row["inputs"]), _unhexed(row["outputs"]))
        for row in case["statements"]
    ]
    oracle = Oracle("EQ", context)
    for statement in statements:
        oracle.absorb("statement", *statement)
    e = [oracle.scalars("e", len(inputs)) for _, _, inputs, _ in statements]
    for s_k, e_k, (base, image, inputs, outputs) in zip(s, e, statements, strict=True):
        T = [_sum([s_k, -c], [base, image])]
        if inputs:
            T.append(_sum([s_k * e_i for e_i in e_k] + [-c * e_i for e_i in e_k], inputs + outputs))
        oracle.absorb("T", *map(edwards.encode, T))
    return set() if oracle.scalar("c") == c else {"c"}


def shuffle_failures(case: Case, context: bytes) -> set[str]:
    """Returns the numbers of the equations of a case of SH that do not hold."""
    A, B, C, D = unhex(case["base"]), unhex(case["image"]), _unhexed(case["inputs"]), _unhexed(case["outputs"])
    N = len(C)
    P, Q, *T = _chunks(unhex(case["proof"]))[:8]
    T_Q, T_D, T_B, T_f, E_0, E_1 = T
    numbers = iter(_scalars(unhex(case["proof"])[8 * 32 :]))
    s, f, g = (list(islice(numbers, count)) for count in (N, N, N - 2))
    s_q, s_k, s_f, s_e = numbers
    oracle = Oracle("SH", context)
    oracle.absorb("statement", A, B, C, D)
    oracle.absorb("P", P)
    u = oracle.scalars("u", N)
    oracle.absorb("Q", Q)
    y, z = oracle.scalar("y"), oracle.scalar("z")
    oracle.absorb("T", *T)
    c = oracle.scalar("c")

    b = reduce(lambda product, factor: product * factor % ORDER, [y * i + u_i - z for i, u_i in enumerate(u, 1)])
    g = [f[0], *g, c * b]
    e = [c * g[j + 1] - g[j] * f[j + 1] for j in range(N - 1)]
    h = _generators(N)
    sides = {
        "1": (_sum([s_q, *s], [G, *h]), _sum([1, c], [T_Q, Q])),
        "2": (_sum([*s, *(-s_k * u_i for u_i in u)], [*D, *C]), _sum([1], [T_D])),
        "3": (_sum([s_k], [A]), _sum([1, c], [T_B, B])),
        "4": (_sum([s_f, *f], [G, *h]), _sum([1, c * y, c, *[-c * z] * N], [T_f, P, Q, *h])),
        "5": (_sum([s_e, *e], [G, *h[:-1]]), _sum([1, c], [E_0, E_1])),
    }
    return {name for name, (left, right) in sides.items() if left != right}


def membership_failures(case: Case, context: bytes) -> set[str]:
    """Returns the names of the equations of a case of MB that do not hold."""
    claims = [(unhex(row["card"]), unhex(row["key"]), _unhexed(row["among"])) for row in case["claims"]]
    keys = list(dict.fromkeys(K for _, K, _ in claims))
    points = 6 + 2 * len(keys)
    A, B, C, D, G_0, G_1, *E = _chunks(unhex(case["proof"]))[:points]
    E_0, E_1 = E[: len(keys)], E[len(keys) :]
    numbers = iter(_scalars(unhex(case["proof"])[points * 32 :]))
    bases = [isqrt(len(among) - 1) + 1 for _, _, among in claims]
    rows = [list(islice(numbers, b - 1)) for b in bases for _ in range(2)]
    zA, zC, *z = numbers
    oracle = Oracle("MB", context)
    oracle.absorb("claims", *((X, K, digest("card-set", among)) for X, K, among in claims))
    oracle.absorb("digits", A, B)
    y, lambdas = oracle.scalar("y"), oracle.scalars("lambda", len(claims))
    oracle.absorb("sums", C, D, G_0, G_1, tuple(E_0), tuple(E_1))
    x = oracle.scalar("x")

    rows = [[x - sum(row), *row] for row in rows]
    f = [f_j for row in rows for f_j in row]
    bits = sum(pow(y, j, ORDER) * f_j * (x - f_j) for j, f_j in enumerate(f, 1))
    terms: list[tuple[int, bytes]] = [(-1, G_0), (-x, G_1)]
    for (X, K, among), l_i, low, high in zip(claims, lambdas, rows[::2], rows[1::2], strict=True):
        products = [l_i * low_j * high_j for high_j in high for low_j in low]
        padded = among + among[-1:] * (len(products) - len(among))
        terms += [*zip(products, padded, strict=True), (-z[keys.index(K)] * l_i, X)]
    sides = {
        "digits": (_sum([zA, *f], [G, *_generators(len(f))]), _sum([1, x], [A, B])),
        "bits": (_sum([bits, zC], [_second_base(), G]), _sum([x, 1], [C, D])),
        "labels": (_sum([s for s, _ in terms], [P for _, P in terms]), NEUTRAL),
    }
    of_keys = [_sum([x * x, -1, -x, -z_j], [G, *pair, K]) for *pair, K, z_j in zip(E_0, E_1, keys, z, strict=True)]
    failed = {name for name, (left, right) in sides.items() if left != right}
    return failed | ({"key"} if any(left != NEUTRAL for left in of_keys) else set())


G = edwards.encode(GENERATOR)


def _generators(count: int) -> list[bytes]:
    return [Edwards25519().hash_to_group("generator", j) for j in range(1, count + 1)]


def _second_base() -> bytes:
    return Edwards25519().hash_to_group("second-base")


def _sum(scalars: Sequence[int], points: Sequence[bytes]) -> Point:
    """Returns the sum of all products, bit by bit for all of them at once: one doubling serves every point."""
    terms = [(s % ORDER, _extended(decode(P))) for s, P in zip(scalars, points, strict=True)]
    total = _extended(NEUTRAL)
    for bit in reversed(range(ORDER.bit_length())):
        total = reduce(_add, [P for s, P in terms if s >> bit & 1], _add(total, total))
    X, Y, Z, _ = total
    return X * pow(Z, -1, edwards.P) % edwards.P, Y * pow(Z, -1, edwards.P) % edwards.P


def _extended(point: Point) -> Extended:
    x, y = point
    return x, y, 1, x * y % edwards.P


def _add(left: Extended, right: Extended) -> Extended:
    """The addition of RFC 8032, section 5.1.4, which holds for any two points and needs no division."""
    X1, Y1, Z1, T1 = left
    X2, Y2, Z2, T2 = right
    A, B = (Y1 - X1) * (Y2 - X2) % edwards.P, (Y1 + X1) * (Y2 + X2) % edwards.P
    C, D = 2 * T1 * T2 * edwards.D % edwards.P, 2 * Z1 * Z2 % edwards.P
    E, F, H, K = B - A, D - C, D + C, B + A
    return E * F % edwards.P, H * K % edwards.P, F * H % edwards.P, E * K % edwards.P


def _chunks(data: bytes) -> list[bytes]:
    return [data[i : i + 32] for i in range(0, len(data), 32)]


def _scalars(data: bytes) -> list[int]:
    return [int.from_bytes(chunk, "little") for chunk in _chunks(data)]


def _unhexed(texts: list[str]) -> tuple[bytes, ...]:
    return tuple(map(unhex, texts))
