"""What happens at the table, told in sentences: for the line mode, the demo and the log."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import assert_never

from p2p_sheriff.rules import Claim, Ending, Input, Kind, Outcome, Phase, Seat, State
from p2p_sheriff.rules.facts import (
    Coin,
    Drawn,
    Given,
    Left,
    Opened,
    Proved,
    Rearranged,
    Redealt,
    Reshuffled,
    Shown,
    Shuffled,
    TimeUp,
)
from p2p_sheriff.rules.law import contraband_kinds
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Alone,
    Confirm,
    Declare,
    HandOver,
    Inspect,
    LayDown,
    Load,
    Move,
    NameFirst,
    Offer,
    Pass,
    PayInKind,
    PickLoot,
    SetAside,
    ShareLoot,
    Stance,
    TakeDiscards,
    Things,
    Trade,
    Verb,
    Withdraw,
)
from p2p_sheriff.rules.phases import Purpose
from p2p_sheriff.rules.scoring import Crown
from p2p_sheriff.texts import ENGLISH, Texts


class Narrator:
    """Tells one game with the names of its players."""

    def __init__(self, names: Sequence[str], texts: Texts = ENGLISH) -> None:
        """Takes the names by seat, and the language to tell it in."""
        self._names, self._texts = names, texts

    def name(self, seat: Seat) -> str:
        """Returns what a player is called."""
        return self._names[seat] if 0 <= seat < len(self._names) else self._texts("narration.loot")

    def names(self, seats: Iterable[Seat]) -> str:
        """Returns what several players are called together."""
        return self._texts.every(self.name(seat) for seat in seats)

    def tell(self, before: State, item: Input, after: State) -> list[str]:
        """Returns the sentences about one input; none if there is nothing to see."""
        lines = []
        if sentence := self._sentence(before, item):
            lines.append(" ".join(filter(None, (sentence, self._gold(before, after)))))
        if before.round != after.round and after.phase is not Phase.OVER:
            lines.append(self._new_round(after))
        if before.round == after.round and before.phase is not after.phase and after.phase in _TOLD_PHASES:
            lines.append(self._texts(f"begins.{after.phase.name.lower()}"))
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
                return texts("narration.draws", name=self.name(seat), n=len(handles))
            case Shown(seat, cards):
                return texts("narration.shows", name=self.name(seat), goods=self._kinds(cards)) if cards else ""
            case Proved(seat, handles, proved):
                return self._proof(state, seat, len(handles), proved) if handles else ""
            case Opened(seat, handles):
                return texts("narration.opened", name=self.name(seat), n=len(handles))
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

    def _proof(self, state: State, seat: Seat, count: int, proved: Sequence[Kind]) -> str:
        denied = [self._texts.name(kind) for kind in contraband_kinds(state) if kind not in proved]
        if not denied:
            return self._texts("narration.proves", name=self.name(seat), n=count)
        goods = self._texts.either(denied)
        return self._texts("narration.proves_without", name=self.name(seat), n=count, goods=goods)

    def _kinds(self, cards: Iterable[Claim]) -> str:
        return kinds((kind for _, kind in cards), self._texts)

    def _choice(self, state: State, move: Move) -> str:
        texts = self._texts
        match move:
            case NameFirst(seat, merchant):
                return texts("narration.first", name=self.name(seat), merchant=self.name(merchant))
            case SetAside(seat, ()):
                return texts("narration.keeps", name=self.name(seat))
            case SetAside(seat, handles):
                return texts("narration.aside", name=self.name(seat), n=len(handles))
            case TakeDiscards(seat, (left, right)):
                return texts("narration.takes", name=self.name(seat), left=left, right=right)
            case LayDown(seat, 0, handles):
                return texts("narration.lays_left", name=self.name(seat), n=len(handles))
            case LayDown(seat, _, handles):
                return texts("narration.lays_right", name=self.name(seat), n=len(handles))
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
            case Offer() | Withdraw():
                return self.negotiation(move)
            case _:
                return self._deputies(move)

    def _acceptance(self, state: State, seat: Seat, wanted: tuple[Seat, int]) -> str:
        for standing in state.offers:
            if (standing.offer.seat, standing.offer.number) == wanted:
                return self._texts("narration.accepts", name=self.name(seat), offer=self.offer(standing.offer))
        return self._texts("narration.accepts_unseen", name=self.name(seat))

    def _deputies(self, move: HandOver | Stance | Confirm | Alone | ShareLoot | PickLoot) -> str:
        texts = self._texts
        match move:
            case HandOver(seat, handles):
                return texts("narration.hands_over", name=self.name(seat), n=len(handles))
            case Stance(seat, bag, Verb.PASS):
                return texts("narration.would_pass", name=self.name(seat), bag=self.name(bag))
            case Stance(seat, bag, _):
                return texts("narration.would_inspect", name=self.name(seat), bag=self.name(bag))
            case Confirm(seat, bag):
                return texts("narration.confirms", name=self.name(seat), bag=self.name(bag))
            case Alone(seat, bag):
                return texts("narration.alone", name=self.name(seat), bag=self.name(bag))
            case ShareLoot(seat, None):
                return texts("narration.shares_evenly", name=self.name(seat))
            case ShareLoot(seat, _):
                return texts("narration.shares_otherwise", name=self.name(seat))
            case PickLoot(seat, _):
                return texts("narration.picks", name=self.name(seat))
            case _:
                assert_never(move)

    # -- negotiation

    def negotiation(self, move: Offer | Withdraw | Accept) -> str:
        """Returns a sentence about something said while bags are closed."""
        texts = self._texts
        match move:
            case Offer():
                return texts("narration.offers", name=self.name(move.seat), offer=self.offer(move))
            case Withdraw(seat, number):
                return texts("narration.withdraws", name=self.name(seat), number=number)
            case Accept(seat, author, number):
                names = {"name": self.name(seat), "author": self.name(author)}
                return texts("narration.accepts_offer", **names, number=number)

    def offer(self, offer: Offer) -> str:
        """Returns what an offer says."""
        acts = self._texts("lists.then").join(self._act(act) for act in offer.acts)
        parts = [part for gift in offer.gifts for part in self._things(gift.things)]
        parts += [self._texts("offer.promise", words=offer.promise)] if offer.promise else []
        payment = self._texts.every(parts) or self._texts("offer.nothing")
        givers = dict.fromkeys(gift.giver for gift in offer.gifts) or (offer.seat,)
        return self._texts("offer.whole", acts=acts, payment=payment, payer=self.names(givers))

    def _act(self, act: Act) -> str:
        if act.verb is Verb.PASS:
            return self._texts("offer.pass", bag=self.name(act.bag))
        return self._texts("offer.inspect", bag=self.name(act.bag))

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
        if outcome.ending is Ending.ABANDONED:
            return [*lines, texts("score.abandoned")]
        names = self.names(outcome.winners)
        return [*lines, texts("score.wins" if len(outcome.winners) == 1 else "score.shared_win", names=names)]

    def _crown(self, seat: Seat, crown: Crown) -> str:
        title = self._texts(f"crowns.{crown.rank.value}.{crown.good}")
        told = {"name": self.name(seat), "crown": title, "points": crown.points}
        if crown.shared > 1:
            return self._texts("score.crown_shared", **told, n=crown.shared)
        return self._texts("score.crown", **told)


_TOLD_PHASES = frozenset({Phase.LOAD, Phase.DECLARE, Phase.INSPECT, Phase.REVEAL})


def kinds(cards: Iterable[Kind], texts: Texts = ENGLISH) -> str:
    """Returns cards by kind and number: '2 apples, 1 silk'."""
    return texts.goods(Counter(cards).items())
