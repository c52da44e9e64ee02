"""A person at a table that is being gathered, in lines of text: who comes and goes, in every language."""

import asyncio
from pathlib import Path

import pytest

from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.conditions import unusual
from p2p_sheriff.texts import ENGLISH, Texts
from tests.fronts.lines.test_linefront import sit_down
from tests.node.nodes import HOST, Party, until
from tests.node.running import awaited
from tests.seat.test_conditions import EGGS
from tests.table.games import SHORT_DECK


@awaited
async def test_who_sits_at_the_table_comes_and_goes_with_a_word_and_others_are_counted(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        node = party.places[0].node
        driver, typist, screen = sit_down(party)
        gathering = asyncio.create_task(driver.run())
        async with party.place("Stranger") as stranger:
            await stranger.node.dial(HOST, node.port)
            await until(lambda: len(node.connected()) == 3)
            while not screen.has("3 other players are on the network: "):
                typist.lines.put_nowait("who")
                await asyncio.sleep(0.05)
        await until(lambda: len(node.connected()) == 2)
        await party.places[1].node._mesh.stop()
        await until(lambda: screen.has("Ben is not connected any more."))
        assert not any(line.startswith("Stranger") for line in screen.lines)
        typist.lines.put_nowait("quit")
        await gathering
        assert screen.lines[-1] == "You have closed the table."


@awaited
@pytest.mark.parametrize("language", ["pl", "uk", "pt", "es"])
async def test_a_table_speaks_the_language_of_each_player_also_when_it_is_closed(tmp_path: Path, language: str) -> None:
    texts = Texts.of(language)
    async with Party(tmp_path) as party:
        await party.meet(2)
        await party.gather()
        opener = party.places[0].node
        driver, typist, screen = sit_down(party, 1, texts)
        gathering = asyncio.create_task(driver.run())
        typist.lines.put_nowait("ready")
        await until(lambda: screen.has(texts("gather.you_ready")))
        for line in ("bot", "who", "options", "help", "dance"):
            typist.lines.put_nowait(line)
        await until(lambda: screen.has(texts("gather.means_nothing", hint=texts("gather.hint"))))
        english = {ENGLISH(key) for key in ("gather.help_ready", "gather.no_options", "gather.sheriff_by_lot")}
        assert not english & set(screen.lines)
        await opener.at_table(lambda gathering: gathering.leave())
        await gathering
        assert driver.went_wrong
        assert driver.last_word == texts("closings.closed", name="Anna")


@awaited
async def test_who_sits_down_is_told_of_every_term_that_is_not_the_usual_one(tmp_path: Path) -> None:
    setup = Setup(3, options=frozenset({"royal"}), extra=(EGGS,), short=SHORT_DECK)
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather(setup)
        driver, typist, screen = sit_down(party, 1)
        gathering = asyncio.create_task(driver.run())
        for told in unusual(setup, ENGLISH):
            await until(lambda told=told: screen.has(told))  # type: ignore[misc]
        typist.lines.put_nowait("quit")
        await gathering
