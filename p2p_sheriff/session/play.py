"""The public side of a game at the trustless table: the rules' state and the locked cards, folded entry by entry.

Every node holds the same ``Play``. It checks what entries claim, turns what is proved into the facts that the rules
demand, and says whose entry comes next. It holds no secret.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from p2p_sheriff.rules import Claim, NotAllowed, Phase, Refusal, Seat, Setup, demands, new_game
from p2p_sheriff.rules.deals import find_offer
from p2p_sheriff.rules.demands import Choice, Choose, Demand, Open, Prove, Rearrange, Show, ShowKinds
from p2p_sheriff.rules.facts import Input, Left, Opened, Proved, Rearranged, Shown, TimeUp, claims
from p2p_sheriff.rules.inspection import owing
from p2p_sheriff.rules.moves import Accept, Load, Talk
from p2p_sheriff.session.acts import (
    Act,
    EndsTime,
    Heeds,
    Moves,
    Opens,
    Payload,
    Proves,
    Rearranges,
    Seals,
    Shows,
    Takes,
)
from p2p_sheriff.session.board import Board, Deck
from p2p_sheriff.session.labels import labels_of
from p2p_sheriff.session.negotiation import (
    Negotiation,
    check_words,
    hear_all,
    heed,
    is_time_up,
    open_acceptances,
    open_requests,
    refuse_ignored_acceptance,
    take_up,
    taken_up,
)
from p2p_sheriff.session.passes import Passing, begin
from p2p_sheriff.session.result import result_digest
from p2p_sheriff.texts import refusal_sentence
from protocol.codec import Value
from protocol.commitment import COMMITMENT_BYTES, verify_opening
from protocol.entry import Entry
from protocol.errors import DefectError, MalformedError
from protocol.group import Group
from protocol.randomness import Rng
from protocol.table import ForbiddenError, Turn
from protocol.zones import Statement, read_rearrangement, verify_statements


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
        decks = {name: Deck(name) for name in labels_of(group, setup).decks}
        return cls(game, new_game(setup), group, rng, decks=decks)._settled()

    # -- whose turn it is

    def expected(self) -> tuple[int, ...]:
        """Returns the seats that must write now."""
        if self.state.phase is Phase.OVER:
            return tuple(seat for seat in self.state.seats if seat not in self.sealed)
        if self.passing is not None:
            return self.passing.expected
        if self.is_haggling:
            return self.state.officers[:1]
        return tuple(dict.fromkeys(seat for demand in demands(self.state) for seat in demand.by))

    @property
    def is_haggling(self) -> bool:
        """Whether bags wait for the sheriff, or for deputies, of whom the first-drawn one writes it down (10.4)."""
        waits = self.passing is None and self.state.phase is Phase.INSPECT
        return waits and any(isinstance(one, Choose) and one.choice is Choice.ACT for one in demands(self.state))

    @property
    def hagglers(self) -> tuple[Seat, ...]:
        """Which officers the bags wait for: whose word is missing, or the sequencer, who has to write one down."""
        said = self.state, self.negotiation
        is_to_write = open_requests(*said) or open_acceptances(*said) or is_time_up(*said)
        return self.state.officers[:1] if is_to_write else owing(self.state)

    @property
    def is_decided(self) -> bool:
        """Whether the rules have a result: signatures confirm it, and change nothing."""
        return self.state.phase is Phase.OVER

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
        payload = turn.entry.said(Payload.from_value)
        play, statements = self.absorb(turn), list[Statement]()
        for index, act in enumerate(payload.acts):
            if index and play.expected() != (turn.entry.author,):
                raise ForbiddenError("an entry goes on only while everything waits for its author alone")
            play = play.after(turn, act, index, statements)
        if statements:
            context, author, proof = self.claiming(turn, len(payload.acts)), turn.entry.author, payload.proof
            turn.check(lambda: verify_statements(self.group, context, author, statements, proof, self.rng))
        elif payload.proof:
            raise MalformedError("a proof of nothing")
        return play

    def left(self, seats: tuple[int, ...]) -> "Play":
        """Returns the game after these seats are out, all at once (in seat order): what was going around is undone.

        A game that is decided stays as it is. Until a pass is completed no card is anybody else's than before it, so
        the cards need no undoing; and what was begun is demanded again, of those who remain.
        """
        if self.is_decided or not seats:
            return replace(self, changes=())
        gone = tuple(map(Seat, seats))
        play = replace(self, changes=(), passing=None, negotiation=self.negotiation.without(gone, self.state))
        return play.record(Left(gone)).without_lost()._settled()

    def check_words(self, entry: Entry) -> None:
        """Returns if a free entry says something that its author may say.

        Raises:
            VerificationError: It does not.
        """
        check_words(self.state.setup, entry)

    def absorb(self, turn: Turn) -> "Play":
        """Returns the game with the offers, withdrawals and acceptances that the turn's author had seen."""
        heard = hear_all(self.state, self.negotiation, turn)
        if heard.state is self.state and heard.negotiation is self.negotiation and not self.changes:
            return self
        return replace(self, state=heard.state, negotiation=heard.negotiation, changes=heard.changes)

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
        if self.must_end_time(author) is not isinstance(act, EndsTime):
            raise ForbiddenError("the time for the bags is up when more than half have called it, and not before")
        match demand, act:
            case Choose(), EndsTime():
                return self._take(TimeUp(self.state.round, self.state.phase))
            case Choose(), Moves(move):
                if move.seat != author:
                    raise ForbiddenError("a player makes the own moves only")
                if isinstance(move, Talk):
                    raise ForbiddenError("offers, withdrawals and refusals are words, which take no step")
                if isinstance(move, Load) and len(move.commitment) != COMMITMENT_BYTES:
                    raise MalformedError(f"a commitment has {COMMITMENT_BYTES} bytes")
                refuse_ignored_acceptance(self.state, self.negotiation, move)
                return self._claim(author, claims(move), statements)._take(move)
            case Choose(), Takes(merchant, number):
                accept = Accept(merchant, author, number)
                play = replace(self, negotiation=take_up(self.negotiation, accept))
                for one in taken_up(self.state, self.negotiation, accept):
                    play = play._take(one)
                if find_offer(play.state, author, number) is not None:
                    raise ForbiddenError(f"not all whose word it needs have accepted offer {number}")
                return play
            case Choose(), Heeds(request):
                return replace(self, negotiation=heed(self.negotiation, request))._take(request)
            case Rearrange(_, zone, _), Rearranges(rearrangement):
                context, cards = self.rearranging(turn, index, author, zone)
                new, check = read_rearrangement(self.group, context, author, cards, rearrangement, self.rng)
                turn.check(check)
                play, fresh = self.renewed(self.state.hidden_in(author, zone), new)
                return play.record(Rearranged(author, zone, fresh))
            case Open(), Opens(handles, salt):
                if tuple(sorted(set(handles))) != handles:
                    raise MalformedError("the cards of a bag are named in ascending order, each once")
                bag = self.state.bag_of(author)
                verify_opening(bag.commitment, self.bag_context(author), handles, salt)
                return self._take(Opened(author, handles))
            case Show(_, handles) | ShowKinds(_, handles), Shows(cards):
                self.held(author, handles)
                return self._claim(author, cards, statements)._take(Shown(author, cards))
            case Prove(_, handles, kinds), Proves():
                among = self.labels.among(kinds)
                statements += [Statement(card, among) for card in self.held(author, handles)]
                return self.record(Proved(author, handles, kinds))
            case _:
                raise ForbiddenError(f"seat {author} is asked for something else")

    def demand_to(self, seat: Seat) -> Demand:
        """Returns what is demanded of a seat that is expected, outside a pass."""
        if self.is_haggling:
            return Choose(seat, Choice.ACT)
        return next(demand for demand in demands(self.state) if seat in demand.by)

    def must_end_time(self, seat: Seat) -> bool:
        """Whether a seat that would deal with the bags has nothing left to do but say that the time is up (12.2)."""
        is_next = self.is_haggling and seat in self.state.officers[:1]
        return is_next and is_time_up(self.state, self.negotiation)

    def _settled(self) -> "Play":
        """Returns the game with the pass begun that its first demand asks for, if it does."""
        passing = None if self.state.phase is Phase.OVER else begin(self)
        if passing is None:
            return self
        play = passing.begun(self)
        return replace(play, passing=passing) if passing.waiting else passing.completed(play)._settled()

    # -- what an author says of the own cards

    def _claim(self, seat: Seat, cards: Sequence[Claim], statements: list[Statement]) -> "Play":
        for handle, kind in cards:
            among, card = self.labels.among((kind,)), self.cards.get(handle)
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
