"""Whoever breaks the protocol is named by every honest node, with what proves it; nothing else changes."""

from random import Random

import pytest

from protocol.codec import Value
from protocol.deck import Card, Keyring, lock_cards, verify_lock
from protocol.entry import Head, SignedEntry
from protocol.errors import InvalidProofError, InvalidSignatureError, LocalError, MalformedError
from protocol.faults import Fault, FaultCode
from protocol.group import GENERATOR, Group
from protocol.table import Spoken, Table
from tests.drbg import Drbg
from tests.protocol.toy import (
    CHARTER,
    PLAYERS,
    SEATS,
    STAGES,
    UNLUCKY,
    Pump,
    Toy,
    charter_of,
    place_of,
    seated,
    sign,
    tell,
    the_fault,
    write,
)


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
            the_fault(table.receive(bet.to_bytes()))
            table.receive(first)
        for table in late:
            table.receive(first)
            the_fault(table.receive(bet.to_bytes()))
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

    def test_an_entry_out_of_turn_is_in_nobodys_chain_so_a_new_one_in_its_place_divides_nobody(self) -> None:
        tables = seated((0,), (1,))
        self.refused(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, 6, step=1))
        assert all(table.transcript.chains[1] == [] for table in tables)
        write(tables, 0, 5)
        tell(tables, sign(CHARTER, PLAYERS[1], tables[0].transcript.heads, 7, step=1))
        for table in tables:
            assert table.game.numbers == [(0, 5), (1, 7)]
            assert {seat: fault.code for seat, fault in table.faults.items()} == {1: FaultCode.OUT_OF_TURN}


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

    @pytest.mark.parametrize("step", [0, 1, 7])
    def test_a_chain_has_no_more_steps_after_a_refused_one(self, step: int) -> None:
        tables = seated((1,), (1,))
        tell(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, UNLUCKY, step=0))
        assert tell(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, 1, step=step)) == [[]] * SEATS
        assert all((len(table.transcript.chains[1]), table.stage) == (1, (1,)) for table in tables)
        assert not tables[1].may_write

    def test_nor_while_it_waits_to_be_judged(self) -> None:
        """Else it would stand in the chains of those alone who got it before seat 0's turn, and others name it."""
        tables = seated((0, 1))
        bad = sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, UNLUCKY, step=0)
        tell(tables, bad)
        for step in (0, 1):
            again = sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, bytes(1 << 16), step=step)
            tell(tables, again)
        assert all(table.transcript.chains[1] == [bad] for table in tables)

    def test_words_that_the_game_does_not_know_are_a_fault_at_once(self) -> None:
        tables = seated((1,))
        signed = sign(CHARTER, PLAYERS[2], tables[2].transcript.heads, True)
        for table, events in zip(tables, tell(tables, signed), strict=True):
            fault = the_fault(events)
            assert (fault.seat, fault.code, fault.evidence) == (2, FaultCode.MALFORMED, (signed,))
            assert table.transcript.chains[2] == []
        with pytest.raises(LocalError, match="no answer"):
            tables[0].write(True, free=True)

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
        # Who knows both goes no further: what was written before that is the same for those who were told the same.
        assert all(table.game.numbers == [(0, 5), (1, 1), (2, 2)][: len(table.game.numbers)] for table in tables[1:3])
        assert tables[3].game.numbers == [(0, 6)]
        for seat in (1, 2, 3):
            pump.send(seat, tables[seat].vote((0,))[0])

        def go_on(node: int) -> bool:
            if tables[node].may_write:
                pump.write(node, node)
            elif tables[node].unconfirmed and not any(
                tables[node].has_seen(node, vote) for vote in tables[node].unconfirmed if vote.entry.author != node
            ):
                pump.write(node, None, free=True)
            else:
                return False
            return True

        pump.run(go_on)
        assert tables[1].game == tables[2].game == tables[3].game
        assert tables[1].game.numbers == [(0, 5), (1, 1), (2, 2)]
        assert all(list(table.faults) == [0] for table in tables[1:])

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
            write(tables[1:], seat, seat)
        assert tables[1].game == tables[2].game == tables[3].game
        assert tables[3].game.numbers == [(0, 5), (1, 1), (2, 2)]
        assert list(tables[3].faults) == [0]


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
        by_history: dict[tuple[tuple[bytes, ...], tuple[Head, ...]], Toy] = {}
        for table in (pump.tables[seat] for seat in pump.present):
            assert set(table.faults) <= {self.CHEAT}
            history = tuple(signed.hash for signed in table.transcript.in_order()), table.transcript.tips
            assert by_history.setdefault(history, table.game) == table.game


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
