from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import Value, decode, encode
from protocol.entry import MAX_ENTRY_BYTES, VERSION, Entry, Head, SignedEntry
from protocol.errors import InvalidSignatureError, LocalError, MalformedError
from protocol.hashing import digest
from tests.protocol.toy import charter_of, identities, sign

PLAYERS = identities(3)
CHARTER = charter_of(PLAYERS)
HEADS = (Head(4, bytes(range(32))), Head(7, bytes(range(32, 64))), Head(0, CHARTER.game))
ENTRY = Entry(CHARTER.game, 1, HEADS, 5, ("move", 3))
SIGNED = SignedEntry.sign(PLAYERS[1], ENTRY)

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | st.binary(max_size=40) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=10,
)


def signed_body(value: Value, seat: int = 1) -> bytes:
    """Returns the message of a seat that signs any body."""
    body = encode(value)
    return encode((body, PLAYERS[seat].sign("entry", body)))


def fields(**changes: Value) -> tuple[Value, ...]:
    plain: dict[str, Value] = {
        "version": VERSION,
        "game": CHARTER.game,
        "author": 1,
        "heads": tuple((head.length, head.hash) for head in HEADS),
        "step": 5,
        "payload": None,
    }
    return tuple((plain | changes).values())


def refused(data: bytes, match: str | None = None) -> None:
    with pytest.raises(MalformedError, match=match):
        SignedEntry.from_bytes(CHARTER, data)


@given(values, st.none() | st.integers(0, (1 << 64) - 1), st.integers(0, 2))
def test_what_is_sent_is_what_is_read(payload: Value, step: int | None, author: int) -> None:
    signed = SignedEntry.sign(PLAYERS[author], Entry(CHARTER.game, author, HEADS, step, payload))
    assert SignedEntry.from_bytes(CHARTER, signed.to_bytes()) == signed


def test_number_and_previous_entry_are_the_authors_own_head() -> None:
    assert (ENTRY.sequence, ENTRY.previous) == (7, HEADS[1].hash)


def test_the_hash_is_of_the_body_alone() -> None:
    assert SIGNED.hash == digest("entry", SIGNED.body)
    assert SIGNED.body == ENTRY.to_bytes()


def test_every_field_changes_the_hash() -> None:
    changed = [
        replace(ENTRY, game=bytes(32)),
        replace(ENTRY, author=0),
        replace(ENTRY, heads=(replace(HEADS[0], length=5), *HEADS[1:])),
        replace(ENTRY, heads=(replace(HEADS[0], hash=bytes(32)), *HEADS[1:])),
        replace(ENTRY, step=6),
        replace(ENTRY, step=None),
        replace(ENTRY, payload=("move", 4)),
    ]
    assert len({digest("entry", entry.to_bytes()) for entry in (ENTRY, *changed)}) == 8


class TestRefusedBytes:
    @given(st.binary(max_size=300))
    def test_any_bytes_are_no_entry(self, data: bytes) -> None:
        refused(data)

    def test_any_flipped_bit(self) -> None:
        data = SIGNED.to_bytes()
        for bit in range(8 * len(data)):
            flipped = (int.from_bytes(data) ^ 1 << bit).to_bytes(len(data))
            with pytest.raises((MalformedError, InvalidSignatureError)):
                SignedEntry.from_bytes(CHARTER, flipped)

    def test_truncated_or_extended(self) -> None:
        data = SIGNED.to_bytes()
        for end in range(len(data)):
            refused(data[:end])
        refused(data + b"\0")

    def test_too_long(self) -> None:
        refused(sign(CHARTER, PLAYERS[0], HEADS, bytes(MAX_ENTRY_BYTES)).to_bytes(), "at most")
        just_fits = sign(CHARTER, PLAYERS[0], HEADS, bytes(MAX_ENTRY_BYTES - 300))
        assert SignedEntry.from_bytes(CHARTER, just_fits.to_bytes()) == just_fits

    @pytest.mark.parametrize("message", [(), (b"",), (b"", b"", b""), ("", b""), (b"", None), b"", None, 7])
    def test_no_body_and_signature(self, message: Value) -> None:
        refused(encode(message))

    @pytest.mark.parametrize("body", [b"", b"\x90", b"\xc0", b"\xcc\x01"])
    def test_a_signed_body_that_is_no_entry(self, body: bytes) -> None:
        refused(encode((body, PLAYERS[1].sign("entry", body))))

    @pytest.mark.parametrize(
        ("changes", "match"),
        [
            ({"version": 2}, "version"),
            ({"version": True}, "version"),
            ({"version": "1"}, "begins with its version"),
            ({"game": bytes(32)}, "another game"),
            ({"game": None}, "Entry.game"),
            ({"author": 3}, "nobody"),
            ({"author": -1}, "nobody"),
            ({"author": True}, "Entry.author"),
            ({"author": b"\1"}, "Entry.author"),
            ({"heads": ()}, "head of every"),
            ({"heads": ((4, bytes(32)), (7, bytes(32)))}, "head of every"),
            ({"heads": ((4, bytes(32)),) * 4}, "head of every"),
            ({"heads": None}, "Entry.heads"),
            ({"heads": ((4, bytes(31)), (7, bytes(32)), (0, bytes(32)))}, "Head.hash"),
            ({"heads": ((-1, bytes(32)), (7, bytes(32)), (0, bytes(32)))}, "Head.length"),
            ({"heads": ((True, bytes(32)), (7, bytes(32)), (0, bytes(32)))}, "Head.length"),
            ({"heads": ((4, bytes(32), 0), (7, bytes(32)), (0, bytes(32)))}, "Head stands as"),
            ({"heads": ((4, "hash"), (7, bytes(32)), (0, bytes(32)))}, "Head.hash"),
            ({"step": -1}, "Entry.step"),
            ({"step": True}, "Entry.step"),
            ({"step": "5"}, "Entry.step"),
        ],
    )
    def test_a_signed_entry_with_a_wrong_field(self, changes: dict[str, Value], match: str) -> None:
        SignedEntry.from_bytes(CHARTER, signed_body(fields()))
        refused(signed_body(fields(**changes)), match)

    def test_a_signed_entry_with_a_field_too_many_or_too_few(self) -> None:
        refused(signed_body((*fields(), None)))
        refused(signed_body(fields()[:-1]))


class TestRefusedSignatures:
    def attempt(self, body: bytes, signature: bytes) -> None:
        with pytest.raises(InvalidSignatureError):
            SignedEntry.from_bytes(CHARTER, encode((body, signature)))

    def test_of_another_seat(self) -> None:
        self.attempt(SIGNED.body, PLAYERS[0].sign("entry", SIGNED.body))

    def test_for_another_purpose(self) -> None:
        self.attempt(SIGNED.body, PLAYERS[1].sign("vote", SIGNED.body))

    def test_of_another_entry(self) -> None:
        self.attempt(replace(ENTRY, step=6).to_bytes(), SIGNED.signature)

    @pytest.mark.parametrize("length", [0, 63, 65, 128])
    def test_of_another_length(self, length: int) -> None:
        self.attempt(SIGNED.body, (SIGNED.signature * 2)[:length])

    def test_an_entry_names_its_author_so_the_same_words_of_two_seats_are_two_entries(self) -> None:
        first, second = (sign(CHARTER, PLAYERS[seat], HEADS, "words") for seat in (0, 1))
        assert first.hash != second.hash


def test_an_entry_of_another_charter_with_the_same_players_is_refused() -> None:
    elsewhere = charter_of(PLAYERS, seed="another evening")
    data = SignedEntry.sign(PLAYERS[1], replace(ENTRY, game=elsewhere.game)).to_bytes()
    SignedEntry.from_bytes(elsewhere, data)
    refused(data, "another game")


def test_a_payload_nested_too_deeply_cant_be_signed() -> None:
    payload: Value = None
    for _ in range(20):
        payload = (payload,)
    with pytest.raises(LocalError):
        sign(CHARTER, PLAYERS[0], HEADS, payload)


def test_the_layout_on_the_wire() -> None:
    assert decode(SIGNED.to_bytes()) == (SIGNED.body, SIGNED.signature)
    assert decode(SIGNED.body) == fields(payload=("move", 3))
