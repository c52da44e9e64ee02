"""Several shuffles checked as one: true chains pass, and of false ones the first false link is named."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from protocol.cipher import Lock, card_points
from protocol.counting import CountingGroup
from protocol.deck import Card, Keyring, foresee_list, list_cards, prove_list, read_list, read_proof
from protocol.errors import LocalError, MalformedError
from protocol.group import GENERATOR, IDENTITY, Edwards25519, Group
from protocol.hashing import ORDER
from protocol.proofs import shuffle
from protocol.proofs.shuffle import Attested, FalseLinkError, prepare, verify, verify_chain
from tests.drbg import Drbg
from tests.protocol import shuffle_liar
from tests.protocol.contexts import HERE
from tests.protocol.shuffles import EQUATIONS, chain_of_shuffles

SEATS, CARDS = 4, 5
WEIGHTS = Drbg("weights")


def named(group: Group, links: list[Attested]) -> tuple[int, str]:
    with pytest.raises(FalseLinkError) as caught:
        verify_chain(group, links, WEIGHTS)
    return caught.value.index, caught.value.check


@pytest.mark.parametrize("links", [0, 1, 2, SEATS])
def test_true_shuffles_are_accepted_together(group: Group, rng: Drbg, links: int) -> None:
    verify_chain(group, chain_of_shuffles(group, CARDS, links, rng), rng)


def test_shuffles_that_have_nothing_to_do_with_each_other_are_accepted_together(group: Group, rng: Drbg) -> None:
    links = [link for count in (2, 7, 3) for link in chain_of_shuffles(group, count, 1, rng)]
    verify_chain(group, links, rng)


def wrong_answer(link: Attested) -> Attested:
    s, *rest = link.proof.coefficients
    return link._replace(proof=replace(link.proof, coefficients=((s + 1) % ORDER, *rest)))


def wrong_place(link: Attested) -> Attested:
    return link._replace(context=replace(link.context, step=link.context.step + 1))


def doubled(link: Attested) -> Attested:
    first, _, *rest = link.statement.outputs
    return link._replace(statement=replace(link.statement, outputs=(first, first, *rest)))


def nothing(link: Attested) -> Attested:
    return link._replace(statement=replace(link.statement, image=IDENTITY))


def short(link: Attested) -> Attested:
    return link._replace(proof=replace(link.proof, products=()))


@pytest.mark.parametrize("place", range(SEATS))
@pytest.mark.parametrize(
    ("spoil", "check"),
    [
        (wrong_answer, EQUATIONS),
        (wrong_place, EQUATIONS),
        (doubled, "outputs pairwise distinct"),
        (nothing, "no identity among keys and cards"),
        (short, "a proof for as many cards"),
    ],
)
def test_one_false_link_is_named_wherever_it_stands(
    group: Group, rng: Drbg, place: int, spoil: Callable[[Attested], Attested], check: str
) -> None:
    links = chain_of_shuffles(group, CARDS, SEATS, rng)
    links[place] = spoil(links[place])
    assert named(group, links) == (place, check)


def test_of_two_false_links_the_first_is_named(group: Group, rng: Drbg) -> None:
    links = chain_of_shuffles(group, CARDS, SEATS, rng)
    links[1], links[3] = wrong_answer(links[1]), doubled(links[3])
    assert named(group, links) == (1, EQUATIONS)


def test_errors_of_two_neighbours_that_cancel_in_an_unweighted_sum_are_found(group: Group, rng: Drbg) -> None:
    """One announces T_D + X, the other T_D - X. Sums without weights of their own would not see it."""
    cards, links = card_points(group, "goods", CARDS), list[Attested]()
    for seat, sign in enumerate((1, -1)):
        lock, context = Lock.generate(group, rng), replace(HERE, seat=seat)
        outputs = tuple(lock.close(group, cards))
        false = (group.add(outputs[0], group.mul_base(sign)), *outputs[1:])
        statement = shuffle.Shuffle(GENERATOR, lock.public, cards, false)
        proof = shuffle_liar.lie(group, context, statement, lock.k, range(CARDS), rng)
        links.append(Attested(context, statement, proof))
        cards = false
    assert named(group, links) == (0, EQUATIONS)
    verify_chain(group, chain_of_shuffles(group, CARDS, 2, rng), rng)


# -- lists first, proofs later


class Listed:
    """A list that a seat has laid, and its proof owed."""

    def __init__(self, group: Group, rng: Drbg, *, again: bool) -> None:
        self.group, self.keys = group, Keyring(group, rng)
        self.before = tuple(map(Card, card_points(group, "goods", CARDS)))
        if again:  # In place of the own lock.
            self.before = self.lay(rng)
        self.preparation = prepare(group, CARDS, rng)
        self.change = list_cards(group, 0, self.before, self.keys, self.preparation)
        self.after = read_list(group, 0, self.before, self.change)

    def lay(self, rng: Drbg) -> tuple[Card, ...]:
        change = list_cards(self.group, 0, self.before, self.keys, prepare(self.group, CARDS, rng))
        return read_list(self.group, 0, self.before, change)

    def verify(self, proof: bytes) -> None:
        verify(self.group, *read_proof(self.group, HERE, 0, self.before, self.after, proof), WEIGHTS)


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("lost", [False, True])
def test_a_list_is_proved_later_also_when_its_preparation_was_lost(
    group: Group, rng: Drbg, again: bool, lost: bool
) -> None:
    laid = Listed(group, rng, again=again)
    preparation = None if lost else laid.preparation
    laid.verify(prove_list(group, HERE, 0, laid.before, laid.after, laid.keys, preparation, rng))


def test_a_lost_order_is_found_again_with_other_masks(group: Group, rng: Drbg) -> None:
    laid = Listed(group, rng, again=False)
    key = laid.after[0].key_of(0)
    assert key is not None
    inputs, outputs = (tuple(card.point for card in cards) for cards in (laid.before, laid.after))
    statement = shuffle.Shuffle(GENERATOR, key, inputs, outputs)
    found = shuffle.prepare_again(group, laid.keys[key], statement, rng)
    assert found.order == laid.preparation.order
    one, other = (shuffle.prove(group, HERE, statement, laid.keys[key].k, p) for p in (found, laid.preparation))
    assert not set(one.commitments) & set(other.commitments)
    with pytest.raises(LocalError, match="not shuffled with this lock"):
        shuffle.prepare_again(group, Lock.generate(group, rng), statement, rng)


def test_a_list_brings_no_proof_and_no_card_twice(group: Group, rng: Drbg) -> None:
    laid = Listed(group, rng, again=False)
    with pytest.raises(MalformedError, match="without its proof"):
        read_list(group, 0, laid.before, replace(laid.change, proof=b"x"))
    points = laid.change.points
    with pytest.raises(MalformedError, match="twice"):
        read_list(group, 0, laid.before, replace(laid.change, points=points[:32] + points[:-32]))


def test_a_proof_speaks_of_cards_under_its_authors_lock(group: Group, rng: Drbg) -> None:
    laid = Listed(group, rng, again=False)
    proof = prove_list(group, HERE, 0, laid.before, laid.after, laid.keys, laid.preparation, rng)
    with pytest.raises(MalformedError, match="no lock"):
        read_proof(group, HERE, 1, laid.before, laid.after, proof)


@pytest.mark.parametrize("again", [False, True])
def test_a_list_that_is_put_under_a_lock_while_it_is_read_costs_no_more_and_is_proved_as_any(
    rng: Drbg, *, again: bool
) -> None:
    theirs, keys, counting = Edwards25519(), Keyring(Edwards25519(), rng), CountingGroup(Edwards25519())
    cards = tuple(map(Card, card_points(theirs, "goods", CARDS)))
    if again:  # In place of the own lock.
        cards = read_list(theirs, 1, cards, list_cards(theirs, 1, cards, keys, prepare(theirs, CARDS, rng)))
    laid = list_cards(theirs, 0, cards, Keyring(theirs, rng), prepare(theirs, CARDS, rng))
    lock, preparation = keys.ahead(), prepare(counting, CARDS, rng)
    foresee_list(counting, 1, cards, keys, lock)
    counting.counts.clear()
    before = read_list(counting, 0, cards, laid)
    change = list_cards(counting, 1, before, keys, preparation, lock)
    assert counting.counts["mul"] == CARDS + again  # The public key of what replaces a lock.
    assert change.key == lock.public
    proof = prove_list(theirs, HERE, 1, before, read_list(theirs, 1, before, change), keys, preparation, rng)
    after = read_list(theirs, 1, before, change)
    verify(theirs, *read_proof(theirs, HERE, 1, before, after, proof), WEIGHTS)
