"""All that can be written at a table of three, up to so many entries, by whom, with whatever delivered, and any lies.

What a seat does follows from what it has and from what it wrote. So not every order in which things happen is tried,
but every history that can come of it, and in each of them everything that each node can have of it.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import combinations, product

import pytest

from tests.ballots.checks import check
from tests.ballots.counting import Protections, view_of
from tests.ballots.ledger import Entry, Heads, Mask, Seats, See, Slot, Vote, Words, chain
from tests.ballots.plain import PlainSeat, plain_table
from tests.ballots.schedules import BrokenError, keys_of
from tests.cases import SOAK

GO_ON: Seats = frozenset()
ANY = (GO_ON, *(frozenset({seat}) for seat in range(3)))


class Histories:
    """All histories, and the nodes in them."""

    def __init__(
        self,
        liars: Seats,
        sets: Sequence[Seats] = ANY,
        *,
        may_fork: bool = False,
        protections: Protections | None = None,
    ) -> None:
        self.sets, self.may_fork = sets, may_fork
        self.play = plain_table(3, liars, protections)
        self.ledger = self.play.ledger
        nodes = [node for node in self.play.nodes if isinstance(node, PlainSeat)]
        self.counting, self._far = nodes[0].counting, nodes[-1]
        self._checked: set[object] = set()

    def explore(self, entries: int) -> int:
        """Checks every history of at most so many entries; returns how many there are."""
        seen, ahead = {0}, [0]
        for history in ahead:
            self._check(history)
            if history.bit_count() < entries:
                for entry in self._possible(history):
                    if (longer := history | 1 << entry.number) not in seen:
                        seen.add(longer)
                        ahead.append(longer)
        return len(seen)

    def _states(self, history: Mask, seat: int) -> list[PlainSeat]:
        """Returns an honest seat after its last entry of a history, with all that it can have got since."""
        node = PlainSeat(self.counting, seat)
        node.last = max(self.ledger.of(history & self.ledger.by[seat]), key=lambda own: own.sequence, default=None)
        node.restart()
        states = {node.view: node}
        for before in (ahead := [node]):
            for entry in self.ledger.of(history & ~before.view.delivered):
                if not entry.before & ~before.view.delivered:
                    after = copy(before)
                    after.deliver(entry)
                    if after.view not in states:
                        states[after.view] = after
                        ahead.append(after)
        return ahead

    def _possible(self, history: Mask) -> Iterator[Entry]:
        for seat in sorted(self.play.honest):
            for state in self._states(history, seat):
                votes = (copy(state).vote(out) for out in self.sets)
                for entry in (copy(state).slot(), copy(state).see(), *votes):
                    if entry is not None:
                        assert self.counting.fault(entry) is None, "P5"
                        yield entry
        for seat in sorted(self.play.liars):
            for entry in self._lies(history, seat):
                yield self.ledger.add(entry)

    def _check(self, history: Mask) -> None:
        play = self.play
        play.contested = self.ledger.contested(history)
        play.acted, play.released = set(), []
        for entry in self.ledger.of(history & self.ledger.slots):
            if entry.author in play.honest:
                log = self._at(entry).log
                play.acted.add(keys_of(log))
                play.released += [(entry.author, log)] if isinstance(entry.words, Slot) and entry.words.step % 2 else []
        states = {seat: self._states(history, seat) for seat in sorted(play.honest)}
        for seat, nodes in states.items():
            own = [self._at(entry) for entry in self.ledger.of(history & self.ledger.by[seat])]
            for before, after in [*combinations(nodes, 2), *product(own, nodes)]:
                if before.log != after.log and not before.view.delivered & ~after.view.delivered:
                    self._check_nodes([before], [after])
        apart = [{node.log: node for node in nodes}.values() for nodes in states.values()]
        for together in product(*apart):
            self._check_nodes(together)

    def _at(self, entry: Entry) -> PlainSeat:
        """Returns the author of an entry as it was when it wrote it."""
        node = PlainSeat(self.counting, entry.author)
        node.view, node.last = view_of(entry), entry.previous
        return node

    def _check_nodes(self, *moments: Sequence[PlainSeat]) -> None:
        """Checks what some nodes have, the others being far away; after what they had before."""
        play = self.play
        key = (
            play.contested,
            *play.acted,
            *play.released,
            *((node.seat, node.log) for each in moments for node in each),
        )
        if key not in self._checked:
            self._checked.add(key)
            play.folded = [set() for _ in range(3)]
            for moment in moments:
                play.nodes = [next((node for node in moment if node.seat == seat), self._far) for seat in range(3)]
                check(play)

    def _lies(self, history: Mask, seat: int) -> Iterator[Entry]:
        """Yields all that a liar can write now that is no fault by its past."""
        own = list(self.ledger.of(history & self.ledger.by[seat]))
        ends: list[Entry | None] = [entry for entry in own if not any(entry is other.previous for other in own)]
        ballots = [vote for _, vote in self.ledger.votes_in(history)]
        belows = {(), *((*vote.below, (vote.attempt, vote.out)) for vote in ballots)}
        tries = range(2 + max((vote.attempt for vote in ballots), default=-1))
        slots = [Slot(step, choice) for step in range(1 + len(own) + 2) for choice in range(1 + self.may_fork)]
        votes = [Vote(*each) for each in product(belows, self.sets, tries)]
        all_words: list[Words] = [See(), *slots, *votes]
        for previous in [None, *own] if self.may_fork else ends or [None]:
            for heads in self._heads(history, seat, previous):
                for words in all_words:
                    entry = self.ledger.draft(seat, heads, words)
                    if self.counting.fault(entry) is None:
                        yield entry

    def _heads(self, history: Mask, seat: int, previous: Entry | None) -> Iterator[Heads]:
        def later(other: int) -> list[Entry | None]:
            before = chain(previous.heads[other]) if previous else 0
            entries = self.ledger.of(history & self.ledger.by[other])
            return [*([] if before else [None]), *(entry for entry in entries if not before & ~entry.chain)]

        return product(*([previous] if other == seat else later(other) for other in range(3)))


@pytest.mark.parametrize(
    ("liars", "sets", "may_fork", "entries", "many"),
    [
        (frozenset(), ANY, False, 3, 4),
        (frozenset(), [frozenset({2})], False, 5, 6),
        (frozenset(), [GO_ON, frozenset({2})], False, 3, 5),
        (frozenset({1}), [GO_ON, frozenset({0})], False, 3, 5),
        (frozenset({0}), [GO_ON, frozenset({2})], True, 3, 4),
        (frozenset({1}), [frozenset({0}), frozenset({2})], True, 3, 4),
    ],
)
def test_at_a_table_of_three_nothing_that_can_happen_breaks_a_promise(
    liars: Seats, sets: Sequence[Seats], may_fork: bool, entries: int, many: int
) -> None:
    assert Histories(liars, sets, may_fork=may_fork).explore(many if SOAK else entries) > 100


def test_among_all_histories_of_three_seats_who_are_not_bound_there_is_one_that_undoes_an_entry() -> None:
    with pytest.raises(BrokenError, match="P2"):
        Histories(frozenset(), [frozenset({2})], protections=Protections(binding=False)).explore(4)
