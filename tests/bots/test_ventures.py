"""Bots make richer deals than bribes, share the Loot without waste and show laws; but not in the plain game."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.bots.temperament import TEMPERAMENTS
from p2p_sheriff.lab.simulate.game import BotTable
from p2p_sheriff.rules import Choice, Edition, Handle, Kind, Seat, Setup
from p2p_sheriff.rules.moves import Accept, Condition, Declare, LayLaws, Offer, ShareLoot, Split, Things, Verb
from p2p_sheriff.rules.state import Loot, LootCard
from p2p_sheriff.rules.steps import ShareOut
from tests.bots.tables import RecordingDealer, at_closed_bags, bots

GAMES = 8
MODULES = frozenset({"royal", "black-market", "orders", "laws", "merry-men"})
EVERYTHING = {"trade", "surety", "several givers"}
"""All sorts of offers that bots make besides bribes."""


def sort_of(offer: Offer) -> str:
    if offer.is_bribe:
        return "bribe"
    if any(gift.condition for gift in offer.gifts):
        return "surety"
    return "several givers" if offer.acts else "trade"


def games(setup: Setup, people: frozenset[Seat] = frozenset()) -> Iterator[RecordingDealer]:
    """Play mixed games whose bots take some of the others for people."""
    for seed in range(GAMES):
        dealer = RecordingDealer(setup, Random(seed))
        seated = bots(setup, STYLES[seed % 4 :] + STYLES[: seed % 4], seed)
        for bot in seated:
            bot.people = people
        BotTable(dealer, seated).play()
        yield dealer


def made_and_closed(dealer: RecordingDealer) -> tuple[Counter[str], Counter[str]]:
    """Count offers by sort, and those that all parties have accepted."""
    words = [item for _, item in dealer.inputs]
    offers = {item.name: item for item in words if isinstance(item, Offer)}
    missing = {name: set(offer.parties) - {offer.seat} for name, offer in offers.items()}
    for item in words:
        if isinstance(item, Accept):
            missing[item.author, item.number].discard(item.seat)
    closed = Counter(sort_of(offers[name]) for name, seats in missing.items() if not seats)
    return Counter(map(sort_of, offers.values())), closed


@pytest.mark.parametrize("players", [3, 4, 5])
def test_bots_among_themselves_offer_nothing_but_bribes_in_the_plain_game(players: int) -> None:
    """Their strength was measured there (docs/bots.md)."""
    for dealer in games(Setup(players)):
        made, _ = made_and_closed(dealer)
        assert made.keys() == {"bribe"}


@pytest.mark.parametrize(
    ("setup", "people"),
    [
        (Setup(4), frozenset({Seat(0)})),
        (Setup(6), frozenset[Seat]()),
        (Setup(5, Edition.FIRST), frozenset[Seat]()),
        (Setup(6, options=MODULES), frozenset[Seat]()),
    ],
    ids=["with a person", "six", "first edition", "modules"],
)
def test_elsewhere_they_offer_trades_sureties_and_deals_of_several_and_close_some(
    setup: Setup, people: frozenset[Seat]
) -> None:
    made, closed = Counter[str](), Counter[str]()
    for dealer in games(setup, people):
        offered, accepted = made_and_closed(dealer)
        made, closed = made + offered, closed + accepted
    assert made.keys() == EVERYTHING | {"bribe"}
    assert closed.keys() == EVERYTHING | {"bribe"}
    assert made.total() - made["bribe"] < made["bribe"]


@pytest.fixture(scope="module")
def rich_games() -> list[RecordingDealer]:
    return [*games(Setup(5, Edition.FIRST)), *games(Setup(6, options=MODULES))]


@pytest.fixture(scope="module")
def ventures(rich_games: list[RecordingDealer]) -> list[tuple[int, Offer]]:
    """Offers besides bribes, each with the number of its game and round."""
    found = []
    for game, dealer in enumerate(rich_games):
        offers = ((round_, item) for round_, item in dealer.inputs if isinstance(item, Offer) and not item.is_bribe)
        found += [(100 * game + round_, offer) for round_, offer in offers]
    return found


def test_nobody_thinks_of_more_than_one_such_deal_in_a_round(ventures: list[tuple[int, Offer]]) -> None:
    assert len(ventures) > 30
    assert max(Counter((when, offer.seat) for when, offer in ventures).values()) == 1


def test_such_a_deal_tells_nothing_of_the_authors_bag_nor_of_hidden_goods(ventures: list[tuple[int, Offer]]) -> None:
    for _, offer in ventures:
        assert offer.seat not in offer.bags
        for gift in offer.gifts:
            assert gift.things == Things(gift.things.gold, gift.things.stall)


def test_a_trade_gives_the_sheriff_a_share_and_each_side_what_the_goods_are_worth(
    ventures: list[tuple[int, Offer]],
) -> None:
    sold = set()
    for _, offer in ventures:
        if sort_of(offer) == "trade":
            goods, price, share = offer.gifts
            assert (goods.giver, goods.receiver) == (price.receiver, price.giver)
            assert share.giver == offer.seat
            assert share.things == Things(1)
            values = Setup(6, options=MODULES).table
            assert price.things.gold > sum(values[kind].value * count for kind, count in goods.things.stall)
            sold.add(goods.giver == offer.seat)
    assert sold == {True, False}


def test_a_surety_is_the_fine_of_the_bag_if_it_is_true(rich_games: list[RecordingDealer]) -> None:
    sureties = 0
    for dealer in rich_games:
        declared: dict[Seat, int] = {}
        for _, item in dealer.inputs:
            match item:
                case Declare(seat, count, kind):
                    declared[seat] = count * dealer.state.setup.table[kind].fine
                case Offer() if sort_of(item) == "surety":
                    (act,), (gift,) = item.acts, item.gifts
                    assert act.verb is Verb.INSPECT
                    assert gift.condition is Condition.IF_TRUE
                    assert gift.things == Things(declared[act.bag])
                    sureties += 1
                case _:
                    pass
    assert sureties > 3


def test_the_honest_think_of_such_deals_least_and_the_gambler_most() -> None:
    by_style = {style: temper.enterprise for style, temper in TEMPERAMENTS.items()}
    assert min(by_style, key=lambda style: by_style[style]) == "honest"
    assert max(by_style, key=lambda style: by_style[style]) == "gambler"
    assert 0 < by_style["honest"] < by_style["gambler"] < 1


# -- the Loot


def shared(loot: Loot, proposal: Split | None = None) -> Split | None:
    """Return what a deputy says to this Loot: the first-drawn one, or the other one to a proposal."""
    dealer = at_closed_bags(1, Setup(6)).dealer
    dealer.state = dealer.state.but(loot=loot, todo=(ShareOut(proposal),))
    seat = dealer.state.officers[0 if proposal is None else 1]
    move = make_bot("honest", seat, Random(1)).choose(dealer.view(seat), Choice.SHARE_LOOT)
    assert isinstance(move, ShareLoot)
    return move.split


def loot_of(gold: int, kinds: Sequence[Kind | None]) -> Loot:
    return Loot(gold, tuple(LootCard(Handle(1000 + place), kind) for place, kind in enumerate(kinds)))


@pytest.mark.parametrize(
    ("loot", "split"),
    [
        (loot_of(6, []), None),
        (loot_of(6, ["cheese", "cheese"]), None),
        (loot_of(7, []), Split(3)),
        (loot_of(4, [None]), Split(4)),
        (loot_of(9, [None]), Split(8)),
        (loot_of(0, [None]), Split(0)),
        (loot_of(6, [None, "cheese", "cheese", None, "apples"]), Split(4, (Handle(1000), Handle(1001)))),
        (loot_of(20, ["cheese", "cheese", None]), None),  # Who picks first gets more than half.
        (loot_of(7, ["cheese", "cheese"]), Split(6)),
    ],
    ids=str,
)
def test_an_odd_coin_and_an_odd_card_are_not_lost(loot: Loot, split: Split | None) -> None:
    assert shared(loot) == split


@pytest.mark.parametrize("seed", range(40))
def test_no_deputy_gets_less_than_by_the_even_split_and_the_other_one_accepts(seed: int) -> None:
    rng, worth = Random(seed), {None: 7, "apples": 2, "cheese": 3, "chicken": 4, "silk": 8}
    loot = loot_of(rng.randrange(16), rng.choices(list(worth), k=rng.randrange(6)))
    values = {card.handle: worth[card.kind] for card in loot.cards}
    pairs = sorted(values.values(), reverse=True)[: len(values) // 2 * 2]
    even = loot.gold // 2 + sum(pairs[::2]), loot.gold // 2 + sum(pairs[1::2])
    split = shared(loot)
    if split is not None:
        assert loot.gold % 2 or len(loot.cards) % 2
        first = split.gold + sum(values[card] for card in split.cards)
        assert first >= even[0]
        assert loot.gold + sum(values.values()) - first >= even[1]
        assert shared(loot, split) == split


def test_bots_propose_such_splits_and_agree_on_all_of_them() -> None:
    proposed = 0
    for dealer in games(Setup(6, options=MODULES)):
        splits = [item.split for _, item in dealer.inputs if isinstance(item, ShareLoot)]
        answers = iter(splits)
        for split in answers:
            if split is not None:
                proposed += 1
                assert next(answers) == split
    assert proposed > GAMES


# -- laws


def test_the_law_that_is_not_laid_is_shown_now_and_then() -> None:
    laid = [
        item for dealer in games(Setup(3, options=MODULES)) for _, item in dealer.inputs if isinstance(item, LayLaws)
    ]
    shown = sum(law.shown for law in laid)
    assert 0.1 < shown / len(laid) < 0.4
