#!/usr/bin/env python3
"""An independent verifier of p2p-sheriff transcripts (`.sheriff` files), written from docs/protocol.md alone.

    python examples/verify.py FILE [--json] [--states]

prints the verdict, with --json as an object, with --states behind the digests of the public state after each entry. It exits with 0
(valid), 1 (a fault, unfinished or undecided) or 2 (not such a file).

Plain Python 3.11 and its standard library. Sections of this file follow those of the document, which docstrings name in brackets.
Group elements are kept as their 32 canonical bytes once they were decoded; arithmetic looks the points up.
"""

import hashlib
import json
import secrets
import sys
import unicodedata
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, product
from math import isqrt

PROTOCOL = "trustless-table/1"


# ---------------------------------------------------------------------------------------------------------------- errors


class VerificationError(Exception):
    """A received thing that does not hold [Errors]; `code` is the fault of a slot entry with it."""

    code = "FORBIDDEN"


class Malformed(VerificationError):
    code = "MALFORMED"


class InvalidProof(VerificationError):
    code = "FALSE_PROOF"


class InvalidOpening(VerificationError):
    code = "FALSE_PROOF"


class InvalidSignature(VerificationError):
    code = "FALSE_PROOF"


class Forbidden(VerificationError):
    code = "FORBIDDEN"


class FalseVote(VerificationError):
    code = "FALSE_VOTE"


class StageFault(InvalidProof):
    """An entry of this step, of this seat, folded before or now, does not hold [Table, 4]."""

    def __init__(self, seat, reason):
        super().__init__(reason)
        self.seat = seat


class Defect(Exception):
    """What this program takes for granted is not so: nobody's fault [Table, Defects]."""


class NotSuchAFile(Exception):
    """The file is no record at all [Frames and the end of a file]."""


def need(condition, reason, error=Forbidden):
    if not condition:
        raise error(reason)


# ----------------------------------------------------------------------------------------------------------------- codec


def encode(value):
    """Canonical msgpack of nil, booleans, integers, bytes, texts and arrays [Encodings]."""
    out = bytearray()
    _encode(value, out)
    return bytes(out)


def _encode(value, out):
    if value is None:
        out.append(0xC0)
    elif value is False or value is True:
        out.append(0xC3 if value else 0xC2)
    elif isinstance(value, int):
        _encode_int(value, out)
    elif isinstance(value, bytes):
        _header(len(value), out, None, 0xC4, 0xC5, 0xC6)
        out += value
    elif isinstance(value, str):
        data = value.encode("utf-8")
        _header(len(data), out, (0xA0, 32), 0xD9, 0xDA, 0xDB)
        out += data
    elif isinstance(value, (list, tuple)):
        _header(len(value), out, (0x90, 16), None, 0xDC, 0xDD)
        for item in value:
            _encode(item, out)
    else:
        raise TypeError(f"no value of the codec: {type(value).__name__}")


def _encode_int(value, out):
    if 0 <= value < 0x80:
        out.append(value)
    elif -32 <= value < 0:
        out.append(value + 0x100)
    elif value >= 0:
        for head, size in ((0xCC, 1), (0xCD, 2), (0xCE, 4), (0xCF, 8)):
            if value < 1 << 8 * size:
                out.append(head)
                out += value.to_bytes(size, "big")
                return
        raise ValueError("an integer above 2^64 - 1")
    else:
        for head, size in ((0xD0, 1), (0xD1, 2), (0xD2, 4), (0xD3, 8)):
            if value >= -(1 << 8 * size - 1):
                out.append(head)
                out += value.to_bytes(size, "big", signed=True)
                return
        raise ValueError("an integer below -2^63")


def _header(length, out, fix, one, two, four):
    if fix and length < fix[1]:
        out.append(fix[0] + length)
        return
    for head, size in ((one, 1), (two, 2), (four, 4)):
        if head is not None and length < 1 << 8 * size:
            out.append(head)
            out += length.to_bytes(size, "big")
            return
    raise ValueError("too long")


def decode(data, limit=1 << 20):
    """The value with this encoding [Encodings, decode]; arrays become lists."""
    need(len(data) <= limit, "too long", Malformed)
    reader = _Reader(data)
    value = reader.value(1)
    need(reader.at == len(data), "bytes behind the value", Malformed)
    need(encode(value) == data, "not the canonical encoding", Malformed)
    return value


class _Reader:
    """Reads one msgpack object, judging types, levels and items from the headers."""

    LENGTHS = {
        0xC4: ("bin", 1),
        0xC5: ("bin", 2),
        0xC6: ("bin", 4),
        0xD9: ("str", 1),
        0xDA: ("str", 2),
        0xDB: ("str", 4),
        0xDC: ("array", 2),
        0xDD: ("array", 4),
    }
    INTEGERS = {
        0xCC: (1, False),
        0xCD: (2, False),
        0xCE: (4, False),
        0xCF: (8, False),
        0xD0: (1, True),
        0xD1: (2, True),
        0xD2: (4, True),
        0xD3: (8, True),
    }

    def __init__(self, data):
        self.data, self.at, self.items = data, 0, 0

    def take(self, count):
        need(self.at + count <= len(self.data), "cut off", Malformed)
        self.at += count
        return self.data[self.at - count : self.at]

    def value(self, level):
        need(level <= 16, "more than 16 levels", Malformed)
        head = self.take(1)[0]
        if head < 0x80:
            return head
        if head >= 0xE0:
            return head - 0x100
        if head in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[head]
        if head in self.INTEGERS:
            size, signed = self.INTEGERS[head]
            return int.from_bytes(self.take(size), "big", signed=signed)
        if 0x90 <= head < 0xA0:
            return self.array(head - 0x90, level)
        if 0xA0 <= head < 0xC0:
            return self.text(head - 0xA0)
        need(head in self.LENGTHS, "a map, a float or an extension", Malformed)
        family, size = self.LENGTHS[head]
        length = int.from_bytes(self.take(size), "big")
        if family == "bin":
            return self.take(length)
        return self.text(length) if family == "str" else self.array(length, level)

    def text(self, length):
        try:
            return self.take(length).decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed("text that is not UTF-8") from None

    def array(self, length, level):
        self.items += length
        need(self.items <= 1 << 14, "more than 2^14 items", Malformed)
        return [self.value(level + 1) for _ in range(length)]


# --------------------------------------------------------------------------------------------------------------- hashing


def sha512(data):
    return hashlib.sha512(data).digest()


def digest(tag, *fields):
    """The first 32 bytes of SHA-512 of [PROTOCOL, tag, fields] [Hashing]."""
    return sha512(encode([PROTOCOL, tag, list(fields)]))[:32]


class Oracle:
    """The challenges of a proof by Fiat and Shamir [Hashing]."""

    def __init__(self, tag, context):
        self.state = sha512(encode([PROTOCOL, tag, context]))

    def absorb(self, name, *values):
        self.state = sha512(encode([self.state, "absorb", name, list(values)]))

    def scalars(self, name, count):
        self.state = sha512(encode([self.state, "squeeze", name, count]))
        return [int.from_bytes(sha512(self.state + i.to_bytes(4, "big")), "little") % Q for i in range(count)]

    def scalar(self, name):
        return self.scalars(name, 1)[0]


# ------------------------------------------------------------------------------------------------------ field and curve

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)
IDENTITY_BYTES = (1).to_bytes(32, "little")


def add(a, b):
    """Sum of two points in extended coordinates (RFC 8032, 5.1.4)."""
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    m, n = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(a):
    x, y, z, _ = a
    xx, yy, zz = x * x % P, y * y % P, 2 * z * z % P
    h = xx + yy
    e, g = h - (x + y) * (x + y) % P, xx - yy
    f = zz + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def is_identity(a):
    return a[0] % P == 0 and (a[1] - a[2]) % P == 0


def to_bytes(a):
    inverse = pow(a[2], -1, P)
    x, y = a[0] * inverse % P, a[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def multi_multiply(pairs):
    """The sum of scalar * point over pairs: interleaved windows for few points, buckets for many."""
    pairs = [(scalar % Q, point) for scalar, point in pairs]
    return _straus(pairs) if len(pairs) < 40 else _buckets(pairs)


def _straus(pairs):
    tables = []
    for scalar, point in pairs:
        table = [IDENTITY, point]
        while len(table) < 16:
            table.append(add(table[-1], point))
        tables.append((scalar, table))
    total = IDENTITY
    for shift in range(252, -1, -4):
        for _ in range(4):
            total = double(total)
        for scalar, table in tables:
            digit = scalar >> shift & 15
            if digit:
                total = add(total, table[digit])
    return total


def _buckets(pairs):
    width = 5 if len(pairs) < 250 else 6
    total = IDENTITY
    for shift in range(253 // width * width, -1, -width):
        for _ in range(width):
            total = double(total)
        buckets = [None] * (1 << width)
        for scalar, point in pairs:
            digit = scalar >> shift & (1 << width) - 1
            if digit:
                buckets[digit] = point if buckets[digit] is None else add(buckets[digit], point)
        running = window = IDENTITY
        for bucket in reversed(buckets[1:]):
            if bucket is not None:
                running = add(running, bucket)
            window = add(window, running)
        total = add(total, window)
    return total


def order_times(point):
    """q times the point, without reducing q."""
    total = IDENTITY
    for bit in bin(Q)[2:]:
        total = double(total)
        if bit == "1":
            total = add(total, point)
    return total


POINTS = {}  # elements that were decoded or computed: bytes -> point


def decode_point(data):
    """The point of the curve with this canonical encoding, of whatever order."""
    need(len(data) == 32, "an element has 32 bytes", Malformed)
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    need(y < P, "not canonical", Malformed)
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * SQRT_M1 % P
    need(v * x * x % P == u, "no point of the curve", Malformed)
    need(x or not sign, "not canonical", Malformed)
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def element(data):
    """Check that these bytes are an element of the group, and return them [Group, decode]."""
    if data not in POINTS:
        point = decode_point(data)
        need(is_identity(order_times(point)), "a small-order part", Malformed)
        need(not is_identity(point), "the identity", Malformed)
        POINTS[data] = point
    return data


def elements(data, count):
    """So many elements, joined."""
    need(len(data) == 32 * count, "another number of bytes", Malformed)
    return [element(data[i : i + 32]) for i in range(0, len(data), 32)]


def decode_scalar(data):
    need(len(data) == 32, "a scalar has 32 bytes", Malformed)
    value = int.from_bytes(data, "little")
    need(value < Q, "a scalar that is not below q", Malformed)
    return value


def computed(point):
    """The bytes of a point that was computed from elements (the identity too), known from now on."""
    data = to_bytes(point)
    POINTS.setdefault(data, point)
    return data


def combine(pairs):
    """The bytes of the sum of scalar * element over pairs."""
    return to_bytes(multi_multiply([(scalar, POINTS[data]) for scalar, data in pairs]))


def vanishes(pairs):
    """Whether the sum of scalar * element over pairs is the identity."""
    return is_identity(multi_multiply([(scalar, POINTS[data]) for scalar, data in pairs]))


G = element(bytes.fromhex("58" + "66" * 31))


# ---------------------------------------------------------------------------------------------------------- hash to group

SUITE = "edwards25519_XMD:SHA-512_ELL2_RO_"
MONTGOMERY = 486662
SQRT_M486664 = next(
    r for r in (pow(-486664 % P, (P + 3) // 8, P) * s % P for s in (1, SQRT_M1)) if r * r % P == -486664 % P
)
SQRT_M486664 = SQRT_M486664 if SQRT_M486664 % 2 == 0 else P - SQRT_M486664


def expand_message(message, domain, length):
    """expand_message_xmd of RFC 9380, 5.3.1, with SHA-512."""
    domain += bytes([len(domain)])
    blocks = -(-length // 64)
    first = sha512(bytes(128) + message + length.to_bytes(2, "big") + b"\0" + domain)
    out = [sha512(first + b"\1" + domain)]
    for i in range(2, blocks + 1):
        mixed = bytes(a ^ b for a, b in zip(first, out[-1]))
        out.append(sha512(mixed + bytes([i]) + domain))
    return b"".join(out)[:length]


def square_root(value):
    """A square root modulo p, or None."""
    root = pow(value, (P + 3) // 8, P)
    for candidate in (root, root * SQRT_M1 % P):
        if candidate * candidate % P == value % P:
            return candidate
    return None


def map_to_curve(u):
    """Elligator 2 to edwards25519 (RFC 9380, 6.8.2)."""
    denominator = (1 + 2 * u * u) % P
    s = -MONTGOMERY * pow(denominator, -1, P) % P if denominator else -MONTGOMERY % P
    t, wanted = square_root((s**3 + MONTGOMERY * s * s + s) % P), 1
    if t is None:
        s, wanted = (-s - MONTGOMERY) % P, 0
        t = square_root((s**3 + MONTGOMERY * s * s + s) % P)
    if t % 2 != wanted:
        t = -t % P
    if t == 0 or s == P - 1:
        return IDENTITY
    x = SQRT_M486664 * s * pow(t, -1, P) % P
    y = (s - 1) * pow(s + 1, -1, P) % P
    return x, y, 1, x * y % P


def hash_to_curve(message, domain):
    uniform = expand_message(message, domain, 96)
    u0, u1 = (int.from_bytes(uniform[i : i + 48], "big") % P for i in (0, 48))
    point = add(map_to_curve(u0), map_to_curve(u1))
    return double(double(double(point)))


def hash_to_group(tag, *fields):
    """[Group, hash_to_group]"""
    return computed(hash_to_curve(encode(list(fields)), f"{PROTOCOL}/{tag}/{SUITE}".encode()))


@lru_cache(None)
def label_point(deck, label):
    """M_c of a deck [Cards and locks]."""
    return hash_to_group("card", deck, label)


@lru_cache(None)
def generator(j):
    """h_j [Pedersen commitments]."""
    return hash_to_group("generator", j)


@lru_cache(None)
def second_base():
    """H [Pedersen commitments]."""
    return hash_to_group("second-base")


# ------------------------------------------------------------------------------------------------------------ signatures


def verify_signature(public, purpose, message, signature):
    """Ed25519 without cofactor, over the message behind its purpose [Identities]."""
    signed = encode([PROTOCOL, "signature", purpose]) + message
    need(len(signature) == 64, "a signature has 64 bytes", InvalidSignature)
    s = int.from_bytes(signature[32:], "little")
    need(s < Q, "S is not below q", InvalidSignature)
    h = int.from_bytes(sha512(signature[:32] + public + signed), "little") % Q
    need(combine([(s, G), (-h, public)]) == signature[:32], "the signature does not hold", InvalidSignature)


# ----------------------------------------------------------------------------------------------------------- commitments


def commit(context, content, salt):
    return digest("commitment", context, content, salt)


def verify_opening(commitment, context, content, salt):
    """[Commitments]"""
    need(len(salt) == 32, "a salt has 32 bytes", InvalidOpening)
    need(commit(context, content, salt) == commitment, "another opening than the commitment's", InvalidOpening)


def toss(context, shares, sides):
    """[Joint coin]"""
    return int.from_bytes(digest("coin", context, shares), "big") % sides


# ---------------------------------------------------------------------------------------------------------------- proofs


def context_digest(game, roster, deck, generation, seat, step, sequence, previous, operation, index, handles):
    """[Contexts of proofs]"""
    return digest("context", game, roster, deck, generation, seat, step, sequence, previous, operation, index, handles)


def weight():
    """A weight of the verifier's own for equations that are checked as one."""
    return secrets.randbits(128)


def split_scalars(data):
    return [decode_scalar(data[i : i + 32]) for i in range(0, len(data), 32)]


def distinct_elements(points):
    return len(set(points)) == len(points)


def verify_eq(context, statements, proof):
    """EQ: statements are (A, B, inputs, outputs) with outputs = t inputs for the t with B = tA [EQ]."""
    need(len(proof) == 32 * (1 + len(statements)), "another length than a proof EQ has", Malformed)
    c, *responses = split_scalars(proof)
    oracle = Oracle("EQ", context)
    for a, b, inputs, outputs in statements:
        need(len(inputs) == len(outputs), "as many outputs as inputs", InvalidProof)
        need(IDENTITY_BYTES not in (a, b, *inputs, *outputs), "no identity among keys and cards", InvalidProof)
        oracle.absorb("statement", a, b, inputs, outputs)
    coefficients = [oracle.scalars("e", len(inputs)) for _, _, inputs, _ in statements]
    for (a, b, inputs, outputs), s, e in zip(statements, responses, coefficients):
        masks = [combine([(s, a), (-c, b)])]
        if inputs:
            masks.append(combine([(s * x, p) for x, p in zip(e, inputs)] + [(-c * x, p) for x, p in zip(e, outputs)]))
        oracle.absorb("T", *masks)
    need(oracle.scalar("c") == c, "c = hash(statements, T)", InvalidProof)


def read_sh(proof, n):
    """The eight elements and the lists of scalars of a proof SH for n cards [SH, Read a proof]."""
    need(len(proof) == 32 * (3 * n + 10), "another length than a proof SH has", Malformed)
    scalars = split_scalars(proof[256:])
    return elements(proof[:256], 8), scalars[:n], scalars[n : 2 * n], scalars[2 * n : 3 * n - 2], scalars[3 * n - 2 :]


def verify_sh(context, a, b, inputs, outputs, proof):
    """SH(A, B; C -> D): D is k C in another order, for the k with B = kA [SH, Verify]."""
    n = len(inputs)
    need(len(outputs) == n, "as many outputs as inputs", InvalidProof)
    need(n >= 2, "a shuffle needs two cards", InvalidProof)
    need(IDENTITY_BYTES not in (a, b, *inputs, *outputs), "no identity among keys and cards", InvalidProof)
    commitments, s, f, g, (s_q, s_k, s_f, s_e) = read_sh(proof, n)
    need(distinct_elements(outputs), "outputs pairwise distinct", InvalidProof)
    p_, q_, t_q, t_d, t_b, t_f, e_0, e_1 = commitments
    oracle = Oracle("SH", context)
    oracle.absorb("statement", a, b, inputs, outputs)
    oracle.absorb("P", p_)
    u = oracle.scalars("u", n)
    oracle.absorb("Q", q_)
    y, z = oracle.scalar("y"), oracle.scalar("z")
    oracle.absorb("T", t_q, t_d, t_b, t_f, e_0, e_1)
    c = oracle.scalar("c")
    product_ = 1
    for i, u_i in enumerate(u, 1):
        product_ = product_ * (y * i + u_i - z) % Q
    g = [f[0], *g, c * product_ % Q]
    e = [(c * g[j + 1] - g[j] * f[j + 1]) % Q for j in range(n - 1)] + [0]
    v1, v2, v3, v4, v5 = (weight() for _ in range(5))
    pairs = [(v1 * s[j] + v4 * (f[j] + c * z) + v5 * e[j], generator(j + 1)) for j in range(n)]
    pairs += [(v2 * s[j], outputs[j]) for j in range(n)]
    pairs += [(-v2 * s_k * u[i], inputs[i]) for i in range(n)]
    pairs += [
        (v3 * s_k, a),
        (-v3 * c, b),
        (-v4 * c * y, p_),
        (-(v1 + v4) * c, q_),
        (-v1, t_q),
        (-v2, t_d),
        (-v3, t_b),
        (-v4, t_f),
        (-v5, e_0),
        (-v5 * c, e_1),
        (v1 * s_q + v4 * s_f + v5 * s_e, G),
    ]
    need(vanishes(pairs), "shuffle equations", InvalidProof)


def verify_mb(context, claims, proof):
    """MB: claims are (X, K, S) with X = kM for one M of S, for the k with K = kG [MB]."""
    keys = list(dict.fromkeys(key for _, key, _ in claims))
    bases = [_ceil_root(len(among)) for _, _, among in claims]
    n, m, kappa = 2 * sum(bases), len(claims), len(keys)
    need(m > 0, "a proof of nothing", Malformed)
    need(len(proof) == 32 * (8 + 3 * kappa + n - 2 * m), "another length than a proof MB has", Malformed)
    points = elements(proof[: 32 * (6 + 2 * kappa)], 6 + 2 * kappa)
    scalars = split_scalars(proof[32 * (6 + 2 * kappa) :])
    a_, b_, c_, d_, g_0, g_1 = points[:6]
    e_0, e_1 = points[6 : 6 + kappa], points[6 + kappa :]
    sent, (z_a, z_c), z = scalars[: n - 2 * m], scalars[n - 2 * m : n - 2 * m + 2], scalars[n - 2 * m + 2 :]

    oracle = Oracle("MB", context)
    oracle.absorb("claims", *([x, key, digest("card-set", list(among))] for x, key, among in claims))
    oracle.absorb("digits", a_, b_)
    y, lambdas = oracle.scalar("y"), oracle.scalars("lambda", m)
    oracle.absorb("sums", c_, d_, g_0, g_1, e_0, e_1)
    x = oracle.scalar("x")

    rows, at = [], 0
    for base in bases:
        for _ in range(2):
            rest = sent[at : at + base - 1]
            rows.append([(x - sum(rest)) % Q, *rest])
            at += base - 1
    f = [value for row in rows for value in row]
    e = sum(pow(y, j, Q) * f_j * (x - f_j) for j, f_j in enumerate(f, 1)) % Q
    labels = {}
    for i, ((_, _, among), base) in enumerate(zip(claims, bases)):
        lower, higher = rows[2 * i], rows[2 * i + 1]
        for low in range(base):
            for high in range(base):
                label = among[min(low + high * base, len(among) - 1)]
                labels[label] = (labels.get(label, 0) + lambdas[i] * lower[low] * higher[high]) % Q

    u, v = weight(), weight()
    pairs = list((value, label) for label, value in labels.items())
    pairs += [(-z[keys.index(key)] * lambdas[i], card) for i, (card, key, _) in enumerate(claims)]
    pairs += [(-x, g_1), (-1, g_0)]
    pairs += [(u * f_j, generator(j)) for j, f_j in enumerate(f, 1)] + [(u * z_a, G), (-u, a_), (-u * x, b_)]
    pairs += [(v * z_c, G), (v * e, second_base()), (-v * x, c_), (-v, d_)]
    for k in range(kappa):
        w = weight()
        pairs += [(w * x * x, G), (-w, e_0[k]), (-w * x, e_1[k]), (-w * z[k], keys[k])]
    need(vanishes(pairs), "membership equations", InvalidProof)


def _ceil_root(n):
    return isqrt(n - 1) + 1


PROVED = {}  # proofs that were checked before: a history that is told again costs nothing


def once(verify, *statement):
    """Run a check of a proof, unless the very same one was run before."""
    key = (verify, sha512(repr(statement).encode()))
    if key not in PROVED:
        try:
            verify(*statement)
            PROVED[key] = None
        except VerificationError as error:
            PROVED[key] = error
    if PROVED[key] is not None:
        raise PROVED[key]


# ----------------------------------------------------------------------------------------------------------- cards, zones


@dataclass(frozen=True)
class Card:
    """A card in play: a point, and the locks on it as (seat, key) in seat order [Decks]."""

    point: bytes
    locks: tuple
    deck: str

    def __deepcopy__(self, memo):
        return self

    def key_of(self, seat):
        return dict(self.locks).get(seat)

    def locked(self, seat, key, point):
        return Card(point, tuple(sorted({**dict(self.locks), seat: key}.items())), self.deck)

    def stripped(self, seat, point):
        return Card(point, tuple(lock for lock in self.locks if lock[0] != seat), self.deck)

    def held_by(self, seat):
        return len(self.locks) == 1 and self.locks[0][0] == seat


def read_list(cards, seat, change):
    """A list without its proof [Decks, read_list]: the new cards, and the statement (A, K, C, D) that is still to be proved."""
    key, points, proof = change
    need(cards, "no cards", Malformed)
    need(all(card.locks == cards[0].locks for card in cards), "cards under different locks", Malformed)
    element(key)
    points = elements(points, len(cards))
    need(proof == b"", "a list with a proof", Malformed)
    need(distinct_elements(points), "a card twice", Malformed)
    statement = (cards[0].key_of(seat) or G, key, [card.point for card in cards], points)
    return [card.locked(seat, key, point) for card, point in zip(cards, points)], statement


def verify_shuffle(context, cards, seat, change):
    """[Decks, verify_shuffle]"""
    key, points, proof = change
    need(
        len(cards) >= 2 and all(card.locks == cards[0].locks for card in cards),
        "cards under different locks",
        Malformed,
    )
    element(key)
    points = elements(points, len(cards))
    read_sh(proof, len(cards))
    once(verify_sh, context, cards[0].key_of(seat) or G, key, [card.point for card in cards], points, proof)
    return [card.locked(seat, key, point) for card, point in zip(cards, points)]


def _by_key(cards, seat, points, default):
    """Cards with their new points by the seat's key on them, in the order in which keys come first."""
    groups = {}
    for card, point in zip(cards, points):
        groups.setdefault(card.key_of(seat) or default, []).append((card.point, point))
    return groups


def verify_lock(context, cards, seat, change):
    """[Decks, verify_lock]"""
    key, points, proof = change
    need(distinct_elements([card.point for card in cards]), "a card twice", Malformed)
    element(key)
    points = elements(points, len(cards))
    groups = _by_key(cards, seat, points, G)
    need(len(proof) == 32 * (1 + len(groups)), "another length than a proof EQ has", Malformed)
    once(
        verify_eq,
        context,
        [(a, key, [x for x, _ in pairs], [y for _, y in pairs]) for a, pairs in groups.items()],
        proof,
    )
    return [card.locked(seat, key, point) for card, point in zip(cards, points)]


def verify_strip(context, cards, seat, change):
    """[Decks, verify_strip]"""
    key, points, proof = change
    need(key == b"", "a key where a lock is taken off", Malformed)
    need(distinct_elements([card.point for card in cards]), "a card twice", Malformed)
    need(all(card.key_of(seat) for card in cards), "a card without a lock of the author", Malformed)
    points = elements(points, len(cards))
    groups = _by_key(cards, seat, points, G)
    need(len(proof) == 32 * (1 + len(groups)), "another length than a proof EQ has", Malformed)
    once(
        verify_eq, context, [(G, k, [y for _, y in pairs], [x for x, _ in pairs]) for k, pairs in groups.items()], proof
    )
    return [card.stripped(seat, point) for card, point in zip(cards, points)]


def verify_rearrangement(contexts, cards, seat, rearrangement):
    """[Zones]; contexts are those of this index and of the next one."""
    gather, change = rearrangement
    need(cards and all(card.held_by(seat) for card in cards), "cards that the owner does not hold", Malformed)
    several = len(cards) >= 2 and len({card.locks for card in cards}) > 1
    need((gather is not None) == several, "a gathering where none belongs, or none where one does", Malformed)
    if len(cards) == 1:
        return verify_lock(contexts[0], cards, seat, change)
    if gather is None:
        return verify_shuffle(contexts[0], cards, seat, change)
    return verify_shuffle(contexts[1], verify_lock(contexts[0], cards, seat, gather), seat, change)


# ----------------------------------------------------------------------------------------------------------------- forms


def is_int(value):
    return type(value) is int


def within(low, high):
    return lambda value: is_int(value) and low <= value <= high


def is_bytes(value):
    return isinstance(value, bytes)


def sized(length):
    return lambda value: is_bytes(value) and len(value) == length


def is_text(value):
    return isinstance(value, str)


def is_bool(value):
    return isinstance(value, bool)


def text_up_to(limit):
    return lambda value: is_text(value) and len(value.encode()) <= limit


def word(*words):
    return lambda value: is_text(value) and value in words


def maybe(form):
    return lambda value: value is None or form(value)


def either(*forms):
    return lambda value: any(form(value) for form in forms)


def array(form, low=0, high=1 << 14):
    return lambda value: isinstance(value, list) and low <= len(value) <= high and all(map(form, value))


def record(*forms):
    return lambda value: (
        isinstance(value, list) and len(value) == len(forms) and all(f(v) for f, v in zip(forms, value))
    )


def named(table):
    """One of several records, by its word [Typed values]."""

    def check(value):
        return (
            isinstance(value, list)
            and value
            and is_text(value[0])
            and value[0] in table
            and record(*table[value[0]])(value[1:])
        )

    return check


def is_goods(value):
    return array(record(is_text, is_int))(value)


CHANGE = record(is_bytes, is_bytes, is_bytes)
CLAIMS = array(record(is_int, is_text))
HANDLES = array(is_int)
VERB = word("pass", "inspect")
THINGS = record(is_int, is_goods, is_goods, is_int, is_goods, is_int)
GIFT = record(is_int, is_int, THINGS, maybe(word("true", "lie")))
OFFER = (is_int, is_int, HANDLES, array(GIFT), array(record(is_int, VERB)), is_text)
REQUESTS = {
    "Accept": (is_int, is_int, is_int),
    "Stance": (is_int, is_int, VERB),
    "Apart": (is_int, is_int),
    "Pass": (is_int, is_int, is_bool),
    "Inspect": (is_int, is_int),
}
TALK = {"Offer": OFFER, "Withdraw": (is_int, is_int), "Refuse": (is_int, is_int, is_int), **REQUESTS}
MOVES = {
    **TALK,
    "NameFirst": (is_int, is_int),
    "TakeDiscards": (is_int, record(is_int, is_int)),
    "LayDown": (is_int, is_int, HANDLES),
    "Load": (is_int, is_bytes),
    "Declare": (is_int, is_int, is_text),
    "ShareLoot": (is_int, maybe(record(is_int, HANDLES, array(is_text)))),
    "PickLoot": (is_int, either(is_int, is_text)),
    "SetAside": (is_int, HANDLES),
    "HandOver": (is_int, HANDLES),
    "PayInKind": (is_int, is_goods, CLAIMS),
    "Trade": (is_int, CLAIMS),
    "LayLaws": (is_int, HANDLES, is_bool),
    "LayOut": (is_int, CLAIMS),
    "KeepMan": (is_int, is_int),
    "UseMan": (is_int, is_bool, HANDLES, array(is_int), array(is_text), HANDLES),
    "Discard": (is_int, CLAIMS, HANDLES),
    "Reorder": (is_int, HANDLES),
    "FillOrders": (is_int, array(is_text), CLAIMS),
}
ACTS = {
    "shuffle": (CHANGE,),
    "attest": (is_bytes,),
    "lock": (CHANGE,),
    "strip": (CHANGE,),
    "rearrange": (record(maybe(CHANGE), CHANGE),),
    "open": (HANDLES, sized(32)),
    "show": (CLAIMS,),
    "prove": (),
    "commit": (sized(32),),
    "reveal": (sized(32),),
    "move": (named(MOVES),),
    "take": (is_int, is_int),
    "heed": (named(REQUESTS),),
    "time-up": (),
    "seal": (sized(32),),
}
PAYLOAD = record(array(named(ACTS), 1, 8), is_bytes)


def ascending(form):
    return lambda value: array(form, 0, 64)(value) and all(a < b for a, b in zip(value, value[1:]))


SEATS = ascending(within(0, 64))
TRY = within(0, 1048576)
WORDS = {
    "say": (text_up_to(400),),
    "negotiate": (named(TALK),),
    "rest": (within(0, 99),),
    "bot": (text_up_to(32), within(0, 3600)),
    "leave": (),
    "time": (within(0, 99),),
    "vote": (array(record(TRY, SEATS), 0, 64), SEATS, TRY),
}


# --------------------------------------------------------------------------------------------------------------- charter


@dataclass(frozen=True)
class Charter:
    """Who plays what [Charter]."""

    keys: tuple
    names: tuple
    terms: list
    game: bytes
    roster: bytes

    @property
    def seats(self):
        return range(len(self.keys))

    def __deepcopy__(self, memo):
        return self


def read_charter(data):
    """[Charter, Reading a charter]"""
    value = decode(data, 1 << 16)
    need(isinstance(value, list) and len(value) == 2, "no charter", Malformed)
    proposal, nonces = value
    need(isinstance(proposal, list) and len(proposal) == 2, "no proposal", Malformed)
    players, terms = proposal
    need(array(record(sized(32), text_up_to(64)), 2, 16)(players), "not 2 to 16 players", Malformed)
    need(array(sized(32), len(players), len(players))(nonces), "not a nonce of every player", Malformed)
    keys = tuple(element(key) for key, _ in players)
    need(len(set(keys)) == len(keys), "a player twice", Malformed)
    return Charter(
        keys,
        tuple(name for _, name in players),
        terms,
        digest("charter", proposal, nonces),
        digest("roster", list(keys)),
    )


# ----------------------------------------------------------------------------------------------------------------- terms

# kind, side, cards with 3 players, cards with 4 to 6, value, fine, counts for (rule 1)
GOODS = [
    ("apples", "legal", 48, 48, 2, 2, ["apples", 1]),
    ("cheese", "legal", 36, 36, 3, 2, ["cheese", 1]),
    ("bread", "legal", 0, 36, 3, 2, ["bread", 1]),
    ("chicken", "legal", 24, 24, 4, 2, ["chicken", 1]),
    ("pepper", "contraband", 18, 22, 6, 4, None),
    ("mead", "contraband", 16, 21, 7, 4, None),
    ("silk", "contraband", 9, 12, 8, 4, None),
    ("crossbow", "contraband", 5, 5, 9, 4, None),
    ("green apples", "royal", 2, 2, 4, 3, ["apples", 2]),
    ("golden apples", "royal", 1, 2, 6, 4, ["apples", 3]),
    ("gouda", "royal", 2, 2, 6, 4, ["cheese", 2]),
    ("blue cheese", "royal", 0, 1, 9, 5, ["cheese", 3]),
    ("rye bread", "royal", 0, 2, 6, 4, ["bread", 2]),
    ("pumpernickel", "royal", 0, 1, 9, 5, ["bread", 3]),
    ("royal rooster", "royal", 1, 2, 8, 4, ["chicken", 2]),
]
BLACK_MARKET = [["pepper 30", "pepper 27"], ["mead 32", "mead 29"], ["silk 34", "silk 31"]]
ORDERS = [
    ["apples", "pepper", 7, 2],
    ["apples", "mead", 6, 2],
    ["apples", "silk", 6, 1],
    ["apples", "crossbow", 6, 1],
    ["bread", "pepper", 6, 1],
    ["bread", "mead", 5, 1],
    ["bread", "silk", 5, 1],
    ["cheese", "pepper", 6, 1],
    ["cheese", "mead", 5, 1],
    ["cheese", "silk", 5, 1],
    ["chicken", "pepper", 5, 1],
    ["chicken", "mead", 5, 1],
    ["chicken", "silk", 4, 1],
]
LAWS = [
    ["apple ban", "Ban", "apples"],
    ["cheese ban", "Ban", "cheese"],
    ["bread ban", "Ban", "bread"],
    ["chicken ban", "Ban", "chicken"],
    ["forced apple sale", "ForcedSale", "apples"],
    ["forced cheese sale", "ForcedSale", "cheese"],
    ["forced bread sale", "ForcedSale", "bread"],
    ["forced chicken sale", "ForcedSale", "chicken"],
    ["apple tax", "Tax", "apples", 2],
    ["cheese tax", "Tax", "cheese", 2],
    ["bread tax", "Tax", "bread", 2],
    ["chicken tax", "Tax", "chicken", 2],
    ["smugglers' premium", "Premium", 2],
    ["sheriff's private stash", "PrivateStash"],
    ["heavy hand", "HeavyHand", 1],
    ["light hand", "LightHand"],
    ["honest reward", "HonestReward", 1],
    ["full wagons", "BagAtLeast", 3],
    ["small wagons", "BagAtMost", 4],
    ["no coin", "NoCoin"],
    ["duty", "Duty"],
    ["mercy", "Mercy"],
    ["thin market", "MarketAtMost", 3],
    ["toll", "Toll", 1],
]
MEN = [
    ["Robin Hood", 10, 8, "Rob", 6, 3],
    ["Little John", 8, 6, "Levy", 4, 2],
    ["David of Doncaster", 6, 5, "RefillAndSwap", 2],
    ["Will Scarlet", 8, 6, "LookAtOne"],
    ["Maid Marian", 8, 6, "TakeGood"],
    ["Friar Tuck", 7, 5, "LayOne"],
    ["Alan-a-Dale", 6, 5, "CollectFromPassed", 1],
    ["Much the miller's son", 6, 4, "DrawAndDiscard", 2],
    ["Gilbert Whitehand", 7, 5, "SwapGoods"],
    ["Will Stutely", 7, 5, "TakeTop"],
    ["Arthur a Bland", 6, 5, "PayForContraband", 2],
    ["Richard at the Lee", 9, 7, "SheriffPaysPassed", 2],
    ["Wat the tinker", 6, 4, "TakeConfiscated"],
    ["Gandelyn", 5, 4, "LookAtDeck", 3],
    ["Reynold Greenleaf", 6, 5, "CollectFromRicher", 2],
    ["Young Gamwell", 7, 6, "CollectForGood", 1],
    ["Roger the cook", 5, 3, "SellGoods", 2, 2],
    ["the widow's son", 5, 3, "HalveNextFine"],
]
OPTIONS = ("black-market", "laws", "merry-men", "missing", "orders", "royal", "seven", "timer")
NAMES = ("players", "edition", "options", "extra", "short", "candidates", "goods", "black_market", "modules", "grace")
MISSING = 10


@dataclass(frozen=True)
class Good:
    kind: str
    side: str
    count: int
    value: int
    fine: int
    counts_for: tuple


@dataclass(frozen=True)
class Setup:
    """What the terms say, ready for use [Terms]."""

    players: int
    edition: str
    options: frozenset
    candidates: tuple
    goods: dict
    market: tuple
    modules: dict

    def __deepcopy__(self, memo):
        return self

    @property
    def hand(self):
        return 7 if "seven" in self.options else 6

    def labels(self, kind):
        """The labels of a kind, ascending."""
        start = 0
        for good in self.goods.values():
            if good.kind == kind:
                return list(range(start, start + good.count))
            start += good.count
        raise Forbidden("a kind that is not in the deck")

    @property
    def cards(self):
        return sum(good.count for good in self.goods.values())

    def module_cards(self, deck):
        """The cards of a module's deck by their labels."""
        if deck == "orders":
            return [line for line in self.modules[deck] for _ in range(line[3])]
        return self.modules[deck]


def read_terms(terms, seats):
    """[Terms, Reading terms]"""
    need(
        record(is_text, lambda pairs: isinstance(pairs, list))(terms) and terms[0] == "sheriff/5",
        "other terms",
        Malformed,
    )
    need(array(record(is_text, lambda value: True), 10, 10)(terms[1]), "not ten pairs", Malformed)
    need(tuple(name for name, _ in terms[1]) == NAMES, "other names", Malformed)
    players, edition, options, extra, short, candidates, *_ = (value for _, value in terms[1])
    need(is_int(players) and 3 <= players <= 6 and players == seats, "another number of players", Malformed)
    need(word("first", "second")(edition), "no edition", Malformed)
    need(array(word(*OPTIONS))(options) and options == sorted(set(options)), "options", Malformed)
    need(array(within(0, players - 1))(candidates) and candidates == sorted(set(candidates)), "candidates", Malformed)
    _check_extra(extra)
    goods = _table_of_goods(players, edition, options, extra, short)
    kinds = {good[0] for good in goods}
    modules = []
    if "orders" in options:
        modules.append(["orders", [line for line in ORDERS if line[0] in kinds and line[1] in kinds]])
    if "laws" in options:
        modules.append(
            [
                "laws",
                [
                    line
                    for line in LAWS
                    if (len(line) < 3 or is_int(line[2]) or line[2] in kinds)
                    and not (players == 5 and line[1] == "PrivateStash")
                ],
            ]
        )
    if "merry-men" in options:
        modules.append(["merry men", MEN])
    market = BLACK_MARKET if "black-market" in options else []
    written = [
        "sheriff/5",
        [
            list(pair)
            for pair in zip(
                NAMES, (players, edition, options, extra, short, candidates, goods, market, modules, [60, 180])
            )
        ],
    ]
    need(encode(terms) == encode(written), "not what this version of the rules writes", Malformed)
    return Setup(
        players,
        edition,
        frozenset(options),
        tuple(candidates),
        {line[0]: Good(*line[:5], line[5]) for line in goods},
        tuple(map(tuple, market)),
        dict(modules),
    )


def is_letter(character):
    """Whether it is of the Unicode categories L, Nl and No."""
    category = unicodedata.category(character)
    return category[0] == "L" or category in ("Nl", "No")


def _check_extra(extra):
    form = record(
        is_text,
        word("legal", "contraband", "royal"),
        within(1, 60),
        within(1, 99),
        within(0, 99),
        maybe(record(word("apples", "cheese", "bread", "chicken"), within(1, 9))),
    )
    need(array(form)(extra), "extra goods", Malformed)
    need(sum(line[2] for line in extra) <= 60, "more than 60 extra cards", Malformed)
    taken = {line[0] for line in GOODS}
    for name, *_ in extra:
        need(
            2 <= len(name) <= 24 and is_letter(name[0]) and is_letter(name[-1]), "the name of an extra good", Malformed
        )
        need(
            all(is_letter(c) or c in " -'" for c in name) and name not in taken, "the name of an extra good", Malformed
        )
        taken.add(name)


def _table_of_goods(players, edition, options, extra, short):
    goods = [
        [kind, side, three if players == 3 else more, value, fine, counts]
        for kind, side, three, more, value, fine, counts in GOODS
        if side != "royal" or "royal" in options
    ]
    need(is_goods(short), "a short deck", Malformed)
    if short:
        numbers = dict(map(tuple, short))
        whole = {line[0]: line[2] for line in goods}
        need(len(numbers) == len(short), "a short deck with a good twice", Malformed)
        need(all(1 <= number <= whole.get(kind, 0) for kind, number in short), "a short deck", Malformed)
        for line in goods:
            line[2] = numbers.get(line[0], 0)
    goods = [line for line in goods if line[2]] + extra
    if short:
        hand = 7 if "seven" in options else 6
        needed = players * hand + MISSING * ("missing" in options) + 10 * (edition == "first" and players < 6)
        need(sum(line[2] for line in goods) >= needed, "a short deck without enough cards", Malformed)
        sides = [line[1] for line in goods]
        need(
            "legal" in sides and {"contraband", "royal"} & set(sides),
            "a deck without legal goods or contraband",
            Malformed,
        )
        kinds = {line[0] for line in goods}
        need(
            "black-market" not in options or {"pepper", "mead", "silk"} <= kinds,
            "a black market without its goods",
            Malformed,
        )
        need("laws" not in options or sides.count("legal") >= 3, "laws need three legal goods", Malformed)
    return goods


# --------------------------------------------------------------------------------------------------------------- entries


@dataclass(frozen=True, eq=False)
class Entry:
    """One signed message of one seat [Entries]; `place` is where it stands in the file."""

    author: int
    heads: tuple
    step: int
    payload: object
    hash: bytes
    size: int
    place: int

    def __deepcopy__(self, memo):
        return self

    @property
    def number(self):
        return self.heads[self.author][0]

    @property
    def previous(self):
        return self.heads[self.author][1]

    @property
    def begins_as_vote(self):
        """Whether it counts as a vote in budgets, well-formed or not [Budgets]."""
        return self.step is None and isinstance(self.payload, list) and self.payload[:1] == ["vote"]

    @property
    def is_vote(self):
        """Whether it has the form of a vote, of seats of this table."""
        if not self.begins_as_vote or not named(WORDS)(self.payload):
            return False
        _, below, out, _ = self.payload
        return all(seat < len(self.heads) for seats in (out, *(seats for _, seats in below)) for seat in seats)

    @property
    def vote(self):
        """(below, out, try) of a vote."""
        _, below, out, attempt = self.payload
        return tuple((t, tuple(seats)) for t, seats in below), tuple(out), attempt

    def sees(self, other):
        """Whether its heads name this entry, or a later one of that chain."""
        return self.heads[other.author][0] > other.number


def read_entry(message, charter, place=None):
    """[Entries, Reading a message]"""
    need(len(message) <= 1 << 17, "too long", Malformed)
    outer = decode(message)
    need(record(is_bytes, is_bytes)(outer), "no entry", Malformed)
    body, signature = outer
    value = decode(body)
    form = record(
        lambda v: is_int(v) and v == 1,
        sized(32),
        is_int,
        array(record(is_int, sized(32))),
        maybe(is_int),
        lambda v: True,
    )
    need(form(value), "no body", Malformed)
    _, game, author, heads, step, payload = value
    need(game == charter.game, "of another game", Malformed)
    need(author in charter.seats and len(heads) == len(charter.keys), "no seat of this table", Malformed)
    need(
        all(length >= 0 for length, _ in heads) and (step is None or step >= 0), "a negative length or step", Malformed
    )
    verify_signature(charter.keys[author], "entry", body, signature)
    return Entry(
        author,
        tuple((length, hash_) for length, hash_ in heads),
        step,
        payload,
        digest("entry", body),
        len(message) + 4,
        place,
    )


# --------------------------------------------------------------------------------------------------------------- ballots

MOST_COMBINATIONS = 24


@dataclass(frozen=True)
class Certificate:
    """Equal votes of all who stay [Ballots]."""

    attempt: int
    out: tuple
    votes: tuple


def remaining(below, seats):
    """The seats still in under these certificates, given as (try, out)."""
    gone = {seat for _, out in below for seat in out}
    return [seat for seat in seats if seat not in gone]


def names_of(certificates):
    return tuple((c.attempt, c.out) for c in certificates)


def last_try(certificates):
    return certificates[-1].attempt if certificates else -1


# ------------------------------------------------------------------------------------------------------------ transcript


class Transcript:
    """The entries that were read, of all seats and branches [Transcript].

    A set of entries is an integer whose bits are their places in `entries`.
    """

    def __init__(self, charter):
        self.charter = charter
        self.entries = []
        self.by_hash = {}
        self.places = {}
        self.chains = [[] for _ in charter.seats]  # of each seat the branch that is followed
        self.ledgers = {}  # what a chain has used, by the hash of its last entry
        self.everything = 0
        self.upto = {}  # hash -> all that an entry names, and itself
        self.lines = {}  # hash -> the branch that ends with it
        self.versions = {}  # (seat, number) -> entries
        self.votes = 0
        self.memo = {}

    def named(self, entry, seat):
        """The last entry of a seat that this one names, or None; fails with KeyError if it is not here."""
        return self.at(entry.heads[seat], seat)

    def at(self, head, seat):
        length, hash_ = head
        if length == 0:
            return None
        found = self.by_hash[hash_]
        if found.author != seat or found.number != length - 1:
            raise KeyError(hash_)
        return found

    def has_all_named(self, entry):
        try:
            for seat in self.charter.seats:
                self.named(entry, seat)
        except KeyError:
            return False
        return True

    def add(self, entry):
        place = len(self.entries)
        chain = self.chains[entry.author]
        if entry.number == len(chain) and (not chain or chain[-1].hash == entry.previous):
            chain.append(entry)
        self.entries.append(entry)
        self.by_hash[entry.hash], self.places[entry.hash] = entry, place
        self.upto[entry.hash] = self.past(entry) | 1 << place
        self.lines[entry.hash] = (self.lines[entry.previous] if entry.number else 0) | 1 << place
        self.versions.setdefault((entry.author, entry.number), []).append(entry)
        self.everything |= 1 << place
        if entry.is_vote:
            self.votes |= 1 << place

    # -- pasts

    @property
    def tips(self):
        """The head of the branch of each seat that is followed."""
        return tuple((len(chain), chain[-1].hash if chain else self.charter.game) for chain in self.chains)

    def past(self, entry):
        """All that an entry names, and what that names, without itself."""
        return self.joined(self.by_hash[hash_] for length, hash_ in entry.heads if length)

    def joined(self, entries):
        total = 0
        for entry in entries:
            total |= self.upto[entry.hash]
        return total

    def holds(self, past, entry):
        return past >> self.places[entry.hash] & 1

    def among(self, past):
        """The entries of a set, in the order in which they were read."""
        while past:
            low = past & -past
            yield self.entries[low.bit_length() - 1]
            past ^= low

    def forks(self, past):
        """The seats of which a past holds two entries with one number."""
        rivals = [entries for entries in self.versions.values() if len(entries) > 1]
        return {some[0].author for some in rivals if sum(self.holds(past, entry) for entry in some) > 1}

    def on_branch(self, head, entry):
        """Whether an entry is on the branch that ends with a head."""
        length, hash_ = head
        return bool(length) and hash_ in self.lines and bool(self.lines[hash_] >> self.places[entry.hash] & 1)

    def branch(self, head):
        """The entries of the branch that ends with a head, in order."""
        length, hash_ = head
        return list(self.among(self.lines[hash_])) if length else []

    def within(self, entry, seat, head):
        """Whether an entry and its past hold nothing of a seat but what leads to this head."""
        length, hash_ = head
        held = (e for e in self.among(self.upto[entry.hash]) if e.author == seat)
        return all(self.on_branch(head, e) for e in held)

    # -- votes and certificates

    def followed(self, entry, tips):
        return self.on_branch(tips[entry.author], entry)

    def rank(self, votes, tips):
        """The larger, the higher these votes rank [Tips]."""
        return sum(self.followed(v, tips) for v in votes), [bytes(255 - byte for byte in v.hash) for v in votes]

    def complete(self, past, below, tips):
        """[Ballots, Complete]"""
        inside, under, ballots = remaining(names_of(below), self.charter.seats), names_of(below), {}
        for vote in sorted(self.among(past & self.votes), key=lambda v: (not self.followed(v, tips), v.hash)):
            on, out, attempt = vote.vote
            if on == under and set(out) <= set(inside):
                ballots.setdefault((attempt, out), {}).setdefault(vote.author, []).append(vote)
        for (attempt, out), cast in ballots.items():
            stay = [seat for seat in inside if seat not in out]
            if 2 * len(stay) <= len(inside) or not set(stay) <= set(cast):
                continue
            tried = islice(product(*(cast[seat] for seat in stay)), MOST_COMBINATIONS)
            whole = [votes for votes in tried if not self.forks(self.joined(votes)) & set(stay)]
            if whole:
                yield Certificate(attempt, out, max(whole, key=lambda votes: self.rank(votes, tips)))

    def chains_of(self, past, tips):
        """[Ballots, Chains]"""
        found = [()]
        for chain in found:
            found += ((*chain, c) for c in self.complete(past, chain, tips) if c.attempt > last_try(chain))
        return found

    def best(self, past, tips):
        """[Ballots, Best]"""
        if not past & self.votes:
            return ()
        key = (past & self.votes, tips if self.forks(past) else None)
        if key not in self.memo:
            votes_of = lambda chain: chain[-1].votes if chain else ()
            chain = max(
                self.chains_of(past, tips), key=lambda chain: (last_try(chain), self.rank(votes_of(chain), tips))
            )
            self.memo[key] = self.on_counted_branches(list(chain))
        return self.memo[key]

    def on_counted_branches(self, chain):
        """[Ballots, Best, 2]"""
        for i in range(len(chain) - 1, 0, -1):
            for seat in chain[i].out:
                head = self.cut(chain[:i], chain[i], seat)
                line = {e.vote: e for e in self.branch(head) if e.is_vote}
                for j in range(i if head[0] else 0):
                    votes = (
                        line.get(v.vote, v) if v.author == seat and not self.on_branch(head, v) else v
                        for v in chain[j].votes
                    )
                    chain[j] = Certificate(chain[j].attempt, chain[j].out, tuple(votes))
        return tuple(chain)

    def cut(self, below, certificate, seat):
        """[Ballots, Cut]"""
        heads = {vote.author: vote.heads[seat] for vote in certificate.votes if vote.heads[seat][0]}
        if not heads:
            return 0, self.charter.game
        wanted = [vote.vote for c in below for vote in c.votes if vote.author == seat]
        said = {head: [e.vote for e in self.branch(head) if e.is_vote] for head in heads.values()}
        true = [head for head in heads.values() if all(vote in said[head] for vote in wanted)]
        counted, *others = true or list(heads.values())
        for other in others:
            counted = self.stronger(heads, counted, other)
        return counted

    def stronger(self, heads, one, other):
        """[Ballots, Cut, 3]"""
        fork = next((n for n, (x, y) in enumerate(zip(self.branch(one), self.branch(other))) if x is not y), None)
        if fork is None:
            return max(one, other, key=lambda head: head[0])

        def voters(head):
            child = self.branch(head)[fork]
            return [voter for voter, named_ in heads.items() if self.on_branch(named_, child)]

        return max(one, other, key=lambda head: (len(voters(head)), -min(voters(head))))

    def cuts(self, certificates):
        """The head of each seat that is out under these certificates."""
        return {
            seat: self.cut(certificates[:i], certificate, seat)
            for i, certificate in enumerate(certificates)
            for seat in certificate.out
        }

    def highest_own_try(self, entry):
        """The highest try of its author's votes before an entry, on its branch."""
        own = self.branch(entry.heads[entry.author])
        return max((e.vote[2] for e in own if e.is_vote), default=-1)

    def judge_vote(self, entry):
        """Whether its author may cast this vote, by its past [Ballots]."""
        need(entry.is_vote, "no vote", Malformed)
        below, out, attempt = entry.vote
        past = self.past(entry)
        need(
            below in map(names_of, self.chains_of(past, entry.heads))
            and (below[-1][0] if below else -1) == last_try(self.best(past, entry.heads)),
            "on other certificates than those that count",
            FalseVote,
        )
        inside = remaining(below, self.charter.seats)
        need(entry.author in inside and entry.author not in out, "by who is out", FalseVote)
        need(set(out) <= set(inside), "against who is out already", FalseVote)
        need(2 * (len(inside) - len(out)) > len(inside), "not more than half stay", FalseVote)
        top = max((e.vote[2] for e in self.among(past & self.votes)), default=-1)
        need(self.highest_own_try(entry) < attempt <= top + 1, "not above the own tries, or two above all", FalseVote)

    # -- what is wrong with an entry

    def second_version(self, entry):
        chain = self.chains[entry.author]
        return entry.number < len(chain) and chain[entry.number].hash != entry.hash

    def check_own_head(self, entry):
        """The fault of an entry that does not follow its author's [What the audit checks, 2.4], or None."""
        second, next_ = self.second_version(entry), entry.number == len(self.chains[entry.author])
        try:
            before = self.named(entry, entry.author)
            follows = before is not None or entry.previous == self.charter.game
        except KeyError:
            follows = False
        if next_ and not follows:
            return "BROKEN_CHAIN"
        if second or follows or next_:
            if any(length == 0 and hash_ != self.charter.game for length, hash_ in entry.heads):
                return "UNKNOWN_HEADS"
        return None

    def check_heads(self, entry):
        """The fault in an entry all of whose past is here [receive, 3.5 to 3.7; a vote of another form], or None."""
        past, seats, tips = self.past(entry), self.charter.seats, entry.heads
        gone = set()
        if past & self.votes:
            gone = {seat for chain in self.chains_of(past, tips) for c in chain for seat in c.out}
        forked = self.forks(past)
        previous = self.named(entry, entry.author)
        if previous is not None:
            for seat in seats:
                (length, hash_), (before, old) = entry.heads[seat], previous.heads[seat]
                if seat not in gone and (length < before or length == before and hash_ != old):
                    return "HEADS_WENT_BACK"
            own = (e for e in self.among(past) if e.author == entry.author)
            if entry.author in forked and not all(self.on_branch(entry.heads[entry.author], e) for e in own):
                return "OPEN_HEADS"
        for seat in seats:
            last = self.named(entry, seat)
            if last is not None and any(
                last.heads[s][0] > entry.heads[s][0] for s in seats if s not in gone and s not in forked
            ):
                return "OPEN_HEADS"
        if not forked and past & self.votes:
            for seat, head in self.cuts(self.best(past, tips)).items():
                if seat != entry.author and entry.heads[seat] != head:
                    return "OPEN_HEADS"
        ledger = deepcopy(self.ledgers[previous.hash]) if previous else Ledger(len(self.charter.keys))
        self.ledgers[entry.hash] = ledger
        if not ledger.take(entry, previous, self):
            return "OVER_BUDGET"
        return "MALFORMED" if entry.begins_as_vote and not entry.is_vote else None

    def misplaced(self, entry):
        """Whether the canonical order puts it before some entry that stands before it."""
        named_ = [self.named(entry, seat) for seat in self.charter.seats]
        earliest = 1 + max((self.places[e.hash] for e in named_ if e is not None), default=-1)
        return any(e.author > entry.author for e in self.entries[earliest:])


class Ledger:
    """What a chain has used of its budget [Budgets]."""

    def __init__(self, seats):
        self.limit = ((1 << 26) - (1 << 17)) // seats
        self.bytes = self.entries = self.free = self.free_bytes = self.since = 0
        self.votes, self.below = 0, None  # votes one after the other with the same second field

    def take(self, entry, previous, transcript):
        self.bytes += entry.size
        self.entries += 1
        if self.bytes > self.limit or self.entries > 1 << 14:
            return False
        if entry.step is not None:
            self.since = 0
            return True
        if entry.size > 1 << 11:
            return False
        if entry.begins_as_vote:
            below = encode(entry.payload[1:2])
            self.votes = self.votes + 1 if below == self.below else 1
            self.below = below
            return self.votes <= 64
        if entry.payload is None:
            return self._acknowledges(entry, previous, transcript)
        self.free += 1
        self.free_bytes += entry.size
        self.since += 1
        return self.free <= 4096 and self.free_bytes <= 1 << 21 and self.since <= 256

    @staticmethod
    def _acknowledges(entry, previous, transcript):
        """Whether it names a slot entry or vote of another seat that the author's previous entry does not name."""
        for seat in transcript.charter.seats:
            start = previous.heads[seat][0] if previous else 0
            named_ = transcript.named(entry, seat) if seat != entry.author else None
            while named_ is not None and named_.number >= start:
                if named_.step is not None or named_.begins_as_vote:
                    return True
                named_ = transcript.named(named_, seat)
        return False


def canonical_order(entries):
    """Again and again, of those whose heads are within what was listed, the first by seat, number, hash [Transcript]."""
    left, listed, order = list(entries), set(), []
    while left:
        ready = [e for e in left if all(length == 0 or hash_ in listed for length, hash_ in e.heads)]
        if not ready:
            break
        entry = min(ready, key=lambda e: (e.author, e.number, e.hash))
        left.remove(entry)
        listed.add(entry.hash)
        order.append(entry)
    return order


# ------------------------------------------------------------------------------------------------------- state of the game

LOOT = -1


@dataclass
class Bag:
    """A merchant's bag of this round."""

    commitment: bytes
    count: int = None
    kind: str = None
    verdict: str = None
    hidden: list = field(default_factory=list)
    shown: list = field(default_factory=list)
    man: int = None
    openers: list = field(default_factory=list)  # the officers who opened it
    owed: tuple = None  # (receiver, [[kind, number] ..], blind) that a deal promised from it
    stances: dict = field(default_factory=dict)  # deputy -> (verb, offer or None)
    alone: int = None  # the deputy who acts alone
    contraband: int = 0  # how much contraband came in with it


@dataclass
class Player:
    gold: int = 50
    out: bool = False
    terms: int = 0
    hand: list = field(default_factory=list)
    aside: list = field(default_factory=list)
    aside_shown: list = field(default_factory=list)
    stall: list = field(default_factory=list)
    stack: list = field(default_factory=list)
    revealed: list = field(default_factory=list)
    prizes: list = field(default_factory=list)
    bag: Bag = None
    orders: list = field(default_factory=list)
    men: list = field(default_factory=list)
    lost: int = 0
    marker: bool = False
    looked: list = field(default_factory=list)
    banned: set = field(default_factory=set)  # legal kinds that its stack may hold (15.4)

    ZONES = ("hand", "aside", "aside_shown", "stall", "stack", "revealed", "men", "looked")


@dataclass
class Deck:
    undrawn: list = field(default_factory=list)
    missing: list = field(default_factory=list)
    generation: int = 0
    gone: set = field(default_factory=set)


@dataclass
class Offer:
    author: int
    number: int
    officers: list
    gifts: list  # of (giver, receiver, things, condition)
    acts: list
    accepted: set = field(default_factory=set)

    @property
    def key(self):
        return self.author, self.number

    @property
    def parties(self):
        return {seat for gift in self.gifts for seat in gift[:2] if seat != LOOT} | set(self.officers)

    @property
    def payee(self):
        """Who gets what those in office get."""
        return self.officers[0] if len(self.officers) == 1 else LOOT

    @property
    def bags(self):
        return [bag for bag, _ in self.acts]


@dataclass
class Pass:
    """What goes around the table [Passes]: stages are (act, seats who do it at once)."""

    kind: str
    stages: list
    deck: str = "goods"
    cards: list = field(default_factory=list)
    handles: list = field(default_factory=list)
    draws: list = field(default_factory=list)  # of a deal: (seat, how many)
    lists: dict = field(default_factory=dict)  # seat -> statement of its list
    attested: dict = field(default_factory=dict)  # seat -> (context, proof)
    said: dict = field(default_factory=dict)  # of a coin: seat -> (entry, commitment)
    shares: dict = field(default_factory=dict)  # of a coin: seat -> share; of a deal to both deputies: seat -> copies
    done: set = field(default_factory=set)
    purpose: str = ""
    sides: int = 0
    seats: list = field(default_factory=list)  # receivers, or the two parties of a gift
    source: str = ""
    locked: list = field(default_factory=list)  # redeal: the locked set
    copies: list = field(default_factory=list)  # redeal: copies of the cards on the table
    top: bool = False  # return: onto the deck, not under it

    def waits_for(self):
        act, seats = self.stages[0]
        return act, [seat for seat in seats if seat not in self.done]


@dataclass
class Turn:
    """What a fold gets [Table]."""

    entry: Entry
    free: list
    last: dict


@dataclass
class Negotiation:
    """Words that were heard and do not count yet [Words]."""

    words: list = field(default_factory=list)  # (move, number of its entry, parties)
    acceptances: list = field(default_factory=list)  # (move, seen)
    refusals: list = field(default_factory=list)
    requests: list = field(default_factory=list)
    places: dict = field(default_factory=dict)  # (author, number) of an offer: the number of its entry
    times: set = field(default_factory=set)


# ------------------------------------------------------------------------------------------------------------------ score

CROWNS = {"apples": (20, 10), "cheese": (15, 10), "bread": (15, 10), "chicken": (10, 5)}


def outcome(setup, ending, players):
    """The result as it is sealed [Result and seal]; players are (seat, gold, kinds, names of prizes, filled orders)."""
    worth = {name: int(name.split()[-1]) for pair in BLACK_MARKET for name in pair}
    counts = {seat: {good: 0 for good in CROWNS} for seat, *_ in players}
    for seat, _, kinds, _, _ in players:
        for kind in kinds:
            if setup.goods[kind].counts_for:
                good, number = setup.goods[kind].counts_for
                counts[seat][good] += number
    scores = []
    for seat, gold, kinds, prizes, orders in players:
        lines = [
            [["count", kinds.count(kind)], ["kind", kind], ["points", kinds.count(kind) * good.value]]
            for kind, good in setup.goods.items()
            if kind in kinds
        ]
        lines += [[["count", 1], ["kind", name], ["points", worth[name]]] for name in worth if name in prizes]
        crowns = [crown for good in CROWNS for crown in _crown(good, seat, {s: c[good] for s, c in counts.items()})]
        modules = []
        if "orders" in setup.options:
            modules.append(["orders", sum(_order_points(setup, name, cards) for name, cards in orders)])
        legal = sum(setup.goods[kind].side == "legal" for kind in kinds)
        total = (
            gold + sum(line[2][1] for line in lines) + sum(crown[1][1] for crown in crowns) + sum(p for _, p in modules)
        )
        scores.append(
            [
                ["contraband_cards", len(kinds) - legal + len(prizes)],
                ["crowns", crowns],
                ["gold", gold],
                ["goods", lines],
                ["legal_cards", legal],
                ["modules", modules],
                ["seat", seat],
                ["total", total],
            ]
        )
    ranks = {}
    for score in map(_fields, scores):
        ranks[score["seat"]] = (score["total"], score["legal_cards"], score["contraband_cards"])
    best = max(ranks.values(), default=None)
    winners = [seat for seat, rank in ranks.items() if rank == best] if ending == "finished" else []
    return [["ending", ending], ["scores", scores], ["winners", winners]]


def _fields(pairs):
    """A record of [name, value] pairs by its names."""
    return dict(map(tuple, pairs))


def _crown(good, seat, counts):
    """King's or queen's bonus of a seat for a good (rules 11.3 and 11.4)."""
    king, queen = CROWNS[good]
    ranks = sorted({count for count in counts.values() if count}, reverse=True)
    if not counts[seat]:
        return []
    first = [s for s, count in counts.items() if count == ranks[0]]
    if seat in first:
        points = king if len(first) == 1 else (king + queen) // len(first)
        return [[["good", good], ["points", points], ["rank", "king"], ["shared", len(first)]]]
    if len(first) == 1 and counts[seat] == ranks[1]:
        second = [s for s, count in counts.items() if count == ranks[1]]
        return [[["good", good], ["points", queen // len(second)], ["rank", "queen"], ["shared", len(second)]]]
    return []


def _order_points(setup, name, kinds):
    bonus = next(line[2] for line in setup.modules["orders"] if f"{line[0]}+{line[1]}" == name)
    return bonus + sum(setup.goods[kind].value for kind in kinds)


# ------------------------------------------------------------------------------------------------------------------- game

TOGETHER = ("Load", "Rearrange", "Reveal", "Keep")  # steps that wait at the same time if they stand side by side


class Game:
    """The public state, and what it becomes with an entry [The game at the table]."""

    def __init__(self, charter, setup):
        self.charter, self.setup = charter, setup
        self.players = [Player() for _ in charter.seats]
        self.bank = 1255 - 50 * len(self.players)
        self.phase, self.round, self.lead, self.office = "setup", 0, 0, []
        self.cards, self.kinds, self.next = {}, {}, 0
        self.decks = {"goods": Deck(), **{name: Deck() for name in setup.modules}}
        self.first = setup.edition == "first" and setup.players < 6
        self.piles = [[], []] if self.first else [[]]
        self.box = []
        self.market = [list(pair) for pair in setup.market]
        self.loot = {"gold": 0, "cards": [], "names": []}
        self.loot_banned = set()  # legal kinds that the Loot of this round may hold (15.4)
        self.offers, self.numbers = [], set()
        self.talk = Negotiation()
        self.open_orders, self.laws, self.drawn_laws = [], [], []
        self.copies = {}  # of cards under both deputies' locks: handle -> {seat: the copy under its lock alone}
        self.looks = []  # copies that somebody was allowed to look at, to the end of the game
        self.turned_up = set()  # deputies turned up since their cards were shuffled
        self.confiscated = []  # this round
        self.verdicts = []  # of bags of this round, also of who has left since
        self.passing, self.sealed, self.ending = None, set(), None
        self.claims, self.entry, self.generations = [], None, {}
        seats = list(charter.seats)
        self.todo = [
            ("Shuffle", "goods"),
            *(("Shuffle", name) for name in setup.modules),
            ("Office",),
            ("Deal", tuple(seats), ()),
        ]
        if self.first:
            self.todo.append(("TurnUp",))
        if "orders" in setup.modules:
            self.todo.append(("Refill",))
        if "merry men" in setup.modules:
            self.todo += (
                [("Men", s, 2) for s in seats] + [("Keep", s) for s in seats] + [("ReturnSpare", s) for s in seats]
            )
        self.todo.append(("Begin", "market"))
        self.run()

    # -- who is who

    @property
    def seats(self):
        """Seats still in."""
        return [s for s, player in enumerate(self.players) if not player.out]

    @property
    def officers(self):
        return [s for s in self.office if not self.players[s].out]

    def after(self, seat):
        """Clockwise after a seat, itself last."""
        count = len(self.players)
        return [s for s in ((seat + 1 + i) % count for i in range(count)) if not self.players[s].out]

    @property
    def merchants(self):
        return [s for s in self.after(self.lead) if s not in self.officers]

    @property
    def decided(self):
        return self.phase == "over"

    def keeper(self, handle):
        return self.cards[handle].locks[0][0]

    # -- what is contraband now

    def effects(self, name):
        """The figures of the laws in force with this effect."""
        lines = {line[0]: line for line in self.setup.modules.get("laws", ())}
        return [lines[law][2:] for law in self.laws if lines[law][1] == name]

    @property
    def bans(self):
        return {figures[0] for figures in self.effects("Ban")}

    def legal(self, kind):
        """Whether a good is legal in a bag of this round."""
        return self.setup.goods[kind].side == "legal" and kind not in self.bans

    def contraband_kinds(self, extra=()):
        return [kind for kind, good in self.setup.goods.items() if good.side != "legal" or kind in extra]

    # -- the stage

    def expected(self):
        """The seats that must write now [Slot entries, stage]."""
        if self.decided:
            return [s for s in self.seats if s not in self.sealed]
        if self.passing:
            return sorted(self.passing.waits_for()[1])
        if not self.todo:
            return []
        if self.todo[0][0] == "Negotiate":
            return self.officers[:1]
        return sorted({step[1] for step in self.waiting()})

    def waiting(self):
        """The steps of the todo list that wait now."""
        if self.todo[0][0] not in TOGETHER:
            return self.todo[:1]
        steps = []
        for step in self.todo:
            if step[0] != self.todo[0][0]:
                break
            steps.append(step)
        return steps

    # -- fold

    def fold(self, turn):
        """[Slot entries, fold]: changes this state, or fails."""
        entry = turn.entry
        need(PAYLOAD(entry.payload), "another form than the grammar's", Malformed)
        acts, proof = entry.payload
        self.entry, self.turn, self.claims = entry, turn, []
        self.generations = {name: deck.generation for name, deck in self.decks.items()}
        self.hear(turn)
        for index, act in enumerate(acts):
            self.index = index
            if index:
                need(self.expected() == [entry.author], "a second act where others are expected")
            self.act(entry.author, act)
            self.run()
        if self.claims:
            context = self.context("claim", len(acts), [], generation=self.generations["goods"])
            once(verify_mb, context, self.claims, proof)
        else:
            need(proof == b"", "a proof of nothing", Malformed)
        self.entry = self.turn = None

    def act(self, seat, act):
        name, *fields = act
        if self.decided:
            need(name == "seal" and seat not in self.sealed, "the game is decided")
            need(fields[0] == self.result(), "a seal of another result")
            self.sealed.add(seat)
        elif self.passing:
            wanted, seats = self.passing.waits_for()
            need(name == wanted and seat in seats, "another act than the pass asks for")
            getattr(self, f"pass_{self.passing.kind.replace(' ', '_')}")(seat, name, fields)
        elif self.todo and self.todo[0][0] == "Negotiate":
            need(seat == self.officers[0], "not the first officer")
            self.officer_acts(seat, name, fields)
        else:
            steps = [step for step in self.waiting() if step[1] == seat] if self.todo else []
            need(steps, "nothing is demanded")
            step = steps[0]
            self.answer(step, seat, name, fields)

    ANSWERS = {
        "ShowAside": "show",
        "ShowTurned": "show",
        "Open": "open",
        "ShowPassing": "show",
        "ProveRest": "prove",
        "ShowBag": "show",
        "ShowStack": "show",
        "ProveStack": "prove",
        "Rearrange": "rearrange",
        "Reveal": "show",
        "ShowOdd": "show",
    }
    CHOICES = {
        "NameFirst": "NameFirst",
        "Turn": "SetAside",
        "TakeDiscards": "TakeDiscards",
        "LayDown": "LayDown",
        "Load": "Load",
        "Declare": "Declare",
        "HandOver": "HandOver",
        "Owe": "PayInKind",
        "AskTrade": "Trade",
        "ShareOut": "ShareLoot",
        "ShareAnswer": "ShareLoot",
        "Pick": "PickLoot",
        "LayLaws": "LayLaws",
        "Keep": "KeepMan",
        "AskOrders": "FillOrders",
        "LayOut": "LayOut",
        "Discard": "Discard",
        "UseMan": "UseMan",
        "Reorder": "Reorder",
    }

    def answer(self, step, seat, name, fields):
        """An act that answers the demand of a step [Demands]."""
        handler = getattr(self, f"on_{step[0]}")
        if step[0] in self.ANSWERS:
            need(name == self.ANSWERS[step[0]], "another act than is asked for")
            handler(step, seat, *fields)
        else:
            need(name == "move", "another act than is asked for")
            move, owner, *rest = fields[0]
            need(owner == seat, "a move for another seat")
            need(move not in ("Offer", "Withdraw", "Refuse"), "words as a move")
            need(move != "Load" or len(rest[0]) == 32, "a commitment that has not 32 bytes", Malformed)
            need(move == self.CHOICES[step[0]], "another move than is asked for")
            handler(step, seat, *rest)

    def replace(self, step, *steps):
        """This step is done; those come in its place."""
        at = self.todo.index(step)
        self.todo[at : at + 1] = steps

    def push(self, *steps):
        self.todo[:0] = steps

    def run(self):
        """Carry out steps as long as they need nobody [Demands, run]."""
        while self.todo and not self.passing and not self.decided:
            step = self.todo[0]
            handler = getattr(self, f"do_{step[0]}", None)
            if handler is None or not handler(step):
                break

    # -- contexts and claims

    def context(self, operation, index, handles, deck="goods", generation=None):
        e = self.entry
        if generation is None:
            generation = self.decks[deck].generation
        return context_digest(
            self.charter.game,
            self.charter.roster,
            deck,
            generation,
            e.author,
            e.step,
            e.number,
            e.previous,
            operation,
            index,
            list(handles),
        )

    def claim(self, seat, handle, kinds):
        """Note that a hidden card of this seat is claimed to be of one of these kinds."""
        need(handle in self.cards, "a card that there is not")
        card = self.cards[handle]
        need(card.held_by(seat) and card.deck == "goods", "a card that is not under the author's lock alone")
        labels = [label for kind in self.setup.goods if kind in kinds for label in self.setup.labels(kind)]
        need(all(kind in self.setup.goods for kind in kinds), "a kind that is not in the deck")
        self.claims.append((card.point, card.locks[0][1], [label_point("goods", label) for label in labels]))

    def show(self, seat, claims, handles=None):
        """A `show` of cards; of exactly these handles, if they are given. They lie open then."""
        shown = [handle for handle, _ in claims]
        need(len(set(shown)) == len(shown), "a card twice")
        if handles is not None:
            need(set(shown) == set(handles), "other cards than are asked for")
        for handle, kind in claims:
            self.claim(seat, handle, [kind])
        for handle, kind in claims:
            self.kinds[handle] = kind

    def new_handle(self, card):
        handle = self.next
        self.next += 1
        self.cards[handle] = card
        return handle

    def forget(self, handles):
        for handle in handles:
            self.cards.pop(handle, None)
            self.kinds.pop(handle, None)
            self.copies.pop(handle, None)

    def hide(self, handles):
        for handle in handles:
            self.kinds.pop(handle, None)

    # -- setup, office, dealing

    def begin(self, **fields):
        """Begin a pass: the step that asks for it waits until it is complete."""
        self.passing = Pass(**fields)
        while self.passing and not self.passing.waits_for()[1]:
            self.next_stage()
        return False

    def all_labels(self, deck):
        count = self.setup.cards if deck == "goods" else len(self.setup.module_cards(deck))
        return [
            Card(label_point(deck, label), (), deck) for label in range(count) if label not in self.decks[deck].gone
        ]

    def one_by_one(self, act, seats):
        return [(act, [seat]) for seat in seats]

    def mixing(self, seats):
        return [*self.one_by_one("shuffle", seats), ("attest", list(seats))]

    def do_Shuffle(self, step):
        cards = self.all_labels(step[1])
        if len(cards) >= 2:
            return self.begin(kind="mix", deck=step[1], cards=cards, stages=self.mixing(self.seats))
        self.replace(step)
        if cards:
            self.push(("Return", step[1], (), False))
        return True

    def do_Redeal(self, step):
        deck = step[1]
        if self.all_labels(deck):
            if len(self.all_labels(deck)) == 1:
                self.replace(step, ("Return", deck, (), False))
                return True
            return self.begin(kind="redeal", deck=deck, cards=self.all_labels(deck), stages=self.mixing(self.seats))
        self.replace(step)
        return True

    def do_Office(self, step):
        if self.setup.players == 6 and len(self.seats) == 6:
            cards = [s for s in self.seats if s not in self.turned_up] or self.seats
            return self.toss_coin("deputies", len(cards) * (len(cards) - 1))
        if self.round == 0:
            candidates = self.candidates()
            if len(candidates) > 1:
                return self.toss_coin("first sheriff", len(candidates))
            self.take_office(step, candidates)
            return True
        chosen = [s for s in self.after(self.lead) if self.players[s].terms < self.terms_needed]
        if not chosen:
            self.todo = [("End",)]
            return True
        self.take_office(step, chosen[:1])
        return True

    def candidates(self):
        return [s for s in (self.setup.candidates or self.seats) if s in self.seats] or self.seats

    @property
    def terms_needed(self):
        return {3: 3, 4: 2, 5: 2, 6: 3}[self.setup.players]

    def take_office(self, step, seats):
        self.round += 1
        self.office, self.lead = list(seats), seats[0]
        self.confiscated = []
        for player in self.players:
            player.bag = None
        for seat in seats:
            self.players[seat].terms += 1
        self.replace(step)

    def toss_coin(self, purpose, sides):
        return self.begin(
            kind="coin", purpose=purpose, sides=sides, stages=[("commit", self.seats), ("reveal", self.seats)]
        )

    def coin_place(self, purpose):
        out = [s for s, player in enumerate(self.players) if player.out]
        return [self.charter.game, self.round, purpose, *out]

    def pass_coin(self, seat, act, fields):
        p = self.passing
        if act == "commit":
            p.said[seat] = (self.entry, fields[0])
        else:
            for entry, _ in p.said.values():
                for other in self.seats:
                    last = self.entry if other == seat else self.turn.last.get(other)
                    seen = other == entry.author or last is not None and last.sees(entry)
                    need(seen, "a share before all have seen all commitments")
            verify_opening(p.said[seat][1], ["coin", self.coin_place(p.purpose), seat], b"", fields[0])
            p.shares[seat] = fields[0]
        self.stage_done(seat)

    def done_coin(self, p):
        number = toss(self.coin_place(p.purpose), [p.shares[s] for s in self.seats], p.sides)
        if p.purpose == "first sheriff":
            self.take_office(self.todo[0], [self.candidates()[number]])
            return
        cards = [s for s in self.seats if s not in self.turned_up]
        if not cards:
            self.turned_up, cards = set(), self.seats
        first = cards.pop(number // (len(cards) - 1))
        second = cards[number % len(cards)]
        self.turned_up |= {first, second}
        self.take_office(self.todo[0], [first, second])

    def wanted(self, seat, extra=None):
        """How many cards a seat lacks of a full hand, or of what a merry man lets it draw to."""
        return max(0, (extra or {}).get(seat, self.setup.hand) - len(self.players[seat].hand))

    def reshufflable(self):
        """The discards that a reshuffle takes, from the bottom of pile 0 on (9.1)."""
        if self.first:
            return [handle for pile in self.piles for handle in pile[:-5]]
        return list(self.piles[0])

    def do_Deal(self, step):
        _, seats, got, *rest = step
        target = dict(rest[0]) if rest else None
        seats = tuple(s for s in seats if not self.players[s].out)
        while seats and not self.wanted(seats[0], target):
            seats = seats[1:]
        deck = self.decks["goods"]
        if not seats or not deck.undrawn and not self.reshufflable():
            self.replace(step, *(("Rearrange", s, "hand") for s in got))
            return True
        self.todo[0] = ("Deal", seats, got, *rest)
        if not deck.undrawn:
            return self.reshuffle()
        draws, left = [], len(deck.undrawn)
        for seat in seats:
            count = min(left, self.wanted(seat, target))
            if count:
                draws.append((seat, count))
                left -= count
        return self.deal("deal", "goods", draws)

    def deal(self, kind, name, draws):
        deck = self.decks[name]
        count = sum(n for _, n in draws)
        cards, deck.undrawn = deck.undrawn[:count], deck.undrawn[count:]
        stages = [("strip", [s]) for s in self.after(draws[0][0]) if any(r != s for r, _ in draws)]
        return self.begin(kind=kind, deck=name, cards=cards, draws=draws, stages=stages)

    def receivers(self, p):
        return [seat for seat, count in p.draws for _ in range(count)]

    def pass_deal(self, seat, act, fields):
        p = self.passing
        chosen = [i for i, receiver in enumerate(self.receivers(p)) if receiver != seat]
        cards = verify_strip(
            self.context("deal", self.index, [], p.deck), [p.cards[i] for i in chosen], seat, fields[0]
        )
        for i, card in zip(chosen, cards):
            p.cards[i] = card
        self.stage_done(seat)

    def done_deal(self, p):
        step = self.todo[0]
        handles = [self.new_handle(card) for card in p.cards]
        if step[0] == "TurnUp":
            self.replace(step, ("ShowTurned", p.draws[0][0], tuple(handles)))
            return
        if step[0] == "Men":
            self.players[step[1]].men += handles
            self.players[step[1]].lost = 0
            self.replace(step, ("Rearrange", step[1], "men"))
            return
        if step[0] == "LookAtDeck":
            self.players[step[1]].looked += handles
            self.replace(step, ("Rearrange", step[1], "looked"), ("Reorder", step[1]))
            return
        if step[0] == "Laws":
            self.drawn_laws = handles
            self.replace(step, ("LayLaws", self.officers[0]))
            return
        for seat, handle in zip(self.receivers(p), handles):
            self.players[seat].hand.append(handle)
        got = step[2] + tuple(s for s, _ in p.draws if s not in step[2])
        self.todo[0] = ("Deal", step[1], got, *step[3:])

    def reshuffle(self):
        self.decks["goods"].generation += 1
        cards = [self.cards[handle] for handle in self.reshufflable()]
        return self.begin(
            kind="collect", cards=cards, handles=self.reshufflable(), stages=self.one_by_one("lock", self.seats)
        )

    # -- passes: lists, proofs, locks

    def stage_done(self, seat):
        self.passing.done.add(seat)
        if not self.passing.waits_for()[1]:
            self.next_stage()

    def next_stage(self):
        p = self.passing
        p.stages.pop(0)
        p.done = set()
        if not p.stages:
            more = getattr(self, f"more_{p.kind.replace(' ', '_')}", None)
            if more and more(p):
                return
            self.passing = None
            getattr(self, f"done_{p.kind.replace(' ', '_')}")(p)

    def lay_list(self, seat, change):
        p = self.passing
        p.cards, statement = read_list(p.cards, seat, change)
        p.lists[seat] = statement
        self.stage_done(seat)

    def attest(self, seat, proof):
        """The proof of a list; with the last one all are checked, and the lowest seat whose proof fails is named."""
        p = self.passing
        read_sh(proof, len(p.cards))
        p.attested[seat] = (self.context("shuffle", self.index, [], p.deck), proof)
        if len(p.attested) == len(p.lists):
            for other in sorted(p.attested):
                context, proved = p.attested[other]
                try:
                    once(verify_sh, context, *p.lists[other], proved)
                except InvalidProof as error:
                    raise StageFault(other, str(error)) from None
        self.stage_done(seat)

    def pass_mix(self, seat, act, fields):
        self.lay_list(seat, fields[0]) if act == "shuffle" else self.attest(seat, fields[0])

    def done_mix(self, p):
        self.decks[p.deck].undrawn = p.cards
        self.set_missing_aside(p.deck)
        self.replace(self.todo[0])

    def set_missing_aside(self, name):
        deck = self.decks[name]
        if name == "goods" and "missing" in self.setup.options:
            deck.undrawn, deck.missing = deck.undrawn[:-MISSING], deck.undrawn[-MISSING:]

    def pass_collect(self, seat, act, fields):
        p = self.passing
        if act == "lock":
            p.cards = verify_lock(self.context("gather", self.index, []), p.cards, seat, fields[0])
            self.stage_done(seat)
        else:
            self.pass_mix(seat, act, fields)

    def more_collect(self, p):
        """Behind the last lock: list and proof, if there are two cards or more."""
        if p.lists or len(p.cards) < 2:
            return False
        p.stages = self.mixing(sorted(p.seats) or self.seats)
        return True

    def done_collect(self, p):
        if p.source == "Loot":
            self.forget(p.handles)
            self.loot["cards"] = [item for item in self.loot["cards"] if item[0] not in p.handles]
            self.loot["cards"] += [(self.new_handle(card), None) for card in p.cards]
            self.replace(self.todo[0])
            return
        self.piles = [[h for h in pile if h not in p.handles] for pile in self.piles]
        self.confiscated = [h for h in self.confiscated if h not in p.handles]
        self.forget(p.handles)
        self.decks["goods"].undrawn = p.cards

    def pass_redeal(self, seat, act, fields):
        p = self.passing
        if act == "lock":
            need(fields[0][0] == p.lists[seat][1], "a match under another key")
            p.copies = verify_lock(self.context("match", self.index, p.handles, p.deck), p.copies, seat, fields[0])
            self.stage_done(seat)
        else:
            self.pass_mix(seat, act, fields)

    def more_redeal(self, p):
        """Behind the proofs: copies of the cards on the table are put under the same keys."""
        if p.locked:
            return False
        p.locked = p.cards
        p.handles = sorted(handle for handle, card in self.cards.items() if card.deck == p.deck)
        p.copies = [self.cards[handle] for handle in p.handles]
        if not p.handles:
            return False
        p.stages = self.one_by_one("lock", self.seats)
        return True

    def done_redeal(self, p):
        taken = {card.point for card in p.copies}
        if len(taken) != len(p.copies) or not taken <= {card.point for card in p.locked}:
            raise Defect("a copy that matches no card of the locked set")
        self.decks[p.deck].undrawn = [card for card in p.locked if card.point not in taken]
        self.set_missing_aside(p.deck)
        self.replace(self.todo[0])

    # -- rearrangements

    def do_Rearrange(self, step):
        if getattr(self.players[step[1]], step[2]):
            return False
        self.replace(step)
        return True

    def on_Rearrange(self, step, seat, rearrangement):
        zone = getattr(self.players[seat], step[2])
        handles = list(zone)
        deck = self.cards[handles[0]].deck
        contexts = [self.context("rearrange", self.index + i, handles, deck) for i in range(2)]
        cards = verify_rearrangement(contexts, [self.cards[h] for h in handles], seat, rearrangement)
        self.forget(handles)
        zone[:] = [self.new_handle(card) for card in cards]
        self.replace(step)

    # -- market

    def do_Begin(self, step):
        return getattr(self, f"begin_{step[1].replace(' ', '_')}")(step)

    def begin_market(self, step):
        self.phase = "market"
        laws = [("Laws",)] if "laws" in self.setup.modules else []
        self.replace(step, *laws, ("Market",))
        return True

    def do_Market(self, step):
        rest = [("Gather",), ("Begin", "load")]
        if self.first or not self.officers:
            self.replace(step, *(("Turn", m) for m in self.merchants), *rest)
        else:
            self.replace(step, ("NameFirst", self.officers[0]), *rest)
        return True

    def on_NameFirst(self, step, seat, merchant):
        merchants = self.merchants
        need(merchant in merchants, "not a merchant")
        at = merchants.index(merchant)
        self.replace(step, *(("Turn", m) for m in merchants[at:] + merchants[:at]))

    def on_Turn(self, step, seat, handles):
        player = self.players[seat]
        need(len(set(handles)) == len(handles) and set(handles) <= set(player.hand), "cards that are not in the hand")
        most = min([5, *(figures[0] for figures in self.effects("MarketAtMost"))])
        need(len(handles) <= most, "more cards than may be set aside")
        player.aside = list(handles)
        player.hand = [h for h in player.hand if h not in handles]
        if not self.first:
            self.replace(step, *([("ShowAside", seat)] if handles else []), ("Deal", (seat,), ()))
            return
        takes = self.wanted(seat) and any(self.piles)
        self.replace(
            step,
            *([("TakeDiscards", seat)] if takes else []),
            ("Deal", (seat,), ()),
            *([("LayDown", seat, None)] if handles else []),
        )

    def on_ShowAside(self, step, seat, claims):
        player = self.players[seat]
        self.show(seat, claims, player.aside)
        if len(step) == 2:
            player.aside_shown, player.aside = player.aside, []
        else:
            self.piles[step[2]] += step[3]
            player.aside = []
        self.replace(step)

    def do_TurnUp(self, step):
        seat = self.lead if not self.players[self.lead].out else self.after(self.lead)[0]
        return self.deal("deal", "goods", [(seat, min(10, len(self.decks["goods"].undrawn)))])

    def on_ShowTurned(self, step, seat, claims):
        self.show(seat, claims, step[2])
        self.piles[0] += step[2][:5]
        self.piles[1] += step[2][5:]
        self.replace(step)

    def on_TakeDiscards(self, step, seat, counts):
        need(all(0 <= n <= len(pile) for n, pile in zip(counts, self.piles)), "more cards than lie there")
        need(sum(counts) <= self.wanted(seat), "more cards than the hand lacks")
        taken = [h for n, pile in zip(counts, self.piles) if n for h in pile[-n:]]
        self.replace(step, *self.from_piles(seat, taken))
        if taken:
            at = next(i for i, s in enumerate(self.todo) if s[0] == "Deal")
            self.todo[at] = ("Deal", (seat,), (seat,))

    def from_piles(self, seat, taken):
        """Own cards go back to the hand at once; of each other keeper they are given."""
        own = [h for h in taken if self.keeper(h) == seat]
        self.take_away(own)
        self.hide(own)
        self.players[seat].hand += own
        keepers = dict.fromkeys(self.keeper(h) for h in taken if h not in own)
        return [
            ("Give", keeper, seat, tuple(h for h in taken if h not in own and self.keeper(h) == keeper), "pile")
            for keeper in keepers
        ]

    def do_LayDown(self, step):
        """Nobody is asked any more if the officer is out: onto pile 0, as they lie."""
        if not self.players[step[1]].out:
            return False
        self.on_LayDown(step, step[1], 0, list(step[2]))
        return True

    def on_LayDown(self, step, seat, pile, handles):
        need(pile in range(len(self.piles)), "no such pile")
        due = self.players[seat].aside if step[2] is None else step[2]
        need(sorted(handles) == sorted(due), "other cards than are to be laid down")
        if step[2] is None:
            self.replace(step, ("ShowAside", seat, pile, tuple(handles)))
        else:
            self.take_away(handles)
            self.piles[pile] += handles
            self.replace(step)

    def do_Gather(self, step):
        for merchant in self.merchants:
            player = self.players[merchant]
            self.piles[0] += player.aside_shown
            player.aside_shown = []
        self.replace(step)
        return True

    # -- load, declare

    def begin_load(self, step):
        self.phase = "load"
        self.replace(step, *(("Load", m) for m in self.merchants if self.players[m].hand), ("Begin", "declare"))
        return True

    def on_Load(self, step, seat, commitment):
        self.players[seat].bag = Bag(commitment)
        self.replace(step)

    def begin_declare(self, step):
        self.phase = "declare"
        self.replace(step, *(("Declare", m) for m in self.merchants if self.players[m].bag), ("Begin", "inspect"))
        return True

    def bag_bounds(self, seat):
        """How few and how many cards a bag of this seat may hold."""
        most = min([5, *(figures[0] for figures in self.effects("BagAtMost"))])
        least = max([1, *(figures[0] for figures in self.effects("BagAtLeast"))])
        hand = len(self.players[seat].hand)
        return min(least, hand), min(most, hand + bool(self.players[seat].men))

    def on_Declare(self, step, seat, count, kind):
        low, high = self.bag_bounds(seat)
        need(low <= count <= high, "a number that the bag can't hold")
        need(kind in self.setup.goods and self.legal(kind), "not a legal good")
        bag = self.players[seat].bag
        bag.count, bag.kind = count, kind
        for taxed, tax in self.effects("Tax"):
            if taxed == kind:
                self.pay_bank(seat, tax)
        self.replace(step)

    def pay_bank(self, seat, amount):
        paid = min(amount, self.players[seat].gold)
        self.players[seat].gold -= paid
        self.bank += paid

    def begin_inspect(self, step):
        self.phase = "inspect"
        self.loot_banned = set()
        self.verdicts = []
        trades = [("AskTrade", m) for m in self.merchants] if self.setup.edition == "first" else []
        self.replace(step, *trades, ("Negotiate",))
        return True

    # -- negotiation: what the rules say

    def closed_bags(self):
        return [m for m in self.merchants if self.players[m].bag and self.players[m].bag.verdict is None]

    def deciders(self, bag):
        alone = self.players[bag].bag.alone
        return [alone] if alone is not None and alone in self.officers else self.officers

    def do_Negotiate(self, step):
        if self.closed_bags():
            if not self.officers:
                self.push(*(asked for bag in self.closed_bags() for asked in self.decide(bag, "pass", push=False)))
                return True
            return False
        self.offers = []
        self.replace(step, ("MixLoot",), ("ShareOut", self.office[0]), ("AfterLoot",), ("Begin", "end of round"))
        return True

    def officer_acts(self, seat, name, fields):
        """What the first officer does while bags wait [Demands, Words, The time for the bags]."""
        up = self.time_is_up()
        need((name == "time-up") == up, "what ignores the time")
        if name == "time-up":
            steps = []
            for bag in self.closed_bags():
                steps += self.decide(bag, "pass", push=False)
            at = self.todo.index(("Negotiate",))
            self.todo[at:at] = steps
        elif name == "take":
            self.take_up(seat, *fields)
        elif name == "heed":
            need(fields[0] in self.talk.requests, "a request that nobody has made")
            self.talk.requests.remove(fields[0])
            self.rule(fields[0])
        else:
            need(name == "move", "another act than is asked for")
            move = fields[0]
            need(move[1] == seat, "a move for another seat")
            need(move[0] in REQUESTS, "another move than is asked for")
            need(len(self.officers) == 2 or move[0] in ("Pass", "Inspect", "Accept"), "a word of deputies")
            bags = self.bags_of(move)
            for acceptance, _ in self.talk.acceptances:
                need(
                    not (self.comes_before(acceptance, bags) and self.is_open(acceptance)),
                    "an acceptance must be taken up",
                )
            for request in self.talk.requests:
                need(not (self.comes_before(request, bags) and self.settles(request)), "a request must be heeded")
            self.rule(move)

    def time_is_up(self):
        return bool(self.closed_bags()) and 2 * len([s for s in self.talk.times if s in self.seats]) > len(self.seats)

    def bags_of(self, move):
        if move[0] != "Accept":
            return [move[2]]
        offer = self.standing(move[2], move[3])
        return offer.bags if offer else []

    def comes_before(self, agreed, bags):
        """Whether what is agreed on is done before anything about these bags: a trade before all else."""
        own = set(self.bags_of(agreed))
        return not own or bool(own & set(bags))

    def standing(self, author, number):
        return next((offer for offer in self.offers if offer.key == (author, number)), None)

    def allowed(self, move):
        """Whether the rules would take a move now."""
        try:
            deepcopy(self).rule(move)
        except VerificationError:
            return False
        return True

    def rule(self, move):
        """Put a move about bags into the rules; fails if they refuse it."""
        name, seat, *fields = move
        need(self.phase == "inspect" and seat in self.seats, "no bags are dealt with now")
        need(name not in REQUESTS or self.todo[0][0] == "Negotiate", "something else is under way")
        getattr(self, f"rule_{name}")(seat, *fields)

    def closed_bag(self, bag):
        need(bag in self.merchants and self.players[bag].bag and self.players[bag].bag.verdict is None, "no closed bag")
        return self.players[bag].bag

    def rule_Offer(self, seat, number, officers, gifts, acts, promise):
        need(0 <= number <= 1 << 53 and (seat, number) not in self.numbers, "a number that was used")
        need(len(promise) <= 200, "a promise of more than 200 characters")
        offer = Offer(seat, number, officers, [tuple(gift) for gift in gifts], [tuple(act) for act in acts])
        need(seat in offer.parties, "its author is no party")
        self.check_offer(offer)
        own = [o for o in self.offers if o.author == seat]
        self.drop_offers([o for o in own if o.parties == offer.parties and set(o.bags) == set(offer.bags)])
        self.offers.append(offer)
        self.numbers.add((seat, number))

    def check_offer(self, offer):
        """Whether an offer could be closed [Offers]."""
        need(len(set(offer.bags)) == len(offer.bags), "a bag twice")
        for bag in offer.bags:
            self.closed_bag(bag)
            need(self.deciders(bag) == offer.officers, "other officers than decide about the bag")
        need(self.closed_bags() and offer.officers, "no bag is closed")
        need(
            offer.officers == self.officers or offer.acts and len(offer.officers) == 1 < len(self.officers),
            "other officers",
        )
        nothing = [0, [], [], 0, [], 0]
        need(offer.gifts and (offer.acts or any(gift[2] != nothing for gift in offer.gifts)), "nothing is given")
        plain = [gift[:2] for gift in offer.gifts if gift[3] is None]
        need(len(set(plain)) == len(plain), "a gift that is said twice")
        for giver, receiver, _, _ in offer.gifts:
            need(giver in self.merchants, "the giver is no merchant")
            need(receiver != giver and receiver in [*self.merchants, offer.payee], "another receiver")
        sureties = [gift for gift in offer.gifts if gift[3] is not None]
        need(len(sureties) < 2, "two sureties")
        for _, receiver, things, _ in sureties:
            need(things[0] > 0 and things == [things[0], *nothing[1:]] and receiver == offer.payee, "no gold for officers")
            need(offer.acts and offer.acts[0][1] == "inspect", "a surety without an inspection")
        for _, _, things, _ in offer.gifts:
            self.check_things(things)
        for giver in {gift[0] for gift in offer.gifts}:
            self.check_giver(giver, [gift[2] for gift in offer.gifts if gift[0] == giver])
        for giver, receiver, (_, _, _, _, bag, blind), _ in offer.gifts:
            if bag or blind:
                need((giver, "pass") in offer.acts, "goods of a bag that does not pass")
                need(receiver == offer.payee, "goods of a bag for a merchant")
                need(all(kind in self.setup.goods for kind, _ in bag), "a black-market card in a bag")
                need(blind <= self.players[giver].bag.count, "more blind cards than were declared")

    def check_things(self, things):
        """The form of what is given."""
        gold, stall, stack, stack_blind, bag, bag_blind = things
        order = [*self.setup.goods, *(name for pair in self.setup.market for name in pair)]
        for goods in (stall, stack, bag):
            kinds = [kind for kind, _ in goods]
            need(all(kind in order for kind in kinds), "goods that there are not")
            need(kinds == sorted(set(kinds), key=order.index), "goods that are not in the order of the table")
            need(all(1 <= number <= self.setup.cards for _, number in goods), "goods without a number, or too many")
        need(min(gold, stack_blind, bag_blind) >= 0, "less than nothing")
        need(not gold or not self.effects("NoCoin"), "no deal may move gold")

    def check_giver(self, seat, gifts):
        """Whether all that one gives, surety included, is theirs before the deal (7.5)."""
        giver = self.players[seat]
        need(sum(things[0] for things in gifts) <= giver.gold, "gold that is not there")
        given = {}
        for things in gifts:
            for kind, number in things[1]:
                given[kind] = given.get(kind, 0) + number
        for kind, number in given.items():
            there = (
                giver.prizes.count(kind)
                if kind not in self.setup.goods
                else sum(self.kinds[h] == kind for h in giver.stall)
            )
            need(number <= there, "open goods that are not there")
        need(sum(things[3] for things in gifts) <= len(giver.stack), "face-down cards that are not there")
        kinds = [kind for things in gifts for kind, _ in things[2]]
        need(all(kind in self.contraband_kinds(giver.banned) for kind in kinds), "legal goods of the stack")

    def rule_Withdraw(self, seat, number):
        offer = self.standing(seat, number)
        need(offer, "no such offer")
        self.drop_offers([offer])

    def rule_Refuse(self, seat, author, number):
        offer = self.standing(author, number)
        need(offer and seat in offer.parties and seat != author, "no such offer, or no party")
        self.drop_offers([offer])

    def drop_offers(self, offers):
        """Offers stand no more; what a deputy has said for one lapses with it."""
        keys = [offer.key for offer in offers]
        self.offers = [offer for offer in self.offers if offer.key not in keys]
        for player in self.players:
            if player.bag:
                player.bag.stances = {s: stance for s, stance in player.bag.stances.items() if stance[1] not in keys}

    def rule_Accept(self, seat, author, number):
        offer = self.standing(author, number)
        need(
            offer and seat in offer.parties and seat != author and seat not in offer.accepted,
            "no such offer, or no party",
        )
        self.check_offer(offer)
        self.check_duties(offer.acts)
        offer.accepted.add(seat)
        if len(offer.officers) == 2 and seat in offer.officers and len(offer.acts) == 1:
            self.set_stance(seat, offer.bags[0], (offer.acts[0][1], offer.key))
        if offer.parties - {author} <= offer.accepted:
            self.close(offer)

    def set_stance(self, seat, bag, stance):
        old = self.players[bag].bag.stances.get(seat)
        if old and old[1] and old[1] != stance[1]:
            before = self.standing(*old[1])
            if before:
                before.accepted.discard(seat)
        self.players[bag].bag.stances[seat] = stance

    def close(self, offer):
        """A deal is closed [Demands]."""
        self.check_offer(offer)
        self.check_duties(offer.acts)
        steps, given = [], []
        due = [gift[:3] for gift in offer.gifts if gift[3] is None]
        for giver, receiver, things in due:
            self.pay(giver, receiver, things[0])
        for giver, receiver, things in due:
            self.give_prizes(giver, receiver, [name for name, _ in things[1] if name not in self.setup.goods])
            handles = self.first_of_kinds(giver, [(k, n) for k, n in things[1] if k in self.setup.goods], given)
            given += handles
            if handles:
                steps.append(("Give", giver, receiver, tuple(handles), "stall"))
        for giver, receiver, things in due:
            if things[2] or things[3]:
                among = tuple(self.players[giver].stack)
                steps.append(("ShowOwed", giver, receiver, tuple(map(tuple, things[2])), things[3], among))
        self.drop_offers([offer])
        for bag, verb in offer.acts:
            steps += self.decide(bag, verb, push=False)
        for giver, receiver, things in due:
            if things[4] or things[5]:
                self.players[giver].bag.owed = (receiver, [tuple(item) for item in things[4]], things[5])
        for giver, receiver, things, condition in offer.gifts:
            if condition is not None:
                judged = steps.index(("Judge", offer.bags[0]))
                steps.insert(judged, ("Surety", giver, receiver, things[0], condition, offer.bags[0]))
        self.push(*steps)

    def pay(self, giver, receiver, gold):
        self.players[giver].gold -= gold
        if receiver == LOOT:
            self.loot["gold"] += gold
        else:
            self.players[receiver].gold += gold

    def do_Surety(self, step):
        """Gold is due if the bag, which was shown, is found so."""
        _, giver, receiver, gold, condition, owner = step
        bag = self.players[owner].bag
        is_true = bag.man is None and all(self.kinds[h] == bag.kind for h in bag.shown)
        if is_true == (condition == "true"):
            self.pay(giver, receiver, gold)
        self.replace(step)
        return True

    def give_prizes(self, giver, receiver, names):
        for name in names:
            self.players[giver].prizes.remove(name)
            (self.loot["names"] if receiver == LOOT else self.players[receiver].prizes).append(name)

    def first_of_kinds(self, seat, goods, but=()):
        """Kind by kind the first cards on a stall, in the order in which they lie, without those promised."""
        lying = [handle for handle in self.players[seat].stall if handle not in but]
        return [handle for kind, number in goods for handle in [h for h in lying if self.kinds[h] == kind][:number]]

    def decide(self, bag, verb, push=True):
        """A bag passes or is inspected [Demands]: what it asks for."""
        held = self.players[bag].bag
        held.openers = self.deciders(bag) if verb == "inspect" else []
        held.verdict = verb
        self.verdicts.append(verb)
        self.drop_offers([offer for offer in self.offers if bag in offer.bags])
        if verb == "pass":
            orders = [("AskOrders", bag)] if "orders" in self.setup.modules else []
            steps = [
                ("Open", bag),
                ("UnveilMan", bag),
                ("ShowPassing", bag),
                *orders,
                ("Unpack", bag),
                ("Toll", bag),
                ("Arrives", bag),
                ("AskTrade", bag),
            ]
        else:
            steps = [("Open", bag), ("UnveilMan", bag), ("ShowBag", bag), ("Judge", bag), ("AskTrade", bag)]
        if push:
            self.push(*steps)
        return steps

    def check_duties(self, acts):
        """Duty and mercy: the last bag can't be dealt with so that none was inspected, or none let pass (15.6)."""
        wanted = [("inspect" if law == "duty" else "pass") for law in self.laws if law in ("duty", "mercy")]
        if set(self.closed_bags()) - {bag for bag, _ in acts}:
            return
        done = self.verdicts + [verb for _, verb in acts]
        if len(done) == 1:
            wanted = wanted[:1]
        need(all(w in done for w in wanted), "duty or mercy")

    def rule_Pass(self, seat, bag, for_nothing):
        self.closed_bag(bag)
        need(self.deciders(bag) == [seat], "not this officer's to decide")
        own = [
            o
            for o in self.offers
            if o.author == bag
            and [gift[:2] for gift in o.gifts] == [(bag, seat)]
            and o.acts == [(bag, "pass")]
            and o.officers == [seat]
        ]
        offer = own[0] if own else None
        self.check_duties([(bag, "pass")])
        if offer and not for_nothing:
            offer.accepted.add(seat)
            self.close(offer)
        else:
            self.decide(bag, "pass")

    def rule_Inspect(self, seat, bag):
        self.closed_bag(bag)
        need(self.deciders(bag) == [seat], "not this officer's to decide")
        self.check_duties([(bag, "inspect")])
        self.decide(bag, "inspect")

    def rule_Stance(self, seat, bag, verb):
        held = self.closed_bag(bag)
        need(len(self.officers) == 2 and seat in self.officers and held.alone is None, "not both deputies' to decide")
        self.check_duties([(bag, verb)])
        self.set_stance(seat, bag, (verb, None))
        if all(held.stances.get(s) == (verb, None) for s in self.officers):
            self.decide(bag, verb)

    def rule_Apart(self, seat, bag):
        held = self.closed_bag(bag)
        need(len(self.officers) == 2 and seat in self.officers and held.alone is None, "not both deputies' to decide")
        verbs = {s: held.stances[s][0] for s in self.officers if s in held.stances}
        need(sorted(verbs.values()) == ["inspect", "pass"], "they do not differ")
        held.alone = next(s for s in verbs if verbs[s] == "inspect")
        held.stances = {}
        self.drop_offers([offer for offer in self.offers if bag in offer.bags])

    # -- negotiation: words

    def hear(self, turn):
        """[Words, hear]"""
        if self.phase != "inspect":
            self.talk = Negotiation()
        if not self.officers:
            return
        sequencer, talk = self.officers[0], self.talk
        others = []
        for entry in turn.free:
            name, *fields = entry.payload
            if name == "time" and fields[0] == self.round and self.phase == "inspect":
                talk.times.add(entry.author)
            if name != "negotiate" or self.players[entry.author].out:
                continue
            move = fields[0]
            if move[0] == "Accept" and move[2] == sequencer:
                if entry.heads[sequencer][0] > talk.places.get((sequencer, move[3]), -1):
                    talk.acceptances.append((move, entry.heads[sequencer][0]))
            elif move[0] in ("Offer", "Withdraw") and entry.author == sequencer:
                parties = self.parties_of(move, sequencer)
                if parties:
                    talk.words.append((move, entry.number, parties, entry))
            elif move[0] == "Refuse":
                talk.refusals.append(move)
            elif move[0] in ("Offer", "Withdraw"):
                if self.try_rule(move) and move[0] == "Offer":
                    talk.places[move[1], move[2]] = entry.number
            else:
                others.append((move, entry))
        self.hear_refusals()
        self.hear_words(turn)
        self.hear_refusals()
        talk.acceptances = [one for one in talk.acceptances if not self.knew_better(*one)]
        if self.todo and self.todo[0] == ("Negotiate",):
            talk.requests = [move for move in talk.requests if self.settles(move)]
        for move, entry in others:
            self.hear_request(move, entry)

    def knew_better(self, acceptance, seen):
        """Whether who has accepted an offer had seen a word that stays and ends it."""
        offer = self.standing(acceptance[2], acceptance[3])
        for move, number, _, _ in self.talk.words:
            if number >= seen or move[1] != acceptance[2]:
                continue
            if move[0] == "Withdraw" and move[2] == acceptance[3]:
                return True
            if move[0] == "Offer" and offer:
                parties = {gift[i] for gift in move[4] for i in (0, 1) if gift[i] != LOOT} | set(move[3])
                if parties == offer.parties and {bag for bag, _ in move[5]} == set(offer.bags):
                    return True
        return False

    def parties_of(self, move, sequencer):
        """The parties of a word of the sequencer's, without it, as far as they are in."""
        if move[0] == "Offer":
            parties = {gift[i] for gift in move[4] for i in (0, 1)} | set(move[3])
        elif offer := self.standing(sequencer, move[2]):
            parties = offer.parties
        else:
            noted = (parties for word_, _, parties, _ in self.talk.words if word_[0] == "Offer" and word_[2] == move[2])
            parties = next(noted, set())
        return {s for s in parties if s in self.seats and s != sequencer}

    def try_rule(self, move):
        """Put a word into the rules; what they refuse is void."""
        if self.allowed(move):
            self.rule(move)
            return True
        return False

    def hear_refusals(self):
        staying = []
        for move in self.talk.refusals:
            if any(word_[0] == "Offer" and (word_[1], word_[2]) == (move[2], move[3]) for word_, *_ in self.talk.words):
                staying.append(move)
            else:
                self.try_rule(move)
        self.talk.refusals = staying

    def hear_words(self, turn):
        staying = []
        for item in self.talk.words:
            move, number, parties, entry = item
            lasts = [turn.entry if s == turn.entry.author else turn.last.get(s) for s in parties if s in self.seats]
            if not all(last is not None and last.sees(entry) for last in lasts):
                staying.append(item)
                continue
            if self.too_late(move, number, parties):
                continue
            if move[0] == "Offer":
                self.talk.acceptances = [
                    (a, seen)
                    for a, seen in self.talk.acceptances
                    if not ((a[2], a[3]) == (move[1], move[2]) and seen <= number)
                ]
            self.try_rule(move)
        self.talk.words = staying

    def too_late(self, move, number, parties):
        """Whether all had accepted, before they knew this word, an offer that the word would take away."""
        early = [tuple(acceptance) for acceptance, seen in self.talk.acceptances if seen <= number]
        for offer in self.offers:
            others = offer.parties - {offer.author}
            if offer.author != move[1] or not all(("Accept", s, *offer.key) in early for s in others):
                continue
            if move[0] == "Withdraw":
                taken = offer.number == move[2]
            elif move[5] or offer.bags:
                taken = {bag for bag, _ in move[5]} & set(offer.bags)
            else:
                taken = parties | {move[1]} == offer.parties
            if taken:
                return True
        return False

    def hear_request(self, move, entry):
        if self.officers[0] == move[1]:
            return
        if move[0] == "Accept":
            place = self.talk.places.get((move[2], move[3]))
            if place is None or entry.heads[move[2]][0] <= place:
                return
        own = [request for request in self.talk.requests if request[1] == move[1]]
        waiting = {bag for request in own for bag in self.bags_of(request)}
        if move in own or waiting & set(self.bags_of(move)) or not self.allowed(move):
            return
        if self.settles(move):
            self.talk.requests.append(move)
        else:
            self.rule(move)

    def settles(self, *moves):
        """Whether moves, put into the rules now, settle a bag or close a deal: of a trade, gold may be all that moves."""
        after, move = deepcopy(self), moves[-1]
        try:
            for one in moves:
                after.rule(one)
        except VerificationError:
            return False
        if move[0] == "Apart":
            return True
        if move[0] == "Accept" and self.standing(move[2], move[3]):
            return not after.standing(move[2], move[3])
        return after.todo != self.todo

    def is_open(self, acceptance):
        """Whether all noted acceptances of its offer, put into the rules now, would close it."""
        needed = self.needed_acceptances(acceptance[2], acceptance[3])
        return acceptance in needed and self.settles(*needed)

    def needed_acceptances(self, author, number):
        """The noted acceptances of an offer by those whose word it needs, each once, as they were heard."""
        offer = self.standing(author, number)
        needed = offer.parties - {author} - offer.accepted if offer else ()
        moves = [move for move, _ in self.talk.acceptances if (move[2], move[3]) == (author, number) and move[1] in needed]
        return [move for i, move in enumerate(moves) if move not in moves[:i]]

    def take_up(self, seat, merchant, number):
        """[Words, Taking up]"""
        named_ = ["Accept", merchant, seat, number]
        need(any(move == named_ for move, _ in self.talk.acceptances), "an acceptance that nobody has said")
        needed = [move for move in self.needed_acceptances(seat, number) if move != named_]
        self.talk.acceptances = [(m, seen) for m, seen in self.talk.acceptances if (m[2], m[3]) != (seat, number)]
        for move in needed + [named_]:
            self.rule(move)
        need(not self.standing(seat, number), "an offer that not all have accepted")

    # -- bags

    def on_Open(self, step, seat, handles, salt):
        player = self.players[seat]
        need(all(a < b for a, b in zip(handles, handles[1:])), "handles that do not ascend", Malformed)
        verify_opening(player.bag.commitment, ["bag", self.charter.game, self.round, seat], handles, salt)
        need(len(handles) == player.bag.count, "another number of cards than declared")
        men = [h for h in handles if h in player.men]
        need(all(h in player.hand or h in men for h in handles), "cards that are not in the hand")
        need(len(men) <= 1 and len(men) < len(handles), "more merry men than one, or no goods")
        player.hand = [h for h in player.hand if h not in handles]
        player.men = [h for h in player.men if h not in men]
        player.bag.man = men[0] if men else None
        player.bag.hidden = [h for h in handles if h not in men]
        self.replace(step)

    def do_UnveilMan(self, step):
        if self.players[step[1]].bag.man is None:
            self.replace(step)
            return True
        return self.unveil("merry men", [self.players[step[1]].bag.man], [step[1]])

    def owed_from(self, bag):
        """(receiver, {kind: number}, blind) that is due from a bag."""
        owed = self.players[bag].bag.owed
        return (owed[0], dict(owed[1]), owed[2]) if owed else (None, {}, 0)

    def on_ShowPassing(self, step, seat, claims):
        bag = self.players[seat].bag
        receiver, owed, blind = self.owed_from(seat)
        need({h for h, _ in claims} <= set(bag.hidden), "cards that are not in the bag")
        self.show(seat, claims)
        kinds = [kind for _, kind in claims]
        for kind in set(kinds):
            need(self.legal(kind) or kinds.count(kind) <= owed.get(kind, 0), "contraband that is not owed")
        bag.shown = [h for h, _ in claims]
        bag.hidden = [h for h in bag.hidden if h not in bag.shown]
        bag.contraband = len(bag.hidden) + sum(not self.legal(kind) for kind in kinds)
        short = [kind for kind, number in owed.items() if kinds.count(kind) < number]
        steps = [("ProveRest", seat, tuple(short))] if bag.hidden else []
        if receiver is not None:
            steps.append(("HandOver", seat, "bag", receiver, blind, (), ()))
        self.replace(step, *steps)

    def on_ProveRest(self, step, seat):
        kinds = [kind for kind in self.contraband_kinds(self.bans) if kind not in step[2]]
        for handle in self.players[seat].bag.hidden:
            self.claim(seat, handle, kinds)
        self.replace(step)

    def do_HandOver(self, step):
        blind = step[4]
        left = self.blind_choice(step)
        count = min(blind, len(left))
        if 0 < count < len(left):
            return False
        self.hand_over(step, left if count else [])
        return True

    def blind_choice(self, step):
        """The hidden cards among which those that are due blind are chosen."""
        _, giver, zone, receiver, blind, shown, among = step
        player = self.players[giver]
        return list(player.bag.hidden) if zone == "bag" else [h for h in player.stack if h in among and h not in shown]

    def on_HandOver(self, step, seat, handles):
        left = self.blind_choice(step)
        need(
            len(handles) == len(set(handles)) == min(step[4], len(left)) and set(handles) <= set(left),
            "other cards than are due",
        )
        self.hand_over(step, handles)

    def hand_over(self, step, blind):
        _, giver, zone, receiver, _, shown, _ = step
        given = list(shown)
        if zone == "bag":
            bag = self.players[giver].bag
            for kind, number in bag.owed[1]:
                given += [h for h in bag.shown if self.kinds[h] == kind][:number]
        given += blind
        self.replace(step, *([("Give", giver, receiver, tuple(given), zone)] if given else []))

    def do_Unpack(self, step):
        seat = step[1]
        player, bag = self.players[seat], self.players[seat].bag
        open_ = [h for h in bag.shown if self.legal(self.kinds[h])]
        closed = list(bag.hidden) + [h for h in bag.shown if h not in open_]
        self.hide(closed)
        player.stall += open_
        player.stack += closed
        bag.hidden, bag.shown = [], []
        if closed:
            player.banned |= self.bans
        self.replace(step, *([("Rearrange", seat, "stack")] if closed else []))
        return True

    def on_ShowBag(self, step, seat, claims):
        bag = self.players[seat].bag
        self.show(seat, claims, bag.hidden)
        bag.shown, bag.hidden = sorted(h for h, _ in claims), []
        self.replace(step)

    def do_Judge(self, step):
        seat = step[1]
        player, bag = self.players[seat], self.players[seat].bag
        good = [h for h in bag.shown if self.kinds[h] == bag.kind and self.legal(bag.kind)]
        bad = [h for h in bag.shown if h not in good]
        openers = [s for s in bag.openers if not self.players[s].out]
        player.stall += good
        bag.shown = list(bad)
        if not bad and bag.man is None:
            fines = sum(self.setup.goods[self.kinds[h]].fine for h in good)
            if self.effects("HonestReward"):
                self.from_bank(seat, self.effects("HonestReward")[0][0] * len(good))
            shares = [fines] if len(openers) < 2 else [fines - fines // 2, fines // 2]
            self.replace(step, *(("Debt", s, seat, self.halved(s, share)) for s, share in zip(openers, shares)))
            return True
        fine = self.fine_of(seat, bad, bag.man)
        steps = []
        if bad and self.first and openers:
            steps.append(("LayDown", openers[0], tuple(bad)))
        elif bad:
            bag.shown = []
            self.piles[0] += bad
        self.confiscated += bad
        if openers:
            steps.append(("Debt", seat, openers[0] if len(openers) == 1 else LOOT, self.halved(seat, fine)))
        if bag.man is not None:
            player.lost = self.round
            steps.append(("ReturnMan", seat))
        self.replace(step, *steps)
        return True

    def fine_of(self, seat, bad, man):
        """Light hand first, then heavy hand on the cards still fined (15.5)."""
        fines = [
            self.setup.goods[self.kinds[h]].fine
            for h in bad
            if not (self.effects("LightHand") and self.legal(self.kinds[h]))
        ]
        if man is not None:
            fines.append(self.man_line(seat)[2])
        heavy = sum(figures[0] for figures in self.effects("HeavyHand"))
        return sum(fines) + heavy * len(fines)

    def halved(self, seat, fine):
        """The widow's son halves the next fine, rounded up."""
        if fine and self.players[seat].marker:
            self.players[seat].marker = False
            return -(-fine // 2)
        return fine

    def from_bank(self, seat, amount):
        self.players[seat].gold += amount
        self.bank -= amount

    def do_AskTrade(self, step):
        if len(self.players[step[1]].stack) < 3 or not any(self.market):
            self.replace(step)
            return True
        return False

    def on_AskTrade(self, step, seat, claims):
        if not claims:
            self.replace(step)
            return
        player = self.players[seat]
        handles = [h for h, _ in claims]
        need(len(claims) == len(set(handles)) == 3 and set(handles) <= set(player.stack), "not three face-down cards")
        need(len({kind for _, kind in claims}) == 1, "cards of several kinds")
        pair = next((pair for pair in self.market if pair and pair[0].rsplit(" ", 1)[0] == claims[0][1]), None)
        need(pair, "no such card in the market")
        self.show(seat, claims)
        player.stack = [h for h in player.stack if h not in handles]
        self.box += handles
        player.prizes.append(pair.pop(0))
        self.replace(step, *([("AskTrade", seat)] if self.setup.edition == "first" else []))

    # -- gifts, debts

    def take_away(self, handles):
        """Take cards from wherever they lie."""
        gone = set(handles)
        for player in self.players:
            for zone in Player.ZONES:
                setattr(player, zone, [h for h in getattr(player, zone) if h not in gone])
            if player.bag:
                player.bag.hidden = [h for h in player.bag.hidden if h not in gone]
                player.bag.shown = [h for h in player.bag.shown if h not in gone]
        self.piles = [[h for h in pile if h not in gone] for pile in self.piles]
        self.loot["cards"] = [item for item in self.loot["cards"] if item[0] not in gone]

    def do_Give(self, step):
        _, giver, receiver, handles, source = step
        if not handles:
            self.replace(step)
            return True
        takers = self.officers if receiver == LOOT else [receiver]
        return self.begin(
            kind="give",
            cards=[self.cards[h] for h in handles],
            handles=list(handles),
            seats=[giver, receiver],
            source=source,
            stages=[*self.one_by_one("lock", takers), ("strip", [giver])],
        )

    def pass_give(self, seat, act, fields):
        p = self.passing
        check, operation = (verify_lock, "take") if act == "lock" else (verify_strip, "give")
        p.cards = check(self.context(operation, self.index, p.handles), p.cards, seat, fields[0])
        self.stage_done(seat)

    def done_give(self, p):
        giver, receiver = p.seats
        kinds = [self.kinds.get(h) for h in p.handles]
        banned = {"loot": self.loot_banned, "stack": self.players[giver].banned}.get(p.source, self.bans)
        if p.source in ("loot", "odd"):
            kinds = [dict(self.loot["cards"])[h] for h in p.handles]
        self.take_away(p.handles)
        self.forget(p.handles)
        hidden = False
        for card, kind in zip(p.cards, kinds):
            new = self.new_handle(card)
            if p.source == "pile":
                self.players[receiver].hand.append(new)
                continue
            if p.source == "odd":
                self.discard_odd(new, kind)
                return
            open_ = kind is not None and self.lies_open(kind, p.source)
            if receiver == LOOT:
                self.loot["cards"].append((new, kind if open_ else None))
                if not open_:
                    self.loot_banned |= banned
            elif open_:
                self.kinds[new] = kind
                self.players[receiver].stall.append(new)
            else:
                hidden = True
                self.players[receiver].banned |= banned
                self.players[receiver].stack.append(new)
        self.replace(self.todo[0])
        if hidden and receiver != LOOT:
            laid = ("Rearrange", receiver, "stack")
            later = 0  # After all face-down gifts of the deal: till then the own cards can be told (7.5).
            while later < len(self.todo) and self.todo[later][0] == "ShowOwed":
                later += 1
            if not later or laid not in self.todo[later:]:
                self.todo.insert(later, laid)

    def lies_open(self, kind, source):
        """Whether a card of a known kind that was given is laid open: legal goods, but not what came hidden (7.7, 15.4)."""
        if source in ("bag", "wat"):
            return self.legal(kind)
        return source != "stack" and self.setup.goods[kind].side == "legal"

    def discard_odd(self, handle, kind):
        """The odd last card of the Loot goes onto pile 0, shown if it lay face down (10.5)."""
        step = self.todo[0]
        if kind is None:
            self.replace(step, ("ShowOdd", step[2], handle))
            return
        self.kinds[handle] = kind
        self.piles[0].append(handle)
        self.replace(step)

    def on_ShowOdd(self, step, seat, claims):
        self.show(seat, claims, [step[2]])
        self.piles[0].append(step[2])
        self.replace(step)

    def do_ShowOwed(self, step):
        _, giver, receiver, goods, blind, among = step
        if goods and any(h in among for h in self.players[giver].stack):
            self.replace(step, ("ShowStack", giver, receiver, goods, blind, among))
        else:
            self.replace(step, ("HandOver", giver, "stack", receiver, blind, (), among))
        return True

    def on_ShowStack(self, step, seat, claims):
        _, giver, receiver, goods, blind, among = step
        stack = [h for h in self.players[seat].stack if h in among]
        owed = dict(goods)
        handles = [h for h, _ in claims]
        kinds = [kind for _, kind in claims]
        need(set(handles) <= set(stack), "cards that are not on the stack")
        need(all(kinds.count(kind) <= owed.get(kind, 0) for kind in kinds), "cards that are not owed")
        self.show(seat, claims)
        short = tuple(kind for kind in owed if kinds.count(kind) < owed[kind])
        steps = [("HandOver", giver, "stack", receiver, blind, tuple(handles), among)]
        if short and len(handles) < len(stack):
            left = tuple(h for h in stack if h not in handles)
            steps.insert(0, ("ProveStack", giver, short, left))
        self.replace(step, *steps)

    def on_ProveStack(self, step, seat):
        kinds = [kind for kind in self.contraband_kinds(self.players[seat].banned) if kind not in step[2]]
        for handle in step[3]:
            self.claim(seat, handle, kinds)
        self.replace(step)

    def do_Debt(self, step):
        _, debtor, creditor, amount = step
        player = self.players[debtor]
        paid = min(amount, player.gold)
        player.gold -= paid
        if creditor == LOOT:
            self.loot["gold"] += paid
        else:
            self.players[creditor].gold += paid
        rest = amount - paid
        values = [self.setup.goods[self.kinds[h]].value for h in player.stall]
        if rest and values:
            if sum(values) - min(values) < rest:
                missing = rest - sum(values)
                self.replace(
                    step,
                    ("Give", debtor, creditor, tuple(player.stall), "stall"),
                    *([("Debt", debtor, creditor, missing)] if missing > 0 else []),
                )
            else:
                self.replace(step, ("Owe", debtor, creditor, rest))
        elif rest and (player.stack or player.prizes):
            self.replace(step, ("Owe", debtor, creditor, rest))
        else:
            self.replace(step)
        return True

    def on_Owe(self, step, seat, goods, claims):
        _, debtor, creditor, rest = step
        player = self.players[seat]
        worth = {name: int(name.split()[-1]) for pair in self.setup.market for name in pair}
        order = [*self.setup.goods, *worth]
        kinds = [kind for kind, _ in goods]
        need(
            all(kind in order for kind in kinds) and kinds == sorted(set(kinds), key=order.index),
            "goods that there are not",
        )
        need(all(number >= 1 for _, number in goods), "goods without a number")
        if player.stall:
            need(not claims and all(kind in self.setup.goods for kind in kinds), "legal goods are owed first")
            lying = [self.kinds[h] for h in player.stall]
            need(all(number <= lying.count(kind) for kind, number in goods), "goods that are not there")
            values = [self.setup.goods[kind].value for kind, number in goods for _ in range(number)]
            whole = False
        else:
            handles = [h for h, _ in claims]
            need(
                all(kind in worth and number <= player.prizes.count(kind) for kind, number in goods),
                "goods that are not there",
            )
            need(
                len(set(handles)) == len(handles) and set(handles) <= set(player.stack),
                "cards that are not on the stack",
            )
            hidden = self.contraband_kinds(player.banned)
            need(all(kind in hidden for _, kind in claims), "a kind that can't lie there")
            values = [worth[kind] for kind, _ in goods] + [self.setup.goods[kind].value for _, kind in claims]
            whole = len(handles) == len(player.stack) and len(goods) == len(player.prizes)
        need(sum(values) >= rest or whole, "less than is owed")
        need(not values or sum(values) - min(values) < rest, "more than is owed")
        steps = []
        if player.stall:
            steps.append(("Give", debtor, creditor, tuple(self.first_of_kinds(seat, goods)), "stall"))
        else:
            for handle, kind in claims:
                self.claim(seat, handle, [kind])
            self.give_prizes(debtor, creditor, kinds)
            steps.append(("Give", debtor, creditor, tuple(h for h, _ in claims), "stack"))
        self.replace(step, *steps)

    # -- the Loot (rules 10.5 and 10.6)

    def do_MixLoot(self, step):
        hidden = [h for h, kind in self.loot["cards"] if kind is None]
        if len(self.officers) < 2 or len(hidden) < 2:
            self.replace(step)
            return True
        return self.begin(
            kind="collect",
            cards=[self.cards[h] for h in hidden],
            handles=hidden,
            source="Loot",
            seats=list(self.officers),
            stages=self.one_by_one("lock", self.officers),
        )

    def do_ShareOut(self, step):
        loot = self.loot
        if not loot["gold"] and not loot["cards"] and not loot["names"]:
            self.replace(step)
            return True
        if len(self.officers) < 2:
            if self.officers:
                self.players[self.officers[0]].gold += loot["gold"]
                self.players[self.officers[0]].prizes += loot["names"]
            else:
                self.bank += loot["gold"]
            self.loot = {"gold": 0, "cards": [], "names": []}
            self.replace(step)
            return True
        return False

    def on_ShareOut(self, step, seat, split):
        if split is None:
            self.share_evenly(step)
            return
        gold, cards, names = split
        there = [h for h, _ in self.loot["cards"]]
        need(0 <= gold <= self.loot["gold"], "a split of what is not there")
        need(len(set(cards)) == len(cards) and set(cards) <= set(there), "a split of what is not there")
        need(len(set(names)) == len(names) and set(names) <= set(self.loot["names"]), "a split of what is not there")
        self.replace(step, ("ShareAnswer", self.officers[1], [gold, sorted(cards), sorted(names)]))

    def on_ShareAnswer(self, step, seat, split):
        if split is None:
            self.share_evenly(step)
            return
        gold, cards, names = split
        need([gold, sorted(cards), sorted(names)] == step[2], "another split than was proposed")
        first, second = self.officers
        self.players[first].gold += gold
        self.players[second].gold += self.loot["gold"] - gold
        self.players[first].prizes += [n for n in self.loot["names"] if n in names]
        self.players[second].prizes += [n for n in self.loot["names"] if n not in names]
        self.loot["gold"], self.loot["names"] = 0, []
        others = tuple(h for h, _ in self.loot["cards"] if h not in cards)
        self.replace(
            step, ("Give", second, first, tuple(sorted(cards)), "loot"), ("Give", first, second, others, "loot")
        )

    def share_evenly(self, step):
        half = self.loot["gold"] // 2
        for seat in self.officers:
            self.players[seat].gold += half
        self.bank += self.loot["gold"] - 2 * half
        self.loot["gold"] = 0
        self.replace(step, ("Pick", self.officers[0]))

    def do_Pick(self, step):
        seat, loot = step[1], self.loot
        left = len(loot["cards"]) + len(loot["names"])
        if left == 0:
            self.replace(step)
            return True
        if left > 1:
            return False
        if seat == self.officers[1]:
            self.pick(step, loot["cards"][0][0] if loot["cards"] else loot["names"][0])
        elif loot["names"]:
            loot["names"] = []
            self.replace(step)
        else:
            self.replace(step, ("Give", self.officers[1], seat, (loot["cards"][0][0],), "odd"))
        return True

    def on_Pick(self, step, seat, item):
        need(item in self.loot["names"] or item in [h for h, _ in self.loot["cards"]], "nothing that lies there")
        self.pick(step, item)

    def pick(self, step, item):
        seat = step[1]
        other = next(s for s in self.officers if s != seat)
        if isinstance(item, str):
            self.loot["names"].remove(item)
            self.players[seat].prizes.append(item)
            self.replace(step, ("Pick", other))
        else:
            self.replace(step, ("Give", other, seat, (item,), "loot"), ("Pick", other))

    # -- the end of a round and of the game

    def do_Toll(self, step):
        toll = sum(figures[0] for figures in self.effects("Toll"))
        paid = min(toll, self.players[step[1]].gold)
        self.players[step[1]].gold -= paid
        if len(self.officers) == 2:
            self.loot["gold"] += paid
        elif self.officers:
            self.players[self.officers[0]].gold += paid
        else:
            self.players[step[1]].gold += paid
        self.replace(step)
        return True

    def do_AfterLoot(self, step):
        for merchant in self.merchants:
            bag = self.players[merchant].bag
            if bag and bag.verdict == "pass" and self.effects("Premium"):
                self.from_bank(merchant, self.effects("Premium")[0][0] * bag.contraband)
        self.replace(step, *(("LayOut", s) for s in (self.officers if self.effects("PrivateStash") else ())))
        return True

    def begin_end_of_round(self, step):
        self.phase = "end of round"
        for (kind,) in self.effects("ForcedSale"):
            self.forced_sale(kind)
        refill = [("Refill",)] if "orders" in self.setup.modules else []
        if all(self.players[s].terms >= self.terms_needed for s in self.seats):
            self.todo = [*refill, ("End",)]
            return True
        self.replace(
            step, *refill, ("Office",), ("Deal", tuple(self.merchants + self.officers), ()), ("Begin", "market")
        )
        return True

    def forced_sale(self, kind):
        counts = {m: sum(self.kinds[h] == kind for h in self.players[m].stall) for m in self.merchants}
        most = max(counts.values(), default=0)
        for merchant, count in counts.items():
            if count and count == most:
                handle = self.first_of_kinds(merchant, [(kind, 1)])
                self.take_away(handle)
                self.piles[0] += handle
                self.from_bank(merchant, self.setup.goods[kind].value)

    def do_End(self, step):
        self.phase = "reveal"
        self.ending = self.ending or "finished"
        self.replace(step, *(("Reveal", s) for s in self.seats if self.players[s].stack), ("Over",))
        return True

    def on_Reveal(self, step, seat, claims):
        player = self.players[seat]
        self.show(seat, claims, player.stack)
        player.revealed, player.stack = player.stack, []
        self.replace(step)

    def do_Over(self, step):
        self.phase = "over"
        self.replace(step)
        return True

    def outcome(self):
        players = []
        for seat in self.seats:
            player = self.players[seat]
            kinds = [self.kinds[h] for h in player.stall + player.revealed]
            orders = [(name, [self.kinds[h] for h in cards]) for name, cards in player.orders]
            players.append((seat, player.gold, kinds, player.prizes, orders))
        return outcome(self.setup, self.ending, players)

    def result(self):
        return digest("result", self.charter.game, self.outcome())

    # -- modules: what lies open, unveiling, returning, looking

    def label_of(self, card):
        """The label of a card without locks."""
        count = self.setup.cards if card.deck == "goods" else len(self.setup.module_cards(card.deck))
        for label in range(count):
            if label_point(card.deck, label) == card.point:
                return label
        raise Defect("a card without locks that is none of its deck")

    def line_of(self, card):
        return self.setup.module_cards(card.deck)[self.label_of(card)]

    def do_Refill(self, step):
        deck = self.decks["orders"]
        count = min(4 - len(self.open_orders), len(deck.undrawn))
        if count <= 0:
            self.replace(step)
            return True
        cards, deck.undrawn = deck.undrawn[:count], deck.undrawn[count:]
        return self.begin(kind="turn over", deck="orders", cards=cards, stages=self.one_by_one("strip", self.seats))

    def pass_turn_over(self, seat, act, fields):
        p = self.passing
        p.cards = verify_strip(self.context("turn over", self.index, [], p.deck), p.cards, seat, fields[0])
        self.stage_done(seat)

    def done_turn_over(self, p):
        deck = self.decks[p.deck]
        for card in p.cards:
            deck.gone.add(self.label_of(card))
            self.open_orders.append("+".join(self.line_of(card)[:2]))
        self.replace(self.todo[0])

    def unveil(self, deck, handles, holders):
        return self.begin(
            kind="unveil",
            deck=deck,
            cards=[self.cards[h] for h in handles],
            handles=list(handles),
            stages=self.one_by_one("strip", holders),
        )

    def pass_unveil(self, seat, act, fields):
        p = self.passing
        p.cards = verify_strip(self.context("unveil", self.index, p.handles, p.deck), p.cards, seat, fields[0])
        self.stage_done(seat)

    def done_unveil(self, p):
        step = self.todo[0]
        self.cards.update(zip(p.handles, p.cards))
        if step[0] == "UnveilLaws":
            laid = step[1]
            names = [self.line_of(self.cards[h])[0] for h in laid]
            self.decks["laws"].gone |= {self.label_of(self.cards[h]) for h in laid}
            self.laws = (names + self.laws)[:2]
            self.drawn_laws = [h for h in self.drawn_laws if h not in laid]
            self.forget(laid)
            self.replace(step, *([("Return", "laws", tuple(self.drawn_laws), False)] if self.drawn_laws else []))
            return
        self.replace(step)

    def do_Return(self, step):
        _, deck, handles, top = step
        cards = [self.cards[h] for h in handles] if handles else self.all_labels(deck)
        holders = [s for s in self.seats if any(card.key_of(s) for card in cards)]
        order = [s for s in self.seats if s not in holders] + holders
        return self.begin(
            kind="return", deck=deck, cards=cards, handles=list(handles), top=top, stages=self.one_by_one("lock", order)
        )

    def keys_in_use(self):
        cards = [
            *self.cards.values(),
            *(c for deck in self.decks.values() for c in deck.undrawn + deck.missing),
            *(c for each in self.copies.values() for c in each.values()),
            *self.looks,
            *self.passing.cards,
        ]
        return {key for card in cards for _, key in card.locks}

    def pass_return(self, seat, act, fields):
        p = self.passing
        need(fields[0][0] not in self.keys_in_use(), "a return under a key that is in use")
        p.cards = verify_lock(self.context("return", self.index, p.handles, p.deck), p.cards, seat, fields[0])
        self.stage_done(seat)

    def done_return(self, p):
        deck, step = self.decks[p.deck], self.todo[0]
        deck.undrawn = p.cards + deck.undrawn if p.top else deck.undrawn + p.cards
        self.take_away(p.handles)
        self.forget(p.handles)
        self.drawn_laws = [h for h in self.drawn_laws if h not in p.handles]
        for player in self.players:
            if player.bag and player.bag.man in p.handles:
                player.bag.man = None
        self.replace(step)

    def do_Look(self, step):
        _, looker, owner, handle = step
        return self.begin(
            kind="look", cards=[self.cards[handle]], handles=[handle], stages=[("lock", [looker]), ("strip", [owner])]
        )

    def pass_look(self, seat, act, fields):
        p = self.passing
        check, operation = (verify_lock, "look") if act == "lock" else (verify_strip, "let look")
        p.cards = check(self.context(operation, self.index, p.handles), p.cards, seat, fields[0])
        self.stage_done(seat)

    def done_look(self, p):
        self.looks.append(p.cards[0])
        self.replace(self.todo[0], ("Rearrange", self.keeper(p.handles[0]), "stack"))

    # -- laws (15)

    def do_Laws(self, step):
        deck = self.decks["laws"]
        if not self.officers or not deck.undrawn:
            self.replace(step)
            return True
        count = min(3 if self.round == 1 else 2, len(deck.undrawn))
        if len(self.officers) == 1:
            return self.deal("deal", "laws", [(self.officers[0], count)])
        cards, deck.undrawn = deck.undrawn[:count], deck.undrawn[count:]
        order = [s for s in self.after(self.officers[0]) if s not in self.officers] + self.officers
        return self.begin(
            kind="shared", deck="laws", cards=cards, seats=list(self.officers), stages=self.one_by_one("strip", order)
        )

    def pass_shared(self, seat, act, fields):
        """A deal to both deputies: others strip the cards, then each deputy the copies for the other one."""
        p = self.passing
        if seat not in p.seats:
            p.cards = verify_strip(self.context("deal", self.index, [], p.deck), p.cards, seat, fields[0])
        else:
            copies = verify_strip(self.context("share", self.index, [], p.deck), p.cards, seat, fields[0])
            p.shares[next(s for s in p.seats if s != seat)] = copies
        self.stage_done(seat)

    def done_shared(self, p):
        self.drawn_laws = [self.new_handle(card) for card in p.cards]
        for i, handle in enumerate(self.drawn_laws):
            self.copies[handle] = {seat: copies[i] for seat, copies in p.shares.items()}
        self.replace(self.todo[0], ("LayLaws", self.officers[0]))

    def on_LayLaws(self, step, seat, laid, shown):
        need(len(set(laid)) == len(laid) == max(1, len(self.drawn_laws) - 1), "another number of laws")
        need(set(laid) <= set(self.drawn_laws), "other laws than were drawn")
        rest = [h for h in self.drawn_laws if h not in laid] if shown else []
        self.replace(step, ("UnveilLaws", tuple(laid), tuple(rest)))

    def do_UnveilLaws(self, step):
        return self.unveil("laws", [*step[1], *step[2]], self.officers)

    # -- special orders (14)

    def do_AskOrders(self, step):
        bag = self.players[step[1]].bag
        for name in self.open_orders:
            kinds = [self.kinds[h] for h in bag.shown]
            lacking = [good for good in name.split("+") if good not in kinds]
            if all(not self.legal(good) for good in lacking) and len(lacking) <= len(bag.hidden):
                return False
        self.replace(step)
        return True

    def on_AskOrders(self, step, seat, orders, claims):
        player, bag = self.players[seat], self.players[seat].bag
        handles = [h for h, _ in claims]
        need(set(handles) <= set(bag.hidden), "cards that are not hidden in the bag")
        self.show(seat, claims)
        there = bag.shown + handles
        for name in orders:
            need(name in self.open_orders, "no such order lies open")
            self.open_orders.remove(name)
            cards = []
            for good in name.split("+"):
                card = next((h for h in there if self.kinds[h] == good), None)
                need(card is not None, "goods for an order that are not there")
                there.remove(card)
                cards.append(card)
            player.orders.append((name, cards))
        need(not set(handles) & set(there), "a claim that no order takes")
        bag.shown = [h for h in bag.shown if h in there]
        bag.hidden = [h for h in bag.hidden if h not in handles]
        self.replace(step)

    # -- merry men (16)

    def do_Men(self, step):
        _, seat, count = step
        deck = self.decks["merry men"]
        if not deck.undrawn:
            self.replace(step)
            return True
        return self.deal("deal", "merry men", [(seat, min(count, len(deck.undrawn)))])

    def do_Keep(self, step):
        for other in self.waiting():
            if other[0] == "Keep" and len(self.players[other[1]].men) < 2:
                self.replace(other)
        return step not in self.todo

    def on_Keep(self, step, seat, handle):
        player = self.players[seat]
        need(handle in player.men, "not one of the merry men that were dealt")
        player.men = [handle] + [h for h in player.men if h != handle]
        self.replace(step)

    def do_ReturnSpare(self, step):
        men = self.players[step[1]].men
        self.replace(step, *([("Return", "merry men", (men[1],), False)] if len(men) > 1 else []))
        return True

    def do_ReturnMan(self, step):
        self.replace(step, ("Return", "merry men", (self.players[step[1]].bag.man,), False))
        return True

    def man_line(self, seat):
        return self.line_of(self.cards[self.players[seat].bag.man])

    def do_Arrives(self, step):
        seat = step[1]
        player = self.players[seat]
        if player.bag.man is not None:
            self.from_bank(seat, self.man_line(seat)[1])
            self.replace(
                step, ("UseMan", seat), ("ReturnMan", seat), ("Men", seat, 2), ("Keep", seat), ("ReturnSpare", seat)
            )
        elif player.lost and player.lost < self.round and not player.men and player.bag.contraband:
            self.replace(step, ("Men", seat, 1))
        else:
            self.replace(step)
        return True

    def do_UseMan(self, step):
        seat = step[1]
        if self.man_line(seat)[3] == "LayOne":
            self.replace(step, ("LayOut", seat))
            return True
        ways = self.waivings(seat)
        if self.can_use(seat) or len(ways) > 1:
            return False
        self.use_man(step, seat, False, *ways[0])
        return True

    def waivings(self, seat):
        """The ways to waive: Little John's owner still pays a merchant."""
        payees = [m for m in self.others(seat) if m in self.merchants]
        if self.man_line(seat)[3] == "Levy" and payees:
            return [([m], [], [], []) for m in payees]
        return [([], [], [], [])]

    def others(self, seat):
        return [s for s in self.after(seat) if s != seat]

    def on_UseMan(self, step, seat, use, who, gold, goods, cards):
        if use:
            self.use_man(step, seat, True, who, gold, goods, cards)
        else:
            need((who, gold, goods, cards) in self.waivings(seat), "not a way to waive it")
            self.use_man(step, seat, False, who, gold, goods, cards)

    def can_use(self, seat):
        """Whether there is any way to use the merry man who got in."""
        effect = self.man_line(seat)[3]
        others, player = self.others(seat), self.players[seat]
        on_stall = lambda s: {self.kinds[h] for h in self.players[s].stall}
        checks = {
            "Rob": lambda: any(self.players[s].gold for s in self.officers),
            "Levy": lambda: any(self.players[s].gold for s in others),
            "RefillAndSwap": lambda: player.hand or self.decks["goods"].undrawn or self.reshufflable(),
            "LookAtOne": lambda: any(self.players[s].stack for s in others),
            "TakeGood": lambda: any(self.players[s].stall for s in self.officers),
            "CollectFromPassed": lambda: self.passed_payers(seat),
            "PayForContraband": lambda: player.bag.contraband,
            "CollectFromRicher": lambda: any(self.players[s].gold > player.gold for s in others),
            "HalveNextFine": lambda: True,
            "DrawAndDiscard": lambda: self.decks["goods"].undrawn or self.reshufflable(),
            "SwapGoods": lambda: any(
                a != b and self.setup.goods[a].value == self.setup.goods[b].value
                for s in others
                for a in on_stall(seat)
                for b in on_stall(s)
            ),
            "TakeTop": lambda: any(self.piles),
            "SheriffPaysPassed": lambda: any(self.players[s].gold for s in self.officers),
            "TakeConfiscated": lambda: self.for_wat(seat),
            "LookAtDeck": lambda: self.decks["goods"].undrawn,
            "CollectForGood": lambda: any(self.players[s].stall for s in others),
            "SellGoods": lambda: player.stall,
        }
        return bool(checks[effect]())

    def have_passed(self):
        """The merchants whose bags pass, and are open."""
        bags = ((m, self.players[m].bag) for m in self.merchants)
        return [m for m, bag in bags if bag and bag.verdict == "pass" and ("Open", m) not in self.todo]

    def passed_payers(self, seat):
        return [m for m in self.have_passed() if m != seat]

    def for_wat(self, seat):
        return [h for h in self.confiscated if any(h in pile for pile in self.piles) and self.keeper(h) != seat]

    def move_gold(self, payer, payee, amount):
        paid = min(amount, self.players[payer].gold)
        self.players[payer].gold -= paid
        self.players[payee].gold += paid

    FIELDS = {
        "Rob": ("who", "gold"),
        "Levy": ("who",),
        "LookAtOne": ("who", "cards"),
        "TakeGood": ("who", "goods"),
        "SwapGoods": ("who", "goods"),
        "TakeTop": ("cards",),
        "SheriffPaysPassed": ("who",),
        "TakeConfiscated": ("cards",),
        "CollectForGood": ("goods",),
        "SellGoods": ("goods",),
    }

    def use_man(self, step, seat, use, who, gold, goods, cards):
        """[UseMan]: fail if it is not exactly one of the ways of the table."""
        _, _, _, effect, *figures = self.man_line(seat)
        if not use:
            if who:
                self.move_gold(seat, who[0], figures[1])
            self.replace(step)
            return
        need(self.can_use(seat), "it can't be used")
        for name, value in (("who", who), ("gold", gold), ("goods", goods), ("cards", cards)):
            need(name in self.FIELDS.get(effect, "") or not value, f"{name} where there is none")
        steps = getattr(self, f"use_{effect}")(seat, figures, who, gold, goods, cards)
        self.replace(step, *(steps or ()))

    def an_officer(self, who, with_gold=False):
        need(len(who) >= 1 and who[0] in self.officers, "not an officer")
        need(not with_gold or self.players[who[0]].gold, "an officer without gold")
        return who[0]

    def one_of(self, who, seats):
        need(len(who) == 1 and who[0] in seats, "not one of these players")
        return who[0]

    def one_kind(self, goods, owner):
        need(len(goods) == 1, "not one good")
        return self.kind_on_stall(goods[0], owner)

    def kind_on_stall(self, kind, owner):
        handles = self.first_of_kinds(owner, [(kind, 1)])
        need(handles, "a good that is not on that stall")
        return handles[0]

    def use_Rob(self, seat, figures, who, gold, goods, cards):
        officer = self.an_officer(who, True)
        merchants = [m for m in self.others(seat) if m in self.merchants]
        payees = who[1:]
        need(payees == [m for m in merchants if m in payees], "other merchants, or in another order")
        beyond = max(0, min(figures[0], self.players[officer].gold) - figures[1]) if merchants else 0
        need(len(gold) == len(payees) and all(g >= 1 for g in gold) and sum(gold) == beyond, "another sum")
        self.move_gold(officer, seat, figures[1])
        for payee, amount in zip(payees, gold):
            self.move_gold(officer, payee, amount)

    def use_Levy(self, seat, figures, who, gold, goods, cards):
        payees = [m for m in self.others(seat) if m in self.merchants]
        need(len(who) == 1 + bool(payees), "not one who pays and one who is paid")
        need(who[0] in self.others(seat) and self.players[who[0]].gold, "who pays")
        need(not payees or who[1] in payees, "who is paid")
        self.move_gold(who[0], seat, figures[0])
        if payees:
            self.move_gold(seat, who[1], figures[1])

    def use_RefillAndSwap(self, seat, figures, who, gold, goods, cards):
        return [("Deal", (seat,), ()), ("Discard", seat, figures[0], True)]

    def use_LookAtOne(self, seat, figures, who, gold, goods, cards):
        owner = self.one_of(who, self.others(seat))
        need(len(cards) == 1 and cards[0] in self.players[owner].stack, "not a card of that stack")
        return [("Look", seat, owner, cards[0])]

    def use_TakeGood(self, seat, figures, who, gold, goods, cards):
        officer = self.one_of(who, self.officers)
        return [("Give", officer, seat, (self.one_kind(goods, officer),), "stall")]

    def use_CollectFromPassed(self, seat, figures, who, gold, goods, cards):
        for payer in self.passed_payers(seat):
            self.move_gold(payer, seat, figures[0])

    def use_PayForContraband(self, seat, figures, who, gold, goods, cards):
        self.from_bank(seat, figures[0] * self.players[seat].bag.contraband)

    def use_CollectFromRicher(self, seat, figures, who, gold, goods, cards):
        richer = [s for s in self.others(seat) if self.players[s].gold > self.players[seat].gold]
        for payer in richer:
            self.move_gold(payer, seat, figures[0])

    def use_HalveNextFine(self, seat, figures, who, gold, goods, cards):
        self.players[seat].marker = True

    def use_DrawAndDiscard(self, seat, figures, who, gold, goods, cards):
        target = ((seat, len(self.players[seat].hand) + figures[0]),)
        return [("Deal", (seat,), (), target), ("Discard", seat, figures[0], False)]

    def use_SwapGoods(self, seat, figures, who, gold, goods, cards):
        other = self.one_of(who, self.others(seat))
        need(len(goods) == 2 and goods[0] != goods[1], "not two goods")
        own, theirs = self.kind_on_stall(goods[0], seat), self.kind_on_stall(goods[1], other)
        need(self.setup.goods[goods[0]].value == self.setup.goods[goods[1]].value, "goods of another value")
        return [("Give", seat, other, (own,), "stall"), ("Give", other, seat, (theirs,), "stall")]

    def use_TakeTop(self, seat, figures, who, gold, goods, cards):
        need(
            len(cards) == 1 and any(pile and pile[-1] == cards[0] for pile in self.piles), "not the top card of a pile"
        )
        return [*self.from_piles(seat, cards), ("Rearrange", seat, "hand"), ("Discard", seat, 1, False)]

    def use_SheriffPaysPassed(self, seat, figures, who, gold, goods, cards):
        officer = self.one_of(who, self.officers)
        self.an_officer(who, True)
        for merchant in self.have_passed():
            self.move_gold(officer, merchant, figures[0])

    def use_TakeConfiscated(self, seat, figures, who, gold, goods, cards):
        need(len(cards) == 1 and cards[0] in self.for_wat(seat), "not a card that was confiscated")
        return [("Give", self.keeper(cards[0]), seat, tuple(cards), "wat")]

    def use_LookAtDeck(self, seat, figures, who, gold, goods, cards):
        return [("LookAtDeck", seat, min(figures[0], len(self.decks["goods"].undrawn)))]

    def do_LookAtDeck(self, step):
        return self.deal("deal", "goods", [step[1:]])

    def on_Reorder(self, step, seat, handles):
        need(sorted(handles) == sorted(self.players[seat].looked), "other cards than were looked at")
        self.players[seat].looked = list(handles)
        self.replace(step, ("Return", "goods", tuple(handles), True))

    def use_CollectForGood(self, seat, figures, who, gold, goods, cards):
        need(len(goods) == 1 and goods[0] in self.setup.goods, "not one good")
        payers = [s for s in self.others(seat) if any(self.kinds[h] == goods[0] for h in self.players[s].stall)]
        need(payers, "a good that nobody else has")
        for payer in payers:
            self.move_gold(payer, seat, figures[0])

    def use_SellGoods(self, seat, figures, who, gold, goods, cards):
        order = list(self.setup.goods)
        need(1 <= len(goods) <= figures[0] and all(kind in order for kind in goods), "not one or two goods")
        need(goods == sorted(goods, key=order.index), "goods that are not in the order of the table")
        for kind in goods:
            handle = self.kind_on_stall(kind, seat)
            self.take_away([handle])
            self.piles[0].append(handle)
            self.from_bank(seat, figures[1] * self.setup.goods[kind].value)

    def do_LayOut(self, step):
        if self.players[step[1]].hand:
            return False
        self.replace(step)
        return True

    def on_LayOut(self, step, seat, claims):
        player = self.players[seat]
        need(len(claims) <= 1 and all(h in player.hand for h, _ in claims), "not a card of the hand")
        need(all(kind in self.setup.goods and self.legal(kind) for _, kind in claims), "not a legal good")
        self.show(seat, claims)
        for handle, _ in claims:
            player.hand.remove(handle)
            player.stall.append(handle)
        self.replace(step)

    def to_discard(self, step):
        """How many cards a Discard asks for."""
        _, seat, count, swap = step
        count = min(count, len(self.players[seat].hand))
        return min(count, sum(map(len, self.piles))) if swap else count

    def do_Discard(self, step):
        if self.to_discard(step):
            return False
        self.replace(step)
        return True

    def on_Discard(self, step, seat, claims, taken):
        player, swap = self.players[seat], step[3]
        handles = [h for h, _ in claims]
        lying = [h for pile in self.piles for h in pile]
        need(len(set(handles)) == len(handles) and set(handles) <= set(player.hand), "cards that are not in the hand")
        need(len(handles) == self.to_discard(step) or swap and not handles, "another number of cards")
        need(len(set(taken)) == len(taken) == (len(handles) if swap else 0), "another number of cards to take")
        need(set(taken) <= set(lying), "cards that lie on no pile")
        self.show(seat, claims)
        player.hand = [h for h in player.hand if h not in handles]
        taken = [h for h in lying if h in taken]
        steps = self.from_piles(seat, taken)
        self.piles[0] += handles
        self.replace(step, *steps, *([("Rearrange", seat, "hand")] if taken else []))

    # -- words that may be said at all

    def check_words(self, entry):
        """[Table, 2; What is a fault]: by the entry alone."""
        need(named(WORDS)(entry.payload), "another form than the grammar's", Malformed)
        name, *fields = entry.payload
        need(name != "time" or "timer" in self.setup.options, "no time is kept at this table", Malformed)
        need(name != "negotiate" or fields[0][1] == entry.author, "words in another seat's name")

    # -- somebody is put out

    FALLS = (
        "Turn",
        "ShowAside",
        "TakeDiscards",
        "Load",
        "Declare",
        "Open",
        "UnveilMan",
        "ShowPassing",
        "ProveRest",
        "HandOver",
        "Unpack",
        "ShowBag",
        "Judge",
        "AskTrade",
        "Rearrange",
        "Reveal",
        "Men",
        "Keep",
        "ReturnSpare",
        "AskOrders",
        "Arrives",
        "Toll",
        "LayOut",
        "Discard",
        "UseMan",
        "Reorder",
        "LookAtDeck",
        "ShowStack",
        "ProveStack",
        "ReturnMan",
        "Owe",
        "Look",
        "ShowOdd",
    )

    def left(self, out):
        """[When somebody is put out]"""
        if self.decided or not out:
            return
        self.passing = None
        was_officers = self.officers
        for seat in out:
            self.put_out(seat)
        fresh = ("Shuffle", "goods") in self.todo
        for deck in self.decks.values():
            deck.undrawn, deck.missing = [], []
            deck.generation += 1
        if was_officers != self.officers:
            self.talk.requests = []
            self.laws_go_back()
        self.bags_without(set(out))
        self.drop_offers([o for o in self.offers if o.parties & set(out) or o.author in out or set(o.bags) & set(out)])
        self.filter_talk(out)
        self.todo = [kept for step in self.todo if step[0] != "Redeal" for kept in self.without(step, set(out))]
        if len(self.seats) < 3:
            self.ending = "abandoned"
            self.todo = [("End",)]
        elif not fresh and self.phase not in ("reveal", "over"):
            self.push(*(("Redeal", name) for name in self.decks if self.to_redeal(name)))
        self.run()

    def to_redeal(self, name):
        """Whether a deck is dealt anew: not before its first shuffle, and a module's only if cards are left."""
        lying = sum(card.deck == name for card in self.cards.values())
        return ("Shuffle", name) not in self.todo and (name == "goods" or len(self.all_labels(name)) > lying)

    def laws_go_back(self):
        """An officer is out: laws not yet in force go back into their deck; if they were not yet laid: Laws again."""
        laying = [step for step in self.todo if step[0] in ("LayLaws", "UnveilLaws")]
        self.forget(self.drawn_laws)
        self.drawn_laws = []
        for step in laying:
            self.replace(step, *([("Laws",)] if self.officers else []))
        self.todo = [step for step in self.todo if step[:2] != ("Return", "laws")]

    def bags_without(self, out):
        """Nothing is owed to who is out, or to a Loot that is gone; their words about bags lapse."""
        for player in self.players:
            bag = player.bag
            if bag:
                bag.stances = {s: stance for s, stance in bag.stances.items() if s not in out}
                if bag.owed and bag.owed[0] == LOOT and len(self.officers) < 2:
                    bag.owed = (self.officers[0], *bag.owed[1:]) if self.officers else None
                if bag.owed and bag.owed[0] in out:
                    bag.owed = None

    def put_out(self, seat):
        """All cards under its locks are gone, and its gold goes to the bank."""
        self.bank += self.players[seat].gold
        terms = self.players[seat].terms
        bag = self.players[seat].bag
        gone = [h for h, card in self.cards.items() if card.key_of(seat) or bag and h == bag.man]
        self.take_away(gone)
        self.box = [h for h in self.box if h not in gone]
        self.forget(gone)
        self.players[seat] = Player(gold=0, out=True, terms=terms)

    def filter_talk(self, out):
        talk = self.talk
        talk.words = [
            w
            for w in talk.words
            if w[3].author not in out
            and not w[2] & set(out)
            and not (w[0][0] == "Offer" and {bag for bag, _ in w[0][5]} & set(out))
        ]
        talk.acceptances = [a for a in talk.acceptances if a[0][1] not in out and a[0][2] not in out]
        talk.refusals = [r for r in talk.refusals if r[1] not in out and r[2] not in out]
        talk.requests = [r for r in talk.requests if r[1] not in out and r[2] not in out]
        talk.times -= set(out)

    def without(self, step, out):
        """What is left of a step of the todo list if these seats are out."""
        name = step[0]
        if name == "LayDown" and step[2] is not None:
            handles = [h for h in step[2] if h in self.cards]
            return [("LayDown", step[1], tuple(handles))] if handles else []
        if name == "NameFirst" and step[1] in out:
            return [("NameFirst", self.officers[0])] if self.officers else [("Turn", m) for m in self.merchants]
        if name in ("ShareAnswer", "Pick") and len(self.officers) < 2:
            return [("ShareOut", self.office[0])]
        if name == "ShowTurned" and step[1] in out:
            return [("TurnUp",)]
        if name == "Look" and step[2] in out or name == "Return" and not set(step[2]) <= set(self.cards):
            return []
        if name in self.FALLS or name in ("LayDown", "ShowOwed", "Give", "Debt", "Surety"):
            return [] if step[1] in out or name == "Surety" and step[5] in out else self.without_receiver(step, out)
        if name == "Deal":
            return [
                (
                    "Deal",
                    tuple(s for s in step[1] if s not in out),
                    tuple(s for s in step[2] if s not in out),
                    *step[3:],
                )
            ]
        return [step]

    def without_receiver(self, step, out):
        """Of a gift or debt: it falls with who receives; what goes to the Loot goes to the deputy who is left."""
        places = {"ShowOwed": 2, "Give": 2, "Debt": 2, "Owe": 2, "HandOver": 3, "ShowStack": 2, "Surety": 2}
        if step[0] not in places:
            return [step]
        receiver = step[places[step[0]]]
        if receiver == LOOT and len(self.officers) < 2:
            receiver = self.officers[0] if self.officers else None
        if receiver is None or receiver in out:
            return []
        step = (*step[: places[step[0]]], receiver, *step[places[step[0]] + 1 :])
        if step[0] == "Give":
            step = (*step[:3], tuple(h for h in step[3] if h in self.cards), step[4])
        return [step]

    # -- the public state

    def lying_open(self, handles):
        return [[h, self.kinds[h], self.keeper(h)] for h in handles]

    def public_state(self, stage):
        """The nine values of which games/*.json hold the digest [Vectors]."""
        players = []
        for player in self.players:
            bag = player.bag
            players.append(
                [
                    [player.out, player.gold, player.terms],
                    [player.hand, player.aside, self.lying_open(player.aside_shown)],
                    [self.lying_open(player.stall), player.stack, self.lying_open(player.revealed), player.prizes],
                    bag
                    and [
                        bag.commitment,
                        bag.count,
                        bag.kind,
                        bag.verdict,
                        bag.hidden,
                        self.lying_open(bag.shown),
                        bag.man,
                    ],
                    [[name, self.lying_open(cards)] for name, cards in player.orders],
                    [player.men, player.lost, player.marker, player.looked],
                ]
            )
        return [
            stage,
            [self.phase, self.round, self.lead, self.officers, self.bank, self.next],
            players,
            [[self.lying_open(pile) for pile in self.piles], self.lying_open(self.box), self.market],
            [self.loot["gold"], [list(item) for item in self.loot["cards"]], self.loot["names"]],
            [[o.author, o.number, sorted(o.accepted)] for o in self.offers],
            [self.open_orders, self.laws, self.drawn_laws],
            [
                [name, deck.generation, [c.point for c in deck.undrawn], [c.point for c in deck.missing]]
                for name, deck in self.decks.items()
            ],
            [[h, self.cards[h].point] for h in sorted(self.cards)],
        ]


# ------------------------------------------------------------------------------------------------------------------ table


class Folder:
    """The game as far as it is folded: the current step, and who has taken it [Table]."""

    def __init__(self, game, seats):
        self.game = game
        self.step = 0
        self.stage = set(game.expected())
        self.here = {}  # entries of this step, by seat
        self.folded, self.refused = set(), set()
        self.named = [0] * len(seats)  # what the heads of an entry in turn must name
        self.deciding = []  # the entries of the step that decided the game
        self.heard = [0] * len(seats)  # how much of each chain the folded entries have named

    def in_turn(self, entry):
        """[Table, 1]"""
        return (
            entry.step == self.step
            and entry.author in self.stage
            and entry.author not in self.here
            and all(length >= least for (length, _), least in zip(entry.heads, self.named))
        )

    def run(self, table, counts, faults, last=False):
        """Folds what counts, as far as it goes; at its end, before a certificate, also what waits for lower seats."""
        tried = set()
        while True:
            for seat in self.stage - set(self.here):
                slots = table.slots.get((self.step, seat), ())
                found = [entry for entry in slots if self.in_turn(entry) and counts(entry)]
                if found:
                    self.here[seat] = min(found, key=lambda entry: entry.number)
            waiting = sorted(self.stage - self.folded)
            ready = [seat for seat in waiting if seat in self.here and seat not in self.refused | tried]
            if not ready or not last and (self.refused or ready[0] != waiting[0]):
                return
            entry = self.here[ready[0]]
            result = table.after(self, entry)
            if isinstance(result, VerificationError):
                guilty = result.seat if isinstance(result, StageFault) else entry.author
                self.refused.add(guilty)
                tried.add(entry.author)
                faults.append((self.here[guilty], result))
                continue
            self.game = result
            self.folded.add(entry.author)
            self.heard = [max(old, length) for old, (length, _) in zip(self.heard, entry.heads)]
            if self.folded == self.stage:
                for taken in self.here.values():
                    self.named[taken.author] = taken.number + 1
                self.next_step(list(self.here.values()))
                tried = set()

    def next_step(self, entries):
        """This step is over; these entries have taken it."""
        if self.game.decided and not all(is_sealing(entry) for entry in entries):
            self.deciding = entries
        self.step += 1
        self.here, self.folded, self.refused = {}, set(), set()
        self.stage = set(self.game.expected())

    def missing(self):
        """Seats whose entry of this step is not here yet."""
        return sorted(self.stage - set(self.here))


@dataclass
class Fault:
    """What does not hold, and whose entry it is."""

    entry: Entry
    code: str
    reason: str


class Table:
    """A table that nobody sits at: delivers entries in order, judges and folds them [Table, Ballots]."""

    def __init__(self, charter, setup):
        self.charter, self.setup = charter, setup
        self.transcript = Transcript(charter)
        self.faults = []
        self.given = {}  # the first entry of each author and number
        self.slots = {}  # slot entries by step and seat
        self.known = {}  # what a state becomes with an entry: a history that is told again costs nothing
        self.certificates = ()
        self.first = self.fresh().game
        self.folder = self.fresh()

    def fresh(self):
        return Folder(Game(self.charter, self.setup), self.charter.keys)

    def deliver(self, entry):
        """Returns whether it was delivered; faults are noted."""
        if self.given.setdefault((entry.author, entry.number), entry) is not entry:
            self.note(entry, "EQUIVOCATION", "two entries with one number")
        if not self.transcript.has_all_named(entry):
            return False
        try:
            self.judge(entry)
        except VerificationError as error:
            self.note(entry, error.code, error)
            return False
        self.transcript.add(entry)
        if entry.step is not None:
            self.slots.setdefault((entry.step, entry.author), []).append(entry)
        self.fold(self.follow_most())
        return True

    def note(self, entry, code, error):
        self.faults.append(Fault(entry, code, str(error)))

    def judge(self, entry):
        """The fault that the table finds in an entry by its past alone [receive, 3.8]."""
        if entry.begins_as_vote:
            self.transcript.judge_vote(entry)
        elif entry.step is None:
            if entry.payload is not None:
                self.folder.game.check_words(entry)
        elif not self.in_turn(entry):
            error = VerificationError("an entry that is not the author's to write, or not then")
            error.code = "OUT_OF_TURN"
            raise error

    def in_turn(self, entry):
        """[Table, 1; Ballots, Bound]"""
        transcript, past = self.transcript, self.transcript.past(entry)
        certificates = transcript.best(past, entry.heads)
        if transcript.highest_own_try(entry) > last_try(certificates):
            return False
        if entry.author not in remaining(names_of(certificates), self.charter.seats):
            return False
        folder, is_next = self.folder, entry.number == len(transcript.chains[entry.author])
        if not is_next or certificates != self.certificates or transcript.forks(transcript.everything):
            folder = self.told(certificates, past, entry.heads, [])
        return folder.in_turn(entry)

    # -- which entries count, and what they make of the game

    def follow_most(self):
        """Follows the branches that most others stand on [Forks]; returns whether others are followed than before."""
        transcript, before = self.transcript, self.transcript.tips
        for seat in sorted(transcript.forks(transcript.everything)):
            lasts = [chain[-1].heads[seat] for s, chain in enumerate(transcript.chains) if chain and s != seat]
            stand = [transcript.by_hash[hash_] for length, hash_ in lasts if length]
            own = [e for e in transcript.entries if e.author == seat]
            ends = [e for e in own if all(e.hash != other.previous for other in own)]
            here = transcript.chains[seat][-1]

            def strength(end):
                head = (end.number + 1, end.hash)
                return sum(transcript.on_branch(head, e) for e in stand), end is here

            end = max(ends, key=strength)
            transcript.chains[seat] = transcript.branch((end.number + 1, end.hash))
        return transcript.tips != before

    def fold(self, anew):
        """Folds what can be folded; tells the game anew if other certificates or branches count than before."""
        transcript, faults = self.transcript, []
        best = transcript.best(transcript.everything, transcript.tips)
        if best != self.certificates or anew:
            self.certificates = best
            self.folder = self.told(best, transcript.everything, transcript.tips, faults)
        else:
            self.folder.run(self, self.counting(best, transcript.everything, transcript.tips), faults)
        for entry, error in faults:
            if all(fault.entry is not entry for fault in self.faults):
                self.note(entry, error.code, error)

    def told(self, certificates, past, tips, faults):
        """The game after a past, from its beginning [Ballots, The step]; faults that the folds show are added."""
        folder = self.fresh()
        folder.game = self.first
        for i, certificate in enumerate(certificates):
            folder.run(self, self.counting_before(certificates[:i], certificate), faults, last=True)
            folder.game = self.without(folder.game, certificate)
            folder.next_step(list(certificate.votes))
        folder.run(self, self.counting(certificates, past, tips), faults)
        return folder

    def counting_before(self, below, certificate):
        """What counts before a certificate."""
        transcript, inside = self.transcript, remaining(names_of(below), self.charter.seats)
        past = transcript.joined(certificate.votes)
        cuts = {seat: transcript.cut(below, certificate, seat) for seat in certificate.out}

        def counts(entry):
            return (
                entry.author in inside
                and transcript.holds(past, entry)
                and all(transcript.within(entry, seat, head) for seat, head in cuts.items())
                and self.written_on(entry) == names_of(below)
            )

        return counts

    def counting(self, certificates, past, tips):
        """What counts behind the last certificate."""
        transcript, inside = self.transcript, remaining(names_of(certificates), self.charter.seats)
        forked = transcript.forks(transcript.everything) & set(inside)

        def counts(entry):
            return (
                entry.author in inside
                and transcript.holds(past, entry)
                and all(transcript.within(entry, seat, tips[seat]) for seat in forked)
                and self.written_on(entry) == names_of(certificates)
            )

        return counts

    def written_on(self, entry):
        return names_of(self.transcript.best(self.transcript.past(entry), entry.heads))

    def after(self, folder, entry):
        """What the game becomes with an entry, or the error with which it fails."""
        key = (id(folder.game), entry.hash)
        if key not in self.known:
            free = [
                e
                for seat, head in enumerate(entry.heads)
                for e in self.transcript.branch(head)[folder.heard[seat] :]
                if e.step is None and e.payload is not None and not e.begins_as_vote
            ]
            named_ = ((seat, self.transcript.named(entry, seat)) for seat in self.charter.seats)
            game = deepcopy(folder.game)
            try:
                game.fold(Turn(entry, free, {seat: last for seat, last in named_ if last is not None}))
            except VerificationError as error:
                game = error
            self.known[key] = (folder.game, game)
        return self.known[key][1]

    def without(self, game, certificate):
        """The game without the seats that a certificate puts out."""
        key = (id(game), certificate)
        if key not in self.known:
            left = deepcopy(game)
            left.left(list(certificate.out))
            self.known[key] = (game, left)
        return self.known[key][1]


# ------------------------------------------------------------------------------------------------------------------ audit

PROVEN = {
    "EQUIVOCATION",
    "BROKEN_CHAIN",
    "HEADS_WENT_BACK",
    "UNKNOWN_HEADS",
    "OUT_OF_TURN",
    "MALFORMED",
    "FALSE_PROOF",
    "FORBIDDEN",
    "OPEN_HEADS",
    "OVER_BUDGET",
    "FALSE_VOTE",
}
DAMAGE = {"UNREADABLE", "UNSIGNED", "REPEATED", "MISSING", "MISPLACED"}


@dataclass
class Flaw:
    """What is wrong: at which place of the file, whose entry, its number, the code."""

    place: int
    seat: int
    number: int
    code: str
    reason: str = ""


def read_file(data):
    """The frame of the charter, those of the entries, and the rest [Frames and the end of a file]."""
    if data[:7] != b"sheriff" or data[7:8] != b"\1" or len(data) > 1 << 26:
        raise NotSuchAFile("not a record of this version")
    at, frames = 8, []
    while len(data) - at >= 4:
        length = int.from_bytes(data[at : at + 4], "big")
        if length > (1 << 17 if frames else 1 << 16) or at + 4 + length > len(data):
            break
        frames.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return (frames[0] if frames else None), frames[1:], data[at:]


def claimed(message):
    """Seat and number that bytes claim to be of, if it can be told."""
    try:
        body = decode(decode(message)[0])
        seat, number = body[2], body[3][body[2]][0]
    except (VerificationError, TypeError, IndexError, KeyError):
        return None, None
    return (seat, number) if is_int(seat) and is_int(number) else (None, None)


def read_entries(charter, messages, rest):
    """[What the audit checks, 2]: the transcript, and the first flaw or None."""
    transcript, equivocation = Transcript(charter), None
    for place, message in enumerate(messages):
        try:
            entry = read_entry(message, charter, place)
        except VerificationError as error:
            code = "UNSIGNED" if isinstance(error, InvalidSignature) else "UNREADABLE"
            return transcript, Flaw(place, *claimed(message), code, str(error))

        def flaw(code, reason=""):
            return Flaw(place, entry.author, entry.number, code, reason)

        repeated = entry.hash in transcript.by_hash
        if not repeated:
            if transcript.second_version(entry):
                equivocation = equivocation or flaw("EQUIVOCATION", "two entries with one number")
            code = transcript.check_own_head(entry)
            if code:
                return transcript, flaw(code)
            if transcript.has_all_named(entry):
                code = transcript.check_heads(entry)
                if code:
                    return transcript, flaw(code)
                if transcript.misplaced(entry):
                    return transcript, equivocation or flaw("MISPLACED")
                transcript.add(entry)
                continue
        return transcript, equivocation or undeliverable(transcript, entry, repeated, flaw, messages)
    if len(rest) >= 4 and int.from_bytes(rest[:4], "big") > 1 << 17:
        return transcript, Flaw(len(messages), None, None, "UNREADABLE", "an entry that is too long")
    return transcript, None


def undeliverable(transcript, entry, repeated, flaw, messages):
    """[What the audit checks, 2.6]"""
    if repeated:
        return flaw("REPEATED")
    for seat in transcript.charter.seats:
        length, hash_ = entry.heads[seat]
        if length > len(transcript.chains[seat]):
            for place in range(entry.place + 1, len(messages)):
                try:
                    later = read_entry(messages[place], transcript.charter, place)
                except VerificationError:
                    continue
                if (later.author, later.number) == (entry.author, entry.number) and later.hash != entry.hash:
                    return Flaw(place, later.author, later.number, "EQUIVOCATION", "two entries with one number")
            return flaw("MISSING", f"an entry of seat {seat}")
        if length and hash_ not in transcript.by_hash:
            return flaw("DISPUTED", f"another entry of seat {seat}")
    raise Defect("an entry that could be delivered")


def audit(data, watch=None):
    """The verdict on a file, as `--json` prints it [Record]. `watch` is called with the table after each entry."""
    charter_frame, messages, rest = read_file(data)
    try:
        need(charter_frame is not None, "no charter", Malformed)
        charter = read_charter(charter_frame)
        setup = read_terms(charter.terms, len(charter.keys))
    except VerificationError as error:
        return verdict("fault", None, messages, Flaw(None, None, None, "BAD_CHARTER", str(error)))
    if len(messages) > len(charter.keys) * ((1 << 14) + 2):
        raise NotSuchAFile("more entries than a record has")
    transcript, flaw = read_entries(charter, messages, rest)
    if flaw and flaw.code in DAMAGE:
        return verdict("fault", charter, messages, flaw)
    table = Table(charter, setup)
    for entry in transcript.entries:
        table.deliver(entry)
        if watch:
            watch(table, entry)
    game = table.folder.game
    finding = first_finding(charter, transcript, table, flaw, rest)
    if finding:
        return verdict("fault", charter, messages, finding)
    cut_off = bool(rest)
    if game.decided:
        unsigned = [s for s in game.seats if s not in game.sealed and s not in table.folder.here]
        left = [s for s in charter.seats if s not in game.seats]
        return verdict("valid", charter, messages, None, game.outcome(), left=left, unsigned=unsigned, cut_off=cut_off)
    return verdict("unfinished", charter, messages, None, waits_for=table.folder.missing(), cut_off=cut_off)


def first_finding(charter, transcript, table, flaw, rest):
    """[What the audit checks, 5]"""
    game, staying = table.folder.game, remaining(names_of(table.certificates), charter.seats)
    firsts = {}
    for fault in table.faults:
        firsts.setdefault(fault.entry.author, fault)
    faults = [fault for seat, fault in firsts.items() if seat in staying]
    if faults:
        fault = min(faults, key=lambda f: f.entry.place)
        return Flaw(fault.entry.place, fault.entry.author, fault.entry.number, fault.code, fault.reason)
    if game.decided:
        for seat in sorted(table.folder.here):
            entry = table.folder.here[seat]
            if not is_seal(entry, game.result()):
                return Flaw(entry.place, seat, entry.number, "FORBIDDEN", "a seal of another result")
    if flaw:
        return flaw
    if game.decided and set(game.seats) <= game.sealed:
        return surplus(transcript, table, rest)
    return None


def is_sealing(entry):
    """Whether a folded entry signs a result."""
    return entry.step is not None and entry.payload[0][0][0] == "seal"


def is_seal(entry, result):
    """Whether an entry signs this result, and nothing else."""
    return entry.step is not None and entry.payload == [[["seal", result]], b""]


def surplus(transcript, table, rest):
    """What stands in a file that all have signed and is no part of its record [Which entries, in which order]."""
    here, result = table.transcript, table.folder.game.result()
    seals = [e for e in here.entries if is_seal(e, result)]
    record_ = canonical_order(here.among(here.joined(seals + table.folder.deciding)))
    for place, entry in enumerate(transcript.entries):
        if place >= len(record_) or record_[place].hash != entry.hash:
            return Flaw(place, entry.author, entry.number, "SURPLUS", "behind the end of the game")
    return Flaw(len(transcript.entries), None, None, "SURPLUS", "bytes behind the end of the game") if rest else None


def verdict(word_, charter, messages, flaw, result=None, **more):
    """The object that `--json` prints."""
    fault = None
    if flaw:
        name = charter.names[flaw.seat] if charter and flaw.seat in charter.seats else None
        fault = {
            "entry": flaw.place,
            "seat": flaw.seat,
            "name": name,
            "number": flaw.number,
            "code": flaw.code,
            "reason": flaw.reason,
            "proven": flaw.code in PROVEN,
        }
    scores = []
    for score in map(_fields, _fields(result)["scores"] if result else []):
        seat = score["seat"]
        scores.append(
            {
                "seat": seat,
                "name": charter.names[seat],
                "gold": score["gold"],
                "goods": list(map(_fields, score["goods"])),
                "crowns": list(map(_fields, score["crowns"])),
                "modules": _fields(score["modules"]),
                "total": score["total"],
                "wins": seat in _fields(result)["winners"],
            }
        )
    return {
        "verdict": word_,
        "game": charter.game.hex() if charter else None,
        "entries": len(messages) if charter else 0,
        "scores": scores,
        "fault": fault,
        **more,
    }


def undecided(data, error):
    """The object after a defect: it says nothing about the file, and names no seat."""
    charter_frame, messages, _ = read_file(data)
    try:
        charter = read_charter(charter_frame)
    except Exception:
        charter = None
    return verdict("undecided", charter, messages, Flaw(None, None, None, "DEFECT", repr(error)))


def sentence(report):
    """The verdict in words."""
    if report["verdict"] == "valid":
        scores = ", ".join(f"{s['name']} (seat {s['seat']}) {s['total']}" for s in report["scores"])
        winners = [s["seat"] for s in report["scores"] if s["wins"]]
        return f"valid: {scores}; winners {winners or 'none'}; not signed by {report['unsigned'] or 'nobody'}"
    if report["verdict"] == "unfinished":
        return f"unfinished: waits for seats {report['waits_for']}"
    if report["verdict"] == "undecided":
        return f"undecided: a defect of this program ({report['fault']['reason']})"
    fault = report["fault"]
    kind = "proven" if fault["proven"] else "a flaw of the file"
    place = f"entry {fault['entry']}, seat {fault['seat']}, number {fault['number']}"
    return f"refused: {fault['code']} at {place} ({kind}): {fault['reason']}"


def print_state(table, entry):
    """The digest of the public state behind an entry, as in games/*.json [Vectors]."""
    state = table.folder.game.public_state(table.folder.missing())
    print(entry.place, digest("state", *state).hex())


def main(arguments):
    paths = [a for a in arguments if a not in ("--json", "--states")]
    watch = print_state if "--states" in arguments else None
    if len(paths) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(paths[0], "rb") as file:
            data = file.read()
        report = audit(data, watch)
    except (OSError, NotSuchAFile) as error:
        print(f"not such a file, or not readable: {error}", file=sys.stderr)
        return 2
    except Exception as error:  # whatever else goes wrong is this program's own mistake [Table, Defects]
        report = undecided(data, error)
    print(json.dumps(report) if "--json" in arguments else sentence(report))
    return 0 if report["verdict"] == "valid" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
