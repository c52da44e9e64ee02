"""The lobby in a real terminal: from the first start to a game, by keys and by mouse."""

from pathlib import Path

import pytest

from tests.fronts.tui.films import played
from tests.fronts.tui.terminal import ScreenTerminal


def lobby(folder: Path, *arguments: str) -> ScreenTerminal:
    options = ["--data", str(folder), "--interface", "127.0.0.1", "--pace", "0.2", *arguments]
    return ScreenTerminal(["-m", "p2p_sheriff", *options])


def test_without_a_full_screen_a_sentence_and_the_commands_are_shown() -> None:
    with ScreenTerminal(["-m", "p2p_sheriff"], height=60, environment={"TERM": "dumb"}) as terminal:
        terminal.wait_for("needs a terminal with a full screen")
        terminal.wait_for("play against bots on this machine")
        assert terminal.exit_code() == 2


@pytest.mark.parametrize(("arguments", "title"), [((), "Sheriff"), (("--quiet",), "")])
def test_the_window_has_a_title_unless_it_is_to_be_quiet(
    tmp_path: Path, arguments: tuple[str, ...], title: str
) -> None:
    with lobby(tmp_path, *arguments) as terminal:
        terminal.wait_for("What shall the others call you")
        terminal.press(*"Kim", "enter")
        terminal.wait_for("How do you want to begin")
        terminal.press("3", "enter")
        terminal.wait_for("On this network")
        terminal.settle()
        assert terminal.title == title


@pytest.mark.slow
def test_the_first_start_asks_for_a_name_and_a_table_with_bots_becomes_a_game(tmp_path: Path) -> None:
    with lobby(tmp_path) as terminal:
        terminal.wait_for("What shall the others call you")
        terminal.press(*"Kim", "enter")
        terminal.wait_for("How do you want to begin")
        terminal.press("3", "enter")
        terminal.wait_for("On this network")
        terminal.press("o")
        terminal.wait_for("How shall your table be")
        terminal.press("3", "enter")
        terminal.wait_for("Seats: 1 of 3 taken")
        terminal.press("b")
        terminal.wait_for("Which bot")
        terminal.press("1", "enter")
        terminal.wait_for(r"Robin +bot, honest")
        terminal.click_on("free: press b")
        terminal.wait_for("Which bot")
        terminal.click_on("gambler")
        terminal.press("enter")  # A click marks what Enter adds.
        terminal.wait_for(r"Marian +bot, gambler")
        terminal.wait_for("Everybody waits for you")
        terminal.press("r")
        terminal.wait_for("Round 1 of 9")
        terminal.press("q")
        terminal.wait_for("Leave the table")
        terminal.press("enter")
        terminal.wait_for("go on with it with g")
        terminal.press("q")
        assert terminal.exit_code() == 0
    with lobby(tmp_path) as terminal:
        terminal.wait_for("you are Kim")
        terminal.press("g")
        terminal.wait_for("Round 1 of 9")
        terminal.wait_for("Robin")


def test_a_past_game_is_found_in_the_lobby_and_seen_again(tmp_path: Path) -> None:
    games = tmp_path / "default" / "games"
    games.mkdir(parents=True)
    record = played().record
    (games / f"{record.charter.game.hex()}.sheriff").write_bytes(record.to_bytes())
    with lobby(tmp_path, "--name", "Kim") as terminal:
        terminal.wait_for("h  past games")
        terminal.press("h")
        terminal.wait_for(", ".join(player.name for player in record.charter.players))
        terminal.press("enter")
        terminal.wait_for("all of it holds")
        terminal.wait_for("what all saw")
        terminal.press("q")
        terminal.wait_for("On this network")
        terminal.press("q")
        assert terminal.exit_code() == 0


@pytest.mark.slow
def test_two_people_find_each_other_in_private_and_compare_the_words_of_their_table(tmp_path: Path) -> None:
    kim = lobby(tmp_path, "--profile", "kim", "--name", "Kim")
    lea = lobby(tmp_path, "--profile", "lea", "--name", "Lea")
    with kim, lea:
        for terminal in (kim, lea):
            terminal.wait_for("On this network")
            terminal.press("p")
            terminal.wait_for("Which passphrase")
            terminal.press(*"bosco", "enter")
            terminal.wait_for("the lobby . private")
        kim.press("o")
        kim.wait_for("How shall your table be")
        kim.press("3", "enter")
        kim.wait_for("Kim's table . private")
        lea.wait_for("sit down at .Kim's table")
        lea.press("enter")
        lea.wait_for("Seats: 2 of 3 taken")
        lea.press("r")
        kim.wait_for("Lea is ready")
        kim.press("b")
        kim.wait_for("Which bot")
        kim.press("enter")
        kim.wait_for("Everybody waits for you")
        kim.press("s")
        words = [terminal.wait_for(r"┃ +(\w+ +\w+ +\w+) +┃\s+┃ +(\w+ +\w+ +\w+) +┃") for terminal in (kim, lea)]
        assert words[0].groups() == words[1].groups()
        kim.press("enter")
        kim.wait_for("Round 1 of 9")
