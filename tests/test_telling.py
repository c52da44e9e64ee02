"""What the rules, the lobby and the node say is a value, and told in the language of the player."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import p2p_sheriff
from p2p_sheriff.gathering.tables import Closing
from p2p_sheriff.node.farewell import Farewell, Why
from p2p_sheriff.phrase import Phrase, Told, phrase_of
from p2p_sheriff.rules import NotAllowed, NotAMove, NotDemanded, Seat
from p2p_sheriff.texts import ENGLISH, LANGUAGES, Texts, refusal_sentence, translated
from p2p_sheriff.usage import UsageError

SOURCE = Path(p2p_sheriff.__file__).parent
ANNA = Seat(0)
GROUPS = ("refusals.", "news.", "store.", "troubles.", "endings.", "closings.")


def phrases() -> Iterator[tuple[str, set[str], str]]:
    """Yields every key of these groups that a call in the source begins with, its fields, and where that is."""
    for file in SOURCE.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            # The words of the screens have groups of their own.
            if isinstance(call, ast.Call) and not ast.unparse(call.func).endswith("words"):
                fields = {one.arg for one in call.keywords if one.arg and one.arg != "cheating"}
                for one in call.args[:2]:
                    if isinstance(one, ast.Constant) and str(one.value).startswith(GROUPS):
                        yield str(one.value), fields, f"{file.name}:{call.lineno}"


def fields_of(key: str) -> set[str]:
    entry = ENGLISH.entries[key]
    assert isinstance(entry, str)
    return {field for _, field, _, _ in Formatter().parse(entry) if field is not None}


def test_every_phrase_has_an_entry_with_its_fields() -> None:
    found = list(phrases())
    assert len(found) > 130
    for key, fields, place in found:
        assert key in ENGLISH.entries, place
        assert fields == fields_of(key), place


def test_every_ending_and_closing_says_nothing_but_what_it_is_about() -> None:
    for why in Why:
        assert fields_of(f"endings.{why}") <= {"detail"}
    for closing in Closing:
        assert fields_of(f"closings.{closing}") == {"name"}


@pytest.mark.parametrize(
    ("language", "refusal", "sentence"),
    [
        ("en", NotAllowed("5.1", "refusals.bag_limits", ANNA, least=1, most=5), "A bag holds 1 to 5 cards."),
        ("pl", NotAllowed("5.1", "refusals.bag_limits", ANNA, least=1, most=5), "Do torby wchodzi od 1 do 5 kart."),
        ("pl", NotAllowed("4.2", "refusals.aside_most", ANNA, n=3), "Możesz odłożyć najwyżej 3 karty."),
        (
            "uk",
            NotAllowed("3.1", "refusals.phase", ANNA, wanted="load", now="end_of_round"),
            "Це належить до іншої фази: пакування мішків. Зараз: добір карт до руки.",
        ),
        (
            "es",
            NotAllowed("13.2", "refusals.trade_three", ANNA, goods=("pepper", "silk")),
            "Se cambian tres cartas de un mismo tipo, de entre: pimienta, seda.",
        ),
        ("pt", NotAllowed("7.15", "refusals.card_is_other", ANNA, good="silk"), "Essa carta não é seda."),
        (
            "pt",
            NotAllowed("10.4", "refusals.offer_alone", ANNA),
            "Um fiscal decide por conta própria sobre essa bolsa: só vale um acordo com ele.",
        ),
        ("pl", NotAMove("refusals.offer_seat"), "Nie ma takiego miejsca przy stole."),
        ("pl", NotDemanded("Nobody draws now."), "Nikt przy stole o to nie pyta. Nobody draws now."),
        ("pl", UsageError("What is a sentence already."), "What is a sentence already."),
    ],
)
def test_a_refusal_is_told_in_the_language_of_the_player(language: str, refusal: Exception, sentence: str) -> None:
    assert refusal_sentence(refusal, Texts.of(language)) == sentence


def test_a_refusal_reads_in_a_log_as_rule_seat_key_and_fields() -> None:
    refusal = NotAllowed("5.1", "refusals.bag_limits", ANNA, least=1, most=5)
    assert str(refusal) == "rule 5.1, seat 0: refusals.bag_limits least=1 most=5"


@pytest.mark.parametrize(
    ("phrase", "polish"),
    [
        (Phrase("closings.closed", name="Kim"), "Kim zamyka stół."),
        (
            Phrase("news.left_because", reason=Phrase("news.full")),
            "Odchodzisz od stołu: Przy tym stole nie ma miejsca.",
        ),
        (
            Farewell(Why.NAME, "Kim", by_peer=True).phrase,
            "druga strona mówi: Imię Kim należy tu do innego klucza: wybierz inne.",
        ),
        (phrase_of(Told("news.full")), "Przy tym stole nie ma miejsca."),
        (phrase_of(ValueError("half a card")), "Ten węzeł ma usterkę i kończy pracę: ValueError: half a card"),
    ],
)
def test_what_the_lobby_says_is_told_in_the_language_of_the_player(phrase: Phrase, polish: str) -> None:
    assert translated(phrase, Texts.of("pl")) == polish


@given(st.sampled_from(Why), st.text(), st.sampled_from(LANGUAGES))
def test_whatever_strangers_write_what_is_told_is_one_short_printable_line(
    why: Why, detail: str, language: str
) -> None:
    told = translated(Farewell.from_bytes(Farewell(why, detail).to_bytes()).phrase, Texts.of(language))
    assert told.isprintable()
    assert len(told) < 300
