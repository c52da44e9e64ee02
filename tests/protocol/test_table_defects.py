"""Where a node finds that its own game does not hold together, it judges nobody, says so, and stops."""

import pytest

from protocol.errors import AlreadyUsedError, DefectError, LocalError, MalformedError, judging
from protocol.table import Table, Turn
from tests.positions import put_game
from tests.protocol.toy import CHARTER, PLAYERS, Toy, sign


class Impatient(Toy):
    """A game with a mistake: it does not wait for all who were to write at once."""

    def fold(self, turn: Turn) -> "Impatient":
        super().fold(turn)
        return Impatient(self.stages[1:], self.log)


class Careless(Toy):
    """A game with a mistake: it raises what no entry can be blamed for."""

    error: Exception = LocalError("no such card")

    def fold(self, _turn: Turn) -> "Careless":
        raise self.error


class Sloppy(Careless):
    error = KeyError("no such seat")


class Wasteful(Careless):
    error = AlreadyUsedError("used twice")


def nodes(game: Toy) -> list[Table[Toy]]:
    return [*(Table(CHARTER, game, one) for one in PLAYERS), Table(CHARTER, game)]


def assert_stopped(table: Table[Toy], before: Toy) -> None:
    """Nobody is blamed, nothing has changed, and nothing is taken or written any more."""
    assert (table.faults, table.game, table.step) == ({}, before, 0)
    heads = table.transcript.heads
    with pytest.raises(DefectError):
        table.take(sign(CHARTER, PLAYERS[3], heads, "later words"))
    if table.seat is not None:
        with pytest.raises(DefectError):
            table.write("later words", free=True)
        if table.may_write:
            with pytest.raises(DefectError):
                table.write(1)
    assert (table.faults, table.transcript.heads) == ({}, heads)


@pytest.mark.parametrize("stage", [(0, 1), (1, 3), (0, 1, 2, 3)])
def test_a_stage_that_ends_before_all_of_it_have_written_is_a_defect_and_no_fault_of_who_is_left_out(
    stage: tuple[int, ...],
) -> None:
    game = Impatient((stage, (2,)))
    for table in nodes(game):
        first, *later = (sign(CHARTER, PLAYERS[seat], table.transcript.heads, 1, step=0) for seat in stage)
        for turn in later:
            assert table.take(turn) == []  # It waits for the lowest seat's.
        with pytest.raises(DefectError, match="the entries of step 0 depend on each other"):
            table.take(first)
        assert_stopped(table, game)


@pytest.mark.parametrize("kind", [Careless, Sloppy, Wasteful])
def test_what_a_fold_raises_by_mistake_is_a_defect_and_no_fault_of_the_author(kind: type[Careless]) -> None:
    game = kind(((1,), (2,)))
    for table in nodes(game):
        signed = sign(CHARTER, PLAYERS[1], table.transcript.heads, 1, step=0)
        with pytest.raises(DefectError, match=r"an entry of step 0 can't be judged: .*(no such|used twice)"):
            table.receive(signed.to_bytes())
        assert_stopped(table, game)


def test_the_own_entry_is_not_handed_out_when_its_fold_shows_a_defect() -> None:
    table: Table[Toy] = Table(CHARTER, Careless(((1,),)), PLAYERS[1])
    with pytest.raises(DefectError):
        table.write(1)
    assert table.faults == {}


def test_entries_that_were_folded_before_the_defect_stay() -> None:
    game = Toy(((0,), (1, 2)))
    tables = [Table(CHARTER, game, one) for one in PLAYERS]
    first, _ = tables[0].write(5)
    for table in tables[1:]:
        table.receive(first)
        assert table.game.numbers == [(0, 5)]
        put_game(table, Careless(table.game.stages, table.game.log))
        with pytest.raises(DefectError):
            table.take(sign(CHARTER, PLAYERS[1], table.transcript.heads, 6, step=1))
        assert (table.game.numbers, table.faults) == ([(0, 5)], {})


def test_a_seat_that_comes_to_be_expected_besides_the_others_is_no_defect() -> None:
    """Only that nobody loses a turn is promised: who is asked again waits for the next step."""

    class Insistent(Toy):
        def expected(self) -> tuple[int, ...]:
            return (0, *super().expected()) if self.stages else ()

    table: Table[Toy] = Table(CHARTER, Insistent(((0, 1), (2,))))
    for seat in (0, 1):
        table.take(sign(CHARTER, PLAYERS[seat], table.transcript.heads, 1, step=0))
    assert (table.faults, table.step) == ({}, 1)


def test_judging_makes_a_local_error_the_authors_and_leaves_all_others_as_they_are() -> None:
    with pytest.raises(MalformedError, match="no such card"), judging():
        raise LocalError("no such card")
    for error in (DefectError("ours"), KeyError("ours"), MalformedError("theirs")):
        with pytest.raises(type(error), match=r"ours|theirs"), judging():
            raise error
