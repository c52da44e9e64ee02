"""Bots answer what is offered besides bribes by what it is worth, and offer such deals where their figures allow."""

from dataclasses import dataclass

import pytest

from p2p_sheriff.bots.memory import Memory
from p2p_sheriff.lab.simulate.game import BotTable
from p2p_sheriff.rules import Card, Handle, Seat
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.moves import Accept, Act, Condition, Declare, Gift, Offer, Things, Verb
from tests.bots.tables import at_closed_bags


@dataclass(frozen=True)
class People:
    """The seats of a table at which the bags are closed."""

    sheriff: Seat
    one: Seat
    two: Seat
    three: Seat


def answered(seed: int, who: str, gifts: str, acts: str = "") -> bool:
    """Tell whether a bot accepts: gifts as in "one two 5" or, if the bag is a lie, "one sheriff 5 lie"."""
    table = at_closed_bags(seed)
    state = table.dealer.state
    seats = vars(People(state.officers[0], *state.merchants))
    given = []
    for text in gifts.split(", "):
        giver, receiver, gold, *condition = text.split()
        hangs_on = Condition(condition[0]) if condition else None
        given.append(Gift(seats[giver], seats[receiver], Things(gold=int(gold)), hangs_on))
    done = tuple(Act(seats[bag], Verb(verb)) for verb, bag in (one.split() for one in acts.split(", ") if one))
    author = next(seat for gift in given for seat in (gift.giver, gift.receiver) if seat != seats[who])
    offer = Offer(author, state.offer_numbers[author] + 1, state.officers, tuple(given), done)
    assert not offer.is_bribe or author == state.officers[0]
    table._tell(table.dealer.submit(offer))
    return isinstance(table.bots[seats[who]].answer(table.dealer.view(seats[who]), offer), Accept)


SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_merchant_takes_what_is_given_and_gives_nothing_for_nothing(seed: int) -> None:
    assert answered(seed, "two", "one two 9")
    assert not answered(seed, "two", "two one 9, one sheriff 1")
    assert answered(seed, "two", "one two 9, two one 3")
    assert not answered(seed, "two", "one two 3, two one 9")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sheriff_takes_a_share_of_a_trade_and_does_not_act_for_nothing(seed: int) -> None:
    assert answered(seed, "sheriff", "one two 9, one sheriff 2")
    assert answered(seed, "sheriff", "one sheriff 25, two sheriff 25", "pass one, pass two")


def test_a_sheriff_looks_at_what_acts_and_sureties_are_worth() -> None:
    for_little = [answered(seed, "sheriff", "one two 9, one sheriff 1", "inspect three") for seed in range(20)]
    for_much = [answered(seed, "sheriff", "one sheriff 20 true, two sheriff 20", "inspect three") for seed in range(20)]
    assert all(for_much)
    assert not all(for_little)


def test_a_merchant_minds_what_is_done_with_the_own_bag() -> None:
    looks = [answered(seed, "two", "one two 2", "inspect two") for seed in range(30)]
    passes = [answered(seed, "two", "one two 2", "pass two") for seed in range(30)]
    assert sum(looks) < sum(passes)
    assert any(looks)


@pytest.mark.parametrize("seed", SEEDS)
def test_goods_that_lie_open_are_worth_a_crown_to_a_merchant(seed: int) -> None:
    """Three cards that bring a crown near are worth more than their value, though not everything."""
    table = at_closed_bags(seed)
    one, two, _ = table.dealer.state.merchants
    bot = table.bots[two]
    stall = tuple(Card(Handle(1000 + place), "cheese", one) for place in range(3))
    table.dealer.state = table.dealer.state.with_player(one, stall=stall)
    cheese = Gift(one, two, Things(stall=(("cheese", 3),)))
    for price, is_worth_it in ((9, True), (40, False)):
        trade = offered(table, one, cheese, Gift(two, one, Things(price)))
        assert isinstance(bot.answer(table.dealer.view(two), trade), Accept) is is_worth_it


def offered(table: BotTable, author: Seat, *gifts: Gift, acts: tuple[Act, ...] = ()) -> Offer:
    """Make an offer to the sheriff that can be closed."""
    state = table.dealer.state
    offer = Offer(author, state.offer_numbers[author] + 1, state.officers, gifts, acts)
    table._tell(table.dealer.submit(offer))
    return offer


@pytest.mark.parametrize("seed", SEEDS)
def test_no_more_goods_are_believed_in_than_there_are_cards(seed: int) -> None:
    """Thirty crossbows by kind cost nothing to promise: owed is what is there (rule 7.8), and nothing is."""
    table = at_closed_bags(seed)
    (sheriff,), (one, two, _) = table.dealer.state.officers, table.dealer.state.merchants
    crossbows = Things(stack=(("crossbow", 30),))
    trade = offered(table, one, Gift(one, two, crossbows), Gift(two, one, Things(gold=20)))
    assert not isinstance(table.bots[two].answer(table.dealer.view(two), trade), Accept)
    bribe = offered(table, one, Gift(one, sheriff, crossbows), acts=(Act(one, Verb.PASS),))
    assert table.bots[sheriff].worth(table.dealer.state, bribe) == 0
    count = table.dealer.state.bag_of(one).count or 0
    full = Things(bag=(("crossbow", 30),))
    bribe = offered(table, one, Gift(one, sheriff, full), acts=(Act(one, Verb.PASS),))
    assert 0 < table.bots[sheriff].worth(table.dealer.state, bribe) <= 9 * count


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("condition", Condition)
def test_an_owner_knows_the_bag_so_the_own_surety_is_worth_nothing(seed: int, condition: Condition) -> None:
    """Who is honest would be paid for a look by promising all there is if it was a lie."""
    table = at_closed_bags(seed)
    (sheriff,), (one, two, _) = table.dealer.state.officers, table.dealer.state.merchants
    look = (Act(one, Verb.INSPECT),)
    bot, view = table.bots[sheriff], table.dealer.view(sheriff)
    own = offered(table, one, Gift(one, sheriff, Things(gold=40), condition), acts=look)
    others = offered(table, two, Gift(two, sheriff, Things(gold=40), condition), acts=look)
    assert bot._gain(view, own) <= -bot.opinion(view, one).inspect_price
    assert bot._gain(view, others) > bot._gain(view, own)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sheriff_does_not_pass_a_bag_for_less_than_its_owner_offers(seed: int) -> None:
    table = at_closed_bags(seed)
    (sheriff,), (one, two, _) = table.dealer.state.officers, table.dealer.state.merchants
    passing = (Act(one, Verb.PASS),)
    offered(table, one, Gift(one, sheriff, Things(gold=30)), acts=passing)
    cheap = offered(table, two, Gift(two, sheriff, Things(gold=29)), acts=passing)
    assert not isinstance(table.bots[sheriff].answer(table.dealer.view(sheriff), cheap), Accept)


def test_who_has_not_what_was_promised_face_down_is_believed_less_the_next_time() -> None:
    table = at_closed_bags(0)
    one, two, _ = table.dealer.state.merchants
    crossbows = Gift(one, two, Things(stack=(("crossbow", 2),)))
    trade = Offer(one, 0, table.dealer.state.officers, (crossbows, Gift(two, one, Things(gold=1))), ())
    kept, broken = Memory(), Memory()
    for memory, shown in ((kept, ((Handle(1), "crossbow"), (Handle(2), "crossbow"))), (broken, ())):
        for item in (Declare(one, 2, "apples"), trade, Accept(two, one, 0), Accept(trade.officers[0], one, 0)):
            memory.note(item)
        memory.note(Shown(one, shown))
    assert broken.conduct[one].trust(0.6) < 0.6 < kept.conduct[one].trust(0.6)
