"""The handshake of a private table, step by step, and what somebody without the passphrase gets out of it."""

import unicodedata
from collections.abc import Sequence

import pytest
from nacl import bindings

from p2p_sheriff.node import cpace
from p2p_sheriff.node.cpace import Passphrase
from p2p_sheriff.node.farewell import Farewell, TransportError, Why
from p2p_sheriff.node.handshake import (
    HELLO_BYTES,
    WIRE,
    Answer,
    Challenge,
    Greeting,
    OtherEnd,
    accept,
    answer,
    challenge,
    confirm,
    meet,
    welcome,
)
from protocol.codec import Value, decode, encode
from protocol.elligator import P, map_to_curve
from protocol.errors import LocalError
from protocol.group import GENERATOR, IDENTITY, Edwards25519, Element, Group, hash_secret_to_group
from protocol.hashing import ORDER, digest, sha512
from protocol.randomness import Rng
from tests.node.test_handshake import Cast, by_hand, refused

PHRASE = "the miller's blue door"
DICTIONARY = ("oak", "elm", PHRASE, "ash", "fir", "yew")
ORDER_TWO = ((1 << 255) - 20).to_bytes(32, "little")


@pytest.fixture
def cast(request: pytest.FixtureRequest) -> Cast:
    return Cast(request.node.nodeid)


def typed(text: str = PHRASE) -> Passphrase:
    return Passphrase.typed(Edwards25519(), text)


def called(cast: Cast, at_server: Passphrase, at_client: Passphrase) -> tuple[Challenge, Answer, bytes, Greeting]:
    """Goes as far as the welcome."""
    asked = challenge(cast.server.public, at_server, cast.rng)
    answered, message = answer(cast.client, "Ann", cast.server.public, asked.hello, at_client, cast.rng)
    return asked, answered, message, welcome(asked, meet(Edwards25519(), asked, message), "Rob", cast.rng)


def fields_of(message: bytes) -> Sequence[Value]:
    fields = decode(message)
    assert isinstance(fields, tuple)
    return fields


def proof_of(welcomed: Greeting) -> tuple[bytes, bytes]:
    match fields_of(welcomed.message)[3]:
        case (bytes(Y), bytes(tag)):
            return Y, tag
        case other:
            raise AssertionError(other)


def connected(cast: Cast) -> tuple[OtherEnd, OtherEnd, list[bytes]]:
    asked, answered, message, welcomed = called(cast, typed(), typed())
    server, last = accept(answered, welcomed.message)
    assert last is not None
    confirm(welcomed, last)
    return welcomed.peer, server, [asked.hello, message, welcomed.message, last]


# -- what honest nodes get


def test_who_knows_the_passphrase_is_connected_and_both_sides_know_that_the_table_is_private(cast: Cast) -> None:
    client, server, sent = connected(cast)
    assert (client.identity, server.identity) == (cast.client.public, cast.server.public)
    assert client.words == server.words
    assert client.private
    assert server.private
    assert max(map(len, sent)) < HELLO_BYTES


def test_a_known_private_handshake_never_changes() -> None:
    # Programs of one version must understand each other: a changed byte is a new version.
    _, _, sent = connected(Cast("known private handshake"))
    assert [digest("sent", message).hex()[:16] for message in sent] == [
        "24eddc615fac4c44",
        "1d1a11a8cc88fde9",
        "95b04c33ab6446da",
        "fa3ff4f7e3546ff7",
    ]


def test_a_passphrase_is_the_same_however_it_is_typed() -> None:
    assert typed(unicodedata.normalize("NFD", "Tür zur Mühle\n")).secret == typed(" Tür zur Mühle").secret


def test_an_empty_passphrase_is_none() -> None:
    with pytest.raises(LocalError):
        typed("  ")


def test_no_secret_is_sent_or_shown(cast: Cast) -> None:
    asked, answered, message, welcomed = called(cast, typed(), typed())
    assert welcomed.tags is not None
    shown = repr((asked, answered, welcomed.tags, typed()))
    for secret in (PHRASE, repr(asked.opening), repr(welcomed.tags.client), repr(welcomed.tags.server)):
        assert secret not in shown
    assert "_y" not in shown
    for sent in (asked.hello, message, welcomed.message):
        assert PHRASE.encode() not in sent


# -- who does not know it


def test_a_wrong_passphrase_is_refused_by_the_client_who_says_nothing_that_could_be_compared(cast: Cast) -> None:
    _, answered, _, welcomed = called(cast, typed(), typed("oak"))
    with refused(Why.PASSPHRASE):
        accept(answered, welcomed.message)


def test_a_client_that_goes_on_with_a_wrong_passphrase_is_refused_by_the_server(cast: Cast) -> None:
    asked = challenge(cast.server.public, typed(), cast.rng)
    answered, message = answer(cast.client, "Ann", cast.server.public, asked.hello, typed("oak"), cast.rng)
    welcomed = welcome(asked, meet(Edwards25519(), asked, message), "Rob", cast.rng)
    assert answered.share is not None
    Y_s, tag_s = proof_of(welcomed)
    own = answered.share.as_client(Y_s)
    for tag in (own.client, own.server, tag_s, bytes(32), b""):
        with refused(Why.PASSPHRASE):
            confirm(welcomed, encode((WIRE, tag)))


@pytest.mark.parametrize("garbage", [b"", encode((WIRE,)), encode((WIRE, "tag")), encode((WIRE, bytes(32), 1))])
def test_a_confirmation_that_means_nothing_is_malformed(cast: Cast, garbage: bytes) -> None:
    *_, welcomed = called(cast, typed(), typed())
    with refused(Why.MALFORMED):
        confirm(welcomed, garbage)


def test_a_server_that_does_not_know_the_passphrase_is_refused(cast: Cast) -> None:
    asked, answered, _, welcomed = called(cast, typed(), typed())
    assert answered.share is not None
    assert welcomed.tags is not None
    Y_s, _ = proof_of(welcomed)
    # No proof, a wrong one, the client's own share sent back, and the tag of the other role.
    for proof in (None, (Y_s, bytes(32)), (answered.share.Y, bytes(32)), (Y_s, welcomed.tags.client)):
        with refused(Why.PASSPHRASE):
            accept(answered, encode((WIRE, "Rob", asked.opening, proof)))


def test_who_has_no_passphrase_does_not_even_answer_a_private_table(cast: Cast) -> None:
    asked = challenge(cast.server.public, typed(), cast.rng)
    with refused(Why.PRIVATE):
        answer(cast.client, "Ann", cast.server.public, asked.hello, None, cast.rng)
    with refused(Why.PASSPHRASE):
        meet(Edwards25519(), asked, by_hand(cast.client, cast.server.public, asked.hello))


def test_who_brings_a_passphrase_insists_on_it(cast: Cast) -> None:
    asked = challenge(cast.server.public, None, cast.rng)
    with refused(Why.PUBLIC):
        answer(cast.client, "Ann", cast.server.public, asked.hello, typed(), cast.rng)
    with refused(Why.PASSPHRASE):
        meet(Edwards25519(), asked, by_hand(cast.client, cast.server.public, asked.hello, Y=GENERATOR))


NO_SHARES = {
    "the identity": bytes(IDENTITY),
    "a point of order two": ORDER_TWO,
    "an element plus a point of order two": bindings.crypto_core_ed25519_add(GENERATOR, ORDER_TWO),
    "an encoding that is not canonical": (P + 1).to_bytes(32, "little"),
    "no point": (2).to_bytes(32, "little"),
    "a byte too few": GENERATOR[:-1],
    "a byte too many": GENERATOR + b"\0",
    "nothing": b"",
}


@pytest.mark.parametrize("Y", NO_SHARES.values(), ids=NO_SHARES)
def test_a_share_that_is_no_element_of_the_group_is_refused_by_both_sides(cast: Cast, Y: bytes) -> None:
    asked, answered, _, _ = called(cast, typed(), typed())
    with refused(Why.MALFORMED):
        accept(answered, encode((WIRE, "Rob", asked.opening, (Y, bytes(32)))))
    caller = meet(Edwards25519(), asked, by_hand(cast.client, cast.server.public, asked.hello, Y=Y))
    with refused(Why.MALFORMED):
        welcome(asked, caller, "Rob", cast.rng)


# -- who stands in between, or has listened before


def test_shares_that_a_man_in_the_middle_passes_on_agree_on_nothing(cast: Cast) -> None:
    # Both know the passphrase. Mallory is the server for the one and the client for the other, and passes shares on.
    group = Edwards25519()
    asked = challenge(cast.server.public, typed(), cast.rng)
    answered, message = answer(cast.client, "Ann", cast.mallory.public, asked.hello, typed(), cast.rng)
    with refused(Why.PROOF):
        meet(group, asked, message)
    Y_c = fields_of(message)[4]
    assert isinstance(Y_c, bytes)
    caller = meet(group, asked, by_hand(cast.mallory, cast.server.public, asked.hello, Y=Y_c))
    welcomed = welcome(asked, caller, "Rob", cast.rng)
    with refused(Why.MALFORMED):  # Even the commitment names its server.
        accept(answered, welcomed.message)
    own = challenge(cast.mallory.public, typed("oak"), cast.rng)
    answered, _ = answer(cast.client, "Ann", cast.mallory.public, own.hello, typed(), cast.rng)
    with refused(Why.PASSPHRASE):
        accept(answered, encode((WIRE, "Rob", own.opening, proof_of(welcomed))))


def test_a_replayed_answer_and_a_replayed_confirmation_are_refused(cast: Cast) -> None:
    _, _, (_, message, _, last) = connected(cast)
    asked, _, _, welcomed = called(cast, typed(), typed())
    with refused(Why.PROOF):
        meet(Edwards25519(), asked, message)
    with refused(Why.PASSPHRASE):
        confirm(welcomed, last)


# -- guessing


class Known:
    """A hash to the group whose logarithms are known: with it, a test sees what nobody else can."""

    @staticmethod
    def log(tag: str, *fields: Value) -> int:
        return int.from_bytes(sha512(encode((tag, fields)))) % ORDER

    @classmethod
    def element(cls, tag: str, *fields: Value) -> Element:
        return Edwards25519().mul_base(cls.log(tag, *fields))


def test_what_a_dialled_stranger_records_is_what_a_client_with_any_other_passphrase_could_have_sent(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So no dictionary finds it offline: for each passphrase there is a y with which every byte is the same."""
    monkeypatch.setattr(cpace, "hash_secret_to_group", Known.element)
    asked = challenge(cast.mallory.public, typed("a stranger's guess"), cast.rng)
    nonce, y = cast.rng(32), 1 + int.from_bytes(cast.rng(31))
    _, recorded = answer(cast.client, "Ann", cast.mallory.public, asked.hello, typed(), drawing(nonce, y))
    context = meet(Edwards25519(), asked, recorded).context
    for guess in DICTIONARY:
        other_y = y * Known.log("cpace", PHRASE, context) * pow(Known.log("cpace", guess, context), -1, ORDER) % ORDER
        _, sent = answer(cast.client, "Ann", cast.mallory.public, asked.hello, typed(guess), drawing(nonce, other_y))
        assert sent == recorded
        if guess != PHRASE:
            _, sent = answer(cast.client, "Ann", cast.mallory.public, asked.hello, typed(guess), drawing(nonce, y))
            assert sent != recorded


def drawing(nonce: bytes, y: int) -> Rng:
    """Returns a source that makes a client draw this nonce and this scalar."""
    draws = iter((nonce, scalar_bytes(y)))
    return lambda _: next(draws)


def always(data: bytes) -> Rng:
    return lambda _: data


def scalar_bytes(y: int) -> bytes:
    """Returns what a source gives for this scalar: 253 bits of 32 bytes count, and zero is left out."""
    return (y - 1 << 3).to_bytes(32)


def test_a_dialled_stranger_tests_one_guess_with_each_call(cast: Cast) -> None:
    outcomes = {}
    for guess in DICTIONARY:
        asked = challenge(cast.mallory.public, typed(guess), cast.rng)
        answered, message = answer(cast.client, "Ann", cast.mallory.public, asked.hello, typed(), cast.rng)
        welcomed = welcome(asked, meet(Edwards25519(), asked, message), "Rob", cast.rng)
        try:
            _, outcomes[guess] = accept(answered, welcomed.message)
        except TransportError as error:
            outcomes[guess] = error.ending.to_bytes()
    wrong = {outcomes[guess] for guess in DICTIONARY if guess != PHRASE}
    assert wrong == {Farewell(Why.PASSPHRASE).to_bytes()}
    assert outcomes[PHRASE] not in (None, *wrong)


def test_a_stranger_who_calls_tests_the_guess_that_it_began_with_and_no_other(cast: Cast) -> None:
    """It has the server's tag. For other guesses it would need the same share with another, unknown scalar."""
    for begun in DICTIONARY:
        asked, y = challenge(cast.server.public, typed(), cast.rng), 1 + int.from_bytes(cast.rng(31))
        rng = drawing(cast.rng(32), y)
        answered, message = answer(cast.mallory, "Eve", cast.server.public, asked.hello, typed(begun), rng)
        caller = meet(Edwards25519(), asked, message)
        Y_s, tag = proof_of(welcome(asked, caller, "Rob", cast.rng))
        assert answered.share is not None
        assert (answered.share.as_client(Y_s).server == tag) == (begun == PHRASE)
        for guess in DICTIONARY:
            share = typed(guess).share(caller.context, always(scalar_bytes(y)))
            assert (share.as_client(Y_s).server == tag) == (guess == begun == PHRASE)


# -- the hash of a secret


def test_a_secret_is_hashed_to_the_sum_of_two_points_of_the_standard_map(group: Group) -> None:
    """The library's map is that of RFC 9380, but for the sign of x: it is the top bit of what is mapped."""
    for i in range(50):
        uniform = sha512(encode(("trustless-table/1", "cpace", ("secret", i))))
        total = bytes(IDENTITY)
        for half in (uniform[:32], uniform[32:]):
            r = int.from_bytes(half, "little")
            y = int.from_bytes(map_to_curve(r % 2**255 % P), "little") % 2**255
            point = (y | r >> 255 << 255).to_bytes(32, "little")
            for _ in range(3):
                point = bindings.crypto_core_ed25519_add(point, point)
            total = bindings.crypto_core_ed25519_add(total, point)
        assert hash_secret_to_group("cpace", "secret", i) == total == group.decode(total)
