"""Section 17 of the rules, row by row: who does not hold the hidden cards can't tell twin tables apart.

Twins are two tables with the same players, the same randomness and the same public moves; only cards that some seats
must not learn are others. So what those seats see must be equal: every entry's author, acts, names, numbers and sizes,
every state and view, and the work that each node does. Points, proofs and signatures differ; that they tell nothing is
for the other tests here and for those of the proofs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from p2p_sheriff.rules import Handle, Seat, Setup, State
from p2p_sheriff.rules.moves import HandOver, Inspect, PayInKind, Trade
from p2p_sheriff.session.passes import Matching
from tests.secrecy.twins import ANN, BEN, CAT, SHORT, Table, deck_of, hand_of, last_round, setup_for
from tests.table.departures import put_out

DAN, EVE = Seat(3), Seat(4)
FOUR, FIVE = (setup_for(players=players, short=(("apples", 34), *SHORT[1:])) for players in (4, 5))
B, C = hand_of(BEN), hand_of(CAT)
"""The places of the first deck that BEN and CAT get."""

SCARCE = (("apples", 16), ("cheese", 3), ("pepper", 1), ("mead", 2), ("silk", 1), ("crossbow", 1))
"""A deck that one market empties."""

Script = Callable[[Table], object]


class Twin(Table):
    """A table whose script names no card that an equal one could go in place of.

    Of equal cards a random one goes, so that it tells nothing. But how many equals there are, in given places, is what
    differs from twin to twin: the same randomness would choose another place.
    """

    def handles(self, seat: Seat, *places: int) -> tuple[Handle, ...]:
        chosen = super().handles(seat, *places)
        player = self.state[seat]
        for zone in (player.hand, player.stack, player.bag.handles if player.bag else ()):
            going = {self.kind(handle) for handle in zone if handle in chosen}
            assert not going & {self.kind(handle) for handle in zone if handle not in chosen}
        return chosen

    def load(self, bags: dict[Seat, Sequence[int]]) -> Table:
        for seat in set(self.state.merchants) - set(bags):
            assert {self.kind(handle) for handle in self.state[seat].hand} == {"apples"}
        return super().load(bags)


@dataclass(frozen=True)
class Row:
    """A row of section 17: what happens, and two decks that must look alike to all but those who hold what differs."""

    moment: str
    script: Script
    setup: Setup
    decks: tuple[tuple[int, ...], tuple[int, ...]]
    knowing: tuple[Seat, ...]
    """Who knows what differs, in the end."""


def row(
    moment: str,
    script: Script,
    one: Sequence[str],
    other: Sequence[str],
    knowing: Sequence[Seat] = (BEN,),
    setup: Setup | None = None,
) -> Row:
    """Takes hands in seat order, then the rest of the deck."""
    setup = setup or setup_for()
    n = setup.players
    decks = deck_of(setup, *one[:n], rest=", ".join(one[n:])), deck_of(setup, *other[:n], rest=", ".join(other[n:]))
    return Row(moment, script, setup, decks, tuple(knowing))


# -- what happens; cards are named by their places in the first deck


def deal(table: Table) -> None:
    table.settle()


def draw_at_the_market(table: Table) -> None:
    table.market(ben=B[:1])


def set_aside(table: Table) -> None:
    table.market(ben=B[:2], cat=C[:1])


def load(table: Table) -> None:
    table.market().load({BEN: B[:3]})


def declare(table: Table) -> None:
    table.until_inspection({BEN: B[:3]})


def offer(table: Table) -> None:
    declare(table)
    table.offers(BEN, bag=(("silk", 1),))


def deal_around(table: Table) -> None:
    """DAN leaves after the first market."""
    table.market()
    put_out(table.sessions, DAN)
    table.settle()


def deal_around_a_closed_bag(table: Table) -> None:
    """DAN leaves when all have loaded."""
    table.market().load({BEN: B[:2]})
    put_out(table.sessions, DAN)
    table.settle()


def deal_around_again(table: Table) -> None:
    """DAN leaves; EVE leaves while the deck is dealt around him."""
    table.settle()
    put_out(table.sessions, DAN)
    table.settle_until(EVE, lambda play: isinstance(play.passing, Matching) and play.passing.waiting[:1] == (EVE,))
    put_out(table.sessions, EVE)
    table.settle()


def let_pass(table: Table) -> None:
    table.until_inspection({BEN: B[:4]}).passes(BEN)


def let_pass_for_a_silk(table: Table) -> None:
    table.until_inspection({BEN: B[:4]}).offers(BEN, bag=(("silk", 1),)).passes(BEN)


def let_pass_for_two_silk(table: Table) -> None:
    table.until_inspection({BEN: B[:4]}).offers(BEN, bag=(("silk", 2),)).passes(BEN)


def let_pass_for_a_card(table: Table) -> None:
    table.until_inspection({BEN: B[:4]}).offers(BEN, bag_blind=1).passes(BEN)
    table.submit(HandOver(BEN, table.handles(BEN, B[0])))


def let_pass_for_all_contraband(table: Table) -> None:
    table.until_inspection({BEN: B[:4]}).offers(BEN, bag_blind=4).passes(BEN)


def inspect(table: Table) -> None:
    table.until_inspection({BEN: B[:2]}).submit(Inspect(ANN, BEN))


def smuggle(table: Table) -> None:
    """CAT gets four cards onto the stack; in the second round BEN is sheriff and CAT has a bag again."""
    table.until_inspection({CAT: C[:4]}).passes(BEN, CAT)
    table.until_inspection({CAT: C[5:]})


def give_a_silk_of_the_stack(table: Table) -> None:
    smuggle(table)
    table.offers(CAT, stack=(("silk", 1),)).passes(CAT)


def give_two_silk_of_the_stack(table: Table) -> None:
    smuggle(table)
    table.offers(CAT, stack=(("silk", 2),)).passes(CAT)


def give_a_card_of_the_stack(table: Table) -> None:
    smuggle(table)
    table.offers(CAT, stack_blind=1).passes(CAT).submit(HandOver(CAT, table.handles(CAT, C[1])))


def give_the_whole_stack(table: Table) -> None:
    smuggle(table)
    table.offers(CAT, stack_blind=4).passes(CAT)


def pay_a_fine_with_contraband(table: Table) -> None:
    """BEN has given all gold away; as sheriff of the second round he inspects a true bag."""
    table.until_inspection({BEN: B[:4]}).offers(BEN, gold=50).passes(BEN, CAT)
    table.until_inspection({}).submit(Inspect(BEN, CAT))
    (handle,) = table.handles(BEN, B[0])
    table.submit(PayInKind(BEN, (), ((handle, "silk"),)))


def trade(table: Table) -> None:
    table.until_inspection({BEN: B[:4]}).passes(BEN)
    table.submit(Trade(BEN, tuple((handle, "silk") for handle in sorted(table.handles(BEN, *B[:3])))))


def no_trade(table: Table) -> None:
    table.until_inspection({BEN: B[:4]}).passes(BEN).submit(Trade(BEN))


def whole_game(table: Table) -> None:
    last_round(table)
    table.until_inspection({BEN: B[:3]}).passes(BEN, CAT)


def deck_runs_out(table: Table) -> None:
    """The market takes the whole deck, and the next hands come from the discards."""
    table.market(ben=B[1:6], cat=C[1:6]).load({BEN: B[:1], CAT: C[:1]}).declare().passes(BEN, CAT)


ROWS = [
    row("shuffle", deal, ["", "", "", "pepper, silk"], ["", "", "", "silk, pepper"], ()),
    row(
        "missing cards",
        lambda table: table.until_inspection({}).passes(BEN, CAT),
        ["", "", "", "3 cheese, 3 pepper, 2 crossbow, mead, silk"],
        ["", "", "", "3 cheese, 3 pepper, 2 crossbow, silk, mead"],
        (),
        setup_for("missing"),
    ),
    row("draw from the deck", deal, ["", "pepper", "", "silk"], ["", "silk", "", "pepper"]),
    row("draw at the market", draw_at_the_market, ["", "cheese", "", "mead, silk"], ["", "cheese", "", "silk, mead"]),
    row("set aside", set_aside, ["", "silk, mead, pepper", "cheese"], ["", "silk, mead, crossbow, pepper", "cheese"]),
    row("bag closed", load, ["", "pepper, mead, silk"], ["", "cheese, crossbow, pepper, silk"]),
    row("bag closed, and declared", declare, ["", "cheese, mead, silk"], ["", "crossbow, pepper, mead, silk"]),
    row("bag closed, and a silk of it offered", offer, ["", "silk, mead, pepper"], ["", "crossbow, mead, pepper"]),
    row(
        "bag passes",
        let_pass,
        ["", "cheese, pepper, silk, mead"],
        ["", "cheese, mead, crossbow, pepper, silk, silk"],
    ),
    row(
        "bag passes, five players",
        let_pass,
        ["", "cheese, pepper, silk, mead"],
        ["", "cheese, mead, crossbow, pepper, silk, silk"],
        setup=setup_for(players=5, short=(("apples", 30), *SHORT[1:])),
    ),
    row(
        "goods promised by kind from the bag, and there",
        let_pass_for_a_silk,
        ["", "silk, pepper, mead, cheese"],
        ["", "silk, crossbow, pepper, cheese, mead"],
    ),
    row(
        "goods promised by kind from the bag, and not all there",
        let_pass_for_two_silk,
        ["", "silk, pepper, mead, cheese"],
        ["", "silk, crossbow, pepper, cheese, mead"],
    ),
    row(
        "goods promised by kind from the stack, and there",
        give_a_silk_of_the_stack,
        ["", "", "silk, pepper, mead, crossbow, apples, cheese"],
        ["", "", "silk, crossbow, mead, mead, pepper, cheese"],
        (CAT,),
    ),
    row(
        "goods promised by kind from the stack, and not all there",
        give_two_silk_of_the_stack,
        ["", "", "silk, pepper, mead, crossbow, apples, cheese"],
        ["", "", "silk, crossbow, mead, mead, pepper, cheese"],
        (CAT,),
    ),
    row(
        "bag inspected",
        inspect,
        ["", "silk, cheese, pepper, mead, crossbow"],
        ["", "silk, cheese, apples, apples, pepper"],
    ),
    row(
        "contraband given blind from the bag",
        let_pass_for_a_card,
        ["", "silk, mead, cheese, pepper"],
        ["", "pepper, mead, cheese, silk"],
        (ANN, BEN),
    ),
    row(
        "contraband given blind from the bag, all of it",
        let_pass_for_all_contraband,
        ["", "silk, mead, cheese, pepper"],
        ["", "crossbow, mead, cheese, silk"],
        (ANN,),
    ),
    row(
        "contraband given blind from the stack",
        give_a_card_of_the_stack,
        ["", "", "silk, pepper, mead, crossbow, apples, cheese"],
        ["", "", "silk, crossbow, mead, pepper, apples, cheese"],
        (BEN, CAT),
    ),
    row(
        "contraband given blind, the whole stack",
        give_the_whole_stack,
        ["", "", "silk, pepper, mead, crossbow, apples, cheese"],
        ["", "", "silk, crossbow, mead, pepper, apples, cheese"],
        (BEN,),
    ),
    row(
        "contraband given for a debt",
        pay_a_fine_with_contraband,
        ["", "silk, pepper, mead, crossbow"],
        ["", "silk, mead, mead, crossbow, pepper"],
    ),
    row("black market", trade, ["", "3 silk, mead"], ["", "3 silk, pepper"], setup=setup_for("black-market")),
    row(
        "black market, nothing traded",
        no_trade,
        ["", "3 silk, mead"],
        ["", "silk, mead, crossbow, pepper"],
        setup=setup_for("black-market"),
    ),
    row(
        "reshuffle",
        deck_runs_out,
        ["", "silk", "pepper", "3 cheese, mead, crossbow, mead"],
        ["", "mead", "pepper", "3 cheese, silk, crossbow, mead"],
        setup=setup_for(short=SCARCE),
    ),
    row(
        "dealing around a quitter, a hand",
        deal_around_a_closed_bag,
        ["", "silk, mead"],
        ["", "cheese, crossbow"],
        setup=FOUR,
    ),
    row(
        "dealing around a quitter, the deck", deal_around, ["", "", "", "", "silk"], ["", "", "", "", "mead"], (), FOUR
    ),
    row(
        "dealing around a quitter, who knew",
        deal_around,
        ["", "", "", "3 silk"],
        ["", "", "", "mead, pepper"],
        (),
        FOUR,
    ),
    row(
        "dealing around one quitter after the other",
        deal_around_again,
        ["", "silk, mead", "", "pepper", "", "silk"],
        ["", "cheese, crossbow", "", "3 silk", "", "mead"],
        setup=FIVE,
    ),
    row(
        "end of the game",
        whole_game,
        ["", "silk, mead, cheese, pepper"],
        ["", "silk, mead, cheese, crossbow, apples, pepper"],
    ),
]


def played(case: Row, deck: Sequence[int]) -> tuple[Table, list[dict[str, int]]]:
    """Returns the table when all is done, and what work it was for each node."""
    table = Twin(case.setup, deck)
    case.script(table)
    return table, table.work()


@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.moment)
def test_twin_tables_look_alike_to_all_who_must_not_learn_what_differs(case: Row) -> None:
    (table, work), (twin, twins_work) = (played(case, deck) for deck in case.decks)
    assert table.history() == twin.history()
    assert table.state == twin.state
    assert table.cards() == twin.cards()
    assert work == twins_work
    assert tuple(seat for seat in table.setup.seats if table.view(seat) != twin.view(seat)) == case.knowing


def without_commitments(state: State) -> State:
    """Returns the state as if all bags were closed with the same hash."""
    for seat in state.seats:
        if state[seat].bag:
            state = state.with_bag(seat, commitment=b"")
    return state


def test_a_closed_bag_does_not_tell_its_number_before_the_declaration() -> None:
    setup = setup_for()
    deck = deck_of(setup, "", "silk, mead, cheese, pepper, crossbow")
    table, twin = (Table(setup, deck).market().load({BEN: B[:count]}) for count in (1, 5))
    assert table.history() == twin.history()
    assert without_commitments(table.state) == without_commitments(twin.state)
    assert table.cards() == twin.cards()
    for seat in (ANN, CAT):
        assert table.view(seat).knowledge == twin.view(seat).knowledge


def test_who_is_given_a_card_blind_learns_which_it_is() -> None:
    setup = setup_for()
    table = Table(setup, deck_of(setup, "", "silk, mead, cheese, pepper"))
    let_pass_for_a_card(table)
    assert [card.kind for card in table.view(ANN).stack] == ["silk"]
    assert sorted(card.kind for card in table.view(BEN).stack) == ["mead", "pepper"]


def test_the_first_sheriff_is_drawn_with_entries_that_look_alike_whatever_comes_out() -> None:
    setup = Setup(3, short=SHORT)
    tables = [Table(setup, deck_of(setup), seed=f"coin {number}").settle() for number in range(3)]
    assert len({table.sheriff for table in tables}) > 1
    assert all(table.history() == tables[0].history() for table in tables)
