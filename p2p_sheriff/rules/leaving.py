"""When somebody leaves the game (section 19)."""

from collections.abc import Collection
from dataclasses import replace

from p2p_sheriff.rules import steps
from p2p_sheriff.rules.cards import LOOT, Pack, Seat, Zone
from p2p_sheriff.rules.deck import turner
from p2p_sheriff.rules.facts import Left
from p2p_sheriff.rules.loot import heir
from p2p_sheriff.rules.modules.laws import without_officers
from p2p_sheriff.rules.phases import Ending, Phase
from p2p_sheriff.rules.refusals import NotAMove
from p2p_sheriff.rules.rounds import reveal
from p2p_sheriff.rules.state import Loot, Player, Standing, State
from p2p_sheriff.rules.steps import Step

FEWEST_PLAYERS = 3


def on_left(state: State, fact: Left) -> State:
    """Take players out of the game: their gold to the bank, their cards back into the deck (rule 19.3)."""
    gone = fact.seats
    if not gone or list(gone) != sorted(set(gone)) or not set(gone) <= set(state.seats):
        raise NotAMove("refusals.leaving")
    restart, in_office = turner(state) in gone, state.officers
    shuffled = steps.ShuffleAll() not in state.todo
    # A game that has ended can't be abandoned any more.
    abandoned = state.phase is not Phase.REVEAL and len(state.seats) - len(gone) < FEWEST_PLAYERS
    # Cards that are just being discarded go with who does it; nobody does it any more in a game that is abandoned.
    in_transit = _in_transit(state, state.seats if abandoned else gone)
    state = _collect(state, gone, in_transit)
    todo = tuple(left for step in state.todo if (left := _without(state, step, gone, restart=restart)) is not None)
    if state.drawn_laws and not set(gone).isdisjoint(in_office):
        state, todo = without_officers(state, todo)
    if abandoned:
        return reveal(state, Ending.ABANDONED)
    if shuffled and state.phase is not Phase.REVEAL:
        todo = _dealing_around(state, todo)
    return state.but(todo=todo)


def _collect(state: State, gone: Collection[Seat], cards: int) -> State:
    """Return gold to the bank, and to the deck these cards and all that the zones hold; void bags and offers (19.3)."""
    bank = state.bank
    players = list(state.players)
    for seat in gone:
        bank += players[seat].gold
        cards += _cards_of(players[seat])
        players[seat] = Player(gold=0, served=players[seat].served, out=True)
    for seat in state.seats:
        player = players[seat]
        if player.bag and not set(gone).isdisjoint(state.officers):
            players[seat] = player.but(bag=player.bag.but(stances=(), alone=None))
    loot = state.loot
    if loot.cards and not set(gone).isdisjoint(state.officers):
        # They lie under the locks of both deputies, so they go where the cards of the one who left go.
        cards += len(loot.cards)
        loot = Loot(loot.gold, (), loot.prizes)
    men = sum(_men_of(state.players[seat]) for seat in gone)
    state = state.with_pack(Pack.MERRY_MEN, state.left_in(Pack.MERRY_MEN) + men) if men else state
    piles = tuple(tuple(card for card in pile if card.keeper not in gone) for pile in state.piles)
    box = tuple(card for card in state.box if card.keeper not in gone)
    cards += sum(map(len, state.piles)) - sum(map(len, piles)) + len(state.box) - len(box)
    state = state.but(
        players=tuple(players),
        officers=tuple(seat for seat in state.officers if seat not in gone),
        deck=state.deck + cards,
        piles=piles,
        box=box,
        bank=bank,
        loot=loot,
    )
    return state.with_offers(standing for standing in state.offers if not _concerns(standing, gone))


def _dealing_around(state: State, todo: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps behind all that has to be dealt anew, each deck by itself and once: nothing else comes first."""
    packs = [pack for pack in state.setup.packs if steps.MakePack(pack) not in todo and state.left_in(pack)]
    due = (steps.DealAround(), *(steps.RemakePack(pack) for pack in packs))
    return *due, *(step for step in todo if step not in due)


def _cards_of(player: Player) -> int:
    bag = len(player.bag.handles) + len(player.bag.shown) if player.bag else 0
    zones = (player.hand, player.aside, player.aside_shown, player.stall, player.stack, player.revealed, player.peeked)
    return bag + sum(map(len, zones)) + sum(len(order.cards) for order in player.orders)


def _men_of(player: Player) -> int:
    return len(player.men) + (player.bag is not None and player.bag.man is not None)


def _in_transit(state: State, gone: Collection[Seat]) -> int:
    """Count cards that these seats are just turning up or discarding: they lie in no zone."""
    cards = 0
    for step in state.todo:
        match step:
            case steps.TurnUp(handles) if turner(state) in gone:
                cards += len(handles)
            case steps.DiscardLast(seat, handle) if handle is not None and seat in gone:
                cards += 1
            case _:
                pass
    return cards


def _concerns(standing: Standing, gone: Collection[Seat]) -> bool:
    return not {*standing.offer.parties, *standing.offer.bags}.isdisjoint(gone)


def _without(state: State, step: Step, gone: Collection[Seat], *, restart: bool) -> Step | None:
    """Return what is left of a step: nothing more is due to or from those who left (rule 19.4)."""
    match step:
        case steps.AskLayDown(_, owner):
            return None if owner in gone else step
        case steps.ShareOut() | steps.PickTurn() if len(state.officers) < 2:
            return steps.ShareOut()
        case steps.SeatStep(seat) if seat in gone:
            return None
        case steps.LookAt(_, owner) if owner in gone:
            return None
        case steps.DealHands(seats, changed):
            return replace(step, seats=_remaining(seats, gone), changed=_remaining(changed, gone))
        case steps.TurnUp():
            return steps.TurnUp() if restart else step
        case steps.Judge(seat, officers):
            return steps.Judge(seat, _remaining(officers, gone))
        case steps.ShowPassing(seat, receiver):
            to = _receiver(state, receiver, gone)
            return steps.ShowPassing(seat) if to is None else replace(step, receiver=to)
        case steps.GiveCards(giver, _, zone) if giver in gone or (zone is Zone.LOOT and not state.loot.cards):
            return None
        case steps.PaySurety(giver=giver) if giver in gone:
            return None
        case steps.ShowOwed() | steps.AskHandOver() | steps.GiveCards() | steps.PaySurety():
            to = _receiver(state, step.receiver, gone)
            return None if to is None else replace(step, receiver=to)
        case steps.Debt(debtor, creditor, amount):
            to = _receiver(state, creditor, gone)
            return None if debtor in gone or to is None else steps.Debt(debtor, to, amount)
        case steps.DiscardLast(_, None) if not state.loot.cards:
            return None
        case _:
            return step


def _remaining(seats: tuple[Seat, ...], gone: Collection[Seat]) -> tuple[Seat, ...]:
    return tuple(seat for seat in seats if seat not in gone)


def _receiver(state: State, named: Seat | None, gone: Collection[Seat]) -> Seat | None:
    """Return who gets now what this receiver was to get; None if nobody does."""
    to = heir(state) if named == LOOT else named
    return None if to in gone else to
