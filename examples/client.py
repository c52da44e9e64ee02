"""A second client: it plays one seat of a game, and was written from docs/protocol.md alone.

It stands on `verify.py`, which knows forms, proofs and rules, and imports nothing of ours either. What is added here is
what a seat has besides: a signing key, locks, proofs of its own, a bag, choices, and when to say what. It plays simply:
true bags if it can, no offers; as sheriff it opens large bags. It knows both editions and tables of 3 to 5, but no
modules, and it never votes.

Who runs it hands it what others send (`receive`), lets it write (`advance`) and sends its `outbox` to all.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import accumulate
from typing import Any, TypeAlias

Answer: TypeAlias = tuple[list[Any], list[tuple[int, list[str]]]]
"""An act, and the cards that it speaks of, each with the kinds of which it is one."""

v: Any = import_module("examples.verify")
Q: int = v.Q
G: bytes = v.G


def times(*pairs: tuple[int, bytes]) -> bytes:
    """The sum of scalar * element over pairs."""
    sum_: bytes = v.computed(v.multi_multiply([(scalar, v.POINTS[element]) for scalar, element in pairs]))
    return sum_


def com(values: Iterable[int], r: int) -> bytes:
    """A commitment to several scalars [Pedersen commitments]."""
    return times((r, G), *((value, v.generator(j)) for j, value in enumerate(values, 1)))


def numbers(*scalars: int) -> bytes:
    return b"".join((scalar % Q).to_bytes(32, "little") for scalar in scalars)


def inverse(k: int) -> int:
    return pow(k, -1, Q)


class Random:
    """Scalars, keys and orders from a source of bytes [Randomness]."""

    def __init__(self, source: Callable[[int], bytes]) -> None:
        self.bytes = source

    def scalar(self) -> int:
        return int.from_bytes(self.bytes(64), "little") % (Q - 1) + 1

    def scalars(self, count: int) -> list[int]:
        return [self.scalar() for _ in range(count)]

    def order(self, count: int) -> list[int]:
        return sorted(range(count), key=lambda _: self.bytes(16))

    # -- proofs

    def prove_eq(self, context: bytes, statements: list[Any], ts: list[int]) -> bytes:
        """Proves that outputs are t times inputs [EQ]."""
        oracle = v.Oracle("EQ", context)
        for statement in statements:
            oracle.absorb("statement", *statement)
        e = [oracle.scalars("e", len(inputs)) for _, _, inputs, _ in statements]
        w = self.scalars(len(ts))
        for (a, _, inputs, _), e_k, w_k in zip(statements, e, w, strict=True):
            sums = [times(*((w_k * x, point) for x, point in zip(e_k, inputs, strict=True)))] if inputs else []
            oracle.absorb("T", times((w_k, a)), *sums)
        c = oracle.scalar("c")
        return numbers(c, *(w_k + c * t for w_k, t in zip(w, ts, strict=True)))

    def prove_sh(self, context: bytes, statement: Any, k: int, order: list[int]) -> bytes:
        """Proves that outputs are k times inputs, in this order, which counts from 0 [SH]."""
        a_, b_, inputs, outputs = statement
        n, pi = len(inputs), [i + 1 for i in order]
        w, d, (r_p, r_q, w_q, w_k, w_f, r_0, r_1) = self.scalars(n), self.scalars(n), self.scalars(7)
        delta = [d[0], *self.scalars(n - 2), 0]
        p = com(pi, r_p)
        t_q, t_f = com(w, w_q), com(d, w_f)
        e_0 = com((-delta[j] * d[j + 1] for j in range(n - 1)), r_0)
        oracle = v.Oracle("SH", context)
        oracle.absorb("statement", a_, b_, inputs, outputs)
        oracle.absorb("P", p)
        u = oracle.scalars("u", n)
        u_pi = [u[i] for i in order]
        q = com(u_pi, r_q)
        oracle.absorb("Q", q)
        y, z = oracle.scalar("y"), oracle.scalar("z")
        a = [(y * i + x - z) % Q for i, x in zip(pi, u_pi, strict=True)]
        b = list(accumulate(a, lambda product, factor: product * factor % Q))
        e_1 = com((delta[j + 1] - a[j + 1] * delta[j] - b[j] * d[j + 1] for j in range(n - 1)), r_1)
        t_d = times(*((k * w[j] - w_k * u_pi[j], inputs[order[j]]) for j in range(n)))
        t_b = times((w_k, a_))
        oracle.absorb("T", t_q, t_d, t_b, t_f, e_0, e_1)
        c = oracle.scalar("c")
        s, f = ([m + c * x for m, x in zip(masks, secret, strict=True)] for masks, secret in ((w, u_pi), (d, a)))
        g = [delta[j] + c * b[j] for j in range(1, n - 1)]
        closing = (w_q + c * r_q, w_k + c * k, w_f + c * (y * r_p + r_q), r_0 + c * r_1)
        return b"".join((p, q, t_q, t_d, t_b, t_f, e_0, e_1)) + numbers(*s, *f, *g, *closing)

    def prove_mb(self, context: bytes, claims: list[Any], ks: list[int]) -> bytes:
        """Proves of claims (X, K, S), with the k of each, that X is one of S under that lock [MB]."""
        keys = {key: k for (_, key, _), k in zip(claims, ks, strict=True)}
        s, a, rows = list[int](), list[int](), list[range]()
        for card, key, among in claims:
            base, index = v._ceil_root(len(among)), among.index(times((inverse(keys[key]), card)))
            for digit in (index % base, index // base):
                rows.append(range(len(s), len(s) + base))
                rest = self.scalars(base - 1)
                s += [int(j == digit) for j in range(base)]
                a += [-sum(rest), *rest]
        r_a, r_b, r_c, r_d = self.scalars(4)
        rho_0, rho_1 = ({key: self.scalar() for key in keys} for _ in range(2))
        a_, b_ = com(a, r_a), com(s, r_b)
        oracle = v.Oracle("MB", context)
        oracle.absorb("claims", *([card, key, v.digest("card-set", among)] for card, key, among in claims))
        oracle.absorb("digits", a_, b_)
        y, lambdas = oracle.scalar("y"), oracle.scalars("lambda", len(claims))
        weights = [pow(y, j, Q) for j in range(1, len(s) + 1)]
        bits = sum(y_j * a_j * (1 - 2 * s_j) for y_j, a_j, s_j in zip(weights, a, s, strict=True))
        squares = sum(y_j * a_j * a_j for y_j, a_j in zip(weights, a, strict=True))
        c_, d_ = times((r_c, G), (bits, v.second_base())), times((r_d, G), (-squares, v.second_base()))
        sums: list[list[tuple[int, bytes]]] = [[], []]
        for i, ((card, key, among), lambda_i) in enumerate(zip(claims, lambdas, strict=True)):
            low, high = rows[2 * i], rows[2 * i + 1]
            for at_high, higher in enumerate(high):
                for at_low, lower in enumerate(low):
                    label = among[min(at_low + at_high * len(low), len(among) - 1)]
                    sums[0].append((lambda_i * a[lower] * a[higher], label))
                    sums[1].append((lambda_i * (s[lower] * a[higher] + a[lower] * s[higher]), label))
            sums[0].append((rho_0[key] * lambda_i, card))
            sums[1].append((rho_1[key] * lambda_i, card))
        g_0, g_1 = (times(*pairs) for pairs in sums)
        e_0, e_1 = ([times((rho[key], key)) for key in keys] for rho in (rho_0, rho_1))
        oracle.absorb("sums", c_, d_, g_0, g_1, e_0, e_1)
        x = oracle.scalar("x")
        f = [s[j] * x + a[j] for row in rows for j in row[1:]]
        z = [x * x * inverse(k) - rho_0[key] - x * rho_1[key] for key, k in keys.items()]
        return b"".join((a_, b_, c_, d_, g_0, g_1, *e_0, *e_1)) + numbers(*f, r_a + x * r_b, x * r_c + r_d, *z)


class Identity:
    """An Ed25519 key pair (RFC 8032) [Identities]."""

    def __init__(self, seed: bytes) -> None:
        expanded = v.sha512(seed)
        self._secret = int.from_bytes(expanded[:32], "little") & (1 << 254) - 8 | 1 << 254
        self._prefix, self.public = expanded[32:], times((self._secret, G))

    def sign(self, purpose: str, message: bytes) -> bytes:
        signed = v.encode([v.PROTOCOL, "signature", purpose]) + message
        r = int.from_bytes(v.sha512(self._prefix + signed), "little") % Q
        commitment = times((r, G))
        h = int.from_bytes(v.sha512(commitment + self.public + signed), "little")
        return commitment + numbers(r + h * self._secret)


class Rules(v.Game):  # type: ignore[misc]  # verify.py has no types to check.
    """The verifier's game, which also remembers the last entry that has put a choice into the rules."""

    choice = None

    def fold(self, turn: Any) -> None:
        super().fold(turn)
        if any(act[0] in ("move", "take", "heed", "time-up") for act in turn.entry.payload[0]):
            self.choice = turn.entry

    def rule(self, move: Any) -> None:
        super().rule(move)
        self.choice = self.entry


class Table(v.Table):  # type: ignore[misc]  # As above.
    """The verifier's table, with these rules."""

    def fresh(self) -> Any:
        return v.Folder(Rules(self.charter, self.setup), self.charter.keys)


class Client:
    """One seat: what it has of all chains, its secrets, and what it has to say."""

    def __init__(self, charter: bytes, seed: bytes, source: Callable[[int], bytes]) -> None:
        self.charter, self.identity, self.random = v.read_charter(charter), Identity(seed), Random(source)
        self.setup = v.read_terms(self.charter.terms, len(self.charter.keys))
        self.seat = self.charter.keys.index(self.identity.public)
        self.table, self.transcript = Table(self.charter, self.setup), v.Transcript(self.charter)
        self.outbox: list[bytes] = []
        self._waiting: list[Any] = []
        self._keys: dict[bytes, int] = {}
        self._laid: Any = None  # statement, factor and order of the own list
        self._share = self._salt = b""
        self._bag: list[int] = []
        self._kinds: dict[bytes, str] = {
            v.label_point("goods", label): kind for kind in self.setup.goods for label in self.setup.labels(kind)
        }

    @property
    def game(self) -> Any:
        return self.table.folder.game

    @property
    def is_sheriff(self) -> bool:
        """Whether bags wait for this seat to deal with them."""
        return (self.game.todo[:1], self.game.expected()) == ([("Negotiate",)], [self.seat])

    # -- the chains

    def receive(self, message: bytes) -> None:
        """Takes bytes that somebody has sent: an entry is delivered when all that it names is here [Transcript]."""
        entry = v.read_entry(message, self.charter)
        if all(entry.hash != other.hash for other in (*self.transcript.entries, *self._waiting)):
            self._waiting.append(entry)
        while ready := [entry for entry in self._waiting if self.transcript.has_all_named(entry)]:
            self._waiting.remove(ready[0])
            self._deliver(ready[0])

    def _deliver(self, entry: Any) -> None:
        fault = self.transcript.check_own_head(entry) or self.transcript.check_heads(entry)
        if fault or not self.table.deliver(entry) or self.table.faults:
            raise v.VerificationError(f"seat {entry.author}: {fault or self.table.faults}")
        self.transcript.add(entry)

    def _write(self, step: int | None, payload: Any) -> None:
        heads = [[len(chain), chain[-1].hash if chain else self.charter.game] for chain in self.transcript.chains]
        body = v.encode([1, self.charter.game, self.seat, heads, step, payload])
        message = v.encode([body, self.identity.sign("entry", body)])
        self._deliver(v.read_entry(message, self.charter))
        self.outbox.append(message)

    def advance(self) -> bool:
        """Writes one entry, if there is something to say: an act that is due, or that others' entries are here."""
        if self.seat in self.table.folder.missing() and (answer := self._answer()) is not None:
            act, claims = answer
            cards = [(self.game.cards[handle], kinds) for handle, kinds in claims]
            among = [(card.point, card.locks[0][1], self._labels(kinds)) for card, kinds in cards]
            context = self._context("claim", [], index=1)
            proof = self.random.prove_mb(context, among, [self._keys[key] for _, key, _ in among]) if among else b""
            self._write(self.table.folder.step, [[act], proof])
            return True
        chains = self.transcript.chains
        named = chains[self.seat][-1].heads if chains[self.seat] else [(0, b"")] * len(chains)
        news = [entry for chain, (length, _) in zip(chains, named, strict=True) for entry in chain[length:]]
        if any(entry.author != self.seat and (entry.step is not None or entry.begins_as_vote) for entry in news):
            self._write(None, None)
            return True
        return False

    def _have_all_seen(self, *entries: Any) -> bool:
        lasts = [self.transcript.chains[seat][-1:] for seat in self.game.seats if seat != self.seat]
        return all(
            last and (last[0].author == entry.author or last[0].sees(entry)) for last in lasts for entry in entries
        )

    # -- the cards

    def _context(self, operation: str, handles: list[int], index: int = 0) -> bytes:
        chain, folder = self.transcript.chains[self.seat], self.table.folder
        place = (self.seat, folder.step, len(chain), chain[-1].hash if chain else self.charter.game)
        deck = ("goods", self.game.decks["goods"].generation)
        context: bytes = v.context_digest(
            self.charter.game, self.charter.roster, *deck, *place, operation, index, handles
        )
        return context

    def _labels(self, kinds: list[str]) -> list[bytes]:
        return [point for point, kind in self._kinds.items() if kind in kinds]

    def _kind(self, handle: int) -> str:
        """What an own card is."""
        card = self.game.cards[handle]
        return self._kinds[times((inverse(self._keys[card.key_of(self.seat)]), card.point))]

    def _new_key(self) -> tuple[int, bytes]:
        k = self.random.scalar()
        key = times((k, G))
        self._keys[key] = k
        return k, key

    def _own(self, card: Any) -> int:
        """The secret of the own lock on a card, 1 if there is none."""
        return self._keys[card.key_of(self.seat)] if card.key_of(self.seat) else 1

    def _lock(self, context: bytes, cards: list[Any]) -> Any:
        """Puts a fresh lock on cards, in place of an own one [Decks, verify_lock]."""
        k, key = self._new_key()
        points = [times((k * inverse(self._own(card)), card.point)) for card in cards]
        groups = v._by_key(cards, self.seat, points, G)
        statements = [(a, key, *map(list, zip(*pairs, strict=True))) for a, pairs in groups.items()]
        proof = self.random.prove_eq(context, statements, [k * inverse(self._keys.get(a, 1)) for a in groups])
        return [key, b"".join(points), proof]

    def _strip(self, context: bytes, cards: list[Any]) -> Any:
        """Takes the own lock off [Decks, verify_strip]."""
        points = [times((inverse(self._own(card)), card.point)) for card in cards]
        groups = v._by_key(cards, self.seat, points, G)
        statements = [(G, key, [y for _, y in pairs], [x for x, _ in pairs]) for key, pairs in groups.items()]
        return [b"", b"".join(points), self.random.prove_eq(context, statements, [self._keys[key] for key in groups])]

    def _shuffle(self, cards: list[Any]) -> Any:
        """A list without its proof, and what the proof needs."""
        (k, key), order = self._new_key(), self.random.order(len(cards))
        t = k * inverse(self._own(cards[0]))
        points = [times((t, cards[i].point)) for i in order]
        statement = (cards[0].key_of(self.seat) or G, key, [card.point for card in cards], points)
        return [key, b"".join(points), b""], (statement, t, order)

    def _rearrange(self, zone: str) -> Any:
        """Lays a zone anew [Zones]."""
        handles = list(getattr(self.game.players[self.seat], zone))
        cards, gather = [self.game.cards[handle] for handle in handles], None
        contexts = [self._context("rearrange", handles, index=index) for index in (0, 1)]
        if len(cards) == 1:
            return ["rearrange", [None, self._lock(contexts[0], cards)]]
        if len({card.locks for card in cards}) > 1:
            gather = self._lock(contexts.pop(0), cards)
            points = v.elements(gather[1], len(cards))
            cards = [card.locked(self.seat, gather[0], point) for card, point in zip(cards, points, strict=True)]
        change, secret = self._shuffle(cards)
        return ["rearrange", [gather, [*change[:2], self.random.prove_sh(contexts[0], *secret)]]]

    # -- what is asked

    def _answer(self) -> Answer | None:
        """The act that is due, and the cards that it speaks of; None while others must see something first."""
        game = self.game
        if game.decided:
            return ["seal", game.result()], []
        if game.passing:
            act = self._part(game.passing)
            return (act, []) if act else None
        if game.todo[0][0] == "Negotiate":
            return self._decide(game.closed_bags()[0]), []
        (step,) = (step for step in game.waiting() if step[1] == self.seat)
        if step[0] == "Rearrange":
            return self._rearrange(step[2]), []
        if step[0] in ("NameFirst", "Turn", "TakeDiscards", "LayDown", "Load", "Declare"):
            return ["move", self._choose(step)], []
        return self._release(step) if self._have_all_seen(*filter(None, [game.choice])) else None

    def _part(self, going: Any) -> list[Any] | None:
        """The own part of what goes around [Passes, Operations]."""
        act, _ = going.waits_for()
        gift = going.kind == "give"
        match act:
            case "shuffle":
                change, self._laid = self._shuffle(going.cards)
                return ["shuffle", change]
            case "attest":
                return ["attest", self.random.prove_sh(self._context("shuffle", []), *self._laid)]
            case "lock":
                context = self._context("take", going.handles) if gift else self._context("gather", [])
                return ["lock", self._lock(context, going.cards)]
            case "commit":
                self._share = self.random.bytes(32)
                return ["commit", v.commit(["coin", self.game.coin_place(going.purpose), self.seat], b"", self._share)]
            case "reveal":
                return (
                    ["reveal", self._share] if self._have_all_seen(*(said for said, _ in going.said.values())) else None
                )
            case _ if len(going.stages) == 1 and not self._have_all_seen(*filter(None, [self.game.choice])):
                return None  # The last strip lets somebody see cards.
            case _ if gift:
                return ["strip", self._strip(self._context("give", going.handles), going.cards)]
            case _:
                to = self.game.receivers(going)
                cards = [card for card, seat in zip(going.cards, to, strict=True) if seat != self.seat]
                return ["strip", self._strip(self._context("deal", []), cards)]

    def _decide(self, bag: int) -> list[Any]:
        """As sheriff: large bags are opened, all others pass for nothing."""
        if self.game.time_is_up():
            return ["time-up"]
        if self.game.players[bag].bag.count > 3:
            return ["move", ["Inspect", self.seat, bag]]
        return ["move", ["Pass", self.seat, bag, True]]

    def _choose(self, step: Any) -> list[Any]:
        """A choice that gives nothing away."""
        game, me, player = self.game, self.seat, self.game.players[self.seat]
        match step[0]:
            case "NameFirst":
                return ["NameFirst", me, game.merchants[-1]]
            case "Turn":
                return ["SetAside", me, [handle for handle in player.hand if not game.legal(self._kind(handle))][:5]]
            case "TakeDiscards":
                return ["TakeDiscards", me, [0, 0]]
            case "LayDown":
                return ["LayDown", me, 0, list(player.aside if step[2] is None else step[2])]
            case "Load":
                kind = self._best_kind()
                self._bag = sorted(handle for handle in player.hand if self._kind(handle) == kind)[:5]
                self._bag, self._salt = self._bag or player.hand[:1], self.random.bytes(32)
                place = ["bag", self.charter.game, game.round, me]
                return ["Load", me, v.commit(place, self._bag, self._salt)]
            case _:
                return ["Declare", me, len(self._bag), self._best_kind()]

    def _best_kind(self) -> str:
        """The legal good of which the hand has most."""
        kinds = Counter(self._kind(handle) for handle in self.game.players[self.seat].hand)
        legal: list[str] = [kind for kind in self.setup.goods if self.game.legal(kind)]
        return max(legal, key=lambda kind: kinds[kind])

    def _release(self, step: Any) -> Answer:
        """What gives something away: an opening, cards that are shown, a proof of others."""
        game, player = self.game, self.game.players[self.seat]
        match step[0]:
            case "Open":
                return ["open", self._bag, self._salt], []
            case "AskTrade":
                return ["move", ["Trade", self.seat, []]], []
            case "ProveRest":
                kinds = [kind for kind in game.contraband_kinds(game.bans) if kind not in step[2]]
                return ["prove"], [(handle, kinds) for handle in player.bag.hidden]
            case "Owe":
                return self._pay(step[3])
            case "ShowAside":
                cards = player.aside
            case "ShowTurned":
                cards = step[2]
            case "ShowPassing":
                cards = [handle for handle in player.bag.hidden if game.legal(self._kind(handle))]
            case "ShowBag":
                cards = player.bag.hidden
            case _:  # the end
                cards = player.stack
        shown = [[handle, self._kind(handle)] for handle in cards]
        return ["show", shown], [(handle, [kind]) for handle, kind in shown]

    def _pay(self, rest: int) -> Answer:
        """Pays a debt in kind: the dearest goods first, until it is paid."""
        player, values = self.game.players[self.seat], {kind: good.value for kind, good in self.setup.goods.items()}
        values |= {name: int(name.split()[-1]) for name in player.prizes}
        stall = [(self.game.kinds[handle], None) for handle in player.stall]
        things = stall or [(self._kind(handle), handle) for handle in player.stack] + [(n, None) for n in player.prizes]
        paid = list[tuple[str, int | None]]()
        for thing in sorted(things, key=lambda thing: -values[thing[0]]):
            if sum(values[kind] for kind, _ in paid) < rest:
                paid.append(thing)
        goods = Counter(kind for kind, handle in paid if handle is None)
        cards = [(handle, kind) for kind, handle in paid if handle is not None]
        move = ["PayInKind", self.seat, [[kind, goods[kind]] for kind in values if goods[kind]], list(map(list, cards))]
        return ["move", move], [(handle, [kind]) for handle, kind in cards]
