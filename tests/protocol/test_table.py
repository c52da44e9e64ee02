from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from protocol.entry import Entry, SignedEntry
from protocol.errors import LocalError, MalformedError
from protocol.identity import Identity
from protocol.table import Folded, Spoken, Table
from tests.protocol.toy import (
    CHARTER,
    PLAYERS,
    SEATS,
    STAGES,
    UNLUCKY,
    Pump,
    Toy,
    identities,
    place_of,
    seated,
    sign,
    write,
)


class TestSchedules:
    @staticmethod
    def play(seed: int) -> Pump:
        rng = Random(seed)
        pump = Pump(seated(*STAGES, onlookers=1), rng, loss=rng.choice([0, 0.1, 0.4]), duplicates=rng.choice([0, 0.3]))
        talk = dict.fromkeys(range(SEATS), 3)

        def act(node: int) -> bool:
            table = pump.tables[node]
            if talk.get(node) and rng.random() < 0.1:
                talk[node] -= 1
                pump.write(node, ("talk", node, talk[node]), free=True)
                return True
            if not table.may_write:
                return False
            pump.write(node, 100 * table.step + node)
            return True

        pump.run(act)
        return pump

    @pytest.mark.parametrize("seed", range(200))
    def test_all_nodes_and_an_onlooker_end_with_the_same_game(self, seed: int) -> None:
        pump = self.play(seed)
        first, *others = pump.tables
        assert first.game.numbers == [
            (seat, 100 * step + seat) for step, stage in enumerate(STAGES) for seat in sorted(stage)
        ]
        for table in others:
            assert table.game == first.game
            assert (table.step, table.stage) == (len(STAGES), ())
            assert [signed.hash for signed in table.transcript.in_order()] == [
                signed.hash for signed in first.transcript.in_order()
            ]
            assert (table.faults, table.missing()) == ({}, ())
        assert pump.refused == []

    @pytest.mark.parametrize("seed", range(20))
    def test_every_node_sees_the_same_folds_in_the_same_order(self, seed: int) -> None:
        pump = self.play(seed)
        folds = [[event for event in events if isinstance(event, Folded)] for events in pump.events]
        assert all(fold == folds[0] for fold in folds)
        assert len(folds[0]) == sum(map(len, STAGES))
        said = [{event.signed.hash for event in events if isinstance(event, Spoken)} for events in pump.events]
        assert all(one == said[0] for one in said)

    @pytest.mark.parametrize("seed", range(20))
    def test_a_free_entry_is_taken_note_of_at_most_once_and_after_those_before_it(self, seed: int) -> None:
        heard = self.play(seed).tables[0].game.heard
        for seat in range(SEATS):
            numbers = [entry.sequence for entry in heard if entry.author == seat]
            assert numbers == sorted(set(numbers))

    @pytest.mark.parametrize("seed", range(10))
    def test_a_node_that_reads_its_own_store_again_is_where_it_was(self, seed: int) -> None:
        pump = self.play(seed)
        for table, stored, identity in zip(pump.tables, pump.stored, PLAYERS, strict=False):
            for entries in (stored, [signed.to_bytes() for signed in table.transcript.in_order()]):
                again = Table(CHARTER, Toy(STAGES), identity)
                for data in entries:
                    again.receive(data)
                assert again.game == table.game
                assert again.faults == {}

    @pytest.mark.parametrize("seed", range(10))
    def test_a_tampering_network_is_noticed_and_changes_nothing(self, seed: int) -> None:
        def tamper(_sender: int, _receiver: int, data: bytes) -> bytes:
            if rng.random() < 0.3:
                place = rng.randrange(len(data))
                return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
            return data

        rng = Random(seed)
        pump = Pump(seated(*STAGES), rng, tamper=tamper)

        def act(node: int) -> bool:
            if not pump.tables[node].may_write:
                return False
            pump.write(node, node)
            return True

        pump.run(act)
        assert pump.refused
        for table in pump.tables:
            assert table.game.numbers == [(seat, seat) for stage in STAGES for seat in sorted(stage)]
            assert table.faults == {}


class TestSimultaneousSteps:
    def test_entries_are_folded_in_seat_order_whatever_order_they_arrive_in(self) -> None:
        tables = seated((3, 1, 2))
        for seat in (3, 2, 1):
            assert tables[0].game.numbers == []
            data, events = tables[seat].write(seat)
            tables[0].receive(data)
            assert events == ([] if seat != 1 else [Folded(tables[1].transcript.chains[1][0], tables[1].game)])
        assert tables[0].game.numbers == [(1, 1), (2, 2), (3, 3)]

    def test_who_has_written_and_is_not_folded_yet_knows_it(self) -> None:
        tables = seated((0, 1), (1,))
        assert (tables[1].may_write, tables[1].has_written) == (True, False)
        data, _ = tables[1].write(5)
        assert (tables[1].may_write, tables[1].has_written) == (False, True)
        tables[0].receive(data)
        data, _ = tables[0].write(6)
        tables[1].receive(data)
        assert (tables[1].may_write, tables[1].has_written) == (True, False)

    def test_a_later_seat_may_write_without_having_seen_the_earlier_one(self) -> None:
        tables = seated((0, 1), (1,))
        first, _ = tables[0].write(6)
        second, _ = tables[1].write(5)
        tables[0].receive(second)
        tables[1].receive(first)
        assert tables[0].game == tables[1].game
        assert tables[0].step == 1


class TestFreeEntries:
    def test_a_turn_has_what_its_author_had_seen_and_nothing_else(self) -> None:
        tables = seated((0,), (1,))
        write(tables, 1, "early", free=True)
        unseen, _ = tables[2].write("unseen", free=True)
        for seat in (1, 3):
            tables[seat].receive(unseen)
        write(tables, 0, 5)
        tables[0].receive(unseen)
        assert [entry.payload for entry in tables[3].game.heard] == ["early"]
        write(tables, 1, 6)
        for table in tables:
            assert [[entry.payload for entry in written.heard] for written in table.game.log] == [["early"], ["unseen"]]

    def test_in_one_step_the_lowest_seat_that_has_seen_an_entry_takes_note_of_it(self) -> None:
        tables = seated((0, 1, 2))
        words, _ = tables[3].write("hello", free=True)
        for seat in (1, 2):
            tables[seat].receive(words)
        turns = [tables[seat].write(seat)[0] for seat in range(3)]
        for data in (*turns, words):
            tables[3].receive(data)
        assert [[entry.payload for entry in written.heard] for written in tables[3].game.log] == [[], ["hello"], []]

    def test_own_words_count_with_the_own_next_turn(self) -> None:
        tables = seated((0,))
        write(tables, 0, "first", free=True)
        write(tables, 0, "second", free=True)
        write(tables, 0, 5)
        assert [entry.payload for entry in tables[2].game.heard] == ["first", "second"]

    def test_a_turn_names_the_last_entry_of_each_seat_that_its_author_had_seen(self) -> None:
        tables = seated((0,), (1,))
        write(tables, 2, "first", free=True)
        write(tables, 2, "second", free=True)
        write(tables, 0, 5)
        (written,) = tables[3].game.log
        assert [entry and entry.payload for entry in written.last] == [None, None, "second", None]

    def test_words_of_a_refused_turn_are_left_for_the_next(self) -> None:
        tables = seated((0, 1))
        write(tables, 2, "hello", free=True)
        write(tables, 0, UNLUCKY)
        assert tables[3].game.heard == []
        assert [entry.payload for entry in tables[1].turn().free] == ["hello"]

    def test_a_free_entry_is_spoken_and_changes_nothing(self) -> None:
        tables = seated((0,))
        data, events = tables[3].write(UNLUCKY, free=True)
        assert [type(event) for event in events] == [Spoken]
        assert [type(event) for event in tables[0].receive(data)] == [Spoken]
        assert tables[0].game == Toy(((0,),))


class TestWriting:
    def test_out_of_turn_is_the_callers_mistake_and_changes_nothing(self) -> None:
        tables = seated((0, 1))
        with pytest.raises(LocalError, match="turn"):
            tables[2].write(1)
        tables[1].write(1)
        with pytest.raises(LocalError, match="turn"):
            tables[1].write(2)
        assert [len(chain) for chain in tables[1].transcript.chains] == [0, 1, 0, 0]
        assert tables[1].faults == tables[2].faults == {}

    @pytest.mark.parametrize("identity", [None, identities(1, "stranger")[0]])
    def test_an_onlooker_follows_and_writes_nothing(self, identity: Identity | None) -> None:
        onlooker = Table(CHARTER, Toy(((0,),)), identity)
        (player, *_) = seated((0,))
        for free in (False, True):
            with pytest.raises(LocalError):
                onlooker.write(1, free=free)
        with pytest.raises(LocalError, match="onlooker"):
            onlooker.turn()
        data, _ = player.write(5)
        onlooker.receive(data)
        assert (onlooker.seat, onlooker.may_write, onlooker.game) == (None, False, player.game)

    def test_a_value_that_cant_be_encoded_is_the_callers_mistake(self) -> None:
        (player, *_) = seated((0,))
        with pytest.raises(LocalError):
            player.write(1 << 70)
        assert player.may_write

    def test_the_turn_shown_before_writing_is_the_one_that_all_fold(self) -> None:
        tables = seated((0,), (1,))
        write(tables, 3, "hello", free=True)
        write(tables, 0, 1)
        turn = tables[1].turn(7)
        write(tables, 1, 7)
        for table in tables:
            written = table.game.log[-1]
            assert (written.place, written.heard, written.last) == (place_of(turn), turn.free, turn.last)
            assert table.transcript.chains[1][-1].entry == turn.entry

    def test_a_free_entry_proves_nothing(self) -> None:
        turn = seated((0,))[0].turn()
        with pytest.raises(LocalError, match="free"):
            replace(turn, entry=replace(turn.entry, step=None)).context("toy", 0, "write", 0)


class TestHasSeen:
    def test_a_seat_has_seen_what_its_last_entry_names(self) -> None:
        tables = seated((0,))
        data, _ = tables[0].write(5)
        choice = SignedEntry.from_bytes(CHARTER, data)
        for table in tables[1:]:
            table.receive(data)
        before, _ = seated((0,))[2].write("not yet", free=True)
        after, _ = tables[1].write("seen", free=True)
        for words in (before, after):
            tables[3].receive(words)
        assert [tables[3].has_seen(seat, choice) for seat in range(SEATS)] == [True, True, False, False]

    def test_to_have_seen_another_entry_with_that_number_does_not_count(self) -> None:
        tables = seated((0,))
        data, _ = tables[0].write(5)
        other = sign(CHARTER, PLAYERS[0], seated()[0].transcript.heads, 6, step=0)
        for table in tables[1:]:
            table.receive(data)
        write(tables, 1, "seen", free=True)
        assert tables[2].has_seen(1, SignedEntry.from_bytes(CHARTER, data))
        assert not tables[2].has_seen(1, other)


def test_the_cost_of_an_entry_does_not_grow_with_the_game() -> None:
    # What a turn copies is what is new since the last one, not the chains.
    table = Table(CHARTER, Toy(((0,),) * 300), PLAYERS[0])
    for number in range(100, 400):
        table.write(number)
    seen: list[int] = []
    chain = table.transcript.chains[0]
    counted = Counted(chain, seen.append)
    table.transcript.chains = (counted, *table.transcript.chains[1:])
    table.turn()
    assert sum(seen) < 10


class Counted(list[SignedEntry]):
    """A list that reports how many of its items are taken at a time."""

    def __init__(self, items: list[SignedEntry], report: Callable[[int], object]) -> None:
        super().__init__(items)
        self._report = report

    def __getitem__(self, key: object) -> SignedEntry | list[SignedEntry]:  # type: ignore[override]
        taken: SignedEntry | list[SignedEntry] = super().__getitem__(key)  # type: ignore[call-overload]
        self._report(len(taken) if isinstance(taken, list) else 1)
        return taken


def test_bytes_that_are_no_entry_leave_nothing_behind() -> None:
    table = seated((0,))[1]
    for data in (b"", b"\x90", bytes(200), Entry(CHARTER.game, 0, table.transcript.heads, 0, 1).to_bytes()):
        with pytest.raises(MalformedError):
            table.receive(data)
    assert (table.missing(), table.faults, table.game) == ((), {}, Toy(((0,),)))


def test_a_turn_shows_whom_its_author_knows_to_have_seen_an_entry() -> None:
    tables = seated((0,), (1,))
    assert not tables[0].turn().shows(2, 0, 0)
    write(tables, 0, 5)
    assert not tables[1].turn().shows(2, 0, 0)
    write(tables, 2, None, free=True)
    turn = tables[1].turn()
    assert [turn.shows(seat, 0, 0) for seat in range(SEATS)] == [True, True, True, False]
