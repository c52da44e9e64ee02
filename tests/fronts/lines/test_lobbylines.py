from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.fronts.lines.lobbylines import Wish, help_for, missing, seats, understand
from p2p_sheriff.fronts.lines.understanding import Look, NotUnderstood
from p2p_sheriff.gathering.tables import MAX_PURSE, Member, TableInfo
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.conditions import conditions
from p2p_sheriff.seat.hall import Awaited, Hall, Person, changes
from p2p_sheriff.seat.intents import AddBot, Arrange, BeReady, LeaveTable, SayAtTable, SendAway, ShowPurse
from p2p_sheriff.texts import ENGLISH, LANGUAGES, Texts
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg

KIM, MARIAN, MARK, TUCK = (Identity.generate(Drbg(name)).public for name in ("Kim", "Marian", "Mark", "Tuck"))
ALL = (KIM, MARIAN, MARK, TUCK)
STYLES = ("honest", "shrewd")


def table(*members: Member, players: int = 4) -> TableInfo:
    return TableInfo(b"t" * 16, "Kim's table", Setup(players), KIM, members)


def around(me: PublicIdentity, *others: PublicIdentity) -> Hall:
    return Hall(Person(me, ""), people=tuple(Person(one, "") for one in others))


@pytest.fixture
def info() -> TableInfo:
    return table(
        Member(KIM, "Kim", "", 1, 120, ready=True), Member(MARIAN, "Marian", "", 2), Member(MARK, "Mark", "", 3, 7)
    )


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("ready", BeReady(True)),
        ("  NOT   ready ", BeReady(False)),
        ("purse 120", ShowPurse(120)),
        ("purse 1 coin", ShowPurse(1)),
        (f"purse {MAX_PURSE}", ShowPurse(MAX_PURSE)),
        ("purse none", ShowPurse(None)),
        ("seats Mark, KIM, marian", Arrange((MARK, KIM, MARIAN))),
        ("seats mark kim 2", Arrange((MARK, KIM, MARIAN))),
        ("kick maria", SendAway(MARIAN)),
        ("kick 3", SendAway(MARK)),
        ("bot", AddBot(None)),
        ("bot Shr", AddBot("shrewd")),
        ("start", Look("start")),
        ("leave", LeaveTable()),
        ("quit", LeaveTable()),
        ("who", Look("who")),
        ("options", Look("options")),
        ("help me", Look("help")),
    ],
)
def test_what_who_opened_the_table_types_is_understood(info: TableInfo, line: str, wish: Wish) -> None:
    assert understand(info, KIM, line, STYLES) == wish


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("dance", "That means nothing here. Type: ready, "),
        ("", "That means nothing here"),
        ("not", "Type: not ready"),
        ("ready steady", "Type ready alone"),
        ("purse", "how many coins"),
        ("purse -5", "how many coins"),
        ("purse ٣", "how many coins"),
        (f"purse {MAX_PURSE + 1}", "how many coins"),
        ("kick", "Who is meant"),
        ("kick mar", "Who is mar? Name them by name or seat. At the table: 1 Kim, 2 Marian, 3 Mark."),
        ("kick 4", "Who is 4"),
        ("kick ²", "Who is ²"),
        ("kick kim", "leave closes the table"),
        ("seats kim, marian", "Name everybody at the table once"),
        ("seats kim, marian, marian", "Name everybody at the table once"),
        ("seats", "Name everybody at the table once, in the order of the seats: seats Kim, Marian, Mark."),
        ("bot lazy", "no bot of the style lazy. There are: honest, shrewd."),
        ("start now", "Type start alone"),
    ],
)
def test_a_wrong_line_explains_itself(info: TableInfo, line: str, sentence: str) -> None:
    with pytest.raises(NotUnderstood) as problem:
        understand(info, KIM, line, STYLES)
    assert sentence in str(problem.value)


@pytest.mark.parametrize("line", ["seats kim, mark, marian", "kick mark", "bot", "start"])
def test_others_are_told_whose_business_it_is(info: TableInfo, line: str) -> None:
    with pytest.raises(NotUnderstood, match="Only Kim, who opened the table"):
        understand(info, MARK, line, STYLES)


def test_a_full_name_is_meant_before_the_beginning_of_another(info: TableInfo) -> None:
    longer = replace(info, members=(*info.members, Member(TUCK, "Marianne", "", 4)))
    assert understand(longer, KIM, "kick marian") == SendAway(MARIAN)


def test_who_has_the_same_name_is_told_apart_by_the_seat(info: TableInfo) -> None:
    twins = replace(info, members=(*info.members, Member(TUCK, "Mark", "", 4)))
    with pytest.raises(NotUnderstood, match="Who is mark"):
        understand(twins, KIM, "kick mark")
    assert understand(twins, KIM, "kick 4") == SendAway(TUCK)


def test_no_bot_comes_to_a_full_table(info: TableInfo) -> None:
    with pytest.raises(NotUnderstood, match="No seat is free"):
        understand(replace(info, setup=Setup(3)), KIM, "bot")


def test_at_a_rematch_it_is_said_who_may_still_come(info: TableInfo) -> None:
    awaited = (Awaited(Person(TUCK, "Tuck"), has_declined=False), Awaited(Person(MARK, "Mark"), has_declined=True))
    told = seats(info, replace(around(KIM), table=info, awaited=awaited))
    assert "Asked to play again: Tuck." in told
    assert not any("Mark." in line for line in told)


@given(st.text(max_size=40))
def test_no_line_does_more_than_being_understood_or_explained(line: str) -> None:
    info = table(Member(KIM, "Kim", "", 1), Member(MARIAN, "Marian", "", 2))
    for verb in ("", "purse ", "kick ", "seats ", "bot "):
        with suppress(NotUnderstood):
            understand(info, KIM, verb + line, STYLES)


def test_help_for_who_opened_the_table_tells_more(info: TableInfo) -> None:
    assert any(line.startswith("kick ") for line in help_for(info, KIM))
    assert not any(line.startswith("kick ") for line in help_for(info, MARK))


def test_the_terms_are_told_in_words() -> None:
    first, options, deck = conditions(Setup(4, options=frozenset({"seven", "royal"})), ENGLISH)
    assert first == "The second edition for 4 players; everybody is sheriff two times."
    assert options == "Options: royal goods are shuffled in; hands have seven cards."
    assert deck.startswith("In the deck, 216 cards: 48 apples, ")
    assert conditions(Setup(3), ENGLISH)[1] == "Options: none."


def test_the_seats_are_told_with_purses_and_who_is_ready(info: TableInfo) -> None:
    assert seats(info, around(MARIAN, KIM)) == [
        "Seat 1: Kim (opened the table), a purse of 120, ready.",
        "Seat 2: Marian (you), not ready.",
        "Seat 3: Mark (not connected), a purse of 7, not ready.",
        "1 seat is free.",
        "First sheriff by the purses: Kim.",
    ]


def test_a_tie_of_purses_and_no_purse_at_all_are_drawn_by_lot(info: TableInfo) -> None:
    tie = tuple(replace(member, purse=5) for member in info.members)
    assert seats(replace(info, members=tie), around(*ALL))[-1].endswith("drawn by lot among Kim, Marian, Mark.")
    silent = tuple(replace(member, purse=None) for member in info.members)
    assert seats(replace(info, members=silent), around(*ALL))[-1] == "First sheriff: drawn by lot."


def test_where_six_play_nobody_is_told_of_a_sheriff(info: TableInfo) -> None:
    six = replace(info, setup=Setup(6))
    assert seats(six, around(*ALL))[-1] == "Deputies: drawn by lot, two for each round."


def test_every_change_is_a_sentence(info: TableInfo) -> None:
    kim, marian, mark = info.members
    tuck = Member(TUCK, "Tuck", "", 4, 9)

    def after(*members: Member) -> list[str]:
        return changes(info, replace(info, members=members), KIM, ENGLISH)

    assert after(kim, marian, mark) == []
    assert after(kim, marian, mark, tuck) == [
        "Tuck sits down.",
        "Tuck claims to carry 9 coins.",
        "All seats are taken.",
    ]
    assert after(kim, mark) == ["Marian has left the table.", "2 seats are free."]
    assert after(kim, replace(marian, ready=True), mark) == ["Marian is ready."]
    assert after(replace(kim, ready=False), marian, mark) == ["You are not ready any more."]
    assert after(kim, marian, replace(mark, purse=None)) == ["Mark does not say what they carry."]
    assert after(replace(kim, purse=1), marian, mark) == ["You say that you carry 1 coin."]
    assert after(mark, kim, marian) == ["The seats are arranged: Mark, Kim, Marian."]


def test_who_is_missing_is_named(info: TableInfo) -> None:
    assert missing(info, around(KIM, MARIAN)) == ["1 seat is free.", "Not ready: Marian, Mark.", "Not connected: Mark."]
    ready = tuple(replace(member, ready=True) for member in info.members)
    assert missing(replace(info, setup=Setup(3), members=ready), around(KIM, MARIAN, MARK)) == []


# -- languages


def examples(texts: Texts, lines: list[str]) -> list[str]:
    """Returns the commands that the help shows, with a name and a style that there are."""
    name = texts("gather.help_kick").partition(":")[0].split()[-1]
    style = texts("gather.help_bot").partition(":")[0].split()[-1]
    shown = [command for line in lines for command in line.replace(name, "Mark").replace(style, "shrewd").split(";")]
    return [command.partition(":")[0].strip().replace("TUCK", "MARK") for command in shown]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_shows_commands_that_are_understood_and_mean_the_same(info: TableInfo, language: str) -> None:
    texts = Texts.of(language)

    def understood(speaking: Texts) -> list[Wish]:
        commands = examples(speaking, help_for(info, KIM, speaking))
        wishes = [understand(info, KIM, command, STYLES, texts) for command in commands]
        return [SayAtTable("") if isinstance(wish, SayAtTable) else wish for wish in wishes]

    assert understood(texts) == understood(ENGLISH)
    assert len(understood(ENGLISH)) == 16


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hint_shows_words_that_are_understood(info: TableInfo, language: str) -> None:
    texts = Texts.of(language)
    words = texts("gather.hint").partition(": ")[2].rstrip(".").split(", ")
    words[2] = f"{words[2].split()[0]} 7"
    wishes = [understand(info, MARK, word, STYLES, texts) for word in words]
    looks = [Look("who"), Look("options"), Look("help")]
    assert wishes == [BeReady(True), BeReady(False), ShowPurse(7), *looks, LeaveTable()]


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_a_table_is_told_in_the_language_of_the_player(info: TableInfo, language: str) -> None:
    texts = Texts.of(language)
    tuck = Member(TUCK, "Tuck", "", 4, 9, ready=True)
    after = replace(info, members=(*info.members, tuck))

    def told(speaking: Texts) -> list[str]:
        return [
            *conditions(Setup(4, options=frozenset({"seven", "royal", "missing", "black-market", "timer"})), speaking),
            *seats(info, around(MARIAN, KIM), speaking),
            *changes(info, after, KIM, speaking),
            *changes(after, info, TUCK, speaking),
            *missing(info, around(KIM, MARIAN), speaking),
        ]

    assert len(told(texts)) == len(told(ENGLISH))
    assert not set(told(texts)) & set(told(ENGLISH))
    with pytest.raises(NotUnderstood) as problem:
        understand(info, MARK, "bot", STYLES, texts)
    assert str(problem.value) == texts("gather.opener_only", name="Kim")


def test_coins_and_names_are_understood_in_the_words_of_the_player(info: TableInfo) -> None:
    polish, named = Texts.of("pl"), replace(info, members=(*info.members, Member(TUCK, "Łucja", "", 4)))
    assert understand(info, KIM, "sakiewka 5 monet", (), polish) == ShowPurse(5)
    assert understand(info, KIM, "sakiewka nic", (), polish) == ShowPurse(None)
    assert understand(named, KIM, "wypros lucja", (), polish) == SendAway(TUCK)
