"""SH: a list of cards was locked and permuted, and nobody learns how (docs/protocol.md, SH).

A statement SH(A, B; C -> D) says: D_j = k C_pi(j) for some permutation pi, with the one k for which B = kA. A = G and
B = K where a lock is put on; A = K_old and B = K_new where one is replaced. The proof is that of Bayer and Groth with
one row, in the form for locks: the prover commits to pi, a product shows that it is a permutation, and one sum over all
cards that the outputs follow it. The argument needs two cards; one is re-locked with EQ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import Final, NamedTuple, NoReturn

from protocol.cipher import Lock
from protocol.errors import AlreadyUsedError, InvalidProofError, LocalError, MalformedError
from protocol.group import ELEMENT_BYTES, IDENTITY, SCALAR_BYTES, Element, Group, decode_scalar, encode_scalar
from protocol.hashing import ORDER, Oracle
from protocol.proofs.context import Context
from protocol.proofs.pedersen import com, generators
from protocol.randomness import Rng, below, permutation, scalars

_COMMITMENTS: Final = 8
_CLOSING: Final = 4
_WEIGHT_BOUND: Final = 1 << 128
"""A false equation passes the merged check with probability 2^-128."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The statement SH(A, B; C -> D)."""

    base: Element
    """A"""
    image: Element
    """B = kA"""
    inputs: tuple[Element, ...]
    """C_1 .. C_N"""
    outputs: tuple[Element, ...]
    """D_1 .. D_N, where D_j = k C_pi(j)"""

    def __post_init__(self) -> None:
        _need_two(len(self.inputs))


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """A proof for N cards: 8 elements and 3N + 2 scalars."""

    commitments: tuple[Element, ...]
    """P, Q, T_Q, T_D, T_B, T_f, E_0, E_1"""
    coefficients: tuple[int, ...]
    """s_1 .. s_N, the masked coefficients of the outputs"""
    factors: tuple[int, ...]
    """f_1 .. f_N, the masked factors of the product"""
    products: tuple[int, ...]
    """g_2 .. g_{N-1}, the masked partial products"""
    closing: tuple[int, ...]
    """s_q, s_k, s_f, s_e"""

    def to_bytes(self) -> bytes:
        """Returns 32 (3N + 10) bytes: all elements, then all scalars, in the order of the fields."""
        s = (*self.coefficients, *self.factors, *self.products, *self.closing)
        return b"".join((*self.commitments, *map(encode_scalar, s)))

    @classmethod
    def from_bytes(cls, group: Group, data: bytes, count: int) -> "ShuffleProof":
        """Reads a received proof for that many cards.

        Raises:
            MalformedError: Another length, something that is no element of the group, or a scalar that is not below q.
        """
        _need_two(count)
        start = _COMMITMENTS * ELEMENT_BYTES
        end = start + SCALAR_BYTES * (3 * count - 2 + _CLOSING)
        if len(data) != end:
            raise MalformedError(f"a proof of a shuffle of {count} cards has {end} bytes, not {len(data)}")
        s = tuple(decode_scalar(data[i : i + SCALAR_BYTES]) for i in range(start, end, SCALAR_BYTES))
        commitments = tuple(group.decode_each([data[i : i + ELEMENT_BYTES] for i in range(0, start, ELEMENT_BYTES)]))
        f, g, last = count, 2 * count, 3 * count - 2
        return cls(commitments, s[:f], s[f:g], s[g:last], s[last:])


@dataclass(frozen=True, slots=True, repr=False)
class _Masks:
    """All randomness of one proof, and the commitments that depend on nothing else."""

    w: list[int]
    d: list[int]
    delta: list[int]
    r_p: int
    r_q: int
    w_q: int
    w_k: int
    w_f: int
    r_0: int
    r_1: int
    P: Element
    T_Q: Element
    T_f: Element
    E_0: Element


class Preparation:
    """What can be done for a shuffle before its cards are known: a secret permutation, and the masks of its proof.

    It serves one shuffle and its proof. Two proofs with the same masks would give the key away, and what is opened in
    one list would tell the same place of another that was put into the same secret order.
    """

    __slots__ = ("_masks", "_turn", "order")

    def __init__(self, order: tuple[int, ...], masks: _Masks) -> None:
        """Holds what ``prepare`` drew."""
        self.order = order
        """The secret pi, counted from 0: output j is input ``order[j]``, locked."""
        # Taking the last item off a list is atomic: of two threads that try, one gets nothing.
        self._turn = [order]
        self._masks = [masks]

    def _take_order(self) -> tuple[int, ...]:
        try:
            return self._turn.pop()
        except IndexError:
            raise AlreadyUsedError("this preparation has shuffled a list already: prepare another") from None

    def _take_masks(self) -> _Masks:
        try:
            return self._masks.pop()
        except IndexError:
            raise AlreadyUsedError("this preparation has served a proof already: prepare another") from None

    def __reduce__(self) -> NoReturn:
        """Refuses to be copied or stored: both would allow a second use."""
        raise LocalError("a preparation is used once, by who made it: it can't be copied or stored")

    def __repr__(self) -> str:
        """Shows the number of cards alone."""
        return f"Preparation({len(self.order)} cards)"


def prepare(group: Group, count: int, rng: Rng, order: Sequence[int] | None = None) -> Preparation:
    """Makes ready for a shuffle of that many cards: into a uniformly random order, or into one of the player's choice.

    Args:
        group: Where the cards are.
        count: How many cards.
        rng: The source of the permutation and of all masks.
        order: Which input, counted from 0, becomes output 0, 1, ..; by default at random.

    Raises:
        LocalError: Fewer than two cards, or ``order`` does not name every card once.
    """
    _need_two(count)
    pi = permutation(rng, count) if order is None else tuple(order)
    if sorted(pi) != list(range(count)):
        raise LocalError(f"an order of {count} cards names each of 0 .. {count - 1} once")
    w, d = scalars(rng, count), scalars(rng, count)
    delta = [d[0], *scalars(rng, count - 2), 0]
    r_p, r_q, w_q, w_k, w_f, r_0, r_1 = scalars(rng, 7)
    P = com(group, [i + 1 for i in pi], r_p)
    T_Q = com(group, w, w_q)
    T_f = com(group, d, w_f)
    E_0 = com(group, [-delta[j] * d[j + 1] for j in range(count - 1)] + [0], r_0)
    return Preparation(pi, _Masks(w, d, delta, r_p, r_q, w_q, w_k, w_f, r_0, r_1, P, T_Q, T_f, E_0))


def prepare_again(group: Group, lock: Lock, statement: Shuffle, rng: Rng) -> Preparation:
    """Makes ready for the proof of an own shuffle whose preparation is lost: k tells the order, the masks are fresh.

    Raises:
        LocalError: The lock is not the one with which these cards were shuffled.
    """
    places = {card: place for place, card in enumerate(lock.close(group, statement.inputs))}
    if set(places) != set(statement.outputs):
        raise LocalError("these cards were not shuffled with this lock")
    preparation = prepare(group, len(statement.inputs), rng, [places[card] for card in statement.outputs])
    preparation._take_order()
    return preparation


def shuffle(group: Group, preparation: Preparation, lock: Lock, cards: Sequence[Element]) -> Shuffle:
    """Puts the cards into the prepared order and the lock on each; returns the statement with the new list.

    Raises:
        AlreadyUsedError: The preparation has shuffled another list.
        LocalError: It was made for another number of cards.
    """
    _need_fit(preparation, len(cards))
    pi = preparation._take_order()
    return Shuffle(lock.base, lock.public, tuple(cards), tuple(lock.close(group, [cards[i] for i in pi])))


def prove(group: Group, context: Context, statement: Shuffle, secret: int, preparation: Preparation) -> ShuffleProof:
    """Proves what ``shuffle`` did with this preparation, which holds all randomness; ``secret`` is the lock's k.

    Raises:
        AlreadyUsedError: The preparation has served another proof.
        LocalError: It was made for another number of cards, or no verifier would accept such a list.
    """
    A, C, N = statement.base, statement.inputs, len(statement.inputs)
    _need_fit(preparation, N)
    if fault := _fault(statement):
        raise LocalError(f"this shuffle can't be proved, it fails at: {fault}")
    pi, k, m = preparation.order, secret, preparation._take_masks()
    w, d, delta = m.w, m.d, m.delta

    oracle, u = _start(context, statement, m.P)
    u_pi = [u[i] for i in pi]
    Q = com(group, u_pi, m.r_q)
    y, z = _challenge_product(oracle, Q)
    a = [(y * (i + 1) + u_i - z) % ORDER for i, u_i in zip(pi, u_pi, strict=True)]
    b = list(accumulate(a, lambda product, a_j: product * a_j % ORDER))
    E_1 = com(group, [delta[j + 1] - a[j + 1] * delta[j] - b[j] * d[j + 1] for j in range(N - 1)] + [0], m.r_1)
    # sum w_j D_j - w_k U, with D_j = k C_pi(j) and U = sum u_i C_i: one sum over the inputs instead of two.
    t = [-m.w_k * u_i for u_i in u]
    for i, w_j in zip(pi, w, strict=True):
        t[i] += k * w_j
    T_D = group.msm(t, C)
    T_B = group.mul(m.w_k, A)
    c = _challenge(oracle, (m.T_Q, T_D, T_B, m.T_f, m.E_0, E_1))

    return ShuffleProof(
        commitments=(m.P, Q, m.T_Q, T_D, T_B, m.T_f, m.E_0, E_1),
        coefficients=tuple((w_j + c * u_j) % ORDER for w_j, u_j in zip(w, u_pi, strict=True)),
        factors=tuple((d_j + c * a_j) % ORDER for d_j, a_j in zip(d, a, strict=True)),
        products=tuple((delta[j] + c * b[j]) % ORDER for j in range(1, N - 1)),
        closing=(
            (m.w_q + c * m.r_q) % ORDER,
            (m.w_k + c * k) % ORDER,
            (m.w_f + c * (y * m.r_p + m.r_q)) % ORDER,
            (m.r_0 + c * m.r_1) % ORDER,
        ),
    )


class Attested(NamedTuple):
    """A statement, the proof that is given for it, and the place where it is given."""

    context: Context
    statement: Shuffle
    proof: ShuffleProof


class FalseLinkError(InvalidProofError):
    """Of several proofs one does not hold: ``index`` says which."""

    def __init__(self, index: int, check: str) -> None:
        """Names the first one that fails, and where it does."""
        super().__init__(check)
        self.index = index


def verify(group: Group, context: Context, statement: Shuffle, proof: ShuffleProof, rng: Rng) -> None:
    """Returns if the statement is true. ``rng`` is the verifier's own: the weights of the equations come from it.

    Raises:
        InvalidProofError: It is not, or the proof belongs elsewhere.
    """
    _verify_sum(group, (Attested(context, statement, proof),), rng)


def verify_chain(group: Group, links: Sequence[Attested], rng: Rng) -> None:
    """Returns if all statements are true, at the price of one sum: see *Verify a chain*.

    Shuffles of one deck have the bases h_j in common, and one's outputs are the next one's inputs. Only if the sum
    fails are they looked at one by one.

    Raises:
        FalseLinkError: The first one that is not true, or whose proof belongs elsewhere.
    """
    try:
        _verify_sum(group, links, rng)
    except InvalidProofError:
        for index, link in enumerate(links):
            try:
                verify(group, *link, rng)
            except InvalidProofError as error:
                raise FalseLinkError(index, error.check) from error


def _verify_sum(group: Group, links: Sequence[Attested], rng: Rng) -> None:
    """Checks the equations of all links as one sum: each in the form "sum = 0", and times a weight of its own."""
    bases: list[int] = []
    lists: dict[tuple[Element, ...], list[int]] = {}
    others: list[tuple[int, Element]] = []
    base = 0
    for link in links:
        terms = _terms(link, rng)
        bases = _added(bases, terms.bases)
        for cards, coefficients in ((link.statement.outputs, terms.outputs), (link.statement.inputs, terms.inputs)):
            lists[cards] = _added(lists.get(cards, []), coefficients)
        others += terms.others
        base += terms.base
    coefficients = [*bases, *(c for column in lists.values() for c in column), *(c for c, _ in others)]
    points = [*generators(group, len(bases)), *(P for cards in lists for P in cards), *(P for _, P in others)]
    if links and group.msm(coefficients, points) != group.mul_base(-base):
        raise InvalidProofError("shuffle equations")


@dataclass(frozen=True, slots=True)
class _Terms:
    """The coefficients of one proof's five equations in the sum that must be zero."""

    bases: list[int]
    """Of h_1 .. h_N."""
    outputs: list[int]
    inputs: list[int]
    others: list[tuple[int, Element]]
    """Of A, B and the eight elements of the proof."""
    base: int
    """Of G."""


def _terms(link: Attested, rng: Rng) -> _Terms:
    """Returns what one proof adds to the sum, after all that can be checked without a group operation.

    Raises:
        InvalidProofError: It can't hold.
    """
    statement, proof = link.statement, link.proof
    N = len(statement.inputs)
    if fault := _fault(statement):
        raise InvalidProofError(fault)
    s, f = proof.coefficients, proof.factors
    shape = (len(proof.commitments), len(s), len(f), len(proof.products), len(proof.closing))
    if shape != (_COMMITMENTS, N, N, N - 2, _CLOSING):
        raise InvalidProofError("a proof for as many cards")
    P, Q, T_Q, T_D, T_B, T_f, E_0, E_1 = proof.commitments
    s_q, s_k, s_f, s_e = proof.closing

    oracle, u = _start(link.context, statement, P)
    y, z = _challenge_product(oracle, Q)
    c = _challenge(oracle, (T_Q, T_D, T_B, T_f, E_0, E_1))
    b = 1
    for i, u_i in enumerate(u, start=1):
        b = b * (y * i + u_i - z) % ORDER
    g = (f[0], *proof.products, c * b % ORDER)
    e = [c * g[j + 1] - g[j] * f[j + 1] for j in range(N - 1)] + [0]

    v1, v2, v3, v4, v5 = (below(rng, _WEIGHT_BOUND) for _ in range(5))
    cz, s_u = v4 * c * z % ORDER, v2 * s_k % ORDER
    return _Terms(
        bases=[v1 * s_j + v4 * f_j + v5 * e_j + cz for s_j, f_j, e_j in zip(s, f, e, strict=True)],
        outputs=[v2 * s_j for s_j in s],
        inputs=[-s_u * u_i for u_i in u],
        others=[
            *((v3 * s_k, statement.base), (-v3 * c, statement.image), (-v4 * c * y, P), (-(v1 + v4) * c, Q)),
            *((-v1, T_Q), (-v2, T_D), (-v3, T_B), (-v4, T_f), (-v5, E_0), (-v5 * c, E_1)),
        ],
        base=v1 * s_q + v4 * s_f + v5 * s_e,
    )


def _added(some: Sequence[int], more: Sequence[int]) -> list[int]:
    """Returns the sums of two columns, of which one may be shorter."""
    return [a + b for a, b in zip_longest(some, more, fillvalue=0)]


def _start(context: Context, statement: Shuffle, P: Element) -> tuple[Oracle, list[int]]:
    """Binds the lists and the permutation before any u_i: a prover who knew them could choose cards that cancel."""
    oracle = Oracle("SH", context.to_bytes())
    oracle.absorb("statement", statement.base, statement.image, statement.inputs, statement.outputs)
    oracle.absorb("P", P)
    return oracle, oracle.scalars("u", len(statement.inputs))


def _challenge_product(oracle: Oracle, Q: Element) -> tuple[int, int]:
    oracle.absorb("Q", Q)
    return oracle.scalar("y"), oracle.scalar("z")


def _challenge(oracle: Oracle, T: Sequence[Element]) -> int:
    oracle.absorb("T", *T)
    return oracle.scalar("c")


def _need_two(count: int) -> None:
    if count < 2:
        raise LocalError(f"a shuffle has two cards or more, not {count}: re-lock one with EQ; none needs no proof")


def _need_fit(preparation: Preparation, count: int) -> None:
    if len(preparation.order) != count:
        raise LocalError(f"this preparation is for {len(preparation.order)} cards, not for {count}")


def _fault(statement: Shuffle) -> str | None:
    """Returns the first condition that a list must meet, and this one does not; no group operation is needed for it."""
    C, D = statement.inputs, statement.outputs
    if len(C) != len(D):
        return "as many outputs as inputs"
    if IDENTITY in (statement.base, statement.image, *C, *D):
        return "no identity among keys and cards"
    if len(set(D)) != len(D):
        return "outputs pairwise distinct"
    return None
