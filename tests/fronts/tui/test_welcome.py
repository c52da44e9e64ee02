"""The first start, key by key."""

import pytest

from p2p_sheriff.fronts.tui.screen import Leave, Wish, draw
from p2p_sheriff.fronts.tui.welcome import Welcome
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.intents import EnterLobby, OpenTable, Rename, StartTutorial
from p2p_sheriff.seat.words import Words

WORDS = Words()
BOTS = OpenTable(Setup(4), with_bots=True)


def press(welcome: Welcome, *keys: str) -> tuple[Welcome, list[Wish]]:
    wanted: list[Wish] = []
    for key in keys:
        screen, intents = welcome.press(key)
        assert isinstance(screen, Welcome)
        welcome = screen
        wanted += intents
    return welcome, wanted


def test_a_name_is_typed_corrected_and_kept() -> None:
    welcome, wanted = press(Welcome(WORDS), *"Kimm", "backspace", "space", "enter")
    assert wanted == [Rename("Kim")]
    assert welcome.named
    assert "Nice to meet you, Kim." in draw(welcome, 80, 24, WORDS).to_text()


@pytest.mark.parametrize("name", ["", " ", "ł" * 33])
def test_what_is_no_name_is_refused_with_a_reason(name: str) -> None:
    welcome, wanted = press(Welcome(WORDS), *("space" if one == " " else one for one in name), "enter")
    assert wanted == []
    assert welcome.notice is not None
    assert "1 to 64 bytes" in welcome.notice.text


@pytest.mark.parametrize(
    ("keys", "intent"),
    [
        (("enter",), StartTutorial()),
        (("1", "enter"), StartTutorial()),
        (("down", "enter"), BOTS),
        (("2", "enter"), BOTS),
        (("3", "enter"), EnterLobby()),
        (("row:2", "row:2"), EnterLobby()),
        (("q",), Leave()),
        (("c-c",), Leave()),
    ],
)
def test_the_first_step_is_chosen_by_arrows_digits_or_mouse(keys: tuple[str, ...], intent: Wish) -> None:
    assert press(Welcome(WORDS, "Kim", named=True), *keys)[1] == [intent]


def test_escape_goes_back_to_the_name_and_then_out() -> None:
    welcome, wanted = press(Welcome(WORDS, "Kim", named=True), "escape")
    assert (welcome.named, wanted) == (False, [])
    assert press(welcome, "escape")[1] == [Leave()]


def test_a_wrong_key_explains_itself() -> None:
    welcome, _ = press(Welcome(WORDS, "Kim", named=True), "x")
    assert welcome.notice is not None
    assert "x does nothing now" in welcome.notice.text
