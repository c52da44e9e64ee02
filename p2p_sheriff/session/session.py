"""One player's node at the table, without a network: moves and bytes in, bytes and events out.

The session checks the own player's moves, answers what the rules demand of this seat without being asked, and keeps
what it writes in ``outbox``: store it, then send it.
"""

from typing import assert_never

from p2p_sheriff.rules import LoadBag, Move, NotAllowed, Seat, View, apply, check_load, check_move, demands
from p2p_sheriff.rules.demands import Around, Choice, Choose, Demand, Open, Prove, Rearrange, Show, ShowKinds
from p2p_sheriff.rules.law import full_hand
from p2p_sheriff.rules.moves import Accept, Load, Offer, Withdraw
from p2p_sheriff.session.acts import FREE, Act, Free, Moves, Negotiates, Payload, Says, Sees, Takes, Telling
from p2p_sheriff.session.happenings import GameEvent, happening
from p2p_sheriff.session.negotiation import foreseen, open_acceptances
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.secrets import Secrets
from p2p_sheriff.session.terms import setup_of
from protocol.charter import Charter
from protocol.entry import SignedEntry
from protocol.errors import LocalError
from protocol.group import Group
from protocol.identity import Identity
from protocol.randomness import Rng
from protocol.table import Event, Folded, Table, Turn
from protocol.zones import Statement


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
        self.secrets = Secrets(self.seat, group, rng)
        self.outbox: list[bytes] = []
        """Entries written and not yet taken to be stored and sent."""
        self.events: list[GameEvent] = []
        """What happened and was not yet taken to be shown."""
        self._last_choice: SignedEntry | None = None

    @property
    def play(self) -> Play:
        """The public state, the same on every node."""
        return self.table.game

    # -- what the player sees

    def view(self) -> View:
        """Returns what this seat sees: with every offer that has arrived, also those that nobody acted on yet."""
        play = self.play.absorb(self.table.turn())
        return View(foreseen(play.state, play.negotiation), self.secrets.knowledge(self.play))

    def choice(self) -> Choice | None:
        """Returns what the own player has to choose now, if anything."""
        if not self.table.may_write or self.play.passing is not None or not self._may_release():
            return None
        asked = (one for one in demands(self.play.state) if isinstance(one, Choose) and one.seat == self.seat)
        return next((one.choice for one in asked), None)

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
            bag = self.secrets.alike(self.play, move.handles, self.play.state[self.seat].hand)
            self._write(Moves(Load(self.seat, self.secrets.close_bag(self.play, bag))))
            return
        check_move(seen, move)
        apply(seen.state, move)
        if isinstance(move, Offer | Withdraw) or (isinstance(move, Accept) and self.seat not in seen.state.officers):
            self._speak(Negotiates(move))
        else:
            self._need_turn()
            self._write(Moves(self.secrets.disguise(self.play, move)))

    def say(self, text: str) -> None:
        """Says something to all."""
        self._speak(Says(text))

    # -- what comes from others

    def receive(self, data: bytes) -> None:
        """Takes an entry from anywhere; call ``advance`` afterwards.

        Raises:
            VerificationError: It is no entry of this game.
        """
        self._note(self.table.receive(data))

    def advance(self) -> bool:
        """Does one duty of this seat, if there is one; returns whether it did."""
        if not self.table.may_write:
            return self._acknowledge()
        play, turn = self.play.absorb(self.table.turn()), self.table.turn()
        for accept in open_acceptances(play.state, play.negotiation):
            if accept.author == self.seat:
                self._write(Takes(accept.seat, accept.number))
                return True
        if not self._may_release():
            return self._acknowledge()
        act = self.secrets.answer(play, turn, 0)
        if act is None:
            return False
        self._write(act)
        return True

    def rest(self) -> bool:
        """Does some work ahead of time, if there is any; returns whether it did."""
        state = self.play.state
        mixing = state.setup.cards if state.next_handle == 0 else 0
        return any(self.secrets.stock(count) for count in (mixing, full_hand(state), len(state[self.seat].stack) + 1))

    # -- secrets are released only in answer to choices that all have seen

    def _releasers(self) -> tuple[Seat, ...]:
        """Returns the seats whose next entries give a secret away: a bag, kinds, or the last lock of a card."""
        if self.play.passing is not None:
            return self.play.passing.releasers
        return tuple(seat for one in demands(self.play.state) for seat in _gives_away(one))

    def _may_release(self) -> bool:
        """Whether the own next entry gives no secret away, or all have seen the choice that it answers."""
        choice = self._last_choice
        if choice is None or self.seat not in self._releasers():
            return True
        return all(self.table.has_seen(seat, choice) for seat in self.play.state.seats if seat != self.seat)

    def _acknowledge(self) -> bool:
        """Says that this seat has seen the last choice, where somebody waits for that."""
        choice = self._last_choice
        if choice is None or self.table.has_seen(self.seat, choice) or not self._releasers():
            return False
        self._speak(Sees())
        return True

    # -- writing

    def _need_turn(self) -> None:
        if not self.table.may_write:
            raise NotAllowed("3.1", "refusals.turn", self.seat)
        if not self._may_release():
            raise NotAllowed("3.1", "refusals.wait", self.seat)

    def _write(self, first: Act) -> None:
        """Writes an entry: this act and, where it is one of words, what this seat alone has to say after it."""
        turn = self.table.turn()
        acts, statements = [first], list[Statement]()
        if isinstance(first, Telling):
            play = self.play.absorb(turn).after(turn, first, 0, statements)
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
        self._send(self.table.write(FREE.write(free), free=True))

    def _send(self, written: tuple[bytes, list[Event]]) -> None:
        data, events = written
        self.outbox.append(data)
        self._note(events)

    def _note(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Folded) and isinstance(event.game, Play):
                if any(isinstance(change.item, Move) for change in event.game.changes):
                    self._last_choice = event.signed
                self.secrets.remember(event.game)
        self.events += filter(None, map(happening, events))
        if not self.table.has_written:  # Its keys are not yet to be seen in the game.
            self.secrets.forget(self.play)


def _gives_away(demand: Demand) -> tuple[Seat, ...]:
    """Returns whose answer shows hidden cards, or which they are: a duty, or a choice that is made with them."""
    match demand:
        case Open(seat) | Show(seat) | ShowKinds(seat) | Prove(seat):
            return (seat,)
        case Choose(seat, Choice.PAY_IN_KIND | Choice.TRADE):
            return (seat,)
        case Choose() | Rearrange() | Around():
            return ()
        case _:
            assert_never(demand)
