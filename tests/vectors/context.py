from dataclasses import astuple, replace

from protocol.codec import encode
from protocol.hashing import PROTOCOL, sha512
from protocol.proofs.context import Context
from tests.protocol.contexts import ELSEWHERE, HERE
from tests.vectors.notation import BYTES, ERRORS, TYPED, Case, VectorFile, context_fields, prose

DESCRIPTION = prose(
    f"""
    The context that a proof is bound to. Its digest `expected` is that of hashing.json with the tag context: the first
    32 bytes of SHA-512 of `encoded`, which is the encoding (codec.json) of ["{PROTOCOL}", "context", [game, roster,
    deck, generation, seat, step, sequence, previous, operation, index, handles]]. game, roster and previous are bytes,
    written as hex without a mark; deck and operation are text, handles is an array of integers, the others are
    integers. No two digests in this file are equal.
    """
)


def vectors() -> VectorFile:
    places = {
        "a place": HERE,
        **ELSEWHERE,
        "no handles": replace(HERE, handles=()),
        "the largest numbers": replace(HERE, generation=2**64 - 1, sequence=2**64 - 1),
        "the first entry of a chain": replace(HERE, sequence=0, previous=bytes(32)),
    }
    valid = [_case(comment, context) for comment, context in places.items()]
    invalid: list[Case] = [
        {"comment": comment, "context": context_fields(context), "error": "LocalError"}
        for comment, context in (
            ("a sequence number that has no encoding", replace(HERE, sequence=2**64)),
            ("a handle that has no encoding", replace(HERE, handles=(7, 2**64))),
        )
    ]
    return VectorFile(" ".join((DESCRIPTION, TYPED, BYTES, ERRORS)), valid, invalid)


def _case(comment: str, context: Context) -> Case:
    encoded = encode((PROTOCOL, "context", astuple(context)))
    return {
        "comment": comment,
        "context": context_fields(context),
        "encoded": encoded.hex(),
        "expected": sha512(encoded)[:32].hex(),
    }
