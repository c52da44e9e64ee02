"""Tables at which the test knows every card: decks stacked through real shuffles, players who do what a script says.

The nodes are real sessions with real proofs, each with its own randomness. Cards are spoken of by their place in the
first deck: so a script makes the same moves with whatever card lies there, and twin tables differ in hidden cards only.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from p2p_sheriff.rules import Edition, Handle, Kind, LoadBag, Move, Phase, Seat, Setup, State, View
from p2p_sheriff.rules.moves import Act, Declare, NameFirst, Offer, Pass, SetAside, Things, Verb
from p2p_sheriff.session.labels import labels_of
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.terms import propose
from protocol.charter import NONCE_BYTES, Charter, Player
from protocol.codec import Value, encode
from protocol.counting import CountingGroup
from protocol.deck import Card
from protocol.entry import SignedEntry
from protocol.group import Edwards25519, Element
from protocol.identity import SEED_BYTES, Identity
from protocol.proofs.shuffle import prepare
from protocol.randomness import Rng, permutation
from tests.drbg import Drbg
from tests.positions import put_game

ANN, BEN, CAT = Seat(0), Seat(1), Seat(2)

SHORT = (("apples", 20), ("cheese", 3), ("pepper", 4), ("mead", 3), ("silk", 4), ("crossbow", 2))
HAND = 6

GROUPS = [CountingGroup(Edwards25519()) for _ in range(6)]
"""A group for every seat, so that each node's work is counted by itself; shared by all tables, as they keep points."""


def setup_for(
    *options: str,
    players: int = 3,
    short: Sequence[tuple[Kind, int]] = SHORT,
    edition: Edition = Edition.SECOND,
) -> Setup:
    """Returns a table with a short deck, at which ANN is the first sheriff."""
    return Setup(players, edition, frozenset(options), short=tuple(short), candidates=(ANN,))


def hand_of(seat: Seat) -> range:
    """Returns the places of the first deck that are dealt to a seat."""
    return range(HAND * seat, HAND * (seat + 1))


def deck_of(setup: Setup, *hands: str, rest: str = "") -> tuple[int, ...]:
    """Returns the labels of a deck, the top first: these hands, then the rest; what is not named comes last.

    A hand is named like "3 apples, silk"; what is not said of it is filled up with apples.
    """
    kinds = [good.kind for good in setup.goods for _ in range(good.count)]
    free = list(range(len(kinds)))
    deck: list[int] = []

    def take(kind: Kind) -> None:
        label = next(label for label in free if kinds[label] == kind)
        free.remove(label)
        deck.append(label)

    for hand in (*hands, *[""] * (setup.players - len(hands))):
        named = _parse(hand)
        for kind in named + ["apples"] * (HAND - len(named)):
            take(kind)
    for kind in _parse(rest):
        take(kind)
    return (*deck, *free)


def _parse(words: str) -> list[Kind]:
    kinds: list[Kind] = []
    for word in filter(None, words.split(", ")):
        count, _, kind = word.rpartition(" ") if word[0].isdigit() else ("1", "", word)
        kinds += [kind] * int(count)
    return kinds


class Recorded(Drbg):
    """A seeded source of bytes that remembers what it gave."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.drawn: list[bytes] = []

    def __call__(self, count: int) -> bytes:
        self.drawn.append(super().__call__(count))
        return self.drawn[-1]


@dataclass(frozen=True, slots=True)
class Seen:
    """An entry as everybody sees it, but for the bytes that differ from table to table: these by their number."""

    author: int
    free: bool
    payload: object
    """Names, numbers and kinds as they are; bytes (points, proofs, commitments) by their length."""
    size: int
    heads: tuple[int, ...]


class Table:
    """Sessions that hear everything at once, and a script."""

    def __init__(self, setup: Setup, deck: Sequence[int] | None, seed: str = "twins") -> None:
        """Seats the players and, unless ``deck`` is None, has them shuffle to this order of labels."""
        self.setup = setup
        self.groups = GROUPS[: setup.players]
        for group in self.groups:
            group.counts.clear()
        self.rngs = [Recorded(f"{seed}, seat {seat}") for seat in setup.seats]
        self.sessions = self._seat(Drbg(seed))
        self._unheard: dict[Seat, list[bytes]] = {}
        self.deck = tuple(deck or ())
        if deck is not None:
            self.arrange(range(setup.cards), deck)

    def _seat(self, rng: Rng) -> list[Session]:
        identities = [Identity(rng(SEED_BYTES)) for _ in self.setup.seats]
        players = [Player(identity.public, f"player {seat}") for seat, identity in enumerate(identities)]
        charter = Charter(propose(players, self.setup), tuple(rng(NONCE_BYTES) for _ in identities))
        return [
            Session(charter, identity, group, rng)
            for identity, group, rng in zip(identities, self.groups, self.rngs, strict=True)
        ]

    def arrange(self, before: Sequence[int], after: Sequence[int]) -> None:
        """Prepares every seat's next shuffle of so many cards: all but the last at random, the last so that it fits."""
        cards = list(before)
        for session, group, rng in zip(self.sessions, self.groups, self.rngs, strict=True):
            is_last = session.seat == len(self.sessions) - 1
            order = [cards.index(card) for card in after] if is_last else permutation(rng, len(cards))
            cards = [cards[place] for place in order]
            session.secrets._prepared[len(cards)] = [prepare(group, len(cards), rng, order)]

    # -- what happens

    def settle(self) -> "Table":
        """Has every node do its duties, and everybody hear of it, until all wait for a player's choice."""
        self._settle(self.sessions, lambda _: False)
        for session in self.sessions:
            assert session.table.faults == {}
            assert session.play == self.sessions[0].play
        return self

    def settle_without(self, away: Seat) -> None:
        """The same, but one seat does and hears nothing; it hears of it when all settle again."""
        self._settle([session for session in self.sessions if session.seat != away], lambda _: False)

    def settle_until(self, seat: Seat, reached: Callable[[Play], bool]) -> Session:
        """The same, but one seat leaves its duty undone as soon as this is reached; returns its node."""
        self._settle(self.sessions, lambda session: session.seat == seat and reached(session.play))
        assert reached(self.sessions[seat].play)
        return self.sessions[seat]

    def _settle(self, present: Sequence[Session], idle: Callable[[Session], bool]) -> None:
        for session in present:
            for data in self._unheard.pop(session.seat, ()):
                session.receive(data)
        working = True
        while working:
            working = False
            for session in present:
                while not idle(session) and session.advance():
                    pass
                working = working or bool(session.outbox)
                self._send(session, present)

    def _send(self, author: Session, present: Sequence[Session]) -> None:
        for data in author.outbox:
            for other in self.sessions:
                if other not in present:
                    self._unheard.setdefault(other.seat, []).append(data)
                elif other is not author:
                    other.receive(data)
        author.outbox.clear()

    def submit(self, *moves: Move) -> "Table":
        """Makes moves, each when all duties are done."""
        for move in moves:
            self.settle().sessions[move.seat].submit(move)
        return self.settle()

    def market(self, **aside: Iterable[int]) -> "Table":
        """Holds the market: nobody sets anything aside but those who are named, as in ``ben=[7, 8]``."""
        named = {"ann": ANN, "ben": BEN, "cat": CAT}
        places = {named[name]: tuple(cards) for name, cards in aside.items()}
        self.settle()
        self.submit(NameFirst(self.sheriff, self.state.merchants[0]))
        for seat in self.state.merchants:
            self.submit(SetAside(seat, self.handles(seat, *places.get(seat, ()))))
        return self

    def load(self, bags: dict[Seat, Sequence[int]]) -> "Table":
        """Loads everybody's bag; who is not named loads the first card of the hand."""
        for seat in self.state.merchants:
            hand = self.state[seat].hand
            bag = self.handles(seat, *bags[seat]) if seat in bags else hand[:1]
            self.sessions[seat].submit(LoadBag(seat, bag))
        return self.settle()

    def declare(self, kind: Kind = "apples") -> "Table":
        """Has everybody declare the same good."""
        for seat in self.state.merchants:
            self.submit(Declare(seat, len(self.sessions[seat].view().bag), kind))
        return self

    def until_inspection(self, bags: dict[Seat, Sequence[int]]) -> "Table":
        """Plays a round up to the inspection, with a market at which nothing happens."""
        return self.market().load(bags).declare()

    def passes(self, *bags: Seat) -> "Table":
        """Has the sheriff let these bags pass."""
        return self.submit(*(Pass(self.sheriff, bag) for bag in bags))

    def offers(self, seat: Seat, **payment: object) -> "Table":
        """Has a merchant offer this for letting the own bag pass."""
        number = self.state.offer_numbers[seat] + 1
        acts = (Act(seat, Verb.PASS),)
        return self.submit(Offer.bribe(seat, number, seat, (self.sheriff,), acts, Things(**payment)))  # type: ignore[arg-type]

    # -- what all see

    @property
    def state(self) -> State:
        """The public state."""
        return self.sessions[0].play.state

    @property
    def sheriff(self) -> Seat:
        """Who is sheriff."""
        return self.state.lead

    def entries(self) -> list[SignedEntry]:
        """Returns the transcript."""
        return list(self.sessions[0].table.transcript.in_order())

    def history(self) -> list[Seen]:
        """Returns the transcript as it looks without the bytes."""
        return [
            Seen(
                signed.entry.author,
                signed.entry.step is None,
                _shape(signed.entry.payload),
                len(encode(signed.entry.payload)),
                tuple(head.length for head in signed.entry.heads),
            )
            for signed in self.entries()
        ]

    def cards(self) -> dict[Handle, list[int]]:
        """Returns every card that has a handle, and whose locks it is under."""
        return {handle: [seat for seat, _ in card.locks] for handle, card in self.sessions[0].play.cards.items()}

    def work(self) -> list[dict[str, int]]:
        """Returns how many group operations each node has done since the last table was opened, this one.

        What is hashed once for all tables does not count.
        """
        return [{name: n for name, n in group.counts.items() if name != "hash_to_group"} for group in self.groups]

    # -- what only the test sees

    def view(self, seat: Seat) -> View:
        """Returns what a seat sees."""
        return self.sessions[seat].view()

    def label(self, handle: Handle) -> int:
        """Returns the label of a card, which takes the keys of all who have locked it."""
        return self.label_of(self.sessions[0].play.cards[handle])

    def kind(self, handle: Handle) -> Kind:
        """Returns the kind of a card."""
        return labels_of(self.groups[0], self.setup).kind_of(self._points()[self.label(handle)])

    def label_of(self, card: Card) -> int:
        """Returns the label of a card without a handle."""
        point = card.point
        for seat, key in card.locks:
            (point,) = self.sessions[seat].secrets.keys[key].open(self.groups[0].inner, [point])
        return self._points().index(point)

    def _points(self) -> tuple[Element, ...]:
        return labels_of(self.groups[0], self.setup).points

    def handles(self, seat: Seat, *places: int) -> tuple[Handle, ...]:
        """Returns where the cards from these places of the first deck lie now, hidden, in front of a seat."""
        player = self.state[seat]
        at = {self.label(handle): handle for handle in (*player.hand, *player.stack, *_unpacked(self.state, seat))}
        return tuple(at[self.deck[place]] for place in places)


def _unpacked(state: State, seat: Seat) -> tuple[Handle, ...]:
    bag = state[seat].bag
    return bag.handles if bag else ()


def _shape(value: Value) -> object:
    if isinstance(value, bytes):
        return len(value)
    return tuple(map(_shape, value)) if isinstance(value, tuple) else value


def last_round(table: Table) -> None:
    """Makes the first round the last one: every node begins with everybody but ANN having served."""
    for session in table.sessions:
        state = session.play.state
        served = {ANN: state.setup.terms - 1}
        for seat in state.seats:
            state = state.with_player(seat, served=served.get(seat, state.setup.terms))
        assert state.phase is Phase.SETUP
        put_game(session.table, replace(session.play, state=state))
