"""A finished game again: forward and back the same; the own cards only to who saw them."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from p2p_sheriff.fronts.tui.help import HelpScreen
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.replay import SPEEDS, Replay
from p2p_sheriff.fronts.tui.screen import Pop, Push, Wish
from p2p_sheriff.node.profile import remembered
from p2p_sheriff.rules import Handle, Seat, apply, new_game
from p2p_sheriff.rules.facts import Drawn, Given, Rearranged
from p2p_sheriff.seat.film import Film, shoot
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.keepsake import Keepsake
from protocol.codec import decode, encode
from protocol.errors import MalformedError
from tests.fronts.tui.films import MARKS, NAMES, SETUP, played
from tests.fronts.tui.saved import SIZES, assert_none_left_over, assert_saved, text_of
from tests.fronts.tui.spoken import spoken
from tests.node.mortal import MortalNet


def begun(seat: int | None = 0) -> Replay:
    return Replay.of(played().film(seat), spoken())


def pressed(screen: Replay, *keys: str) -> Replay:
    for key in keys:
        screen = _pressed(screen, key)[0]
    return screen


def _pressed(screen: Replay, key: str) -> tuple[Replay, tuple[Wish, ...]]:
    after, intents = screen.press(key)
    assert isinstance(after, Replay)
    return after, intents


def settled(screen: Replay) -> Replay:
    """Waits until every bag that opens is open and was seen."""
    while screen.moves:
        screen = screen.at(screen.now + 30)
    return screen


# -- the film


def test_the_film_has_the_states_of_the_game_in_order() -> None:
    states = [new_game(SETUP)]
    for take in played().takes:
        for event in take.events:
            for item in event.inputs if isinstance(event, Happened) else ():
                states.append(apply(states[-1], item))
    shown = [picture.told for picture in played().film().pictures]
    places = [states.index(state) for state in shown if state is not None]
    assert len(places) == len(shown)
    assert places == sorted(places)
    assert shown[-1] == states[-1] == played().last


def test_forward_to_the_end_and_back_gives_the_same_pictures() -> None:
    screen = pressed(begun(), "home")
    last = len(screen.film) - 1
    there = [screen.shown]
    while screen.place < last:
        screen = settled(pressed(screen, "right"))
        there.append(screen.shown)
    back = [screen.shown]
    while screen.place:
        screen = pressed(screen, "left")
        back.append(screen.shown)
    assert [_timeless(model) for model in there] == [_timeless(model) for model in reversed(back)]
    assert [model.told for model in there] == [picture.told for picture in screen.film.pictures]


def _timeless(model: Model) -> Model:
    return replace(model, now=0.0, calm_until=0.0)


def test_something_happens_in_every_step() -> None:
    pictures = played().film().pictures
    assert all(one.log != other.log or one.told != other.told for one, other in pairwise(pictures))


def test_words_and_offers_are_in_the_log() -> None:
    log = [line.text for line in played().film().pictures[-1].log]
    assert "Robin: Nothing but apples, I swear." in log
    assert any("'s offer " in line for line in log)


def test_proofs_are_listed_with_their_sizes() -> None:
    proofs = played().film().pictures[-1].proofs
    assert {proof.seat for proof in proofs} == {0, 1, 2}
    assert all(proof.size > 0 for proof in proofs)


# -- who sees what


def test_a_player_remembers_every_card_that_they_saw() -> None:
    for memory, watcher in zip(played().memories, played().watchers, strict=True):
        assert watcher.kinds
        assert watcher.kinds.items() <= memory.kinds.items()


def test_with_the_own_memory_every_picture_is_seen_from_the_own_seat() -> None:
    for seat in range(3):
        film = played().film(seat)
        assert all(picture.seat == seat for picture in film.pictures)
        hands = [picture.view.hand for picture in film.pictures if picture.view]
        assert max(map(len, hands)) == SETUP.hand_size


def test_the_own_closed_bag_is_seen_while_it_is_closed() -> None:
    bags = [picture.view.bag for picture in played().film(0).pictures if picture.view and picture.view.knowledge.bag]
    assert bags
    assert all(1 <= len(bag) <= 5 for bag in bags)


def test_a_memory_has_no_card_that_the_seat_never_held() -> None:
    for memory in played().memories:
        assert memory.kinds.keys() <= _held(memory.seat)


def _held(seat: Seat) -> set[Handle]:
    held: set[Handle] = set()
    for take in played().takes:
        for event in take.events:
            for item in event.inputs if isinstance(event, Happened) else ():
                match item:
                    case Drawn(one, handles) | Rearranged(one, _, handles) if one == seat:
                        held.update(handles)
                    case Given(_, receiver, pairs) if receiver == seat:
                        held.update(new for _, new in pairs)
                    case _:
                        pass
    return held


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_hidden_card_is_on_no_screen_but_its_owner_s(seat: int | None) -> None:
    own_marks = 0
    begin, takes = Model(NAMES, Words(), told=new_game(SETUP)), played().takes
    memory = None if seat is None else played().memories[seat]
    for count in range(10, len(takes), 7):
        said = repr([getattr(event, "inputs", event) for take in takes[:count] for event in take.events])
        public = {mark for mark in MARKS if mark in said}
        picture = shoot(begin, takes[:count], memory).pictures[-1]
        own = set(picture.view.knowledge.kinds.values()) if picture.view else set()
        for reveals in (picture.reveals, ()):
            text = text_of(Replay.of(Film((replace(picture, reveals=reveals),)), Words()), 200, 60)
            shown = {mark for mark in MARKS if mark in text}
            assert shown <= own | public
            own_marks += len(shown - public)
        assert not any(mark in line.text for line in picture.log for mark in set(MARKS) - public)
    assert (own_marks > 0) is (seat is not None), "The marks are seen where they may be."


def test_without_a_memory_of_this_game_only_what_all_saw_is_shown() -> None:
    strange = Keepsake(Seat(0), {})
    film = shoot(Picture(NAMES, Words(), told=new_game(SETUP)), played().takes, strange)
    dealt = [picture for picture in film.pictures if picture.told and picture.told[Seat(0)].hand]
    assert dealt
    assert all(picture.view is None for picture in dealt)


def test_a_memory_survives_being_written_and_shows_no_card_in_its_text() -> None:
    for memory in played().memories:
        assert Keepsake.from_value(decode(encode(memory.to_value()))) == memory
        assert not any(mark in repr(memory) for mark in MARKS)
    for wrong in (None, (1,), ("x", ()), (0, (("silk", ("x",)),)), (0, (1,))):
        with pytest.raises(MalformedError):
            Keepsake.from_value(wrong)


def test_a_finished_game_is_kept_with_what_its_player_saw(tmp_path: Path) -> None:
    net = MortalNet(tmp_path, 4, Seat(1), lambda _: None, setup=SETUP, rounds=1)
    net.live()
    net.restart()
    seen = net.keeper.session.secrets.memory
    assert seen.kinds
    net.finish()
    assert remembered("mortal", tmp_path, net.keeper.game) == seen
    assert remembered("mortal", tmp_path, bytes(32)) is None
    assert remembered("nobody", tmp_path, net.keeper.game) is None
    assert not (tmp_path / "nobody").exists()


# -- keys


def test_down_and_up_go_by_rounds() -> None:
    screen = begun()
    rounds = []
    for _ in range(9):
        screen = pressed(screen, "down")
        assert screen.shown.told is not None
        rounds.append(screen.shown.told.round)
    assert rounds == list(range(1, 10))
    assert "no further round" in text_of(pressed(screen, "down"))
    assert pressed(screen, "up").shown.told == pressed(begun(), *["down"] * 8).shown.told
    assert pressed(begun(), "down", "up").place == 0


def test_b_goes_to_bags_that_open_and_shows_it() -> None:
    screen = pressed(begun().at(5.0), "b")
    assert screen.moves
    assert "'s bag " in text_of(screen)
    second = pressed(screen, "b")
    assert second.place > screen.place
    assert pressed(second, "B").place == screen.place
    assert "No further bag" in text_of(pressed(screen, "B"))
    assert "No further bag" in text_of(pressed(begun(), "end", "b"))


def test_a_step_back_opens_no_bag() -> None:
    screen = pressed(begun(), "b", "right", "left")
    assert screen.film.pictures[screen.place].reveals
    assert not screen.moves


def test_home_and_end_and_what_lies_beyond() -> None:
    screen = pressed(begun(), "end")
    assert screen.place == len(screen.film) - 1
    assert "This is the end." in text_of(pressed(screen, "right"))
    assert pressed(screen, "home").place == 0
    assert "This is the beginning." in text_of(pressed(screen, "home", "left"))


def test_it_plays_by_itself_at_its_speed_and_pauses() -> None:
    screen = pressed(begun().at(10.0), "space").at(10.0)
    assert screen.place == 1
    assert screen.at(10.9).place == 1
    assert screen.at(11.0).place == 2
    paused = pressed(screen, "space")
    assert not paused.moves
    assert paused.at(99.0).place == 1


def test_faster_is_faster_and_there_is_a_fastest() -> None:
    screen = pressed(begun().at(10.0), *["+"] * 20)
    assert SPEEDS[screen.speed] == max(SPEEDS)
    assert SPEEDS[pressed(screen, *["-"] * 20).speed] == min(SPEEDS)
    played_on = pressed(screen, "space").at(10.0)
    assert played_on.at(10.0 + 1 / max(SPEEDS)).place == 2


def test_it_stops_at_the_end_and_plays_again_from_the_beginning() -> None:
    screen = pressed(begun(), *["+"] * 20, "space")
    for tick in range(10 * len(screen.film)):
        screen = screen.at(float(tick))
    assert screen.place == len(screen.film) - 1
    assert not screen.is_playing
    assert pressed(screen, "space").place == 0


def test_while_it_plays_a_bag_is_shown_until_it_was_seen() -> None:
    screen = begun()
    first = next(screen.film.bags())
    screen = pressed(replace(pressed(screen, f"place:{first - 1}"), now=50.0), "space").at(50.0)
    assert screen.place == first
    assert screen.shown.reveals
    assert screen.at(52.0).place == first
    assert screen.at(80.0).place == first + 1


def test_a_click_on_the_bar_goes_there() -> None:
    screen = begun()
    assert pressed(screen, "place:40").place == 40
    assert pressed(screen, "place:99999").place == len(screen.film) - 1


def test_log_help_and_score_can_be_looked_at() -> None:
    screen = pressed(begun(), "end", "g")
    assert "Log: everything" in text_of(screen)
    assert pressed(screen, "right").place == screen.place
    assert "score sheet" in text_of(pressed(screen, "escape"))
    assert "round by round" in text_of(pressed(screen, "escape", "tab"))
    (pushed,) = _pressed(begun(), "?")[1]
    assert isinstance(pushed, Push)
    assert isinstance(pushed.screen, HelpScreen)


@pytest.mark.parametrize("key", ["q", "escape", "c-c"])
def test_it_can_be_left_at_once(key: str) -> None:
    assert _pressed(begun(), key)[1] == (Pop(),)


def test_a_wrong_key_explains_itself() -> None:
    assert "z does nothing now. Try: ←→ step" in text_of(pressed(begun(), "z"))
    assert "Say" not in str(_pressed(begun(), "t")[1])


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_pressed_there_is_a_picture(seed: int) -> None:
    rng = Random(seed)
    screen = begun(seed % 3)
    keys = [*"bBgdv+-zt", "left", "right", "up", "down", "space", "home", "end", "tab", "escape", "enter", "place:70"]
    for tick in range(150):
        screen, intents = _pressed(screen.at(float(tick)), rng.choice(keys))
        assert all(isinstance(intent, Pop) for intent in intents)
        text_of(screen)


# -- pictures

PLACES: dict[str, Callable[[], Replay]] = {
    "beginning": lambda: Replay.of(played().film(0), spoken()),
    "market": lambda: pressed(begun(), "down", "right", "right", "right", "right", "right", "right"),
    "public": lambda: pressed(begun(None), "down", "down", "right", "right", "right", "right"),
    "bag": lambda: pressed(begun().at(1.0), "b").at(9.0),
    "third-round": lambda: pressed(begun(), "down", "down", "down", "left"),
    "end": lambda: pressed(begun(), "end"),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_replay_is_as_it_was_saved(name: str, width: int, height: int) -> None:
    assert_saved(PLACES[name](), f"replay/{name}", width, height)


def test_no_saved_replay_is_left_over() -> None:
    assert_none_left_over("replay", tuple(PLACES))
