"""Writes the grammar of all that is sent, from the types that the codec reads: ``python -m tests.grammar``."""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from textwrap import fill
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NewType, Union, get_args, get_origin, get_type_hints

from p2p_sheriff.gathering import pledges, tables
from p2p_sheriff.node import wire
from p2p_sheriff.rules import cards, goods, moves, scoring
from p2p_sheriff.rules.modules import packs
from p2p_sheriff.rules.phases import Purpose
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.session import acts, terms
from protocol import ballots, charter, entry, typed
from protocol.codec import Value
from protocol.coin import SHARE_BYTES
from protocol.commitment import SALT_BYTES
from protocol.group import ELEMENT_BYTES
from protocol.hashing import DIGEST_BYTES, PROTOCOL
from protocol.identity import SIGNATURE_BYTES, PublicIdentity
from protocol.proofs.context import Context
from protocol.typed import Bound

FILE: Final = Path(__file__).parents[1] / "docs" / "grammar.cddl"
WIDTH: Final = 110

HEADER: Final = """\
; What is sent, signed and hashed, as types of CDDL (RFC 8610). Written by `python -m tests.grammar` from the types that
; the program itself reads with; a test compares the two. docs/protocol.md says what it means.
;
; - Values are encoded as docs/protocol.md says (Encodings), not as CBOR: `.cbor` stands for that encoding. An `int` is
;   -2^63 .. 2^64 - 1. There are no maps.
; - Names of fields are not sent. Sizes of text are in bytes, where a pattern is given in characters.
; - What matches may still be refused: a record as a whole can be impossible, or the rules forbid it.
"""

PLAIN: Final = {bool: "bool", int: "int", str: "tstr", bytes: "bstr", NoneType: "nil"}

NAMED: Final[dict[Any, tuple[str, str]]] = {
    terms.Terms: ("terms", "What is played."),
    charter.Charter: ("charter-bytes", "A charter within another message."),
    PublicIdentity: ("key", "The public key of a player."),
    frozenset[str]: ("options", "In ascending order, each once."),
    cards.Goods: ("goods", "Goods by kind and number, each kind once, in the order of the table of goods."),
    packs.CardLine: (
        "card-line",
        "A card of a module: its name, figures, and an effect by its name with its own figures.",
    ),
    cards.Claim: ("claim", "A hidden card and the kind that its owner says, and proves, it is."),
    moves.Move: ("move", "A choice that the rules ask for."),
    acts.Request: ("request", "A word about bags that may wait until it is taken up."),
    moves.Talk | acts.Request: ("talk", "What is said of bags in a free entry."),
    acts.Act: ("act", "One part of a slot entry."),
    acts.Free: ("free", "What a free entry says."),
    ballots.Seats: ("seats", "In ascending order, each once."),
    ballots.Key: ("certificate-name", "Which certificate: its try, and the seats that it puts out."),
    pledges.TableId: ("table-id", "Random bytes."),
    pledges.Signature: ("signature", ""),
    tables.Purse: ("purse", "The cash that somebody says they carry; nil: they don't say."),
    tables.Host: ("host", "A canonical IP address without a zone; empty: where the connection comes from."),
    tables.Port: ("port", ""),
    tables.TableMessage: ("lobby-message", "Of a table that is being gathered."),
    wire.Message: ("node-message", "One frame between nodes."),
}
"""Types with a name of their own in the grammar, and what is said of them there."""

RENAMED: Final = {moves.Act: "bag-act"}
"""Records whose name something else has."""


def kebab(name: str) -> str:
    """Returns the name of a class as a name of the grammar."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


@cache
def remarks(module: str) -> dict[str, str]:
    """Returns what the source says of its classes, of their fields and of names, by `Class`, `Class.field` or name."""
    tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text("utf-8"))
    return dict(_remarks(tree, ""))


def _remarks(tree: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, str]]:
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.ClassDef):
            yield node.name, _plain((ast.get_docstring(node) or "").partition("\n")[0])
            yield from _remarks(node, f"{node.name}.")
        match node, after:
            case (
                ast.AnnAssign(ast.Name(name)) | ast.Assign([ast.Name(name)]),
                ast.Expr(ast.Constant(str(text))),
            ):
                yield prefix + name, _plain(" ".join(text.split()))
            case _:
                pass


def _plain(remark: str) -> str:
    return re.sub(r"\bNone\b", "nil", remark)


class Grammar:
    """The rules so far, in the order in which they are first needed."""

    def __init__(self) -> None:
        """Starts empty."""
        self.rules: dict[str, str] = {}
        self._meant: dict[str, object] = {}

    def add(self, name: str, body: str, remark: str = "") -> str:
        """Adds a rule, or fills one that was announced; returns its name."""
        line = f"{name} = {body}"
        if len(line) > WIDTH and "[" not in body:
            line = fill(line, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        self.rules[name] = (f"; {remark}\n" if remark else "") + f"{line}\n"
        return name

    # -- types

    def of(self, hint: Any) -> str:
        """Returns what stands for the values of a type."""
        if hint in NAMED:
            name, remark = NAMED[hint]
            if name not in self.rules:
                self.rules[name] = ""
                self.add(name, self._named(hint), remark)
            return name
        if isinstance(hint, NewType):
            name = kebab(hint.__name__)
            return self.add(name, self.of(hint.__supertype__), remarks(hint.__module__)[hint.__name__])
        if hint in (Value, typed._ANYTHING):
            return self.add("value", "nil / bool / int / bstr / tstr / [* value]", "Whatever can be encoded.")
        return PLAIN[hint] if hint in PLAIN else self._shaped(hint)

    def _named(self, hint: Any) -> str:
        if hint == terms.Terms:
            return self._terms()
        if hint == tables.Host:
            return "tstr"
        if hint is PublicIdentity:
            return f"bstr .size {ELEMENT_BYTES}"
        if hint is charter.Charter:
            return "bstr .cbor charter"
        if hint == frozenset[str]:
            return f"[* ({' / '.join(map(quoted, sorted(terms.OPTIONS)))})]"
        return self._shaped(hint)

    def _shaped(self, hint: Any) -> str:
        origin, arguments = get_origin(hint), get_args(hint)
        if origin is Annotated:
            (bound,) = hint.__metadata__
            return self._bounded(arguments[0], bound)
        if origin in (Union, UnionType):
            records: list[Any] = [one for one in arguments if is_dataclass(one) and not hasattr(one, "from_bytes")]
            said = {one: getattr(one, typed._WORD, one.__name__) for one in records if len(records) > 1}
            return " / ".join(self.record(one, said[one]) if one in said else self.of(one) for one in arguments)
        if origin is tuple:
            return f"[* {self._item(arguments[0])}]" if arguments[1:] == (...,) else self._array(arguments)
        if isinstance(hint, type) and issubclass(hint, Enum):
            body = " / ".join(quoted(member.value) for member in hint)
            return self.add(kebab(hint.__name__), body, remarks(hint.__module__)[hint.__name__])
        if is_dataclass(hint):
            return self.record(hint, getattr(hint, typed._WORD, None))
        raise LookupError(f"{hint} needs a name in the grammar")

    def _item(self, hint: Any) -> str:
        item = self.of(hint)
        return f"({item})" if " / " in item else item

    def _array(self, parts: tuple[Any, ...]) -> str:
        return f"[{', '.join(map(self.of, parts))}]"

    def _bounded(self, hint: Any, bound: Bound) -> str:
        least, most = bound.least, bound.most
        size = str(least) if least == most else f"({least}..{most})"
        if hint is int:
            return "uint" if (least, most) == (0, (1 << 64) - 1) else f"{least}..{most}"
        if hint is bytes or (hint is str and bound.measure is not len):
            return f"{PLAIN[hint]} .size {size}"
        if hint is str:
            return f'tstr .regexp "[\\\\s\\\\S]{{{least},{most}}}"'
        return f"[{least}*{most} {self._item(get_args(hint)[0])}]"

    def record(self, kind: Any, said: str | None, **changed: str) -> str:
        """Returns the name of the rule of a record: an array of its fields, behind its word if it has one."""
        name = RENAMED.get(kind, kebab(kind.__name__))
        if self._meant.setdefault(name, (kind, said)) != (kind, said):
            raise LookupError(f"two types are called {name}")
        if name in self.rules:
            return name
        self.rules[name] = ""
        return self.add(name, self.fields_of(kind, said, **changed), remarks(kind.__module__)[kind.__name__])

    def fields_of(self, kind: Any, said: str | None, **changed: str) -> str:
        """Returns the array of a record's fields; some may be written otherwise."""
        hints, told = get_type_hints(kind, include_extras=True), remarks(kind.__module__)
        lines = [(quoted(said), "")] if said is not None else []
        for field in fields(kind):
            if field.init:
                form = changed.get(field.name) or self.of(hints[field.name])
                lines.append((f"{field.name}: {form}", told.get(f"{kind.__name__}.{field.name}", "")))
        flat = f"[{', '.join(line for line, _ in lines)}]"
        if len(flat) < WIDTH and not any(remark for _, remark in lines):
            return flat
        return "".join(["[\n", *(f"  {line},{f'  ; {remark}' if remark else ''}\n" for line, remark in lines), "]"])

    # -- what is no record of the program's

    def _terms(self) -> str:
        hints = get_type_hints(Setup, include_extras=True)
        forms = {field.name: self.of(hints[field.name]) for field in fields(Setup)} | {
            "players": f"{terms.PLAYERS[0]}..{terms.PLAYERS[-1]}",
            "goods": f"[* {self.of(goods.Good)}]",
            "black_market": "[* [* tstr]]",
            "modules": f"[* [{self.of(cards.Pack)}, [* {self.of(packs.CardLine)}]]]",
            "grace": f"[{terms.ABSENT_SECONDS}, {terms.IDLE_SECONDS}]",
        }
        written: Any = terms.setup_to_value(Setup(4))
        game, pairs = written
        lines = [f"    [{quoted(name)}, {forms[name]}],\n" for name, _ in pairs]
        return "".join([f"[\n  {quoted(game)},\n  [\n", *lines, "  ],\n]"])

    def sealed(self, hint: Any) -> str:
        """Returns what stands for a type in the digest of the result: a record as pairs, in the order of its names."""
        if is_dataclass(hint):
            name, hints = f"sealed-{kebab(hint.__name__)}", get_type_hints(hint)  # type: ignore[union-attr] # A class.
            if name not in self.rules:
                self.rules[name] = ""
                pairs = [f"  [{quoted(one)}, {self.sealed(hints[one])}],\n" for one in sorted(hints)]
                self.add(name, "".join(["[\n", *pairs, "]"]), remarks(hint.__module__)[hint.__name__])  # type: ignore[union-attr]
            return name
        if get_origin(hint) is tuple:
            first, *others = get_args(hint)
            return f"[* {self.sealed(first)}]" if others == [...] else self._array(get_args(hint))
        return self.of(hint)

    def hashed(self, tag: str, *parts: str) -> str:
        """Adds what is hashed under a tag; returns its name."""
        return self.add(f"hashed-{tag}", f"[protocol, {quoted(tag)}, [{', '.join(parts)}]]")


def quoted(text: object) -> str:
    """Returns a text as it stands in the grammar."""
    return f'"{text}"'


def sections() -> Iterator[tuple[str, list[str]]]:
    """Yields the chapters of the grammar: a title, and the rules that were not needed before."""
    grammar, before = Grammar(), set[str]()
    for title, write in (
        ("The charter of a game, and what is played", _charter),
        ("Entries", _entries),
        ("What is said in a game", _payloads),
        ("Between nodes", _nodes),
        ("What is hashed: digest(tag, ..) is of the encoding of such an array", _hashed),
    ):
        write(grammar)
        yield title, [rule for name, rule in grammar.rules.items() if name not in before]
        before = set(grammar.rules)


def _charter(grammar: Grammar) -> None:
    grammar.add("charter", f"[proposal, nonces: [2*{charter.MAX_SEATS} nonce]]", "One nonce of every player.")
    grammar.record(charter.Player, None, name=f"tstr .size (0..{charter.MAX_NAME_BYTES})")
    grammar.record(charter.Proposal, None, terms=grammar.of(terms.Terms))
    grammar.add("nonce", f"bstr .size {charter.NONCE_BYTES}")


def _entries(grammar: Grammar) -> None:
    grammar.add("entry", f"[body: bstr .cbor (slot-body / free-body), signature: bstr .size {SIGNATURE_BYTES}]")
    for name, step, payload in (("slot-body", "uint", "payload"), ("free-body", "nil", "free / vote / nil")):
        game = f"bstr .size {DIGEST_BYTES}"
        body = grammar.fields_of(entry.Entry, None, game=game, step=step, payload=payload)
        grammar.add(name, body.replace("[", f"[\n  {entry.VERSION},", 1))


def _payloads(grammar: Grammar) -> None:
    grammar.record(acts.Payload, None)
    grammar.of(acts.Free)
    grammar.of(ballots.Vote)


def _nodes(grammar: Grammar) -> None:
    grammar.of(wire.Message)
    statement = {"table": "table-id", "version": "uint", "terms": "digest", "seat": "uint", "step": "pledge-step"}
    parts = ", ".join(f"{name}: {form}" for name, form in {**statement, "value": "digest"}.items())
    grammar.add("pledged", f"[{parts}]", "What the signature of a pledge is over, with the purpose `pledge`.")


def _hashed(grammar: Grammar) -> None:
    grammar.add("protocol", quoted(PROTOCOL))
    grammar.add("digest", f"bstr .size {DIGEST_BYTES}")
    place = ", ".join(f"{field.name}: {_PLACE.get(field.name, 'uint')}" for field in fields(Context))
    names = [
        grammar.hashed("proposal", "proposal"),
        grammar.hashed("charter", "proposal", "nonces: [* nonce]"),
        grammar.hashed("roster", "keys: [* key]"),
        grammar.hashed("entry", "body: bstr .cbor (slot-body / free-body)"),
        grammar.hashed("echo", "commitments: [* digest]"),
        grammar.hashed("context", place),
        grammar.hashed("card-set", "points: [* element]"),
        grammar.hashed(
            "commitment", "nonce-place / share-place", "content: bstr .size 0", f"salt: bstr .size {SALT_BYTES}"
        ),
        grammar.add(
            "hashed-bag",
            f'[protocol, "commitment", [bag-place, content: [* handle], salt: bstr .size {SALT_BYTES}]]',
        ),
        grammar.hashed("coin", "coin-place", f"shares: [* bstr .size {SHARE_BYTES}]"),
        grammar.hashed("result", "game: digest", grammar.sealed(scoring.Outcome)),
    ]
    grammar.add("element", f"bstr .size {ELEMENT_BYTES}")
    grammar.add("nonce-place", '["nonce", proposal: digest, seat]')
    grammar.add("share-place", '["coin", coin-place, seat]')
    grammar.add("coin-place", "[game: digest, round: uint, purpose: purpose, * out: seat]")
    grammar.of(Purpose)
    grammar.add("bag-place", '["bag", game: digest, round: uint, seat]')
    grammar.add("hashed", " / ".join(names), "All of them, but for those of handshakes and of what a node keeps.")


_PLACE: Final = {
    "game": "digest",
    "roster": "digest",
    "deck": "tstr",
    "previous": "digest",
    "operation": "tstr",
    "handles": "[* handle]",
}


def written() -> str:
    """Returns the grammar as it should be."""
    parts = [HEADER]
    for title, rules in sections():
        parts += [f"; -- {title}\n", *rules]
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8", newline="\n")
