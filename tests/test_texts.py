import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from string import Formatter
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import p2p_sheriff
from p2p_sheriff.fronts.lines.tableau import Tableau
from p2p_sheriff.gathering.tables import Closing
from p2p_sheriff.node.farewell import Why
from p2p_sheriff.rules import (
    OPTIONS,
    Choice,
    Edition,
    Knowledge,
    Pack,
    Phase,
    Seat,
    Setup,
    View,
    apply,
    new_game,
    outcome,
)
from p2p_sheriff.rules.goods import BONUSES, goods_in_the_box
from p2p_sheriff.rules.modules.law_cards import LAWS
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.scoring import Rank
from p2p_sheriff.seat.narration import Narrator
from p2p_sheriff.seat.picture import Ground
from p2p_sheriff.session.acts import Act
from p2p_sheriff.session.passes import Collecting, Dealing, Giving, Matching, Mixing, Redealing, Remixing, Tossing
from p2p_sheriff.texts import (
    ENGLISH,
    LANGUAGES,
    Texts,
    UnknownLanguage,
    chosen,
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

PASSES = {passing.name for passing in (Mixing, Collecting, Remixing, Redealing, Matching, Dealing, Giving, Tossing)}
"""What goes around the table."""

COMPOSED = {
    "names": goods_in_the_box(),
    "goods": goods_in_the_box(),
    "crowns": {f"{rank.value}.{good}" for rank in Rank for good in BONUSES},
    "phases": {phase.name.lower() for phase in Phase},
    "begins": {"load", "declare", "inspect", "inspect_deputies", "reveal"},
    "questions": {choice.name.lower() for choice in Choice}
    | {"haggle", "name_first_deputy", "act_deputy", "share_answer", "swap"},
    "packs": {pack.value for pack in Pack},
    "laws": set(LAWS),
    "men": set(MEN),
    "lawtexts": {type(law.effect).__name__ for law in LAWS.values()},
    "lawtexts_deputies": {"PrivateStash", "Duty", "Mercy", "Toll"},
    "mentexts": set(MEN),
    "mentexts_deputies": {"Robin Hood", "Maid Marian", "Richard at the Lee"},
    "counts": {str(number) for number in range(1, 11)},
    "endings": set(Why),
    "closings": set(Closing),
}
"""The groups whose keys are put together from what the rules know, with what belongs into them."""


TESTED_APART = ("help", "verbs", "gatherverbs", "typed")
"""What is typed has tests of its own."""


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
    screens = re.compile("|".join(key for key in screen_keys() if key != r"tui\..+"))  # Which all of them would fit.
    in_catalogue: dict[str, set[str]] = {}
    for key in ENGLISH.entries:
        group, _, name = key.partition(".")
        if group == "tui":
            assert screens.fullmatch(name) or screens.fullmatch(key), key
        elif group in COMPOSED:
            in_catalogue.setdefault(group, set()).add(name)
        elif group == "waiting" and name in COMPOSED["questions"] | PASSES:
            continue  # What is asked is also waited for, and so is what goes around the table.
        elif group not in TESTED_APART:
            assert key in literals or screens.fullmatch(key), key
    assert in_catalogue == COMPOSED


def test_every_pass_can_be_waited_for_and_shows_how_far_it_is() -> None:
    for name in PASSES:
        assert {f"waiting.{name}", f"tui.progress.{name}"} <= set(ENGLISH.entries)


def test_every_act_and_every_ground_for_a_vote_has_its_words() -> None:
    acts = {f"tui.proof.{act.__name__.lower()}" for act in get_args(Act)}
    grounds = {f"parting.{ground.value}" for ground in Ground}
    assert acts | grounds <= set(ENGLISH.entries)


def screen_keys() -> Iterator[str]:
    """Yields patterns of the keys that the screens name: as they stand there, or put together in an f-string."""
    for file in source_files():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(str() as text) if re.fullmatch(r"[a-z]+\.[a-z_.]+", text):
                    yield re.escape(text)
                case ast.JoinedStr([ast.Constant(str() as begin), *_] as parts) if re.match(r"[a-z]+\.", begin):
                    yield "".join(re.escape(str(one.value)) if isinstance(one, ast.Constant) else ".+" for one in parts)


TEXTS = re.compile(r"(.*\.)?_?texts")
WORDS = re.compile(r"(.*\.)?(_?words|refusing)")
"""What is called with the key of a text, and with one of the screen's."""


def test_every_text_that_the_code_asks_for_is_there_with_its_fields() -> None:
    asked = {"": 0, "tui.": 0}
    for file in source_files():
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not call.args:
                continue
            called = ast.unparse(call.func)
            if not (
                TEXTS.fullmatch(called) or (WORDS.fullmatch(called) and file.parent.name in ("tui", "seat", "commands"))
            ):
                continue
            group = "" if TEXTS.fullmatch(called) else "tui."
            keys = [f"{group}{node.value!s}" for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)]
            if isinstance(call.args[0], ast.Constant):
                assert keys[0] in ENGLISH.entries, keys
            given_fields = {keyword.arg for keyword in call.keywords}
            for key in (key for key in keys if key in ENGLISH.entries):
                asked[group] += 1
                wanted = set().union(*map(fields, sentences(ENGLISH, key)))
                assert None in given_fields or wanted <= given_fields <= wanted | {"n"}, key
    assert asked[""] > 50
    assert asked["tui."] > 200


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


def test_marian_is_of_no_sex_where_the_name_is_a_mans() -> None:
    for language, words in {"pl": r"\b(ona|jej|nią|jest szeryfem)\b", "uk": r"\b([Вв]она|її)\b"}.items():
        texts = Texts.of(language)
        told = [text for key in texts.entries if "tutorial" in key for text in sentences(texts, key)]
        of_marian = [text for text in told if "Marian" in text]
        assert of_marian
        assert not [text for text in of_marian if re.search(words, text)]
        assert not [text for text in told if re.search(r"Tuck\w|Marian\w", text)]  # Names are not declined.


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
    table = RandomTable(Setup(players, edition, frozenset(OPTIONS)), Random(players))
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
    assert all(line.startswith(f"{name}: ") for line, name in zip(sheet, NAMES[:players], strict=False))
    assert all("{" not in line and "  " not in line for line in sheet)


@ALL
def test_the_table_says_where_the_game_stands_in_every_phase(language: str) -> None:
    texts = Texts.of(language)
    view = finished_table(3, Edition.SECOND).dealer.view(Seat(0))
    tableau = Tableau(NAMES, texts)
    headers = [tableau.table(replace(view, state=view.state.but(phase=phase)))[0] for phase in Phase]
    assert len(set(headers)) == len(headers)
    assert all(header.startswith(texts("table.round", round=view.state.round, phase="")[:-2]) for header in headers)
    before = View(new_game(Setup(3)), Knowledge(Seat(0), {}))
    assert tableau.table(before)[0] == f"{texts('table.setup')} {texts('table.deck', n=0)}"


@ALL
def test_single_lines_fit_the_screen(language: str) -> None:
    texts = Texts.of(language)
    for key in texts.entries:
        if key.startswith("questions."):
            assert len(f">>> {texts(key)}") <= COLUMNS, key
        if key.startswith("begins."):
            assert len(texts(key)) <= COLUMNS, key


# -- what can be typed


@ALL
def test_no_word_means_two_things(language: str) -> None:
    texts = Texts.of(language)
    for group in ("verbs.", "gatherverbs.", "counts."):
        meanings: dict[str, str] = {}
        for key in (key for key in texts.entries if key.startswith(group)):
            for word in {*texts.words(key), *ENGLISH.words(key)}:
                assert meanings.setdefault(fold(word), key) == key, word
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


# -- which language


@pytest.mark.parametrize(
    ("asked", "environment", "language"),
    [
        (None, {}, "en"),
        (None, {"LANG": "pl_PL.UTF-8"}, "pl"),
        (None, {"LANG": "pl_PL.UTF-8", "LC_MESSAGES": "uk_UA.UTF-8"}, "uk"),
        (None, {"LANG": "pl_PL.UTF-8", "LC_MESSAGES": "uk_UA", "LC_ALL": "pt_BR.UTF-8"}, "pt"),
        (None, {"LANG": "es", "LC_ALL": ""}, "es"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        ("uk", {"LANG": "pl_PL.UTF-8"}, "uk"),
        ("pt-BR", {}, "pt"),
        ("ES", {}, "es"),
    ],
)
def test_the_language_is_the_one_asked_for_or_that_of_the_system(
    asked: str | None, environment: dict[str, str], language: str
) -> None:
    assert chosen(asked, environment) is Texts.of(language)


@pytest.mark.parametrize("asked", ["xx", "", "../pl"])
def test_an_unknown_language_gets_a_sentence_that_lists_the_known_ones(asked: str) -> None:
    with pytest.raises(UnknownLanguage, match=r"en \(English\), es \(español\), pl \(polski\).*uk \(українська\)"):
        chosen(asked)
