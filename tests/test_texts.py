import argparse
import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import p2p_sheriff
from p2p_sheriff.narration import Narrator
from p2p_sheriff.rules import (
    Choice,
    Edition,
    NotAllowed,
    NotAMove,
    NotDemanded,
    Phase,
    Seat,
    Setup,
    apply,
    new_game,
    outcome,
)
from p2p_sheriff.rules.goods import BONUSES, goods_in_the_box
from p2p_sheriff.rules.scoring import Rank
from p2p_sheriff.tableau import Tableau
from p2p_sheriff.texts import (
    ENGLISH,
    LANGUAGES,
    Texts,
    UnknownLanguage,
    add_language_argument,
    chosen,
    refusal_sentence,
)
from p2p_sheriff.texts.plurals import PLURALS
from p2p_sheriff.texts.vocabulary import Vocabulary, fold
from tests.rules.table import RandomTable

SOURCE = Path(p2p_sheriff.__file__).parent
DOCS = SOURCE.parent / "docs"
NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn"]
COLUMNS = 80

TRANSLATIONS = pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
ALL = pytest.mark.parametrize("language", LANGUAGES)

COMPOSED = {
    "names": goods_in_the_box(),
    "goods": goods_in_the_box(),
    "crowns": {f"{rank.value}.{good}" for rank in Rank for good in BONUSES},
    "phases": {phase.name.lower() for phase in Phase},
    "begins": {"load", "declare", "inspect", "reveal"},
    "questions": {choice.name.lower() for choice in Choice},
}
"""The groups whose keys are put together from what the rules know, with what belongs into them."""


def sentences(texts: Texts, key: str) -> list[str]:
    match texts.entries[key]:
        case str() as sentence:
            return [sentence]
        case Mapping() as forms:
            return list(forms.values())
        case _:
            return []


def fields(sentence: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(sentence) if field is not None}


def source_files() -> Iterator[Path]:
    return SOURCE.rglob("*.py")


# -- the catalogue


@TRANSLATIONS
def test_every_language_has_the_keys_of_english_with_the_same_fields(language: str) -> None:
    texts = Texts.of(language)
    assert list(texts.entries) == list(ENGLISH.entries)
    for key, entry in ENGLISH.entries.items():
        translated = texts.entries[key]
        assert isinstance(translated, tuple) == isinstance(entry, tuple), key
        wanted = set().union(*map(fields, sentences(ENGLISH, key)))
        for sentence in sentences(texts, key):
            assert fields(sentence) == wanted, key
            assert sentence.strip(), key


@ALL
def test_no_group_stands_in_two_files(language: str) -> None:
    groups = [
        line
        for file in (SOURCE / "texts").glob(f"{language}.*.toml")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith("[")
    ]
    assert sorted(groups) == sorted(set(groups))


@ALL
def test_plural_forms_are_those_of_the_language(language: str) -> None:
    texts = Texts.of(language)
    for key, entry in texts.entries.items():
        if isinstance(entry, Mapping):
            assert tuple(entry) == PLURALS[language].forms, key


def test_every_key_is_used() -> None:
    code = "\n".join(file.read_text(encoding="utf-8") for file in source_files())
    literals = set(re.findall(r"""["']([a-z]+\.[a-z_]+)["']""", code))
    in_catalogue: dict[str, set[str]] = {}
    for key in ENGLISH.entries:
        group, _, name = key.partition(".")
        if group in COMPOSED:
            in_catalogue.setdefault(group, set()).add(name)
        elif group not in ("help", "verbs", "typed", "refusals"):  # What is typed and refused has tests of its own.
            assert key in literals, key
    assert in_catalogue == COMPOSED


def test_every_text_that_the_code_asks_for_is_there_with_its_fields() -> None:
    asked = 0
    for file in source_files():
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(call, ast.Call) and re.fullmatch(r"(self\.)?_?texts", ast.unparse(call.func))):
                continue
            keys = [node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)]
            given_fields = {keyword.arg for keyword in call.keywords}
            for key in (key for key in keys if isinstance(key, str) and key in ENGLISH.entries):
                asked += 1
                wanted = set().union(*map(fields, sentences(ENGLISH, key)))
                assert None in given_fields or wanted <= given_fields <= wanted | {"n"}, key
    assert asked > 50


@ALL
def test_a_missing_key_and_a_missing_number_are_errors(language: str) -> None:
    texts = Texts.of(language)
    with pytest.raises(KeyError):
        texts("narration.sings", name="Kim")
    with pytest.raises(KeyError):
        texts("narration.draws", name="Kim")
    with pytest.raises(TypeError, match=r"narration\.draws"):
        texts("narration.draws", name="Kim", n="3")
    with pytest.raises(TypeError, match="list of words"):
        texts("verbs.say")
    with pytest.raises(TypeError, match="no list"):
        texts.words("narration.draws")


# -- plurals and goods


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", {0: "no cards", 1: "one card", 2: "two cards", 5: "five cards", 11: "11 cards"}),
        ("pl", {0: "0 kart", 1: "1 kartę", 2: "2 karty", 5: "5 kart", 12: "12 kart", 21: "21 kart", 22: "22 karty"}),
        ("uk", {0: "0 карт", 1: "1 карту", 3: "3 карти", 5: "5 карт", 11: "11 карт", 21: "21 карту", 24: "24 карти"}),
        ("pt", {0: "0 carta", 1: "1 carta", 2: "2 cartas", 21: "21 cartas"}),
        ("es", {0: "0 cartas", 1: "1 carta", 2: "2 cartas", 21: "21 cartas"}),
    ],
)
def test_words_follow_their_number(language: str, expected: dict[int, str]) -> None:
    for n, words in expected.items():
        assert words in Texts.of(language)("narration.draws", name="Kim", n=n)


@ALL
@given(n=st.integers(0, 10_000))
def test_every_number_has_one_of_the_forms(language: str, n: int) -> None:
    assert PLURALS[language].pick(n) in PLURALS[language].forms


def test_goods_are_called_as_the_rules_say_in_every_language() -> None:
    section = (DOCS / "rules.md").read_text(encoding="utf-8").partition("## 18")[2].partition("## 19")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:2] == "| "]
    languages = rows[0]
    named = {row[0]: row for row in rows if row[0] in goods_in_the_box()}
    assert set(named) == goods_in_the_box()
    for row in named.values():
        for language, name in zip(languages, row, strict=True):
            assert Texts.of(language).name(row[0]) == name


@ALL
def test_prizes_keep_their_value_and_extra_goods_their_name(language: str) -> None:
    texts = Texts.of(language)
    assert texts.name("pepper 30") == texts.good("pepper 30", 1) == f"{texts.name('pepper')} 30"
    assert texts.name("dragon eggs") == texts.good("dragon eggs", 5) == "dragon eggs"


def test_goods_are_counted_in_the_forms_of_the_language() -> None:
    some = (("apples", 1), ("cheese", 3), ("silk", 5))
    assert ENGLISH.goods(some) == "1 apple, 3 cheese, 5 silk"
    assert Texts.of("pl").goods(some) == "1 jabłko, 3 sery, 5 jedwabi"
    assert Texts.of("uk").goods(some) == "1 яблуко, 3 сири, 5 шовків"
    assert Texts.of("pt").goods(some) == "1 maçã, 3 queijos, 5 sedas"
    assert Texts.of("es").goods(some) == "1 manzana, 3 quesos, 5 sedas"


# -- a game in every language


@cache
def finished_table(players: int, edition: Edition) -> RandomTable:
    table = RandomTable(Setup(players, edition, frozenset({"black-market", "royal"})), Random(players))
    table.play()
    return table


@ALL
@pytest.mark.parametrize(("players", "edition"), [(3, Edition.FIRST), (4, Edition.SECOND), (6, Edition.SECOND)])
def test_a_whole_game_can_be_told_and_looked_at(language: str, players: int, edition: Edition) -> None:
    texts = Texts.of(language)
    table = finished_table(players, edition)
    teller, tableau = Narrator(NAMES, texts), Tableau(NAMES, texts)
    state = new_game(table.state.setup)
    lines: list[str] = []
    for item in table.inputs:
        after = apply(state, item)
        lines += teller.tell(state, item, after)
        state = after
    view = table.dealer.view(Seat(0))
    for choice in Choice:
        lines += tableau.prompt(view, choice)[1:]
    for look in ("hand", "table", "offers", "pile", "help"):
        lines += tableau.about(view, None, look)
    sheet = teller.score_sheet(outcome(state))
    assert all("{" not in line and "  " not in line for line in lines)
    assert sum(line.startswith("===") for line in lines) == state.round
    assert len({len(line) for line in sheet[: players + 1]}) == 1


@ALL
def test_single_lines_fit_the_screen(language: str) -> None:
    texts = Texts.of(language)
    for key in texts.entries:
        if key.startswith("questions."):
            assert len(f">>> {texts(key)}") <= COLUMNS, key
        if key.startswith("begins."):
            assert len(texts(key)) <= COLUMNS, key
    for key, width in {"score.gold": 6, "score.goods": 7, "score.crowns": 8, "score.total": 7}.items():
        assert len(texts(key)) <= width, key


# -- what can be typed


@ALL
def test_no_word_means_two_things(language: str) -> None:
    texts = Texts.of(language)
    verbs: dict[str, str] = {}
    for key in (key for key in texts.entries if key.startswith("verbs.")):
        for word in {*texts.words(key), *ENGLISH.words(key)}:
            assert verbs.setdefault(fold(word), key) == key, word
            assert " " not in word
    kinds: dict[str, str] = {}
    for kind in goods_in_the_box():
        for form in {*texts.forms(kind), *ENGLISH.forms(kind)}:
            assert kinds.setdefault(fold(form), kind) == kind, form


def test_goods_can_be_typed_in_any_form_with_or_without_accents() -> None:
    goods = goods_in_the_box()
    for language, words in {
        "pl": "jabłek Jablka JABŁ apple",
        "pt": "maca maçãs",
        "uk": "яблук",
        "es": "manzana",
    }.items():
        vocabulary = Vocabulary(Texts.of(language))
        for word in words.split():
            assert vocabulary.kinds(word, goods) == ["apples"], word
    assert Vocabulary(Texts.of("pl")).kinds("miody pitne", goods) == ["mead"]
    assert sorted(Vocabulary(Texts.of("es")).kinds("queso ", goods)) == ["blue cheese", "gouda"]
    assert Vocabulary(Texts.of("es")).kinds("dragones", goods) == []


@given(st.text())
def test_folding_twice_is_folding_once(word: str) -> None:
    assert fold(fold(word)) == fold(word)


# -- refusals


def refusal_templates() -> dict[str, str]:
    """Returns the sentences by which the rules refuse a player's move, as patterns, each with its place."""
    found = {}
    for file in [*(SOURCE / "rules").glob("*.py"), SOURCE / "session" / "session.py"]:
        if file.name == "plain.py":  # It reads what other programs send: no person's move leads there.
            continue
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


ANNA = Seat(0)


@pytest.mark.parametrize(
    ("language", "refusal", "sentence"),
    [
        ("en", NotAllowed("5.1", "A bag holds 1 to 5 cards.", ANNA), "A bag holds 1 to 5 cards."),
        ("pl", NotAllowed("5.1", "A bag holds 1 to 5 cards.", ANNA), "Do torby wchodzi od 1 do 5 kart."),
        ("pl", NotAllowed("4.2", "You may set aside at most 3 cards.", ANNA), "Możesz odłożyć najwyżej 3 karty."),
        (
            "uk",
            NotAllowed("3.1", "That belongs to another phase: load. Now it is: end of round.", ANNA),
            "Це належить до іншої фази: пакування. Зараз: кінець раунду.",
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


# -- which language


def options(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_language_argument(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize(
    ("arguments", "environment", "language"),
    [
        ([], {}, "en"),
        ([], {"LANG": "pl_PL.UTF-8"}, "pl"),
        ([], {"LANG": "pl_PL.UTF-8", "LC_MESSAGES": "uk_UA.UTF-8"}, "uk"),
        ([], {"LANG": "pl_PL.UTF-8", "LC_MESSAGES": "uk_UA", "LC_ALL": "pt_BR.UTF-8"}, "pt"),
        ([], {"LANG": "es", "LC_ALL": ""}, "es"),
        ([], {"LANG": "C.UTF-8"}, "en"),
        ([], {"LANG": "de_DE.UTF-8"}, "en"),
        (["--lang", "uk"], {"LANG": "pl_PL.UTF-8"}, "uk"),
        (["--lang", "pt-BR"], {}, "pt"),
        (["--lang", "ES"], {}, "es"),
    ],
)
def test_the_language_is_the_one_asked_for_or_that_of_the_system(
    arguments: list[str], environment: dict[str, str], language: str
) -> None:
    assert chosen(options(*arguments), environment) is Texts.of(language)


@pytest.mark.parametrize("asked", ["xx", "", "../pl"])
def test_an_unknown_language_gets_a_sentence_that_lists_the_known_ones(asked: str) -> None:
    with pytest.raises(UnknownLanguage, match=r"en \(English\), es \(español\), pl \(polski\).*uk \(українська\)"):
        chosen(options("--lang", asked))
