"""What a player does with cards of the own zones: rearrange them, and say what they are (docs/protocol.md, Zones)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from protocol.deck import Card, Change, Keyring, Owed, lock_cards, read_lock, read_shuffle, shuffle_cards
from protocol.errors import LocalError, MalformedError, judging
from protocol.group import Element, Group
from protocol.proofs import membership
from protocol.proofs.context import Context
from protocol.proofs.draft import Draft, taken
from protocol.proofs.shuffle import Preparation, verify
from protocol.randomness import Rng
from protocol.typed import Plain


@dataclass(frozen=True, slots=True)
class Rearrangement(Plain):
    """A zone laid anew: its cards under one fresh key, in an order that only the owner knows."""

    gather: Change | None
    """Where the cards were under several keys: all of them under one, in the old order."""
    change: Change


@dataclass(frozen=True, slots=True, repr=False)
class Rearranged:
    """What the owner gets: the entry's part, and the secret order."""

    rearrangement: Rearrangement
    order: tuple[int, ...]
    """New place -> old place."""


def rearrange(
    group: Group,
    context: Context,
    seat: int,
    cards: Sequence[Card],
    keys: Keyring,
    rng: Rng,
    prepare: Callable[[int], Preparation],
) -> Rearranged:
    """Lays one or more cards of a zone anew, all of them under the own lock alone.

    Args:
        group: Where the cards are.
        context: The place of the first proof; the second has the next index.
        seat: The owner.
        cards: All hidden cards of the zone.
        keys: The owner's keys.
        rng: The source of proofs' masks.
        prepare: Gives a preparation for that many cards: made ahead of time, or now.

    Raises:
        LocalError: There are no cards, or one is not under the own lock alone.
    """
    _need_held(cards, seat)
    if len(cards) == 1:
        return Rearranged(Rearrangement(None, lock_cards(group, context, seat, cards, keys, rng)), (0,))
    gather = None
    if _several_keys(cards, seat):
        gather = lock_cards(group, context, seat, cards, keys, rng)
        cards, _ = read_lock(group, context, seat, cards, gather)
        context = replace(context, index=context.index + 1)
    preparation = prepare(len(cards))
    change = shuffle_cards(group, context, seat, cards, keys, preparation)
    if gather is not None:
        keys.forget(cards[0].locks[0][1])
    return Rearranged(Rearrangement(gather, change), preparation.order)


@judging()
def read_rearrangement(
    group: Group, context: Context, seat: int, cards: Sequence[Card], rearrangement: Rearrangement, rng: Rng
) -> tuple[tuple[Card, ...], Owed]:
    """Returns the cards of the zone as they lie now, and the check of its proofs, which must come before they are used.

    Raises:
        MalformedError: The rearrangement is not for such a zone.
    """
    _need_held(cards, seat)
    if (rearrangement.gather is not None) != (len(cards) > 1 and _several_keys(cards, seat)):
        raise MalformedError("cards are gathered under one key exactly where they are under several")
    if len(cards) == 1:
        return read_lock(group, context, seat, cards, rearrangement.change)
    owed: list[Owed] = []
    if rearrangement.gather is not None:
        cards, check = read_lock(group, context, seat, cards, rearrangement.gather)
        owed.append(check)
        context = replace(context, index=context.index + 1)
    new, link = read_shuffle(group, context, seat, cards, rearrangement.change)

    def check_all() -> None:
        for check in owed:
            check()
        verify(group, *link, rng)

    return new, check_all


def verify_rearrangement(
    group: Group, context: Context, seat: int, cards: Sequence[Card], rearrangement: Rearrangement, rng: Rng
) -> tuple[Card, ...]:
    """Returns the cards of the zone as they lie now.

    Raises:
        MalformedError: The rearrangement is not for such a zone.
        InvalidProofError: They are not the cards that lay there.
    """
    new, check = read_rearrangement(group, context, seat, cards, rearrangement, rng)
    check()
    return new


@dataclass(frozen=True, slots=True)
class Statement:
    """A card of one seat is one of these labels of its deck."""

    card: Card
    among: tuple[Element, ...]

    def claim(self, seat: int) -> membership.Claim:
        """Returns what is to be proved about a card under that seat's lock alone."""
        if not self.card.is_held_by(seat):
            raise LocalError(f"only a card under the lock of seat {seat} alone can be spoken of")
        return membership.Claim(self.card.point, self.card.locks[0][1], self.among)


def prove_statements(
    group: Group,
    context: Context,
    seat: int,
    statements: Sequence[Statement],
    labels: Sequence[Element],
    keys: Keyring,
    rng: Rng,
    masks: membership.Masks | None = None,
    drafts: Sequence[Draft | None] = (),
) -> bytes:
    """Returns one merged proof of all statements; ``labels`` are the points M that the cards really are.

    What was prepared for it is used up: masks, and a draft for each statement, where there is one.

    Raises:
        LocalError: There is nothing to prove, a statement is false, or it is about a card that somebody else holds.
    """
    claims = [statement.claim(seat) for statement in statements]
    if any(M not in claim.among for claim, M in zip(claims, labels, strict=True)):
        raise LocalError("a statement about a card is false: nobody could prove it")
    openings = [
        membership.Opening(keys[claim.key].k, claim.among.index(M)) for claim, M in zip(claims, labels, strict=True)
    ]
    return membership.prove(group, context, claims, openings, rng, masks, taken(drafts)).to_bytes()


@judging()
def verify_statements(
    group: Group, context: Context, seat: int, statements: Sequence[Statement], proof: bytes, rng: Rng
) -> None:
    """Returns if all statements are true.

    Raises:
        MalformedError: The proof is not for such statements.
        InvalidProofError: One is false.
    """
    claims = [statement.claim(seat) for statement in statements]
    membership.verify(group, context, claims, membership.MembershipProof.from_bytes(group, proof, claims), rng)


def _need_held(cards: Sequence[Card], seat: int) -> None:
    if not cards or not all(card.is_held_by(seat) for card in cards):
        raise LocalError(f"what seat {seat} rearranges are cards, one or more, under its own lock alone")


def _several_keys(cards: Sequence[Card], seat: int) -> bool:
    return len({card.key_of(seat) for card in cards}) > 1
