"""The private side of one seat: its keys, its closed bag, its share of a coin; and how it answers demands."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, assert_never

from p2p_sheriff.rules import Choose, Claim, Handle, Kind, Knowledge, Move, Seat, demands
from p2p_sheriff.rules.demands import Around, Open, Prove, Rearrange, Show, ShowKinds
from p2p_sheriff.rules.moves import HandOver, OpenMove, PayInKind, SetAside, Trade
from p2p_sheriff.rules.steps import AskHandOver
from p2p_sheriff.session.acts import Act, Opens, Proves, Rearranges, Seals, Shows
from p2p_sheriff.session.keepsake import Keepsake
from p2p_sheriff.session.labels import labels_of
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.result import result_digest
from protocol.cipher import Lock
from protocol.codec import Value
from protocol.commitment import SALT_BYTES, commit
from protocol.deck import Card, Keyring
from protocol.errors import LocalError
from protocol.group import SCALAR_BYTES, Element, Group, decode_scalar, encode_scalar
from protocol.proofs.shuffle import Preparation, prepare
from protocol.randomness import Rng, permutation
from protocol.table import Turn
from protocol.typed import Codec
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
        self.group, self.rng = group, rng
        self.share = b""
        """Of the coin that is being tossed."""
        self._seen: dict[Handle, Kind] = {}
        self._opened: dict[Element, Element] = {}
        self._prepared: dict[int, list[Preparation]] = {}

    def __repr__(self) -> str:
        """Shows nothing but whose they are."""
        return f"Secrets(seat {self.seat})"

    # -- what this seat knows

    def knowledge(self, play: Play) -> Knowledge:
        """Returns the kinds of all hidden cards that lie under this seat's lock alone."""
        player = play.state[self.seat]
        is_closed = player.bag is not None and set(self._bagged()) <= set(player.hand)
        kinds = {handle: self.kind_of(play, handle) for handle in play.state.hidden_of(self.seat)}
        return Knowledge(self.seat, kinds, self._bagged() if is_closed else ())

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

    def _bagged(self) -> tuple[Handle, ...]:
        return self.bag.handles if self.bag else ()

    def kind_of(self, play: Play, handle: Handle) -> Kind:
        """Returns the kind of a card under the own lock."""
        return labels_of(self.group, play.state.setup).kind_of(self._open(play.cards[handle]))

    def _open(self, card: Card) -> Element:
        """Returns the point M of a card under the own lock alone."""
        if card.point not in self._opened:
            if not card.is_held_by(self.seat):
                raise LocalError("the card is not under the own lock alone")
            (self._opened[card.point],) = self.keys[card.locks[0][1]].open(self.group, [card.point])
        return self._opened[card.point]

    def _live_keys(self, play: Play) -> frozenset[Element]:
        decks = [card for deck in play.decks.values() for card in (*deck.undrawn[:1], *deck.missing[:1])]
        live = [*play.cards.values(), *decks, *(play.passing.held if play.passing else ())]
        return frozenset(key for card in live if (key := card.key_of(self.seat)))

    def forget(self, play: Play) -> None:
        """Drops keys that no live card is under, and cards that are gone."""
        self.keys.forget_all_but(self._live_keys(play))
        points = {card.point for card in play.cards.values()}
        self._opened = {point: M for point, M in self._opened.items() if point in points}

    def wipe(self) -> None:
        """Drops everything: the transcript keeps all locked hands for ever, so their keys must not last."""
        self.keys.forget_all_but(())
        self.bag, self.share = None, b""
        self._seen.clear()
        self._opened.clear()
        self._prepared.clear()

    # -- on disk

    def to_value(self) -> Value:
        """Returns all that can't be made anew, to be stored where nobody else can read it."""
        keys = b"".join(encode_scalar(k) for k in self.keys.secrets())
        return _STORED.write((keys, self.bag, self.share, self.memory))

    def restore(self, value: Value) -> None:
        """Takes back what ``to_value`` returned.

        Raises:
            MalformedError: It is something else.
        """
        keys, bag, share, memory = _STORED.read(value)
        self.keys.keep(decode_scalar(keys[i : i + SCALAR_BYTES]) for i in range(0, len(keys), SCALAR_BYTES))
        self.bag, self.share, self._seen = bag, share, dict(memory.kinds)

    def lost(self, play: Play) -> tuple[str, ...]:
        """Returns what this seat should know and does not, in words: it was written after what was restored."""
        known = {Lock(self.group, k).public for k in self.keys.secrets()}
        lost = ["the key of cards under its lock"] if self._live_keys(play) - known else []
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
        self._prepared[count] = [prepare(self.group, count, self.rng)]
        return True

    def prepare(self, count: int) -> Preparation:
        """Returns a preparation to shuffle that many cards: made ahead of time, or now."""
        stocked = self._prepared.get(count)
        return stocked.pop() if stocked else prepare(self.group, count, self.rng)

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
            case PayInKind() | Trade():
                handles = self.alike(play, [handle for handle, _ in move.cards], player.stack)
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
        """Puts these cards into the bag; returns the commitment."""
        self.bag = ClosedBag(play.state.round, tuple(sorted(handles)), self.rng(SALT_BYTES))
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
        return prove_statements(self.group, context, self.seat, statements, points, self.keys, self.rng)


_STORED: Final = Codec[tuple[bytes, ClosedBag | None, bytes, Keepsake]](tuple[bytes, ClosedBag | None, bytes, Keepsake])
"""Keys, the own closed bag, the own share of a coin, and what was seen."""
