"""Keys in the lobby: what they change, what they want, and what they say if they can do nothing."""

from dataclasses import replace

import pytest

from p2p_sheriff import bots
from p2p_sheriff.fronts.tui.lobby import LobbyScreen
from p2p_sheriff.fronts.tui.screen import AskHelp, Leave, SeeAgain, Wish, draw
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.rules import Edition, Setup
from p2p_sheriff.seat import hall as halls
from p2p_sheriff.seat.hall import Awaited, Hall
from p2p_sheriff.seat.intents import (
    AddBot,
    Arrange,
    BeReady,
    Dial,
    GoPrivate,
    Join,
    LeaveTable,
    MuteMember,
    OpenTable,
    Rename,
    Resume,
    SayAtTable,
    SendAway,
    ShowPurse,
    StartTutorial,
    Watch,
)
from p2p_sheriff.seat.settings import Tempo
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.terms import OPTIONS
from p2p_sheriff.texts import LANGUAGES, Texts
from tests.fronts.tui.halls import (
    BUSY,
    CROWD,
    EMPTY,
    GUEST,
    KIM,
    MARIAN,
    OWN,
    PAST,
    TUCK,
    WILL,
    member,
    person,
    seated,
    table,
)

HAGGLE, PACE, LEVEL, PRIVATE = range(2 + len(OPTIONS), 6 + len(OPTIONS))
"""The lines of the form for a table that stand below the options."""

WORDS = Words()


def press(hall: Hall | LobbyScreen, *keys: str) -> tuple[LobbyScreen, list[Wish]]:
    lobby = hall if isinstance(hall, LobbyScreen) else LobbyScreen(hall, WORDS)
    wanted: list[Wish] = []
    for key in keys:
        screen, intents = lobby.press(key)
        assert isinstance(screen, LobbyScreen)
        lobby = screen
        wanted += intents
    return lobby, wanted


def wanted(hall: Hall | LobbyScreen, *keys: str) -> list[Wish]:
    return press(hall, *keys)[1]


def said(hall: Hall | LobbyScreen, *keys: str) -> str:
    lobby, intents = press(hall, *keys)
    assert not intents
    assert lobby.notice is not None
    return lobby.notice.text


def shown(lobby: LobbyScreen, width: int = 80, height: int = 24) -> str:
    return draw(lobby, width, height, WORDS).to_text()


# -- the lobby


def test_enter_sits_down_at_the_chosen_table_or_looks_on_at_the_chosen_game() -> None:
    first, second = BUSY.tables
    assert wanted(BUSY, "enter") == [Join(first.id)]
    assert wanted(BUSY, "down", "enter") == [Join(second.id)]
    assert wanted(BUSY, "down", "down", "down", "enter") == [Watch(BUSY.games[0].id)]


def test_what_is_chosen_stays_chosen_while_tables_come_and_go() -> None:
    lobby, _ = press(BUSY, "down")
    fresh = table("A new table", Setup(3), member(person("Alan")))
    lobby = lobby.seeing(replace(BUSY, tables=(fresh, *BUSY.tables)))
    assert wanted(lobby, "enter") == [Join(BUSY.tables[1].id)]
    assert "“A new table” is open." in shown(lobby)
    lobby = lobby.seeing(replace(BUSY, tables=(fresh,), games=()))
    assert "“Marian's table” is not open any more." in lobby.news
    assert wanted(lobby, "enter") == [Join(fresh.id)]


def test_a_full_table_and_an_empty_list_can_not_be_joined_and_say_so() -> None:
    full = table("Full", Setup(3), member(MARIAN), member(TUCK), member(WILL))
    assert "full" in said(replace(BUSY, tables=(full,)), "enter")
    assert "no table" in said(EMPTY, "enter")


def test_a_click_chooses_and_a_second_one_joins() -> None:
    lobby = LobbyScreen(BUSY, WORDS)
    picture = draw(lobby, 80, 24, WORDS)
    y = next(y for y, line in enumerate(picture.to_text().split("\n")) if "Will's table" in line)
    key = picture.key_at(6, y)
    assert key == "row:1"
    lobby, intents = press(lobby, key)
    assert intents == []
    assert wanted(lobby, key) == [Join(BUSY.tables[1].id)]


def test_every_key_at_the_bottom_can_be_clicked_and_means_something() -> None:
    for hall in (EMPTY, BUSY, OWN, GUEST):
        picture = draw(LobbyScreen(hall, WORDS), 120, 40, WORDS)
        keys = {picture.key_at(x, 39) for x in range(120)} - {None}
        assert len(keys) >= 4
        for key in keys:
            lobby, intents = press(hall, str(key))
            unknown = lobby.notice is not None and "does nothing" in lobby.notice.text
            assert not unknown, key
            assert intents or lobby.dialogue or lobby.notice, key


@pytest.mark.parametrize(
    ("keys", "intent"),
    [
        (("o", "enter"), OpenTable(Setup(4), tempo=Tempo())),
        (
            ("o", "5", "down", "down", "space", "enter"),
            OpenTable(Setup(5, options=frozenset({"royal"})), tempo=Tempo()),
        ),
        (("o", "field:3", "enter"), OpenTable(Setup(4, options=frozenset({"timer"})), tempo=Tempo())),
        (("o", "right", "right", "right", "enter"), OpenTable(Setup(3), tempo=Tempo())),
        (("o", "down", "left", "enter"), OpenTable(Setup(4, Edition.FIRST), tempo=Tempo())),
        (("b", "field:1", "field:1", "enter"), OpenTable(Setup(4), with_bots=True, tempo=Tempo())),
        (("o", "left", "field:6", "enter"), OpenTable(Setup(3, options=frozenset({"black-market"})), tempo=Tempo())),
        (
            ("o", "field:4", "field:4", "field:5", "enter"),
            OpenTable(Setup(4, options=frozenset({"seven"})), tempo=Tempo()),
        ),
        (("o", f"field:{PRIVATE}", "down", *"a b c", "enter"), OpenTable(Setup(4), False, "a b c", tempo=Tempo())),
        (("b", "3", "enter"), OpenTable(Setup(3), with_bots=True, tempo=Tempo())),
        (("o", f"field:{HAGGLE}", "enter"), OpenTable(Setup(4), tempo=Tempo(haggle=45))),
        (("o", *["down"] * HAGGLE, *["left"] * 3, "enter"), OpenTable(Setup(4), tempo=Tempo(haggle=90))),
        (("o", *["down"] * PACE, "left", "enter"), OpenTable(Setup(4), tempo=Tempo(pace=1.0))),
        (("b", f"field:{LEVEL}", "enter"), OpenTable(Setup(4), with_bots=True, tempo=Tempo(level="easy"))),
        (("o", *["down"] * LEVEL, "left", "enter"), OpenTable(Setup(4), tempo=Tempo(level="hard"))),
        (
            ("b", *["down"] * HAGGLE, "right", "down", "right", "right", "enter"),
            OpenTable(Setup(4), with_bots=True, tempo=Tempo(4.0, 45)),
        ),
        (("c", *"10.0.0.7:41000", "enter"), Dial("10.0.0.7", 41000)),
        (("p", *"bosco", "enter"), GoPrivate("bosco")),
        (("n", "backspace", "t", "enter"), Rename("Kit")),
        (("q",), Leave()),
        (("c-c",), Leave()),
        (("?",), AskHelp()),
        (("t",), StartTutorial()),
    ],
)
def test_keys_of_the_lobby_want_this(keys: tuple[str, ...], intent: Wish) -> None:
    assert wanted(EMPTY, *("space" if key == " " else key for key in keys)) == [intent]


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (("z",), "z does nothing now"),
        (("o", "7"), "3 to 6"),
        (("o", f"field:{PRIVATE}", "enter"), "needs a passphrase"),
        (("c", *"10.0.0.7", "enter"), "host and a port"),
        (("c", *"10.0.0.7:99999", "enter"), "host and a port"),
        (("p", "enter"), "Type the passphrase"),
        (("n", *["backspace"] * 3, "enter"), "A name has"),
    ],
)
def test_what_can_not_be_done_explains_itself(keys: tuple[str, ...], sentence: str) -> None:
    assert sentence in said(EMPTY, *keys)


def test_escape_closes_what_lies_over_the_lobby_and_asks_before_quitting() -> None:
    for key in ("o", "b", "c", "p", "n"):
        lobby, intents = press(EMPTY, key, "escape")
        assert (lobby.dialogue, intents) == (None, [])
    assert wanted(EMPTY, "escape") == []
    assert wanted(EMPTY, "escape", "n") == []
    assert wanted(EMPTY, "escape", "enter") == [Leave()]


def test_in_private_p_leads_back_to_everybody_after_a_question() -> None:
    assert wanted(CROWD, "p", "enter") == [GoPrivate("")]
    assert "private" in shown(LobbyScreen(CROWD, WORDS), 120, 40)


def test_an_interrupted_game_goes_on_with_a_key_that_means_nothing_otherwise() -> None:
    interrupted = replace(BUSY, interrupted=True)
    assert wanted(interrupted, "g") == [Resume()]
    assert "go on with it with g" in shown(LobbyScreen(interrupted, WORDS))
    assert "g does nothing now" in said(BUSY, "g")


def test_a_past_game_is_chosen_to_be_seen_again_and_without_one_the_key_means_nothing() -> None:
    assert wanted(PAST, "h", "down", "enter") == [SeeAgain(PAST.past[1].path)]
    assert wanted(PAST, "h", "row:2", "enter") == [SeeAgain(PAST.past[2].path)]
    assert wanted(PAST, "h", *["down"] * 99, "up", "enter") == [SeeAgain(PAST.past[-2].path)]
    lobby, intents = press(PAST, "h", "escape")
    assert (lobby.dialogue, intents) == (None, [])
    assert "Kim, Marian, Tuck" in shown(press(PAST, "h")[0])
    assert "h does nothing now" in said(BUSY, "h")


def test_a_passphrase_is_in_no_repr() -> None:
    assert "bosco" not in repr(OpenTable(Setup(3), False, "bosco"))
    assert "bosco" not in repr(GoPrivate("bosco"))


def test_the_styles_are_those_of_the_bots() -> None:
    assert halls.STYLES == bots.STYLES


# -- at a table


@pytest.mark.parametrize(
    ("keys", "intent"),
    [
        (("r",), BeReady(True)),
        (("b", "enter"), AddBot(None)),
        (("b", "2", "enter"), AddBot("smuggler")),
        (("b", "down", "enter"), AddBot("honest")),
        (("row:4", "row:4", "row:4"), AddBot("shrewd")),
        (("p", "backspace", "5", "enter"), ShowPurse(125)),
        (("p", *["backspace"] * 3, "enter"), ShowPurse(None)),
        (("down", "x", "enter"), SendAway(MARIAN.identity)),
        (("down", "down", "x"), SendAway(person("Robin").identity)),
        (("t", *"hello", "enter"), SayAtTable("hello")),
        (("down", "m"), MuteMember(MARIAN.identity, True)),
        (("q", "enter"), LeaveTable()),
        (("f1",), AskHelp()),
    ],
)
def test_keys_at_the_own_table_want_this(keys: tuple[str, ...], intent: Wish) -> None:
    assert wanted(OWN, *keys) == [intent]


def test_what_is_written_at_a_table_is_seen_before_it_is_said_and_escape_says_nothing() -> None:
    lobby, intents = press(OWN, "t", *"hello")
    assert intents == []
    assert "hello▌" in shown(lobby)
    assert wanted(lobby, "escape") == []
    assert press(lobby, "escape")[0].dialogue is None
    assert press(OWN, "t", "enter")[0].notice is not None
    assert "Marian: good evening" in shown(LobbyScreen(OWN, WORDS).hearing("Marian: good evening"))


def test_who_is_muted_is_heard_again_by_the_same_key_and_the_key_says_so() -> None:
    muted = replace(OWN, muted=frozenset({MARIAN.identity}))
    lobby, _ = press(muted, "down")
    assert "m  hear again" in shown(lobby, 120, 40)
    assert wanted(lobby, "m") == [MuteMember(MARIAN.identity, False)]
    assert "hear again" not in shown(LobbyScreen(muted, WORDS), 120, 40)
    assert wanted(GUEST, "m") == [MuteMember(MARIAN.identity, True)]  # Everybody may, not only who opened the table.


def clickable(lobby: LobbyScreen, words: Words) -> set[str]:
    """Returns the keys that the last lines of the smallest window name."""
    picture = draw(lobby, 80, 24, words)
    return {str(picture.key_at(x, y)) for x in range(80) for y in (21, 22, 23)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_smallest_window_names_every_key_of_a_table(language: str) -> None:
    words = Words(Texts.of(language))
    assert clickable(LobbyScreen(OWN, words), words) >= {*"rbst?xmudpq"}
    assert clickable(LobbyScreen(GUEST, words), words) >= {*"rt?mpq"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("hall", [EMPTY, BUSY, replace(PAST, interrupted=True, private=True)])
def test_the_smallest_window_names_every_key_of_the_lobby(hall: Hall, language: str) -> None:
    words = Words(Texts.of(language))
    keys = clickable(LobbyScreen(hall, words), words)
    assert keys >= {*"obt?cpnmq", *("gh" if hall.interrupted else ""), *(["enter"] if hall.tables else [])}


def test_what_lies_behind_a_dialogue_does_not_move_when_it_opens() -> None:
    lobby, _ = press(BUSY, "c")
    last_lines = {shown(one).split("\n")[-5][:20] for one in (lobby, LobbyScreen(BUSY, WORDS))}
    assert last_lines == {f"╰{'─' * 19}"}


def test_the_form_says_how_fast_the_bots_will_be() -> None:
    lobby, _ = press(EMPTY, "o", f"field:{HAGGLE}", f"field:{PACE}")
    text = shown(lobby)
    assert "◀ 45 s ▶" in text
    assert "◀ 2.5 s ▶" in text


def test_seats_are_moved_up_and_down_and_the_mark_goes_along() -> None:
    kim, marian, robin = KIM.identity, MARIAN.identity, person("Robin").identity
    lobby, intents = press(OWN, "d")
    assert intents == [Arrange((marian, kim, robin))]
    assert OWN.table is not None
    arranged = tuple(OWN.table.members[place] for place in (1, 0, 2))
    lobby = lobby.seeing(replace(OWN, table=replace(OWN.table, members=arranged)))
    assert lobby.news[-1] == "The seats are arranged: Marian, Kim, Robin."
    assert wanted(lobby, "d") == [Arrange((marian, robin, kim))]
    assert "at the end" in said(OWN, "u")


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (("x",), "That is you"),
        (("m",), "That is you"),
        (("s",), "2 seats are still free"),
        (("p", "backspace", "x", "enter"), "whole number"),
        (("p", *"999999999999", "enter"), "at most 1000000000"),
        (("w",), "w does nothing"),
    ],
)
def test_what_can_not_be_done_at_the_own_table_explains_itself(keys: tuple[str, ...], sentence: str) -> None:
    assert sentence in said(OWN, *keys)


@pytest.mark.parametrize("key", ["b", "x", "delete", "u", "d", "s"])
def test_a_guest_is_told_who_may_do_that(key: str) -> None:
    assert said(GUEST, key) == "Only Marian, who opened the table, can do that."


@pytest.mark.parametrize("key", ["q", "escape", "c-c"])
def test_who_sits_with_others_is_asked_before_leaving_and_who_is_alone_or_has_no_seat_yet_is_not(key: str) -> None:
    bots_only = seated(EMPTY, table("Kim's table", Setup(3), member(KIM), member(TUCK)), Tuck="shrewd")
    for hall, question in (
        (GUEST, "Leave the table?"),
        (OWN, "Close the table? Marian and Robin would have to go."),
        (bots_only, "Close the table? Tuck would have to go."),
    ):
        lobby, intents = press(hall, key)
        assert intents == []
        assert question in shown(lobby)
        assert wanted(lobby, "escape") == []
        assert wanted(lobby, "enter") == [LeaveTable()]
    alone = seated(EMPTY, table("Kim's table", Setup(3), member(KIM)))
    asking = seated(BUSY, table("Marian's table", Setup(3), member(MARIAN)))
    for hall in (alone, asking):
        assert wanted(hall, key) == [LeaveTable()]


def test_start_makes_the_opener_ready_when_only_they_are_missing() -> None:
    others = (member(MARIAN, ready=True), member(TUCK, ready=True))
    full = seated(BUSY, table("Kim's table", Setup(3), member(KIM), *others))
    assert wanted(full, "s") == [BeReady(True)]
    assert "Everybody waits for you" in shown(LobbyScreen(full, WORDS))
    waiting = seated(BUSY, table("Kim's table", Setup(3), member(KIM), member(MARIAN), member(TUCK)))
    assert said(waiting, "s") == "Not ready yet: Marian and Tuck."


def test_who_is_asked_for_and_whom_the_table_waits_for_is_always_said() -> None:
    asking = seated(BUSY, table("Marian's table", Setup(3), member(MARIAN)))
    assert "Asking Marian for a seat" in shown(LobbyScreen(asking, WORDS))
    assert "Waiting for Tuck to be ready" in shown(LobbyScreen(GUEST, WORDS))
    ready = (member(MARIAN, ready=True), member(KIM, ready=True), member(TUCK, ready=True))
    complete = seated(BUSY, table("Marian's table", Setup(3), *ready))
    assert "the game begins" in shown(LobbyScreen(complete, WORDS))
    cut_off = replace(complete, people=(MARIAN,))
    assert "Waiting for the connection with Tuck" in shown(LobbyScreen(cut_off, WORDS))
    assert "not connected" in shown(LobbyScreen(cut_off, WORDS))


def test_news_tell_who_sits_down_is_ready_shows_a_purse_and_leaves() -> None:
    before = seated(BUSY, table("Kim's table", Setup(4), member(KIM), member(TUCK, ready=True)))
    lobby = LobbyScreen(before, WORDS)
    lobby = lobby.seeing(seated(BUSY, table("Kim's table", Setup(4), member(KIM), member(TUCK), member(MARIAN, 7))))
    assert lobby.news == (
        "Tuck is not ready any more.",
        "Marian sits down.",
        "Marian claims to carry 7 coins.",
        "1 seat is free.",
    )
    lobby = lobby.seeing(seated(BUSY, table("Kim's table", Setup(4), member(KIM), member(MARIAN, ready=True))))
    assert lobby.news[4:] == (
        "Tuck has left the table.",
        "Marian does not say what they carry.",
        "Marian is ready.",
        "2 seats are free.",
    )


def test_whoever_claims_the_most_is_first_sheriff_and_the_lot_decides_otherwise() -> None:
    def sheriff(*purses: int | None) -> str:
        members = [member(who, purse) for who, purse in zip((KIM, MARIAN, TUCK), purses, strict=True)]
        text = shown(LobbyScreen(seated(BUSY, table("Kim's table", Setup(3), *members)), WORDS))
        return next(line for line in text.split("\n") if "First sheriff" in line)

    assert "drawn by lot." in sheriff(None, None, None)
    assert "by the purse: Tuck." in sheriff(1, None, 2)
    assert "by lot among Kim and Tuck." in sheriff(2, None, 2)


def test_where_six_play_nobody_is_told_of_a_sheriff() -> None:
    text = shown(LobbyScreen(seated(BUSY, table("Kim's table", Setup(6), member(KIM))), WORDS))
    assert "Deputies: drawn by lot, two for each round." in text
    assert "everybody is deputy" in text
    assert "sheriff" not in text.lower()


def test_a_dialogue_is_closed_when_the_table_is_closed_under_it() -> None:
    lobby, _ = press(OWN, "b")
    assert lobby.seeing(BUSY).dialogue is None


def test_enter_neither_readies_nor_unreadies_whoever_sits_at_a_table() -> None:
    for hall in (OWN, *(replace(OWN, table=_with_me_ready(OWN, ready=ready)) for ready in (True, False))):
        assert wanted(hall, "enter") == []
        assert "does nothing now" in said(hall, "enter")


def _with_me_ready(hall: Hall, *, ready: bool) -> TableInfo:
    assert hall.table is not None
    members = (replace(one, ready=ready) if one.identity == hall.me.identity else one for one in hall.table.members)
    return replace(hall.table, members=tuple(members))


def test_at_a_rematch_a_bot_gets_only_the_seat_of_who_does_not_play_again() -> None:
    own = replace(table("again", Setup(3), member(KIM, ready=True)), again=bytes(32))
    may_come = Hall(KIM, table=own, awaited=(Awaited(MARIAN, has_declined=False), Awaited(TUCK, has_declined=False)))
    one_less = replace(may_come, awaited=(Awaited(MARIAN, has_declined=False), Awaited(TUCK, has_declined=True)))
    assert "Asked to play again: Marian and Tuck." in shown(LobbyScreen(may_come, WORDS))
    assert "kept for those of the last game" in said(may_come, "b")
    assert "Asked to play again: Marian." in shown(LobbyScreen(one_less, WORDS))
    assert press(one_less, "b")[0].dialogue is not None


def test_seats_for_which_bots_are_on_their_way_ask_for_none_and_say_so() -> None:
    own = table("new", Setup(4), member(KIM, ready=True))
    free, full = (Hall(KIM, table=own, coming=coming) for coming in (2, 3))
    assert shown(LobbyScreen(free, WORDS)).count("a bot is on its way") == 2
    assert "1 seat is free: wait for somebody, or add a bot with b." in shown(LobbyScreen(free, WORDS))
    assert "press b" not in shown(LobbyScreen(full, WORDS))
    assert "3 bots are on their way." in shown(LobbyScreen(full, WORDS))
    assert said(full, "b") == "3 bots are on their way."
