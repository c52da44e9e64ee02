"""One player's node at the table, without a network: moves and bytes in, bytes and events out.

The session checks the own player's moves, answers what the rules demand of this seat without being asked, and keeps
what it writes in ``outbox``: store it, then send it.
"""

from collections import deque
from collections.abc import Collection
from typing import Final, assert_never

from p2p_sheriff.rules import (
    LoadBag,
    Move,
    NotAllowed,
    Refusal,
    Seat,
    State,
    View,
    apply,
    check_load,
    check_move,
    demands,
    may_time_out,
)
from p2p_sheriff.rules.deals import own_bribe
from p2p_sheriff.rules.demands import Around, Choice, Choose, Demand, Open, Prove, Rearrange, Show, ShowKinds
from p2p_sheriff.rules.facts import TimeUp
from p2p_sheriff.rules.law import full_hand
from p2p_sheriff.rules.moves import Accept, Load, Pass, Talk
from p2p_sheriff.session.acts import (
    FREE,
    Act,
    CallsTime,
    Departs,
    EndsTime,
    Free,
    Heeds,
    Introduces,
    Moves,
    Negotiates,
    Payload,
    Request,
    Rests,
    Says,
    Takes,
    Telling,
)
from p2p_sheriff.session.happenings import GameEvent, happening
from p2p_sheriff.session.negotiation import foreseen, open_acceptances, open_requests
from p2p_sheriff.session.passes import Mixing, Tossing
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.secrets import Secrets
from p2p_sheriff.session.terms import setup_of
from protocol.charter import Charter
from protocol.entry import SignedEntry
from protocol.errors import LocalError
from protocol.group import Group
from protocol.hashing import digest
from protocol.identity import Identity
from protocol.randomness import Rng
from protocol.table import Certified, Event, Folded, Spoken, Table, Turn, Undone
from protocol.zones import Statement

MOST_JOINED: Final = 16
"""With so many certificates a node joins no ballot by itself: of the 64 that a vote can name, some are left for people,
whoever calls for ballots again and again."""
MOST_AGAIN: Final = 16
"""So often a node votes for one set in one ballot: of the 64 votes that it has there, some are left to put those out
who try the same with ever higher tries, and never with each other's."""


class Session:
    """A seat in one game."""

    def __init__(self, charter: Charter, identity: Identity, group: Group, rng: Rng) -> None:
        """Sits down.

        Raises:
            LocalError: The identity has no seat in this game.
        """
        self.table = Table(charter, Play.begin(charter.game, setup_of(charter), group, rng), identity)
        if self.table.seat is None:
            raise LocalError("this identity has no seat in this game")
        self.seat = Seat(self.table.seat)
        self.secrets = Secrets(self.seat, group, rng, digest("hedge", identity.seed(), charter.game))
        self.outbox: list[bytes] = []
        """Entries written and not yet taken to be stored and sent."""
        self.events: list[GameEvent] = []
        """What happened and was not yet taken to be shown."""
        self._awaited: tuple[SignedEntry, ...] = ()
        """What all must have seen before a secret is given away: the last choice, and commitments to a coin."""
        self._replaced: deque[tuple[tuple[SignedEntry, ...], Play]] = deque()
        """Entries, or votes, that not all have seen yet, and the game before each: they may turn out to be void."""
        self._last = self.play
        self._heard: tuple[Play, int, Turn, Play] | None = None
        """The game, how many entries were here, and what ``_hear`` made of that."""
        self._wanted: frozenset[Seat] | None = None
        """Whom the own player wants to go on without; None if that was not asked."""

    @property
    def play(self) -> Play:
        """The public state, the same on every node."""
        return self.table.game

    # -- what the player sees

    def view(self) -> View:
        """Returns what this seat sees: with every offer that has arrived, also those that nobody acted on yet."""
        _, play = self._hear()
        return View(foreseen(play.state, play.negotiation), self.secrets.knowledge(self.play))

    def _hear(self) -> tuple[Turn, Play]:
        """Returns the turn that would be written now, and the game with all words that it would name."""
        play, here = self.play, len(self.table.transcript.delivered)
        if self._heard is None or self._heard[0] is not play or self._heard[1] != here:
            turn = self.table.turn()
            self._heard = play, here, turn, play.absorb(turn)
        return self._heard[2:]

    def choice(self) -> Choice | None:
        """Returns what the own player has to choose now, if anything."""
        if self.play.is_haggling and self.seat in self.play.state.officers[1:]:
            return Choice.ACT if self._may_request() else None
        if not self.table.may_write or self.play.passing is not None or not self._may_release():
            return None
        asked = (one for one in demands(self.play.state) if isinstance(one, Choose) and one.seat == self.seat)
        return next((one.choice for one in asked), None)

    def _may_request(self) -> bool:
        """Whether this deputy, who was drawn second, may say something new: nothing of theirs waits to be taken up."""
        waits = any(one.seat == self.seat for one in self._hear()[1].negotiation.requests)
        return not waits and self.table.is_settled and self.seat in self.table.seats

    # -- what the player does

    def submit(self, move: Move | LoadBag) -> None:
        """Makes a move.

        Raises:
            Refusal: The rules forbid it, or it is not true to the own hidden cards.
        """
        seen = self.view()
        if isinstance(move, LoadBag):
            check_load(seen, move.handles)
            self._need_turn()
            self._write(Moves(Load(self.seat, self.secrets.close_bag(self.play, move.handles))))
            return
        check_move(seen, move)
        apply(seen.state, move)
        if isinstance(move, Talk) or (isinstance(move, Request) and self.seat not in seen.state.officers[:1]):
            self._speak(Negotiates(_bound(seen.state, move)))
        else:
            self._need_turn()
            if self._hear()[1].must_end_time(self.seat):
                raise NotAllowed("12.2", "refusals.time_up", self.seat)
            self._write(Moves(self.secrets.disguise(self.play, move)))

    def say(self, text: str) -> None:
        """Says something to all.

        Raises:
            Refusal: Three quarters of what this seat may say are used up: the rest is for offers.
        """
        if self.table.is_scarce:
            raise Refusal("refusals.talked_out")
        self._speak(Says(text))

    def rest_case(self) -> None:
        """Says to all that the own player has nothing more to say about the own bag in this round."""
        self._speak(Rests(self.play.state.round))

    def call_time(self, number: int) -> None:
        """Says to all that by the own clock the time for this round's bags is up (rule 12.2), if any are left."""
        if number == self.play.state.round and may_time_out(self.play.state):
            self._speak(CallsTime(number))

    def introduce(self, style: str, patience: int) -> None:
        """Says to all that a bot plays here, of which style, and how many seconds it leaves a bag open as sheriff.

        Without a style: that none does any more.
        """
        self._speak(Introduces(style, patience))

    def depart(self) -> None:
        """Says to all that the own player leaves the game for good: they need not wait."""
        self._speak(Departs())

    # -- going on without somebody

    def vote(self, out: Collection[Seat]) -> None:
        """Votes to go on without these seats, or with all of them; joins such a ballot as long as nothing else is said.

        Raises:
            Refusal: This seat is out, or too few would stay.
        """
        if self.play.is_decided:
            raise Refusal("refusals.vote")
        if out and set(out).isdisjoint(self.table.staying):  # All of them are out already.
            return
        before, self._wanted = self._wanted, frozenset(out)
        if self._is_said():  # A second try of the same would bring a second certificate, and the two outbid each other.
            return
        try:
            self._cast()
        except Refusal:
            self._wanted = before
            raise

    def _cast(self) -> None:
        out = tuple(sorted(set(self._wanted or ()).intersection(self.table.staying)))
        if self.table.times_voted(out) >= MOST_AGAIN:
            raise Refusal("refusals.vote")
        try:
            self._send(self.table.vote(out))
        except LocalError as error:
            raise Refusal("refusals.vote") from error

    def _vote_along(self) -> bool:
        """Votes again if a ballot is open and the own last vote is not for what the player wants, as others try it."""
        table = self.table
        ballot = table.ballot
        if self.seat not in table.seats or not (ballot or table.is_bound):
            return False
        if self.play.is_decided:  # Nobody is voted out any more; but whom an own vote binds can't know the end,
            forked = table.transcript.history.past.forked  # nor who stands on another branch of an equivocator's.
            self._wanted = frozenset(Seat(one) for vote in ballot.values() for one in vote.out if one in forked) or None
            if table.may_write:  # First this one signs.
                return False
        mine = ballot.get(self.seat)
        if self._wanted is None and mine is not None:  # After a restart the own chain knows what was wanted.
            self._wanted = frozenset(map(Seat, mine.out))
        is_joined = any(vote.out == () for vote in ballot.values()) and len(table.best) < MOST_JOINED
        if self._wanted is None and not is_joined:
            return False  # The player is asked; that all go on together needs no question.
        if self._is_said():
            return False
        try:
            self._cast()
        except Refusal:  # By what has come meanwhile this seat is out, or has no vote left: it waits, or looks on.
            return False
        return True

    def _is_said(self) -> bool:
        """Whether the own last vote is for what the player wants, and can be of a complete ballot.

        It can't if somebody has voted for the same with a higher try alone. Who has done both has that ballot too: to
        follow them would make two certificates, which outbid each other.
        """
        table, out = self.table, tuple(sorted((self._wanted or frozenset()).intersection(self.table.staying)))
        mine = table.ballot.get(self.seat)
        if mine is None or mine.out != out:
            return False
        higher = {seat for seat, vote in table.ballot.items() if vote.out == out and vote.attempt > mine.attempt}
        return higher <= table.voters(mine)

    # -- what comes from others

    def receive(self, data: bytes) -> None:
        """Takes an entry from anywhere; call ``advance`` afterwards.

        Raises:
            VerificationError: It is no entry of this game.
        """
        self._note(self.table.receive(data))

    def advance(self) -> bool:
        """Does one duty of this seat, if there is one; returns whether it did."""
        if self._vote_along():
            return True
        if not self.table.may_write:
            return self._acknowledge()
        turn, play = self._hear()
        if play.must_end_time(self.seat):
            self._write(EndsTime())
            return True
        for accept in open_acceptances(play.state, play.negotiation):
            if accept.author == self.seat:
                self._write(Takes(accept.seat, accept.number))
                return True
        for request in open_requests(play.state, play.negotiation):
            self._write(Heeds(request))
            return True
        if not self._may_release():
            return self._acknowledge()
        act = self.secrets.answer(play, turn, 0)
        if act is None:
            return False
        self._write(act)
        return True

    def rest(self, *, drafts: bool = True) -> bool:
        """Does some work that nobody waits for, if there is any; returns whether it did.

        Args:
            drafts: Whether to do, for each card of the hand, what it would take to show it: more in all than is
                needed, but done while a player thinks. A bot does not think, and others may need its core.

        Raises:
            DefectError: What this node has written itself does not hold.
        """
        play = self.play
        state, passing = play.state, play.passing
        mixing = 0
        if isinstance(passing, Mixing):  # There, others' proofs come first.
            mixing = len(passing.cards) if passing.lists_of(self.seat) else 0
            if not passing.is_listed and passing.waiting[1:2] == (self.seat,):
                self.secrets.foresee(passing.cards)
            if not passing.is_listed and passing.owes_proof(self.seat) and self.secrets.has_listed:
                passing.prove(self.secrets, self.table.turn(later=len(passing.waiting)), 0)
                return True
        elif self.table.settle():
            return True
        counts = (mixing, full_hand(state), len(state[self.seat].stack) + 1)
        if any(self.secrets.stock(count) for count in counts) or self.secrets.stock_masks():
            return True
        return drafts and self.secrets.stock_drafts(play)

    # -- secrets are released only in answer to choices that all have seen

    def _releasers(self) -> tuple[Seat, ...]:
        """Returns the seats whose next entries give a secret away: a bag, kinds, or the last lock of a card."""
        if self.play.passing is not None:
            return self.play.passing.releasers
        return tuple(seat for one in demands(self.play.state) for seat in _gives_away(one))

    def _may_release(self) -> bool:
        """Whether the own next entry gives no secret away, or all have seen what it answers."""
        others = [seat for seat in self.play.state.seats if seat != self.seat]
        return self.seat not in self._releasers() or all(map(self._has_seen_all, others))

    @property
    def waits_for(self) -> tuple[Seat, ...]:
        """Whose entry the game goes on with: before a secret, of all who have not said that they have seen why.

        While bags wait, of which deputy: the second one's words go on with it, though the first writes them down.
        """
        if self.play.is_haggling:
            return self._hear()[1].hagglers
        awaited, unseen = self.table.awaited, {seat for seat in self.play.state.seats if not self._has_seen_all(seat)}
        held_up = {seat for seat in self._releasers() if seat in awaited and unseen - {seat}}
        return tuple(sorted({*map(Seat, awaited)} - held_up | (unseen if held_up else set())))

    def _acknowledge(self) -> bool:
        """Says that this seat has seen what somebody waits for all to see."""
        table = self.table
        awaited = table.unconfirmed or (self._awaited if self._releasers() else ())
        is_said = all(table.has_seen(self.seat, signed) for signed in awaited)
        if is_said or table.is_bound or self.seat not in table.seats:
            return False
        self._send(self.table.write(None, free=True))
        return True

    def _has_seen_all(self, seat: Seat) -> bool:
        return all(self.table.has_seen(seat, signed) for signed in self._awaited)

    # -- writing

    def _need_turn(self) -> None:
        if not self.table.may_write:
            raise NotAllowed("3.1", "refusals.turn", self.seat)
        if not self._may_release():
            raise NotAllowed("3.1", "refusals.wait", self.seat)

    def _write(self, first: Act) -> None:
        """Writes an entry: this act and, where it is one of words, what this seat alone has to say after it."""
        turn, play = self._hear()
        acts, statements = [first], list[Statement]()
        if isinstance(first, Telling):
            play = play.after(turn, first, 0, statements)
            while act := self._next_word(play, turn, len(acts)):
                play = play.after(turn, act, len(acts), statements)
                acts.append(act)
        proof = self.secrets.prove(self.play, turn, len(acts), statements)
        self._send(self.table.write(Payload(tuple(acts), proof).to_value()))

    def _next_word(self, play: Play, turn: Turn, index: int) -> Act | None:
        """Returns what else this seat has to say about its cards before anybody else does anything."""
        if play.passing is not None or play.expected() != (self.seat,) or not play.state.todo:
            return None
        demand = play.demand_to(self.seat)
        return self.secrets.answer(play, turn, index) if isinstance(demand, Show | ShowKinds | Prove) else None

    def _speak(self, free: Free) -> None:
        try:
            self._send(self.table.write(FREE.write(free), free=True))
        except LocalError as error:
            raise Refusal("refusals.talked_out") from error

    def _send(self, written: tuple[bytes, list[Event]]) -> None:
        data, events = written
        self.outbox.append(data)
        self._note(events)

    def _note(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Certified):
                self._go_on(event)
            elif isinstance(event, Undone):  # Nobody will ever say that they have seen what is void.
                for _ in range(min(event.steps, len(self._replaced))):
                    _, self._last = self._replaced.pop()
            elif isinstance(event, Folded) and isinstance(event.game, Play):
                self._replaced.append(((event.signed,), self._last))
                self._last = event.game
                if any(isinstance(change.item, Move | TimeUp) for change in event.game.changes):
                    self._awaited = (event.signed,)
                elif isinstance(event.game.passing, Tossing) and not event.game.passing.shares:
                    self._awaited = (*self._awaited, event.signed)
                self.secrets.remember(event.game)
        self.events += map(happening, events)
        if any(isinstance(event, Folded) and event.signed.entry.author == self.seat for event in events):
            self._let_go()
        if not all(isinstance(event, Spoken) for event in events):  # Words change no card.
            self.forget()

    def _go_on(self, agreed: Certified) -> None:
        """Takes note of a certificate. Who names its votes has seen every choice before them: none is awaited."""
        votes = tuple(self.table.transcript.history[link] for link in agreed.certificate.votes)
        self._replaced.append((votes, self._last))
        self._last, self._awaited = self.play, ()
        if self.seat not in self.table.seats:
            self._replaced.clear()
        self._wanted = (self._wanted or frozenset()).intersection(map(Seat, self.table.seats)) or None
        self.secrets.remember(self.play)

    def _let_go(self) -> None:
        """Lets go of what was replaced by entries that all have seen: if somebody has forked, others may be void.

        It is done with own entries, for the secrets are stored with these.
        """
        others = [seat for seat in self.play.state.seats if seat != self.seat]
        while self._replaced and all(
            self.table.has_seen(seat, signed) for signed in self._replaced[0][0] for seat in others
        ):
            self._replaced.popleft()

    def forget(self) -> None:
        """Drops the secrets that this seat needs no more."""
        if self.is_spoiled or not self.table.has_written:  # Else its keys are not yet to be seen in the game.
            self.secrets.forget(self.play, [play for _, play in self._replaced], spoiled=self.is_spoiled)

    @property
    def is_spoiled(self) -> bool:
        """Whether the deck that is being made can't be finished, because somebody has cheated."""
        return self.table.is_stuck and self.play.passing is not None and self.play.passing.is_attempt


def _bound(state: State, move: Talk | Request) -> Talk | Request:
    """Returns, for the pass of a bag, the acceptance of the very bribe that it takes, or that it is for nothing.

    It is not done before the first deputy takes it up: till then another offer may stand.
    """
    if not isinstance(move, Pass) or move.for_nothing:
        return move
    bribe = own_bribe(state, move.bag)
    return Accept(move.seat, *bribe.name) if bribe else Pass(move.seat, move.bag, for_nothing=True)


def _gives_away(demand: Demand) -> tuple[Seat, ...]:
    """Returns whose answer shows hidden cards, or which they are: a duty, or a choice that is made with them."""
    match demand:
        case Open(seat) | Show(seat) | ShowKinds(seat) | Prove(seat):
            return (seat,)
        case Choose(seat, Choice.PAY_IN_KIND | Choice.TRADE | Choice.FILL_ORDERS | Choice.LAY_OUT | Choice.DISCARD):
            return (seat,)
        case Choose() | Rearrange() | Around():
            return ()
        case _:
            assert_never(demand)
