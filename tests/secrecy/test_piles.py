"""The market of the first edition: what was set aside stays hidden until after the draws, and what was taken is lost.

Everybody sees which card is taken from a pile; then it is one of a hand that was laid anew. For every place where it
may be there is a table that looks just the same to all others, entry by entry, with the card somewhere else.
"""

from collections.abc import Callable, Sequence

import pytest

from p2p_sheriff.rules import Choice, Edition, Handle, Kind
from p2p_sheriff.rules.moves import Declare, LayDown, Pass, SetAside, TakeDiscards
from protocol.proofs.shuffle import prepare
from tests.drbg import Drbg
from tests.secrecy.test_rows import Row, Twin, played, row
from tests.secrecy.twins import ANN, BEN, CAT, HAND, SHORT, Table, deck_of, hand_of, setup_for

SETUP = setup_for(edition=Edition.FIRST, short=(("apples", 32), *SHORT[1:]))
B = hand_of(BEN)
NO_SILK = "apples, apples, apples, apples, pepper"


def sets_aside(table: Table) -> Table:
    """BEN sets two cards aside."""
    table.settle()
    return table.submit(SetAside(BEN, table.handles(BEN, *B[:2])))


def takes_and_draws(table: Table) -> None:
    """BEN takes one card of the left pile and draws one of the deck; now the two are to be put back."""
    sets_aside(table).submit(TakeDiscards(BEN, (1, 0)))


def puts_back(table: Table) -> None:
    takes_and_draws(table)
    aside = {table.label(handle): handle for handle in table.state[BEN].aside}
    table.submit(LayDown(BEN, 1, tuple(aside[table.deck[place]] for place in B[:2])))


ROWS = [
    row("set aside face down", sets_aside, ["", "silk, mead"], ["", "cheese, crossbow"], setup=SETUP),
    row("set aside, then drawn", takes_and_draws, ["", "silk, mead"], ["", "cheese, crossbow"], setup=SETUP),
    row("put back", puts_back, ["", "silk, mead, pepper"], ["", "silk, mead, crossbow"], setup=SETUP),
    row(
        "drawn beside what was taken",
        puts_back,
        ["", "silk, mead", "", f"{NO_SILK}, 5 apples, pepper"],
        ["", "silk, mead", "", f"{NO_SILK}, 5 apples, crossbow"],
        setup=SETUP,
    ),
]


@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.moment)
def test_twin_tables_look_alike_to_all_who_must_not_learn_what_differs(case: Row) -> None:
    (table, work), (twin, twins_work) = (played(case, deck) for deck in case.decks)
    assert table.history() == twin.history()
    assert table.state == twin.state
    assert table.cards() == twin.cards()
    assert work == twins_work
    assert tuple(seat for seat in SETUP.seats if table.view(seat) != twin.view(seat)) == case.knowing


def test_what_is_put_back_is_what_was_set_aside_and_lies_as_it_was_said() -> None:
    table = Twin(SETUP, deck_of(SETUP, "", "silk, mead"))
    sets_aside(table)
    named = set(table.state[BEN].aside)
    table.submit(TakeDiscards(BEN, (1, 0)))
    assert named.isdisjoint(table.state.kinds), "it was shown before the draws were over"
    assert table.sessions[BEN].choice() is Choice.LAY_DOWN
    silk, mead = sorted(named, key=table.kind, reverse=True)
    table.submit(LayDown(BEN, 1, (silk, mead)))
    assert [(card.handle, card.kind) for card in table.state.piles[1][-2:]] == [(silk, "silk"), (mead, "mead")]


# -- where a taken card is


class Taken:
    """BEN has set an apple aside and taken the silk on top of the left pile; a mead was in the hand all the time.

    The others know that a silk is among the six cards. Which of the two lies at which place of the new hand is chance:
    it falls so that the silk or the mead is where all can see what becomes of it.
    """

    def __init__(self, *, first: Kind) -> None:
        deck = deck_of(SETUP, "", "mead, cheese, pepper, crossbow", rest="4 apples, silk")
        self.table = table = Twin(SETUP, deck).settle()
        ben = table.sessions[BEN]
        hand = [card for card in table.view(BEN).hand if card.kind != "cheese"]
        (cheese,) = (card.handle for card in table.view(BEN).hand if card.kind == "cheese")
        places = {card.kind: place for place, card in enumerate(hand)} | {"silk": HAND - 1}
        second = "mead" if first == "silk" else "silk"
        rest = [place for place in range(HAND) if place not in (places[first], places[second])]
        order = [places[first], places[second], *rest]
        ben.secrets._prepared[HAND] = [prepare(table.groups[BEN], HAND, Drbg("the new hand"), order)]
        table.submit(SetAside(BEN, (cheese,)), TakeDiscards(BEN, (1, 0)))
        table.submit(LayDown(BEN, 0, (cheese,)), SetAside(CAT, ()))
        assert [table.kind(handle) for handle in table.state[BEN].hand[:2]] == [first, second]

    def load(self) -> "Taken":
        """BEN loads the first card of the new hand."""
        self.table.load({BEN: self._places(self.table.state[BEN].hand[0])})
        return self

    def _places(self, *handles: Handle) -> list[int]:
        return [self.table.deck.index(self.table.label(handle)) for handle in handles]

    def declare(self) -> "Taken":
        for seat in (BEN, CAT):
            self.table.submit(Declare(seat, 1, "apples"))
        return self

    def let_pass(self) -> "Taken":
        self.table.submit(Pass(ANN, BEN), Pass(ANN, CAT))
        return self


MOMENTS: dict[str, Callable[[Taken], object]] = {
    "bag or hand": Taken.load,
    "declared bag or hand": lambda taken: taken.load().declare(),
    "stack or hand": lambda taken: taken.load().declare().let_pass(),
}


@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS)
def test_nobody_can_tell_where_a_card_is_that_was_taken_from_a_pile(moment: Callable[[Taken], object]) -> None:
    here, there = Taken(first="silk"), Taken(first="mead")
    moment(here)
    moment(there)
    one, other = here.table, there.table
    assert one.history() == other.history()
    assert one.cards() == other.cards()
    for seat in (ANN, CAT):
        assert one.view(seat).knowledge == other.view(seat).knowledge
    assert without_commitment(one) == without_commitment(other)
    assert kinds_held(one) != kinds_held(other), "BEN has the silk in one place, and in another"


def without_commitment(table: Table) -> object:
    state = table.state
    return state if state[BEN].bag is None else state.with_bag(BEN, commitment=b"")


def kinds_held(table: Table) -> tuple[Sequence[Kind], Sequence[Kind]]:
    view = table.view(BEN)
    return sorted(card.kind for card in view.bag), sorted(card.kind for card in view.stack)
