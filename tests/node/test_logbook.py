"""What a node notes of a game: enough to look for a fault, and never a secret."""

import asyncio
import logging
import re
from pathlib import Path

import pytest

from p2p_sheriff.node.events import GamesChanged, Obstacle, PeerDown, PeerUp, Refused, TablesChanged, Trouble
from p2p_sheriff.node.logbook import EventQueue, keep_log
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.session.session import Session
from protocol.group import encode_scalar
from protocol.identity import Identity
from tests.node.nodes import HOST, Party, Place, until
from tests.node.running import awaited

PASSPHRASE = "the oak at midnight"  # noqa: S105 - of this test.
LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (INFO|WARNING|ERROR) [\w.]+: .+")


def forms(secret: bytes) -> set[bytes]:
    """Returns a secret in all ways in which it may have been written."""
    number = int.from_bytes(secret, "little")
    return {secret, secret.hex().encode(), secret[::-1].hex().encode(), str(number).encode(), repr(secret).encode()}


def secrets_of(session: Session) -> list[bytes]:
    """Returns what this seat alone knows in the middle of a game, but for the kinds of its cards."""
    bag = session.secrets.bag
    keys = [encode_scalar(key) for key in session.secrets.keys.secrets()]
    return [*keys, *([bag.salt] if bag is not None else [])]


class Witness:
    """Looks at a seat's secrets all the time while bots play."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self.secrets: set[bytes] = {place.profile.identity().seed()}
        self.kinds: set[str] = set()

    async def look(self) -> None:
        def note(session: Session) -> None:
            self.secrets.update(secrets_of(session))
            if not session.play.is_over:
                self.kinds.update(session.view().knowledge.kinds.values())

        await self._place.node.do(note)


@awaited
async def test_a_whole_private_game_is_noted_line_by_line_without_any_secret(tmp_path: Path) -> None:
    with keep_log(tmp_path):
        async with Party(tmp_path) as party:
            for name in ("Anna", "Ben", "Cleo"):
                place = await party.add(name, passphrase=PASSPHRASE)
                if place is not party.places[0]:
                    await place.node.dial(HOST, party.places[0].node.port)
            await until(lambda: len(party.places[0].node.connected()) == 2)
            await party.begin()
            witnesses = [Witness(place) for place in party.places]
            playing = asyncio.create_task(party.play())
            while not playing.done():
                for witness in witnesses:
                    await witness.look()
                await asyncio.sleep(0.02)
            await playing
            for place in party.places:
                await place.node.finish()
    noted = (tmp_path / "log").read_bytes()
    lines = noted.decode().splitlines()
    assert not [line for line in lines if not LINE.fullmatch(line)]
    assert any("connected: Ben, key " in line for line in lines)
    assert sum("begins" in line for line in lines) == 3
    assert sum("is put down, decided" in line for line in lines) == 3
    assert min(len(witness.secrets) for witness in witnesses) > 10
    assert min(len(witness.kinds) for witness in witnesses) >= 3
    marks = {mark for witness in witnesses for secret in witness.secrets for mark in forms(secret)}
    assert not [mark for mark in marks if mark in noted]
    assert PASSPHRASE.encode() not in noted
    assert not [kind for witness in witnesses for kind in witness.kinds if kind.encode() in noted]


@pytest.mark.parametrize("form", ["%s", "%r", "%d"])
def test_the_search_finds_a_secret_that_was_noted(tmp_path: Path, form: str) -> None:
    seed = Identity.generate(lambda count: bytes(range(1, count + 1))).seed()
    shown = {"%s": seed.hex(), "%r": seed, "%d": int.from_bytes(seed, "little")}[form]
    with keep_log(tmp_path):
        logging.getLogger("p2p_sheriff.somewhere").info(f"the seed is {form}", shown)
    noted = (tmp_path / "log").read_bytes()
    assert any(mark in noted for mark in forms(seed))


def test_what_others_are_called_can_not_forge_a_line_or_move_a_cursor(tmp_path: Path) -> None:
    identity = Identity.generate(lambda count: bytes(count - 1) + b"\1").public
    queue = EventQueue()
    with keep_log(tmp_path):
        queue.put_nowait(PeerUp(identity, "Eve\n2026-01-01 00:00:00,000 INFO x: forged"))
        queue.put_nowait(PeerDown(identity, "Eve", "\x1b[2Jgone\u202e"))
        queue.put_nowait(Refused("Eve\r", Phrase("endings.name", detail="\x1b[2J")))
        queue.put_nowait(Obstacle(Phrase("store.full", path="\n")))
        queue.put_nowait(Trouble(Phrase("troubles.defect", detail="\r")))
        logging.getLogger("p2p_sheriff.somewhere").error("a defect", exc_info=ValueError("\x1b[2J"))
    lines = (tmp_path / "log").read_text().splitlines()
    assert [line.split()[2] for line in lines[:5]] == ["INFO", "INFO", "INFO", "WARNING", "ERROR"]
    assert lines[6:] == ["ValueError: \\x1b[2J"]
    assert all(letter.isprintable() for line in lines for letter in line)
    assert queue.qsize() == 5


def test_the_log_is_private_and_a_large_one_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p_sheriff.node.logbook._MAX_BYTES", 1000)
    with keep_log(tmp_path):
        for number in range(100):
            logging.getLogger("p2p_sheriff.somewhere").info("line %d", number)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["log", "log.1", "log.2"]
    assert all((tmp_path / name).stat().st_mode & 0o777 == 0o600 for name in files)
    assert "line 99" in (tmp_path / "log").read_text()


def test_nothing_is_made_where_nothing_is_noted(tmp_path: Path) -> None:
    with keep_log(tmp_path / "nowhere"):
        pass
    assert not list(tmp_path.iterdir())


def test_strangers_who_come_and_go_do_not_rotate_what_matters_away(tmp_path: Path) -> None:
    queue, eve = EventQueue(), Identity(bytes(32)).public
    with keep_log(tmp_path):
        queue.put_nowait(Trouble(Phrase("news.no_game")))
        for _ in range(10_000):
            queue.put_nowait(PeerUp(eve, "Eve" * 20))
            queue.put_nowait(PeerDown(eve, "Eve" * 20, "enough"))
            queue.put_nowait(Refused("Eve" * 20, Phrase("news.no_game")))
    (log,) = tmp_path.iterdir()
    assert "trouble" in log.read_text("utf-8").splitlines()[0]


def test_of_events_that_replace_each_other_the_last_one_waits() -> None:
    queue, person = EventQueue(), Identity(bytes(32)).public
    for number in range(1000):
        queue.put_nowait(TablesChanged(()))
        queue.put_nowait(GamesChanged())
        if number % 500 == 0:
            queue.put_nowait(PeerUp(person, str(number)))
    told = [queue.get_nowait() for _ in range(queue.qsize())]
    assert told == [PeerUp(person, "0"), PeerUp(person, "500"), TablesChanged(()), GamesChanged()]
