from collections import Counter

import pytest

from protocol.coin import SHARE_BYTES, commit_share, toss, verify_share
from protocol.commitment import commit
from protocol.errors import InvalidOpeningError, LocalError
from tests.drbg import Drbg

CONTEXT = (bytes(range(32)), 3, "first sheriff")
SHARES = [bytes([seat]) * SHARE_BYTES for seat in range(4)]


class TestShares:
    @pytest.fixture
    def commitments(self) -> list[bytes]:
        return [commit_share(CONTEXT, seat, share) for seat, share in enumerate(SHARES)]

    def test_the_share_that_was_committed_to_is_accepted(self, commitments: list[bytes]) -> None:
        for seat, (commitment, share) in enumerate(zip(commitments, SHARES, strict=True)):
            verify_share(commitment, CONTEXT, seat, share)

    @pytest.mark.parametrize("share", [bytes([9]) * 32, b"", bytes(31), bytes([1]) * 33, bytes([1]) * 31 + b"\0"])
    def test_a_changed_share_is_refused(self, commitments: list[bytes], share: bytes) -> None:
        with pytest.raises(InvalidOpeningError):
            verify_share(commitments[1], CONTEXT, 1, share)

    @pytest.mark.parametrize(
        "context", [(bytes(32), 3, "first sheriff"), (CONTEXT[0], 4, "first sheriff"), (CONTEXT[0], 3, "deputies"), ()]
    )
    def test_a_share_of_another_toss_is_refused(
        self, commitments: list[bytes], context: tuple[bytes | int | str]
    ) -> None:
        with pytest.raises(InvalidOpeningError):
            verify_share(commitments[1], context, 1, SHARES[1])

    def test_a_copied_commitment_cant_be_opened_by_the_copier(self, commitments: list[bytes]) -> None:
        with pytest.raises(InvalidOpeningError):
            verify_share(commitments[0], CONTEXT, 1, SHARES[0])

    def test_another_commitment_with_the_same_salt_is_no_share(self) -> None:
        bag = commit(("bag", CONTEXT, 1), b"", SHARES[1])
        with pytest.raises(InvalidOpeningError):
            verify_share(bag, CONTEXT, 1, SHARES[1])

    def test_a_share_of_another_length_cant_be_committed_to(self) -> None:
        with pytest.raises(LocalError):
            commit_share(CONTEXT, 0, bytes(16))


class TestTosses:
    def test_a_toss_depends_on_every_share_their_order_and_its_place(self) -> None:
        sides = 1 << 40
        others = [[*SHARES[:seat], bytes([9]) * 32, *SHARES[seat + 1 :]] for seat in range(4)]
        values = [toss(CONTEXT, shares, sides) for shares in (SHARES, SHARES[::-1], SHARES[:3], *others)]
        values.append(toss((*CONTEXT[:2], "deputies"), SHARES, sides))
        assert len(set(values)) == len(values)

    @pytest.mark.parametrize("honest", range(4))
    @pytest.mark.parametrize("sides", [2, 3, 6])
    def test_one_honest_share_makes_every_side_equally_likely(self, honest: int, sides: int) -> None:
        # All others always play the same shares, which is the best they can do before the honest one is revealed.
        rng, tosses = Drbg(f"coin {honest} {sides}"), 3000
        counts: Counter[int] = Counter()
        for _ in range(tosses):
            shares = [*SHARES[:honest], rng(SHARE_BYTES), *SHARES[honest + 1 :]]
            counts[toss(CONTEXT, shares, sides)] += 1
        expected = tosses / sides
        chi_squared = sum((counts[side] - expected) ** 2 / expected for side in range(sides))
        # Fair coins exceed this once in a thousand seeds (for 5 degrees of freedom; less often for fewer).
        assert chi_squared < 20.5
        assert set(counts) == set(range(sides))

    @pytest.mark.parametrize("sides", [1, 2, 5, 1 << 40])
    def test_a_toss_is_one_of_the_sides(self, sides: int) -> None:
        assert 0 <= toss(CONTEXT, SHARES, sides) < sides

    @pytest.mark.parametrize("sides", [0, -1, (1 << 40) + 1])
    def test_a_coin_without_sides_or_with_too_many_is_the_callers_mistake(self, sides: int) -> None:
        with pytest.raises(LocalError):
            toss(CONTEXT, SHARES, sides)
