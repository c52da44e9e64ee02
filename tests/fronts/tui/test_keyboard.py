"""Keys of another keyboard layout do the same, and letters stay letters where text is written."""

from p2p_sheriff.fronts.tui.keyboard import readings
from p2p_sheriff.fronts.tui.lobby import LobbyScreen
from p2p_sheriff.seat.intents import Say
from tests.fronts.tui.gallery import model_of
from tests.fronts.tui.halls import BUSY
from tests.fronts.tui.pressing import intents_of
from tests.fronts.tui.scenes import pressed
from tests.fronts.tui.spoken import spoken


def test_a_key_means_itself_first_then_its_small_letter_then_the_latin_one_on_the_same_key() -> None:
    assert readings("i") == ("i",)
    assert readings("I") == ("I", "i")
    assert readings("ш") == ("ш", "i")
    assert readings("Ш") == ("Ш", "ш", "i")
    assert readings("row:3") == ("row:3",)
    assert readings("é") == ("é",)


def test_the_table_is_played_with_a_ukrainian_keyboard() -> None:
    model = model_of("desk")
    assert intents_of(model, "ш", "enter") == intents_of(model, "i", "enter") != ()
    for cyrillic, latin in zip("епвм", "tgdv", strict=True):
        assert pressed(model, cyrillic).overlay == pressed(model, latin).overlay
        assert pressed(model, latin).overlay is not None


def test_what_is_said_in_cyrillic_is_said_in_cyrillic() -> None:
    assert intents_of(model_of("desk"), "t", *"Ще", "enter") == (Say("Ще"),)


def test_the_lobby_opens_a_table_with_a_ukrainian_keyboard_and_with_capitals() -> None:
    lobby = LobbyScreen(BUSY, spoken())
    opened, _ = lobby.press("o")
    assert isinstance(opened, LobbyScreen)
    assert opened.dialogue is not None
    assert lobby.press("щ")[0] == lobby.press("O")[0] == opened
