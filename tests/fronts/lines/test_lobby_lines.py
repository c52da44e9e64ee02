"""People who gather a table by typing, each in a terminal of their own."""

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from p2p_sheriff.commands.host import invitation
from p2p_sheriff.node.limits import Limits
from tests.commands.terminal import Terminal
from tests.commands.test_play import sheriff

pytestmark = pytest.mark.slow

# Other tables may be on the same network while these tests run: who joins by name joins a name that only they use.

WORDS = r"The words of this table: ((?:\w+ ){5}\w+)\.\nRead them to each other"
Seat = Callable[[str, list[str]], Terminal]


@pytest.fixture
def person(tmp_path: Path) -> Seat:
    """Lets somebody with this name start a command on the loopback interface."""

    def start(name: str, arguments: list[str]) -> Terminal:
        where = ["--data", str(tmp_path), "--profile", name.lower(), "--interface", "127.0.0.1"]
        command, *others = arguments
        return Terminal([command, "--name", name, *where, *others])

    return start


class Talk:
    """What one terminal shows from now on: each thing that is waited for comes after the one before."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal, self._place = terminal, 0

    def hear(self, pattern: str) -> re.Match[str]:
        found = self._terminal.wait_for(pattern, start=self._place)
        self._place = found.end()
        return found

    def say(self, line: str, reply: str) -> None:
        self.type(line)
        self.hear(reply)

    def type(self, line: str) -> None:
        self._terminal.type(line)


def test_a_table_is_gathered_by_typing_and_all_see_the_same_words(person: Seat) -> None:
    with person("Kim", ["host", "--players", "3"]) as one:
        kim = Talk(one)
        address = kim.hear(r"p2p-sheriff join (127\.0\.0\.1:\d+)\n")[1]
        kim.hear("The second edition for 3 players")
        kim.say("dance", "That means nothing here")
        kim.say("purse 120", "You say that you carry 120 coins")
        with person("Maud", ["join", address, "--purse", "7"]) as two:
            maud = Talk(two)
            maud.hear(r"Seat 1: Kim \(opened the table\), a purse of 120, not ready")
            maud.hear("You sit at the table")
            kim.hear("Maud sits down.\nMaud claims to carry 7 coins")
            maud.say("purse 300", "You say that you carry 300 coins")
            kim.hear("Maud claims to carry 300 coins")
            maud.say("kick kim", "Only Kim, who opened the table")

            kim.say("bot honest", "Robin sits down")
            maud.hear("Robin is ready")
            kim.say("kick rob", "Robin has left the table")
            kim.hear("The bot Robin has stopped: Kim has sent you away")
            maud.hear("Robin has left the table")
            kim.say("bot", "Marian is ready")

            maud.say("ready", "You are ready")
            kim.say("seats marian, maud, kim", "The seats are arranged: Marian, Maud, Kim")
            maud.hear("The seats are arranged: Marian, Maud, Kim")
            maud.say("not ready", "You are not ready any more")
            kim.hear("Maud is not ready any more")
            kim.say("start", "Not ready: Maud, you")
            kim.say("who", r"Seat 3: Kim \(you, opened the table\), a purse of 120, not ready")
            kim.hear("First sheriff by the purses: Maud")
            maud.say("options", "Options: none")
            maud.say("ready", "You are ready")
            kim.say("ready", "All are ready: the game begins")

            assert kim.hear(WORDS)[1] == maud.hear(WORDS)[1]
            maud.hear(">>> You are the sheriff")
            two.type("quit")
            maud.hear("You left the table for now")
            assert two.exit_code() == 0
        with person("Maud", ["join", address, "--profile", "thief"]) as thief:
            Talk(thief).hear("The name Maud belongs to another key here")
            assert thief.exit_code() == 2
        one.type("quit")
        kim.hear("You left the table for now")
        assert one.exit_code() == 0
        assert "Traceback" not in one.text + two.text


def test_after_a_game_the_same_people_play_again(person: Seat) -> None:
    with person("Kim", ["host", "--players", "3", "--ready", "--pace", "0.1"]) as one:
        kim = Talk(one)
        address = kim.hear(r"p2p-sheriff join (127\.0\.0\.1:\d+)\n")[1]
        kim.say("bot honest", "Robin is ready")
        with person("Maud", ["join", address, "--ready"]) as two:
            maud = Talk(two)
            first = kim.hear(WORDS)[1]
            with ThreadPoolExecutor() as both:
                for done in [both.submit(play_to_the_end, talk) for talk in (kim, maud)]:
                    done.result()
            kim.say("again", "The game is over. Type rematch")
            kim.say("rematch", "Robin is ready")
            maud.hear("Kim would like a rematch")
            maud.say("rematch", "You sit at the table")
            kim.hear("Maud sits down")
            kim.say("kick maud", "Maud has left the table")
            maud.hear("Kim has sent you away from the table.\nType rematch")
            maud.say("rematch", "You sit at the table")
            maud.say("ready", "You are ready")
            kim.say("ready", "All are ready")
            second = maud.hear(WORDS)[1]
            assert kim.hear(WORDS)[1] == second != first
            maud.hear("Maud draws")
            two.type("quit")
            assert two.exit_code() == 0


ANSWERS = {
    "first?": "first robin",
    "set aside": "keep",
    "Load": "load 1",
    "Hand your bag": "declare apples",
    "handed over": "done",
}


def play_to_the_end(talk: Talk) -> None:
    """Answers every question of a game; as a sheriff, lets everybody pass."""
    while (found := talk.hear(r">>> (.*)\n(?s:.*?)Type |Type rematch|Enter goes on"))[0] != "Type rematch":
        question = found[1]
        if question is None:  # A round is summed up.
            talk.type("")
            continue
        bags = re.findall(r"^(Kim|Maud|Robin): ", found[0], re.MULTILINE)
        told = [answer for words, answer in ANSWERS.items() if words in question]
        talk.type(f"pass {bags[-1]} for nothing" if "inspect a bag" in question else told[0])


def test_who_leaves_closes_their_own_table_for_all(person: Seat) -> None:
    with person("Eadgyth", ["host"]) as one, person("Tuck", ["join", "eadgyth"]) as two:
        Talk(two).hear("You sit at the table")
        one.type("leave")
        Talk(one).hear("You have closed the table")
        assert one.exit_code() == 0
        # The goodbye says it too, should the first sentence get lost with one of two connections.
        Talk(two).hear("Eadgyth has closed the table|The player who opened the table is gone")
        assert two.exit_code() == 2
        assert "Traceback" not in one.text + two.text


def test_a_private_table_lets_in_only_who_knows_its_passphrase(person: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2P_SHERIFF_PASSPHRASE", "under the oak")
    with person("Wulfric", ["host", "--players", "3", "--private", "--ready"]) as one:
        wulfric = Talk(one)
        address = wulfric.hear(r"p2p-sheriff join (127\.0\.0\.1:\d+) --private\n")[1]
        wulfric.say("bot", "Robin is ready")
        monkeypatch.delenv("P2P_SHERIFF_PASSPHRASE")
        with person("Tuck", ["join", address]) as stranger:
            Talk(stranger).hear("That table is private")
            assert stranger.exit_code() == 2
        with person("Tuck", ["join", "wulfric"]) as searching:
            Talk(searching).hear("No connection with Wulfric: That table is private")
        while not guessed(person("Tuck", ["join", address, "--private"])):
            time.sleep(1)  # Somebody else on this network has guessed: one try in ten seconds.
        time.sleep(1 / Limits().failed_tries_per_second)  # Until then nobody may guess again.
        with person("Tuck", ["join", address, "--private", "--ready"]) as two:
            tuck = Talk(two)
            tuck.hear("The passphrase of the table: ")
            two.type("under the oak")
            assert tuck.hear(WORDS)[1] == wulfric.hear(WORDS)[1]
            assert "under the oak" not in two.text
            two.type("quit")
            assert two.exit_code() == 0
        monkeypatch.setenv("P2P_SHERIFF_PASSPHRASE", "under the oak")
        with person("Tuck", ["resume", "--private"]) as back:
            Talk(back).hear("Everybody has shown what they have: the game goes on")


def guessed(terminal: Terminal) -> bool:
    """Types a wrong passphrase; returns whether it was tried."""
    with terminal as guess:
        Talk(guess).hear("The passphrase of the table: ")
        guess.type("under the yew")
        said = Talk(guess).hear("The passphrase is not that of the private table|A wrong passphrase was tried")
        assert guess.exit_code() == 2
        return "is not that" in said[0]


def test_who_opens_a_private_table_types_the_passphrase_twice(person: Seat) -> None:
    with person("Kim", ["host", "--private"]) as terminal:
        kim = Talk(terminal)
        kim.hear("The passphrase of the table: ")
        kim.say("under the oak", "Once more: ")
        kim.say("under the yew", "Those were two different passphrases")
        assert terminal.exit_code() == 2


def test_a_private_table_without_a_passphrase_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["host", "--private", "--data", str(tmp_path), "--interface", "127.0.0.1"]
    run = sheriff(*command)
    assert (run.returncode, "set P2P_SHERIFF_PASSPHRASE" in run.stderr) == (2, True)
    monkeypatch.setenv("P2P_SHERIFF_PASSPHRASE", "  ")
    run = sheriff(*command)
    assert (run.returncode, run.stderr) == (2, "The passphrase of a private table can't be empty.\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--purse", "-3"], "--purse: from 0 to"),
        (["--purse", "9999999999"], "not 9999999999"),
        (["--name", " Kim"], "' Kim' can't be your name: "),
    ],
)
def test_what_nobody_can_carry_or_be_called_is_refused(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    run = sheriff("host", "--data", str(tmp_path), "--interface", "127.0.0.1", *arguments)
    assert run.returncode == 2
    assert sentence in run.stderr
    assert "Traceback" not in run.stderr


def test_the_invitation_can_be_typed_as_it_stands() -> None:
    by_title, by_address = invitation("Kim's table", 4000, ["10.0.0.2", "10.1.0.2"], private=False)
    assert by_title.endswith("""p2p-sheriff join "Kim's table\"""")
    assert by_address.endswith("p2p-sheriff join 10.0.0.2:4000, or p2p-sheriff join 10.1.0.2:4000")
    assert "join '$HOME' --private" in invitation("$HOME", 4000, ["10.0.0.2"], private=True)[0]
