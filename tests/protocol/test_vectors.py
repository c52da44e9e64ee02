"""Replays the published vectors as an outsider would: from the files alone, against the library."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol import codec, commitment, errors
from protocol.cipher import Lock, card_points, set_digest
from protocol.elligator import expand_message, hash_to_field, map_to_curve
from protocol.group import hash_to_curve
from protocol.hashing import PROTOCOL, Oracle, digest, sha512
from protocol.identity import Identity, PublicIdentity
from protocol.proofs import dleq, membership, pedersen, shuffle
from tests.drbg import Drbg
from tests.make_vectors import stale
from tests.vectors import verifier
from tests.vectors.notation import FOLDER
from tests.vectors.reading import GROUP, VERIFIER, Case, context, fields, hexes, point, points, scalar, unhex, value
from tests.vectors.table_replays import TABLE_REPLAYS

FILES: dict[str, Any] = {path.stem: json.loads(path.read_text("ascii")) for path in sorted(FOLDER.glob("*.json"))}
# What to call for each case, by file and call.


def roundtrip(case: Case) -> None:
    encoded = unhex(case["encoded"])
    assert codec.encode(value(case["value"])) == encoded
    # repr tells True from 1, which == does not.
    assert repr(codec.decode(encoded)) == repr(value(case["value"]))


def decode(case: Case) -> None:
    codec.decode(unhex(case["encoded"]), case.get("max_bytes", codec.MAX_BYTES))


def encode(case: Case) -> None:
    codec.encode(value(case["value"]))


def hash_bytes(case: Case) -> None:
    assert sha512(unhex(case["message"])).hex() == case["expected"]


def hash_fields(case: Case) -> None:
    assert digest(case["tag"], *fields(case["fields"])).hex() == case["expected"]
    assert codec.decode(unhex(case["encoded"])) == (PROTOCOL, case["tag"], fields(case["fields"]))
    assert sha512(unhex(case["encoded"]))[:32].hex() == case["expected"]


def expand(case: Case) -> None:
    length = case["length"] if "error" in case else len(unhex(case["expected"]))
    assert expand_message(unhex(case["message"]), unhex(case["domain"]), length).hex() == case["expected"]


def challenges(case: Case) -> None:
    oracle = Oracle(case["tag"], unhex(case["context"]))
    state = sha512(codec.encode((PROTOCOL, case["tag"], unhex(case["context"]))))
    for step in case["steps"]:
        if "absorb" in step:
            oracle.absorb(step["absorb"], *fields(step["values"]))
            state = sha512(codec.encode((state, "absorb", step["absorb"], fields(step["values"]))))
        else:
            assert oracle.scalars(step["squeeze"], step["count"]) == [scalar(text) for text in step["expected"]]
            state = sha512(codec.encode((state, "squeeze", step["squeeze"], step["count"])))
        assert state.hex() == step["state"]


def element(case: Case) -> None:
    assert point(case["element"]).hex() == case["element"]


def number(case: Case) -> None:
    assert scalar(case["scalar"]) == int(case["value"])


def multiply(case: Case) -> None:
    assert GROUP.mul(scalar(case["scalar"]), point(case["element"])).hex() == case["expected"]


def add(case: Case) -> None:
    assert GROUP.add(point(case["left"]), point(case["right"])).hex() == case["expected"]


def elligator(case: Case) -> None:
    assert map_to_curve(int.from_bytes(unhex(case["u"]), "little")).hex() == case["expected"]


def curve_hash(case: Case) -> None:
    message, domain = unhex(case["message"]), unhex(case["domain"])
    u = hash_to_field(message, domain)
    assert [u_i.to_bytes(32, "little").hex() for u_i in u] == [case["u0"], case["u1"]]
    assert [map_to_curve(u_i).hex() for u_i in u] == [case["q0"], case["q1"]]
    assert hash_to_curve(message, domain).hex() == case["expected"]


def label(case: Case) -> None:
    assert codec.encode(fields(case["fields"])).hex() == case["message"]
    assert GROUP.hash_to_group(case["tag"], *fields(case["fields"])).hex() == case["expected"]
    assert hash_to_curve(unhex(case["message"]), unhex(case["domain"])) == point(case["expected"])


def plain_signature(case: Case) -> None:
    assert Identity(unhex(case["secret"])).public.key.hex() == case["public"]
    signed = Ed25519PrivateKey.from_private_bytes(unhex(case["secret"])).sign(unhex(case["message"]))
    assert signed.hex() == case["signature"]


def sign(case: Case) -> None:
    plain_signature(case | {"message": case["signed"]})
    identity = Identity(unhex(case["secret"]))
    assert identity.sign(case["purpose"], unhex(case["message"])).hex() == case["signature"]
    check_signature(case)


def check_signature(case: Case) -> None:
    public = PublicIdentity.from_bytes(GROUP, unhex(case["public"]))
    public.verify(case["purpose"], unhex(case["signature"]), unhex(case["message"]))


def public_key(case: Case) -> None:
    assert PublicIdentity.from_bytes(GROUP, unhex(case["public"])).key.hex() == case["public"]


def secret_key(case: Case) -> None:
    Identity(unhex(case["secret"]))


def commit(case: Case) -> None:
    opening = fields(case["context"]), value(case["content"]), unhex(case["salt"])
    made = commitment.commit(*opening)
    assert made.hex() == case["expected"] == sha512(unhex(case["encoded"]))[:32].hex()
    assert codec.decode(unhex(case["encoded"])) == (PROTOCOL, "commitment", opening)
    commitment.verify_opening(made, *opening)


def open_commitment(case: Case) -> None:
    opening = fields(case["context"]), value(case["content"]), unhex(case["salt"])
    commitment.verify_opening(unhex(case["commitment"]), *opening)


def deck(case: Case) -> None:
    assert hexes(card_points(GROUP, case["deck"], case["labels"])) == case["expected"]


def digest_of_cards(case: Case) -> None:
    cards = points(case["cards"])
    assert set_digest(cards).hex() == case["expected"] == sha512(unhex(case["encoded"]))[:32].hex()
    assert codec.decode(unhex(case["encoded"])) == (PROTOCOL, "card-set", (cards,))


def lock(case: Case) -> None:
    made = Lock(GROUP, scalar(case["key"]), point(case["base"]))
    cards, closed = points(case["cards"]), points(case["closed"])
    assert made.public.hex() == case["public"]
    assert tuple(made.close(GROUP, cards)) == closed
    assert tuple(made.open(GROUP, closed)) == cards


def place(case: Case) -> None:
    assert context(case["context"]).to_bytes().hex() == case["expected"] == sha512(unhex(case["encoded"]))[:32].hex()


def bases(case: Case) -> None:
    assert hexes(pedersen.generators(GROUP, case["count"])) == case["expected"]


def second_base(case: Case) -> None:
    assert pedersen.second_base(GROUP).hex() == case["expected"]


def com(case: Case) -> None:
    made = pedersen.com(GROUP, [scalar(v) for v in case["values"]], scalar(case["blinding"]))
    assert made.hex() == case["expected"]


def equality(case: Case) -> None:
    statements = [
        dleq.Equality(point(row["base"]), point(row["image"]), points(row["inputs"]), points(row["outputs"]))
        for row in case["statements"]
    ]
    proof = dleq.EqualityProof.from_bytes(unhex(case["proof"]), len(statements))
    here = context(case["context"])
    dleq.verify(GROUP, here, statements, proof)
    secrets = [scalar(t) for t in case["secrets"]]
    assert dleq.prove(GROUP, here, statements, secrets, Drbg(case["seed"])) == proof


def shuffled(case: Case) -> None:
    inputs, outputs = points(case["inputs"]), points(case["outputs"])
    statement = shuffle.Shuffle(point(case["base"]), point(case["image"]), inputs, outputs)
    proof = shuffle.ShuffleProof.from_bytes(GROUP, unhex(case["proof"]), len(inputs))
    here = context(case["context"])
    shuffle.verify(GROUP, here, statement, proof, VERIFIER)
    preparation = shuffle.prepare(GROUP, len(inputs), Drbg(case["seed"]), case.get("order"))
    made = Lock(GROUP, scalar(case["key"]), statement.base)
    assert shuffle.shuffle(GROUP, preparation, made, inputs) == statement
    assert shuffle.prove(GROUP, here, statement, made.k, preparation) == proof


def member(case: Case) -> None:
    claims = [membership.Claim(point(row["card"]), point(row["key"]), points(row["among"])) for row in case["claims"]]
    proof = membership.MembershipProof.from_bytes(GROUP, unhex(case["proof"]), claims)
    here = context(case["context"])
    membership.verify(GROUP, here, claims, proof, VERIFIER)
    openings = [membership.Opening(scalar(row["k"]), row["index"]) for row in case["openings"]]
    assert membership.prove(GROUP, here, claims, openings, Drbg(case["seed"])) == proof


REPLAYS: dict[str, Callable[[Case], None]] = {
    **TABLE_REPLAYS,
    "cipher.card_points": deck,
    "cipher.lock": lock,
    "cipher.set_digest": digest_of_cards,
    "codec.decode": decode,
    "codec.encode": encode,
    "codec.roundtrip": roundtrip,
    "commitment.commit": commit,
    "commitment.open": open_commitment,
    "context": place,
    "dleq": equality,
    "group.add": add,
    "group.decode": element,
    "group.decode_scalar": number,
    "group.hash_to_curve": curve_hash,
    "group.hash_to_group": label,
    "group.map_to_curve": elligator,
    "group.multiply": multiply,
    "hashing.digest": hash_fields,
    "hashing.expand_message": expand,
    "hashing.oracle": challenges,
    "hashing.sha512": hash_bytes,
    "identity.ed25519": plain_signature,
    "identity.public": public_key,
    "identity.secret": secret_key,
    "identity.sign": sign,
    "identity.verify": check_signature,
    "membership": member,
    "pedersen.com": com,
    "pedersen.generators": bases,
    "pedersen.second_base": second_base,
    "shuffle": shuffled,
}


def replay_of(file: str, case: Case) -> str:
    return f"{file}.{case['call']}" if "call" in case else file


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(replay_of(file, case), {"context": content.get("context")} | case, id=f"{file}-{case['id']}")
        for file, content in FILES.items()
        for case in content[kind]
    ]


@pytest.mark.parametrize(("replay", "case"), cases("valid"))
def test_a_valid_case_gives_what_the_file_says(replay: str, case: Case) -> None:
    REPLAYS[replay](case)


@pytest.mark.parametrize(("replay", "case"), cases("invalid"))
def test_an_invalid_case_is_refused_with_the_named_error(replay: str, case: Case) -> None:
    with pytest.raises(errors.ProtocolError) as caught:
        REPLAYS[replay](case)
    named = next(kind.__name__ for kind in type(caught.value).__mro__ if not kind.__name__.startswith("_"))
    assert named == case["error"]
    if isinstance(caught.value, errors.InvalidProofError):
        assert caught.value.check == case["check"]


SECOND_VERIFIERS = {
    "dleq": verifier.equality_failures,
    "membership": verifier.membership_failures,
    "shuffle": verifier.shuffle_failures,
}


def expected_failures() -> list[Any]:
    """The cases that say which equations fail: the valid ones, and those of which the comment tells."""
    told = re.compile(r"only (?:equation|the equation of the) (\w+) fails")
    params = []
    for name in SECOND_VERIFIERS:
        params += [pytest.param(name, case, set(), id=f"{name}-{case['id']}") for case in FILES[name]["valid"]]
        for case in FILES[name]["invalid"]:
            failed = set(told.findall(case["comment"]))
            if failed or "only the check of the point tells" in case["comment"]:
                params.append(pytest.param(name, case, failed, id=f"{name}-{case['id']}"))
    return params


@pytest.mark.parametrize(("name", "case", "failed"), expected_failures())
def test_a_second_verifier_finds_the_same_equations_to_hold(name: str, case: Case, failed: set[str]) -> None:
    assert SECOND_VERIFIERS[name](case, context(FILES[name]["context"]).to_bytes()) == failed


def test_the_files_are_what_the_library_makes_today() -> None:
    assert stale() == [], "run python -m tests.make_vectors, and look at what changed"


def test_every_call_has_a_case_and_every_case_a_call() -> None:
    used = {replay_of(file, case) for file, content in FILES.items() for case in content["valid"] + content["invalid"]}
    assert used == set(REPLAYS)


@pytest.mark.parametrize("file", FILES)
def test_a_file_tells_an_outsider_what_to_do_and_numbers_its_cases(file: str) -> None:
    content = FILES[file]
    assert [key for key in content if key not in ("source", "context")] == ["description", "valid", "invalid"]
    numbered = content["valid"] + content["invalid"]
    assert [case["id"] for case in numbered] == list(range(1, len(numbered) + 1))
    for call in {case["call"] for case in numbered if "call" in case}:
        assert f"`{call}`: " in content["description"]
    for case in content["invalid"]:
        assert case["comment"]
        assert ("check" in case) == (case["error"] == "InvalidProofError")
    size = (FOLDER / f"{file}.json").stat().st_size
    assert size < 150_000, "a file that nobody reads any more"


def test_no_two_contexts_have_the_same_digest() -> None:
    digests = [case["expected"] for case in FILES["context"]["valid"]]
    assert len(set(digests)) == len(digests)
