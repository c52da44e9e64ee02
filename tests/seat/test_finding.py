"""Which game is meant by who wants to look on, or by nobody in particular."""

from pathlib import Path

import pytest

from p2p_sheriff.seat import finding
from p2p_sheriff.texts import ENGLISH, Texts
from p2p_sheriff.usage import UsageError
from tests.node.nodes import HOST, SETUP, TITLE, Party, until
from tests.node.running import awaited


@awaited
async def test_who_does_not_say_which_of_several_tables_gets_a_list_and_who_names_a_player_the_game(
    tmp_path: Path,
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        looker, dan = await party.add("Looker"), await party.add("Dan")
        await looker.node.dial(HOST, party.places[0].node.port)
        await looker.node.dial(HOST, dan.node.port)
        await dan.node.open_table("Dan's table", SETUP)
        await until(lambda: bool(looker.node.tables) and bool(looker.node.games))
        with pytest.raises(UsageError, match="There are several") as several:
            await finding.find_game(looker.node, None, ENGLISH, print)
        assert '"Dan\'s table": Dan' in str(several.value)
        assert f'"{TITLE}": Anna, Ben, Cleo' in str(several.value)
        for words in ("ben", TITLE.upper(), "fire"):
            info = await finding.find_game(looker.node, words, ENGLISH, print)
            assert info.charter.game == sessions[0].table.charter.game


@awaited
async def test_who_looks_for_a_table_is_told_what_is_there_at_once_even_if_it_is_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "LOOK_AROUND_SECONDS", 0)
    async with Party(tmp_path) as party:
        looker, dan = await party.add("Looker"), await party.add("Dan")

        async def told() -> list[str]:
            lines = list[str]()
            with pytest.raises(UsageError, match="No such table with a free seat"):
                await finding.find_table(looker.node, lambda _: False, ENGLISH, lines.append, seconds=0.3)
            return lines

        alone = await told()
        assert alone[0] == "No table is to be seen on this network yet."
        assert alone[1] == "Still looking, 1 second more. Ctrl-C stops it."
        await looker.node.dial(HOST, dan.node.port)
        await dan.node.open_table("Dan's table", SETUP)
        await until(lambda: bool(looker.node.tables))
        assert (await told())[0] == 'No table fits yet. There are: "Dan\'s table" (2 free seats).'


@awaited
async def test_a_game_that_is_not_there_and_a_table_that_closes_are_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "FIND_SECONDS", 0.3)
    monkeypatch.setattr(finding, "GONE_SECONDS", 0.3)
    async with Party(tmp_path) as party:
        looker = await party.add("Looker")
        with pytest.raises(UsageError, match="No game was found"):
            await finding.find_game(looker.node, None, ENGLISH, print)
        with pytest.raises(UsageError, match="No game called Dan"):
            await finding.find_game(looker.node, "Dan", ENGLISH, print)
        async with party.place("Dan") as dan:
            await looker.node.dial(HOST, dan.node.port)
            await dan.node.open_table("Dan's table", SETUP)
            await until(lambda: bool(looker.node.tables))
            monkeypatch.setattr(finding, "LOOK_AROUND_SECONDS", 0.1)
            table = next(iter(looker.node.tables.values()))
        with pytest.raises(UsageError, match="closed before its game began"):
            await finding.begun(looker.node, table, ENGLISH, print)
        with pytest.raises(UsageError, match="немає гри «Dan»"):
            await finding.find_game(looker.node, "Dan", Texts.of("uk"), print)
