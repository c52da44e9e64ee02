from protocol.codec import Value, encode
from protocol.hashing import PROTOCOL, sha512
from tests.vectors.notation import BYTES, ERRORS, TYPED, Case, VectorFile, prose, typed

DESCRIPTION = prose(
    f"""
    Commitments to simultaneous choices. A case's `call` says what to do. `commit`: the commitment to `content` in
    `context` with `salt` is `expected`: the first 32 bytes of SHA-512 of `encoded`, which is the encoding (codec.json)
    of ["{PROTOCOL}", "commitment", [`context`, `content`, `salt`]], where the salt is bytes. Opening `expected` with
    the same three is accepted. `open`: opening `commitment` with `context`, `content` and `salt` must be refused, with
    InvalidOpeningError.
    """
)

SALT = bytes(range(32))
HERE: tuple[Value, ...] = ("bag", bytes(32), 3, 1)
CONTENT: Value = (4, 7, 9)


def commitment(context: tuple[Value, ...], content: Value, salt: bytes) -> tuple[bytes, bytes]:
    encoded = encode((PROTOCOL, "commitment", (context, content, salt)))
    return encoded, sha512(encoded)[:32]


def vectors() -> VectorFile:
    valid = [
        _valid(comment, context, content, salt)
        for comment, context, content, salt in (
            ("a closed bag: purpose, game, round, seat; handles", HERE, CONTENT, SALT),
            ("the next round", ("bag", bytes(32), 4, 1), CONTENT, SALT),
            ("another salt", HERE, CONTENT, bytes(32)),
            ("nothing", HERE, (), SALT),
            ("a joint coin", ("coin", bytes(32), 0, 2), bytes(range(100, 132)), SALT),
            ("no context and no value", (), None, SALT),
        )
    ]
    _, made = commitment(HERE, CONTENT, SALT)
    refused = [
        ("opened to something else", HERE, (4, 7, 8), SALT, made),
        ("opened to fewer", HERE, (4, 7), SALT, made),
        ("opened to the same in another order", HERE, (7, 4, 9), SALT, made),
        ("opened with another salt", HERE, CONTENT, bytes(32), made),
        ("opened with a truncated salt", HERE, CONTENT, SALT[:-1], made),
        ("opened with an extended salt", HERE, CONTENT, SALT + b"\0", made),
        ("taken from another round", ("bag", bytes(32), 4, 1), CONTENT, SALT, made),
        ("taken from another seat", ("bag", bytes(32), 3, 2), CONTENT, SALT, made),
        ("taken from another game", ("bag", bytes(31) + b"\1", 3, 1), CONTENT, SALT, made),
        ("taken from another purpose", ("coin", bytes(32), 3, 1), CONTENT, SALT, made),
        ("a flipped bit", HERE, CONTENT, SALT, bytes([made[0] ^ 1]) + made[1:]),
        ("a truncated commitment", HERE, CONTENT, SALT, made[:-1]),
        ("an extended commitment", HERE, CONTENT, SALT, made + b"\0"),
        (
            "the commitment that the truncated salt would give",
            HERE,
            CONTENT,
            SALT[:-1],
            commitment(HERE, CONTENT, SALT[:-1])[1],
        ),
    ]
    invalid: list[Case] = [
        {
            "comment": comment,
            "call": "open",
            "context": typed(context),
            "content": typed(content),
            "salt": salt.hex(),
            "commitment": opened.hex(),
            "error": "InvalidOpeningError",
        }
        for comment, context, content, salt, opened in refused
    ]
    invalid.append(
        {
            "comment": "a salt of 31 bytes",
            "call": "commit",
            "context": typed(HERE),
            "content": typed(CONTENT),
            "salt": SALT[:-1].hex(),
            "error": "LocalError",
        }
    )
    return VectorFile(" ".join((DESCRIPTION, TYPED, BYTES, ERRORS)), valid, invalid)


def _valid(comment: str, context: tuple[Value, ...], content: Value, salt: bytes) -> Case:
    encoded, made = commitment(context, content, salt)
    return {
        "comment": comment,
        "call": "commit",
        "context": typed(context),
        "content": typed(content),
        "salt": salt.hex(),
        "encoded": encoded.hex(),
        "expected": made.hex(),
    }
