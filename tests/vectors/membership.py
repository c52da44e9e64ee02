from collections.abc import Sequence
from dataclasses import replace

from protocol.cipher import Lock, card_points
from protocol.group import GENERATOR, IDENTITY, Edwards25519, Element, decode_scalar, encode_scalar
from protocol.proofs.membership import Claim, Opening, prove
from tests.drbg import Drbg
from tests.protocol import edwards
from tests.protocol.contexts import HERE
from tests.vectors.group import SMALL_ORDER, mixed_with
from tests.vectors.notation import Case, Json, VectorFile, hexes, prose, scalar
from tests.vectors.proofs import MALFORMED, NOTES, Refused, accepted_case, changed_cases, moved_cases, refused_case

DESCRIPTION = prose(
    """
    MB, membership: for each of the `claims` there is one k with key = k G and card = k M for one M of the ordered list
    among. One `proof` shows all claims of a case. It is the elements A, B, C, D, G_0, G_1, then E_{kappa,0} of all keys
    and E_{kappa,1} of all keys, in the order in which the claims first name the keys, then the scalars f_j without the
    first of each row, zA, zC, and z_kappa of all keys. The witness is `openings`: for each claim k, and the index of
    the card in its list, from 0. A verifier that merges the equations takes the weights from its own randomness. Where
    a comment says that only one equation fails, all others hold: a verifier that leaves it out accepts the case. They
    are those of the digits (zA), the bits (zC), the labels (the sum over all cards) and the key (one for each).
    """
)
WRONG = Refused("InvalidProofError", "membership equations")
LOCAL = Refused("LocalError")

Hidden = tuple[Claim, Opening]

group = Edwards25519()
deck = card_points(group, "goods", 60)
lock, other = Lock(group, 3**150), Lock(group, 5**100)


def vectors() -> VectorFile:
    two_keys = [hidden(lock, deck[:3], 1), hidden(other, deck[3:5], 0)]
    claims = [claim for claim, _ in two_keys]
    proof = proved("changed", two_keys)
    alone = hidden(lock, deck[:3], 1)
    invalid = [
        *false_claims(),
        *single_equations(),
        *other_claims(claims, proof),
        *moved_cases(written([alone[0]]), proved("moved", [alone]), WRONG),
        *changed_cases(written(claims), proof, 10, WRONG),
        *malformed_claims(),
    ]
    return VectorFile(f"{DESCRIPTION} {NOTES}", valid_cases(), invalid, context=HERE)


def hidden(lock: Lock, among: tuple[Element, ...], index: int) -> Hidden:
    return Claim(group.mul(lock.k, among[index]), lock.public, among), Opening(lock.k, index)


def seed(name: str) -> str:
    return f"trustless-table vectors/membership/{name}"


def proved(name: str, pairs: Sequence[Hidden]) -> bytes:
    claims, openings = [claim for claim, _ in pairs], [opening for _, opening in pairs]
    return prove(group, HERE, claims, openings, Drbg(seed(name))).to_bytes()


def written(claims: Sequence[Claim]) -> Case:
    return {"claims": [row(claim) for claim in claims]}


def row(claim: Claim) -> Case:
    return {"card": claim.card.hex(), "key": claim.key.hex(), "among": hexes(claim.among)}


def valid_cases() -> list[Case]:
    five, kind = deck[:5], deck[:48]
    batches = {
        "a set of one": [hidden(lock, deck[7:8], 0)],
        "a set of two, the first": [hidden(lock, deck[:2], 0)],
        "a set of two, the second": [hidden(lock, deck[:2], 1)],
        "a set of five, the first": [hidden(lock, five, 0)],
        "a set of five, the last: indices past the end mean it too": [hidden(lock, five, 4)],
        "a set of nine, full: the middle": [hidden(lock, deck[:9], 4)],
        "a set in another order than the deck": [hidden(lock, five[::-1], 1)],
        "a set of 48": [hidden(lock, kind, 29)],
        "two cards of one set under one key": [hidden(lock, five, 2), hidden(lock, five, 3)],
        "the same claim twice": [hidden(lock, five, 2), hidden(lock, five, 2)],
        "two keys merged, with sets of 1, 2, 5 and 48 that overlap": [
            hidden(lock, five, 3),
            hidden(other, kind, 47),
            hidden(other, deck[50:51], 0),
            hidden(lock, deck[4:6], 1),
        ],
    }
    return [
        accepted_case(
            comment,
            written([claim for claim, _ in pairs]),
            proved(comment, pairs),
            {"openings": [{"k": scalar(opening.k), "index": opening.index} for _, opening in pairs]},
            seed(comment),
        )
        for comment, pairs in batches.items()
    ]


def lied(comment: str, *pairs: Hidden) -> Case:
    """A cheat proves false claims with the honest procedure."""
    return refused_case(comment, written([claim for claim, _ in pairs]), proved(comment, pairs), WRONG)


def claimed(card: Element, key: Element, among: tuple[Element, ...], k: int = lock.k, index: int = 0) -> Hidden:
    return Claim(card, key, among), Opening(k, index)


def false_claims() -> list[Case]:
    five = deck[:5]
    K = lock.public
    true = hidden(other, five, 1)
    outside = claimed(group.mul(lock.k, deck[5]), K, five)
    foreign = card_points(group, "laws", 1)[0]
    plus, minus = (group.mul(lock.k, change(five[0], GENERATOR)) for change in (group.add, group.sub))
    under_other, under_lock = group.mul(other.k, five[0]), group.mul(lock.k, five[0])
    return [
        lied("a card outside a set of one", claimed(group.mul(lock.k, deck[5]), K, five[:1])),
        lied("a card of another deck", claimed(group.mul(lock.k, foreign), K, five)),
        lied("a card of the set without its lock", claimed(five[0], K, five)),
        lied("a false claim before a true one", outside, true),
        lied("a false claim behind a true one", true, outside),
        lied("a card under the wrong key, proved with that", claimed(under_other, K, five)),
        lied(
            "two cards, each under the other's key",
            claimed(under_other, K, five, other.k),
            claimed(under_lock, other.public, five),
        ),
        lied("compensating errors in two cards", claimed(plus, K, five), claimed(minus, K, five)),
        lied("compensating errors in two sets of one", claimed(plus, K, five[:1]), claimed(minus, K, five[:1])),
        lied("the key is right and the index is not", (hidden(lock, five, 1)[0], Opening(lock.k, 2))),
    ]


def single_equations() -> list[Case]:
    """The four kinds of equations, each broken alone."""
    five = deck[:5]
    pair = hidden(lock, five, 1)
    good = proved("equations", [pair])
    zA, zC = len(good) - 96, len(good) - 64
    wrong_key = claimed(group.mul(other.k, five[0]), lock.public, five, other.k)
    outside = claimed(group.mul(lock.k, deck[5]), lock.public, five)
    told = "only the equation of {} fails"
    return [
        refused_case(told.format("the digits") + ": zA + 1", written([pair[0]]), plus_one(good, zA), WRONG),
        refused_case(told.format("the bits") + ": zC + 1", written([pair[0]]), plus_one(good, zC), WRONG),
        lied(told.format("the labels") + ": a card outside the set", outside),
        lied(told.format("the key") + ": a card under the wrong key", wrong_key),
    ]


def plus_one(proof: bytes, offset: int) -> bytes:
    s = decode_scalar(proof[offset : offset + 32]) + 1
    return proof[:offset] + encode_scalar(s) + proof[offset + 32 :]


def other_claims(claims: Sequence[Claim], proof: bytes) -> list[Case]:
    """A good proof for other claims, true or not."""
    first, second = claims
    another_set = (*first.among[:2], deck[9])
    same_card = Claim(group.mul(other.k, first.among[1]), other.public, first.among)
    return [
        refused_case("claims exchanged", written([second, first]), proof, WRONG),
        refused_case(
            "a set in another order", written([replace(first, among=first.among[::-1]), second]), proof, WRONG
        ),
        refused_case(
            "another set, which has the card too", written([replace(first, among=another_set), second]), proof, WRONG
        ),
        refused_case(
            "a smaller set, which has the card too",
            written([replace(first, among=first.among[:2]), second]),
            proof,
            WRONG,
        ),
        refused_case("another card", written([replace(first, card=same_card.card), second]), proof, WRONG),
        refused_case("one card under another key", written([first, replace(second, key=deck[20])]), proof, WRONG),
        refused_case(
            "keys exchanged", written([replace(first, key=second.key), replace(second, key=first.key)]), proof, WRONG
        ),
        refused_case("two keys made one", written([first, replace(second, key=first.key)]), proof),
        refused_case("a claim less", written([first]), proof),
        refused_case("a claim more", written([first, second, first]), proof),
    ]


def malformed_claims() -> list[Case]:
    pair = hidden(lock, deck[:2], 1)
    proof, good = proved("malformed", [pair]), row(pair[0])
    M_0 = deck[0].hex()
    mixed = mixed_with(SMALL_ORDER[2][0])
    changes: dict[str, tuple[dict[str, Json], Refused]] = {
        "the card is the identity": ({"card": IDENTITY.hex()}, MALFORMED),
        "the card with a small-order part": ({"card": mixed}, MALFORMED),
        "the card of small order": ({"card": SMALL_ORDER[8][0]}, MALFORMED),
        "the card not canonical": ({"card": (edwards.P + 1).to_bytes(32, "little").hex()}, MALFORMED),
        "a zero key: key and card are the identity": ({"card": IDENTITY.hex(), "key": IDENTITY.hex()}, MALFORMED),
        "the key with a small-order part": ({"key": mixed}, MALFORMED),
        "the set names the identity": ({"among": [M_0, IDENTITY.hex()]}, MALFORMED),
        "the set names a card twice": ({"among": [M_0, M_0]}, LOCAL),
        "the empty set": ({"among": []}, LOCAL),
    }
    return [
        *(
            refused_case(comment, {"claims": [good | change]}, proof, outcome)
            for comment, (change, outcome) in changes.items()
        ),
        refused_case("no claims", {"claims": []}, 6 * GENERATOR + bytes(64), LOCAL),
    ]
