"""Tables at which somebody falls silent and is put out: the others go on, and everything of theirs is still there."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random

from p2p_sheriff.bots import STYLES, Bot, make_bot
from p2p_sheriff.lab.simnet import Simnet, Weather, open_table
from p2p_sheriff.rules import Choice, Input, LoadBag, Move, Seat, Setup, View
from p2p_sheriff.rules.steps import MakePack
from p2p_sheriff.session.board import Deck
from p2p_sheriff.session.labels import name_of
from p2p_sheriff.session.passes import Dealing, DealingOut, Disclosing, TurningOver
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.resume import resume
from p2p_sheriff.session.session import Session
from protocol.deck import Card
from protocol.group import Edwards25519, Element
from tests.drbg import Drbg

GROUP = Edwards25519()
SHORT = (("apples", 12), ("cheese", 9), ("chicken", 8), ("pepper", 5), ("mead", 5), ("silk", 5))
"""44 cards: enough for five hands and ten missing cards."""
SMUGGLED = (("apples", 8), ("cheese", 4), ("pepper", 12), ("mead", 8), ("silk", 8), ("crossbow", 4))


def put_out(sessions: Sequence[Session], *seats: Seat) -> None:
    """All others vote some seats out, hear each other at once, and say so."""
    voters = [one for one in sessions if one.seat in one.table.seats and one.seat not in seats]
    for do in (lambda session: session.vote(seats), Session._acknowledge):
        for session in voters:
            do(session)
        said = [data for session in voters for data in session.outbox]
        for session in voters:
            session.outbox.clear()
        for session in sessions:
            for data in said:
                session.receive(data)


class Mute:
    """Plays like a bot, as long as its player is there."""

    def __init__(self, bot: Bot, is_silent: Callable[[], bool]) -> None:
        self._bot, self._is_silent = bot, is_silent

    def observe(self, item: Input) -> None:
        self._bot.observe(item)

    def negotiate(self, view: View) -> Move | None:
        return None if self._is_silent() else self._bot.negotiate(view)

    def choose(self, view: View, choice: Choice) -> Move | LoadBag | None:
        return None if self._is_silent() else self._bot.choose(view, choice)


class GapNet(Simnet):
    """A table among bots, at which seats fall silent after so many turns of theirs."""

    def __init__(
        self, setup: Setup, seed: int, quits: Mapping[Seat, int] | None = None, weather: Weather | None = None
    ) -> None:
        self.quits = dict(quits or {})
        """After how many turns each of them does nothing more."""
        bots = [make_bot(STYLES[(seat + seed) % len(STYLES)], seat, Random(seed + seat)) for seat in setup.seats]
        choosers = [Mute(bot, lambda seat=seat: self.is_silent(seat)) for seat, bot in enumerate(bots)]  # type: ignore[misc]
        super().__init__(open_table(setup, GROUP, Drbg(f"gap {seed}")), choosers, Random(seed), weather)

    def is_silent(self, seat: int) -> bool:
        """Whether that seat does nothing more."""
        return self.turns_of(seat) >= self.quits.get(Seat(seat), 1 << 20)

    def turns_of(self, seat: int) -> int:
        """Returns how many turns a seat has taken."""
        chain = self.sessions[seat].table.transcript.chains[seat]
        return sum(signed.entry.step is not None for signed in chain)

    def _work(self) -> bool:
        worked = False
        for seat, session in enumerate(self.sessions):
            while not self.is_silent(seat) and session.advance():
                worked = True
            self._flush(seat)
        return worked

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who is still in the game."""
        return self.play.state.seats

    @property
    def play(self) -> Play:
        """The game, which all have alike."""
        for session in self.sessions:
            assert session.table.faults == {}
            assert session.play == self.sessions[0].play
        return self.sessions[0].play

    def leaves(self, *seats: Seat) -> "GapNet":
        """These are put out, with all that they have said."""
        self.hear()
        for seat in seats:
            self.quits[seat] = 0
        put_out(self.sessions, *seats)
        for place in range(len(self.sessions)):
            self._flush(place)
        return self

    def goes_on(self, until: Callable[[Play], bool] = lambda _: False) -> "GapNet":
        """Plays on, until it is so and everybody has heard all."""
        self.run(until)
        self.hear()
        return self

    def waits_for(self, seat: Seat, turns: int = 0) -> "GapNet":
        """Plays on until everybody waits for this one, who takes so many turns more."""
        self.quits[seat] = self.turns_of(seat) + turns
        return self.goes_on()

    def hear(self) -> None:
        """Everybody hears what there is, and does nothing about it yet."""
        while self._deliver():
            pass

    def answers_at_once(self) -> "GapNet":
        """Plays on in step: each word is answered before the next one is heard, and all answers cross."""
        there = [session for session in self.sessions if not self.is_silent(session.seat)]
        said = [data for session in there for data in session.outbox]
        while said:
            for session in there:
                session.outbox.clear()
            for session in there:
                for data in said:
                    session.receive(data)
                    while session.advance():
                        pass
            said = [data for session in there for data in session.outbox]
        return self

    def comes_back(self, seat: Seat) -> None:
        """A node starts anew from its entries and its secrets."""
        old = self.sessions[seat]
        identity = old.table._identity
        assert identity is not None
        entries = [signed.to_bytes() for signed in old.table.transcript.in_order()]
        rng, secrets = Drbg(f"another life {seat}"), old.secrets.to_value()
        new = resume(old.table.charter, identity, GROUP, rng, entries, secrets)
        new.events.clear()  # The bots remember.
        assert new.play == old.play
        assert new.secrets.lost(new.play) == ()
        assert frozenset(new.secrets.keys.secrets()) == frozenset(old.secrets.keys.secrets())
        self.sessions[seat] = new

    def assert_complete(self) -> None:
        """Asserts that every card of the game is there exactly once."""
        assert_complete(self.sessions, self.play)


def unlocked(sessions: Sequence[Session], card: Card) -> Element:
    """Takes every lock off a card, which takes the keys of all who have locked it: what only the test sees."""
    point = card.point
    for seat, key in card.locks:
        (point,) = sessions[seat].secrets.keys[key].open(GROUP, [point])
    return point


def label_of(sessions: Sequence[Session], card: Card) -> int:
    """Returns the label of a good."""
    return sessions[0].play.labels.points.index(unlocked(sessions, card))


def assert_complete(sessions: Sequence[Session], play: Play) -> None:
    """Asserts that every card of the game is there exactly once: on the table, in its deck, missing, or gone."""
    state = play.state
    packs = [pack for pack in state.setup.packs if MakePack(pack) not in state.todo]
    assert len(play.goods.missing) == state.setup.missing
    assert sorted(play.cards) == sorted(handle for pack in (None, *packs) for handle in play.handles_of(pack))
    for pack in (None, *packs):
        deck = play.decks[name_of(pack)]
        undrawn = [*_being_dealt(play, deck), *deck.undrawn]
        assert len(undrawn) == (state.deck if pack is None else state.left_in(pack))
        lying = [play.cards[handle] for handle in play.handles_of(pack)]
        points = [unlocked(sessions, card) for card in (*lying, *undrawn, *deck.missing)]
        assert Counter([*points, *deck.gone]) == Counter(play.labels.decks[deck.name])


def _being_dealt(play: Play, deck: Deck) -> tuple[Card, ...]:
    """Returns the cards of a deck that go around and are nobody's yet."""
    match play.passing:
        case Dealing() | DealingOut() | TurningOver() as dealing if dealing.deck.name == deck.name:
            return dealing.cards
        case Disclosing() as dealing if dealing.deck.name == deck.name:
            return dealing.drawn
        case _:
            return ()


def is_redealt(play: Play) -> bool:
    """Whether the deck is there: nobody has to deal it around a gap."""
    return play.passing is None or play.passing.name not in ("redeal", "match", "mix")
