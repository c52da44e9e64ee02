"""A table with a clock of its own: real sessions, logs, proofs and bots, and nodes that work side by side in its time.

The nodes are called one after the other; each call's CPU is measured and moves the clock of its node alone. What a node
sends arrives a hop later, what it syncs takes a sync. Every node works as ``node.room`` does: one thing at a time, what
is written is stored, then sent, and where nothing waits, some work is done ahead. Not on the clock: what a bot thinks,
as what a person thinks is not; the event loop, encryption of connections, and the screen.
"""

import gc
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from pathlib import Path
from secrets import token_bytes
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from p2p_sheriff.lab.meter import Cause, MeteredGroup, Spending, in_place_of, judging_apart, metering
from p2p_sheriff.lab.simnet import Chooser
from p2p_sheriff.node.disk import Disk
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.wire import EntryOf, from_bytes, to_bytes
from p2p_sheriff.rules import Choice, Input, LoadBag, Move, Seat, Setup
from p2p_sheriff.session import terms
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.labels import make_points
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.session import Session
from protocol.charter import NONCE_BYTES, Charter, Player
from protocol.errors import LocalError
from protocol.identity import Identity
from protocol.proofs import shuffle
from protocol.proofs.context import Context
from protocol.proofs.membership import Layout
from protocol.proofs.shuffle import Preparation
from protocol.table import Turn
from protocol.zones import Statement

T = TypeVar("T")

HOP_SECONDS: Final = 0.0005
SYNC_SECONDS: Final = 0.001
"""What a good local network and a solid state disk take."""


@dataclass(slots=True)
class Moment:
    """A time, as the longest way to it: what was waited for, and what the proofs alone would have taken."""

    spent: Spending = field(default_factory=lambda: defaultdict(float))
    floor: float = 0.0
    """When it could be if nothing took time but the operations of proofs, none of them prepared ahead."""

    @property
    def seconds(self) -> float:
        """Since the game began."""
        return sum(self.spent.values())

    def copy(self) -> "Moment":
        """Returns the same moment."""
        return Moment(self.spent.copy(), self.floor)

    def wait_for(self, other: "Moment") -> None:
        """Becomes the later one of the two, each clock by itself."""
        if other.seconds > self.seconds:
            self.spent = other.spent.copy()
        self.floor = max(self.floor, other.floor)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A player was asked for a choice."""

    at: Moment
    seat: Seat
    choice: Choice


@dataclass(frozen=True, slots=True)
class Chosen:
    """A player has made a choice."""

    at: Moment
    seat: Seat
    choice: Choice
    move: Move | LoadBag


class _SlowDisk(Disk):
    """Counts syncs, which take their time on the clock and none of ours."""

    def __init__(self) -> None:
        self.syncs = 0

    def sync(self, _file: int) -> None:
        self.syncs += 1


class _Node:
    """A node with its log, and the clock of its cores."""

    def __init__(self, profile: Profile, charter: Charter, group: MeteredGroup, disk: _SlowDisk, bot: Chooser) -> None:
        self.group, self.bot, self._disk = group, bot, disk
        disk.syncs = 0
        self.now = Moment()
        """When it is done with all that it was given."""
        self.has_rested = True
        self.is_asked = False
        self.keeper = self.do(Cause.LOOK, lambda: Keeper.begin(profile, charter, group, token_bytes))
        self.do(Cause.LOOK, self.keeper.tidy)  # All but the first have time for that.
        self.seat = self.keeper.session.seat

    def do(self, cause: Cause, call: Callable[[], T]) -> T:
        """Does something, which takes time."""
        result, floor = self.group.measured(cause, call, self.now.spent)
        self.now.floor += floor
        self.now.spent[Cause.DISK] += SYNC_SECONDS * self._disk.syncs
        self._disk.syncs = 0
        return result

    def prepare(self, cards: int) -> None:
        """Has made ready for the first shuffle, and has all points, as nodes do while a table gathers."""
        group = self.group
        preparation = group.preparing(cards, lambda: shuffle.prepare(group, cards, token_bytes))
        self.keeper.session.secrets.take_along(preparation)

    def rest_until(self, moment: Moment) -> None:
        """Does some work ahead while it has nothing else to do."""
        while not self.has_rested and moment.seconds > self.now.seconds:
            self.has_rested = not self.do(Cause.AHEAD, self.keeper.rest)


class Clock:
    """A table of nodes in virtual time."""

    def __init__(self, nodes: Sequence[_Node]) -> None:
        """Use ``open_table``."""
        self._nodes = nodes
        self._coming: list[tuple[float, int, Moment, Seat, bytes | None]] = []
        self._numbers = iter(range(1 << 62))
        self.asked: list[Inquiry] = []
        self.chosen: list[Chosen] = []
        self.happened: list[tuple[Moment, Seat, Input]] = []
        """What each node has learned, and when."""
        self.hops = 0

    @property
    def plays(self) -> list[Play]:
        """The game, as every node has it."""
        return [node.keeper.session.play for node in self._nodes]

    @property
    def groups(self) -> list[MeteredGroup]:
        """The group of every node, with all operations that it did."""
        return [node.group for node in self._nodes]

    @property
    def now(self) -> Moment:
        """When the last node is done."""
        latest = Moment()
        for node in self._nodes:
            latest.wait_for(node.now)
        return latest

    def run(self, until: Callable[["Clock"], bool] = lambda _: False) -> None:
        """Plays until it is so, or nothing happens any more: the game is over."""
        if not self.asked:
            for node in self._nodes:
                self._work(node, lambda: None, Cause.PYTHON)
        while not until(self) and (self._coming or self._break_silence()):
            _, _, moment, seat, data = heappop(self._coming)
            node = self._nodes[seat]
            node.rest_until(moment)
            node.now.wait_for(moment)
            node.has_rested = False
            if data is None:
                self._choose(node)
            else:
                self._take(node, data)

    # -- what a node does

    def _take(self, node: _Node, data: bytes) -> None:
        message = node.do(Cause.PYTHON, lambda: from_bytes(node.group, data))
        if not isinstance(message, EntryOf):
            raise LocalError("nothing else than entries is sent here")
        self._work(node, lambda: node.keeper.receive(message.data), Cause.LOOK)

    def _work(self, node: _Node, first: Callable[[], object], cause: Cause) -> None:
        """Does something, then the duties of the seat, as ``Room._work`` does."""
        node.do(cause, first)
        self._flush(node)
        while node.do(Cause.PROVE, node.keeper.advance):
            self._flush(node)
        self._look(node)

    def _flush(self, node: _Node) -> None:
        """Stores and sends what was written."""
        keeper = node.keeper
        for data in node.do(Cause.PYTHON, keeper.store):
            frame = node.do(Cause.PYTHON, partial(to_bytes, EntryOf(keeper.game, data)))
            for other in self._nodes:
                if other is not node:
                    self._send(node.now, other.seat, frame)

    def _look(self, node: _Node) -> None:
        """Looks at what came of it, and asks the player."""
        keeper = node.keeper
        node.do(Cause.LOOK, keeper.look)
        for event in keeper.take_events():
            for item in event.inputs if isinstance(event, Happened) else ():
                node.bot.observe(item)
                self.happened.append((node.now.copy(), node.seat, item))
        keeper.figures.take()
        choice = keeper.seen.choice
        if choice is not None and not node.is_asked:
            node.is_asked = True
            self.asked.append(Inquiry(node.now.copy(), node.seat, choice))
            if choice is not Choice.ACT:
                self._push(node.now, node.seat, None)

    def _send(self, sent: Moment, seat: Seat, frame: bytes) -> None:
        arrives = sent.copy()
        arrives.spent[Cause.NETWORK] += HOP_SECONDS
        self.hops += 1
        self._push(arrives, seat, frame)

    def _push(self, moment: Moment, seat: Seat, data: bytes | None) -> None:
        heappush(self._coming, (moment.seconds, next(self._numbers), moment.copy(), seat, data))

    # -- what a player does

    def _choose(self, node: _Node) -> None:
        node.is_asked = False
        session = node.keeper.session
        choice = session.choice()
        move = None if choice is None else node.bot.choose(session.view(), choice)
        if choice is not None and move is not None:
            self.chosen.append(Chosen(node.now.copy(), node.seat, choice, move))
            self._act(node, move)

    def _act(self, node: _Node, move: Move | LoadBag) -> None:
        self._work(node, lambda: node.keeper.act(lambda session: session.submit(move)), Cause.PROVE)

    def _break_silence(self) -> bool:
        """When nothing is under way, lets merchants talk, and when they have nothing to say, the sheriff act."""
        quiet = self.now
        asked = [node for node in self._nodes if node.keeper.session.choice() is not None]
        acting = [node for node in asked if node.keeper.session.choice() is Choice.ACT]
        for node in self._nodes if acting else ():
            if node not in acting and (move := node.bot.negotiate(node.keeper.session.view())) is not None:
                node.now.wait_for(quiet)
                self._act(node, move)
        if self._coming:
            return True
        for node in acting[:1] or asked[:1]:
            self._push(quiet, node.seat, None)
        return bool(self._coming)


@contextmanager
def _preparations_noted(session: Session, group: MeteredGroup) -> Iterator[None]:
    """Lets the group know which operations are for a proof that comes later, and when it comes."""
    secrets = session.secrets
    stock, prepare, take_listed, prove = secrets.stock, secrets.prepare, secrets.take_listed, secrets.prove
    once = secrets.once

    def stocked(count: int) -> bool:
        return group.preparing(count, lambda: stock(count))

    def proved(play: Play, turn: Turn, acts: int, statements: Sequence[Statement]) -> bytes:
        before = group.counts["mul"]
        proof = prove(play, turn, acts, statements)
        if statements:  # By the table of MB's operations: 2L + n + 2, if nothing is prepared.
            layout = Layout([statement.claim(secrets.seat) for statement in statements])
            group.used_masks(2 * len(layout.labels) + layout.slots + 2 - (group.counts["mul"] - before))
        return proof

    def prepared(count: int, **options: bool) -> Preparation:
        preparation = group.preparing(count, lambda: prepare(count, **options))
        if not options:
            group.used(count)
        return preparation

    def listed() -> Preparation | None:
        if (preparation := take_listed()) is not None:
            group.used(len(preparation.order))
        return preparation

    def had(context: Context, make: Callable[[], bytes]) -> bytes:
        if group.is_ahead:
            return group.preparing("list", lambda: once(context, make))
        if not secrets.has_listed:  # It was proved ahead.
            group.used("list")
        return once(context, make)

    with (
        in_place_of(secrets, "once", had),
        in_place_of(secrets, "stock", stocked),
        in_place_of(secrets, "prepare", prepared),
        in_place_of(secrets, "take_listed", listed),
        in_place_of(secrets, "prove", proved),
    ):
        yield


@contextmanager
def open_table(setup: Setup, make_bot: Callable[[Seat], Chooser], cores: int) -> Iterator[Clock]:
    """Seats bots at nodes with that many cores, each with a log on the disk. The clock begins when all are seated."""
    gc.collect()
    gc.freeze()  # What was there before is in no other node's process.
    with ExitStack() as stack:
        stack.callback(gc.unfreeze)
        stack.enter_context(judging_apart())
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="p2p-sheriff-clock-")))
        disks = [_SlowDisk() for _ in setup.seats]
        profiles = [stack.enter_context(Profile.open(f"seat-{seat}", folder, disks[seat])) for seat in setup.seats]
        charter = _charter([profile.identity() for profile in profiles], setup)
        own = metering()
        groups = [MeteredGroup(seat, cores, own=own) for seat in setup.seats]
        for group in groups:
            make_points(group, setup)
        nodes = [_Node(profiles[seat], charter, groups[seat], disks[seat], make_bot(seat)) for seat in setup.seats]
        for node in nodes:
            stack.callback(node.keeper.log.close)
            stack.enter_context(_preparations_noted(node.keeper.session, node.group))
            node.prepare(setup.cards)
        yield Clock(nodes)


def _charter(identities: Sequence[Identity], setup: Setup) -> Charter:
    players = [Player(identity.public, f"player {seat}") for seat, identity in enumerate(identities)]
    proposal = terms.propose(players, setup)
    nonces = [token_bytes(NONCE_BYTES) for _ in players]
    return Charter.sealed(proposal, [proposal.commit_nonce(*pair) for pair in enumerate(nonces)], nonces)
