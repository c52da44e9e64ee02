"""Terms that can't be played at a table are refused by name, wherever they come from."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from p2p_sheriff.audit import audit
from p2p_sheriff.gathering.gathering import Gathering, LobbyError
from p2p_sheriff.gathering.tables import Member, TableInfo
from p2p_sheriff.node.transport import connect
from p2p_sheriff.node.wire import from_bytes
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.record import Record
from p2p_sheriff.session.replay import Finding, Flaw
from p2p_sheriff.session.resume import resume
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from p2p_sheriff.session.terms import OPTIONS, require_playable, setup_from_value, setup_of, setup_to_value
from protocol.charter import Charter, Player, Proposal
from protocol.codec import Value, encode
from protocol.errors import MalformedError
from protocol.group import Edwards25519
from protocol.identity import Identity
from protocol.typed import Codec
from tests.drbg import Drbg
from tests.gathering.lobby_room import Room
from tests.node.nodes import HOST, QUICK, SETUP, TITLE, Party, found, until
from tests.node.running import awaited

GROUP = Edwards25519()
TERMS = Codec[tuple[str, tuple[tuple[str, Value], ...]]](tuple[str, tuple[tuple[str, Value], ...]])
PEOPLE = [Identity.generate(Drbg(f"person {number}")) for number in range(6)]


def terms(**changes: Value) -> Value:
    """Returns the terms of an honest table, some of them changed."""
    game, pairs = TERMS.read(setup_to_value(Setup(3)))
    return (game, tuple((dict(pairs) | changes).items()))


def turnips(count: int, value: int, fine: int) -> Value:
    return terms(extra=(("turnips", "legal", count, value, fine, None),))


HOSTILE: Mapping[str, tuple[int, Value, str]] = {
    "sixty players": (3, terms(players=60), "3 to 6 players, not 60"),
    "an unknown option": (3, terms(options=("dragons",)), "no option 'dragons'"),
    "an option twice": (3, terms(options=("royal", "royal")), r"Setup\.options"),
    "an unknown edition": (3, terms(edition="third"), r"Setup\.edition"),
    "a deck of a billion apples": (3, terms(short=(("apples", 10**9),)), "short deck can't have 1000000000 apples"),
    "a deck of less than nothing": (3, terms(short=(("apples", -1),)), "short deck can't have -1 apples"),
    "a deck of four cards": (3, terms(short=(("apples", 2), ("silk", 2))), "needs at least 18 cards"),
    "too many extra cards": (3, turnips(10**6, 3, 2), "'turnips' must have 1 to 60 cards, not 1000000"),
    "priceless extra goods": (3, turnips(3, 10**12, 2), "'turnips' needs a value of 1 to 99"),
    "extra goods with a negative fine": (3, turnips(3, 3, -5), "'turnips' needs a value of 1 to 99 and a fine of 0"),
    "extra goods without a number": (3, terms(extra=(("turnips", "legal", True, 3, 2, None),)), r"Good\.count"),
    "candidates who do not sit there": (3, terms(candidates=(7,)), "candidates for the first sheriff"),
    "other goods": (3, terms(goods=()), "tables of cards or the grace times differ"),
    "goods with truth for a number": (3, terms(black_market=True), "tables of cards or the grace times differ"),
    "a law that nobody has chosen": (3, terms(modules=(("laws", (("toll", "Toll", 1),)),)), "tables of cards"),
    "laws without their table": (3, terms(options=("laws",)), "tables of cards or the grace times differ"),
    "no grace for who is away": (3, terms(grace=(0, 180)), "tables of cards or the grace times differ"),
    "another version": (3, ("sheriff/1", ()), "a game of version sheriff/1; this program plays sheriff/5"),
    "another game": (3, ("chess/1", ()), "not the terms of this game"),
    "no terms at all": (3, None, "an array was expected"),
}

hostile = pytest.mark.parametrize(("players", "value", "sentence"), HOSTILE.values(), ids=HOSTILE)


def charter_with(players: int, value: Value) -> Charter:
    people = tuple(Player(one.public, f"player {seat}") for seat, one in enumerate(PEOPLE[:players]))
    return Charter(Proposal(people, value), tuple(bytes([seat]) * 32 for seat in range(players)))


def table_with(value: Value, opener: Identity = PEOPLE[0]) -> Value:
    """Returns a table as a stranger would announce it."""
    honest = TableInfo(bytes(16), TITLE, Setup(3), opener.public, (Member(opener.public, "Stranger", "", 4000),))
    id_, title, _, *rest = honest.to_value()
    return (id_, title, value, *rest)


def test_what_an_honest_table_plays_is_playable() -> None:
    setup = Setup(5, options=frozenset(OPTIONS))
    assert setup_from_value(setup_to_value(setup)) == setup
    require_playable(setup)
    assert setup_from_value(terms()) == Setup(3)


@hostile
def test_a_charter_with_hostile_terms_is_refused_by_name(players: int, value: Value, sentence: str) -> None:
    charter = charter_with(players, value)
    begin: list[Callable[[], object]] = [
        lambda: setup_of(charter),
        lambda: Session(charter, PEOPLE[0], GROUP, Drbg("session")),
        lambda: resume(charter, PEOPLE[0], GROUP, Drbg("resume"), []),
        lambda: Spectator(charter, GROUP, Drbg("onlooker")),
        lambda: Gathering.open_again(
            Drbg("rematch"), PEOPLE[0], Member(PEOPLE[0].public, "Anna", "", 1), TITLE, charter
        ),
    ]
    for attempt in begin:
        with pytest.raises(MalformedError, match=sentence):
            attempt()


@hostile
def test_a_record_with_hostile_terms_is_refused_by_name_and_no_seat_is_blamed(
    players: int, value: Value, sentence: str
) -> None:
    report = audit(Record(charter_with(players, value), ()).to_bytes(), GROUP)
    assert isinstance(report.verdict, Finding)
    assert (report.verdict.code, report.verdict.seat) == (Flaw.BAD_CHARTER, None)
    with pytest.raises(MalformedError, match=sentence):
        raise MalformedError(report.verdict.reason)


@hostile
def test_a_table_or_game_with_hostile_terms_that_is_announced_is_refused_by_name(
    players: int, value: Value, sentence: str
) -> None:
    for message in (
        ("tables", (table_with(value),)),
        ("lobby", ("table", bytes(16), table_with(value))),
        ("games", ((TITLE, charter_with(players, value).to_bytes()),)),
    ):
        with pytest.raises(MalformedError, match=sentence):
            from_bytes(GROUP, encode(message))


@pytest.mark.parametrize(("value", "sentence"), [case[1:] for case in HOSTILE.values()], ids=HOSTILE)
def test_a_list_with_hostile_terms_changes_nothing_for_who_has_joined(value: Value, sentence: str) -> None:
    room = Room(GROUP, ["Anna", "Ben", "Cleo"], Setup(3))
    room.fill()
    anna, ben = (member.identity for member in room.members[:2])
    before = room.gatherings[ben].info
    id_, title, _, *rest = before.to_value()
    with pytest.raises(MalformedError, match=sentence):
        room.hear(ben, anna, ("table", before.id, (id_, title, value, *rest)))
    assert room.gatherings[ben].info == before
    room.begin()


LAWS = Setup(3, options=frozenset({"laws"}))


def test_nobody_opens_a_table_that_can_not_be_played_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p_sheriff.session.terms.OPTIONS", ("royal",))
    with pytest.raises(LobbyError, match="The option laws can't be played at the table yet"):
        Gathering.open(Drbg("opener"), PEOPLE[0], Member(PEOPLE[0].public, "Anna", "", 1), TITLE, LAWS)


@awaited
async def test_a_stranger_who_announces_a_table_with_unknown_laws_is_told_why_and_harms_nobody(tmp_path: Path) -> None:
    stranger = Identity.generate(Drbg("stranger"))
    async with Party(tmp_path) as party:
        await party.meet(2)
        anna, ben = party.places
        await anna.node.open_table(TITLE, SETUP)
        connection = await connect(stranger, "Stranger", QUICK, HOST, ben.node.port)
        await connection.send(encode(("tables", (table_with(terms(options=("laws",)), stranger),))))
        async for _ in connection:
            pass  # Whatever is said before the goodbye.
        assert "the tables of cards" in str(connection.ended)
        assert (await found(ben)).setup == SETUP
        assert set(ben.node.tables.values()) == {await found(ben)}
        await ben.node.join_table(await found(ben))
        await until(lambda: anna.node.gathering is not None and anna.node.gathering.info.free_seats == 1)
