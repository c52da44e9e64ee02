"""Bots at work: who lies, who pays, who asks, and that deals come of it."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from p2p_sheriff.lab.simulate.game import Tally
from p2p_sheriff.rules import Edition, Input, Setup
from p2p_sheriff.rules.moves import Accept, Offer, Stance, Withdraw
from tests.bots.tables import RecordingDealer, played


def tallies(style: str, games: int = 8) -> Tally:
    total = Tally()
    for seed in range(games):
        record, _ = played(Setup(4), [style], seed)
        for tally in record.tallies:
            for name in Tally.__dataclass_fields__:
                setattr(total, name, getattr(total, name) + getattr(tally, name))
    return total


def test_honest_bots_declare_truly_and_rarely_pay() -> None:
    tally = tallies("honest")
    assert tally.lies <= tally.bags / 50
    assert tally.offers < tally.bags / 5


def test_smugglers_lie_in_most_bags_and_pay_for_many() -> None:
    tally = tallies("smuggler")
    assert tally.lies > 0.8 * tally.bags
    assert tally.bribes > 0.4 * tally.bags


def test_gamblers_pay_with_gold_and_goods_and_about_others() -> None:
    tally = tallies("gambler")
    assert min(tally.bribe_gold, tally.bribe_goods, tally.deals_about_others) > 0


def inputs_of(wanted: Callable[[RecordingDealer], bool], styles: list[str], setup: Setup) -> bool:
    return any(wanted(played(setup, styles, seed)[1]) for seed in range(20))


def officers_question_is_accepted(dealer: RecordingDealer) -> bool:
    asked = {
        (item.seat, item.number)
        for _, item in dealer.inputs
        if isinstance(item, Offer) and item.seat != item.gift.giver
    }
    return any((item.author, item.number) in asked for _, item in dealer.inputs if isinstance(item, Accept))


def offers_of(dealer: RecordingDealer) -> list[Offer]:
    return [item for _, item in dealer.inputs if isinstance(item, Offer)]


def asks_for_less_after_asking_for_more(dealer: RecordingDealer) -> bool:
    asks = [offer for offer in offers_of(dealer) if offer.seat != offer.gift.giver]
    return any(
        first.acts == second.acts and first.gift.things.gold > second.gift.things.gold
        for first, second in pairwise(asks)
    )


def raises_an_offer(dealer: RecordingDealer) -> bool:
    own = [offer for offer in offers_of(dealer) if offer.seat == offer.gift.giver]
    return any(
        first.seat == second.seat and first.acts == second.acts and first.gift.things.gold < second.gift.things.gold
        for first, second in pairwise(own)
    )


def a_merchant_pays_for_a_look_at_another(dealer: RecordingDealer) -> bool:
    about_others = {
        (offer.seat, offer.number)
        for offer in offers_of(dealer)
        if any(act.bag != offer.gift.giver for act in offer.acts)
    }
    return any((item.author, item.number) in about_others for _, item in dealer.inputs if isinstance(item, Accept))


@pytest.mark.parametrize(
    "happens",
    [
        officers_question_is_accepted,
        asks_for_less_after_asking_for_more,
        raises_an_offer,
        a_merchant_pays_for_a_look_at_another,
    ],
)
def test_shrewd_bots_haggle_with_smugglers(happens: Callable[[RecordingDealer], bool]) -> None:
    assert inputs_of(happens, ["shrewd", "smuggler"], Setup(4))


def test_gamblers_take_offers_back() -> None:
    def withdraws(dealer: RecordingDealer) -> bool:
        return any(isinstance(item, Withdraw) for _, item in dealer.inputs)

    assert inputs_of(withdraws, ["gambler"], Setup(4))


def test_deputies_speak_and_a_bribe_for_one_of_them_is_taken() -> None:
    def one_deputy_is_bribed(dealer: RecordingDealer) -> bool:
        for_one = {
            (offer.seat, offer.number)
            for offer in offers_of(dealer)
            if offer.seat == offer.gift.giver and len(offer.officers) == 1
        }
        spoke = any(isinstance(item, Stance) for _, item in dealer.inputs)
        items: list[Input] = [item for _, item in dealer.inputs]
        return spoke and any((item.author, item.number) in for_one for item in items if isinstance(item, Accept))

    assert inputs_of(one_deputy_is_bribed, ["gambler"], Setup(6, Edition.FIRST))
