"""The private side of one seat: its keys, its closed bag, its share of a coin; and how it answers demands."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_sheriff.rules import Claim, Handle, Kind, Knowledge, Seat
from p2p_sheriff.rules.demands import Open, Prove, Rearrange, Show, ShowKinds
from p2p_sheriff.session.acts import (
    Act,
    Commits,
    Locks,
    Opens,
    Proves,
    Rearranges,
    Reveals,
    Seals,
    Shows,
    Shuffles,
    Strips,
)
from p2p_sheriff.session.labels import DECK, labels_of
from p2p_sheriff.session.passes import Committing, Dealing, Gathering, Giving, Mixing, Revealing, to_strip
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.result import result_digest
from protocol.coin import SHARE_BYTES, commit_share
from protocol.commitment import SALT_BYTES, commit
from protocol.deck import Card, Keyring, lock_cards, shuffle_cards, strip_cards
from protocol.errors import LocalError
from protocol.group import Element, Group
from protocol.proofs.shuffle import Preparation, prepare
from protocol.randomness import Rng
from protocol.table import Turn
from protocol.zones import Statement, prove_statements, rearrange


@dataclass(frozen=True, slots=True, repr=False)
class ClosedBag:
    """What is in the own bag, and what opens its commitment."""

    round: int
    handles: tuple[Handle, ...]
    salt: bytes


class Secrets:
    """Everything that one seat knows and the others do not."""

    def __init__(self, seat: Seat, group: Group, rng: Rng) -> None:
        """Starts with nothing."""
        self.seat = seat
        self.keys = Keyring(group, rng)
        self.bag: ClosedBag | None = None
        self._group, self._rng = group, rng
        self._share = b""
        self._opened: dict[Element, Element] = {}
        self._prepared: dict[int, list[Preparation]] = {}

    def __repr__(self) -> str:
        """Shows nothing but whose they are."""
        return f"Secrets(seat {self.seat})"

    # -- what this seat knows

    def knowledge(self, play: Play) -> Knowledge:
        """Returns the kinds of all hidden cards that lie under this seat's lock alone."""
        player = play.state[self.seat]
        handles = player.hand + player.stack + player.aside + (player.bag.handles if player.bag else ())
        is_closed = player.bag is not None and set(self._bagged()) <= set(player.hand)
        kinds = {handle: self.kind_of(play, handle) for handle in handles}
        return Knowledge(self.seat, kinds, self._bagged() if is_closed else ())

    def _bagged(self) -> tuple[Handle, ...]:
        return self.bag.handles if self.bag else ()

    def kind_of(self, play: Play, handle: Handle) -> Kind:
        """Returns the kind of a card under the own lock."""
        return labels_of(self._group, play.state.setup).kind_of(self._open(play.cards[handle]))

    def _open(self, card: Card) -> Element:
        """Returns the point M of a card under the own lock alone."""
        if card.point not in self._opened:
            key = card.key_of(self.seat)
            if key is None or len(card.locks) != 1:
                raise LocalError("the card is not under the own lock alone")
            (self._opened[card.point],) = self.keys[key].open(self._group, [card.point])
        return self._opened[card.point]

    def forget(self, play: Play) -> None:
        """Drops keys that no live card is under, and cards that are gone."""
        passing = play.passing.cards if isinstance(play.passing, Mixing | Gathering | Dealing | Giving) else ()
        live = [*play.cards.values(), *play.deck[:1], *play.missing[:1], *passing]
        self.keys.forget_all_but(key for card in live if (key := card.key_of(self.seat)))
        points = {card.point for card in play.cards.values()}
        self._opened = {point: M for point, M in self._opened.items() if point in points}

    def wipe(self) -> None:
        """Drops everything: the transcript keeps all locked hands for ever, so their keys must not last."""
        self.keys.forget_all_but(())
        self.bag, self._share = None, b""
        self._opened.clear()
        self._prepared.clear()

    # -- ahead of time

    def stock(self, count: int) -> bool:
        """Prepares a shuffle of that many cards while there is time; returns whether one was missing."""
        if count < 2 or self._prepared.get(count):
            return False
        self._prepared[count] = [prepare(self._group, count, self._rng)]
        return True

    def _prepare(self, count: int) -> Preparation:
        stocked = self._prepared.get(count)
        return stocked.pop() if stocked else prepare(self._group, count, self._rng)

    # -- choices

    def close_bag(self, play: Play, handles: tuple[Handle, ...]) -> bytes:
        """Puts these cards into the bag; returns the commitment."""
        self.bag = ClosedBag(play.state.round, tuple(sorted(handles)), self._rng(SALT_BYTES))
        return commit(play.bag_context(self.seat), self.bag.handles, self.bag.salt)

    # -- duties

    def answer(self, play: Play, turn: Turn, index: int) -> Act | None:
        """Returns the act that is this seat's duty now, and no choice of its player; None if it is a choice."""
        if play.passing is not None:
            return self._pass_on(play, turn, index)
        if not play.state.todo:
            return Seals(result_digest(play.game, play.state))
        demand = play.demand_to(self.seat)
        match demand:
            case Rearrange(_, zone, _):
                handles = play.zone(self.seat, zone)
                context = turn.context(DECK, play.generation, "rearrange", index, handles)
                cards = [play.cards[handle] for handle in handles]
                made = rearrange(self._group, context, self.seat, cards, self.keys, self._rng, self._prepare)
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
            case _:
                return None

    def _pass_on(self, play: Play, turn: Turn, index: int) -> Act:
        group, seat, keys, rng = self._group, self.seat, self.keys, self._rng
        generation = play.generation
        match play.passing:
            case Mixing(cards, _):
                context = turn.context(DECK, generation, "shuffle", index)
                return Shuffles(shuffle_cards(group, context, seat, cards, keys, self._prepare(len(cards))))
            case Gathering(cards, _):
                context = turn.context(DECK, generation, "gather", index)
                return Locks(lock_cards(group, context, seat, cards, keys, rng))
            case Dealing(cards) as dealing:
                context = turn.context(DECK, generation, "deal", index)
                mine = [cards[place] for place in to_strip(dealing, seat)]
                return Strips(strip_cards(group, context, seat, mine, keys, rng))
            case Committing():
                self._share = rng(SHARE_BYTES)
                return Commits(commit_share(play.coin_context(), seat, self._share))
            case Revealing():
                return Reveals(self._share)
            case Giving(handles, cards, waiting) if len(waiting) > 1:
                context = turn.context(DECK, generation, "take", index, handles)
                return Locks(lock_cards(group, context, seat, cards, keys, rng))
            case Giving(handles, cards, _):
                context = turn.context(DECK, generation, "give", index, handles)
                return Strips(strip_cards(group, context, seat, cards, keys, rng))
            case None:
                raise LocalError("nothing goes around the table")

    def _claims(self, play: Play, handles: tuple[Handle, ...]) -> tuple[Claim, ...]:
        return tuple((handle, self.kind_of(play, handle)) for handle in handles)

    def _to_show(self, play: Play, demand: ShowKinds) -> tuple[Handle, ...]:
        owed, shown = dict(demand.owed), []
        for handle in demand.handles:
            kind = self.kind_of(play, handle)
            if kind in demand.all_of:
                shown.append(handle)
            elif owed.get(kind, 0):
                owed[kind] -= 1
                shown.append(handle)
        return tuple(shown)

    # -- proofs

    def prove(self, play: Play, turn: Turn, acts: int, statements: Sequence[Statement]) -> bytes:
        """Returns the one proof of everything that an entry with so many acts claims about hidden cards."""
        if not statements:
            return b""
        context = turn.context(DECK, play.generation, "claim", acts)
        points = [self._open(statement.card) for statement in statements]
        return prove_statements(self._group, context, self.seat, statements, points, self.keys, self._rng)
