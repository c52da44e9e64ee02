"""The private side of one seat: its keys, its closed bag, its share of a coin; and how it answers demands."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, assert_never

from p2p_sheriff.rules import Choose, Claim, Handle, Kind, Knowledge, Move, Seat, Zone, demands
from p2p_sheriff.rules.demands import Around, Open, Prove, Rearrange, Show, ShowKinds
from p2p_sheriff.rules.moves import (
    Discard,
    FillOrders,
    HandOver,
    KeepMan,
    LayLaws,
    LayOut,
    OpenMove,
    PayInKind,
    Reorder,
    SetAside,
    Trade,
    UseMan,
)
from p2p_sheriff.rules.steps import AskHandOver
from p2p_sheriff.session.acts import Act, Opens, Proves, Rearranges, Seals, Shows
from p2p_sheriff.session.board import Glimpse
from p2p_sheriff.session.keepsake import Keepsake
from p2p_sheriff.session.passes import Mixing
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.result import result_digest
from protocol.cipher import Lock
from protocol.codec import Value
from protocol.commitment import SALT_BYTES, commit
from protocol.deck import Card, Keyring, foresee_list
from protocol.errors import LocalError
from protocol.group import SCALAR_BYTES, Element, Group, decode_scalar, encode_scalar
from protocol.proofs.context import Context
from protocol.proofs.draft import Draft
from protocol.proofs.membership import Masks
from protocol.proofs.shuffle import Preparation, prepare
from protocol.randomness import Rng, hedged, permutation
from protocol.table import Turn
from protocol.typed import Codec
from protocol.zones import Statement, prove_statements, rearrange

_SHOWN_FROM: Final = {FillOrders: Zone.BAG, LayOut: Zone.HAND, Discard: Zone.HAND}
"""Where the cards lie that are shown along with a move, if not face down above the stall."""


@dataclass(frozen=True, slots=True, repr=False)
class ClosedBag:
    """What is in the own bag, and what opens its commitment."""

    round: int
    handles: tuple[Handle, ...]
    salt: bytes


class Secrets:
    """Everything that one seat knows and the others do not."""

    def __init__(self, seat: Seat, group: Group, rng: Rng, own: bytes = b"") -> None:
        """Starts with nothing but ``own``: what nobody else knows, and nobody has twice: for the masks of proofs."""
        self.seat = seat
        self.keys = Keyring(group, rng)
        self.bag: ClosedBag | None = None
        self.group, self.rng = group, rng
        self.share = b""
        """Of the coin that is being tossed."""
        self._seen: dict[Handle, Kind] = {}
        self._opened: dict[Element, Element] = {}
        self._prepared: dict[int, list[Preparation]] = {}
        self._own, self._count = own, count()
        self.masks = Masks()
        """For the next proof of what cards are."""
        self._drafts: dict[Element, Draft] = {}
        """For the next proof that a card of the own hand is of its kind, by the card's point M."""
        self._live: dict[int, tuple[Play, frozenset[Element]]] = {}
        """The keys of live cards in each game that may still count; the game is kept, so that no other has its id."""
        self._listed: Preparation | None = None
        """Of the own list in a deck that is being made, until it is proved."""
        self._proof: tuple[Context, bytes] | None = None
        """Of that list, and the place for which it was made."""
        self._ahead_lock: Lock | None = None
        """For the own list in a deck that is being made: the list before it is put under it while it is read."""

    def __repr__(self) -> str:
        """Shows nothing but whose they are."""
        return f"Secrets(seat {self.seat})"

    # -- what this seat knows

    def knowledge(self, play: Play) -> Knowledge:
        """Returns the kinds of all hidden cards that lie under this seat's lock alone."""
        player = play.state[self.seat]
        is_closed = player.bag is not None and set(self._bagged()) <= {*player.hand, *player.men}
        kinds = {handle: self.kind_of(play, handle) for handle in play.state.hidden_of(self.seat)}
        looked = tuple((look.owner, play.labels.kind_of(self._open(look.card))) for look in self._looks(play))
        return Knowledge(self.seat, kinds, self._bagged() if is_closed else (), looked)

    def _looks(self, play: Play) -> list[Glimpse]:
        return [look for look in play.looks if look.seat == self.seat]

    @property
    def memory(self) -> Keepsake:
        """What this seat has seen so far, without any key."""
        return Keepsake(self.seat, dict(self._seen))

    def remember(self, play: Play) -> None:
        """Keeps in mind what the own cards are, as far as there are keys to see it."""
        for handle in play.state.hidden_of(self.seat):
            if handle not in self._seen:
                with suppress(LocalError):  # While a game is resumed, keys come after the cards.
                    self._seen[handle] = self.kind_of(play, handle)
        for look in self._looks(play):
            if look.handle not in self._seen:
                with suppress(LocalError):
                    self._seen[look.handle] = play.labels.kind_of(self._open(look.card))

    def _bagged(self) -> tuple[Handle, ...]:
        return self.bag.handles if self.bag else ()

    def kind_of(self, play: Play, handle: Handle) -> Kind:
        """Returns the kind of a card under the own lock, or of which there is a copy for the own eyes."""
        own = (copy for copy in play.copies.get(handle, ()) if copy.is_held_by(self.seat))
        return play.labels.kind_of(self._open(next(own, play.cards[handle])))

    def _open(self, card: Card) -> Element:
        """Returns the point M of a card under the own lock alone, or under none."""
        if not card.locks:
            return card.point
        if card.point not in self._opened:
            if not card.is_held_by(self.seat):
                raise LocalError("the card is not under the own lock alone")
            (self._opened[card.point],) = self.keys[card.locks[0][1]].open(self.group, [card.point])
        return self._opened[card.point]

    def _live_keys(self, play: Play, *, spoiled: bool) -> frozenset[Element]:
        held = play.passing.held if play.passing and not spoiled else ()
        # The cards of a list share their locks, and to compare two of two hundred takes longer than to see that.
        locked = {id(card.locks): card.locks for card in (*play.locked, *held)}
        return frozenset(key for locks in locked.values() for seat, key in locks if seat == self.seat)

    def forget(self, play: Play, before: Sequence[Play] = (), *, spoiled: bool = False) -> None:
        """Drops keys that no live card is under, and cards that are gone.

        Args:
            play: The game now.
            before: The games to which it may still be taken back.
            spoiled: Whether the deck that is being made has failed: its keys and the order of its list go, too.
        """
        known = {} if spoiled else self._live
        live = {id(one): known.get(id(one)) or (one, self._live_keys(one, spoiled=spoiled)) for one in (play, *before)}
        self._live = {} if spoiled else live
        self.keys.forget_all_but(frozenset[Element]().union(*(keys for _, keys in live.values())))
        if spoiled or play.passing is None or not play.passing.owes_proof(self.seat):
            self._listed = self._proof = None
        if spoiled or not isinstance(play.passing, Mixing) or not play.passing.lists_of(self.seat):
            self._ahead_lock = None
        points = {card.point for card in play.seen}
        self._opened = {point: M for point, M in self._opened.items() if point in points}
        held = set(self._opened.values())
        self._drafts = {M: draft for M, draft in self._drafts.items() if M in held}

    def wipe(self) -> None:
        """Drops everything: the transcript keeps all locked hands for ever, so their keys must not last."""
        self.keys.forget_all_but(())
        self.bag, self.share = None, b""
        self._seen.clear()
        self._opened.clear()
        self._prepared.clear()
        self.masks = Masks()
        self._drafts.clear()
        self._listed = self._proof = self._ahead_lock = None

    # -- on disk

    def to_value(self) -> Value:
        """Returns all that can't be made anew, to be stored where nobody else can read it."""
        keys = b"".join(encode_scalar(k) for k in self.keys.secrets())
        return _STORED.write((keys, self.bag, self.share, self.memory))

    @property
    def pieces(self) -> frozenset[object]:
        """Each thing that must not be read again once it is dropped."""
        return frozenset(filter(None, (*self.keys.secrets(), self.bag, self.share)))

    def restore(self, value: Value) -> None:
        """Takes back what ``to_value`` returned.

        Raises:
            MalformedError: It is something else.
        """
        keys, bag, share, memory = _STORED.read(value)
        self.keys.keep(decode_scalar(keys[i : i + SCALAR_BYTES]) for i in range(0, len(keys), SCALAR_BYTES))
        self.bag, self.share, self._seen = bag, share, dict(memory.kinds)

    def lost(self, play: Play, *, spoiled: bool = False) -> tuple[str, ...]:
        """Returns what this seat should know and does not, in words: it was written after what was restored.

        Once the game is decided, it needs to know nothing: its keys may be wiped.
        """
        if play.is_decided:
            return ()
        known = {Lock(self.group, k).public for k in self.keys.secrets()}
        lost = ["the key of cards under its lock"] if self._live_keys(play, spoiled=spoiled) - known else []
        bag = play.state[self.seat].bag
        is_asked = any(isinstance(one, Open) and one.seat == self.seat for one in demands(play.state))
        if bag is not None and (bag.fate is None or is_asked) and not self._opens(play, bag.commitment):
            lost.append("what is in its bag")
        return (*lost, *(play.passing.lost(self) if play.passing else ()))

    def _opens(self, play: Play, commitment: bytes) -> bool:
        bag = self.bag
        return bag is not None and commit(play.bag_context(self.seat), bag.handles, bag.salt) == commitment

    # -- ahead of time

    def stock(self, count: int) -> bool:
        """Prepares a shuffle of that many cards while there is time; returns whether one was missing."""
        if count < 2 or self._prepared.get(count):
            return False
        self._prepared[count] = [self._prepare(count)]
        return True

    def take_along(self, preparation: Preparation) -> None:
        """Takes what was prepared before the game began."""
        self._prepared.setdefault(len(preparation.order), []).append(preparation)

    def stock_masks(self) -> bool:
        """Prepares some of the next proof of what cards are; returns whether something was missing."""
        if len(self.masks) >= _MASKS:
            return False
        self.masks.prepare(self.group, _MASKS_AT_ONCE, self._ahead("MB"))
        return True

    def stock_drafts(self, play: Play) -> bool:
        """Does some of the work to show a card of the own hand, each in turn; returns whether something was missing.

        Every one takes as long as one of the good that there is most of, so nobody can tell from it what the cards are.
        """
        labels, goods = play.labels, play.state.setup.goods
        for handle in play.state[self.seat].hand:
            card = play.cards[handle]
            if not card.is_held_by(self.seat):
                continue
            M = self._open(card)
            if M not in self._drafts:
                among = labels.among((labels.kind_of(M),))
                size = max(good.count for good in goods)
                self._drafts[M] = Draft(among, among.index(M), self._ahead("MB"), size)
            if self._drafts[M].go_on(self.group, _TERMS_AT_ONCE):
                return True
        return False

    def _prepare(self, count: int) -> Preparation:
        return prepare(self.group, count, self._ahead("SH"))

    def _ahead(self, purpose: str) -> Rng:
        """Returns a source of masks for a proof whose place is not known yet: a number in this game stands for it."""
        known = (self._own, b"".join(map(encode_scalar, self.keys.secrets())), next(self._count))
        return hedged(self.rng, purpose, *known)

    def prepare(self, count: int, *, listed: bool = False) -> Preparation:
        """Returns a preparation to shuffle that many cards, made ahead of time or now; one for a list is kept."""
        stocked = self._prepared.get(count)
        preparation = stocked.pop() if stocked else self._prepare(count)
        if listed:
            self._listed = preparation
        return preparation

    def foresee(self, cards: Sequence[Card]) -> None:
        """Makes the lock for the own list, if the list before it is about to come in place of these cards."""
        if self._ahead_lock is None:
            self._ahead_lock = self.keys.ahead()
            foresee_list(self.group, self.seat, cards, self.keys, self._ahead_lock)

    def take_lock(self) -> Lock | None:
        """Returns the lock for the own list, if it was made ahead."""
        lock, self._ahead_lock = self._ahead_lock, None
        return lock

    @property
    def has_listed(self) -> bool:
        """Whether the preparation of the own last list is here: that list is not proved yet."""
        return self._listed is not None

    def take_listed(self) -> Preparation | None:
        """Returns the preparation of the own last list, to prove it; None if it was lost in a restart."""
        preparation, self._listed = self._listed, None
        return preparation

    def once(self, context: Context, make: Callable[[], bytes]) -> bytes:
        """Returns the proof of the own last list in this place: as it was made ahead of time, or made now."""
        if self._proof is None or self._proof[0] != context:
            self._proof = context, make()
        return self._proof[1]

    # -- choices: one apple looks like another, so which of them goes must say nothing of the cards beside it

    def alike(self, play: Play, handles: Sequence[Handle], among: Sequence[Handle]) -> tuple[Handle, ...]:
        """Returns cards of the same kinds as these, at random among those that they were chosen from.

        Who always took the first of three silk would tell all that no card before it is one.
        """
        return self._some(play, among, Counter(self.kind_of(play, handle) for handle in handles))

    def disguise(self, play: Play, move: Move) -> Move:
        """Returns the move with cards that are alike in place of the hidden ones that it names."""
        if isinstance(move, OpenMove):
            return move
        player, step = play.state[self.seat], play.state.todo[0]
        match move:
            case SetAside(_, handles):
                return replace(move, handles=self.alike(play, handles, player.hand))
            case HandOver(_, handles):
                among = step.among if isinstance(step, AskHandOver) else handles
                return replace(move, handles=self.alike(play, handles, among))
            case LayLaws() | KeepMan() | UseMan() | Reorder():
                return move  # No two laws or merry men are alike, and what is looked at has been rearranged.
            case PayInKind() | Trade() | FillOrders() | LayOut() | Discard():
                among = play.state.hidden_in(self.seat, _SHOWN_FROM.get(type(move), Zone.STACK))
                handles = self.alike(play, [handle for handle, _ in move.cards], among)
                return replace(move, cards=self._claims(play, handles))
            case _:
                assert_never(move)

    def _some(self, play: Play, among: Sequence[Handle], wanted: Counter[Kind]) -> tuple[Handle, ...]:
        """Returns so many cards of each kind, or all that are there, in the order in which they lie."""
        places = []
        for place in permutation(self.rng, len(among)):
            kind = self.kind_of(play, among[place])
            if wanted[kind]:
                wanted[kind] -= 1
                places.append(place)
        return tuple(among[place] for place in sorted(places))

    def close_bag(self, play: Play, handles: tuple[Handle, ...]) -> bytes:
        """Puts cards like these into the bag, and a merry man if he is among them; returns the commitment."""
        player = play.state[self.seat]
        goods = self.alike(play, [handle for handle in handles if handle in player.hand], player.hand)
        men = [handle for handle in handles if handle in player.men]
        self.bag = ClosedBag(play.state.round, tuple(sorted((*goods, *men))), self.rng(SALT_BYTES))
        return commit(play.bag_context(self.seat), self.bag.handles, self.bag.salt)

    # -- duties

    def answer(self, play: Play, turn: Turn, index: int) -> Act | None:
        """Returns the act that is this seat's duty now, and no choice of its player; None if it is a choice."""
        if play.passing is not None:
            return play.passing.make(self, turn, index)
        if not play.state.todo:
            return Seals(result_digest(play.game, play.state))
        demand = play.demand_to(self.seat)
        match demand:
            case Rearrange(_, zone, _):
                context, cards = play.rearranging(turn, index, self.seat, zone)
                made = rearrange(self.group, context, self.seat, cards, self.keys, self.rng, self.prepare)
                return Rearranges(made.rearrangement)
            case Open():
                if self.bag is None:
                    raise LocalError("there is no bag to open")
                return Opens(self.bag.handles, self.bag.salt)
            case Show(_, handles):
                return Shows(self._claims(play, handles))
            case ShowKinds():
                return Shows(self._claims(play, self._to_show(play, demand)))
            case Prove():
                return Proves()
            case Choose():
                return None
            case Around():
                raise LocalError("what goes around the table is the business of its pass")
            case _:
                assert_never(demand)

    def _claims(self, play: Play, handles: tuple[Handle, ...]) -> tuple[Claim, ...]:
        return tuple((handle, self.kind_of(play, handle)) for handle in handles)

    def _to_show(self, play: Play, demand: ShowKinds) -> tuple[Handle, ...]:
        everything = dict.fromkeys(demand.all_of, len(demand.handles))
        return self._some(play, demand.handles, Counter({**dict(demand.owed), **everything}))

    # -- proofs

    def prove(self, play: Play, turn: Turn, acts: int, statements: Sequence[Statement]) -> bytes:
        """Returns the one proof of everything that an entry with so many acts claims about hidden cards."""
        if not statements:
            return b""
        context = play.claiming(turn, acts)
        points = [self._open(statement.card) for statement in statements]
        drafts = [self._draft_of(M, statement) for M, statement in zip(points, statements, strict=True)]
        known = (self.keys, self.rng, self.masks, drafts)
        return prove_statements(self.group, context, self.seat, statements, points, *known)

    def _draft_of(self, M: Element, statement: Statement) -> Draft | None:
        """Returns the draft for a statement, which no other can have then, if there is one."""
        draft = self._drafts.get(M)
        return self._drafts.pop(M) if draft is not None and draft.is_ready and draft.among == statement.among else None


_MASKS: Final = 96
"""A bag of five, each of up to ninety cards, takes as many or fewer."""
_MASKS_AT_ONCE: Final = 4
_TERMS_AT_ONCE: Final = 2
"""About half a millisecond each: whatever comes meanwhile does not wait longer."""

_STORED: Final = Codec[tuple[bytes, ClosedBag | None, bytes, Keepsake]](tuple[bytes, ClosedBag | None, bytes, Keepsake])
"""Keys, the own closed bag, the own share of a coin, and what was seen."""
