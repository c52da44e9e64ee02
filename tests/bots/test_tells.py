"""What would give a bot away: each of these was a habit once, and must not become one again."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest

from p2p_sheriff.bots import STYLES, Level, cast, make_bot
from p2p_sheriff.bots.memory import Conduct, Memory
from p2p_sheriff.rules import Kind, Seat, Setup
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.moves import Accept, Act, Inspect, Offer, Pass, Verb
from tests.bots.tables import RecordingDealer, at_closed_bags, is_question, played

GAMES = 24


@dataclass(frozen=True, slots=True)
class Game:
    """A mixed game of four, and who sat where."""

    styles: tuple[str, ...]
    dealer: RecordingDealer

    def offers(self) -> Iterator[Offer]:
        return (item for _, item in self.dealer.inputs if isinstance(item, Offer))


@dataclass(frozen=True, slots=True)
class JudgedBag:
    """A bag, as everybody knows it in the end."""

    style: str
    kind: Kind
    is_lie: bool
    aside: Counter[Kind]
    """What its owner set aside before."""
    offer: str
    """How its owner first offered something for it: unasked, asked, or never."""


@pytest.fixture(scope="module")
def games() -> list[Game]:
    rotated = [STYLES[seed % 4 :] + STYLES[: seed % 4] for seed in range(GAMES)]
    return [Game(styles, played(Setup(4), styles, seed)[1]) for seed, styles in enumerate(rotated)]


def bags_of(game: Game) -> Iterator[JudgedBag]:
    memory = Memory()
    offers: dict[tuple[int, Seat], str] = {}
    asked: set[tuple[int, Seat]] = set()
    for round_, item in game.dealer.inputs:
        if isinstance(item, Offer) and is_question(item):
            asked.add((round_, item.gift.giver))
        elif isinstance(item, Offer) and item.acts == (Act(item.seat, Verb.PASS),):
            offers.setdefault((round_, item.seat), "asked" if (round_, item.seat) in asked else "unasked")
        seat = item.seat if isinstance(item, Shown) else Seat(0)
        before = replace(memory.conduct[seat])
        memory.note(item)
        story, conduct = memory.stories[seat], memory.conduct[seat]
        if conduct != before:
            is_lie, offer = conduct.lies > before.lies, offers.get((round_, seat), "never")
            yield JudgedBag(game.styles[seat], story.kind, is_lie, story.aside, offer)


@pytest.mark.parametrize("style", STYLES)
def test_everybody_lies_sometimes_and_is_true_sometimes(games: list[Game], style: str) -> None:
    bags = [bag for game in games for bag in bags_of(game) if bag.style == style]
    assert len(bags) == GAMES * 6
    assert 0.15 <= sum(bag.is_lie for bag in bags) / len(bags) <= 0.7


@pytest.mark.parametrize("style", STYLES)
def test_a_lie_seldom_names_a_good_that_was_just_set_aside_and_true_bags_do_so_too(
    games: list[Game], style: str
) -> None:
    bags = [bag for game in games for bag in bags_of(game) if bag.style == style]
    lies = [bag.aside[bag.kind] > 0 for bag in bags if bag.is_lie]
    assert sum(lies) / len(lies) < 0.3
    assert any(bag.aside[bag.kind] for bag in bags if not bag.is_lie)


@pytest.mark.parametrize("style", STYLES)
def test_a_sheriff_asks_for_bags_of_one_size_not_always_the_same(games: list[Game], style: str) -> None:
    prices: defaultdict[int, set[int]] = defaultdict(set)
    for game in games:
        memory = Memory()
        for _, item in game.dealer.inputs:
            memory.note(item)
            if isinstance(item, Offer) and is_question(item) and game.styles[item.seat] == style:
                prices[memory.stories[item.gift.giver].count].add(item.gift.things.gold)
    assert all(len(prices[count]) > 5 for count in (3, 4, 5))


@pytest.mark.parametrize("style", STYLES)
def test_who_has_lied_with_whole_bags_is_asked_for_more_than_who_was_true(style: str) -> None:
    table = at_closed_bags(1)
    sheriff = table.dealer.state.officers[0]
    view, bag = table.dealer.view(sheriff), table.dealer.state.closed_bags[0]

    def asked_of(conduct: Conduct) -> int:
        bot = make_bot(style, sheriff, Random(1), Level.HARD)
        bot.memory.stories, bot.memory.conduct[bag] = table.bots[sheriff].memory.stories, conduct
        bot.new_round()
        return bot.opinion(view, bag).ask

    assert asked_of(Conduct(lies=4, false_cards=16, false_of=16)) > asked_of(Conduct(true=4))


def test_an_offer_for_the_own_bag_unasked_or_asked_may_come_with_a_lie_and_with_a_true_bag(games: list[Game]) -> None:
    bags = [bag for game in games for bag in bags_of(game)]
    for offer, least in (("unasked", 0.25), ("asked", 0.15)):
        lies = [bag.is_lie for bag in bags if bag.offer == offer]
        assert len(lies) > 20
        assert least <= sum(lies) / len(lies) <= 1 - least


def test_many_offers_for_a_look_at_somebody_elses_bag_are_worth_taking(games: list[Game]) -> None:
    looks, taken = 0, 0
    for game in games:
        named = {(offer.seat, offer.number) for offer in game.offers() if offer.acts[0].verb is Verb.INSPECT}
        looks += len(named)
        taken += sum((it.author, it.number) in named for _, it in game.dealer.inputs if isinstance(it, Accept))
    assert looks > 10
    assert taken > looks / 3


def test_bags_are_settled_in_every_order(games: list[Game]) -> None:
    orders: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number, game in enumerate(games):
        for round_, item in game.dealer.inputs:
            if isinstance(item, Pass | Inspect):
                orders[number, round_].append((item.bag - item.seat) % 4)
    assert len({tuple(order) for order in orders.values() if len(order) == 3}) == 6


def test_of_three_bots_that_sit_down_all_differ_and_one_plays_hard_under_any_name() -> None:
    casts = [cast(3, Random(seed)) for seed in range(60)]
    assert all(len({style for style, _ in one}) == 3 for one in casts)
    assert all([level for _, level in one].count(Level.HARD) == 1 for one in casts)
    for place in range(3):
        assert {style for one in casts for style, _ in one[place : place + 1]} == set(STYLES)
        assert {level for one in casts for _, level in one[place : place + 1]} == {Level.NORMAL, Level.HARD}


def test_bots_that_come_one_by_one_are_as_mixed_as_those_that_come_together() -> None:
    for seed in range(20):
        rng, there = Random(seed), list[tuple[str, Level]]()
        for _ in range(3):
            there += cast(1, rng, there)
        assert there == cast(3, Random(seed))
