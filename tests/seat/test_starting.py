"""How a node is started for a player: where it keeps what."""

from pathlib import Path

import platformdirs
import pytest

from p2p_sheriff.seat.settings import NodeOptions
from p2p_sheriff.seat.starting import open_node
from tests.node.running import awaited


def places(folder: Path) -> list[Path]:
    """Returns where the count is kept."""
    return [path.parent for path in folder.rglob(f"*{bytes(32).hex()}")]


@pytest.mark.parametrize("chosen", [False, True])
@awaited
async def test_what_was_signed_is_counted_outside_of_the_profile_unless_the_player_has_chosen_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: bool
) -> None:
    """So that an old copy of the profile, put back with the rest of a folder, is noticed."""
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    monkeypatch.setattr(platformdirs, "user_state_dir", lambda *_, **__: str(tmp_path / "state"))
    options = NodeOptions(data=tmp_path / "chosen" if chosen else None, name="Anna", interfaces=("127.0.0.1",))
    async with open_node(options) as (_, profile):
        counter = profile.counter(bytes(32))
        counter.note(3)
        assert counter.count == (0 if chosen else 3)
    assert places(tmp_path) == ([] if chosen else [tmp_path / "state"])
