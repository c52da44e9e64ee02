"""A session comes back from what was written down: the same player, with the same cards, who can go on."""

from collections.abc import Callable
from random import Random

import pytest

from p2p_sheriff.bots import STYLES, Bot, make_bot
from p2p_sheriff.lab.simnet import Chooser, Simnet, open_table
from p2p_sheriff.rules import Choice, LoadBag, Move, Seat, Setup, View
from p2p_sheriff.session.acts import Commits, Moves, Payload, Rearranges
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.homecoming import ForkedError, Homecoming, LostSecretsError
from p2p_sheriff.session.passes import Tossing
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.resume import FirstRecord, Kept, resume
from p2p_sheriff.session.session import Session
from protocol.codec import Value, decode, encode
from protocol.entry import Entry, Head, SignedEntry
from protocol.errors import LocalError, MalformedError, VerificationError
from protocol.faults import FaultCode
from protocol.group import Edwards25519, encode_scalar
from protocol.pending import MAX_AHEAD_BYTES
from tests.drbg import Drbg
from tests.table.games import SHORT_DECK, OneRound, assert_agreed

GROUP = Edwards25519()
SETUP = Setup(3, short=SHORT_DECK)


def table(seed: int, kind: Callable[[Bot], Chooser] = lambda bot: bot) -> Simnet:
    bots = [kind(make_bot(STYLES[(seat + seed) % len(STYLES)], seat, Random(seed + seat))) for seat in SETUP.seats]
    return Simnet(open_table(SETUP, GROUP, Drbg(f"resume {seed}")), bots, Random(seed))


def written_down(session: Session) -> Kept:
    """All entries in the order of the transcript, and the secrets as they are now."""
    entries = tuple(signed.to_bytes() for signed in session.table.transcript.in_order())
    return Kept(entries, session.secrets.to_value())


def come_back(session: Session, kept: Kept) -> Session:
    identity = session.table._identity
    assert identity is not None
    return resume(session.table.charter, identity, GROUP, Drbg("another life"), kept.entries, kept.secrets)


def secrets_of(session: Session) -> tuple[object, ...]:
    value = session.secrets.to_value()
    assert isinstance(value, tuple)
    return (frozenset(session.secrets.keys.secrets()), *value[1:])


def assert_same(one: Session, other: Session) -> None:
    assert one.play == other.play
    assert one.view() == other.view()
    assert one.choice() == other.choice()
    assert secrets_of(one) == secrets_of(other)
    assert one.table.transcript.heads == other.table.transcript.heads
    assert one.table.may_write == other.table.may_write
    assert one._awaited == other._awaited


class Observed(Simnet):
    """Shows a session to somebody whenever it may have written something."""

    def __init__(self, net: Simnet, look: Callable[[Session], None]) -> None:
        super().__init__(net.sessions, net._choosers, net._rng)
        self._look = look

    def _flush(self, seat: int) -> None:
        self._look(self.sessions[seat])
        super()._flush(seat)


# -- the same session


def test_a_session_that_comes_back_in_any_phase_is_the_one_that_was() -> None:
    phases: dict[tuple[str, str, bool], Seat] = {}

    def look(session: Session) -> None:
        play = session.play
        is_committed = isinstance(play.passing, Tossing) and play.passing.is_committed
        passing = f"{type(play.passing).__name__} {is_committed}"
        moment = (play.state.phase.value, passing, session.table.has_written)
        if moment not in phases:
            phases[moment] = session.seat
            assert_same(come_back(session, written_down(session)), session)

    net = Observed(table(1), look)
    net.run(until=lambda play: play.state.round == 2)
    assert len(phases) >= 12
    assert any(is_waiting for _, _, is_waiting in phases), "nobody ever waited to be folded"


def test_all_players_come_back_at_once_and_play_to_the_end() -> None:
    net = table(2)
    net.run(until=lambda play: play.state.round == 2 and play.passing is None)
    sessions = [come_back(session, written_down(session)) for session in net.sessions]
    again = Simnet(sessions, net._choosers, Random(2))
    for session in sessions:
        session.events.clear()  # The bots remember.
    again.run()
    assert_agreed(sessions)


def test_coming_back_tells_the_whole_game_and_how_far_it_is() -> None:
    net = table(3)
    net.run(until=lambda play: play.state.round == 1 and play.passing is None)
    session, progress = net.sessions[0], list[tuple[int, int]]()
    identity = session.table._identity
    assert identity is not None
    kept = written_down(session)
    back = resume(
        session.table.charter,
        identity,
        GROUP,
        Drbg("progress"),
        kept.entries,
        kept.secrets,
        lambda done, total: progress.append((done, total)),
    )
    total = sum(len(chain) for chain in session.table.transcript.chains)
    assert progress == [(done + 1, total) for done in range(total)]
    told = [event for seat, event in net.events if seat == 0 and isinstance(event, Happened)]
    assert [event for event in back.events if isinstance(event, Happened)] == told
    assert back.outbox == []


# -- what is written down


def test_records_have_one_plain_form() -> None:
    net = table(4)
    net.run(until=lambda play: play.state.round == 1 and play.passing is None)
    kept = written_down(net.sessions[0])
    assert Kept.from_value(decode(encode(kept.to_value()))) == kept
    charter = net.sessions[0].table.charter.to_bytes()
    for opening in (FirstRecord(charter), FirstRecord(charter, is_over=True)):
        assert FirstRecord.from_value(decode(encode(opening.to_value()))) == opening


@pytest.mark.parametrize("value", [None, (), ("entries", (1,), None), ("entries", ("text",), None), ("game", b"")])
def test_what_is_no_record_is_refused(value: Value) -> None:
    with pytest.raises(MalformedError):
        Kept.from_value(value)


@pytest.mark.parametrize("value", [None, ("game", "text"), ("entries", (), None)])
def test_what_is_no_opening_is_refused(value: Value) -> None:
    with pytest.raises(MalformedError):
        FirstRecord.from_value(value)


@pytest.mark.parametrize(
    "value", [None, (b"short", None, b""), (b"", (1, 2), b""), (b"\xff" * 32, None, b""), (b"", None)]
)
def test_what_are_no_secrets_is_refused(value: Value) -> None:
    (session, *_) = table(4).sessions
    with pytest.raises(MalformedError):
        session.secrets.restore(value)


def test_no_text_of_a_session_or_its_records_shows_a_secret() -> None:
    net = table(5)
    net.run(until=lambda play: play.state.round == 1 and bool(play.state.closed_bags))
    session = next(one for one in net.sessions if one.secrets.bag is not None)
    assert session.secrets.bag is not None
    kept = written_down(session)
    shown = " ".join(map(repr, (session, session.secrets, session.secrets.bag, session.secrets.keys, kept)))
    keys = session.secrets.keys.secrets()
    hidden = [session.secrets.bag.salt, *map(encode_scalar, keys)]
    assert not any(text in shown for secret in hidden for text in (repr(secret)[2:-1], secret.hex()))
    assert not any(str(key) in shown for key in keys)


def test_a_record_that_was_changed_is_refused() -> None:
    net = table(4)
    net.run(until=lambda play: play.state.round == 1 and play.passing is None)
    kept = written_down(net.sessions[0])
    first = kept.entries[0]
    with pytest.raises(VerificationError):
        come_back(net.sessions[0], Kept((first[:-1] + bytes([first[-1] ^ 1]), *kept.entries[1:]), kept.secrets))


def test_own_entries_without_those_that_they_name_are_refused() -> None:
    net = table(4)
    net.run(until=lambda play: play.state.round == 1 and play.passing is None)
    session = net.sessions[1]
    mine = tuple(signed.to_bytes() for signed in session.table.transcript.chains[1])
    with pytest.raises(MalformedError, match="lacks entries"):
        come_back(session, Kept(mine, session.secrets.to_value()))


def test_a_game_of_other_players_is_refused() -> None:
    here, elsewhere = table(4).sessions[0], table(5).sessions[0]
    identity = elsewhere.table._identity
    assert identity is not None
    with pytest.raises(LocalError, match="no seat"):
        resume(here.table.charter, identity, GROUP, Drbg("stranger"), [])


# -- before anything new is written, the others are heard


def until_all_have_loaded(play: Play) -> bool:
    return play.state.round == 1 and bool(play.state.closed_bags)


def tell_all(home: Homecoming, net: Simnet, seat: Seat, *, reverse: bool = False) -> None:
    """Every other node sends all it has, in its order or the worst one, and then its heads."""
    for other in net.sessions:
        if other.seat != seat:
            entries = [signed.to_bytes() for signed in other.table.transcript.in_order()]
            for data in reversed(entries) if reverse else entries:
                home.receive(data)
            home.hear(other.seat, other.table.transcript.heads)


def older(session: Session, own: int) -> Kept:
    """What the session would have written down after so many own entries, with no secrets that came later."""
    entries = []
    for signed in session.table.transcript.in_order():
        if signed.entry.author == session.seat and signed.entry.sequence == own:
            break
        entries.append(signed.to_bytes())
    return Kept(tuple(entries))


def test_nothing_may_be_written_before_all_others_were_heard() -> None:
    net = table(6)
    net.run(until=until_all_have_loaded)
    session = come_back(net.sessions[1], written_down(net.sessions[1]))
    home = Homecoming(session)
    assert home.waits_for == {0, 2}
    home.hear(Seat(0), net.sessions[0].table.transcript.heads)
    assert home.waits_for == {2}
    assert not home.is_over
    home.hear(Seat(2), net.sessions[2].table.transcript.heads)
    assert home.is_over
    home.finish()
    assert home.adopted == 0


def test_who_claims_to_have_more_of_the_own_chain_has_to_show_it() -> None:
    net = table(6)
    net.run(until=until_all_have_loaded)
    home = Homecoming(come_back(net.sessions[1], written_down(net.sessions[1])))
    heads = net.sessions[0].table.transcript.heads
    home.hear(Seat(0), [heads[0], Head(heads[1].length + 1, bytes(32)), heads[2]])
    home.hear(Seat(2), [heads[0], Head(heads[1].length, bytes(32)), heads[2]])
    assert home.waits_for == {0, 2}


class Undecided(OneRound):
    """Haggles like a bot, but never decides about a bag: everything comes to rest there."""

    def choose(self, view: View, choice: Choice) -> Move | LoadBag | None:
        return None if choice is Choice.ACT else super().choose(view, choice)


class Backups:
    """What every seat had written down after each of its entries."""

    def __init__(self) -> None:
        self.kept: dict[Seat, dict[int, Kept]] = {seat: {} for seat in SETUP.seats}

    def __call__(self, session: Session) -> None:
        if session.outbox:
            self.kept[session.seat][len(session.table.transcript.chains[session.seat])] = written_down(session)


@pytest.mark.parametrize("reverse", [False, True], ids=["in order", "in the worst order"])
def test_an_old_backup_takes_its_entries_back_from_the_others_or_says_what_is_lost(reverse: bool) -> None:
    all_backups = Backups()
    net = Observed(table(7, Undecided), all_backups)
    net.run()
    seat = net.sessions[0].play.state.merchants[0]
    now, backups = net.sessions[seat], sorted(all_backups.kept[seat].items())
    number = len(now.table.transcript.chains[seat])
    lost = 0
    for length, backup in backups[-7:] if reverse else backups[::4] + backups[-1:]:
        back = come_back(now, backup)
        home = Homecoming(back)
        tell_all(home, net, seat, reverse=reverse)
        assert home.is_over
        assert home.adopted == number - length
        if back.secrets.lost(back.play):
            lost += 1
            with pytest.raises(LostSecretsError, match=rf"troubles\.lost_secrets n={number - length} "):
                home.finish()
        else:
            home.finish()
            assert_same(back, now)
        assert back.table.faults == {}
        assert back.table.transcript.heads == now.table.transcript.heads
        assert back.outbox == []
    assert 0 < lost < (7 if reverse else len(backups[::4]) + 1)


def lost_after(net: Simnet, act: type[object], what: str) -> None:
    """Asserts that who lacks only the entry with that act, and has all others, misses what was secret in it."""
    for session in net.sessions:
        own = session.table.transcript.chains[session.seat]
        last = own[-1].entry
        if last.step is not None and any(isinstance(one, act) for one in Payload.from_value(last.payload).acts):
            back = come_back(session, older(session, len(own) - 1))
            home = Homecoming(back)
            tell_all(home, net, session.seat)
            for signed in session.table.transcript.in_order():
                home.receive(signed.to_bytes())
            if home.is_over:
                with pytest.raises(LostSecretsError, match=what):
                    home.finish()
                return
    raise AssertionError(f"nobody has just done that: {act.__name__}")


def test_who_has_lost_the_bag_is_told_so() -> None:
    net = table(8)
    net.run(until=lambda play: play.state.phase.value == "declare")
    lost_after(net, Moves, "what is in its bag")


def test_who_has_lost_a_share_of_the_coin_is_told_so() -> None:
    net = table(8)
    net.run(until=lambda play: isinstance(play.passing, Tossing) and play.passing.is_committed)
    lost_after(net, Commits, "its share of the coin")


def test_who_has_lost_the_keys_of_the_hand_is_told_so() -> None:
    net = table(8)
    net.run(until=lambda play: play.state.phase.value == "load")
    lost_after(net, Rearranges, "the key of cards under its lock")


def named_by_a_liar(net: Simnet, text: str) -> bytes:
    """An entry of seat 0 that names an entry which seat 1 never wrote."""
    liar = net.sessions[0].table
    assert liar._identity is not None
    heads = liar.transcript.heads
    false = (heads[0], Head(heads[1].length + 1, bytes(32)), heads[2])
    return SignedEntry.sign(liar._identity, Entry(liar.charter.game, 0, false, None, ("say", text))).to_bytes()


def test_who_names_entries_that_nobody_can_show_is_blamed_once_all_were_heard() -> None:
    net = table(9)
    net.run(until=until_all_have_loaded)
    home_session = come_back(net.sessions[1], written_down(net.sessions[1]))
    home = Homecoming(home_session)
    tell_all(home, net, Seat(1))
    home.receive(named_by_a_liar(net, "I saw it"))
    assert home_session.table.faults == {}
    assert home.is_over
    home.finish()
    assert home_session.table.faults[0].code is FaultCode.UNKNOWN_HEADS


def test_a_liar_can_not_fill_the_memory_of_who_comes_back() -> None:
    net = table(9)
    home = Homecoming(come_back(net.sessions[1], Kept(())))
    for i in range(20):
        home.receive(named_by_a_liar(net, f"{i:100000}"))
    assert sum(len(signed.body) for signed in home._held.values()) <= MAX_AHEAD_BYTES


def test_an_own_entry_that_this_version_would_refuse_is_named() -> None:
    session = table(9).sessions[0]
    identity = session.table._identity
    assert identity is not None
    entry = Entry(session.table.charter.game, 0, session.table.transcript.heads, 0, None)
    with pytest.raises(MalformedError, match="not one that this version would have written"):
        come_back(session, Kept((SignedEntry.sign(identity, entry).to_bytes(),)))


def test_another_copy_of_the_same_player_is_found_out() -> None:
    net = table(9)
    net.run(until=until_all_have_loaded)
    session = net.sessions[1]
    twin = come_back(session, written_down(session))
    session.say("I am the first.")
    twin.say("I am the second.")
    home = Homecoming(twin)
    home.receive(session.outbox[-1])
    for seat in (0, 2):
        home.hear(Seat(seat), net.sessions[seat].table.transcript.heads)
    with pytest.raises(ForkedError, match=r"troubles\.forked"):
        home.finish()
