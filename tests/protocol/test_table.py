from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from protocol.codec import Value
from protocol.deck import Card, Keyring, lock_cards, verify_lock
from protocol.entry import Entry, Head, SignedEntry
from protocol.errors import InvalidProofError, InvalidSignatureError, LocalError, MalformedError
from protocol.faults import Fault, FaultCode
from protocol.group import GENERATOR, Group
from protocol.identity import Identity
from protocol.table import Folded, Spoken, Table
from tests.drbg import Drbg
from tests.protocol.toy import UNLUCKY, Pump, Toy, charter_of, identities, place_of, sign, tables_of

SEATS = 4
PLAYERS = identities(SEATS)
CHARTER = charter_of(PLAYERS)
STAGES = ((0, 1, 2, 3), (2,), (1, 3), (0,), (3, 0), (0, 1, 2, 3), (1,))


def seated(*stages: tuple[int, ...], onlookers: int = 0) -> list[Table[Toy]]:
    return tables_of(PLAYERS, CHARTER, Toy(stages), onlookers)


def write(tables: list[Table[Toy]], seat: int, payload: Value, *, free: bool = False) -> bytes:
    """Writes and tells everybody at once."""
    data, _ = tables[seat].write(payload, free=free)
    for other, table in enumerate(tables):
        if other != seat:
            table.receive(data)
    return data


def tell(tables: list[Table[Toy]], signed: SignedEntry) -> list[list[object]]:
    return [list(table.receive(signed.to_bytes())) for table in tables]


def the_fault(events: list[object]) -> Fault:
    (fault,) = (event for event in events if isinstance(event, Fault))
    return fault


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


class TestACheatAmongHonestNodes:
    """Seat 2 writes at random: out of turn, twice, ahead, false, on old heads; all others play by the rules."""

    CHEAT = 2

    def play(self, seed: int, forks: bool) -> Pump:
        rng = Random(seed)
        pump = Pump(seated(*STAGES), rng, loss=rng.choice([0, 0.2]), duplicates=0.1, absent=[self.CHEAT])
        own: list[SignedEntry] = []
        told: list[Head] = [Head(0, CHARTER.game)] * SEATS

        def cheat() -> bool:
            if len(own) == 6:
                return False
            witness = pump.tables[rng.choice(pump.present)]
            for seat in pump.present:
                # What it names grows, but it need not name all that it has seen.
                if rng.random() < 0.7 and len(witness.transcript.chains[seat]) > told[seat].length:
                    told[seat] = witness.transcript.head(seat)
            # Mostly a step that it may take now or soon, so that the game gets somewhere before it stops.
            soon = next((n for n, stage in enumerate(STAGES) if n >= witness.step and self.CHEAT in stage), 0)
            step = rng.choice([None, soon, soon, soon, soon, witness.step + rng.randint(-1, 2)])
            payload = rng.choice([1, 2, 3, 4, 5, 6, 7, UNLUCKY, "word", b"proof", None])
            versions = 2 if forks and rng.random() < 0.4 else 1
            told[self.CHEAT] = Head(len(own), own[-1].hash) if own else Head(0, CHARTER.game)
            for version in range(versions):
                signed = sign(CHARTER, PLAYERS[self.CHEAT], told, (payload, version) if version else payload, step=step)
                pump.send(self.CHEAT, signed.to_bytes(), pump.present if versions == 1 else [rng.choice(pump.present)])
            own.append(signed)
            return True

        def act(node: int) -> bool:
            table = pump.tables[node]
            if rng.random() < 0.1 and cheat():
                return True
            if rng.random() < 0.02:
                pump.write(node, "words", free=True)
                return True
            if not table.may_write:
                return cheat()
            pump.write(node, 100 * table.step + node)
            return True

        pump.run(act)
        return pump

    @pytest.mark.parametrize("seed", range(100))
    def test_every_honest_node_has_the_same_game_and_blames_the_cheat_alone(self, seed: int) -> None:
        pump = self.play(seed, forks=False)
        honest = [pump.tables[seat] for seat in pump.present]
        for table in honest:
            assert (table.game, table.step, table.stage) == (honest[0].game, honest[0].step, honest[0].stage)
            assert set(table.faults) <= {self.CHEAT}
            assert set(table.faults) == set(honest[0].faults)

    @pytest.mark.parametrize("seed", range(100))
    def test_a_cheat_who_tells_different_things_divides_but_never_turns_honest_nodes_on_each_other(
        self, seed: int
    ) -> None:
        pump = self.play(seed, forks=True)
        by_history: dict[tuple[bytes, ...], Toy] = {}
        for table in (pump.tables[seat] for seat in pump.present):
            assert set(table.faults) <= {self.CHEAT}
            history = tuple(signed.hash for signed in table.transcript.in_order())
            assert by_history.setdefault(history, table.game) == table.game


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


class TestOutOfTurn:
    """Each is signed by its author and told to everybody: every node refuses it alike and keeps its state."""

    def refused(self, tables: list[Table[Toy]], signed: SignedEntry) -> None:
        before = [(table.game, table.step, table.stage) for table in tables]
        for events in tell(tables, signed):
            fault = the_fault(events)
            assert (fault.seat, fault.code, fault.evidence) == (signed.entry.author, FaultCode.OUT_OF_TURN, (signed,))
        assert [(table.game, table.step, table.stage) for table in tables] == before

    def test_by_a_seat_that_is_not_expected(self) -> None:
        tables = seated((0,))
        self.refused(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, 1, step=0))

    def test_twice_in_one_step(self) -> None:
        tables = seated((0, 1))
        write(tables, 1, 5)
        self.refused(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, 6, step=0))

    def test_into_a_step_that_is_over(self) -> None:
        tables = seated((0,), (1,))
        write(tables, 0, 5)
        self.refused(tables, sign(CHARTER, PLAYERS[0], tables[0].transcript.heads, 6, step=0))

    def test_into_a_step_that_has_not_begun(self) -> None:
        tables = seated((0,), (1,))
        self.refused(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, 6, step=1))

    def test_after_the_game_is_over(self) -> None:
        tables = seated((0,))
        write(tables, 0, 5)
        self.refused(tables, sign(CHARTER, PLAYERS[0], tables[0].transcript.heads, 6, step=1))

    def test_a_step_ahead_is_out_of_turn_also_where_that_step_has_come_meanwhile(self) -> None:
        # Seat 1 bets on what seat 0 will do: some get the entry before seat 0's, some after it.
        early, late = seated((0,), (1,))[:2], seated((0,), (1,))[2:]
        first, _ = seated((0,), (1,))[0].write(5)
        bet = sign(CHARTER, PLAYERS[1], late[0].transcript.heads, 6, step=1)
        for table in early:
            the_fault(list(table.receive(bet.to_bytes())))
            table.receive(first)
        for table in late:
            table.receive(first)
            the_fault(list(table.receive(bet.to_bytes())))
        games = [table.game for table in early + late]
        assert all(game.numbers == [(0, 5)] for game in games)
        assert {table.faults[1].code for table in early + late} == {FaultCode.OUT_OF_TURN}

    def test_a_turn_that_was_in_time_counts_although_its_author_breaks_the_protocol_later(self) -> None:
        # Else a node that got seat 0's entry last would not fold seat 1's turn, and would blame whoever goes on.
        honest, cheat, prompt, tardy = seated((0, 1), (2,))
        first, _ = honest.write(5)
        second, _ = cheat.write(6)
        again = sign(CHARTER, PLAYERS[1], cheat.transcript.heads, 7, step=0).to_bytes()
        for data in (first, second, again):
            prompt.receive(data)
        for data in (second, again, first):
            tardy.receive(data)
        assert prompt.game.numbers == tardy.game.numbers == [(0, 5), (1, 6)]
        data, _ = prompt.write(8)
        tardy.receive(data)
        for table in (prompt, tardy):
            table.receive(data)
            assert table.game.numbers == [(0, 5), (1, 6), (2, 8)]
            assert {seat: fault.code for seat, fault in table.faults.items()} == {1: FaultCode.OUT_OF_TURN}

    def test_turns_after_a_refused_one_are_void_and_blamed_no_more(self) -> None:
        tables = seated((0,), (1,))
        self.refused(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, 6, step=1))
        write(tables, 0, 5)
        later = sign(CHARTER, PLAYERS[1], tables[0].transcript.heads, 6, step=1)
        assert tell(tables, later) == [[]] * SEATS
        assert all(table.step == 1 for table in tables)


class TestRefusedPayloads:
    @pytest.mark.parametrize(
        ("payload", "code"),
        [
            ("a word", FaultCode.MALFORMED),
            (True, FaultCode.MALFORMED),
            (b"a proof", FaultCode.FALSE_PROOF),
            (UNLUCKY, FaultCode.FORBIDDEN),
            (("what the game did not expect",), FaultCode.MALFORMED),
        ],
    )
    def test_every_node_names_the_seat_and_the_fault_and_keeps_its_state(self, payload: Value, code: FaultCode) -> None:
        tables = seated((1,), (2,))
        signed = sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, payload, step=0)
        for table, events in zip(tables, tell(tables, signed), strict=True):
            fault = the_fault(events)
            assert (fault.seat, fault.code, fault.evidence) == (1, code, (signed,))
            assert table.faults == {1: fault}
            assert (table.game, table.step, table.stage) == (Toy(((1,), (2,))), 0, (1,))

    def test_a_second_try_is_void(self) -> None:
        tables = seated((1,))
        tell(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, UNLUCKY, step=0))
        assert tell(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, 1, step=0)) == [[]] * SEATS
        assert all(table.stage == (1,) for table in tables)

    def test_a_refused_turn_in_a_step_of_several_stops_the_later_seats_on_all_nodes(self) -> None:
        orders = [(0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2)]
        tables = seated((0, 1, 2))
        empty = tables[3].transcript.heads
        turns = [sign(CHARTER, PLAYERS[seat], empty, UNLUCKY if seat == 1 else seat, step=0) for seat in range(3)]
        for table, order in zip(tables, orders, strict=True):
            for seat in order:
                table.receive(turns[seat].to_bytes())
            assert table.game.numbers == [(0, 0)]
            assert (table.stage, {seat: fault.code for seat, fault in table.faults.items()}) == (
                (1, 2),
                {1: FaultCode.FORBIDDEN},
            )

    def test_a_fault_reads_as_a_sentence(self) -> None:
        tables = seated((1,))
        fault = the_fault(tell(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, UNLUCKY, step=0))[0])
        assert str(fault) == "seat 1 broke the protocol in entry 0: thirteen brings bad luck (FORBIDDEN)"

    def test_entries_that_waited_for_a_refused_one_are_still_delivered(self) -> None:
        tables = seated((1,), (2,))
        bad = sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, UNLUCKY, step=0)
        tables[2].receive(bad.to_bytes())
        words, _ = tables[2].write("what was that?", free=True)
        assert tables[0].receive(words) == []
        fault, spoken = tables[0].receive(bad.to_bytes())
        assert isinstance(fault, Fault)
        assert isinstance(spoken, Spoken)


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


class TestEntriesFromElsewhere:
    def test_a_replay_from_another_game_is_refused(self) -> None:
        elsewhere = charter_of(PLAYERS, seed="another evening")
        data, _ = Table(elsewhere, Toy(((0,),)), PLAYERS[0]).write(5)
        table = seated((0,))[1]
        with pytest.raises(MalformedError, match="another game"):
            table.receive(data)
        assert (table.game, table.faults) == (Toy(((0,),)), {})

    def test_a_forged_author_is_refused_and_nobody_blamed(self) -> None:
        tables = seated((0,))
        forged = sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, 5, step=0, author=0)
        for table in tables:
            with pytest.raises(InvalidSignatureError):
                table.receive(forged.to_bytes())
            assert table.faults == {}

    def test_a_proof_holds_in_its_own_entry_alone(self, group: Group, rng: Drbg) -> None:
        card, keys = Card(GENERATOR), Keyring(group, rng)
        tables = seated((0, 1), (0,))
        change = lock_cards(group, place_of(tables[0].turn()), 0, [card], keys, rng)
        verify_lock(group, place_of(tables[0].turn()), 0, [card], change)
        with pytest.raises(InvalidProofError):
            verify_lock(group, place_of(tables[1].turn()), 0, [card], change)
        for seat in (0, 1):
            write(tables, seat, seat)
        with pytest.raises(InvalidProofError):
            verify_lock(group, place_of(tables[0].turn()), 0, [card], change)


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


class TestEquivocation:
    @pytest.mark.parametrize("schedule", range(30))
    def test_nobody_but_the_liar_is_ever_blamed_and_all_find_out(self, schedule: int) -> None:
        # Seat 0 tells seats 1 and 2 one thing, and seat 3 another. They find out as soon as seat 3 says anything.
        tables = seated((0,), (1,), (2,))
        one, other = (sign(CHARTER, PLAYERS[0], tables[1].transcript.heads, number, step=0) for number in (5, 6))
        pump = Pump(tables, Random(schedule), loss=0.1, duplicates=0.2, absent=[0])
        for seat, signed in ((1, one), (2, one), (3, other)):
            tables[seat].receive(signed.to_bytes())
        words = ["how bold!"]

        def act(node: int) -> bool:
            if node == 3 and words:
                pump.write(node, words.pop(), free=True)
                return True
            if not tables[node].may_write:
                return False
            pump.write(node, node)
            return True

        pump.run(act)
        for table in tables[1:]:
            assert {seat: fault.code for seat, fault in table.faults.items()} == {0: FaultCode.EQUIVOCATION}
            assert {signed.hash for signed in table.faults[0].evidence} == {one.hash, other.hash}
        assert tables[1].game == tables[2].game
        assert tables[1].game.numbers == [(0, 5), (1, 1), (2, 2)]
        assert tables[3].game.numbers == [(0, 6)]

    def test_a_lie_that_is_found_out_early_does_not_make_nodes_differ(self) -> None:
        # Seat 3 learns of two entries number 1 before it has number 0; the others have not heard of the second.
        tables = seated((0,), (1,), (2,))
        first = sign(CHARTER, PLAYERS[0], tables[1].transcript.heads, 5, step=0)
        after = (Head(1, first.hash), *first.entry.heads[1:])
        lies = [sign(CHARTER, PLAYERS[0], after, words) for words in ("yes", "no")]
        assert [events for lie in lies for events in tables[3].receive(lie.to_bytes())] == [
            Fault(0, FaultCode.EQUIVOCATION, "two different entries have one number", tuple(lies))
        ]
        for table in tables[1:]:
            table.receive(first.to_bytes())
        for seat in (1, 2):
            write(tables[1:], seat - 1, seat)
        assert tables[1].game == tables[2].game == tables[3].game
        assert tables[3].game.numbers == [(0, 5), (1, 1), (2, 2)]
        assert list(tables[3].faults) == [0]


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
