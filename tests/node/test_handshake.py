from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.node.farewell import MAX_DETAIL, Farewell, TransportError, Why
from p2p_sheriff.node.handshake import (
    HELLO_BYTES,
    WIRE,
    Admit,
    Challenge,
    OtherEnd,
    accept,
    answer,
    anyone,
    challenge,
    known_names,
    meet,
    welcome,
)
from p2p_sheriff.texts import translated
from p2p_sheriff.texts.cleaning import clean
from protocol.codec import Value, decode, encode
from protocol.errors import LocalError, MalformedError
from protocol.group import GENERATOR, IDENTITY, Edwards25519, Group
from protocol.hashing import digest
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg


class Cast:
    """A server, a client, and somebody in between."""

    def __init__(self, seed: str) -> None:
        self.rng = Drbg(seed)
        self.server, self.client, self.mallory = (Identity.generate(self.rng) for _ in range(3))


@pytest.fixture
def cast(request: pytest.FixtureRequest) -> Cast:
    return Cast(request.node.nodeid)


@contextmanager
def refused(why: Why) -> Iterator["pytest.ExceptionInfo[TransportError]"]:
    with pytest.raises(TransportError) as caught:
        yield caught
    assert caught.value.ending.why is why
    assert not caught.value.ending.by_peer


def between(group: Group, cast: Cast) -> tuple[OtherEnd, OtherEnd, list[bytes]]:
    """Returns the client as the server sees it, the server as the client does, and all that was sent."""
    asked = challenge(cast.server.public, None, cast.rng)
    answered, message = answer(cast.client, "Ann", cast.server.public, asked.hello, None, cast.rng)
    client, reply = welcomed(group, asked, "Rob", message)
    server, last = accept(answered, reply)
    assert last is None
    return client, server, [asked.hello, message, reply]


def welcomed(
    group: Group, asked: Challenge, name: str, message: bytes, admit: Admit = anyone
) -> tuple[OtherEnd, bytes]:
    """Returns the client as the server of a public table sees it, and what it sends."""
    last = welcome(asked, meet(group, asked, message, admit), name, no_randomness)
    return last.peer, last.message


def no_randomness(size: int) -> bytes:
    raise AssertionError(size)


def by_hand(
    identity: Identity,
    server: PublicIdentity,
    hello: bytes,
    claims: PublicIdentity | None = None,
    name: Value = "Ann",
    Y: bytes | None = None,
) -> bytes:
    """Returns a client's answer as the specification has it, with what a dishonest client would put into it."""
    nonce, key = bytes(32), (claims or identity.public).key
    context = digest("handshake", server.key, hello, key, nonce, name)
    return encode((WIRE, key, nonce, name, Y, identity.sign("handshake", encode((context, Y)))))


# -- what honest nodes get


def test_each_side_learns_who_the_other_is_and_both_see_the_same_words(group: Group, cast: Cast) -> None:
    client, server, sent = between(group, cast)
    assert (client.identity, client.name) == (cast.client.public, "Ann")
    assert (server.identity, server.name) == (cast.server.public, "Rob")
    assert client.words == server.words
    assert len(client.words) == 6
    assert not client.private
    assert not server.private
    assert max(map(len, sent)) < HELLO_BYTES


def test_every_handshake_has_words_of_its_own(group: Group, cast: Cast) -> None:
    assert between(group, cast)[0].words != between(group, cast)[0].words


def test_an_answer_made_from_the_specification_alone_is_welcome(group: Group, cast: Cast) -> None:
    asked = challenge(cast.server.public, None, cast.rng)
    client, _ = welcomed(group, asked, "Rob", by_hand(cast.client, cast.server.public, asked.hello))
    assert client.identity == cast.client.public


def test_a_known_handshake_never_changes() -> None:
    # Programs of one version must understand each other: a changed byte is a new version.
    cast = Cast("known handshake")
    client, _, sent = between(Edwards25519(), cast)
    assert [digest("sent", message).hex()[:16] for message in sent] == [
        "b768f1fead3647f0",
        "3dc41183e0cabf0e",
        "914818e8c44236ca",
    ]
    assert " ".join(client.words) == "raft fern muffin pony syrup comet"


# -- identities


def test_an_answer_that_a_man_in_the_middle_passes_on_is_refused(group: Group, cast: Cast) -> None:
    # Mallory shows the client the server's hello under an own certificate: the client signs for Mallory.
    asked = challenge(cast.server.public, None, cast.rng)
    _, message = answer(cast.client, "Ann", cast.mallory.public, asked.hello, None, cast.rng)
    with refused(Why.PROOF):
        welcomed(group, asked, "Rob", message)


def test_a_man_in_the_middle_under_an_own_key_is_betrayed_by_the_words(group: Group, cast: Cast) -> None:
    towards_client = challenge(cast.mallory.public, None, cast.rng)
    answered, message = answer(cast.client, "Ann", cast.mallory.public, towards_client.hello, None, cast.rng)
    _, reply = welcomed(group, towards_client, "Rob", message)
    client_sees, _ = accept(answered, reply)

    towards_server = challenge(cast.server.public, None, cast.rng)
    _, message = answer(cast.mallory, "Ann", cast.server.public, towards_server.hello, None, cast.rng)
    server_sees, _ = welcomed(group, towards_server, "Rob", message)
    assert client_sees.words != server_sees.words


def test_the_server_can_not_choose_the_words_after_it_has_seen_the_nonce(group: Group, cast: Cast) -> None:
    asked = challenge(cast.server.public, None, cast.rng)
    answered, message = answer(cast.client, "Ann", cast.server.public, asked.hello, None, cast.rng)
    other = Challenge(asked.server, asked.hello, cast.rng(32), None)
    _, reply = welcomed(group, other, "Rob", message)
    with refused(Why.MALFORMED):
        accept(answered, reply)


def test_a_replayed_answer_is_refused_by_the_next_challenge(group: Group, cast: Cast) -> None:
    asked = challenge(cast.server.public, None, cast.rng)
    _, message = answer(cast.client, "Ann", cast.server.public, asked.hello, None, cast.rng)
    welcomed(group, asked, "Rob", message)
    with refused(Why.PROOF):
        welcomed(group, challenge(cast.server.public, None, cast.rng), "Rob", message)


def test_who_claims_the_key_of_somebody_else_is_refused(group: Group, cast: Cast) -> None:
    asked = challenge(cast.server.public, None, cast.rng)
    message = by_hand(cast.mallory, cast.server.public, asked.hello, claims=cast.client.public)
    with refused(Why.PROOF):
        welcomed(group, asked, "Rob", message)


def test_a_key_of_small_order_is_refused(group: Group, cast: Cast) -> None:
    # Under the neutral point as a key, R = G and S = 1 is a signature of every message: anybody could be that client.
    weak, forged = PublicIdentity(bytes(IDENTITY)), bytes(GENERATOR) + (1).to_bytes(32, "little")
    weak.verify("handshake", forged, b"whatever")
    asked = challenge(cast.server.public, None, cast.rng)
    with refused(Why.PROOF):
        welcomed(group, asked, "Rob", encode((WIRE, weak.key, bytes(32), "Ann", None, forged)))


def test_a_signature_for_another_purpose_is_refused(group: Group, cast: Cast) -> None:
    asked = challenge(cast.server.public, None, cast.rng)
    fields = decode(by_hand(cast.client, cast.server.public, asked.hello))
    assert isinstance(fields, tuple)
    context = digest("handshake", cast.server.public.key, asked.hello, cast.client.public.key, bytes(32), "Ann")
    entry = cast.client.sign("entry", encode((context, None)))
    with refused(Why.PROOF):
        welcomed(group, asked, "Rob", encode((*fields[:-1], entry)))


def test_a_node_does_not_connect_to_itself(group: Group, cast: Cast) -> None:
    asked = challenge(cast.server.public, None, cast.rng)
    with refused(Why.SELF):
        answer(cast.server, "Rob", cast.server.public, asked.hello, None, cast.rng)
    with refused(Why.SELF):
        welcomed(group, asked, "Rob", by_hand(cast.server, cast.server.public, asked.hello))


@given(st.data())
def test_an_answer_with_a_changed_bit_is_refused(data: st.DataObject) -> None:
    cast = Cast("changed bit")
    asked = challenge(cast.server.public, None, cast.rng)
    _, message = answer(cast.client, "Ann", cast.server.public, asked.hello, None, cast.rng)
    bit = data.draw(st.integers(0, 8 * len(message) - 1))
    with pytest.raises(TransportError):
        welcomed(Edwards25519(), asked, "Rob", (int.from_bytes(message) ^ 1 << bit).to_bytes(len(message)))


# -- names


@pytest.mark.parametrize("name", ["Rob", "rob", "ROB", "Ｒｏｂ"])  # noqa: RUF001 - letters that only look like others.
def test_a_stolen_name_under_another_key_is_refused(group: Group, cast: Cast, name: str) -> None:
    admit = known_names({"Rob": cast.server.public})
    asked = challenge(cast.mallory.public, None, cast.rng)
    _, message = answer(cast.client, name, cast.mallory.public, asked.hello, None, cast.rng)
    with refused(Why.NAME):
        welcomed(group, asked, "Mallory", message, admit)

    answered, message = answer(cast.client, "Ann", cast.mallory.public, asked.hello, None, cast.rng)
    _, reply = welcomed(group, asked, name, message)
    with refused(Why.NAME):
        accept(answered, reply, admit)


def test_the_owner_of_a_known_name_and_everybody_else_are_admitted(cast: Cast) -> None:
    admit: Admit = known_names({"Rob": cast.server.public})
    admit(cast.server.public, "Rob")
    admit(cast.client.public, "Ann")
    anyone(cast.mallory.public, "Rob")


IMPOSSIBLE_NAMES = ["", " ", "Ann ", "A\nnn", "A\x1b[2Jnn", "A\u202enn", 65 * "n", 22 * "€"]


@pytest.mark.parametrize("name", IMPOSSIBLE_NAMES)
def test_an_impossible_name_is_refused_by_both_sides(group: Group, cast: Cast, name: str) -> None:
    asked = challenge(cast.server.public, None, cast.rng)
    with refused(Why.MALFORMED):
        welcomed(group, asked, "Rob", by_hand(cast.client, cast.server.public, asked.hello, name=name))
    answered, _ = answer(cast.client, "Ann", cast.server.public, asked.hello, None, cast.rng)
    with refused(Why.MALFORMED):
        accept(answered, encode((WIRE, name, asked.opening, None)))
    with pytest.raises(LocalError):
        answer(cast.client, name, cast.server.public, asked.hello, None, cast.rng)


# -- versions and garbage


def test_another_version_is_named_to_both_sides_whatever_follows_it(group: Group, cast: Cast) -> None:
    newer = encode(("p2p-sheriff/99", "nobody knows yet", 17))
    asked = challenge(cast.server.public, None, cast.rng)
    answered, _ = answer(cast.client, "Ann", cast.server.public, asked.hello, None, cast.rng)
    for read in (
        lambda: answer(cast.client, "Ann", cast.server.public, newer, None, cast.rng),
        lambda: welcomed(group, asked, "Rob", newer),
        lambda: accept(answered, newer),
    ):
        with refused(Why.VERSION) as caught:
            read()
        assert "p2p-sheriff/3" in str(caught.value)
        assert "p2p-sheriff/99" in str(caught.value)


GARBAGE = [
    b"",
    b"\x00",
    b"\xff" * 40,
    encode(None),
    encode(()),
    encode((WIRE,)),
    encode(("another-game/1", b"")),
    encode((WIRE, bytes(31), False)),
    encode((WIRE, bytes(32), 0)),
    encode((WIRE, bytes(32), False, False)),
    encode((WIRE, bytes(32), bytes(31), "Ann", None, bytes(64))),
    encode((WIRE, bytes(32), bytes(32), "Ann", None, bytes(63))),
    encode((WIRE, bytes(32), bytes(32), "Ann", False, bytes(64))),
    encode((WIRE, "Rob", bytes(31), None)),
    encode((WIRE, "Rob", bytes(32), 1)),
    encode((WIRE, bytes(HELLO_BYTES))),
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_refused_in_every_step(group: Group, cast: Cast, garbage: bytes) -> None:
    asked = challenge(cast.server.public, None, cast.rng)
    answered, _ = answer(cast.client, "Ann", cast.server.public, asked.hello, None, cast.rng)
    with refused(Why.MALFORMED):
        answer(cast.client, "Ann", cast.server.public, garbage, None, cast.rng)
    with refused(Why.MALFORMED):
        welcomed(group, asked, "Rob", garbage)
    with refused(Why.MALFORMED):
        accept(answered, garbage)


# -- goodbyes


@given(st.sampled_from(Why), st.text(max_size=MAX_DETAIL))
def test_a_reason_reaches_the_other_side_without_what_could_confuse_a_terminal(why: Why, detail: str) -> None:
    try:
        sent = Farewell(why, detail).to_bytes()
    except LocalError:  # Lone surrogates are no text.
        return
    received = Farewell.from_bytes(sent)
    assert received.why is why
    assert received.by_peer
    assert received.detail == clean(detail)[:MAX_DETAIL]
    assert translated(received.phrase).isprintable()


def test_the_longest_goodbye_fits_into_a_handshake() -> None:
    assert len(Farewell(Why.UNREACHABLE, 1000 * "\U0001f9c0").to_bytes()) <= HELLO_BYTES


@pytest.mark.parametrize("data", [b"", encode(()), encode(("left",)), encode(("because", "")), encode(("left", 1))])
def test_a_goodbye_that_says_nothing_is_malformed(data: bytes) -> None:
    with pytest.raises(MalformedError):
        Farewell.from_bytes(data)
