"""What shows only when all of a stage have written is blamed on who wrote it; own entries may be checked when sent."""

from itertools import permutations

import pytest

from protocol.errors import DefectError, InvalidProofError
from protocol.faults import FaultCode
from protocol.table import StageError, Table, Turn
from tests.protocol.toy import CHARTER, PLAYERS, SEATS, Toy, sign, tell, write

FALSE = -1
"""A number that is seen to be false when all of its stage are there."""


class Late(Toy):
    """Checks the numbers of a stage together, when the last one is there; its author alone may trust the own one."""

    def fold(self, turn: Turn) -> "Late":
        after = super().fold(turn)
        if len(after.stages) < len(self.stages):
            for seat, number in after.numbers[-SEATS:]:
                if number == FALSE and seat != turn.judge:
                    raise StageError(seat, InvalidProofError("the sum of a stage"))
        return Late(after.stages, after.log)

    def left(self, seats: tuple[int, ...]) -> "Late":
        return Late(super().left(seats).stages, self.log)


class Trusting(Toy):
    """Checks own numbers later."""

    def fold(self, turn: Turn) -> "Trusting":
        after = super().fold(turn)

        def check() -> None:
            if turn.entry.payload == FALSE:
                raise InvalidProofError("the toy's sum")

        turn.check(check)
        return Trusting(after.stages, after.log)


class Confused(Toy):
    """A game with a mistake: it names a seat that has written nothing in this step."""

    def fold(self, _turn: Turn) -> "Confused":
        raise StageError(3, InvalidProofError("nobody's sum"))


def nodes(game: Toy) -> list[Table[Toy]]:
    return [*(Table(CHARTER, game, one) for one in PLAYERS), Table(CHARTER, game)]


@pytest.mark.parametrize("false", [(0,), (1,), (3,), (1, 2), (0, 3)])
def test_the_first_false_entry_of_a_stage_is_named_in_whatever_order_they_come(false: tuple[int, ...]) -> None:
    heads = Table(CHARTER, Late(((0, 1, 2, 3), (2,)))).transcript.heads
    entries = [sign(CHARTER, one, heads, FALSE if seat in false else seat, step=0) for seat, one in enumerate(PLAYERS)]
    for order in permutations(range(SEATS)):
        table: Table[Toy] = Table(CHARTER, Late(((0, 1, 2, 3), (2,))))
        for seat in order:
            table.take(entries[seat])
        (fault,) = table.faults.values()
        assert (fault.seat, fault.code, fault.evidence) == (false[0], FaultCode.FALSE_PROOF, (entries[false[0]],))
        assert "the sum of a stage" in fault.reason
        assert (table.step, table.stage, table.awaited) == (0, (3,), ())
        assert table.is_stuck
        assert table.game.numbers == [(seat, FALSE if seat in false else seat) for seat in range(3)]


def test_after_a_late_fault_nothing_more_counts_of_its_author_and_nobody_goes_on() -> None:
    tables = nodes(Late(((0, 1, 2, 3), (2,))))
    for seat in range(SEATS):
        write(tables, seat, FALSE if seat == 1 else seat)
    honest = [table for table in tables if table.seat != 1]
    more = sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, 5, step=1)
    for table in honest:
        assert table.take(more) == []
        assert not table.may_write
        assert set(table.faults) == {1}
        assert table.is_stuck


def test_a_stage_is_stuck_when_somebody_whom_it_waits_for_was_refused_and_only_then() -> None:
    table: Table[Toy] = Table(CHARTER, Toy(((0, 1), (2,))))
    heads = table.transcript.heads
    table.take(sign(CHARTER, PLAYERS[2], heads, 5, step=0))
    assert set(table.faults) == {2}
    assert not table.is_stuck
    table.take(sign(CHARTER, PLAYERS[0], heads, "no number", step=0))
    assert set(table.faults) == {0, 2}
    assert table.is_stuck


def test_a_game_that_names_a_seat_which_has_not_written_has_a_defect() -> None:
    table: Table[Toy] = Table(CHARTER, Confused(((0, 3),)))
    with pytest.raises(DefectError):
        table.take(sign(CHARTER, PLAYERS[0], table.transcript.heads, 1, step=0))
    assert table.faults == {}


def test_an_own_check_is_put_off_until_it_is_settled_or_the_next_entry_is_written() -> None:
    tables = nodes(Trusting(((0,), (1,), (0,))))
    assert not tables[0].settle()
    write(tables, 0, 1)
    assert tables[0].settle()
    assert not tables[0].settle()
    assert not tables[1].settle(), "what others have written is checked at once"
    write(tables, 1, 2)
    tables[0].settle()
    write(tables, 0, 3)
    assert [table.game.numbers for table in tables] == [[(0, 1), (1, 2), (0, 3)]] * 5


@pytest.mark.parametrize("free", [False, True])
def test_an_own_entry_that_does_not_hold_stops_its_node_before_the_next_and_others_name_it(free: bool) -> None:
    tables = nodes(Trusting(((0,), (0,))))
    write(tables, 0, FALSE)
    assert tables[0].faults == {}
    with pytest.raises(DefectError, match="an own entry does not hold"):
        tables[0].write("words" if free else 1, free=free)
    with pytest.raises(DefectError):
        tables[0].receive(sign(CHARTER, PLAYERS[1], tables[0].transcript.heads, "words").to_bytes())
    for table in tables[1:]:
        assert {seat: fault.code for seat, fault in table.faults.items()} == {0: FaultCode.FALSE_PROOF}


def test_an_own_entry_that_comes_back_from_others_is_checked_later_too() -> None:
    tables = nodes(Trusting(((0,),)))
    signed = sign(CHARTER, PLAYERS[0], tables[0].transcript.heads, FALSE, step=0)
    tell(tables, signed)
    with pytest.raises(DefectError):
        tables[0].settle()
