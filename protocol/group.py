"""The prime-order group: the main subgroup of edwards25519, in libsodium's implementation (docs/protocol.md, Group).

Scalars are integers modulo q. ``Group`` is small on purpose: another curve library, or a group that counts its
operations, implements six methods and gets the rest.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, Final, TypeAlias

from nacl import bindings
from nacl.exceptions import CryptoError

from protocol.codec import Value, encode
from protocol.elligator import hash_to_field, map_to_curve
from protocol.errors import LocalError, MalformedError, UnsafeLibraryError
from protocol.hashing import ORDER, PROTOCOL, sha512

ELEMENT_BYTES: Final = 32
SCALAR_BYTES: Final = 32

ParallelMap: TypeAlias = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""Like ``map``; a thread pool's ``map`` uses all cores, since the curve library releases the interpreter lock."""

_CHUNK, _CHUNKS = 16, 4
"""Terms per unit of parallel work: 2 ms at the most, easy to share out; and of a short list, so many units that four
cores have something to do, also if it is of two terms: one takes three times what it costs to hand it to a thread."""


class Element(bytes):
    """An element of the group: its canonical encoding. Only a ``Group`` makes them, so the type is the proof."""

    __slots__ = ()

    def __new__(cls, *_: object) -> "Element":
        """Refuses: bytes become an element by ``Group.decode``, which checks them.

        Raises:
            TypeError: Always.
        """
        raise TypeError("only a group makes elements: decode the bytes")

    def __deepcopy__(self, _: object) -> "Element":
        """Returns the element itself: it never changes."""
        return self

    def __repr__(self) -> str:
        """Shows the first bytes: enough to tell elements apart."""
        return f"Element({self[:4].hex()}...)"


def _element(checked: bytes) -> Element:
    """Makes an element of what a check, or arithmetic with elements, has shown to be one."""
    return bytes.__new__(Element, checked)


IDENTITY: Final = _element((1).to_bytes(ELEMENT_BYTES, "little"))
GENERATOR: Final = _element(bytes.fromhex("58" + 31 * "66"))
"""G, the base point of RFC 8032."""


class Group(ABC):
    """A group of prime order q in which nobody can tell (G, aG, bG, abG) from (G, aG, bG, cG)."""

    def __init__(self, parallel: ParallelMap = map) -> None:
        """Takes the ``map`` that long sums and long lists are computed with."""
        self.parallel = parallel
        self._made: tuple[frozenset[bytes], ...] = ()
        self._foreseen: tuple[int, int] | None = None
        self._products: dict[tuple[int, Element], Element] = {}

    @abstractmethod
    def mul(self, s: int, P: Element) -> Element:
        """Returns sP, for every s and P; a zero scalar costs what any other does."""

    @abstractmethod
    def mul_base(self, s: int) -> Element:
        """Returns sG."""

    @abstractmethod
    def add(self, P: Element, Q: Element) -> Element:
        """Returns P + Q."""

    @abstractmethod
    def sub(self, P: Element, Q: Element) -> Element:
        """Returns P - Q."""

    @abstractmethod
    def decode(self, data: bytes) -> Element:
        """Returns the element that 32 received bytes encode.

        Raises:
            MalformedError: Another length, a non-canonical encoding, no point of the curve, a point with a small-order
                part, or the identity, which is never a card, a key or part of a proof.
        """

    @abstractmethod
    def hash_to_group(self, tag: str, *fields: Value) -> Element:
        """Returns an element whose discrete logarithm to any other nobody knows."""

    def decode_times(self, s: int, data: bytes) -> tuple[Element, Element]:
        """Returns the element that received bytes encode, and s times it; a library may do both at once.

        Raises:
            MalformedError: As ``decode``.
        """
        P = self.decode(data)
        return P, self.mul(s, P)

    def foresee(self, s: int, count: int) -> None:
        """Takes note that the next list read, if it is of that many elements, will be multiplied by s.

        It is checked and multiplied at once then. Nobody learns of it: s is a lock that is used for that list or never.
        """
        self._foreseen, self._products = (s, count), {}

    def mul_each(self, s: int, points: Sequence[Element]) -> list[Element]:
        """Returns sP for every P."""
        products, self._products = self._products, {}
        if products and all((s, P) in products for P in points):
            return [products[s, P] for P in points]

        def part(chunk: Sequence[Element]) -> list[Element]:
            return [self.mul(s, P) for P in chunk]

        return [P for chunk in self._share(part, points) for P in chunk]

    def vouch_for(self, made: Sequence[Element]) -> None:
        """Takes note of a list that was made here and is about to be shown: read again, it need not be checked."""
        self._made = (*self._made[-1:], frozenset(made))

    def decode_each(self, pieces: Sequence[bytes]) -> list[Element]:
        """Returns the elements that received pieces of 32 bytes encode.

        Raises:
            MalformedError: One of them encodes none.
        """
        if any(made.issuperset(pieces) for made in self._made):
            return [_element(piece) for piece in pieces]
        if self._foreseen is not None and self._foreseen[1] == len(pieces):
            return self._decode_foreseen(self._foreseen[0], pieces)

        def part(chunk: Sequence[bytes]) -> list[Element]:
            return [self.decode(piece) for piece in chunk]

        return [P for chunk in self._share(part, pieces) for P in chunk]

    def _decode_foreseen(self, s: int, pieces: Sequence[bytes]) -> list[Element]:
        self._foreseen = None

        def part(chunk: Sequence[bytes]) -> list[tuple[Element, Element]]:
            return [self.decode_times(s, piece) for piece in chunk]

        pairs = [pair for chunk in self._share(part, pieces) for pair in chunk]
        self._products = {(s, P): product for P, product in pairs}
        return [P for P, _ in pairs]

    def msm(self, scalars: Sequence[int], points: Sequence[Element]) -> Element:
        """Returns the sum of all s_i P_i: n multiplications and n - 1 additions, whatever the scalars are."""

        def part(chunk: Sequence[tuple[int, Element]]) -> Element:
            return reduce(self.add, [self.mul(s, P) for s, P in chunk])

        terms = list(zip(scalars, points, strict=True))
        if not terms:
            raise LocalError("a sum needs at least one term")
        partial_sums: Iterable[Element] = self._share(part, terms)
        return reduce(self.add, partial_sums)

    def _share(self, work: Callable[[Any], Any], items: Sequence[Any]) -> Iterable[Any]:
        """Does the work chunk by chunk, in parallel where there are several: handing over a single one only costs."""
        chunks = _chunks(items)
        return self.parallel(work, chunks) if len(chunks) > 1 else map(work, chunks)


class Edwards25519(Group):
    """The group in libsodium's implementation. Making one runs the self-test of its point check."""

    def __init__(self, parallel: ParallelMap = map) -> None:
        """Takes the ``map`` for long sums.

        Raises:
            UnsafeLibraryError: The library accepts points that it must refuse.
        """
        super().__init__(parallel)
        _self_test()

    def mul(self, s: int, P: Element) -> Element:
        """Returns sP."""
        s %= ORDER
        if s == 0 or P == IDENTITY:
            # The library refuses both. The work is done all the same: that a coefficient is zero can be a secret.
            bindings.crypto_scalarmult_ed25519_noclamp(_ONE, GENERATOR)
            return IDENTITY
        return _element(bindings.crypto_scalarmult_ed25519_noclamp(s.to_bytes(32, "little"), P))

    def mul_base(self, s: int) -> Element:
        """Returns sG."""
        s %= ORDER
        if s == 0:
            bindings.crypto_scalarmult_ed25519_base_noclamp(_ONE)
            return IDENTITY
        return _element(bindings.crypto_scalarmult_ed25519_base_noclamp(s.to_bytes(32, "little")))

    def add(self, P: Element, Q: Element) -> Element:
        """Returns P + Q."""
        return _element(bindings.crypto_core_ed25519_add(P, Q))

    def sub(self, P: Element, Q: Element) -> Element:
        """Returns P - Q."""
        return _element(bindings.crypto_core_ed25519_sub(P, Q))

    def decode(self, data: bytes) -> Element:
        """Returns the element that 32 received bytes encode."""
        if len(data) != ELEMENT_BYTES:
            raise MalformedError(f"a group element has {ELEMENT_BYTES} bytes, not {len(data)}")
        if not bindings.crypto_core_ed25519_is_valid_point(bytes(data)):
            raise MalformedError("not the canonical encoding of an element of the prime-order group, or the identity")
        return _element(data)

    def decode_times(self, s: int, data: bytes) -> tuple[Element, Element]:
        """Returns both at the price of the multiplication: the library checks what it multiplies as ``decode`` does."""
        try:
            return _element(data), _element(bindings.crypto_scalarmult_ed25519_noclamp(encode_scalar(s), data))
        except (CryptoError, TypeError):  # Either it is no element, which ``decode`` says, or s is zero.
            return super().decode_times(s, data)

    def hash_to_group(self, tag: str, *fields: Value) -> Element:
        """Returns hash_to_curve of RFC 9380 of the encoded fields; protocol and tag are the domain."""
        return hash_to_curve(encode(fields), f"{PROTOCOL}/{tag}/edwards25519_XMD:SHA-512_ELL2_RO_".encode())


def hash_to_curve(message: bytes, domain: bytes) -> Element:
    """Returns hash_to_curve of RFC 9380, suite edwards25519_XMD:SHA-512_ELL2_RO_."""
    u0, u1 = hash_to_field(message, domain)
    R = bindings.crypto_core_ed25519_add(map_to_curve(u0), map_to_curve(u1))
    # Clears the cofactor, 8. The library multiplies elements of the prime-order group only, but adds any two points.
    for _ in range(3):
        R = bindings.crypto_core_ed25519_add(R, R)
    return _element(R)


def hash_secret_to_group(tag: str, *fields: Value) -> Element:
    """Returns an element whose discrete logarithm nobody knows, in constant time: the fields may be secret.

    The curve library's map reaches half of the group, so two of its elements are added.
    """
    uniform = sha512(encode((PROTOCOL, tag, fields)))
    halves = [bindings.crypto_core_ed25519_from_uniform(half) for half in (uniform[:32], uniform[32:])]
    return _element(bindings.crypto_core_ed25519_add(*halves))


def encode_scalar(s: int) -> bytes:
    """Returns the 32 bytes, little-endian, of a scalar."""
    return (s % ORDER).to_bytes(SCALAR_BYTES, "little")


def decode_scalar(data: bytes) -> int:
    """Returns the scalar that 32 received bytes encode.

    Raises:
        MalformedError: Another length, or not below q.
    """
    if len(data) != SCALAR_BYTES:
        raise MalformedError(f"a scalar has {SCALAR_BYTES} bytes, not {len(data)}")
    s = int.from_bytes(data, "little")
    if s >= ORDER:
        raise MalformedError("a scalar that is not below the order of the group")
    return s


def _chunks(items: Sequence[Any]) -> list[Sequence[Any]]:
    size = min(_CHUNK, -(-len(items) // _CHUNKS))
    return [items[i : i + size] for i in range(0, len(items), size)] if items else []


_ONE: Final = (1).to_bytes(SCALAR_BYTES, "little")
_ORDER_TWO: Final = ((1 << 255) - 20).to_bytes(32, "little")
"""The point (0, -1), of order two."""


def _self_test() -> None:
    # G + (0, -1) is on the curve, outside the subgroup. Older libraries accept such points (CVE-2025-69277).
    mixed = bindings.crypto_core_ed25519_add(GENERATOR, _ORDER_TWO)
    accepted = [point for point in (mixed, _ORDER_TWO, IDENTITY) if bindings.crypto_core_ed25519_is_valid_point(point)]
    multiplied = [point for point in (mixed, _ORDER_TWO, IDENTITY) if _is_multiplied(point)]
    if accepted or multiplied or not bindings.crypto_core_ed25519_is_valid_point(GENERATOR):
        raise UnsafeLibraryError("the installed PyNaCl checks points wrongly: install version 1.6.2 or newer")


def _is_multiplied(point: bytes) -> bool:
    try:
        bindings.crypto_scalarmult_ed25519_noclamp(_ONE, point)
    except CryptoError:
        return False
    return True
