"""Sentences that are spoken in English deep inside, and told in the language of the player."""

import ast
import re
from pathlib import Path

import pytest

import p2p_sheriff
from p2p_sheriff.rules import NotAllowed, NotAMove, NotDemanded, Seat
from p2p_sheriff.texts import ENGLISH, Texts, refusal_sentence, translated

SOURCE = Path(p2p_sheriff.__file__).parent
ANNA = Seat(0)

# -- refusals of the rules


def refusal_templates() -> dict[str, str]:
    """Returns the sentences by which the rules refuse a player's move, as patterns, each with its place."""
    found = {}
    for file in [*(SOURCE / "rules").glob("*.py"), SOURCE / "session" / "session.py"]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            for sentence in _refusal_sentences(node):
                found[_as_pattern(sentence)] = f"{file.name}:{sentence.lineno}"
    return found


def _refusal_sentences(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Call(func=ast.Name("NotAllowed"), args=[_, sentence, *_]):
            return [sentence] if not isinstance(sentence, ast.Name) else []
        case ast.Call(func=ast.Name("NotAMove"), args=[sentence]):
            return [sentence]
        case ast.Assign(targets=[ast.Name("sentence")], value=sentence):
            return [sentence]
        case ast.Return(value=ast.Tuple(elts=[ast.Constant(str()), sentence])):  # A rule, and why it forbids this.
            return [sentence]
        case _:
            return []


def _as_pattern(sentence: ast.expr) -> str:
    match sentence:
        case ast.Constant(str() as text):
            return re.escape(text)
        case ast.JoinedStr(values):
            return "".join(_as_pattern(part) if isinstance(part, ast.Constant) else ".+" for part in values)
        case _:
            raise AssertionError(f"Not a sentence: {ast.unparse(sentence)}")


def test_every_refusal_of_the_rules_has_an_entry_and_every_entry_is_one() -> None:
    templates = refusal_templates()
    entries = {str(entry) for key, entry in ENGLISH.entries.items() if key.startswith("refusals.")}
    assert len(templates) > 80
    unknown = {
        place for pattern, place in templates.items() if not any(re.fullmatch(pattern, entry) for entry in entries)
    }
    assert not unknown
    unused = {entry for entry in entries if not any(re.fullmatch(pattern, entry) for pattern in templates)}
    assert not unused


@pytest.mark.parametrize(
    ("language", "refusal", "sentence"),
    [
        ("en", NotAllowed("5.1", "A bag holds 1 to 5 cards.", ANNA), "A bag holds 1 to 5 cards."),
        ("pl", NotAllowed("5.1", "A bag holds 1 to 5 cards.", ANNA), "Do torby wchodzi od 1 do 5 kart."),
        ("pl", NotAllowed("4.2", "You may set aside at most 3 cards.", ANNA), "Możesz odłożyć najwyżej 3 karty."),
        (
            "uk",
            NotAllowed("3.1", "That belongs to another phase: load. Now it is: end of round.", ANNA),
            "Це належить до іншої фази: пакування мішків. Зараз: добір карт до руки.",
        ),
        (
            "es",
            NotAllowed("13.2", "A trade takes three cards of one kind, of: pepper, silk.", ANNA),
            "Se cambian tres cartas de un mismo tipo, de entre: pimienta, seda.",
        ),
        ("pt", NotAllowed("7.15", "That card is no silk.", ANNA), "Essa carta não é seda."),
        (
            "pt",
            NotAllowed("7.6", "A deal already binds the officer to inspect that bag.", ANNA),
            "Outro acordo já obriga a inspecionar essa bolsa.",
        ),
        ("pl", NotAMove("There is no such seat."), "Nie ma takiego miejsca przy stole."),
        ("pl", NotDemanded("Nobody draws now."), "Nobody draws now."),
    ],
)
def test_a_refusal_is_told_in_the_language_of_the_player(
    language: str, refusal: NotAllowed | NotAMove, sentence: str
) -> None:
    assert refusal_sentence(refusal, Texts.of(language)) == sentence


# -- what lobby and node say


def said_by_lobby_and_node() -> dict[str, str]:
    """Returns all sentences in the lobby and the node, as patterns, each with its place."""
    found = {}
    for file in [SOURCE / "gathering" / "gathering.py", *(SOURCE / "node").glob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
                found[_as_pattern(node)] = f"{file.name}:{node.lineno}"
    return found


def said_to_people(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Call(func=ast.Name("LobbyError" | "Closed"), args=[ast.Constant() | ast.JoinedStr() as sentence]):
            return [sentence]
        case ast.Call(
            func=ast.Name("refusal"),
            args=[ast.Attribute(attr="PASSPHRASE" | "NAME" | "VERSION"), ast.Constant() | ast.JoinedStr() as sentence],
        ):
            return [sentence]
        case _:
            return []


def test_what_lobby_and_node_say_to_people_has_an_entry_and_every_entry_is_said() -> None:
    entries = {str(entry) for key, entry in ENGLISH.entries.items() if key.startswith("news.")}
    patterns = said_by_lobby_and_node()
    # The disk tells one half, the game that waits for it the other.
    halves = {entry.removesuffix(" The game waits for it.") for entry in entries}
    assert not {entry for entry in halves if not any(re.fullmatch(pattern, entry) for pattern in patterns)}
    asked = 0
    for file in [SOURCE / "gathering" / "gathering.py", *(SOURCE / "node").glob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for sentence in said_to_people(node):
                asked += 1
                pattern = _as_pattern(sentence)
                assert any(re.fullmatch(pattern, entry) for entry in entries), f"{file.name}:{sentence.lineno}"
    assert asked > 20


@pytest.mark.parametrize(
    ("sentence", "polish"),
    [
        ("Kim has closed the table.", "Kim zamyka stół."),
        ("You have left the table: That table is full.", "Odchodzisz od stołu: Przy tym stole nie ma miejsca."),
        (
            "the other side says: The name Kim belongs to another key here: choose another name.",
            "druga strona mówi: Imię Kim należy tu do innego klucza: wybierz inne.",
        ),
        (
            ENGLISH("news.stranger", name="Kim", own="Al"),
            Texts.of("pl")("news.stranger", name="Kim", own="Al"),
        ),
        ("What nobody ever said.", "What nobody ever said."),
    ],
)
def test_what_the_lobby_says_is_told_in_the_language_of_the_player(sentence: str, polish: str) -> None:
    assert translated(sentence, Texts.of("pl")) == polish
    assert translated(sentence) == sentence
