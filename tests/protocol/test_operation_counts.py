"""The operation counts that docs/protocol.md states as formulas are the ones that the code has."""

import re
from pathlib import Path

import pytest

from protocol.cipher import Lock, card_points
from protocol.counting import CountingGroup
from protocol.group import Edwards25519
from protocol.proofs import dleq, membership, shuffle
from protocol.proofs.pedersen import generators, second_base
from tests.drbg import Drbg
from tests.protocol.contexts import HERE
from tests.protocol.shuffles import chain_of_shuffles

SPECIFICATION = Path(__file__).parents[2] / "docs" / "protocol.md"
Counts = dict[str, int]


def stated(section: str, row: str, **letters: int) -> Counts:
    """Evaluates a row of the table of operations in a section; columns are operations, an empty cell is 0."""
    text = SPECIFICATION.read_text("utf-8").split(f"\n### {section}", 1)[1].split("\n### ", 1)[0]
    table = next(block for block in text.split("\n\n") if block.startswith("| | mul"))
    header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    cells = next(cells for cells in rows if cells[0] == row)
    return {
        name.split(" or ")[0]: value(cell, letters)
        for name, cell in zip(header[1:], cells[1:], strict=True)
        if value(cell, letters)
    }


def value(formula: str, letters: Counts) -> int:
    assert re.fullmatch(r"[\w +*-]*", formula), formula
    product = re.sub(r"(\d)\s*(?=[A-Za-z])", r"\1*", formula)
    return int(eval(product, {"__builtins__": {}}, letters)) if formula else 0  # noqa: S307 - a formula of our own.


@pytest.fixture(scope="module")
def group() -> CountingGroup:
    return CountingGroup(Edwards25519())


def counted(group: CountingGroup) -> Counts:
    """Additions and subtractions cost the same and are stated together where both occur."""
    counts = dict(group.counts)
    group.counts.clear()
    return counts


@pytest.mark.parametrize("replaces", [False, True])
@pytest.mark.parametrize("n", [1, 2, 12])
def test_equality_proofs_cost_what_is_stated(group: CountingGroup, rng: Drbg, n: int, replaces: bool) -> None:
    lock, case = Lock.generate(group, rng), ", A = G"
    if replaces:
        lock, case = lock.replacing(group, Lock.generate(group, rng)), ""
    cards = card_points(group, "goods", n)
    statement = dleq.Equality(lock.base, lock.public, cards, tuple(lock.close(group, cards)))
    group.counts.clear()
    proof = dleq.prove(group, HERE, [statement], [lock.k], rng)
    assert counted(group) == stated("Why EQ holds", f"prove{case}", n=n)
    dleq.verify(group, HERE, [statement], proof)
    counts = counted(group)
    counts["add"] = counts.get("add", 0) + counts.pop("sub")
    assert counts == stated("Why EQ holds", f"verify{case}", n=n)


@pytest.mark.parametrize("N", [2, 3, 17, 60])
def test_shuffle_proofs_cost_what_is_stated(group: CountingGroup, rng: Drbg, N: int) -> None:
    lock = Lock.generate(group, rng)
    cards = card_points(group, "goods", N)
    generators(group, N)
    group.counts.clear()
    preparation = shuffle.prepare(group, N, rng)
    assert counted(group) == stated("Operations of SH", "prepare", N=N)
    statement = shuffle.shuffle(group, preparation, lock, cards)
    assert counted(group) == stated("Operations of SH", "shuffle", N=N)
    proof = shuffle.prove(group, HERE, statement, lock.k, preparation)
    assert counted(group) == stated("Operations of SH", "prove", N=N)
    shuffle.ShuffleProof.from_bytes(group, proof.to_bytes(), N)
    assert counted(group) == stated("Operations of SH", "read a proof", N=N)
    shuffle.verify(group, HERE, statement, proof, rng)
    assert counted(group) == stated("Operations of SH", "verify", N=N)


@pytest.mark.parametrize("n", [2, 4, 6])
@pytest.mark.parametrize("N", [2, 17])
def test_a_chain_of_shuffles_costs_what_is_stated(group: CountingGroup, rng: Drbg, N: int, n: int) -> None:
    links = chain_of_shuffles(group, N, n, rng)
    for own in range(n):
        others = [link for seat, link in enumerate(links) if seat != own]
        lists = {cards for link in others for cards in (link.statement.inputs, link.statement.outputs)}
        group.counts.clear()
        shuffle.verify_chain(group, others, rng)
        counts = counted(group)
        assert counts == stated("Operations of SH", "verify a chain", N=N, L=len(lists), m=n - 1)
        assert counts["mul"] <= N * (n + 2) + 10 * (n - 1)


@pytest.mark.parametrize(("sizes", "kappa"), [((1,), 1), ((2,), 1), ((48,), 1), ((48, 48, 48), 1), ((5, 9, 1, 30), 2)])
def test_membership_proofs_cost_what_is_stated(
    group: CountingGroup, rng: Drbg, sizes: tuple[int, ...], kappa: int
) -> None:
    locks = [Lock.generate(group, rng) for _ in range(kappa)]
    cards = card_points(group, "goods", max(sizes))
    claims, openings = [], []
    for i, size in enumerate(sizes):
        lock = locks[i % kappa]
        claims.append(membership.Claim(lock.close(group, cards[:1])[0], lock.public, cards[:size]))
        openings.append(membership.Opening(lock.k, 0))
    n = sum(2 * next(b for b in range(size + 1) if b * b >= size) for size in sizes)
    letters = {"m": len(sizes), "kappa": kappa, "L": max(sizes), "n": n}
    generators(group, 256)
    second_base(group)
    group.counts.clear()
    proof = membership.prove(group, HERE, claims, openings, rng)
    assert counted(group) == stated("Why MB holds", "prove", **letters)
    membership.MembershipProof.from_bytes(group, proof.to_bytes(), claims)
    assert counted(group) == stated("Why MB holds", "read the bytes", **letters)
    membership.verify(group, HERE, claims, proof, rng)
    assert counted(group) == stated("Why MB holds", "verify", **letters)
