"""MB: each of several hidden cards is one of its own set of cards (docs/protocol.md, MB).

A claim (X, K, S) says: X = kM for one card point M of the set S, with the one k for which K = kG. One proof covers any
number of claims, with any mix of keys and sets, and tells neither k nor which card it is. It is what a player proves to
show a kind or to deny one.

A card's index in its set is written as two digits in base b = ceil(sqrt |S|), and each digit as a row of b bits, one of
them set; the bits of all cards are one committed vector. A challenge x turns every bit into a linear polynomial, and
every pair of digits, which is a label, into a quadratic one with the leading coefficient 1 at the card and 0 elsewhere.
Weighted by lambda_i, the cards share a single sum over the union of their sets: this is what merging them saves.
"""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, chain, islice
from math import isqrt
from operator import add, mul
from typing import Final, NamedTuple, NoReturn

from protocol.cipher import set_digest
from protocol.errors import InvalidProofError, LocalError, MalformedError
from protocol.group import ELEMENT_BYTES, IDENTITY, SCALAR_BYTES, Element, Group, decode_scalar, encode_scalar
from protocol.hashing import ORDER, Oracle
from protocol.proofs.context import Context
from protocol.proofs.pedersen import com, generators, second_base
from protocol.randomness import Rng, hedged, scalars

_WEIGHT_BYTES: Final = 16
"""A false equation gets past a random weight of that length once in 2^128 times."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The statement: under the lock with this public key, the card is one of these."""

    card: Element
    """X = kM"""
    key: Element
    """K = kG"""
    among: tuple[Element, ...]
    """S: distinct card points, in an order that prover and verifier share."""

    def __post_init__(self) -> None:
        if not self.among:
            raise LocalError("no card is in the empty set")
        if len(set(self.among)) != len(self.among):
            raise LocalError("a set of cards names one of them twice")
        if IDENTITY in (self.card, self.key) or IDENTITY in self.among:
            raise LocalError("the identity is neither a card nor a key")


@dataclass(frozen=True, slots=True, repr=False)
class Opening:
    """What the prover of a claim knows."""

    k: int
    """The secret key of the lock."""
    index: int
    """The place of the card in its set, from 0."""


@dataclass(frozen=True, slots=True)
class MembershipProof:
    """One proof of several claims; what belongs to the keys is in the order in which the claims first name them."""

    masks: Element
    """A = com(a; rA)"""
    digits: Element
    """B = com(s; rB)"""
    cross_terms: Element
    """C: of the bit check, what x multiplies"""
    squares: Element
    """D: of the bit check, the rest"""
    constant: Element
    """G_0: of the sum over the labels, what is left without x"""
    linear: Element
    """G_1: of the sum over the labels, what x multiplies"""
    key_constants: tuple[Element, ...]
    """E_{kappa,0}"""
    key_linears: tuple[Element, ...]
    """E_{kappa,1}"""
    responses: tuple[int, ...]
    """f_j, without the first of each row: x minus the others"""
    opening: int
    """zA"""
    bit_opening: int
    """zC"""
    key_responses: tuple[int, ...]
    """z_kappa"""

    def to_bytes(self) -> bytes:
        """Returns all fields in their order: 6 + 2 keys points, then the scalars, 32 bytes each."""
        points = (self.masks, self.digits, self.cross_terms, self.squares, self.constant, self.linear)
        numbers = (*self.responses, self.opening, self.bit_opening, *self.key_responses)
        return b"".join(chain(points, self.key_constants, self.key_linears, map(encode_scalar, numbers)))

    @classmethod
    def from_bytes(cls, group: Group, data: bytes, claims: Sequence[Claim]) -> "MembershipProof":
        """Reads a received proof of these claims.

        Raises:
            MalformedError: Another length, a scalar that is not below q, or bytes that are no element of the group.
        """
        keys = len({claim.key for claim in claims})
        free = sum(2 * (_base(claim.among) - 1) for claim in claims)
        split = ELEMENT_BYTES * (6 + 2 * keys)
        size = split + SCALAR_BYTES * (free + 2 + keys)
        if len(data) != size:
            raise MalformedError(f"a proof of these {len(claims)} memberships has {size} bytes, not {len(data)}")
        numbers = [decode_scalar(data[i : i + SCALAR_BYTES]) for i in range(split, size, SCALAR_BYTES)]
        A, B, C, D, G_0, G_1, *E = group.decode_each(
            [data[i : i + ELEMENT_BYTES] for i in range(0, split, ELEMENT_BYTES)]
        )
        f, (zA, zC, *z) = numbers[:free], numbers[free:]
        return cls(A, B, C, D, G_0, G_1, tuple(E[:keys]), tuple(E[keys:]), tuple(f), zA, zC, tuple(z))


class Masks:
    """What can be done for a proof before its claims are known: masks of digits, each multiplied with its base.

    They serve one proof: two with the same masks would give digits and keys away.
    """

    __slots__ = ("_masks",)

    def __init__(self) -> None:
        """Starts with none."""
        self._masks: list[tuple[int, Element]] = []

    def __len__(self) -> int:
        """Returns for how many digits there are masks."""
        return len(self._masks)

    def prepare(self, group: Group, count: int, rng: Rng) -> None:
        """Makes that many more."""
        start = len(self._masks)
        r, h = scalars(rng, count), generators(group, start + count)[start:]
        self._masks += zip(r, map(group.mul, r, h), strict=True)

    def take(self, slots: int) -> list[tuple[int, Element]]:
        """Returns the masks of so many digits, if there are as many, and keeps none; else returns none."""
        if len(self._masks) < slots:
            return []
        taken, self._masks = self._masks, []
        return taken[:slots]

    def __reduce__(self) -> NoReturn:
        """Refuses to be copied or stored: both would allow a second use."""
        raise LocalError("masks are used once, by who made them: they can't be copied or stored")

    def __repr__(self) -> str:
        """Shows how many there are."""
        return f"Masks({len(self)} digits)"


class Drafted(NamedTuple):
    """What was done for one claim before its proof: masks of its digits, and the sums over its set (``draft``)."""

    a: tuple[int, ...]
    constant: Element
    """W_0 = sum of label_sums(1, a, a) M"""
    linear: Element
    """W_1 = sum of (label_sums(1, s, a) + label_sums(1, a, s)) M"""


def prove(
    group: Group,
    context: Context,
    claims: Sequence[Claim],
    openings: Sequence[Opening],
    rng: Rng,
    masks: Masks | None = None,
    drafts: Sequence[Drafted | None] = (),
) -> MembershipProof:
    """Proves all claims at once. A false claim gives a proof that fails.

    Which group operations are done, and in what order, depends on the claims, and on what was prepared for which of
    them, and never on an index: a coefficient that is zero is multiplied like any other. Masks that were prepared are
    used up, if they are enough; so are drafts, of which there is one for each claim, or none.

    Raises:
        LocalError: No claims, not one opening for each, an index outside its set, a zero key, two secrets for one key.
    """
    layout = Layout(claims)
    k, s = layout.secret_keys(openings), layout.bits(openings)
    oracle = _start(context, claims)
    known = (b"".join(map(encode_scalar, k)), tuple(opening.index for opening in openings))
    rng = hedged(rng, "MB", *known, oracle.bound)
    drafted = list(drafts) or [None] * len(claims)
    prepared = masks.take(layout.slots) if masks is not None and None in drafted else []
    a = layout.complete(layout.without_first([r for r, _ in prepared]) or scalars(rng, layout.free), 0)
    made = layout.put(a, drafted)
    rA, rB, rC, rD = scalars(rng, 4)
    rho_0, rho_1 = scalars(rng, len(k)), scalars(rng, len(k))

    h, H = generators(group, layout.slots), second_base(group)
    if prepared:
        # Of each row the first is minus the sum of the others, and could not be made before.
        late = made.union(accumulate(layout.rows[:-1], initial=0))
        terms = [group.mul(a[j], h[j]) if j in late else R for j, (_, R) in enumerate(prepared)]
        A = reduce(group.add, terms, group.mul_base(rA))
    else:
        A = com(group, a, rA)
    # com(s; rB) of bits: to add h_j or nothing, which costs the same, replaces the multiplication.
    B = reduce(group.add, [(IDENTITY, h_j)[s_j] for s_j, h_j in zip(s, h, strict=True)], group.mul_base(rB))
    y, lambdas = _bind_digits(oracle, layout, A, B)

    c = sum(y_j * a_j * (1 - 2 * s_j) for y_j, a_j, s_j in zip(y, a, s, strict=True))
    d = -sum(y_j * a_j * a_j for y_j, a_j in zip(y, a, strict=True))
    C = group.add(group.mul_base(rC), group.mul(c, H))
    D = group.add(group.mul_base(rD), group.mul(d, H))
    weights = [0 if draft else l_i for l_i, draft in zip(lambdas, drafted, strict=True)]
    p_0 = layout.label_sums(weights, a, a)
    p_1 = list(map(add, layout.label_sums(weights, s, a), layout.label_sums(weights, a, s)))
    sums = list[tuple[int, int, Element, Element]]()
    for i, (l_i, kappa, draft, opening) in enumerate(zip(lambdas, layout.kappa, drafted, openings, strict=True)):
        # The masks rho Xl_kappa: since X = kM and the prover knows which M, they cost no multiplications.
        masked = (rho_0[kappa] * l_i, rho_1[kappa] * l_i)
        if draft is None:
            place = layout.places[i][opening.index]
            p_0[place] += masked[0] * k[kappa]
            p_1[place] += masked[1] * k[kappa]
        else:
            sums += [(l_i, l_i, draft.constant, draft.linear), (*masked, claims[i].card, claims[i].card)]
    needed = sorted(
        {place for places, draft in zip(layout.places, drafted, strict=True) if not draft for place in places}
    )
    sums += [(p_0[place], p_1[place], layout.labels[place], layout.labels[place]) for place in needed]
    c_0, c_1, P_0, P_1 = zip(*sums, strict=True)
    G_0, G_1 = group.msm(c_0, P_0), group.msm(c_1, P_1)
    E_0, E_1 = (tuple(map(group.mul_base, map(mul, rho, k))) for rho in (rho_0, rho_1))
    x = _bind_sums(oracle, C, D, G_0, G_1, E_0, E_1)

    f = [(s_j * x + a_j) % ORDER for s_j, a_j in zip(s, a, strict=True)]
    zA, zC = (rA + x * rB) % ORDER, (x * rC + rD) % ORDER
    z = [(x * x * pow(k_j, -1, ORDER) - r_0 - x * r_1) % ORDER for k_j, r_0, r_1 in zip(k, rho_0, rho_1, strict=True)]
    return MembershipProof(A, B, C, D, G_0, G_1, E_0, E_1, layout.without_first(f), zA, zC, tuple(z))


def verify(group: Group, context: Context, claims: Sequence[Claim], proof: MembershipProof, rng: Rng) -> None:
    """Returns if every claim is true. The prover must not be able to predict ``rng``: it weighs the equations.

    Raises:
        InvalidProofError: One is not, or the proof belongs elsewhere.
        LocalError: No claims.
    """
    layout = Layout(claims)
    if len(proof.responses) != layout.free:
        raise InvalidProofError("as many responses as digits")
    if {len(proof.key_constants), len(proof.key_linears), len(proof.key_responses)} != {len(layout.keys)}:
        raise InvalidProofError("as many responses as keys")
    A, B, C, D, G_0, G_1 = proof.masks, proof.digits, proof.cross_terms, proof.squares, proof.constant, proof.linear
    E_0, E_1 = proof.key_constants, proof.key_linears
    zA, zC, z = proof.opening, proof.bit_opening, proof.key_responses
    oracle = _start(context, claims)
    y, lambdas = _bind_digits(oracle, layout, A, B)
    x = _bind_sums(oracle, C, D, G_0, G_1, E_0, E_1)
    f = layout.complete(proof.responses, x)
    e = sum(y_j * f_j * (x - f_j) for y_j, f_j in zip(y, f, strict=True))

    # The equation over the labels is solved for G_0; each of the others is added to it with a weight of its own.
    h, H = generators(group, layout.slots), second_base(group)
    u, v, *w = (int.from_bytes(rng(_WEIGHT_BYTES)) for _ in range(2 + len(z)))
    terms = [
        *zip(layout.label_sums(lambdas, f, f), layout.labels, strict=True),
        *((-z[kappa] * l_i, claim.card) for kappa, l_i, claim in zip(layout.kappa, lambdas, claims, strict=True)),
        (-x, G_1),
        *((u * f_j, h_j) for f_j, h_j in zip(f, h, strict=True)),
        (-u, A),
        (-u * x, B),
        (v * e, H),
        (-v * x, C),
        (-v, D),
        *((-w_j, E) for w_j, E in zip(w, E_0, strict=True)),
        *((-w_j * x, E) for w_j, E in zip(w, E_1, strict=True)),
        *((-w_j * z_j, K) for w_j, z_j, K in zip(w, z, layout.keys, strict=True)),
    ]
    total = group.msm([weight for weight, _ in terms], [P for _, P in terms])
    if group.add(group.mul_base(u * zA + v * zC + sum(w) * x * x), total) != G_0:
        raise InvalidProofError("membership equations")


class Layout:
    """How the claims share keys, labels and the vector of digits: known to both sides."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        if not claims:
            raise LocalError("a membership proof needs at least one claim")
        self.sizes = [len(claim.among) for claim in claims]
        self.bases = [_base(claim.among) for claim in claims]
        self.keys = tuple(dict.fromkeys(claim.key for claim in claims))
        self.kappa = [self.keys.index(claim.key) for claim in claims]
        """For each card, the number of its key."""
        sets = dict.fromkeys(claim.among for claim in claims)
        self.labels = tuple(dict.fromkeys(chain.from_iterable(sets)))
        """The union of all sets: a point that stands in several is one term of the sum."""
        numbers = {M: number for number, M in enumerate(self.labels)}
        folded = {among: _folded([numbers[M] for M in among]) for among in sets}
        self.places = [folded[claim.among] for claim in claims]
        """For each card, the number of the label for every pair of digits."""
        self.rows = [b for b in self.bases for _ in range(2)]
        """The length of each row of bits, two for each card: the lower digit, then the higher."""
        self.slots = sum(self.rows)
        """n"""
        self.free = self.slots - len(self.rows)
        """How many elements of a vector are free when the sum of each row is given."""

    def secret_keys(self, openings: Sequence[Opening]) -> list[int]:
        """Returns k_kappa for each key."""
        if len(openings) != len(self.kappa):
            raise LocalError(f"{len(self.kappa)} claims and {len(openings)} openings")
        pairs = {(kappa, opening.k % ORDER) for kappa, opening in zip(self.kappa, openings, strict=True)}
        if len(pairs) != len(self.keys):
            raise LocalError("two secrets for one key")
        k = [secret for _, secret in sorted(pairs)]
        if 0 in k:
            raise LocalError("a lock's key must not be zero")
        return k

    def bits(self, openings: Sequence[Opening]) -> list[int]:
        """Returns s: for each card the rows of its two digits."""
        s = []
        for b, size, opening in zip(self.bases, self.sizes, openings, strict=True):
            if not 0 <= opening.index < size:
                raise LocalError(f"an index that is not in its set of {size} cards")
            higher, lower = divmod(opening.index, b)
            s += [int(digit == lower) for digit in range(b)] + [int(digit == higher) for digit in range(b)]
        return s

    def complete(self, free: Iterable[int], total: int) -> list[int]:
        """Returns the vector that has these elements after the first of each row, and whose rows have that sum."""
        rest = iter(free)
        vector = []
        for length in self.rows:
            others = list(islice(rest, length - 1))
            vector += [(total - sum(others)) % ORDER, *others]
        return vector

    def without_first(self, vector: Sequence[int]) -> tuple[int, ...]:
        """Returns what ``complete`` makes the vector of."""
        rest = iter(vector)
        return tuple(chain.from_iterable(list(islice(rest, length))[1:] for length in self.rows))

    def put(self, vector: list[int], drafted: Sequence[Drafted | None]) -> set[int]:
        """Puts the masks of drafts into their places of the vector; returns which these are."""
        if len(drafted) != len(self.kappa):
            raise LocalError(f"{len(self.kappa)} claims and {len(drafted)} drafts")
        places = set[int]()
        for b, draft, end in zip(self.bases, drafted, accumulate(2 * b for b in self.bases), strict=True):
            if draft is not None:
                if len(draft.a) != 2 * b:
                    raise LocalError("this draft is for another set")
                vector[end - 2 * b : end] = draft.a
                places.update(range(end - 2 * b, end))
        return places

    def label_sums(self, weights: Sequence[int], lower: Sequence[int], higher: Sequence[int]) -> list[int]:
        """Returns for each label the sum of weight times lower times higher over all cards and digits that mean it."""
        sums = [0] * len(self.labels)
        end = 0
        for weight, b, places in zip(weights, self.bases, self.places, strict=True):
            start, middle, end = end, end + b, end + 2 * b
            weighted = [weight * digit % ORDER for digit in higher[middle:end]]
            products = [low * high for high in weighted for low in lower[start:middle]]
            for label, product in zip(places, products, strict=True):
                sums[label] += product
        return sums


def _base(among: Sized) -> int:
    """Returns b = ceil(sqrt |S|)."""
    return isqrt(len(among) - 1) + 1


def _folded(labels: list[int]) -> list[int]:
    """Returns the labels of all b^2 pairs of digits: those past the end mean the last card."""
    return labels + labels[-1:] * (_base(labels) ** 2 - len(labels))


def _start(context: Context, claims: Sequence[Claim]) -> Oracle:
    oracle = Oracle("MB", context.to_bytes())
    digests = {among: set_digest(among) for among in {claim.among for claim in claims}}
    oracle.absorb("claims", *((claim.card, claim.key, digests[claim.among]) for claim in claims))
    return oracle


def _bind_digits(oracle: Oracle, layout: Layout, A: Element, B: Element) -> tuple[list[int], list[int]]:
    """Returns y^1 .. y^n and the lambda_i: only now that claims and digits are fixed may the weights be known."""
    oracle.absorb("digits", A, B)
    y = oracle.scalar("y")
    powers = [y]
    for _ in range(layout.slots - 1):
        powers.append(powers[-1] * y % ORDER)
    return powers, oracle.scalars("lambda", len(layout.kappa))


def _bind_sums(
    oracle: Oracle, C: Element, D: Element, G_0: Element, G_1: Element, E_0: Sequence[Element], E_1: Sequence[Element]
) -> int:
    oracle.absorb("sums", C, D, G_0, G_1, tuple(E_0), tuple(E_1))
    return oracle.scalar("x")
