from collections.abc import Sequence

from protocol.cipher import card_points
from protocol.codec import encode
from protocol.group import GENERATOR, Edwards25519
from protocol.hashing import ORDER, PROTOCOL, sha512
from tests.protocol import edwards
from tests.vectors.notation import BYTES, ERRORS, SCALARS, Case, VectorFile, hexes, prose, scalar

DESCRIPTION = prose(
    f"""
    Cards and locks. A case's `call` says what to do. `card_points`: M_0, M_1, ... of `deck`, as many as `labels` says,
    are `expected`: M_c is hash_to_group (group.json) with the tag card and the fields [`deck`, c]. `set_digest`: the
    digest of the ordered list `cards` is `expected`: the first 32 bytes of SHA-512 of `encoded`, which is the encoding
    (codec.json) of ["{PROTOCOL}", "card-set", [`cards`]], where cards is the array of the points as bytes. `lock`: the
    lock with `key` on `base` has the public key `public`, which is key times base; closing it on each of `cards` gives
    `closed`, and opening it on these gives the cards back. Public keys and closed cards come from a second
    implementation of the curve.
    """
)
KEY = 0x123456789ABCDEF
OTHER = ORDER - 987654321


def vectors() -> VectorFile:
    group = Edwards25519()
    goods = card_points(group, "goods", 5)
    decks = (
        ("a deck", "goods", 5),
        ("another deck", "laws", 2),
        ("another alphabet", "\u5361", 1),
        ("no cards", "goods", 0),
    )
    points: list[Case] = [
        {
            "comment": comment,
            "call": "card_points",
            "deck": deck,
            "labels": labels,
            "expected": hexes(card_points(group, deck, labels)),
        }
        for comment, deck, labels in decks
    ]
    digests = [
        _digest("a set", goods),
        _digest("in another order", goods[::-1]),
        _digest("fewer", goods[:4]),
        _digest("one", goods[:1]),
        _digest("none", ()),
    ]
    under_key, under_other = _times_each(KEY, goods), _times_each(OTHER, goods)
    locks = [
        _lock("a lock on G", KEY, GENERATOR, goods),
        _lock("another lock on G", OTHER, GENERATOR, goods),
        _lock("the second over the first", OTHER, GENERATOR, under_key),
        _lock("the first over the second gives the same: locks commute", KEY, GENERATOR, under_other),
        _lock("a lock that replaces the first has its public key for base", 5, _times(KEY, GENERATOR), under_key),
        _lock("the smallest key", 1, GENERATOR, goods[:1]),
        _lock("the largest key", ORDER - 1, GENERATOR, goods[:1]),
        _lock("no cards", KEY, GENERATOR, ()),
    ]
    zero: Case = {
        "comment": "a zero key",
        "call": "lock",
        "key": scalar(0),
        "base": GENERATOR.hex(),
        "cards": hexes(goods[:1]),
        "error": "LocalError",
    }
    return VectorFile(" ".join((DESCRIPTION, SCALARS, BYTES, ERRORS)), [*points, *digests, *locks], [zero])


def _digest(comment: str, cards: Sequence[bytes]) -> Case:
    encoded = encode((PROTOCOL, "card-set", (tuple(cards),)))
    return {
        "comment": comment,
        "call": "set_digest",
        "cards": hexes(cards),
        "encoded": encoded.hex(),
        "expected": sha512(encoded)[:32].hex(),
    }


def _lock(comment: str, key: int, base: bytes, cards: Sequence[bytes]) -> Case:
    return {
        "comment": comment,
        "call": "lock",
        "key": scalar(key),
        "base": base.hex(),
        "cards": hexes(cards),
        "public": _times(key, base).hex(),
        "closed": hexes(_times_each(key, cards)),
    }


def _times(s: int, point: bytes) -> bytes:
    return edwards.encode(edwards.mul(s, edwards.decode(point)))


def _times_each(s: int, points: Sequence[bytes]) -> list[bytes]:
    return [_times(s, point) for point in points]
