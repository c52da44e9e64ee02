"""What a player is told, and what not: strangers, the muted, and the order in which things come."""

from pathlib import Path

from p2p_sheriff.gathering.gathering import Chatted
from p2p_sheriff.lab.simnet import open_table
from p2p_sheriff.node.events import PeerDown, PeerUp
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.rules import Seat
from p2p_sheriff.seat import waiting
from p2p_sheriff.seat.chronicle import Round
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.hall import Hall
from p2p_sheriff.seat.intents import LeaveTable, MuteMember, OpenTable, SayAtTable
from p2p_sheriff.seat.picture import Answered, LogLine, News, Picture, RoundEnded, Topic
from p2p_sheriff.seat.sight import Sight, _in_order
from p2p_sheriff.seat.words import Words
from protocol.group import Edwards25519
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.nodes import SETUP, Party, until
from tests.node.running import awaited
from tests.seat.memory import MemoryFront
from tests.seat.test_leaving import told

STRANGER = Identity.generate(Drbg("stranger")).public


@awaited
async def test_strangers_who_come_and_go_in_mid_game_are_not_told_of(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        place = party.places[0]
        sight = Sight(place.node, Words())
        sight.take(PeerUp(STRANGER, "Stranger"))
        assert [one.text for one in sight.news if isinstance(one, LogLine)] == ["Stranger is on the network."]
        await party.begin()
        told(place, sight)
        _, before = sight.scene()
        assert before
        sight.take(PeerUp(STRANGER, "Stranger"))
        sight.take(PeerDown(STRANGER, "Stranger", ""))
        _, news = sight.scene()
        assert news == []


@awaited
async def test_who_comes_back_to_a_game_is_told_to_all(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        watcher, leaver = party.places[0], party.places[2]
        sight = Sight(watcher.node, Words())
        (session, *_) = await party.begin()
        await until(lambda: len(watcher.node.games) == 1)
        told(watcher, sight)
        await leaver.node.put_down()
        await until(lambda: f"{leaver.node.name} has left the table. The game waits." in told(watcher, sight))
        game = session.table.charter.game
        await leaver.node.resume(Keeper.resume(leaver.profile, game, leaver.node.group, Drbg("back")))
        await until(lambda: f"{leaver.node.name} is at the table again." in told(watcher, sight))
        assert sight.picture is not None
        assert not sight.picture.away


@awaited
async def test_who_resumes_a_game_gets_its_log_its_chat_and_its_proofs_back(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        place = party.places[0]
        sight = Sight(place.node, Words())
        (session, *_) = await party.begin()
        await until(lambda: any("is sheriff" in line for line in told(place, sight)))
        await party.places[1].node.do(lambda session: session.say("good evening"))
        await until(lambda: "Ben: good evening" in told(place, sight))
        before = sight.picture
        assert before is not None
        await place.node.put_down()
        told(place, sight)
        again = Sight(place.node, Words())
        game = session.table.charter.game
        await place.node.resume(Keeper.resume(place.profile, game, place.node.group, Drbg("back")))
        await until(lambda: "Ben: good evening" in told(place, again))
        after = again.picture
        assert after is not None
        assert sorted(line.text for line in after.log) == sorted(line.text for line in before.log)
        proofs = [sorted((one.seat, one.what, one.size) for one in picture.proofs) for picture in (before, after)]
        assert proofs[0] == proofs[1] != []


@awaited
async def test_whoever_is_muted_in_the_waiting_room_is_not_shown_until_unmuted(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        opener, guest, _ = party.places
        front = MemoryFront()
        driver = Driver(opener.node, opener.profile, front, Words(), has_lobby=True)
        await party.gather()
        who = guest.node.identity.public

        async def hears(text: str) -> None:
            """Lets the guest say something, and waits until the node has told it."""
            await Driver(guest.node, guest.profile, MemoryFront(), Words()).submit(SayAtTable(text))
            heard: list[object] = []

            def is_heard() -> bool:
                while not opener.node.events.empty():
                    heard.append(event := opener.node.events.get_nowait())
                    driver.take(event)
                return Chatted(who, text) in heard

            await until(is_heard)

        await hears("hello")
        assert await driver.submit(MuteMember(who, is_muted=True)) == Answered()
        await hears("buy my apples")
        assert await driver.submit(MuteMember(who, is_muted=False)) == Answered()
        await hears("are you there?")
        scene, news = driver._sight.scene()
        assert isinstance(scene, Hall)
        name = guest.node.name
        assert [line.text for line in scene.chat] == [f"{name}: hello", f"{name}: are you there?"]
        assert not any("apples" in str(one) for one in news)


@awaited
async def test_the_hall_says_which_own_games_wait_and_which_can_be_replayed(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        place = party.places[0]
        (session, *_) = await party.begin()
        await place.node.put_down()
        kept = place.profile.folder / "games" / f"{bytes(32).hex()}.sheriff"
        kept.write_bytes(b"a transcript")
        (kept.parent / "notes.sheriff").write_bytes(b"not named after a game")
        hall, _ = Driver(place.node, place.profile, MemoryFront(), Words(), has_lobby=True)._sight.scene()
        assert isinstance(hall, Hall)
        assert [one.id for one in hall.waiting] == [session.table.charter.game]
        assert hall.interrupted
        assert [(one.id, one.path) for one in hall.past] == [(bytes(32), kept)]


@awaited
async def test_who_begins_another_game_is_told_that_an_interrupted_one_waits(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        place = party.places[0]
        await party.begin()
        await place.node.put_down()
        told(place, Sight(place.node, Words()))  # That game is history.

        async def heard(driver: Driver) -> list[News]:
            assert await driver.submit(OpenTable(SETUP)) == Answered()
            scene, news = driver._sight.scene()
            assert isinstance(scene, Hall)
            assert scene.table is not None  # Fronts tell there what has happened.
            await driver.submit(LeaveTable())
            return [one for one in news if "`p2p-sheriff resume` goes on with it" in str(one)]

        own = place.node, place.profile, MemoryFront(), Words()
        assert len(await heard(Driver(*own))) == 1
        assert await heard(Driver(*own, has_lobby=True)) == []  # Which shows it by itself.


def test_nobody_is_told_to_wait_for_themselves() -> None:
    names, (first, *_) = ["root", "Ben", "Cleo"], open_table(SETUP, Edwards25519(), Drbg("waiting"))
    expected = tuple(Seat(seat) for seat in first.play.expected())
    own = expected[0]
    assert waiting.sentence(first.play, expected, names, {}, own) == ""
    assert names[own] in waiting.sentence(first.play, expected, names, {}, None)
    away = {seat: "20:15" for seat in (Seat(0), Seat(1), Seat(2)) if seat != own}
    said = waiting.sentence(first.play, expected, names, away, own)
    assert names[own] not in said
    assert all(names[seat] in said for seat in away)


def test_what_is_said_when_the_log_is_full_is_told_all_the_same() -> None:
    full = Picture(("Ann",), Words()).logging(*(LogLine(Topic.CHAT, str(number)) for number in range(2000)))
    more = [LogLine(Topic.CHAT, "one"), LogLine(Topic.CHAT, "more")]
    assert full.logging(*more).told_since(full) == tuple(more)
    assert full.told_since(full) == ()


def test_what_a_round_was_is_told_before_the_next_one_begins() -> None:
    last, heading, ended = (
        LogLine(Topic.GAME, "Ben pays."),
        LogLine(Topic.ROUND, "Round 2"),
        RoundEnded(Round(1, (), ())),
    )
    assert _in_order((last, heading), [ended]) == [last, ended, heading]
    assert _in_order((last,), [ended]) == [last, ended]
    assert _in_order((last, heading), []) == [last, heading]
