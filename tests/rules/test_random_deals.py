"""Whole games in which people offer each other whatever comes to mind: what must be true of every deal."""

from collections import Counter
from random import Random

import pytest

from p2p_sheriff.rules import OPTIONS, Edition, Ending, Goods, Input, NotAllowed, NotAMove, Seat, Setup, State, outcome
from p2p_sheriff.rules.cards import LOOT, receiver_of
from p2p_sheriff.rules.deals import addressees, find_offer
from p2p_sheriff.rules.facts import Opened
from p2p_sheriff.rules.moves import Accept, Act, Condition, Gift, Offer, OfferName, Refuse, Things, Verb, Withdraw
from p2p_sheriff.rules.stalls import open_goods
from p2p_sheriff.rules.steps import GiveCards, Negotiate
from tests.rules.table import RandomTable

TALK = 0.75
"""How likely somebody says something before an officer does: there is much to talk about."""

GAMES = 2
"""At each kind of table; in the second one people leave."""


def some_goods(kinds: Goods, rng: Random) -> Goods:
    return tuple((kind, rng.randint(1, count)) for kind, count in kinds if rng.random() < 0.3)


def some_things(state: State, giver: Seat, rng: Random) -> Things:
    """Something that this seat may have, or may not."""
    player, often = state[giver], rng.random()
    every: Goods = tuple((kind, 2) for kind in state.setup.contraband)
    return Things(
        gold=rng.choice((0, 0, 0, rng.randint(0, player.gold), player.gold + rng.choice((0, 1)))),
        stall=some_goods(open_goods(state, giver), rng) if often < 0.6 else (),
        stack=some_goods(every, rng) if often < 0.2 else (),
        stack_blind=rng.randint(0, len(player.stack)) if often < 0.4 else 0,
        bag=some_goods(tuple((kind, 1) for kind in state.setup.legal), rng) if often < 0.15 else (),
        bag_blind=rng.choice((0, 0, 0, 1)),
    )


def some_offer(state: State, rng: Random) -> Offer:
    """An offer of several gifts, acts or none: most mean something, few can be closed."""
    officers = rng.choice(addressees(state))
    if rng.random() < 0.1:
        giver, bag = rng.choice(state.merchants), rng.choice(state.closed_bags)
        things, condition = Things(rng.randint(0, state[giver].gold)), rng.choice(list(Condition))
        surety = Gift(giver, receiver_of(officers), things, condition)
        return Offer(giver, state.offer_numbers[giver] + 1, officers, (surety,), (Act(bag, Verb.INSPECT),))
    bags = rng.sample(state.closed_bags, rng.choice((0, 0, 1, 1, min(2, len(state.closed_bags)))))
    acts = tuple(Act(bag, rng.choice(list(Verb))) for bag in bags)
    gifts = dict[tuple[Seat, Seat], Gift]()
    usual = rng.choice(state.merchants)
    for _ in range(rng.choice((1, 2, 2, 3))):
        giver = rng.choice((usual, *state.merchants))
        receiver = rng.choice((receiver_of(officers), receiver_of(officers), *state.merchants))
        gifts[giver, receiver] = Gift(giver, receiver, some_things(state, giver, rng))
    given = tuple(gifts.values())
    if acts and acts[0].verb is Verb.INSPECT and rng.random() < 0.5:
        giver = rng.choice(state.merchants)
        gold = Things(rng.randint(0, state[giver].gold))
        given += (Gift(giver, receiver_of(officers), gold, rng.choice(list(Condition))),)
    parties = [seat for gift in given for seat in (gift.giver, gift.receiver) if seat != LOOT] + [*officers]
    author = rng.choice(parties)
    return Offer(author, state.offer_numbers[author] + 1, officers, given, acts)


class Haggling(RandomTable):
    """People who offer, accept, refuse and withdraw at random; what is refused changes nothing."""

    def __init__(self, setup: Setup, rng: Random, leaving: float) -> None:
        super().__init__(setup, rng, leaving=leaving)
        self.closed = Counter[str]()
        self.agreed = dict[OfferName, set[Seat]]()
        self.opened = set[tuple[int, Seat]]()

    def step(self) -> Input:
        state, rng = self.state, self._rng
        if state.todo[:1] == (Negotiate(),) and state.closed_bags and rng.random() < TALK:
            for _ in range(20):
                try:
                    return self._say(rng)
                except (NotAllowed, NotAMove):
                    assert self.state is state, "What is refused changes nothing."
        item = super().step()
        if isinstance(item, Accept):
            self._note(state, item)
        if isinstance(item, Opened):
            assert (state.round, item.seat) not in self.opened, "A bag is opened once."
            self.opened.add((state.round, item.seat))
        return item

    def _say(self, rng: Random) -> Input:
        before = self.state
        standing = rng.choice(before.offers).offer if before.offers and rng.random() < 0.7 else None
        if standing is None:
            return self._take(some_offer(before, rng))
        if rng.random() < 0.05:
            return self._take(Withdraw(standing.seat, standing.number))
        seat = rng.choice(standing.parties if rng.random() < 0.8 else before.seats)
        if rng.random() < 0.05:
            return self._take(Refuse(seat, *standing.name))
        accept = Accept(seat, *standing.name)
        item = self._take(accept)
        self._note(before, accept)
        return item

    def _note(self, before: State, accept: Accept) -> None:
        """Check what an acceptance has changed: nothing, or all parties have agreed, and the gold moves as named."""
        name = (accept.author, accept.number)
        standing, after = find_offer(before, *name), self.state
        assert standing is not None
        self.agreed.setdefault(name, {accept.author}).add(accept.seat)
        if find_offer(after, *name) is not None:
            assert [player.gold for player in before.players] == [player.gold for player in after.players]
            assert before.closed_bags == after.closed_bags
            return
        offer = standing.offer
        self.closed["all"] += 1
        self.closed["trades"] += not offer.acts
        self.closed["several"] += len(offer.parties) > 2
        self.closed["sureties"] += any(gift.condition for gift in offer.gifts)
        assert self.agreed[name] >= set(offer.parties), "It is closed when all parties have accepted."
        assert after.round == before.round
        for seat in before.seats:
            gives = sum(gift.things.gold for gift in offer.gifts if gift.giver == seat and gift.condition is None)
            gets = sum(gift.things.gold for gift in offer.gifts if gift.receiver == seat and gift.condition is None)
            pledge = sum(gift.things.gold for gift in offer.gifts if gift.giver == seat)
            assert pledge <= before[seat].gold, "All that one gives is theirs before the deal."
            assert after[seat].gold == before[seat].gold - gives + gets
        for act in offer.acts:
            assert before.bag_of(act.bag).fate is None
            assert after.bag_of(act.bag).fate is act.verb
        due = [step for step in after.todo if isinstance(step, GiveCards)]
        handles = [handle for step in due for handle in step.handles]
        assert len(handles) == len(set(handles)), "A card is given once."
        for step in due:
            there = {*before[step.giver].stack, *(card.handle for card in before[step.giver].stall)}
            assert set(step.handles) <= there, "Nothing that is received is given on."


@pytest.mark.parametrize("edition", Edition)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("options", [frozenset[str](), frozenset(OPTIONS)], ids=["plain", "everything"])
def test_whatever_people_agree_on_every_deal_is_carried_out_as_named_and_the_game_goes_on(
    players: int, edition: Edition, options: frozenset[str]
) -> None:
    setup, closed = Setup(players, edition, options), Counter[str]()
    for number in range(GAMES):
        table = Haggling(setup, Random(f"{players} {edition} {len(options)} {number}"), leaving=0.002 * number)
        assert outcome(table.play()).ending in Ending
        closed += table.closed
    assert closed["all"] > 5
    assert closed["several"]
    assert closed["trades"] or closed["sureties"]
