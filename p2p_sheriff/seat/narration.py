"""What happens at the table, told in sentences: for the line mode, the demo and the log."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias, assert_never

from p2p_sheriff.rules import Claim, Ending, Input, Kind, Outcome, Phase, Seat, State
from p2p_sheriff.rules.cards import Zone, kinds_of
from p2p_sheriff.rules.deals import find_offer
from p2p_sheriff.rules.deck import TURNED_UP
from p2p_sheriff.rules.facts import (
    Coin,
    Drawn,
    Given,
    Left,
    Opened,
    PackFact,
    Proved,
    Rearranged,
    Redealt,
    Reshuffled,
    Shown,
    Shuffled,
    TimeUp,
)
from p2p_sheriff.rules.inspection import opener_of
from p2p_sheriff.rules.law import contraband_kinds
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Apart,
    Declare,
    Gift,
    HandOver,
    Inspect,
    LayDown,
    Load,
    ModuleMove,
    NameFirst,
    Offer,
    OpenMove,
    Pass,
    PayInKind,
    PickLoot,
    Refuse,
    SetAside,
    ShareLoot,
    Split,
    Stance,
    TakeDiscards,
    Talk,
    Things,
    Trade,
    Withdraw,
)
from p2p_sheriff.rules.phases import Purpose
from p2p_sheriff.rules.scoring import Crown
from p2p_sheriff.rules.steps import AskLayDown, Debt, GiveCards, Negotiate, ShareOut, ShowAside, ShowBag, TurnUp
from p2p_sheriff.seat import modules
from p2p_sheriff.seat.numbering import Numbers
from p2p_sheriff.seat.sharing import Pile, shares
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import ENGLISH, Texts

_PlainMove: TypeAlias = OpenMove | SetAside | HandOver | PayInKind | Trade
"""What is chosen without any module's cards."""


class Narrator:
    """Tells one game with the names of its players."""

    def __init__(
        self, names: Sequence[str], texts: Texts = ENGLISH, me: Seat | None = None, numbers: Numbers | None = None
    ) -> None:
        """Takes the names by seat, the language, who is told: of offers to them, as "you"; and how offers are numbered.

        Without numbers for the whole table, an offer has that of its author.
        """
        self._names, self._texts, self._me, self._numbers = names, texts, me, numbers or {}

    def number(self, author: Seat, number: int) -> int:
        """Returns the number of an offer as people read and type it: from one on, while its author counts from zero."""
        return self._numbers.get((author, number), number + 1)

    def name(self, seat: Seat) -> str:
        """Returns what a player is called."""
        return self._names[seat] if 0 <= seat < len(self._names) else self._texts("narration.loot")

    def names(self, seats: Iterable[Seat]) -> str:
        """Returns what several players are called together."""
        return Words(self._texts).listed([self.name(seat) for seat in seats])

    def tell(self, before: State, item: Input, after: State) -> list[str]:
        """Returns the sentences about one input; none if there is nothing to see."""
        sentence, gold = self._sentence(before, item), self._gold(before, after)
        causes = " ".join(modules.by_itself(self._texts, self.name, before, after)) if gold else ""
        is_paid_for = not causes or isinstance(before.todo[0], _PAID)
        told = [" ".join(filter(None, (sentence, causes, gold)))] if is_paid_for else [sentence, f"{causes} {gold}"]
        lines = list(filter(None, told))
        is_new = (before.round, before.phase) != (after.round, after.phase)  # Without cards, a market ends a round too.
        if is_new and after.phase is Phase.MARKET:
            lines.append(self._new_round(after))
        if before.round == after.round and before.phase is not after.phase and after.phase in _TOLD_PHASES:
            is_shared = after.phase is Phase.INSPECT and len(after.officers) > 1
            lines.append(self._texts(f"begins.{after.phase.name.lower()}{'_deputies' if is_shared else ''}"))
        return lines

    def _new_round(self, state: State) -> str:
        names = self.names(state.officers)
        if len(state.officers) == 1:
            return self._texts("narration.round_sheriff", round=state.round, names=names)
        return self._texts("narration.round_deputies", round=state.round, names=names)

    def _gold(self, before: State, after: State) -> str:
        changes = [
            f"{self.name(seat)} {after[seat].gold - before[seat].gold:+d}"
            for seat in after.setup.seats
            if after[seat].gold != before[seat].gold
        ]
        return self._texts("narration.gold_changes", changes=", ".join(changes)) if changes else ""

    def _sentence(self, state: State, item: Input) -> str:
        texts = self._texts
        if isinstance(item, PackFact | ModuleMove):
            return modules.sentence(texts, self.name, state, item)
        match item:
            case Shuffled(cards):
                return texts("narration.shuffled", n=cards)
            case Reshuffled(cards):
                return texts("narration.reshuffled", n=cards)
            case Redealt(cards):
                return texts("narration.redealt", n=cards)
            case Coin(Purpose.FIRST_SHERIFF):
                return texts("narration.coin", purpose=texts("narration.coin_sheriff"))
            case Coin():
                return texts("narration.coin", purpose=texts("narration.coin_deputies", round=state.round + 1))
            case Drawn(seat, handles):
                is_told_later = isinstance(state.todo[0], TurnUp)
                return "" if is_told_later else texts("narration.draws", name=self.name(seat), n=len(handles))
            case Shown(seat, cards):
                return self._showing(state, seat, cards) if cards else ""
            case Proved(seat, handles, proved):
                return self._proof(state, seat, len(handles), proved) if handles else ""
            case Opened(seat, handles):
                return texts("narration.opened", name=self.name(seat), n=len(handles))
            case Given() if isinstance(state.todo[0], GiveCards) and state.todo[0].zone is Zone.PILES:
                return ""  # All saw what was taken when it was said.
            case Given(giver, receiver, handles):
                names = {"giver": self.name(giver), "receiver": self.name(receiver)}
                return texts("narration.given", **names, n=len(handles))
            case TimeUp():
                return texts("narration.time_up")
            case Left(seats):
                return texts("narration.left", names=self.names(seats), n=len(seats))
            case Rearranged():
                return ""
            case _:
                return self._choice(state, item)

    def _showing(self, state: State, seat: Seat, cards: Sequence[Claim]) -> str:
        known, name = dict(cards), self.name(seat)
        match state.todo[0]:
            case TurnUp(handles):
                left, right = (
                    self._in_order(known[handle] for handle in pile)
                    for pile in (handles[:TURNED_UP], handles[TURNED_UP:])
                )
                return self._texts("narration.turned_up", name=name, left=left, right=right)
            case ShowAside(_, int(pile)):
                return self._laying(seat, pile, (known[handle] for handle in state[seat].aside))
            case _:
                return self._texts("narration.shows", name=name, goods=self._kinds(cards))

    def _in_order(self, cards: Iterable[Kind]) -> str:
        """Returns cards one by one, as they lie: on a pile their order counts."""
        return ", ".join(self._texts.good(kind, 1) for kind in cards)

    def _laying(self, seat: Seat, pile: int, cards: Iterable[Kind]) -> str:
        key = "narration.lays_right" if pile else "narration.lays_left"
        return self._texts(key, name=self.name(seat), goods=self._in_order(cards))

    def _taking(self, state: State, move: TakeDiscards) -> str:
        taken = [pile[::-1][:count] for pile, count in zip(state.piles, move.counts, strict=True)]
        left, right = (self._in_order(kinds_of(cards)) for cards in taken)
        if left and right:
            return self._texts("narration.takes", name=self.name(move.seat), left=left, right=right)
        key = "narration.takes_left" if left else "narration.takes_right" if right else "narration.takes_none"
        return self._texts(key, name=self.name(move.seat), goods=left or right)

    def _proof(self, state: State, seat: Seat, count: int, proved: Sequence[Kind]) -> str:
        denied = [self._texts.name(kind) for kind in contraband_kinds(state) if kind not in proved]
        if not denied:
            return self._texts("narration.proves", name=self.name(seat), n=count)
        goods = self._texts.either(denied)
        return self._texts("narration.proves_without", name=self.name(seat), n=count, goods=goods)

    def _kinds(self, cards: Iterable[Claim]) -> str:
        return kinds((kind for _, kind in cards), self._texts)

    def _choice(self, state: State, move: _PlainMove) -> str:
        texts = self._texts
        match move:
            case NameFirst(seat, merchant):
                return texts("narration.first", name=self.name(seat), merchant=self.name(merchant))
            case SetAside(seat, ()):
                return texts("narration.keeps", name=self.name(seat))
            case SetAside(seat, handles):
                return texts("narration.aside", name=self.name(seat), n=len(handles))
            case TakeDiscards():
                return self._taking(state, move)
            case LayDown(seat, pile, handles):
                known = state.kinds  # What was set aside is told when it is shown.
                laid = [known[handle] for handle in handles if handle in known]
                return self._laying(seat, pile, laid) if laid else ""
            case Load(seat, _):
                return texts("narration.closes", name=self.name(seat))
            case Declare(seat, count, kind):
                return texts("narration.declares", name=self.name(seat), n=count, goods=texts.good(kind, count))
            case Pass(seat, bag, True):
                return texts("narration.passes_for_nothing", name=self.name(seat), bag=self.name(bag))
            case Pass(seat, bag, _):
                return texts("narration.passes", name=self.name(seat), bag=self.name(bag))
            case Inspect(seat, bag):
                return texts("narration.inspects", name=self.name(seat), bag=self.name(bag))
            case Accept(seat, author, number):
                return self._acceptance(state, seat, (author, number))
            case PayInKind(seat, goods, cards):
                paid = [kind for kind, count in goods for _ in range(count)] + [kind for _, kind in cards]
                return texts("narration.pays_in_kind", name=self.name(seat), goods=kinds(paid, texts))
            case Trade(seat, cards):
                return texts("narration.trades", name=self.name(seat), goods=self._kinds(cards)) if cards else ""
            case Offer() | Withdraw() | Refuse():
                return self.negotiation(move)
            case _:
                return self._deputies(state, move)

    def _acceptance(self, state: State, seat: Seat, wanted: tuple[Seat, int]) -> str:
        """Returns what comes of an acceptance: a merchant's was told when it was said, so that only the deal is new."""
        standing = find_offer(state, *wanted)
        if standing is None:
            return self._texts("narration.accepts_unseen", name=self.name(seat))
        offer = standing.offer
        if seat in state.officers:
            return self._about("accepts", *wanted, name=self.name(seat), offer=self.offer(offer))
        is_closed = {offer.seat, *standing.accepted, seat} >= set(offer.parties)
        return self._texts("narration.agreed", offer=self.offer(offer)) if is_closed else ""

    def _deputies(self, state: State, move: HandOver | Stance | Apart | ShareLoot | PickLoot) -> str:
        texts = self._texts
        match move:
            case HandOver(seat, handles):
                return texts("narration.hands_over", name=self.name(seat), n=len(handles))
            case Stance(seat, bag, verb):
                said = [(word.verb, word.price) for word in state.bag_of(bag).stances if word.seat != seat]
                if said == [(verb, None)]:  # Both say the same: it is done.
                    return texts(f"narration.both_{verb.value}", names=self.names(state.officers), bag=self.name(bag))
                return texts(f"narration.would_{verb.value}", name=self.name(seat), bag=self.name(bag))
            case Apart(seat, bag):
                opener = opener_of(state, bag)
                told = {"opener": self.name(seat if opener is None else opener), "bag": self.name(bag)}
                return texts("narration.apart", name=self.name(seat), **told)
            case ShareLoot(seat, Split() as split):
                if state.todo[0] == ShareOut(split):
                    return texts("narration.agreed", offer=self.split(state, split))
                return texts("narration.proposes", name=self.name(seat), split=self.split(state, split))
            case ShareLoot(seat, _):
                return texts("narration.shares_evenly", name=self.name(seat))
            case PickLoot(seat, _):
                return texts("narration.picks", name=self.name(seat))
            case _:
                assert_never(move)

    def split(self, state: State, split: Split) -> str:
        """Returns what each deputy gets if the Loot is shared like this."""
        portions = zip(state.officers, shares(state.loot, split), strict=True)
        return "; ".join(f"{self.name(seat)}: {self.portion(gold, cards)}" for seat, (gold, cards) in portions) + "."

    def portion(self, gold: int, cards: Pile) -> str:
        """Returns some of the Loot, or all of it."""
        texts, hidden = self._texts, cards.get(None, 0)
        parts = [texts("offer.gold", n=gold)] if gold else []
        parts += [f"{n} {texts.good(kind, n)}" for kind, n in cards.items() if kind is not None and n]
        parts += [texts("offer.stack_blind", n=hidden)] if hidden else []
        return ", ".join(parts) or texts("offer.nothing")

    # -- negotiation

    def negotiation(self, move: Talk | Accept) -> str:
        """Returns a sentence about something said while bags are closed."""
        texts = self._texts
        match move:
            case Offer():
                return self._about("offers", move.seat, move.number, offer=self.offer(move))
            case Withdraw(seat, number):
                return texts("narration.withdraws", name=self.name(seat), number=self.number(seat, number))
            case Refuse(seat, author, number):
                return self._about("refuses_offer", author, number, name=self.name(seat))
            case Accept(seat, author, number):
                return self._about("accepts_offer", author, number, name=self.name(seat))

    def _about(self, key: str, author: Seat, number: int, **told: str) -> str:
        """Returns a sentence about an offer; who is told of an own one is not named in it."""
        whose = f"narration.{key}_yours" if author == self._me else f"narration.{key}"
        return self._texts(whose, author=self.name(author), number=self.number(author, number), **told)

    def offer(self, offer: Offer) -> str:
        """Returns what an offer says: who pays whom for what, in one sentence."""
        if not offer.is_bribe:
            return self._several(offer)
        acts, payment, gift = self.acts(offer), self.payment(offer), offer.gift
        key = "you_pay" if gift.giver == self._me else "pays_you" if gift.receiver == self._me else "pays"
        who = {"payer": self.name(gift.giver), "payee": self.name(gift.receiver)}
        return self._texts(f"offer.{key}", **who, acts=acts, payment=payment)

    def _several(self, offer: Offer) -> str:
        """Returns what a deal of several gifts, a surety or a trade says: each gift by itself, then what is done."""
        texts = self._texts
        parts = [self._gift(offer, gift) for gift in offer.gifts]
        parts += [texts("offer.promise", words=offer.promise)] if offer.promise else []
        gifts = "; ".join(parts) or texts("offer.nothing")
        return (
            texts("offer.several", gifts=gifts, acts=self.acts(offer))
            if offer.acts
            else texts("offer.trade", gifts=gifts)
        )

    def _gift(self, offer: Offer, gift: Gift) -> str:
        payment = self._texts.every(self._things(gift.things)) or self._texts("offer.nothing")
        if gift.condition is not None and offer.acts:
            bag = self.name(offer.acts[0].bag)
            payment = self._texts(f"offer.if_{gift.condition.value}", payment=payment, bag=bag)
        return self._texts("offer.gift", payer=self.name(gift.giver), payee=self.name(gift.receiver), payment=payment)

    def payment(self, offer: Offer) -> str:
        """Returns what is given."""
        parts = [part for gift in offer.gifts for part in self._things(gift.things)]
        parts += [self._texts("offer.promise", words=offer.promise)] if offer.promise else []
        return self._texts.every(parts) or self._texts("offer.nothing")

    def acts(self, offer: Offer) -> str:
        """Returns what is done for it."""
        return self._texts("lists.then").join(self._act(act) for act in offer.acts)

    def _act(self, act: Act) -> str:
        key = f"offer.{act.verb.value}"
        return self._texts(f"{key}_own") if act.bag == self._me else self._texts(key, bag=self.name(act.bag))

    def off(self, offer: Offer, act: Act) -> str:
        """Returns that an offer is gone because this was done with a bag that it was about."""
        key = f"off_{act.verb.value}_own" if act.bag == self._me else f"off_{act.verb.value}"
        return self._about(key, offer.seat, offer.number, bag=self.name(act.bag))

    def _things(self, things: Things) -> list[str]:
        texts = self._texts
        parts = [texts("offer.gold", n=things.gold)] if things.gold else []
        parts += [texts("offer.stall", goods=texts.goods(things.stall))] if things.stall else []
        parts += [texts("offer.stack", goods=texts.goods(things.stack))] if things.stack else []
        parts += [texts("offer.stack_blind", n=things.stack_blind)] if things.stack_blind else []
        parts += [texts("offer.bag", goods=texts.goods(things.bag))] if things.bag else []
        parts += [texts("offer.bag_blind", n=things.bag_blind)] if things.bag_blind else []
        return parts

    # -- the end

    def score_sheet(self, outcome: Outcome) -> list[str]:
        """Returns the full sum of every player, each in a sentence: columns can't be read aloud."""
        texts = self._texts
        lines = [
            texts(
                "score.sum",
                name=self.name(score.seat),
                gold=score.gold,
                goods=sum(one.points for one in score.goods),
                crowns=sum(crown.points for crown in score.crowns),
                total=score.total,
            )
            for score in outcome.scores
        ]
        lines += [self._crown(score.seat, crown) for score in outcome.scores for crown in score.crowns]
        lines += [
            texts("modules.points", name=self.name(score.seat), pack=texts(f"packs.{pack}"), points=points)
            for score in outcome.scores
            for pack, points in score.modules
            if points
        ]
        lines += self.gone(outcome)
        if outcome.ending is Ending.ABANDONED:
            return [*lines, texts("score.abandoned")]
        names = self.names(outcome.winners)
        return [*lines, texts("score.wins" if len(outcome.winners) == 1 else "score.shared_win", names=names)]

    def gone(self, outcome: Outcome) -> list[str]:
        """Returns who has left before the end, and is not in the sums; nothing if all have stayed."""
        stayed = {score.seat for score in outcome.scores}
        gone = [name for seat, name in enumerate(self._names) if seat not in stayed]
        return [self._texts("parting.gone", names=self._texts.every(gone), n=len(gone))] if gone else []

    def _crown(self, seat: Seat, crown: Crown) -> str:
        title = self._texts(f"crowns.{crown.rank.value}.{crown.good}")
        told = {"name": self.name(seat), "crown": title, "points": crown.points}
        if crown.shared > 1:
            return self._texts("score.crown_shared", **told, n=crown.shared)
        return self._texts("score.crown", **told)


_PAID = (Negotiate, ShowBag, Debt, AskLayDown)
"""What is asked when an answer moves gold: whatever else does so comes in the same line."""
_TOLD_PHASES = frozenset({Phase.LOAD, Phase.DECLARE, Phase.INSPECT, Phase.REVEAL})


def kinds(cards: Iterable[Kind], texts: Texts = ENGLISH) -> str:
    """Returns cards by kind and number: '2 apples, 1 silk'."""
    return texts.goods(Counter(cards).items())
