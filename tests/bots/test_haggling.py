"""Bots at work: how they haggle, and what they never do."""

from collections import Counter
from random import Random

import pytest

from p2p_sheriff.bots import STYLES, Level, Saying, make_bot
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.lab.simulate.game import BotTable
from p2p_sheriff.rules import Choice, Edition, Handle, Input, Seat, Setup
from p2p_sheriff.rules.facts import Opened, Shown
from p2p_sheriff.rules.moves import Accept, Act, Declare, Inspect, Offer, Pass, Refuse, SetAside, Stance, Things, Verb
from tests.bots.tables import RecordingDealer, at_closed_bags, is_question, played

GAMES = 6


@pytest.fixture(scope="module")
def games() -> list[RecordingDealer]:
    """Mixed tables of four."""
    return [played(Setup(4), STYLES[seed % 4 :] + STYLES[: seed % 4], seed)[1] for seed in range(GAMES)]


def offers_of(dealer: RecordingDealer) -> list[Offer]:
    """Return all bribes that were offered, and all that were asked for."""
    return [item for _, item in dealer.inputs if isinstance(item, Offer) and item.is_bribe]


@pytest.fixture(scope="module")
def any_games() -> list[RecordingDealer]:
    """Tables of every size, of both editions, with every style and level, of two deputies too."""
    return [any_game(seed) for seed in range(24)]


def any_game(seed: int) -> RecordingDealer:
    rng = Random(seed)
    setup = Setup(3 + seed % 4, list(Edition)[seed // 4 % 2])
    dealer = RecordingDealer(setup, rng)
    entrants = [(rng.choice(STYLES), rng.choice(list(Level))) for _ in setup.seats]
    BotTable(dealer, [make_bot(style, Seat(seat), rng, level) for seat, (style, level) in enumerate(entrants)]).play()
    return dealer


def test_no_offer_is_nothing_or_a_single_coin(any_games: list[RecordingDealer]) -> None:
    offers = [offer for dealer in any_games for offer in offers_of(dealer)]
    things = [offer.gift.things for offer in offers if not is_question(offer)]
    assert len(things) > 100
    assert all(one.gold >= 2 or one.stall or one.bag for one in things)
    assert all(offer.gift.things.gold > 0 for offer in offers if is_question(offer))


def test_nobody_asks_for_as_much_as_was_asked_or_accepted_before_for_the_same_bag(
    any_games: list[RecordingDealer],
) -> None:
    seen: set[str] = set()
    for dealer in any_games:
        offers: dict[tuple[Seat, int], Offer] = {}
        prices: dict[tuple[int, Seat, Seat], int] = {}
        for round_, item in dealer.inputs:
            match item:
                case Offer(seat=seat, number=number, is_bribe=True):
                    offers[seat, number] = item
                    bag, gold = item.gift.giver, item.gift.things.gold
                    if is_question(item):
                        seen.add("asked again" if (round_, seat, bag) in prices else "asked")
                        assert gold < prices.get((round_, seat, bag), gold + 1)
                        prices[round_, seat, bag] = gold
                case Accept(seat=seat, author=author, number=number):
                    offer = offers.get((author, number))
                    if offer and seat in offer.officers:
                        seen.add("accepted")
                        for act in offer.acts:
                            prices[round_, seat, act.bag] = offer.gift.things.gold
                case _:
                    pass
    assert seen == {"asked", "asked again", "accepted"}


def test_who_accepts_a_little_for_a_bag_does_not_shout_for_more_while_the_word_is_under_way() -> None:
    accepted = 0
    for seed in range(30):
        table = at_closed_bags(seed)
        state = table.dealer.state
        sheriff = state.officers[0]
        for bag in state.closed_bags:
            offer = bribe(table.dealer, bag, 4)
            table._tell(table.dealer.submit(offer))
            bot, view = table.bots[sheriff], table.dealer.view(sheriff)
            if isinstance(bot.answer(view, offer), Accept):
                accepted += 1
                for word in (bot.negotiate(view), bot.choose(view, Choice.ACT)):
                    assert not (isinstance(word, Offer) and word.gift.giver == bag)
    assert accepted > 5


def test_questions_are_accepted_and_refused_and_answered_with_less(games: list[RecordingDealer]) -> None:
    words = [item for dealer in games for _, item in dealer.inputs]
    asked = {(offer.seat, offer.number) for dealer in games for offer in offers_of(dealer) if is_question(offer)}
    assert any((item.author, item.number) in asked for item in words if isinstance(item, Accept))
    assert any((item.author, item.number) in asked for item in words if isinstance(item, Refuse))
    assert any(not is_question(offer) for dealer in games for offer in offers_of(dealer))


def counter_offers(taught: bool) -> int:
    """Count who answers a sheriff that asks for all they have with an offer, in 30 first rounds."""
    offers = 0
    for seed in range(30):
        table = at_closed_bags(seed)
        dealer, sheriff = table.dealer, table.dealer.state.officers[0]
        for bag in dealer.state.closed_bags:
            bot, other = table.bots[bag], next(seat for seat in dealer.state.closed_bags if seat != bag)
            for item in opens_for_offers(dealer, other) * 2 if taught else ():
                bot.observe(item)
            question = Offer.bribe(sheriff, 1, bag, (sheriff,), (Act(bag, Verb.PASS),), Things(50))
            offers += isinstance(bot.answer(dealer.view(bag), question), Offer)
    return offers


def opens_for_offers(dealer: Dealer, bag: Seat) -> list[Input]:
    """Return two rounds of a sheriff who lets a bag pass, and opens one whose owner has offered for it."""
    sheriff, said = dealer.state.officers[0], (SetAside(bag, ()), Declare(bag, 3, "apples"))
    seen = (Opened(bag, ()), Shown(bag, tuple((Handle(1000 + place), "apples") for place in range(3))))
    return [*said, Pass(sheriff, bag), *seen, *said, bribe(dealer, bag, 4), Inspect(sheriff, bag), *seen]


def test_few_offer_something_to_a_sheriff_who_opens_the_bags_of_those_who_offer() -> None:
    assert counter_offers(taught=True) < 0.7 * counter_offers(taught=False)


def bribe(dealer: Dealer, bag: Seat, gold: int) -> Offer:
    number = dealer.state.offer_numbers[bag] + 1
    return Offer.bribe(bag, number, bag, dealer.state.officers, (Act(bag, Verb.PASS),), Things(gold))


def test_an_offer_of_a_person_is_accepted_or_gets_a_counter_offer_by_the_same_mind_that_settles() -> None:
    seen: set[str] = set()
    for seed in range(20):
        table = at_closed_bags(seed)
        dealer, sheriff, bag = table.dealer, table.dealer.state.officers[0], table.dealer.state.closed_bags[0]
        for gold in (2, 30):
            offer = bribe(dealer, bag, gold)
            table._tell(dealer.submit(offer))
            answer = table.bots[sheriff].answer(dealer.view(sheriff), offer)
            seen.add(f"{gold} {type(answer).__name__}")
            assert not isinstance(answer, Offer) or answer.gift.things.gold > gold
    assert {"30 Accept", "2 Offer"} <= seen


def test_deputies_speak() -> None:
    _, dealer = played(Setup(6, Edition.FIRST), STYLES, 1)
    assert any(isinstance(item, Stance) for _, item in dealer.inputs)


def test_a_deputy_does_not_wait_for_a_bribe_that_cannot_be_paid_any_more() -> None:
    """Its giver has spent the gold on another deal: the other deputy can't accept it, and both would wait for ever."""
    table = at_closed_bags(1, Setup(6))
    dealer, bag = table.dealer, table.dealer.state.merchants[0]
    first, second = dealer.state.officers
    offer = bribe(dealer, bag, 20)
    table._tell([*dealer.submit(offer), *dealer.submit(Accept(first, *offer.name))])
    dealer.state = dealer.state.with_player(bag, gold=1)
    table._tell(dealer.submit(Stance(second, bag, Verb.PASS)))
    word = table.bots[first].settle(dealer.view(first), (bag,))
    assert isinstance(word, Stance)
    assert word.bag == bag


@pytest.mark.parametrize("style", STYLES)
def test_a_ready_phrase_gets_an_answer_that_does_not_depend_on_cards(style: str) -> None:
    bot = make_bot(style, Seat(0), Random(1))
    assert {bot.reply(Saying.TRUST_ME) for _ in range(50)} > {None}


def test_a_person_who_is_sheriff_is_offered_something_oftener_than_a_bot_whatever_is_in_the_bags() -> None:
    offered, bags = Counter[tuple[bool, bool]](), Counter[bool]()
    for seed in range(60):
        for is_person in (True, False):
            table = at_closed_bags(seed)
            state = table.dealer.state
            for bag in state.closed_bags:
                bot, view = table.bots[bag], table.dealer.view(bag)
                bot.people = frozenset(state.officers if is_person else ())
                word, is_lie = bot.negotiate(view), any(card.kind != state.bag_of(bag).kind for card in view.bag)
                offered[is_person, is_lie] += isinstance(word, Offer) and word.acts == (Act(bag, Verb.PASS),)
                bags[is_lie] += is_person
    to_person, to_bot = (offered[is_person, True] + offered[is_person, False] for is_person in (True, False))
    assert to_person > max(45, 2 * to_bot)  # More than in three of four rounds, if nobody else had begun in it.
    assert offered[True, False] / bags[False] > offered[True, True] / bags[True] / 3  # Who offers may be true.
    # That people are offered more tells them nothing of the bag: lies and true bags alike come with more offers.
    more_lies, more_true = (offered[True, is_lie] / offered[False, is_lie] for is_lie in (True, False))
    assert 2 / 3 < more_lies / more_true < 3 / 2
