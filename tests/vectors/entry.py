from dataclasses import replace

from protocol.codec import Value, encode
from protocol.entry import Entry, Head, SignedEntry
from tests.vectors.charter import IDENTITIES, charter_of
from tests.vectors.notation import BYTES, ERRORS, TYPED, Case, VectorFile, flipped, prose, typed

DESCRIPTION = prose(
    """
    Entries of the game whose charter is `charter` (charter.json). A case's `call` says what to do. `sign`: the entry of
    seat `author` with `heads` (each [length, hash]), `step` and `payload` has the body `body`, the encoding
    (codec.json) of [1, id of the game, author, heads, step, payload]; `secret`, which is that seat's, signs it for the
    purpose entry (identity.json) with `signature`; `message` is the encoding of [body, signature]; the entry's hash is
    `hash`, the digest entry (hashing.json) of [body]. `read`: the message must be refused: with MalformedError if it is
    no entry of this game, with InvalidSignatureError if its author did not sign it.
    """
)
CHARTER = charter_of(("Anna", "Ben", "Cleo"))
START = Head(0, CHARTER.game)
FIRST = Entry(CHARTER.game, 1, (START, START, START), 0, ("hello", b"\1\2", (3,)))


def vectors() -> VectorFile:
    signed = SignedEntry.sign(IDENTITIES[1], FIRST)
    behind = (START, Head(1, signed.hash), START)
    valid = [
        _valid("the first entry of a chain, which takes step 0", FIRST),
        _valid("an acknowledgement behind it", Entry(CHARTER.game, 2, behind, None, None)),
        _valid("words behind it", Entry(CHARTER.game, 0, behind, None, ("say", "\u017c"))),
        _valid("the second entry of its chain", Entry(CHARTER.game, 1, behind, 1, b"")),
    ]
    invalid = [
        {"comment": comment, "call": "read", "message": message.hex(), "error": error}
        for comment, message, error in _refused(signed)
    ]
    head: Case = {"charter": CHARTER.to_bytes().hex()}
    return VectorFile(
        " ".join((DESCRIPTION, TYPED, BYTES, ERRORS)), [head | one for one in valid], [head | one for one in invalid]
    )


def _valid(comment: str, entry: Entry) -> Case:
    identity = IDENTITIES[entry.author]
    signed = SignedEntry.sign(identity, entry)
    return {
        "comment": comment,
        "call": "sign",
        "secret": identity.seed().hex(),
        "author": entry.author,
        "heads": [[head.length, head.hash.hex()] for head in entry.heads],
        "step": entry.step,
        "payload": typed(entry.payload),
        "body": signed.body.hex(),
        "signature": signed.signature.hex(),
        "message": signed.to_bytes().hex(),
        "hash": signed.hash.hex(),
    }


def _refused(signed: SignedEntry) -> list[tuple[str, bytes, str]]:
    body: Value = (1, *FIRST.to_value())
    start = START.to_value()
    assert isinstance(body, tuple)

    def signing(value: Value) -> bytes:
        made = encode(value)
        return encode((made, IDENTITIES[1].sign("entry", made)))

    def other(place: int, value: Value) -> bytes:
        return signing((*body[:place], value, *body[place + 1 :]))

    malformed = [
        ("version 2 of entries", other(0, 2)),
        ("a version that is a boolean", other(0, True)),
        ("another game", other(1, bytes(32))),
        ("a seat that nobody has", other(2, 3)),
        ("a seat below nothing", other(2, -1)),
        ("a seat that is a boolean", other(2, True)),
        ("heads of two seats of three", other(3, (start, start))),
        ("a head with a length below nothing", other(3, ((-1, CHARTER.game), start, start))),
        ("a head with a hash of 31 bytes", other(3, ((0, CHARTER.game[:-1]), start, start))),
        ("a head without a hash", other(3, ((0,), start, start))),
        ("a step below nothing", other(4, -1)),
        ("a step that is a boolean", other(4, False)),
        ("a field too many", signing((*body, None))),
        ("a field too few", signing(body[:-1])),
        ("a third part of the message", encode((signed.body, signed.signature, b""))),
        ("no body", encode((b"", signed.signature))),
        ("no bytes", b""),
        ("a byte behind it", signed.to_bytes() + b"\xc0"),
    ]
    by_another = replace(signed, signature=IDENTITIES[0].sign("entry", signed.body)).to_bytes()
    unsigned = [
        ("a flipped bit of the signature", replace(signed, signature=flipped(signed.signature, 9)).to_bytes()),
        ("a signature of 63 bytes", encode((signed.body, signed.signature[:-1]))),
        ("signed by another seat", by_another),
        ("signed for another purpose", encode((signed.body, IDENTITIES[1].sign("vote", signed.body)))),
    ]
    return [(comment, message, "MalformedError") for comment, message in malformed] + [
        (comment, message, "InvalidSignatureError") for comment, message in unsigned
    ]
