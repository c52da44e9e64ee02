"""A dealer who holds all cards and is trusted: for simulations and tests, where no cryptography is needed.

The dealer answers every demand that is not a choice, and keeps what each seat knows. The stream of inputs is the same
as at a table without a dealer.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import assert_never

from p2p_sheriff.rules import (
    Choose,
    Claim,
    Demand,
    Fact,
    Handle,
    Input,
    Kind,
    Knowledge,
    LoadBag,
    Move,
    Pack,
    Seat,
    Setup,
    State,
    Transition,
    View,
    Zone,
    check_load,
    check_move,
    demands,
    facts,
    new_game,
)
from p2p_sheriff.rules.demands import (
    DealOut,
    Draw,
    Give,
    LetLook,
    Mix,
    Open,
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
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.rules.moves import Load


class Dealer:
    """Deals one game. `state` is the public state, `view(seat)` what a player sees."""

    def __init__(self, setup: Setup, rng: Random) -> None:
        self.state: State = new_game(setup)
        self._rng = rng
        self._deck: list[Kind] = []
        self._missing: list[Kind] = []
        self._kinds: dict[Handle, Kind] = {}
        self._packs: dict[Pack, list[str]] = {}
        self._looked: dict[Seat, list[tuple[Seat, Kind]]] = {}
        self._names: dict[Handle, str] = {}
        """Cards of modules that were dealt out and lie in no deck."""
        self._bags: dict[Seat, tuple[Handle, ...]] = {}

    # -- what players do

    def start(self) -> list[Transition]:
        """Shuffle and deal. Returns all that happens up to the first choice of a player, in order: all may see it."""
        return list(self._answers())

    def choices(self) -> tuple[Choose, ...]:
        """Return whose choices the game waits for; nobody's once it is over."""
        return tuple(demand for demand in demands(self.state) if isinstance(demand, Choose))

    def submit(self, item: Input | LoadBag) -> list[Transition]:
        """Apply a move, or a fact that is not the dealer's to find (TimeUp, Left), and answer what follows from it.

        Returns all that happens, in order. Raises NotAMove or NotAllowed; then nothing has changed.
        """
        return [self.take(item), *self._answers()]

    # -- the same, one input at a time

    def take(self, item: Input | LoadBag) -> Transition:
        """Apply one input, and answer nothing. Of what goes into a bag, all see a `Load` (rule 5.1)."""
        if isinstance(item, LoadBag):
            check_load(self.view(item.seat), item.handles)
            change = Transition.of(self.state, Load(item.seat, b"%d/%d" % (self.state.round, item.seat)))
            self._bags[item.seat] = tuple(sorted(item.handles))
        else:
            change = Transition.of(self.state, item)
            if isinstance(item, Move):
                check_move(self.view(item.seat), item)
        self.state = change.after
        return change

    def answer(self) -> Transition | None:
        """Answer the first demand; None if it is a choice of a player, or if the game is over."""
        pending = demands(self.state)
        if not pending or isinstance(pending[0], Choose):
            return None
        change = Transition.of(self.state, self._fact(pending[0]))
        self.state = change.after
        if isinstance(change.item, facts.Unveiled):
            for handle, _ in change.item.cards:
                if handle not in self.state.of_pack(change.item.pack):
                    del self._names[handle]  # A law that was laid never comes back.
        return change

    # -- what players know

    def view(self, seat: Seat) -> View:
        """Return the table as this seat sees it."""
        return View(self.state, self.knowledge(seat))

    def knowledge(self, seat: Seat) -> Knowledge:
        """Return what only this seat knows: its hidden cards."""
        player = self.state[seat]
        bag = player.bag
        closed = bag is not None and not bag.handles and seat in self._bags
        known = {**self._kinds, **self._names} if self._names else self._kinds
        kinds = {handle: known[handle] for handle in self.state.hidden_of(seat)}
        return Knowledge(seat, kinds, self._bags[seat] if closed else (), tuple(self._looked.get(seat, ())))

    def census(self) -> Counter[Kind]:
        """Count all cards by kind, wherever they lie: the same at every moment of a game (rule 1.1)."""
        return Counter(self._deck) + Counter(self._missing) + Counter(self._kinds.values())

    # -- answering demands

    def _answers(self) -> Iterator[Transition]:
        while (change := self.answer()) is not None:
            yield change

    def _fact(self, demand: Demand) -> Fact:
        match demand:
            case Shuffle(cards):
                self._shuffle([good.kind for good in self.state.setup.goods for _ in range(good.count)])
                return facts.Shuffled(cards)
            case Reshuffle(handles):
                self._deck = [self._kinds.pop(handle) for handle in handles]
                self._rng.shuffle(self._deck)
                return facts.Reshuffled(len(handles))
            case Redeal(cards):
                self._deal_around()
                return facts.Redealt(cards)
            case Toss(purpose, sides):
                return facts.Coin(purpose, self._rng.randrange(sides))
            case Draw(seat, count):
                return facts.Drawn(seat, self._new_handles([self._deck.pop() for _ in range(count)]))
            case Rearrange(seat, zone, _):
                return facts.Rearranged(seat, zone, self._rearrange(seat, zone))
            case Mix(seats):
                return facts.Rearranged(seats[0], Zone.LOOT, self._rearrange(seats[0], Zone.LOOT))
            case Show(seat, handles):
                return facts.Shown(seat, self._claims(handles))
            case ShowKinds():
                return facts.Shown(demand.seat, self._claims(self._to_show(demand)))
            case Prove(seat, handles, kinds):
                return facts.Proved(seat, handles, kinds)
            case Open(seat):
                return facts.Opened(seat, self._bags.pop(seat))
            case Give(giver, receiver, _, handles):
                new = self._new_handles([self._kinds.pop(handle) for handle in handles])
                return facts.Given(giver, receiver, tuple(zip(handles, new, strict=True)))
            case ShufflePack(pack, cards):
                self._packs[pack] = list(cards_of(self.state.setup, pack))
                self._rng.shuffle(self._packs[pack])
                return facts.PackShuffled(pack, cards)
            case RedealPack(pack, cards):
                self._packs[pack] += self._gone(pack)
                self._rng.shuffle(self._packs[pack])
                return facts.PackRedealt(pack, cards)
            case TurnOver(pack, count):
                return facts.TurnedOver(pack, tuple(self._packs[pack].pop() for _ in range(count)))
            case DealOut(pack, seats, count):
                names = [self._packs[pack].pop() for _ in range(count)]
                return facts.DealtOut(pack, seats, self._new_handles(names, self._names))
            case Unveil(pack, seats, handles):
                return facts.Unveiled(pack, seats, tuple((handle, self._names[handle]) for handle in handles))
            case PutUnder(pack, seats, handles):
                self._packs[pack] = [*(self._names.pop(handle) for handle in handles), *self._packs[pack]]
                return facts.WentUnder(pack, seats, handles)
            case LetLook(seat, owner, handle):
                self._looked.setdefault(seat, []).append((owner, self._kinds[handle]))
                return facts.Looked(seat, owner, handle)
            case PutOnTop(seat, handles):
                self._deck += [self._kinds.pop(handle) for handle in reversed(handles)]
                return facts.WentOnTop(seat, handles)
            case Choose():
                raise TypeError("Players choose, not the dealer.")
            case _:
                assert_never(demand)

    def _shuffle(self, kinds: list[Kind]) -> None:
        self._rng.shuffle(kinds)
        missing = self.state.setup.missing
        self._missing = kinds[:missing]
        self._deck = kinds[missing:]

    def _deal_around(self) -> None:
        """Put every card that lies nowhere any more back into the deck (rules 19.3 and 19.7)."""
        live = self.state.handles()
        gone = [handle for handle in self._kinds if handle not in live]
        self._shuffle(self._deck + self._missing + [self._kinds.pop(handle) for handle in gone])

    def _gone(self, pack: Pack) -> list[str]:
        """Take back the cards of a module that nobody holds any more."""
        live = {handle for seat in self.state.seats for handle in self.state.hidden_of(seat)}
        cards = cards_of(self.state.setup, pack)
        gone = [handle for handle, name in self._names.items() if name in cards and handle not in live]
        return [self._names.pop(handle) for handle in gone]

    def _new_handles(self, kinds: list[Kind], of: dict[Handle, str] | None = None) -> tuple[Handle, ...]:
        first = self.state.next_handle
        handles = tuple(Handle(first + index) for index in range(len(kinds)))
        (self._kinds if of is None else of).update(zip(handles, kinds, strict=True))
        return handles

    def _rearrange(self, seat: Seat, zone: Zone) -> tuple[Handle, ...]:
        of = self._names if zone is Zone.MEN else self._kinds
        kinds = [of.pop(handle) for handle in self.state.hidden_in(seat, zone)]
        self._rng.shuffle(kinds)
        return self._new_handles(kinds, of)

    def _claims(self, handles: tuple[Handle, ...]) -> tuple[Claim, ...]:
        return tuple((handle, self._kinds[handle]) for handle in handles)

    def _to_show(self, demand: ShowKinds) -> tuple[Handle, ...]:
        owed = dict(demand.owed)
        shown = []
        for handle in demand.handles:
            kind = self._kinds[handle]
            if kind in demand.all_of:
                shown.append(handle)
            elif owed.get(kind, 0):
                owed[kind] -= 1
                shown.append(handle)
        return tuple(shown)
