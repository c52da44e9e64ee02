"""What to call for cases about charters, entries, votes, coins and lists of cards, by file and call."""

from collections.abc import Callable
from typing import Any

from protocol import codec, coin
from protocol.charter import Charter, Player, Proposal
from protocol.deck import Card, Change, read_list, verify_lock, verify_strip
from protocol.electorate import Electorate
from protocol.entry import Entry, Head, SignedEntry
from protocol.faults import Fault, FaultCode
from protocol.hashing import digest
from protocol.identity import Identity, PublicIdentity
from protocol.transcript import Transcript
from protocol.zones import Rearrangement, verify_rearrangement
from tests.vectors.reading import GROUP, VERIFIER, Case, context, fields, hexes, point, unhex, value


def charter(case: Case) -> None:
    players = tuple(Player(PublicIdentity.from_bytes(GROUP, unhex(key)), name) for key, name in case["players"])
    nonces = tuple(map(unhex, case["nonces"]))
    made = Charter(Proposal(players, value(case["terms"])), nonces)
    assert (made.to_bytes().hex(), made.game.hex(), made.roster.hex()) == (
        case["encoded"],
        case["game"],
        case["roster"],
    )
    assert digest("proposal", made.proposal.to_value()).hex() == case["proposal"]
    assert [made.proposal.commit_nonce(seat, nonce).hex() for seat, nonce in enumerate(nonces)] == case["commitments"]
    assert Charter.from_bytes(GROUP, unhex(case["encoded"])) == made
    assert Charter.sealed(made.proposal, tuple(map(unhex, case["commitments"])), nonces) == made


def read_charter(case: Case) -> None:
    Charter.from_bytes(GROUP, unhex(case["encoded"]))


def open_nonces(case: Case) -> None:
    proposal = Charter.from_bytes(GROUP, unhex(case["encoded"])).proposal
    Charter.sealed(proposal, tuple(map(unhex, case["commitments"])), tuple(map(unhex, case["nonces"])))


def sign_entry(case: Case) -> None:
    here = Charter.from_bytes(GROUP, unhex(case["charter"]))
    heads = tuple(Head(length, unhex(link)) for length, link in case["heads"])
    made = Entry(here.game, case["author"], heads, case["step"], value(case["payload"]))
    signed = SignedEntry.sign(Identity(unhex(case["secret"])), made)
    assert (signed.body.hex(), signed.signature.hex(), signed.hash.hex()) == (
        case["body"],
        case["signature"],
        case["hash"],
    )
    assert codec.decode(signed.body) == (1, here.game, made.author, made.to_value()[2], made.step, made.payload)
    assert signed.to_bytes().hex() == case["message"]
    assert SignedEntry.from_bytes(here, unhex(case["message"])) == signed


def read_entry(case: Case) -> None:
    SignedEntry.from_bytes(Charter.from_bytes(GROUP, unhex(case["charter"])), unhex(case["message"]))


def delivered(case: Case) -> Transcript:
    here = Transcript(Charter.from_bytes(GROUP, unhex(case["charter"])))
    here.keeps_rivals = True
    for message in case["entries"]:
        found = list(here.receive(SignedEntry.from_bytes(here.charter, unhex(message))))
        assert {event.code for event in found if isinstance(event, Fault)} <= {FaultCode.EQUIVOCATION}
    assert len(here.delivered) == len(case["entries"])
    return here


def canonical_order(case: Case) -> None:
    here = delivered(case)
    assert [signed.to_bytes().hex() for signed in here.in_order()] == [case["entries"][at] for at in case["expected"]]


def best_ballots(case: Case) -> None:
    here = delivered(case)
    best = here.ballots.best(here.history.past, here.tips)
    assert [[one.attempt, list(one.out), hexes(one.votes)] for one in best] == case["certificates"]
    assert list(here.ballots.remaining(best)) == case["remaining"]
    cut = sorted(here.cut(best).items())
    assert [[seat, head.length, head.hash.hex()] for seat, head in cut] == case["cut"]


def refused_vote(case: Case) -> None:
    here = delivered(case)
    vote = SignedEntry.from_bytes(here.charter, unhex(case["message"])).entry
    past = here.history.past_of(vote)
    Electorate(here, None).check_vote(vote, past, here.ballots.best(past, vote.heads))


def tossed(case: Case) -> None:
    here, shares = fields(case["context"]), [unhex(share) for share in case["shares"]]
    for seat, share, made in zip(case["seats"], shares, case["commitments"], strict=True):
        assert coin.commit_share(here, seat, share).hex() == made
        coin.verify_share(unhex(made), here, seat, share)
    assert coin.toss(here, shares, case["sides"]) == case["expected"]
    assert int.from_bytes(digest("coin", here, tuple(shares))) % case["sides"] == case["expected"]


def reveal_share(case: Case) -> None:
    coin.verify_share(unhex(case["commitment"]), fields(case["context"]), case["seat"], unhex(case["share"]))


def cards(written: Any) -> tuple[Card, ...]:
    return tuple(Card(point(X), tuple((seat, point(key)) for seat, key in locks)) for X, locks in written)


def change(written: Any) -> Change:
    return Change(*map(unhex, written))


def laid_list(case: Case) -> None:
    assert read_list(GROUP, case["seat"], cards(case["before"]), change(case["change"])) == cards(case["after"])


def locked(case: Case) -> None:
    here = context(case["context"])
    assert verify_lock(GROUP, here, case["seat"], cards(case["before"]), change(case["change"])) == cards(case["after"])


def stripped(case: Case) -> None:
    here = context(case["context"])
    after = verify_strip(GROUP, here, case["seat"], cards(case["before"]), change(case["change"]))
    assert after == cards(case["after"])


def rearranged(case: Case) -> None:
    made = Rearrangement(case["gather"] and change(case["gather"]), change(case["change"]))
    here, before = context(case["context"]), cards(case["before"])
    assert verify_rearrangement(GROUP, here, case["seat"], before, made, VERIFIER) == cards(case["after"])


def dealt_around(case: Case) -> None:
    assert set(case["copies"]) < {X for X, _ in case["before"]}
    assert [X for X, _ in case["before"] if X not in case["copies"]] == case["left"]


TABLE_REPLAYS: dict[str, Callable[[Case], None]] = {
    "ballots.best": best_ballots,
    "ballots.vote": refused_vote,
    "charter.charter": charter,
    "charter.open": open_nonces,
    "charter.read": read_charter,
    "coin.reveal": reveal_share,
    "coin.toss": tossed,
    "deck.gap": dealt_around,
    "deck.list": laid_list,
    "deck.lock": locked,
    "deck.rearrange": rearranged,
    "deck.strip": stripped,
    "entry.read": read_entry,
    "entry.sign": sign_entry,
    "order": canonical_order,
}
