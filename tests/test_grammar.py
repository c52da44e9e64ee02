"""The grammar of messages is the one that the types write, and what the codec takes is what matches it."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.node.wire import from_bytes, to_bytes
from p2p_sheriff.session.acts import FREE, Payload
from protocol import hashing
from protocol.ballots import Vote
from protocol.charter import Charter
from protocol.cipher import set_digest
from protocol.codec import Value, decode, encode
from protocol.errors import MalformedError
from protocol.group import Edwards25519
from protocol.typed import Codec
from tests.cases import SEED
from tests.cddl import Name, Rules, spoiled
from tests.grammar import FILE, written
from tests.node.test_wire import MESSAGES
from tests.table.transcripts import finished_game
from tests.test_specification import PAGE

GROUP = Edwards25519()
RULES = Rules(written())
ROOTS = {"node-message", "entry", "hashed", "pledged"}
"""What no other rule names."""


def test_the_grammar_is_the_one_that_the_types_write() -> None:
    assert FILE.read_text("utf-8") == written(), "run python -m tests.grammar"


def test_every_name_has_a_rule_and_every_rule_is_named() -> None:
    named = {name for rule in RULES.rules.values() for name in RULES.named(rule)}
    plain = {"nil", "bool", "int", "uint", "bstr", "tstr"}
    assert named - plain == RULES.rules.keys() - ROOTS


READERS: dict[str, Callable[[Any], object]] = {
    "payload": Payload.from_value,
    "free": FREE.read,
    "vote": Codec[Vote](Vote).read,
}
"""What is read by its form alone."""


def is_read(read: Callable[[Any], object], value: Value) -> bool:
    try:
        read(value)
    except MalformedError:
        return False
    return True


@pytest.mark.parametrize("name", READERS)
def test_the_codec_takes_a_value_exactly_if_it_matches_the_grammar(name: str) -> None:
    random, seen = Random(f"{SEED} {name}"), set[bool]()
    for _ in range(3000):
        value = RULES.sample(name, random)
        assert RULES.matches(name, value)
        assert is_read(READERS[name], value), value
        changed = spoiled(value, random)
        assert is_read(READERS[name], changed) == RULES.matches(name, changed), changed
        seen.add(RULES.matches(name, changed))
    assert seen == {True, False}, "some changes leave a value of the grammar, others don't"


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_what_nodes_say_matches_and_what_is_read_of_anything_else_does_too(message: Any) -> None:
    value, random = decode(to_bytes(message)), Random(f"{SEED} {message}")
    assert RULES.matches("node-message", value)
    for _ in range(200):
        changed = spoiled(value, random)
        if is_read(lambda one: from_bytes(GROUP, encode(one)), changed):
            assert RULES.matches("node-message", changed), changed


def test_a_played_game_matches_charter_entries_and_all_that_was_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = finished_game()
    assert RULES.matches("charter", decode(game.charter.to_bytes()))
    assert all(RULES.matches("entry", decode(entry)) for entry in game.entries)
    hashed, plain = list[Any](), hashing.sha512

    def spy(data: bytes) -> bytes:
        match decode(data) if data.startswith(b"\x93" + encode(hashing.PROTOCOL)) else None:
            case (hashing.PROTOCOL, str(tag), tuple(fields)):
                hashed.append((hashing.PROTOCOL, tag, fields))
            case _:
                pass
        return plain(data)

    monkeypatch.setattr(hashing, "sha512", spy)
    set_digest.cache_clear()
    Charter.from_bytes(GROUP, game.charter.to_bytes()).proposal.commit_nonce(0, bytes(32))
    assert isinstance(audit(game.content, GROUP).verdict, Valid)
    tags = {tag for _, tag, _ in hashed}
    assert tags >= {"proposal", "charter", "roster", "entry", "context", "card-set", "commitment", "coin", "result"}
    for value in hashed:
        assert RULES.matches("hashed", value), value
    operations = {fields[8] for _, tag, fields in hashed if tag == "context"}
    assert operations >= {"shuffle", "gather", "deal", "rearrange", "claim"}
    assert operations <= set(re.findall(r"^\| `[^|]*\| `(\w+)` \|", PAGE, re.MULTILINE)), "one table has them all"


def test_an_entry_that_takes_no_step_says_nothing_of_a_step() -> None:
    game = finished_game()
    body: Any = decode(game.signed[0].body)
    assert RULES.matches("slot-body", body)
    for changed in ((*body[:4], None, body[5]), (2, *body[1:]), (*body, None), (*body[:4], True, body[5])):
        assert not RULES.matches("slot-body", changed)
        assert not RULES.matches("free-body", changed)


def test_a_grammar_with_two_rules_of_a_name_or_foreign_signs_is_refused() -> None:
    for text in ("a = int\na = bstr", "a = {b: int}", "a = [int", 'a = tstr .regexp "a+"'):
        with pytest.raises(ValueError, match=r"two rules|language|expected|characters"):
            Rules(text)
    assert Rules("a = [1*2 int, b]\nb = tstr").rules["b"] == Name("tstr")
