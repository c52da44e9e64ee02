"""What the vectors of all proofs have in common: their form, and how a proof or its place can be changed."""

from dataclasses import dataclass

from protocol.group import IDENTITY
from protocol.hashing import ORDER
from tests.protocol import edwards
from tests.protocol.contexts import ELSEWHERE
from tests.vectors.group import SMALL_ORDER
from tests.vectors.notation import BYTES, CHECKS, ERRORS, PROOFS, RANDOM, SCALARS, Case, context_fields, flipped

NOTES = " ".join((PROOFS, RANDOM, SCALARS, BYTES, ERRORS, CHECKS))


@dataclass(frozen=True, slots=True)
class Refused:
    """How a case must end."""

    error: str
    check: str = ""

    def fields(self) -> Case:
        return {"error": self.error, **({"check": self.check} if self.check else {})}


MALFORMED = Refused("MalformedError")


def accepted_case(comment: str, statement: Case, proof: bytes, witness: Case, seed: str) -> Case:
    return {"comment": comment, **statement, "proof": proof.hex(), **witness, "seed": seed}


def refused_case(comment: str, statement: Case, proof: bytes, outcome: Refused = MALFORMED) -> Case:
    return {"comment": comment, **statement, "proof": proof.hex(), **outcome.fields()}


def moved_cases(statement: Case, proof: bytes, outcome: Refused) -> list[Case]:
    """A good proof in every other place."""
    return [
        refused_case(f"moved to: {name}", {"context": context_fields(place), **statement}, proof, outcome)
        for name, place in ELSEWHERE.items()
    ]


def changed_cases(statement: Case, proof: bytes, points: int, outcome: Refused) -> list[Case]:
    """A good proof with changed bytes; it starts with that many elements, and scalars follow."""
    first, last = 32 * points, len(proof) - 32
    cases = {
        "empty": (b"", MALFORMED),
        "truncated by a byte": (proof[:-1], MALFORMED),
        "truncated by a scalar": (proof[:-32], MALFORMED),
        "extended by a byte": (proof + b"\0", MALFORMED),
        "extended by a scalar": (proof + bytes(32), MALFORMED),
        "the first scalar is q": (_with(proof, first, ORDER.to_bytes(32, "little")), MALFORMED),
        "the last scalar with q added": (_with(proof, last, _plus_order(proof[last:])), MALFORMED),
        "the highest bit of the last scalar flipped": (flipped(proof, 8 * len(proof) - 1), MALFORMED),
        "the lowest bit of the first scalar flipped": (flipped(proof, 8 * first), outcome),
        "the lowest bit of the last scalar flipped": (flipped(proof, 8 * last), outcome),
        "all scalars zero": (proof[:first] + bytes(len(proof) - first), outcome),
    }
    if points:
        small = edwards.decode(bytes.fromhex(SMALL_ORDER[8][0]))
        mixed = edwards.encode(edwards.add(edwards.decode(proof[:32]), small))
        not_canonical = (edwards.P + 1).to_bytes(32, "little")
        cases |= {
            "the first element is the identity": (_with(proof, 0, IDENTITY), MALFORMED),
            "the first element with a small-order part": (_with(proof, 0, mixed), MALFORMED),
            "the last element not canonical": (_with(proof, first - 32, not_canonical), MALFORMED),
            "the first element negated by its highest bit": (flipped(proof, 255), outcome),
            "the first two elements exchanged": (proof[32:64] + proof[:32] + proof[64:], outcome),
        }
    return [refused_case(f"proof: {name}", statement, data, result) for name, (data, result) in cases.items()]


def _with(proof: bytes, offset: int, part: bytes) -> bytes:
    return proof[:offset] + part + proof[offset + len(part) :]


def _plus_order(s: bytes) -> bytes:
    return (int.from_bytes(s, "little") + ORDER).to_bytes(32, "little")
