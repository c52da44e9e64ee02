"""What is hidden leaves no mark: on no other seat's screen, in no other seat's log, in no file of another profile.

Every contraband card is the only one of its kind, so its name is a mark. While a real game is played by keys on three
screens, all that a seat shows and stores is searched for marks that it may not know at that moment. Files hold the
names of all goods once, in the charter, so that is left out; in place of names they might hold keys, salts or cards
without their locks, so these are marks too: a seat has even its own only under the keys of its vault. The composer of
offers and the rules list all goods to everybody.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.model import Dialogue, Model
from p2p_sheriff.fronts.tui.panels import Chat, Log, Piles, Proofs
from p2p_sheriff.fronts.tui.screenfront import ScreenFront
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.node.log import GameLog
from p2p_sheriff.node.vault import Vault
from p2p_sheriff.rules import Kind
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.story import troubled
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.resume import Kept
from p2p_sheriff.session.session import Session
from protocol.codec import encode
from protocol.group import encode_scalar
from tests.fronts.tui.films import MARKS, SETUP
from tests.fronts.tui.terminal import KEYS
from tests.fronts.tui.test_screenfront import ENVIRONMENT, Eyes
from tests.node.nodes import Party, Place, until
from tests.node.running import awaited

PANELS: tuple[Dialogue | None, ...] = (None, Log(), Chat(), Proofs(), Piles())
COMPOSER = "What do you pay, and what is done for it?"
ROUNDS = 4
"""So long is played: every seat has been sheriff, and bags have passed and been opened."""


def shown(model: Model) -> str:
    """Returns all that a screen has to show: the table with and without a bag that opens, and every panel."""
    texts = [line.text for line in model.log]
    for panel in PANELS:
        for reveals in {model.reveals, ()}:
            canvas = Canvas(120, 60)
            TableScreen(replace(model.over(panel), reveals=reveals)).draw(canvas)
            texts.append(canvas.to_text())
    return "\n".join(texts)


def marks_in(text: str) -> set[Kind]:
    return {mark for mark in MARKS if mark in text}


class Sitter:
    """Somebody who plays on a screen of their own, and what they may know so far."""

    def __init__(self, place: Place, session: Session, folder: Path, keyboard: PipeInput) -> None:
        self.session, self.folder, self.eyes, self._keyboard = session, folder, Eyes(), keyboard
        self.known: set[Kind] = set()
        """The kinds of own cards, now and before."""
        self._last: tuple[Model, str] | None = None
        self._place = place
        self.screen = ScreenFront(
            Words(),
            environment=ENVIRONMENT,
            terminal_input=keyboard,
            terminal_output=Vt100_Output(self.eyes, lambda: Size(24, 80), term="xterm-256color", enable_cpr=False),
        )

    @property
    def model(self) -> Model:
        return self.screen.model

    def has_changed(self) -> bool:
        """Whether the picture is another one than when this was asked last."""
        before, self._last = self._last, (replace(self.model, now=0), self.eyes.text)
        return before != self._last

    async def play(self) -> None:
        with create_app_session():  # There is one app in a session, and several of these play at once.
            async with self.screen:
                driver = Driver(self._place.node, self._place.profile, self.screen, Words(), keeps=False)
                await driver.run()

    def press(self, *keys: str) -> None:
        for key in keys:
            self._keyboard.send_text(KEYS.get(key, key))

    def answer(self) -> None:
        """Loads contraband, and as the sheriff opens every other bag."""
        text = self.eyes.text
        asked = text.split("\n")[-2]
        if "Enter goes on" in text:
            self.press("space")
        elif "Are the words the same" in text:
            self.press("enter")
        elif COMPOSER in text:
            self.press("escape")
        elif "Load your bag" in text and "✓" not in text:
            self.press("5", "6")
        elif "inspect a bag, let it pass" in text:
            self.press("i" if self.session.play.state.round % 2 else "p")
        elif "give goods worth" in text and "covers the fine" not in text:
            self.press("escape", "down") if "superfluous" in text else self.press("right")
        elif "On its way" not in text and not any(
            words in asked for words in ("Waiting", "Make an offer", "Look around")
        ):
            self.press("enter")

    # -- secrets

    def hidden(self) -> set[Kind]:
        """Returns the marks among the cards that only this seat sees now."""
        return set(self.session.view().knowledge.kinds.values()) & set(MARKS)

    def stored_marks(self) -> Iterator[bytes]:
        """Yields what stands for hidden cards in bytes: keys, the salt of the bag, cards without their locks."""
        secrets, play = self.session.secrets, self.session.play
        yield from (encode_scalar(k) for k in secrets.keys.secrets())
        yield from (bytes(secrets._open(play.cards[handle])) for handle in self.session.view().knowledge.kinds)
        if secrets.bag is not None and self.session.view().bag:
            yield secrets.bag.salt

    def unsealed(self) -> bytes:
        """Returns the secrets on this seat's disk as its own keys open them: from copies, for the game goes on."""
        (keys,) = self.folder.rglob("*.keys")
        with TemporaryDirectory() as folder:
            vault = Vault(Path(shutil.copy(keys, folder)))
            with closing(GameLog(Path(shutil.copy(keys.with_suffix(".log"), folder)))) as log:
                records = [Kept.from_value(one) for one in log.read()[1:]]
            sealed = next((one.secrets for one in reversed(records) if one.secrets is not None), None)
            return b"" if sealed is None else encode(vault.open(sealed))

    def files(self) -> bytes:
        """Returns all that this seat has on disk, without the charters."""
        charter = self.session.table.charter.to_bytes()
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return b"\0".join(path.read_bytes().replace(charter, b"") for path in paths)


class Watch:
    """Looks at all seats, again and again."""

    def __init__(self, sitters: list[Sitter]) -> None:
        self._sitters = sitters
        self.public: set[Kind] = set()
        """Marks that all have seen."""
        self.own_screens = 0
        self.own_files = 0

    def _learn(self) -> None:
        for sitter in self._sitters:
            sitter.known |= sitter.hidden()
            self.public |= set(sitter.session.play.state.kinds.values()) & set(MARKS)

    def look(self) -> None:
        """Fails if a seat shows a mark that it may not know."""
        self._learn()
        for sitter in self._sitters:
            if not sitter.has_changed():
                continue
            seen = "" if COMPOSER in sitter.eyes.text else sitter.eyes.text
            found = marks_in(shown(sitter.model) + seen)
            assert found <= sitter.known | self.public, f"Seat {sitter.session.seat} shows a card of others."
            logged = marks_in("\n".join(line.text for line in sitter.model.log))
            assert logged <= self.public, f"The log of seat {sitter.session.seat} names a hidden card."
            self.own_screens += len(found - self.public)

    def search(self) -> None:
        """Fails if a seat has a mark on its disk that it may not know, or a secret of its own that is not sealed."""
        self._learn()
        for sitter in self._sitters:
            data = sitter.files()
            allowed = sitter.known | self.public
            for mark in set(MARKS) - allowed:
                assert mark.encode() not in data, f"Seat {sitter.session.seat} stores a card of others."
            for other in self._sitters:
                found = [mark for mark in other.stored_marks() if mark in data or mark.hex().encode() in data]
                whose = "its own in the open" if other is sitter else "of others"
                assert not found, f"Seat {sitter.session.seat} stores a secret {whose}."
            own = sitter.unsealed()
            self.own_files += sum(mark in own for mark in sitter.stored_marks())


@asynccontextmanager
async def three_screens(folder: Path) -> AsyncIterator[list[Sitter]]:
    """Lets three people begin a game, each on a screen; in the end they leave the table."""
    async with Party(folder) as party:
        await party.meet(3)
        sessions = await party.begin(SETUP)
        with ExitStack() as stack:
            sitters = [
                Sitter(place, session, folder / place.node.name, stack.enter_context(create_pipe_input()))
                for place, session in zip(party.places, sessions, strict=True)
            ]
            playing = [asyncio.ensure_future(sitter.play()) for sitter in sitters]
            try:
                await until(lambda: all("Are the words the same" in sitter.eyes.text for sitter in sitters))
                for sitter in sitters:
                    sitter.press("enter")
                await until(lambda: all("Round 1 of 9" in sitter.eyes.text for sitter in sitters))
                await until(lambda: any(sitter.session.choice() for sitter in sitters))
                yield sitters
            finally:
                for sitter in sitters:
                    sitter.screen.leave()
                await asyncio.gather(*playing)


@pytest.mark.slow
@awaited
async def test_no_other_seat_s_screen_log_or_files_ever_show_a_hidden_card(tmp_path: Path) -> None:
    async with three_screens(tmp_path) as sitters:
        watch, searched, stacked = Watch(sitters), 0, set[Kind]()
        while (now := sitters[0].session.play.state.round) <= ROUNDS:
            for sitter in sitters:
                sitter.answer()
            await asyncio.sleep(0.05)
            watch.look()
            for sitter in sitters:
                stacked |= {card.kind for card in sitter.session.view().stack} & set(MARKS)
            if now > searched:
                watch.search()
                searched = now
        watch.search()
    assert stacked - watch.public, "No bag with contraband has passed."
    assert watch.public, "No bag with contraband was opened."
    assert watch.own_screens, "Marks are seen where they may be."
    assert watch.own_files, "Marks are stored where they may be."


@awaited
async def test_a_card_that_gets_onto_another_screen_is_found(tmp_path: Path) -> None:
    async with three_screens(tmp_path) as sitters:
        watch = Watch(sitters)
        watch.look()
        owner = next(sitter for sitter in sitters if sitter.hidden())
        other = next(sitter for sitter in sitters if sitter is not owner)
        other.screen.show(troubled(other.model, f"They have {min(owner.hidden())}."))
        with pytest.raises(AssertionError, match="shows a card of others"):
            watch.look()


@awaited
async def test_a_card_that_gets_into_a_log_is_found_though_its_owner_may_see_it(tmp_path: Path) -> None:
    async with three_screens(tmp_path) as sitters:
        owner = next(sitter for sitter in sitters if sitter.hidden())
        owner.screen.show(troubled(owner.model, f"You have {min(owner.hidden())}."))
        with pytest.raises(AssertionError, match="names a hidden card"):
            Watch(sitters).look()


@awaited
async def test_a_card_or_a_key_that_gets_into_another_profile_is_found(tmp_path: Path) -> None:
    async with three_screens(tmp_path) as sitters:
        watch = Watch(sitters)
        watch.search()
        owner = next(sitter for sitter in sitters if sitter.hidden())
        other = next(sitter for sitter in sitters if sitter is not owner)
        leak = other.folder / "games" / "leak"
        leak.write_text(min(owner.hidden()), encoding="utf-8")
        with pytest.raises(AssertionError, match="stores a card of others"):
            watch.search()
        for secret in owner.stored_marks():
            leak.write_text(secret.hex(), encoding="utf-8")
            with pytest.raises(AssertionError, match="stores a secret of others"):
                watch.search()
