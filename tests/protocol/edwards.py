"""A second implementation of edwards25519, in affine coordinates straight from the curve equation."""

from protocol.group import Element

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
Q = 2**252 + 27742317777372353535851937790883648493

Point = tuple[int, int]
NEUTRAL: Point = (0, 1)


def add(a: Point, b: Point) -> Point:
    (x1, y1), (x2, y2) = a, b
    product = D * x1 * x2 * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P,
    )


def negate(a: Point) -> Point:
    return (-a[0] % P, a[1])


def mul(s: int, a: Point) -> Point:
    result = NEUTRAL
    while s:
        if s & 1:
            result = add(result, a)
        a = add(a, a)
        s >>= 1
    return result


def encode(a: Point) -> bytes:
    return (a[1] | (a[0] & 1) << 255).to_bytes(32, "little")


def forged(data: bytes) -> Element:
    """Returns what an attacker's own program takes for an element, past the check that all others come from."""
    return bytes.__new__(Element, data)


def decode(data: bytes) -> Point:
    """Raises ValueError for what is not the canonical encoding of a point of the curve; says nothing of its order."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or x * x % P != square or (x == 0 and sign):
        raise ValueError("not the canonical encoding of a point")
    return (x if x & 1 == sign else -x % P, y)


GENERATOR = decode(bytes.fromhex("58" + 31 * "66"))
