"""The public state of a game: what everybody at the table sees. Nothing hidden is in it, so it can't leak."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Any, ClassVar, Self, assert_never

from p2p_sheriff.rules.cards import Card, Handle, Kind, Pack, Seat, Zone
from p2p_sheriff.rules.goods import BOX_GOLD, STARTING_GOLD
from p2p_sheriff.rules.moves import Offer, OfferName, Verb
from p2p_sheriff.rules.phases import Ending, Phase
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.steps import (
    SIDE_BY_SIDE,
    AskKeep,
    Begin,
    DealHands,
    DealMen,
    DiscardLast,
    MakePack,
    RefillOrders,
    ReturnSpare,
    ShuffleAll,
    Step,
    TakeOffice,
    TurnUp,
)

FIRST_SEAT = Seat(0)


class Evolving:
    """A frozen dataclass that is copied with some fields changed at every turn.

    It keeps its fields in a dict, not in slots: `dataclasses.replace` is five times slower, and a game makes thousands
    of states.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]
    _derived: ClassVar[tuple[str, ...]] = ()
    """What follows from the fields and is kept beside them, as cached properties are: a copy works it out anew."""

    def but(self, **changes: object) -> Self:
        """Return a copy with these fields changed."""
        new = object.__new__(type(self))
        fields = new.__dict__
        fields.update(self.__dict__)
        for name in self._derived:
            fields.pop(name, None)
        fields.update(changes)
        if len(fields) != len(self.__dataclass_fields__):
            raise TypeError(f"{type(self).__name__} has no field that is called one of {sorted(changes)}.")
        return new


@dataclass(frozen=True, slots=True)
class DeputyStance:
    """What one deputy says about one bag (rule 10.4)."""

    seat: Seat
    verb: Verb
    price: OfferName | None = None
    """The standing offer for which; None: for nothing."""


@dataclass(frozen=True)
class Bag(Evolving):
    """A bag from loading to the end of the round."""

    commitment: bytes
    count: int | None = None
    """The declared number; None before the declaration."""
    kind: Kind | None = None
    """The declared good."""
    fate: Verb | None = None
    """What was decided: None while it can still be negotiated about."""
    handles: tuple[Handle, ...] = ()
    """The hidden cards in it, while it is open."""
    shown: tuple[Card, ...] = ()
    """The cards in it that were shown, while it is open."""
    stances: tuple[DeputyStance, ...] = ()
    man: Handle | None = None
    """The merry man in it, once it is open, until he goes under the deck."""
    man_name: str = ""
    """Who he is, once he was shown."""
    smuggled: int = 0
    """How many contraband goods were in it when it passed, whatever became of them (rule 15.6)."""
    alone: Seat | None = None
    """The deputy who acts alone on it."""

    def stance(self, seat: Seat) -> DeputyStance | None:
        """Return what this deputy says about it."""
        return next((stance for stance in self.stances if stance.seat == seat), None)


@dataclass(frozen=True, slots=True)
class FilledOrder:
    """A special order under a stall, with the two goods that were shown for it (rule 14.3)."""

    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Player(Evolving):
    """One seat: all that lies in front of it."""

    gold: int = STARTING_GOLD
    hand: tuple[Handle, ...] = ()
    """Backs of cards, those in a closed bag among them."""
    aside: tuple[Handle, ...] = ()
    """Set aside at the market and not yet shown."""
    aside_shown: tuple[Card, ...] = ()
    """Set aside face up, until the sheriff gathers them (second edition)."""
    stall: tuple[Card, ...] = ()
    """Legal goods, face up."""
    stack: tuple[Handle, ...] = ()
    """Contraband, face down."""
    unlawful: tuple[Kind, ...] = ()
    """Legal goods that may be among the stack: they were banned when cards came onto it (rule 15.4)."""
    prizes: tuple[Kind, ...] = ()
    """Black-market cards: they lie open on the stack."""
    revealed: tuple[Card, ...] = ()
    """The stack, once the game is over."""
    orders: tuple[FilledOrder, ...] = ()
    """Special orders under the stall: what lies there can't be given or taken any more (rule 14.4)."""
    men: tuple[Handle, ...] = ()
    """Merry men, face down; while one of two is chosen, the one that stays comes first. A closed bag may hold him."""
    lost_man: int = 0
    """The round in which the merry man was caught; 0 if there is one, or was never one (rule 16.4)."""
    halves: bool = False
    """An open marker: the next fine is halved (the widow's son)."""
    peeked: tuple[Handle, ...] = ()
    """Goods of the top of the deck that this player looks at (Gandelyn)."""
    bag: Bag | None = None
    served: int = 0
    """How often this player has been sheriff or deputy."""
    out: bool = False
    """Has left the game."""


@dataclass(frozen=True, slots=True)
class LootCard:
    """A card on the Loot: face up with its kind, or face down without (rule 10.6)."""

    handle: Handle
    kind: Kind | None


@dataclass(frozen=True, slots=True)
class Loot:
    """What the deputies have taken together (rule 10.3)."""

    gold: int = 0
    cards: tuple[LootCard, ...] = ()
    prizes: tuple[Kind, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gold or self.cards or self.prizes)

    @property
    def face_down(self) -> tuple[Handle, ...]:
        """The hidden cards."""
        return tuple(card.handle for card in self.cards if card.kind is None)


@dataclass(frozen=True, slots=True)
class Standing:
    """An offer that stands, and who has accepted it so far besides its author."""

    offer: Offer
    accepted: tuple[Seat, ...] = ()


@dataclass(frozen=True)
class State(Evolving):
    """Everything that all players see. Immutable; equal on all nodes that have applied the same inputs."""

    _derived = ("seats", "merchants", "closed_bags", "demanded")

    setup: Setup
    players: tuple[Player, ...]
    phase: Phase = Phase.SETUP
    round: int = 0
    lead: Seat = FIRST_SEAT
    """The sheriff, or the first-drawn deputy: every order counts from this seat, even if its player has left."""
    officers: tuple[Seat, ...] = ()
    """The sheriff, or the deputies in the order in which they were drawn, as far as they are still in the game."""
    deputy_deck: tuple[Seat, ...] = ()
    """Whose deputy cards have not been turned up since the last shuffle of them, in seat order (rule 10.1)."""
    deck: int = 0
    """How many cards can be drawn; missing cards (12.3) are not among them."""
    piles: tuple[tuple[Card, ...], ...] = ((),)
    """The discard piles: two in the first edition, else one. The last card of each is on top."""
    box: tuple[Card, ...] = ()
    """Cards taken out of the game at the black market."""
    bank: int = 0
    market: tuple[tuple[Kind, ...], ...] = ()
    """What is left of each pair of the black market, the top card first."""
    packs: tuple[tuple[Pack, int], ...] = ()
    """How many cards each deck of a module has left."""
    laws: tuple[str, ...] = ()
    """The laws in force, that in slot 1 first (rule 15.1)."""
    drawn_laws: tuple[Handle, ...] = ()
    """Laws that were drawn and not yet laid or put back: only who is in office has seen them."""
    acts: tuple[Verb, ...] = ()
    """What was done with the bags of this round so far (rule 15.6)."""
    confiscated: tuple[Handle, ...] = ()
    """Cards that were confiscated this round, wherever they lie now."""
    orders: tuple[str, ...] = ()
    """The special orders that lie face up (rule 14.2)."""
    offers: tuple[Standing, ...] = ()
    offer_numbers: tuple[int, ...] = ()
    """The highest number that each seat has given to an offer: what comes next is free."""
    offered: frozenset[tuple[Seat, int]] = frozenset()
    """The names of all offers so far: none names another one, in whatever order they come to count (rule 7.4)."""
    loot: Loot = field(default_factory=Loot)
    loot_unlawful: tuple[Kind, ...] = ()
    """The same as of a stack, for what lies face down on the Loot."""
    ending: Ending | None = None
    next_handle: int = 0
    """Every handle below has been in use: a new one must not be."""
    todo: tuple[Step, ...] = ()

    # -- who is who

    def __getitem__(self, seat: Seat) -> Player:
        return self.players[seat]

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The seats still in the game."""
        return tuple(seat for seat in self.setup.seats if not self.players[seat].out)

    def clockwise_after(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats still in the game, from the left of this one, which comes last."""
        around = self.setup.seats[seat + 1 :] + self.setup.seats[: seat + 1]
        return tuple(other for other in around if not self.players[other].out)

    @cached_property
    def merchants(self) -> tuple[Seat, ...]:
        """The merchants of this round, from the left of the sheriff or the first-drawn deputy (rules 6.1 and 10.2)."""
        return tuple(seat for seat in self.clockwise_after(self.lead) if seat not in self.officers)

    @cached_property
    def closed_bags(self) -> tuple[Seat, ...]:
        """Whose declared bags have not been dealt with, from the sheriff's left."""
        return tuple(seat for seat in self.merchants if (bag := self.players[seat].bag) and bag.count and not bag.fate)

    # -- cards that all can see

    @property
    def kinds(self) -> dict[Handle, Kind]:
        """The kind of every card that lies open now."""
        kinds = {card.handle: card.kind for card in self._open_cards()}
        kinds.update((card.handle, card.kind) for card in self.loot.cards if card.kind is not None)
        return kinds

    def _open_cards(self) -> Iterator[Card]:
        """Give the cards that lie open, but for those on the Loot: they have no keeper."""
        for player in self.players:
            yield from player.aside_shown
            yield from player.stall
            yield from player.revealed
            for order in player.orders:
                yield from order.cards
            if player.bag:
                yield from player.bag.shown
        for pile in self.piles:
            yield from pile
        yield from self.box

    def handles(self) -> set[Handle]:
        """Return the handle of every good that lies somewhere on the table, open or hidden."""
        handles = {card.handle for card in self._open_cards()}
        for player in self.players:
            handles.update(player.hand, player.aside, player.stack, player.peeked)
            if player.bag:
                handles.update(player.bag.handles)
        handles.update(card.handle for card in self.loot.cards)
        for step in self.todo:
            match step:
                case TurnUp(turned_up):
                    handles.update(turned_up)
                case DiscardLast(_, handle) if handle is not None:
                    handles.add(handle)
                case _:
                    pass
        return handles

    def of_pack(self, pack: Pack) -> tuple[Handle, ...]:
        """Return the handle of every card of a module that was dealt, until it is laid open for good or put back."""
        match pack:
            case Pack.ORDERS:
                return ()
            case Pack.LAWS:
                return self.drawn_laws
            case Pack.MERRY_MEN:
                bags = (player.bag for player in self.players if player.bag)
                shown = tuple(bag.man for bag in bags if bag.man is not None)
                return tuple(handle for player in self.players for handle in player.men) + shown
            case _:
                assert_never(pack)

    def hidden_in(self, seat: Seat, zone: Zone) -> tuple[Handle, ...]:
        """Return the hidden cards that lie in a zone of a seat; the Loot is the same for both deputies."""
        player = self.players[seat]
        match zone:
            case Zone.HAND:
                return player.hand
            case Zone.STACK:
                return player.stack
            case Zone.BAG:
                return player.bag.handles if player.bag else ()
            case Zone.LOOT:
                return self.loot.face_down
            case Zone.MEN:
                return player.men
            case Zone.PEEKED:
                return player.peeked
            case Zone.STALL | Zone.PILES:
                return ()
            case _:
                assert_never(zone)

    def hidden_of(self, seat: Seat) -> tuple[Handle, ...]:
        """Return the hidden cards that a seat has seen: hand, stack, set-aside cards, open bag, and modules' cards."""
        player = self.players[seat]
        laws = self.drawn_laws if seat in self.officers else ()
        man = (player.bag.man,) if player.bag and player.bag.man is not None else ()
        goods = player.hand + player.stack + player.aside + self.hidden_in(seat, Zone.BAG) + player.peeked
        return goods + player.men + man + laws

    def left_in(self, pack: Pack) -> int:
        """Return how many cards the deck of a module has left."""
        return dict(self.packs).get(pack, 0)

    # -- small changes

    def with_pack(self, pack: Pack, cards: int) -> "State":
        """Return the state with so many cards in the deck of a module."""
        return self.but(packs=tuple({**dict(self.packs), pack: cards}.items()))

    def with_player(self, seat: Seat, **changes: object) -> "State":
        """Return the state with these fields of one player changed."""
        players = list(self.players)
        players[seat] = players[seat].but(**changes)
        return self.but(players=tuple(players))

    def with_bag(self, seat: Seat, **changes: object) -> "State":
        """Return the state with these fields of one bag changed."""
        return self.with_player(seat, bag=self.bag_of(seat).but(**changes))

    def with_offers(self, offers: Iterable[Standing]) -> "State":
        """Return the state with just these offers standing: what a deputy has said for another one lapses (10.4)."""
        state = self.but(offers=tuple(offers))
        names = {standing.offer.name for standing in state.offers}
        for seat in self.closed_bags:
            words = self.bag_of(seat).stances
            kept = tuple(word for word in words if word.price is None or word.price in names)
            state = state if kept == words else state.with_bag(seat, stances=kept)
        return state

    def bag_of(self, seat: Seat) -> Bag:
        """Return the bag of a seat that has one."""
        bag = self.players[seat].bag
        if bag is None:
            raise LookupError(f"Seat {seat} has no bag.")
        return bag

    def push(self, *steps: Step) -> "State":
        """Return the state with these steps in front of the others."""
        return self.but(todo=steps + self.todo) if steps else self

    def done(self, *steps: Step) -> "State":
        """Return the state without its first step, with these in its place."""
        return self.but(todo=steps + self.todo[1:])

    def without(self, step: Step) -> "State":
        """Return the state without this step."""
        index = self.todo.index(step)
        return self.but(todo=self.todo[:index] + self.todo[index + 1 :])

    def front(self) -> tuple[Step, ...]:
        """Return the steps that wait for an answer now: the first one, or several seats' that go side by side."""
        if not self.todo:
            return ()
        first = type(self.todo[0])
        if first not in SIDE_BY_SIDE:
            return self.todo[:1]
        return tuple(takewhile(lambda step: type(step) is first, self.todo))


def new_game(setup: Setup) -> State:
    """Return the state of a table at which nothing has happened yet."""
    turn_up: tuple[Step, ...] = (TurnUp(),) if setup.two_piles else ()
    packs = tuple(MakePack(pack) for pack in setup.packs)
    orders: tuple[Step, ...] = (RefillOrders(),) if Pack.ORDERS in setup.packs else ()
    with_men = setup.seats if Pack.MERRY_MEN in setup.packs else ()
    men = (*(DealMen(seat, 2) for seat in with_men), *map(AskKeep, with_men), *map(ReturnSpare, with_men))
    begin = (*turn_up, *orders, *men, Begin(Phase.MARKET))
    return State(
        setup=setup,
        players=tuple(Player() for _ in setup.seats),
        piles=((), ()) if setup.two_piles else ((),),
        bank=BOX_GOLD - STARTING_GOLD * setup.players,
        market=setup.black_market,
        offer_numbers=(-1,) * setup.players,
        todo=(ShuffleAll(), *packs, TakeOffice(), DealHands(setup.seats), *begin),
    )
