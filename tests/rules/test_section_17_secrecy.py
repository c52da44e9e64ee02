"""What section 17 promises, as far as the engine decides it: hidden kinds are in no state and change no demand."""

from collections.abc import Callable
from random import Random

import pytest

from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.rules import (
    Choice,
    Choose,
    Edition,
    Handle,
    Input,
    Seat,
    Setup,
    State,
    Zone,
    claims,
    demands,
    legal_moves,
    new_game,
)
from p2p_sheriff.rules.demands import Rearrange
from p2p_sheriff.rules.facts import DealtOut, Drawn, Given, Rearranged, Shown
from p2p_sheriff.rules.moves import HandOver, LayDown, Pass, SetAside, TakeDiscards, Trade
from tests.rules.driver import Driver
from tests.rules.notation import ANN, BEN, CAT, FIRST, INPUTS, SECOND
from tests.rules.plain import dump
from tests.rules.refusing import no_move
from tests.rules.scenario import Scenario
from tests.rules.situations import at_inspection, at_load, at_market

TABLES = [
    Setup(3, Edition.SECOND, frozenset({"royal", "black-market"})),
    Setup(4, Edition.FIRST, frozenset({"royal", "black-market", "missing"})),
    Setup(5, Edition.SECOND, frozenset({"seven"})),
    Setup(6, Edition.SECOND, frozenset({"royal", "black-market"})),
    Setup(4, Edition.FIRST, frozenset({"orders", "laws", "merry-men"})),
    Setup(6, Edition.SECOND, frozenset({"orders", "laws", "merry-men"})),
]


def hidden(state: State) -> set[Handle]:
    """Return every card whose kind is not for all to know."""
    handles: set[Handle] = set()
    for player in state.players:
        handles.update(player.hand, player.aside, player.stack, player.bag.handles if player.bag else ())
        handles.update(player.men, player.peeked)
    handles.update(card.handle for card in state.loot.cards if card.kind is None)
    handles.update(state.drawn_laws)
    return handles


def zones(state: State) -> dict[tuple[Seat, Zone], frozenset[Handle]]:
    """Return the hidden zones out of which their owners choose."""
    return {
        (seat, zone): frozenset(state.hidden_in(seat, zone))
        for seat in state.setup.seats
        for zone in (Zone.HAND, Zone.STACK, Zone.MEN, Zone.PEEKED)
    }


CHOSEN_FROM = {
    Zone.HAND: {Choice.SET_ASIDE, Choice.LOAD, Choice.DISCARD, Choice.LAY_OUT},
    Zone.STACK: {Choice.HAND_OVER, Choice.PAY_IN_KIND, Choice.TRADE},
    Zone.MEN: {Choice.KEEP_MAN},
    Zone.PEEKED: {Choice.REORDER},
}


@pytest.mark.parametrize("setup", TABLES, ids=lambda setup: f"{setup.players}-{setup.edition.value}")
def test_s17_no_state_names_the_kind_of_a_hidden_card(setup: Setup) -> None:
    for _, state in Driver(setup, 17).play():
        assert not hidden(state) & state.kinds.keys()


@pytest.mark.parametrize("setup", TABLES, ids=lambda setup: f"{setup.players}-{setup.edition.value}")
def test_s17_what_enters_a_hidden_zone_is_rearranged_before_the_next_choice_from_it(setup: Setup) -> None:
    fresh: dict[tuple[Seat, Zone], set[Handle]] = {}
    before = zones(new_game(setup))
    for item, state in Driver(setup, 18).play():
        now = zones(state)
        for place, handles in now.items():
            entered = fresh.setdefault(place, set())
            entered |= handles - before[place]
            entered &= handles
            if isinstance(item, Rearranged) and (item.seat, item.zone) == place:
                entered.clear()
        for demand in demands(state):
            for zone, choices in CHOSEN_FROM.items():
                if isinstance(demand, Choose) and demand.choice in choices:
                    assert not fresh[demand.seat, zone]
        before = now
    assert not any(fresh.values())


@pytest.mark.parametrize("setup", TABLES, ids=lambda setup: f"{setup.players}-{setup.edition.value}")
def test_s17_a_handle_never_comes_back(setup: Setup) -> None:
    used: set[Handle] = set()
    for item, _ in Driver(setup, 19).play():
        new: tuple[Handle, ...] = ()
        if isinstance(item, Drawn | Rearranged | DealtOut):
            new = item.handles
        elif isinstance(item, Given):
            new = tuple(handle for _, handle in item.handles)
        assert not used & set(new)
        assert len(set(new)) == len(new)
        used.update(new)


def test_s17_a_rearrangement_gives_every_card_of_the_zone_a_new_handle() -> None:
    game = Scenario()
    while not isinstance(demand := demands(game.state)[0], Rearrange):
        game.apply(game.answer(demand))
    new = tuple(Handle(game.state.next_handle + number) for number in range(7))
    assert demand.count == 6
    no_move(game, Rearranged(demand.seat, demand.zone, new[:5]))
    no_move(game, Rearranged(demand.seat, demand.zone, new))
    no_move(game, Rearranged(demand.seat, Zone.STACK, new[:6]))
    no_move(game, Rearranged(demand.seat, demand.zone, game.state[demand.seat].hand))


def public(game: Scenario) -> list[object]:
    """Return all that everybody has seen: the inputs and the state."""
    return [*(INPUTS.write(item) for _, item in game.log), dump(game.state)]


Story = Callable[[str, str], Scenario]


def loads(one: str, other: str) -> Scenario:
    return at_load().load(BEN, f"{one}, {other}").load(CAT, "apples")


def sets_aside_first_edition(one: str, other: str) -> Scenario:
    """BEN has set two cards aside face down, and has drawn for them."""
    game = at_market(4, edition=FIRST)
    game.hold(BEN, f"3 silk, {one}, {other}")
    game.deck = [one, other]
    return game.submit(SetAside(BEN, game.state[BEN].hand[3:5]), TakeDiscards(BEN, (0, 0)))


def passes(one: str, other: str) -> Scenario:
    return at_inspection({BEN: (f"{one}, {other}", "apples")}).passes(BEN)


def gives_blind(one: str, other: str) -> Scenario:
    game = at_inspection({}).grant(BEN, stack=f"{one}, {other}, silk")
    game.deal(BEN, "pass 1", stack_blind=1)
    return game.submit(HandOver(BEN, game.state[BEN].stack[:1]))


def gives_blind_from_the_bag(one: str, other: str) -> Scenario:
    game = at_inspection({BEN: (f"{one}, {other}", "apples")})
    game.deal(BEN, "pass 1", bag_blind=1)
    return game.submit(HandOver(BEN, game.state.bag_of(BEN).handles[:1]))


def denies_silk(one: str, other: str) -> Scenario:
    game = at_inspection({}).grant(BEN, stack=f"{one}, {other}")
    return game.deal(BEN, "pass 1", stack="silk")


def is_asked_to_trade(one: str, other: str) -> Scenario:
    game = at_inspection({}, 4, "black-market").grant(BEN, stack=f"{one}, {one}, {other}")
    return game.passes(BEN).submit(Trade(BEN))


def gives_blind_to_the_loot(one: str, other: str) -> Scenario:
    game = at_inspection({CAT: (f"{one}, {other}", "apples")}, 6)
    return game.deal(CAT, "pass 2", bag_blind=2)


@pytest.mark.parametrize(
    "story",
    [
        loads,
        sets_aside_first_edition,
        passes,
        gives_blind,
        gives_blind_from_the_bag,
        denies_silk,
        is_asked_to_trade,
        gives_blind_to_the_loot,
    ],
)
def test_s17_two_games_that_differ_in_hidden_kinds_look_the_same(story: Story) -> None:
    first, second = story("mead", "pepper"), story("crossbow", "crossbow")
    assert public(first) == public(second)
    assert demands(first.state) == demands(second.state)
    for seat in first.state.seats:
        assert legal_moves(first.state, seat) == legal_moves(second.state, seat)


def test_s17_a_card_taken_from_a_discard_pile_is_not_known_any_more_once_it_is_in_the_hand() -> None:
    game = at_market(4, edition=FIRST)
    chosen = game.hold(BEN, "2 silk")
    top = {pile[-1].handle for pile in game.state.piles}
    game.submit(SetAside(BEN, chosen), TakeDiscards(BEN, (1, 1)))
    assert not top & set(game.state[BEN].hand)
    assert not set(game.state[BEN].hand) & game.state.kinds.keys()


@pytest.mark.parametrize("edition", [FIRST, SECOND])
def test_s17_the_hand_is_rearranged_after_a_market_turn(edition: Edition) -> None:
    game = at_market(4, edition=edition).until_turn()
    ((seat, _),) = game.choices()
    before = set(game.state[seat].hand)
    game.submit(SetAside(seat, game.state[seat].hand[:1]))
    if edition is FIRST:
        game.submit(TakeDiscards(seat, (0, 0)))
    assert not before & set(game.state[seat].hand)


def test_s17_set_aside_cards_are_shown_only_after_the_draws_in_the_first_edition() -> None:
    game = at_market(4, edition=FIRST)
    game.log.clear()
    chosen = game.hold(BEN, "2 silk")
    game.submit(SetAside(BEN, chosen), TakeDiscards(BEN, (0, 0)), LayDown(BEN, 0, chosen))
    order = [type(item) for _, item in game.log if isinstance(item, Drawn | Shown)]
    assert order == [Drawn, Shown]


def test_s17_a_passing_bag_shows_its_legal_cards_and_nothing_else() -> None:
    game = at_inspection({BEN: ("cheese, silk, mead, apples", "apples")})
    game.log.clear()
    game.passes(BEN)
    assert sorted(kind for shown in game.seen(Shown) for _, kind in shown.cards) == ["apples", "cheese"]


def test_s17_a_trade_shows_the_three_cards_and_nothing_else() -> None:
    game = at_inspection({BEN: ("silk", "apples")}, 4, "black-market").grant(BEN, stack="2 silk, mead").passes(BEN)
    shown = tuple((handle, "silk") for handle in game.state[BEN].stack if game.kinds[handle] == "silk")
    trade = Trade(BEN, shown)
    assert claims(trade) == shown
    game.log.clear()
    game.submit(trade)
    assert not any(isinstance(item, Shown) for _, item in game.log)
    (mead,) = game.state[BEN].stack
    assert mead not in game.state.kinds


def test_s17_each_seat_knows_its_own_cards_and_no_others() -> None:
    dealer = Dealer(TABLES[1], Random(5))
    dealer.start()
    for seat in dealer.state.seats:
        assert set(dealer.knowledge(seat).kinds) == set(dealer.state[seat].hand)
        assert "kinds" not in repr(dealer.knowledge(seat)), "Knowledge is not for logs."


def test_s17_players_learn_nothing_of_the_cards_of_who_left() -> None:
    known = at_inspection({}).grant(BEN, stack="silk")
    other = at_inspection({}).grant(BEN, stack="mead")
    assert public(known.leaves(BEN)) == public(other.leaves(BEN))


def test_s17_facts_name_no_hidden_kind() -> None:
    game = at_inspection({BEN: ("silk, mead", "apples")})
    game.log.clear()
    game.submit(Pass(ANN, BEN))
    told: list[Input] = [item for _, item in game.log if claims(item)]
    assert told == []
