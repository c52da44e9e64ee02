from collections.abc import Sequence

from protocol.charter import Charter, Player, Proposal
from protocol.codec import Value, encode
from protocol.hashing import PROTOCOL, digest, sha512
from protocol.identity import Identity, PublicIdentity
from tests.vectors.group import SMALL_ORDER
from tests.vectors.notation import BYTES, ERRORS, TYPED, Case, VectorFile, prose, typed

DESCRIPTION = prose(
    f"""
    Charters. A case's `call` says what to do. `charter`: the players [key, name] in the order of `players`, with
    `terms` and `nonces`, have the charter `encoded`, the id of the game `game` and the roster `roster`; the digest of
    the proposal is `proposal`, and the seats' commitments to their nonces are `commitments`. With the encodings of
    codec.json: proposal = [players, terms]; `encoded` is that of [proposal, nonces]; and under the tags of hashing.json
    (["{PROTOCOL}", tag, fields]) `proposal` is the digest proposal of [proposal], `game` the digest charter of
    [proposal, nonces], `roster` the digest roster of [[keys]], a commitment that of commitment.json in the context
    ["nonce", proposal digest, seat] to no bytes, with the nonce as salt. `read`: reading the charter `encoded` must be
    refused. `open`: the nonces must be refused, since one of them does not open its seat's commitment.
    """
)
IDENTITIES = [Identity(sha512(f"trustless-table vectors: player {seat}".encode())[:32]) for seat in range(4)]
KEYS = [identity.public.key for identity in IDENTITIES]
NONCES = tuple(bytes([seat]) * 32 for seat in range(1, 5))
TERMS: Value = ("a game", 3, (True, None, b"\0"))


def charter_of(names: Sequence[str], terms: Value = TERMS) -> Charter:
    players = tuple(Player(identity.public, name) for identity, name in zip(IDENTITIES, names, strict=False))
    return Charter(Proposal(players, terms), NONCES[: len(players)])


def vectors() -> VectorFile:
    valid = [
        _valid("two players", charter_of(("Anna", "Ben"))),
        _valid("four, in another alphabet, one without a name, two of one name", charter_of(("", "\u0141", "x", "x"))),
        _valid("other terms: another game", charter_of(("Anna", "Ben"), None)),
        _valid("a name of 64 bytes", charter_of(("n" * 64, "Ben"))),
    ]
    invalid: list[Case] = [
        {"comment": comment, "call": "read", "encoded": encode(value).hex(), "error": "MalformedError"}
        for comment, value in _malformed()
    ]
    good = charter_of(("Anna", "Ben"))
    commitments = [good.proposal.commit_nonce(seat, nonce) for seat, nonce in enumerate(good.nonces)]
    for comment, nonces in (
        ("a nonce of 31 bytes", (NONCES[0], NONCES[1][:-1])),
        ("another nonce", (NONCES[0], NONCES[2])),
        ("the nonces of two seats exchanged", (NONCES[1], NONCES[0])),
    ):
        invalid.append(
            {
                "comment": comment,
                "call": "open",
                "encoded": good.to_bytes().hex(),
                "commitments": [one.hex() for one in commitments],
                "nonces": [nonce.hex() for nonce in nonces],
                "error": "InvalidOpeningError",
            }
        )
    return VectorFile(" ".join((DESCRIPTION, TYPED, BYTES, ERRORS)), valid, invalid)


def _valid(comment: str, charter: Charter) -> Case:
    proposal = charter.proposal
    return {
        "comment": comment,
        "call": "charter",
        "players": [[player.identity.key.hex(), player.name] for player in charter.players],
        "terms": typed(proposal.terms),
        "nonces": [nonce.hex() for nonce in charter.nonces],
        "encoded": charter.to_bytes().hex(),
        "proposal": digest("proposal", proposal.to_value()).hex(),
        "game": charter.game.hex(),
        "roster": charter.roster.hex(),
        "commitments": [proposal.commit_nonce(seat, nonce).hex() for seat, nonce in enumerate(charter.nonces)],
    }


def _malformed() -> list[tuple[str, Value]]:
    anna: Value = (KEYS[0], "Anna")
    ben: Value = (KEYS[1], "Ben")
    two = NONCES[:2]
    many = tuple((PublicIdentity(bytes([seat]) * 32).key, "") for seat in range(17))
    return [
        ("one player", (((anna,), TERMS), NONCES[:1])),
        ("seventeen players, refused before a key is looked at", ((many, TERMS), (NONCES[0],) * 17)),
        ("a player twice", (((anna, anna), TERMS), two)),
        ("a key of small order", (((anna, (bytes.fromhex(SMALL_ORDER[8][0]), "Ben")), TERMS), two)),
        ("a key of 31 bytes", (((anna, (KEYS[1][:-1], "Ben")), TERMS), two)),
        ("a name of 65 bytes", (((anna, (KEYS[1], "n" * 65)), TERMS), two)),
        ("a name of 22 characters, which are 66 bytes", (((anna, (KEYS[1], "\u5361" * 22)), TERMS), two)),
        ("a name in bytes", (((anna, (KEYS[1], b"Ben")), TERMS), two)),
        ("a nonce of 31 bytes", (((anna, ben), TERMS), (NONCES[0], NONCES[1][:-1]))),
        ("a nonce missing", (((anna, ben), TERMS), NONCES[:1])),
        ("a nonce too many", (((anna, ben), TERMS), NONCES[:3])),
        ("a field too many", (((anna, ben), TERMS, None), two)),
        ("no terms", (((anna, ben),), two)),
    ]
