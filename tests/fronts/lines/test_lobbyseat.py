"""A person at a table that is being gathered, in lines of text: who comes and goes, in every language."""

import asyncio
from pathlib import Path

import pytest

from p2p_sheriff.fronts.lines.lobbyseat import LobbySeat, TableClosed
from p2p_sheriff.texts import ENGLISH, Texts
from tests.fronts.lines.test_lineseat import Screen, Typist
from tests.node.nodes import HOST, Party, until
from tests.node.running import awaited


@awaited
async def test_who_sits_at_the_table_comes_and_goes_with_a_word_and_others_are_counted(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        node = party.places[0].node
        typist, screen = Typist(), Screen()
        gathering = asyncio.create_task(LobbySeat(node, typist, show=screen.lines.append).gather())
        async with party.place("Stranger") as stranger:
            await stranger.node.dial(HOST, node.port)
            await until(lambda: len(node.connected()) == 3)
            typist.lines.put_nowait("who")
            await until(lambda: screen.has("3 other players are on the network: "))
        await until(lambda: len(node.connected()) == 2)
        await party.places[1].node._mesh.stop()
        await until(lambda: screen.has("Ben is not connected any more."))
        assert not any(line.startswith("Stranger") for line in screen.lines)
        typist.lines.put_nowait("quit")
        assert await gathering is None
        assert screen.lines[-1] == "You have closed the table."


@awaited
@pytest.mark.parametrize("language", ["pl", "uk", "pt", "es"])
async def test_a_table_speaks_the_language_of_each_player_also_when_it_is_closed(tmp_path: Path, language: str) -> None:
    texts = Texts.of(language)
    async with Party(tmp_path) as party:
        await party.meet(2)
        await party.gather()
        opener, guest = (place.node for place in party.places)
        typist, screen = Typist(), Screen()
        gathering = asyncio.create_task(LobbySeat(guest, typist, show=screen.lines.append, texts=texts).gather())
        typist.lines.put_nowait("ready")
        await until(lambda: screen.has(texts("gather.you_ready")))
        for line in ("bot", "who", "options", "help", "dance"):
            typist.lines.put_nowait(line)
        await until(lambda: screen.has(texts("gather.means_nothing", hint=texts("gather.hint"))))
        english = {ENGLISH(key) for key in ("gather.help_ready", "gather.no_options", "gather.sheriff_by_lot")}
        assert not english & set(screen.lines)
        await opener.at_table(lambda gathering: gathering.leave())
        with pytest.raises(TableClosed) as closed:
            await gathering
        assert str(closed.value) == texts("closings.closed", name="Anna")
