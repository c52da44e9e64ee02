"""Exact situations for the tests of the rules: a table at which the test says what every card is.

The engine knows backs of cards only, so a scenario may decide what a back is when it matters. All that happens goes
through real inputs, with one exception: `grant` lays gold and goods in front of a seat, taken from the bank and the
deck, so that a test of debts does not hang on the rules of bribes, and a broken rule breaks its own tests alone.
"""

from collections.abc import Iterable
from typing import TypeVar

from p2p_sheriff.rules import (
    Card,
    Choice,
    Choose,
    Demand,
    Edition,
    Good,
    Handle,
    Input,
    Kind,
    Knowledge,
    Move,
    Pack,
    Phase,
    Seat,
    Setup,
    State,
    View,
    Zone,
    apply,
    demands,
    legal_moves,
    new_game,
)
from p2p_sheriff.rules.bounds import LayDownBounds
from p2p_sheriff.rules.deals import own_bribe
from p2p_sheriff.rules.demands import (
    DealOut,
    Draw,
    Give,
    LetLook,
    Mix,
    Open,
    PackDemand,
    Prove,
    PutOnTop,
    PutUnder,
    Rearrange,
    Redeal,
    RedealPack,
    Reshuffle,
    Show,
    ShowKinds,
    Shuffle,
    ShufflePack,
    Toss,
    TurnOver,
    Unveil,
)
from p2p_sheriff.rules.facts import (
    Coin,
    DealtOut,
    Drawn,
    Given,
    Left,
    Looked,
    Opened,
    PackRedealt,
    PackShuffled,
    Proved,
    Rearranged,
    Redealt,
    Reshuffled,
    Shown,
    Shuffled,
    TurnedOver,
    Unveiled,
    WentOnTop,
    WentUnder,
)
from p2p_sheriff.rules.modules.laws import to_lay
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.rules.moves import (
    Accept,
    Declare,
    FillOrders,
    Inspect,
    KeepMan,
    LayDown,
    LayLaws,
    LayOut,
    Load,
    NameFirst,
    Offer,
    Pass,
    PickLoot,
    SetAside,
    ShareLoot,
    Stance,
    TakeDiscards,
    Trade,
    Verb,
)
from tests.rules.notation import ANN, FILLER, SECOND, acts, cards, names, pay

Seen = TypeVar("Seen")

HARMLESS = {"thin market", "small wagons", "light hand", "no coin", "mercy"}
"""Laws that a round in which nothing much happens does not notice: they come first."""


class Scenario:
    """A table with one pair of hands: it answers every demand that is no choice, and knows what every card is."""

    def __init__(
        self,
        players: int = 4,
        *options: str,
        edition: Edition = SECOND,
        sheriff: Seat = ANN,
        extra: tuple[Good, ...] = (),
    ) -> None:
        candidates = () if players == 6 else (sheriff,)
        self.state = new_game(Setup(players, edition, frozenset(options), extra, candidates=candidates))
        self.kinds: dict[Handle, Kind] = {}
        self.bags: dict[Seat, tuple[Handle, ...]] = {}
        self.claims: dict[Seat, Kind] = {}
        """What the seat will declare, apples if nothing is said."""
        self.deck: list[Kind] = []
        """The kinds of the next cards that are drawn; then come fillers."""
        self.packs: dict[Pack, list[str]] = {}
        """The cards of the modules that come next: harmless laws first, then as they stand in the tables."""
        self.coins: list[int] = []
        """How the next coins fall; then they fall on 0."""
        self.log: list[tuple[State, Input]] = []

    # -- inputs

    def apply(self, item: Input) -> None:
        """Apply one input and nothing else."""
        self.log.append((self.state, item))
        self.state = apply(self.state, item)

    def submit(self, *moves: Move) -> "Scenario":
        """Apply moves, each with everything that follows from it without a choice."""
        for move in moves:
            self.apply(move)
            self.settle()
        return self

    def settle(self) -> "Scenario":
        """Answer all demands that are no choices."""
        while facts := [demand for demand in demands(self.state) if not isinstance(demand, Choose)]:
            self.apply(self.answer(facts[0]))
        return self

    def settle_next(self, number: int) -> "Scenario":
        """Answer so many demands, one after the other."""
        for _ in range(number):
            self.apply(self.answer(demands(self.state)[0]))
        return self

    def settle_until_draw(self) -> Draw:
        """Answer demands up to the next draw, and return it."""
        while not isinstance(demand := demands(self.state)[0], Draw):
            self.apply(self.answer(demand))
        return demand

    def answer(self, demand: Demand) -> Input:
        """Return the fact that an honest table answers with."""
        match demand:
            case Choose():
                raise AssertionError("A choice is for the test to make.")
            case Shuffle():
                return Shuffled(demand.cards)
            case Reshuffle():
                return Reshuffled(len(demand.handles))
            case Redeal():
                return Redealt(demand.cards)
            case Toss():
                return Coin(demand.purpose, self.coins.pop(0) if self.coins else 0)
            case Draw():
                kinds = [self.deck.pop(0) if self.deck else FILLER for _ in range(demand.count)]
                return Drawn(demand.seat, self._new(kinds))
            case Rearrange():
                old = self.state.hidden_in(demand.seat, demand.zone)
                return Rearranged(demand.seat, demand.zone, self._new(self.kinds[handle] for handle in reversed(old)))
            case Mix():
                kinds = [self.kinds[handle] for handle in reversed(demand.handles)]
                return Rearranged(demand.seats[0], Zone.LOOT, self._new(kinds))
            case Show():
                return Shown(demand.seat, tuple((handle, self.kinds[handle]) for handle in demand.handles))
            case ShowKinds():
                return Shown(demand.seat, self._called_for(demand))
            case Prove():
                for handle in demand.handles:
                    assert self.kinds[handle] in demand.kinds, "A proof was demanded of something that is not so."
                return Proved(demand.seat, demand.handles, demand.kinds)
            case Open():
                return Opened(demand.seat, self.bags.pop(demand.seat))
            case Give():
                new = self._new(self.kinds[handle] for handle in demand.handles)
                return Given(demand.giver, demand.receiver, tuple(zip(demand.handles, new, strict=True)))
            case _:
                return self._of_a_pack(demand)

    def _of_a_pack(self, demand: PackDemand) -> Input:
        match demand:
            case ShufflePack(pack, cards):
                self.packs[pack] = sorted(cards_of(self.state.setup, pack), key=lambda name: name not in HARMLESS)
                return PackShuffled(pack, cards)
            case RedealPack(pack, cards):
                return PackRedealt(pack, cards)
            case TurnOver(pack, count):
                return TurnedOver(pack, tuple(self.packs[pack].pop(0) for _ in range(count)))
            case DealOut(pack, seats, count):
                return DealtOut(pack, seats, self._new([self.packs[pack].pop(0) for _ in range(count)]))
            case Unveil(pack, seats, handles):
                return Unveiled(pack, seats, tuple((handle, self.kinds[handle]) for handle in handles))
            case PutUnder(pack, seats, handles):
                self.packs[pack] += [self.kinds[handle] for handle in handles]
                return WentUnder(pack, seats, handles)
            case LetLook(seat, owner, handle):
                return Looked(seat, owner, handle)
            case PutOnTop(seat, handles):
                self.deck = [*(self.kinds[handle] for handle in handles), *self.deck]
                return WentOnTop(seat, handles)

    def _called_for(self, demand: ShowKinds) -> tuple[tuple[Handle, Kind], ...]:
        owed = dict(demand.owed)
        shown = []
        for handle in demand.handles:
            kind = self.kinds[handle]
            if kind in demand.all_of or owed.get(kind, 0):
                shown.append((handle, kind))
                owed[kind] = owed.get(kind, 0) - 1
        return tuple(shown)

    def _new(self, kinds: Iterable[Kind]) -> tuple[Handle, ...]:
        first = self.state.next_handle
        new = tuple((Handle(first + number), kind) for number, kind in enumerate(kinds))
        self.kinds.update(new)
        return tuple(handle for handle, _ in new)

    def seen(self, kind: type[Seen]) -> list[Seen]:
        """Return the inputs of one type, in order."""
        return [item for _, item in self.log if isinstance(item, kind)]

    # -- what lies where

    @property
    def chief(self) -> Seat:
        """The sheriff, or the first-drawn deputy."""
        return self.state.officers[0]

    def hold(self, seat: Seat, text: str) -> tuple[Handle, ...]:
        """Say what the first cards of a hand are; return them."""
        kinds = cards(text)
        chosen = self.state[seat].hand[: len(kinds)]
        assert len(chosen) == len(kinds), "The hand is too small for that."
        self.kinds.update(zip(chosen, kinds, strict=True))
        return chosen

    def grant(
        self, seat: Seat, *, gold: int | None = None, stall: str = "", stack: str = "", prizes: str = ""
    ) -> "Scenario":
        """Give a seat exactly so much gold, and these goods on top of what is there."""
        player = self.state[seat]
        if gold is not None:
            self.state = self.state.with_player(seat, gold=gold).but(bank=self.state.bank + player.gold - gold)
        up = self._new(cards(stall))
        self.state = self.state.but(next_handle=self.state.next_handle + len(up))
        down = self._new(cards(stack))
        self.state = self.state.but(next_handle=self.state.next_handle + len(down))
        self.state = self.state.but(deck=self.state.deck - len(up) - len(down)).with_player(
            seat,
            stall=player.stall + tuple(Card(handle, self.kinds[handle], seat) for handle in up),
            stack=player.stack + down,
            prizes=player.prizes + cards(prizes),
        )
        return self

    def enact(self, *laws: str) -> "Scenario":
        """Put these laws in force, that of slot 1 first, and no others."""
        self.state = self.state.but(laws=laws)
        return self

    def lay_orders(self, *names: str) -> "Scenario":
        """Lay these special orders open, and no others."""
        self.state = self.state.but(orders=names)
        return self

    def shorten_hand(self, seat: Seat, size: int) -> "Scenario":
        """Take cards out of a hand."""
        self.state = self.state.with_player(seat, hand=self.state[seat].hand[:size])
        return self

    def lay_piles(self, *texts: str) -> "Scenario":
        """Lay other cards onto the discard piles, the last on top; the sheriff has discarded them."""
        piles = []
        for text in texts:
            new = self._new(cards(text))
            self.state = self.state.but(next_handle=self.state.next_handle + len(new))
            piles.append(tuple(self.card(handle, self.chief) for handle in new))
        self.state = self.state.but(piles=tuple(piles))
        return self

    def in_the_last_round(self) -> "Scenario":
        """Count everyone as having been in office often enough."""
        for seat in self.state.seats:
            self.state = self.state.with_player(seat, served=self.state.setup.terms)
        return self

    def piles(self) -> list[list[Kind]]:
        """What lies on the discard piles, the top last."""
        return [[card.kind for card in pile] for pile in self.state.piles]

    def knowledge(self, seat: Seat) -> Knowledge:
        """What the seat knows."""
        own = self.state.hidden_of(seat)
        return Knowledge(seat, {handle: self.kinds[handle] for handle in own}, self.bags.get(seat, ()))

    def view(self, seat: Seat) -> View:
        """What the seat sees."""
        return View(self.state, self.knowledge(seat))

    def card(self, handle: Handle, keeper: Seat) -> Card:
        """Return a card as it would lie open."""
        return Card(handle, self.kinds[handle], keeper)

    def stack(self, seat: Seat) -> list[Kind]:
        """What really lies face down above a stall, sorted."""
        return sorted(self.kinds[handle] for handle in self.state[seat].stack)

    def stall(self, seat: Seat) -> list[Kind]:
        """What lies face up on a stall, sorted."""
        return names(self.state[seat].stall)

    def gold(self) -> list[int]:
        """The gold of all seats, then that of the Loot if there are deputies."""
        loot = [self.state.loot.gold] if len(self.state.officers) > 1 else []
        return [player.gold for player in self.state.players] + loot

    def choices(self) -> set[tuple[Seat, Choice]]:
        """Who has to choose what."""
        return {(demand.seat, demand.choice) for demand in demands(self.state) if isinstance(demand, Choose)}

    # -- moves

    def load(self, seat: Seat, text: str, declared: Kind = FILLER, man: str = "") -> "Scenario":
        """Close a bag with these cards, and with a merry man; `declared` is for later."""
        self.bags[seat] = self.hold(seat, text)
        if man:
            (handle,) = self.state[seat].men
            self.kinds[handle] = man
            self.bags[seat] += (handle,)
        self.claims[seat] = declared
        return self.submit(Load(seat, f"bag of seat {seat} in round {self.state.round}".encode()))

    def offer(
        self, seat: Seat, deal: str, *, payer: Seat | None = None, to: tuple[Seat, ...] = (), **payment: str | int
    ) -> int:
        """Make an offer: what is done, and what is paid for it. Return its number."""
        offer = self.an_offer(seat, deal, payer=payer, to=to, **payment)
        self.submit(offer)
        return offer.number

    def an_offer(
        self, seat: Seat, deal: str, *, payer: Seat | None = None, to: tuple[Seat, ...] = (), **payment: str | int
    ) -> Offer:
        """Return an offer with the next number of its author."""
        promise = str(payment.pop("promise", ""))
        return Offer.bribe(
            seat,
            self.state.offer_numbers[seat] + 1,
            seat if payer is None else payer,
            to or self.state.officers,
            acts(deal),
            pay(**payment),
            promise,
        )

    def deal(self, seat: Seat, deal: str, **payment: str | int) -> "Scenario":
        """Close a deal: a merchant offers, everyone in office accepts."""
        number = self.offer(seat, deal, payer=None, to=(), **payment)
        for officer in self.state.officers:
            self.submit(Accept(officer, seat, number))
        return self

    def passes(self, bag: Seat, *, for_nothing: bool = False) -> "Scenario":
        """The sheriff lets a bag pass."""
        return self.submit(Pass(self.chief, bag, for_nothing))

    def inspects(self, bag: Seat) -> "Scenario":
        """The sheriff inspects a bag."""
        return self.submit(Inspect(self.chief, bag))

    def together(self, bag: Seat, verb: Verb, *, for_nothing: bool = False) -> "Scenario":
        """Both deputies do the same with a bag."""
        offer = None if for_nothing or verb is Verb.INSPECT else own_bribe(self.state, bag)
        for deputy in self.state.officers:
            self.submit(Accept(deputy, *offer.name) if offer else Stance(deputy, bag, verb))
        return self

    def leaves(self, *seats: Seat) -> "Scenario":
        """Players leave, all at once."""
        self.apply(Left(seats))
        return self.settle()

    # -- letting time pass

    def until(self, *phases: Phase) -> "Scenario":
        """Play dull moves until one of these phases is reached and somebody has to choose."""
        self.settle()
        while self.state.phase not in phases:
            self.dull()
        return self

    def until_turn(self) -> "Scenario":
        """Play dull moves until somebody has a turn at the market."""
        while all(choice is not Choice.SET_ASIDE for _, choice in self.choices()):
            self.dull()
        return self

    def next_round(self) -> "Scenario":
        """Play dull moves until the next round, or the end of the game."""
        now = self.state.round
        while self.state.round == now and self.state.phase is not Phase.OVER:
            self.dull()
        return self

    def dull(self) -> None:
        """Make one dull move for whoever has to choose: pass for nothing, buy nothing, carry one apple."""
        for demand in demands(self.state):
            assert isinstance(demand, Choose)
            if move := self._dull_move(demand.seat, demand.choice):
                self.submit(move)
                return
        raise AssertionError("Nobody has a dull move.")

    def _dull_move(self, seat: Seat, choice: Choice) -> Move | None:
        match choice:
            case Choice.NAME_FIRST:
                return NameFirst(seat, self.state.merchants[0])
            case Choice.SET_ASIDE:
                return SetAside(seat, ())
            case Choice.TAKE_DISCARDS:
                return TakeDiscards(seat, (0, 0))
            case Choice.LAY_DOWN:
                bounds = next(each for each in legal_moves(self.state, seat) if isinstance(each, LayDownBounds))
                return LayDown(seat, 0, bounds.handles)
            case Choice.LOAD:
                self.bags[seat] = self.hold(seat, FILLER)
                return Load(seat, b"an apple")
            case Choice.DECLARE:
                return Declare(seat, len(self.bags[seat]), self.claims.pop(seat, FILLER))
            case Choice.ACT:
                return self._dull_act(seat)
            case Choice.HAND_OVER:
                raise AssertionError("Blind promises are for the test to keep.")
            case Choice.PAY_IN_KIND:
                raise AssertionError("Debts are for the test to pay.")
            case Choice.TRADE:
                return Trade(seat)
            case Choice.KEEP_MAN:
                return KeepMan(seat, self.state[seat].men[0])
            case Choice.SEND | Choice.DISCARD | Choice.REORDER:
                raise AssertionError("Merry men are for the test to send.")
            case Choice.LAY_LAWS:
                return LayLaws(seat, self.state.drawn_laws[: to_lay(self.state)])
            case Choice.LAY_OUT:
                return LayOut(seat)
            case Choice.FILL_ORDERS:
                return FillOrders(seat)
            case Choice.SHARE_LOOT:
                return ShareLoot(seat)
            case Choice.PICK_LOOT:
                loot = self.state.loot
                return PickLoot(seat, loot.cards[0].handle if loot.cards else loot.prizes[0])

    def _dull_act(self, seat: Seat) -> Move | None:
        owner = self.state.closed_bags[0]
        bag = self.state.bag_of(owner)
        if len(self.state.officers) == 1 or bag.alone == seat:
            return Pass(seat, owner, for_nothing=True)
        return Stance(seat, owner, Verb.PASS) if bag.stance(seat) is None else None
