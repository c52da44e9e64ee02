"""The public side of a game at the trustless table: the rules' state and the locked cards, folded entry by entry.

Every node holds the same ``Play``. It checks what entries claim, turns what is proved into the facts that the rules
demand, and says whose entry comes next. It holds no secret.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from p2p_sheriff.rules import Claim, NotAllowed, Phase, Refusal, Seat, Setup, demands, new_game
from p2p_sheriff.rules.demands import Choose, Demand, Open, Prove, Rearrange, Show, ShowKinds
from p2p_sheriff.rules.facts import Input, Opened, Proved, Rearranged, Shown, claims
from p2p_sheriff.rules.moves import Accept, Offer, Withdraw
from p2p_sheriff.session.acts import Act, Moves, Opens, Payload, Proves, Rearranges, Seals, Shows, Takes
from p2p_sheriff.session.board import Board
from p2p_sheriff.session.labels import labels_of
from p2p_sheriff.session.negotiation import Negotiation, hear_all, refuse_ignored_acceptance, take_up
from p2p_sheriff.session.passes import Passing, begin
from p2p_sheriff.session.result import result_digest
from p2p_sheriff.texts import refusal_sentence
from protocol.codec import Value
from protocol.commitment import verify_opening
from protocol.errors import DefectError, MalformedError
from protocol.group import Group
from protocol.randomness import Rng
from protocol.table import ForbiddenError, Turn
from protocol.zones import Statement, verify_rearrangement, verify_statements


@dataclass(frozen=True, slots=True)
class Play(Board):
    """The public state of a game: a function of the entries folded into it."""

    passing: Passing | None = None
    negotiation: Negotiation = field(default_factory=Negotiation)
    sealed: tuple[Seat, ...] = ()
    """Who has signed the result."""

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
            return self.passing.expected
        return tuple(dict.fromkeys(seat for demand in demands(self.state) for seat in demand.by))

    @property
    def is_over(self) -> bool:
        """Whether the game is over and its result signed by all: never because nobody is expected just now."""
        return self.state.phase is Phase.OVER and not self.expected()

    # -- folding

    def fold(self, turn: Turn) -> "Play":
        """Returns the game after an entry.

        Raises:
            VerificationError: The entry does not hold.
        """
        payload = Payload.from_value(turn.entry.payload)
        play, statements = replace(self, changes=()).absorb(turn), list[Statement]()
        for index, act in enumerate(payload.acts):
            if index and play.expected() != (turn.entry.author,):
                raise ForbiddenError("an entry goes on only while everything waits for its author alone")
            play = play.after(turn, act, index, statements)
        if statements:
            context = self.claiming(turn, len(payload.acts))
            verify_statements(self.group, context, turn.entry.author, statements, payload.proof, self.rng)
        elif payload.proof:
            raise MalformedError("a proof of nothing")
        return play

    def absorb(self, turn: Turn) -> "Play":
        """Returns the game with the offers, withdrawals and acceptances that the turn's author had seen."""
        heard = hear_all(self.state, self.negotiation, turn)
        return replace(self, state=heard.state, negotiation=heard.negotiation, changes=(*self.changes, *heard.changes))

    def after(self, turn: Turn, act: Act, index: int, statements: list[Statement]) -> "Play":
        """Returns the game after one act of an entry; what it claims about hidden cards is added to ``statements``.

        Raises:
            VerificationError: It does not hold.
            DefectError: The author is not expected, whose entry should not have come so far.
        """
        author = Seat(turn.entry.author)
        if author not in self.expected():
            raise DefectError("nothing has asked for this entry")
        if self.passing is None:
            return self._answer(turn, author, act, index, statements)._settled()
        passing = self.passing.after(self, turn, act, index)
        if passing.waiting:
            return replace(self, passing=passing)
        return passing.completed(replace(self, passing=None))._settled()

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
                return self._claim(author, claims(move), statements)._take(move)
            case Choose(), Takes(merchant, number):
                accept = Accept(merchant, author, number)
                return replace(self, negotiation=take_up(self.negotiation, accept))._take(accept)
            case Rearrange(_, zone, _), Rearranges(rearrangement):
                context, cards = self.rearranging(turn, index, author, zone)
                new = verify_rearrangement(self.group, context, author, cards, rearrangement, self.rng)
                play, fresh = self.renewed(self.state.hidden_in(author, zone), new)
                return play.record(Rearranged(author, zone, fresh))
            case Open(), Opens(handles, salt):
                bag = self.state.bag_of(author)
                verify_opening(bag.commitment, self.bag_context(author), tuple(handles), salt)
                return self._take(Opened(author, handles))
            case Show(_, handles) | ShowKinds(_, handles), Shows(cards):
                self.held(author, handles)
                return self._claim(author, cards, statements)._take(Shown(author, cards))
            case Prove(_, handles, kinds), Proves():
                among = labels_of(self.group, self.state.setup).among(kinds)
                statements += [Statement(card, among) for card in self.held(author, handles)]
                return self.record(Proved(author, handles, kinds))
            case _:
                raise ForbiddenError(f"seat {author} is asked for something else")

    def demand_to(self, seat: Seat) -> Demand:
        """Returns what is demanded of a seat that is expected, outside a pass."""
        return next(demand for demand in demands(self.state) if seat in demand.by)

    def _settled(self) -> "Play":
        """Returns the game with the pass begun that its first demand asks for, if it does."""
        passing = None if self.state.phase is Phase.OVER else begin(self)
        return self if passing is None else replace(passing.begun(self), passing=passing)

    # -- what an author says of the own cards

    def _claim(self, seat: Seat, cards: Sequence[Claim], statements: list[Statement]) -> "Play":
        labels = labels_of(self.group, self.state.setup)
        for handle, kind in cards:
            among, card = labels.among((kind,)), self.cards.get(handle)
            if not among:
                raise ForbiddenError(f"there is no {kind} in the deck")
            if card is None or not card.is_held_by(seat):
                raise ForbiddenError(f"card {handle} is not under the lock of seat {seat} alone")
            statements.append(Statement(card, among))
        return self

    def bag_context(self, seat: Seat) -> tuple[Value, ...]:
        """Returns where a bag's commitment belongs."""
        return ("bag", self.game, self.state.round, seat)

    def _take(self, item: Input) -> "Play":
        """Returns the game after what the author of an entry has said."""
        try:
            return self.put(item)
        except Refusal as refusal:
            rule = f"rule {refusal.rule}, seat {refusal.seat}: " if isinstance(refusal, NotAllowed) else ""
            raise ForbiddenError(rule + refusal_sentence(refusal)) from refusal

    def _seal(self, author: Seat, act: Seals) -> "Play":
        if self.state.phase is not Phase.OVER or act.result != result_digest(self.game, self.state):
            raise ForbiddenError("this is not the result of the game")
        return replace(self, sealed=(*self.sealed, author))
