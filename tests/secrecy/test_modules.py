"""Orders, laws and merry men in section 17 of the rules: who must not learn what differs can't tell twin tables apart.

The decks of modules are stacked, too: the same moves are made with whatever card lies there.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from p2p_sheriff.rules import Claim, LoadBag, Move, Pack, Seat, Setup
from p2p_sheriff.rules.facts import Looked, Unveiled
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.rules.moves import Declare, Discard, FillOrders, KeepMan, LayLaws, LayOut, Reorder, UseMan
from p2p_sheriff.session.acts import Locks, Payload, Rearranges, Strips
from p2p_sheriff.session.happenings import Happened
from protocol.deck import Change
from protocol.entry import SignedEntry
from protocol.group import ELEMENT_BYTES
from tests.cases import some
from tests.secrecy.test_rows import without_commitments
from tests.secrecy.twins import ANN, BEN, CAT, Table, deck_of, hand_of, setup_for
from tests.table.departures import put_out

DAN = Seat(3)
B, C = hand_of(BEN), hand_of(CAT)
GOODS = (("apples", 22), ("cheese", 2), ("chicken", 1), ("pepper", 1), ("mead", 2), ("silk", 1), ("crossbow", 1))
MEN = ("Robin Hood", "Little John", "Alan-a-Dale", "Roger the cook")
"""What ANN and BEN are dealt; CAT's two come then."""


def dealt_to_cat(man: str) -> tuple[str, ...]:
    """Returns the top of the deck when CAT gets this one, and another."""
    return (*MEN, man, "Friar Tuck" if man != "Friar Tuck" else "Gandelyn")


SCARLET, GANDELYN, TUCK, MUCH, DAVID, STUTELY = map(
    dealt_to_cat,
    (
        "Will Scarlet",
        "Gandelyn",
        "Friar Tuck",
        "Much the miller's son",
        "David of Doncaster",
        "Will Stutely",
    ),
)
LAWS = ("toll", "mercy", "duty", "no coin")
STASH = ("sheriff's private stash", "toll", "mercy")
ORDERS = ("cheese+silk",)

Script = Callable[[Table], object]


def seated(setup: Setup, hands: Sequence[str], tops: Sequence[str], rest: str = "") -> Table:
    """Returns a table with these hands, where the deck of the module begins with these cards."""
    (pack,) = setup.packs
    return stacked(Table(setup, deck_of(setup, *hands, rest=rest)), pack, tops)


def stacked(table: Table, pack: Pack, tops: Sequence[str]) -> Table:
    """Has the deck of a module begin with these cards."""
    names = cards_of(table.setup, pack)
    first = [names.index(name) for name in tops]
    table.arrange(range(len(names)), (*first, *(label for label in range(len(names)) if label not in first)))
    return table


@dataclass(frozen=True)
class Moment:
    """What happens, and two tables that must look alike to all but those who have seen what differs."""

    name: str
    script: Script
    setup: Setup
    one: tuple[Sequence[str], Sequence[str], str]
    """Hands, the top of the module's deck, the rest of the goods."""
    other: tuple[Sequence[str], Sequence[str], str]
    knowing: tuple[Seat, ...]


def with_laws(players: int = 3) -> Setup:
    return setup_for("laws", players=players, short=(("apples", 7 * players), *GOODS[1:]))


def draw(table: Table) -> None:
    table.settle()


def lay(table: Table) -> None:
    """Whoever draws them lays the first two, and puts the third back."""
    table.settle()
    first = table.state.officers[0]
    table.submit(LayLaws(first, table.state.drawn_laws[:2]))


def lay_and_leave(table: Table) -> None:
    lay(table)
    put_out(table.sessions, DAN)
    table.settle()


def keep(table: Table) -> None:
    """Everybody keeps the first of two that were laid anew."""
    table.settle()
    for seat in table.state.seats:
        table.submit(KeepMan(seat, table.state[seat].men[0]))


def keep_named(table: Table, name: str) -> None:
    """The same, but CAT keeps the one of this name."""
    table.settle()
    kinds = table.view(CAT).knowledge.kinds
    for seat in table.state.seats:
        men = table.state[seat].men
        table.submit(KeepMan(seat, next(man for man in men if seat != CAT or kinds[man] == name)))


def send(table: Table, name: str, **aside: Sequence[int]) -> None:
    """BEN smuggles a card; CAT's merry man gets in."""
    keep_named(table, name)
    table.market(**aside)
    bags = {BEN: table.handles(BEN, *B[:2]), CAT: (*table.handles(CAT, C[0]), *table.state[CAT].men)}
    for seat, bag in bags.items():
        table.sessions[seat].submit(LoadBag(seat, bag))
    table.settle().submit(Declare(BEN, 2, "apples"), Declare(CAT, 2, "apples")).passes(BEN, CAT)


def look(table: Table) -> None:
    send(table, "Will Scarlet")
    table.submit(UseMan(CAT, who=(BEN,), cards=table.state[BEN].stack))


def reorder(table: Table) -> None:
    send(table, "Gandelyn")
    table.submit(UseMan(CAT))
    table.submit(Reorder(CAT, table.state[CAT].peeked))


def claims(table: Table, seat: Seat, *places: int) -> tuple[Claim, ...]:
    return tuple((handle, table.kind(handle)) for handle in table.handles(seat, *places))


def fill(table: Table) -> None:
    table.until_inspection({BEN: B[:3]}).passes(BEN)
    table.submit(FillOrders(BEN, ("cheese+silk",), claims(table, BEN, B[1])))


def fill_none(table: Table) -> None:
    table.until_inspection({BEN: B[:3]}).passes(BEN).submit(FillOrders(BEN))


def stash(table: Table) -> None:
    """ANN has laid the private stash as a law, and uses it."""
    lay(table)
    table.until_inspection({}).passes(BEN, CAT).submit(LayOut(ANN, claims(table, ANN, 0)))


def stash_nothing(table: Table) -> None:
    lay(table)
    table.until_inspection({}).passes(BEN, CAT).submit(LayOut(ANN))


def lay_out(table: Table) -> None:
    send(table, "Friar Tuck")
    table.submit(LayOut(CAT, claims(table, CAT, C[1])))


def draw_and_discard(table: Table) -> None:
    send(table, "Much the miller's son")
    table.submit(UseMan(CAT)).submit(Discard(CAT, claims(table, CAT, *C[1:3])))


def refill_and_swap(table: Table) -> None:
    """For what BEN has set aside."""
    send(table, "David of Doncaster", ben=B[4:])
    pile = tuple(card.handle for card in table.state.piles[0])
    table.submit(UseMan(CAT)).submit(Discard(CAT, claims(table, CAT, *C[1:3]), pile))


def take_and_discard(table: Table) -> None:
    send(table, "Will Stutely", ben=B[4:])
    top = table.state.piles[0][-1].handle
    table.submit(UseMan(CAT, cards=(top,))).submit(Discard(CAT, claims(table, CAT, C[1])))


def hands(*cards: str) -> tuple[str, ...]:
    return tuple(cards)


MOMENTS = [
    Moment("laws drawn", draw, with_laws(), ((), LAWS[:3], ""), ((), LAWS[1:], ""), (ANN,)),
    Moment("law put back", lay, with_laws(), ((), LAWS[:3], ""), ((), (*LAWS[:2], LAWS[3]), ""), ()),
    Moment(
        "law put back, and somebody left",
        lay_and_leave,
        with_laws(4),
        ((), LAWS[:3], ""),
        ((), (*LAWS[:2], LAWS[3]), ""),
        (),
    ),
    Moment(
        "merry man kept",
        keep,
        setup_for("merry-men", short=GOODS),
        ((), SCARLET, ""),
        ((), (*MEN[:2], MEN[3], MEN[2], *SCARLET[4:]), ""),
        (BEN,),
    ),
    Moment(
        "merry men put back",
        keep,
        setup_for("merry-men", short=GOODS),
        ((), SCARLET, ""),
        ((), (*MEN, "Much the miller's son", "Wat the tinker"), ""),
        (CAT,),
    ),
    Moment(
        "a look at a face-down card",
        look,
        setup_for("merry-men", short=GOODS),
        (hands("", "cheese, silk"), SCARLET, ""),
        (hands("", "cheese, mead"), SCARLET, ""),
        (BEN, CAT),
    ),
    Moment(
        "the order in which cards go back onto the deck",
        reorder,
        setup_for("merry-men", short=GOODS),
        (hands("", "cheese, silk"), GANDELYN, "pepper, mead, crossbow"),
        (hands("", "cheese, silk"), GANDELYN, "crossbow, pepper, mead"),
        (),
    ),
    Moment(
        "special order filled",
        fill,
        setup_for("orders"),
        (hands("", "cheese, silk, mead"), ORDERS, ""),
        (hands("", "cheese, silk, pepper, mead"), ORDERS, ""),
        (BEN,),
    ),
    Moment(
        "special order not filled",
        fill_none,
        setup_for("orders"),
        (hands("", "cheese, silk, mead"), ORDERS, ""),
        (hands("", "cheese, pepper, crossbow"), ORDERS, ""),
        (BEN,),
    ),
    Moment(
        "private stash",
        stash,
        with_laws(),
        (hands("cheese, silk"), STASH, ""),
        (hands("cheese, pepper, mead"), STASH, ""),
        (ANN,),
    ),
    Moment(
        "private stash, nothing laid out",
        stash_nothing,
        setup_for("laws", short=(*GOODS[:3], ("pepper", 2), *GOODS[4:])),
        (hands("2 pepper, 2 mead, silk, crossbow"), STASH, ""),
        (hands(), STASH, ""),
        (ANN,),
    ),
    *(
        Moment(name, script, setup_for("merry-men", short=GOODS), one, other, (CAT,))
        for name, script, one, other in (
            (
                "legal card laid out by Friar Tuck",
                lay_out,
                (hands("", "", "pepper, cheese, silk"), TUCK, ""),
                (hands("", "", "pepper, cheese, mead, crossbow"), TUCK, ""),
            ),
            (
                "cards discarded, the rest of the hand",
                draw_and_discard,
                (hands("", "", "pepper, cheese, chicken, silk"), MUCH, ""),
                (hands("", "", "pepper, cheese, chicken, mead, crossbow"), MUCH, ""),
            ),
            (
                "cards discarded, what was drawn before",
                draw_and_discard,
                (hands("", "", "pepper, cheese, chicken"), MUCH, "silk, mead"),
                (hands("", "", "pepper, cheese, chicken"), MUCH, "mead, crossbow"),
            ),
            (
                "cards swapped for discards",
                refill_and_swap,
                (hands("", "mead, silk", "pepper, cheese, chicken, mead"), DAVID, ""),
                (hands("", "mead, silk", "pepper, cheese, chicken, crossbow"), DAVID, ""),
            ),
            (
                "card discarded for the top of a pile",
                take_and_discard,
                (hands("", "mead, silk", "pepper, cheese, mead"), STUTELY, ""),
                (hands("", "mead, silk", "pepper, cheese, crossbow"), STUTELY, ""),
            ),
        )
    ),
]


@pytest.mark.parametrize("moment", some(MOMENTS, few=7), ids=lambda moment: moment.name)
def test_twin_tables_look_alike_to_all_who_must_not_learn_what_differs(moment: Moment) -> None:
    tables, work = [], []
    for cards, tops, rest in (moment.one, moment.other):
        table = seated(moment.setup, cards, tops, rest)
        moment.script(table)
        tables.append(table)
        work.append(table.work())
    table, twin = tables
    assert table.history() == twin.history()
    assert without_commitments(table.state) == without_commitments(twin.state)
    assert table.cards() == twin.cards()
    assert work[0] == work[1]
    differing = [seat for seat in table.setup.seats if table.view(seat).knowledge != twin.view(seat).knowledge]
    assert tuple(differing) == moment.knowing


@pytest.mark.slow
def test_laws_for_two_deputies_look_alike_to_all_others_and_both_see_them() -> None:
    table, twin = (seated(with_laws(6), (), tops).settle() for tops in (LAWS[:3], LAWS[1:]))
    assert table.history() == twin.history()
    assert table.state == twin.state
    assert table.cards() == twin.cards()
    officers = table.state.officers
    for seat in table.setup.seats:
        known = [[one.view(seat).knowledge.kinds.get(law) for law in one.state.drawn_laws] for one in (table, twin)]
        assert known == ([[*LAWS[:3]], [*LAWS[1:]]] if seat in officers else [[None] * 3] * 2)


def test_a_closed_bag_does_not_tell_that_a_merry_man_is_in_it() -> None:
    tables = []
    for with_man in (True, False):
        table = seated(setup_for("merry-men", short=GOODS), ("", "silk, cheese"), MEN)
        keep(table)
        table.market()
        goods = table.handles(BEN, *B[: 1 if with_man else 2])
        bags = {BEN: (*goods, *(table.state[BEN].men if with_man else ())), CAT: table.state[CAT].hand[:1]}
        for seat, bag in bags.items():
            table.sessions[seat].submit(LoadBag(seat, bag))
        tables.append(table.settle().submit(Declare(BEN, 2, "apples"), Declare(CAT, 1, "apples")))
    table, twin = tables
    assert table.history() == twin.history()
    assert without_commitments(table.state) == without_commitments(twin.state)
    assert table.cards() == twin.cards()
    for seat in (ANN, CAT):
        assert table.view(seat).knowledge == twin.view(seat).knowledge


# -- when it comes out, and never again


def laws_are_laid() -> tuple[Table, Move]:
    table = seated(with_laws(), (), LAWS).settle()
    return table, LayLaws(ANN, table.state.drawn_laws[:2])


def a_look_is_due() -> tuple[Table, Move]:
    table = seated(setup_for("merry-men", short=GOODS), ("", "cheese, silk"), SCARLET)
    send(table, "Will Scarlet")
    return table, UseMan(CAT, who=(BEN,), cards=table.state[BEN].stack)


def released(table: Table) -> list[Looked | Unveiled]:
    """Returns what ANN's node has seen come out of hiding."""
    happened = [event for event in table.sessions[ANN].events if isinstance(event, Happened)]
    return [item for event in happened for item in event.inputs if isinstance(item, Looked | Unveiled)]


@pytest.mark.parametrize("situation", [laws_are_laid, a_look_is_due])
def test_nothing_comes_out_before_the_last_seat_has_seen_the_choice(
    situation: Callable[[], tuple[Table, Move]],
) -> None:
    table, choice = situation()
    before = released(table)
    table.sessions[choice.seat].submit(choice)
    table.settle_without(BEN if choice.seat == ANN else ANN)
    assert released(table) == before
    table.settle()
    assert len(released(table)) == len(before) + 1


def test_no_point_of_a_card_that_went_back_comes_to_be_seen_again() -> None:
    """But for lists that are shuffled, which hold every card: see the protocol."""
    table = seated(setup_for("merry-men", short=GOODS), ("", "cheese, silk"), GANDELYN, "pepper, mead, crossbow")
    reorder(table)
    for _ in range(2):  # CAT keeps one of two again; then the hands are filled from the top of the deck.
        if len(men := table.state[CAT].men) > 1:
            table.submit(KeepMan(CAT, men[0]))
    assert table.state.round == 2
    seen = [point for signed in table.entries() if signed.entry.step is not None for point in points_in(signed)]
    assert len(seen) > 50
    assert len(set(seen)) == len(seen)


def points_in(signed: SignedEntry) -> Iterator[bytes]:
    """Yields the points that an entry lays, but for lists."""
    for act in Payload.from_value(signed.entry.payload).acts:
        match act:
            case Locks(change) | Strips(change):
                yield from _points(change)
            case Rearranges(rearrangement):
                yield from _points(rearrangement.change)
            case _:
                pass


def _points(change: Change) -> Iterator[bytes]:
    return (change.points[at : at + ELEMENT_BYTES] for at in range(0, len(change.points), ELEMENT_BYTES))
