"""The public side of a game at the trustless table: the rules' state and the locked cards, folded entry by entry.

Every node holds the same ``Play``. It checks what entries claim, turns what is proved into the facts that the rules
demand, and says whose entry comes next. It holds no secret.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from p2p_sheriff.rules import (
    Choose,
    Claim,
    Demand,
    Handle,
    Input,
    NotAllowed,
    Phase,
    Refusal,
    Seat,
    Setup,
    State,
    Zone,
    apply,
    claims,
    demands,
    new_game,
)
from p2p_sheriff.rules.demands import Draw, Give, Open, Prove, Rearrange, Reshuffle, Show, ShowKinds, Shuffle, Toss
from p2p_sheriff.rules.facts import Coin, Drawn, Given, Opened, Proved, Rearranged, Reshuffled, Shown, Shuffled
from p2p_sheriff.rules.moves import Accept, Offer, Withdraw
from p2p_sheriff.session.acts import (
    Act,
    Commits,
    Locks,
    Moves,
    Opens,
    Payload,
    Proves,
    Rearranges,
    Reveals,
    Seals,
    Shows,
    Shuffles,
    Strips,
    Takes,
)
from p2p_sheriff.session.labels import DECK, labels_of
from p2p_sheriff.session.negotiation import Negotiation, hear_all, refuse_ignored_acceptance, take_up
from p2p_sheriff.session.passes import (
    Committing,
    Dealing,
    Gathering,
    Giving,
    Mixing,
    Passing,
    Revealing,
    expected,
    to_strip,
)
from p2p_sheriff.session.result import result_digest
from p2p_sheriff.texts import refusal_sentence
from protocol.codec import Value
from protocol.coin import toss, verify_share
from protocol.commitment import COMMITMENT_BYTES, verify_opening
from protocol.deck import Card, verify_lock, verify_shuffle, verify_strip
from protocol.errors import MalformedError
from protocol.group import Group
from protocol.randomness import Rng
from protocol.table import ForbiddenError, Turn
from protocol.zones import Statement, verify_rearrangement, verify_statements


@dataclass(frozen=True, slots=True)
class Play:
    """The public state of a game: a function of the entries folded into it."""

    game: bytes
    state: State
    group: Group = field(compare=False, repr=False)
    rng: Rng = field(compare=False, repr=False)
    """The verifier's own randomness."""
    cards: Mapping[Handle, Card] = field(default_factory=dict)
    """Every card that has a handle."""
    deck: tuple[Card, ...] = ()
    """Undrawn cards, the top first."""
    missing: tuple[Card, ...] = ()
    """Cards that stay in the box unseen (rule 12.3)."""
    generation: int = 0
    """How often the deck was made."""
    passing: Passing | None = None
    negotiation: Negotiation = field(default_factory=Negotiation)
    sealed: tuple[Seat, ...] = ()
    """Who has signed the result."""
    inputs: tuple[Input, ...] = ()
    """What the last entry has put into the rules, in order."""

    @classmethod
    def begin(cls, game: bytes, setup: Setup, group: Group, rng: Rng) -> "Play":
        """Returns the game before its first entry."""
        return cls(game, new_game(setup), group, rng)._settled()

    # -- whose turn it is

    def expected(self) -> tuple[int, ...]:
        """Returns the seats that must write now."""
        if self.state.phase is Phase.OVER:
            return tuple(seat for seat in self.state.seats if seat not in self.sealed)
        if self.passing is not None:
            return expected(self.passing)
        return tuple(dict.fromkeys(seat for demand in demands(self.state) for seat in demand.by))

    @property
    def is_over(self) -> bool:
        """Whether the result is signed by all."""
        return not self.expected()

    # -- folding

    def fold(self, turn: Turn) -> "Play":
        """Returns the game after an entry.

        Raises:
            VerificationError: The entry does not hold.
        """
        payload = Payload.from_value(turn.entry.payload)
        play, statements = replace(self, inputs=()).absorb(turn), list[Statement]()
        for index, act in enumerate(payload.acts):
            if index and play.expected() != (turn.entry.author,):
                raise ForbiddenError("an entry goes on only while everything waits for its author alone")
            play = play.after(turn, act, index, statements)
        if statements:
            context = turn.context(DECK, self.generation, "claim", len(payload.acts))
            verify_statements(self.group, context, turn.entry.author, statements, payload.proof, self.rng)
        elif payload.proof:
            raise MalformedError("a proof of nothing")
        return play

    def absorb(self, turn: Turn) -> "Play":
        """Returns the game with the offers, withdrawals and acceptances that the turn's author had seen."""
        heard = hear_all(self.state, self.negotiation, turn)
        return replace(self, state=heard.state, negotiation=heard.negotiation, inputs=(*self.inputs, *heard.inputs))

    def after(self, turn: Turn, act: Act, index: int, statements: list[Statement]) -> "Play":
        """Returns the game after one act of an entry; what it claims about hidden cards is added to ``statements``."""
        author = Seat(turn.entry.author)
        if author not in self.expected():
            raise ForbiddenError(f"seat {author} is not asked for anything now")
        return self._after(turn, author, act, index, statements)._settled()

    def _after(self, turn: Turn, author: Seat, act: Act, index: int, statements: list[Statement]) -> "Play":
        match self.passing, act:
            case None, _:
                return self._answer(turn, author, act, index, statements)
            case Mixing(cards, waiting), Shuffles(change):
                context = turn.context(DECK, self.generation, "shuffle", index)
                cards = verify_shuffle(self.group, context, author, cards, change, self.rng)
                return self._on(Mixing(cards, waiting[1:]))
            case Gathering(cards, waiting), Locks(change):
                context = turn.context(DECK, self.generation, "gather", index)
                return self._on(Gathering(verify_lock(self.group, context, author, cards, change), waiting[1:]))
            case Dealing(cards, receivers, waiting) as dealing, Strips(change):
                places = to_strip(dealing, author)
                context = turn.context(DECK, self.generation, "deal", index)
                stripped = verify_strip(self.group, context, author, [cards[place] for place in places], change)
                now = dict(zip(places, stripped, strict=True))
                cards = tuple(now.get(place, card) for place, card in enumerate(cards))
                return self._on(Dealing(cards, receivers, waiting[1:]))
            case Committing(commitments, waiting), Commits(commitment):
                if len(commitment) != COMMITMENT_BYTES:
                    raise MalformedError("a commitment has 32 bytes")
                return self._on(Committing((*commitments, (author, commitment)), _without(waiting, author)))
            case Revealing(commitments, shares, waiting), Reveals(share):
                verify_share(dict(commitments)[author], self.coin_context(), author, share)
                return self._on(Revealing(commitments, (*shares, share), _without(waiting, author)))
            case Giving(handles, cards, waiting), Locks(change) if len(waiting) > 1:
                context = turn.context(DECK, self.generation, "take", index, handles)
                return self._on(Giving(handles, verify_lock(self.group, context, author, cards, change), waiting[1:]))
            case Giving(handles, cards, waiting), Strips(change) if len(waiting) == 1:
                context = turn.context(DECK, self.generation, "give", index, handles)
                return self._on(Giving(handles, verify_strip(self.group, context, author, cards, change), ()))
            case _:
                raise ForbiddenError(f"seat {author} is asked for something else")

    def _answer(self, turn: Turn, author: Seat, act: Act, index: int, statements: list[Statement]) -> "Play":
        if isinstance(act, Seals):
            return self._seal(author, act)
        if self.state.phase is Phase.OVER:
            raise ForbiddenError(f"seat {author} is asked to sign the result, and for nothing else")
        demand = self.demand_to(author)
        match demand, act:
            case Choose(), Moves(move):
                if move.seat != author:
                    raise ForbiddenError("a player makes the own moves only")
                if isinstance(move, Offer | Withdraw):
                    raise ForbiddenError("offers and withdrawals are words, which take no step")
                refuse_ignored_acceptance(self.state, self.negotiation, move)
                return self._claim(author, claims(move), statements)._apply(move)
            case Choose(), Takes(merchant, number):
                accept = Accept(merchant, author, number)
                return replace(self, negotiation=take_up(self.negotiation, accept))._apply(accept)
            case Rearrange(_, zone, _), Rearranges(rearrangement):
                handles = self.zone(author, zone)
                context = turn.context(DECK, self.generation, "rearrange", index, handles)
                cards = [self.cards[handle] for handle in handles]
                new = verify_rearrangement(self.group, context, author, cards, rearrangement, self.rng)
                play, fresh = self._renewed(handles, new)
                return play._apply(Rearranged(author, zone, fresh))
            case Open(), Opens(handles, salt):
                bag = self.state.bag_of(author)
                verify_opening(bag.commitment, self.bag_context(author), tuple(handles), salt)
                return self._apply(Opened(author, handles))
            case Show() | ShowKinds(), Shows(cards):
                return self._claim(author, cards, statements)._apply(Shown(author, cards))
            case Prove(_, handles, kinds), Proves():
                among = labels_of(self.group, self.state.setup).among(kinds)
                statements += [Statement(self._card_of(author, handle), among) for handle in handles]
                return self._apply(Proved(author, handles, kinds))
            case _:
                raise ForbiddenError(f"seat {author} is asked for something else")

    def demand_to(self, seat: Seat) -> Demand:
        """Returns what is demanded of a seat that is expected, outside a pass."""
        return next(demand for demand in demands(self.state) if seat in demand.by)

    # -- passes

    def _settled(self) -> "Play":
        """Returns the game with the pass begun that its first demand asks for, if it does."""
        if self.passing is not None or self.state.phase is Phase.OVER:
            return self
        asked = demands(self.state)
        match asked[0]:
            case Shuffle():
                points = labels_of(self.group, self.state.setup).points
                return replace(self, passing=Mixing(tuple(map(Card, points)), self.state.seats))
            case Reshuffle(handles):
                cards = tuple(self.cards[handle] for handle in handles)
                return replace(self, passing=Gathering(cards, self.state.seats), generation=self.generation + 1)
            case Draw():
                draws = [demand for demand in asked if isinstance(demand, Draw)]
                receivers = tuple(draw.seat for draw in draws for _ in range(draw.count))
                dealing = Dealing(self.deck[: len(receivers)], receivers, ())
                around = self.state.clockwise_after(receivers[0])
                waiting = tuple(seat for seat in around if to_strip(dealing, seat))
                return replace(self, passing=replace(dealing, waiting=waiting), deck=self.deck[len(receivers) :])
            case Toss():
                return replace(self, passing=Committing((), self.state.seats))
            case Give(handles=handles) as give:
                cards = tuple(self.cards[handle] for handle in handles)
                return replace(self, passing=Giving(handles, cards, give.by))
            case _:
                return self

    def _on(self, passing: Passing) -> "Play":
        """Returns the game with the pass as it is now: going on, or completed into the fact that was demanded."""
        if passing.waiting:
            return replace(self, passing=passing)
        play, demand = replace(self, passing=None), demands(self.state)[0]
        match passing, demand:
            case Mixing(cards, _), Shuffle():
                kept = len(cards) - self.state.setup.missing
                play = replace(play, deck=cards[:kept], missing=cards[kept:])
                return play._apply(Shuffled(len(cards)))
            case Mixing(cards, _), Reshuffle(handles):
                return play._reshuffled(handles, cards)
            case Gathering(cards, _), Reshuffle(handles):
                if len(cards) > 1:
                    return replace(self, passing=Mixing(cards, self.state.seats))
                return play._reshuffled(handles, cards)
            case Dealing(cards, receivers, _), _:
                return play._dealt(cards, receivers)
            case Committing(commitments, _), _:
                return replace(self, passing=Revealing(commitments, (), self.state.seats))
            case Revealing(_, shares, _), Toss(purpose, sides):
                return play._apply(Coin(purpose, toss(self.coin_context(), shares, sides)))
            case Giving(handles, cards, _), Give() as give:
                play, fresh = play._renewed(handles, cards)
                return play._apply(Given(give.giver, give.receiver, tuple(zip(handles, fresh, strict=True))))
            case _:
                raise AssertionError("a pass answers the demand that began it")

    def _dealt(self, cards: Sequence[Card], receivers: Sequence[Seat]) -> "Play":
        play, place = self, 0
        while place < len(cards):
            draw = demands(play.state)[0]
            assert isinstance(draw, Draw) and draw.seat == receivers[place]  # noqa: S101, PT018 - as begun.
            play, fresh = play._renewed((), cards[place : place + draw.count])
            play = play._apply(Drawn(draw.seat, fresh))
            place += draw.count
        return play

    def _reshuffled(self, handles: Sequence[Handle], cards: tuple[Card, ...]) -> "Play":
        play, _ = self._renewed(handles, ())
        return replace(play, deck=cards)._apply(Reshuffled(len(cards)))

    # -- cards

    def zone(self, seat: Seat, zone: Zone) -> tuple[Handle, ...]:
        """Returns the hidden cards of a hand or a stack."""
        return self.state[seat].hand if zone is Zone.HAND else self.state[seat].stack

    def _card_of(self, seat: Seat, handle: Handle) -> Card:
        card = self.cards.get(handle)
        if card is None or card.key_of(seat) is None or len(card.locks) != 1:
            raise ForbiddenError(f"card {handle} is not under the lock of seat {seat} alone")
        return card

    def _claim(self, seat: Seat, cards: Sequence[Claim], statements: list[Statement]) -> "Play":
        labels = labels_of(self.group, self.state.setup)
        for handle, kind in cards:
            among = labels.among((kind,))
            if not among:
                raise ForbiddenError(f"there is no {kind} in the deck")
            statements.append(Statement(self._card_of(seat, handle), among))
        return self

    def _renewed(self, old: Sequence[Handle], new: Sequence[Card]) -> tuple["Play", tuple[Handle, ...]]:
        """Returns the game without the old handles, with fresh ones for the new cards."""
        first = self.state.next_handle
        fresh = tuple(Handle(first + i) for i in range(len(new)))
        gone = frozenset(old)
        cards = {handle: card for handle, card in self.cards.items() if handle not in gone}
        cards.update(zip(fresh, new, strict=True))
        return replace(self, cards=cards), fresh

    # -- contexts of commitments

    def bag_context(self, seat: Seat) -> tuple[Value, ...]:
        """Returns where a bag's commitment belongs."""
        return ("bag", self.game, self.state.round, seat)

    def coin_context(self) -> tuple[Value, ...]:
        """Returns where the shares of the coin that is being tossed belong."""
        demand = demands(self.state)[0]
        assert isinstance(demand, Toss)  # noqa: S101 - asked only while a coin is tossed.
        return (self.game, self.state.round, demand.purpose.value)

    # -- small things

    def _apply(self, item: Input) -> "Play":
        try:
            return replace(self, state=apply(self.state, item), inputs=(*self.inputs, item))
        except Refusal as refusal:
            rule = f"rule {refusal.rule}, seat {refusal.seat}: " if isinstance(refusal, NotAllowed) else ""
            raise ForbiddenError(rule + refusal_sentence(refusal)) from refusal

    def _seal(self, author: Seat, act: Seals) -> "Play":
        if self.state.phase is not Phase.OVER or act.result != result_digest(self.game, self.state):
            raise ForbiddenError("this is not the result of the game")
        return replace(self, sealed=(*self.sealed, author))


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(one for one in seats if one != seat)
