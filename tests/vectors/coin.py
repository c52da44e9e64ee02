from collections.abc import Sequence

from protocol.codec import Value
from protocol.coin import commit_share, toss
from tests.vectors.notation import BYTES, ERRORS, TYPED, Case, VectorFile, prose, typed

DESCRIPTION = prose(
    """
    The joint coin. A case's `call` says what to do. `toss`: in `context`, each of `seats` commits to its share of
    `shares`, in the same order, with the commitment of `commitments` (commitment.json: context ["coin", `context`,
    seat], no bytes, the share as salt); when all are revealed, the toss of `sides` sides is `expected`: the digest coin
    (hashing.json) of [`context`, [shares]], read as a big-endian integer, modulo the sides. `reveal`: `share` must be
    refused: it does not open the `commitment` of `seat`.
    """
)
GAME = bytes(range(32))
HERE: tuple[Value, ...] = (GAME, 0, "first sheriff")
SHARES = tuple(bytes([number]) * 32 for number in range(1, 7))


def vectors() -> VectorFile:
    valid = [
        _valid("three seats", HERE, (0, 1, 2), 3),
        _valid("the same shares for another purpose", (GAME, 0, "deputies"), (0, 1, 2), 3),
        _valid("in another round", (GAME, 1, "first sheriff"), (0, 1, 2), 3),
        _valid("seat 1 is out: another toss", (*HERE, 1), (0, 2, 3), 3),
        _valid("six seats, thirty sides", (GAME, 4, "deputies"), range(6), 30),
        _valid("one side", HERE, (0, 1, 2), 1),
        _valid("as many sides as there may be", HERE, (0, 1, 2), 1 << 40),
    ]
    made = commit_share(HERE, 1, SHARES[0])
    refused = [
        ("another share", HERE, 1, SHARES[1]),
        ("a share of 31 bytes", HERE, 1, SHARES[0][:-1]),
        ("the commitment of another seat, copied", HERE, 0, SHARES[0]),
        ("the commitment of another toss", (*HERE, 2), 1, SHARES[0]),
    ]
    invalid: list[Case] = [
        {
            "comment": comment,
            "call": "reveal",
            "context": typed(context),
            "seat": seat,
            "share": share.hex(),
            "commitment": made.hex(),
            "error": "InvalidOpeningError",
        }
        for comment, context, seat, share in refused
    ]
    return VectorFile(" ".join((DESCRIPTION, TYPED, BYTES, ERRORS)), valid, invalid)


def _valid(comment: str, context: tuple[Value, ...], seats: Sequence[int], sides: int) -> Case:
    shares = SHARES[: len(seats)]
    return {
        "comment": comment,
        "call": "toss",
        "context": typed(context),
        "seats": list(seats),
        "shares": [share.hex() for share in shares],
        "commitments": [commit_share(context, seat, share).hex() for seat, share in zip(seats, shares, strict=True)],
        "sides": sides,
        "expected": toss(context, shares, sides),
    }
