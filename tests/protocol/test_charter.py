from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.charter import MAX_NAME_BYTES, MAX_SEATS, NONCE_BYTES, Charter, Player, Proposal
from protocol.codec import Value, decode, encode
from protocol.counting import CountingGroup
from protocol.errors import InvalidOpeningError, LocalError, MalformedError
from protocol.group import Edwards25519, Group
from protocol.identity import PublicIdentity
from tests.drbg import Drbg
from tests.protocol.edwards import P
from tests.protocol.toy import identities

PLAYERS = tuple(Player(one.public, name) for one, name in zip(identities(3), ("Anna", "Ben", "Çağla"), strict=True))
PROPOSAL = Proposal(PLAYERS, ("second", 3, b"options"))
NONCES = tuple(bytes([seat]) * NONCE_BYTES for seat in range(3))
CHARTER = Charter(PROPOSAL, NONCES)


class TestNonces:
    @pytest.fixture
    def commitments(self) -> list[bytes]:
        return [PROPOSAL.commit_nonce(seat, nonce) for seat, nonce in enumerate(NONCES)]

    def test_a_charter_is_sealed_with_the_nonces_that_were_committed_to(self, commitments: list[bytes]) -> None:
        assert Charter.sealed(PROPOSAL, commitments, NONCES) == CHARTER

    @pytest.mark.parametrize("seat", range(3))
    @pytest.mark.parametrize("nonce", [bytes([9]) * 32, b"", bytes(31), bytes(33)])
    def test_a_changed_nonce_is_refused_and_its_seat_named(
        self, commitments: list[bytes], seat: int, nonce: bytes
    ) -> None:
        nonces = [*NONCES[:seat], nonce, *NONCES[seat + 1 :]]
        with pytest.raises(InvalidOpeningError, match=f"seat {seat}"):
            Charter.sealed(PROPOSAL, commitments, nonces)

    @pytest.mark.parametrize("commitment", [b"", bytes(32), bytes(33)])
    def test_a_commitment_to_nothing_is_refused(self, commitments: list[bytes], commitment: bytes) -> None:
        with pytest.raises(InvalidOpeningError, match="seat 1"):
            Charter.sealed(PROPOSAL, [commitments[0], commitment, commitments[2]], NONCES)

    def test_a_commitment_holds_for_its_seat_and_its_proposal_alone(self, commitments: list[bytes]) -> None:
        # Who copies another's commitment, to copy the nonce when it is revealed, can't open it.
        copied = [commitments[0], commitments[0], commitments[2]]
        with pytest.raises(InvalidOpeningError, match="seat 1"):
            Charter.sealed(PROPOSAL, copied, [NONCES[0], NONCES[0], NONCES[2]])
        with pytest.raises(InvalidOpeningError, match="seat 0"):
            Charter.sealed(replace(PROPOSAL, terms="others"), commitments, NONCES)

    @pytest.mark.parametrize("count", [0, 2, 4])
    def test_too_few_or_too_many_are_the_callers_mistake(self, commitments: list[bytes], count: int) -> None:
        with pytest.raises(LocalError):
            Charter.sealed(PROPOSAL, commitments, [*NONCES, NONCES[0]][:count])
        with pytest.raises(LocalError):
            Charter.sealed(PROPOSAL, [*commitments, bytes(32)][:count], NONCES)

    def test_a_nonce_of_another_length_cant_be_committed_to(self) -> None:
        with pytest.raises(LocalError):
            PROPOSAL.commit_nonce(0, bytes(31))


class TestTheIdOfTheGame:
    def test_depends_on_every_field(self) -> None:
        anna, ben, cagla = PLAYERS
        stranger = identities(1, "stranger")[0].public
        others = [
            replace(PROPOSAL, players=(ben, anna, cagla)),
            replace(PROPOSAL, players=(anna, ben)),
            replace(PROPOSAL, players=(replace(anna, name="Hanna"), ben, cagla)),
            replace(PROPOSAL, players=(replace(anna, identity=stranger), ben, cagla)),
            replace(PROPOSAL, terms=("first", 3, b"options")),
            replace(PROPOSAL, terms=None),
        ]
        charters = [CHARTER, *(Charter(one, NONCES[: len(one.players)]) for one in others)]
        charters += [
            Charter(PROPOSAL, (*NONCES[:seat], bytes([7]) * NONCE_BYTES, *NONCES[seat + 1 :])) for seat in range(3)
        ]
        assert len({charter.game for charter in charters}) == len(charters) == 10

    def test_the_roster_depends_on_identities_and_their_order_alone(self) -> None:
        anna, ben, cagla = PLAYERS
        renamed = Charter(Proposal((replace(anna, name="Hanna"), ben, cagla), "others"), NONCES[::-1])
        assert renamed.roster == CHARTER.roster
        assert Charter(Proposal((ben, anna, cagla), PROPOSAL.terms), NONCES).roster != CHARTER.roster


class TestProposals:
    def test_an_identity_takes_one_seat(self) -> None:
        with pytest.raises(LocalError, match="two seats"):
            Proposal((PLAYERS[0], replace(PLAYERS[0], name="another name")), None)

    def test_names_need_not_differ(self) -> None:
        Proposal(tuple(replace(player, name="Anna") for player in PLAYERS), None)

    @pytest.mark.parametrize("count", [0, 1, MAX_SEATS + 1])
    def test_a_table_has_two_seats_or_more_and_not_too_many(self, count: int) -> None:
        players = tuple(Player(one.public, "") for one in identities(count))
        with pytest.raises(LocalError, match="seats"):
            Proposal(players, None)

    def test_a_full_table_is_possible(self) -> None:
        Proposal(tuple(Player(one.public, "") for one in identities(MAX_SEATS)), None)

    @pytest.mark.parametrize("name", ["x" * (MAX_NAME_BYTES + 1), "ж" * (MAX_NAME_BYTES // 2 + 1), "\udcff"])
    def test_a_name_too_long_or_no_text_is_refused(self, name: str) -> None:
        with pytest.raises(LocalError, match="name"):
            Proposal((replace(PLAYERS[0], name=name), PLAYERS[1]), None)

    def test_a_name_is_measured_in_bytes(self) -> None:
        Proposal((replace(PLAYERS[0], name="ж" * (MAX_NAME_BYTES // 2)), PLAYERS[1]), None)


def test_seats_are_found_by_identity() -> None:
    assert [CHARTER.seat_of(player.identity) for player in CHARTER.players] == [0, 1, 2]
    assert CHARTER.seat_of(identities(1, "stranger")[0].public) is None


@pytest.mark.parametrize("nonces", [(), NONCES[:2], (*NONCES, NONCES[0]), (*NONCES[:2], bytes(31))])
def test_a_charter_has_one_nonce_of_every_seat(nonces: tuple[bytes, ...]) -> None:
    with pytest.raises(LocalError):
        Charter(PROPOSAL, nonces)


class TestReadingACharter:
    def test_what_is_sent_is_what_is_read(self, group: Group) -> None:
        assert Charter.from_bytes(group, CHARTER.to_bytes()) == CHARTER

    @staticmethod
    def plain() -> list[Value]:
        return [tuple((player.identity.key, player.name) for player in PLAYERS), PROPOSAL.terms, NONCES]

    @staticmethod
    def read(group: Group, players: Value, terms: Value, nonces: Value) -> Charter:
        return Charter.from_bytes(group, encode(((players, terms), nonces)))

    def test_any_bytes_are_refused_or_are_the_encoding_of_what_they_give(self, group: Group) -> None:
        @given(st.binary(max_size=200))
        def check(data: bytes) -> None:
            self.read_or_refuse(group, data)

        check()

    def test_any_changed_byte_is_refused_or_gives_what_encodes_to_it(self, group: Group) -> None:
        data = CHARTER.to_bytes()

        @given(st.integers(0, len(data) - 1), st.integers(1, 255))
        def check(place: int, change: int) -> None:
            changed = data[:place] + bytes([data[place] ^ change]) + data[place + 1 :]
            self.read_or_refuse(group, changed)

        check()

    @staticmethod
    def read_or_refuse(group: Group, data: bytes) -> None:
        try:
            charter = Charter.from_bytes(group, data)
        except MalformedError:
            return
        assert charter.to_bytes() == data
        assert data == CHARTER.to_bytes() or charter.game != CHARTER.game

    def test_truncated_or_extended_is_refused(self, group: Group) -> None:
        data = CHARTER.to_bytes()
        for end in range(len(data)):
            with pytest.raises(MalformedError):
                Charter.from_bytes(group, data[:end])
        with pytest.raises(MalformedError):
            Charter.from_bytes(group, data + b"\0")

    @pytest.mark.parametrize(
        "players",
        [
            (),
            ((PLAYERS[0].identity.key, "alone"),),
            None,
            ("Anna", "Ben"),
            (
                (PLAYERS[0].identity.key, "Anna"),
                (PLAYERS[0].identity.key, "Anna again"),
                (PLAYERS[1].identity.key, "Ben"),
            ),
            ((PLAYERS[0].identity.key, b"Anna"), (PLAYERS[1].identity.key, "Ben"), (PLAYERS[2].identity.key, "")),
            ((PLAYERS[0].identity.key, "x" * 65), (PLAYERS[1].identity.key, "Ben"), (PLAYERS[2].identity.key, "")),
            ((PLAYERS[0].identity.key[:31], "Anna"), (PLAYERS[1].identity.key, "Ben"), (PLAYERS[2].identity.key, "")),
        ],
    )
    def test_wrong_players_are_refused(self, group: Group, players: Value) -> None:
        with pytest.raises(MalformedError):
            self.read(group, players, None, NONCES)

    @pytest.mark.parametrize(
        "key",
        [
            bytes(32),
            (1).to_bytes(32, "little"),
            (P - 1).to_bytes(32, "little"),
            (P + 1).to_bytes(32, "little"),
            b"\xff" * 32,
        ],
        ids=["order four", "identity", "order two", "not canonical", "no point"],
    )
    def test_a_key_that_is_no_key_is_refused(self, group: Group, key: bytes) -> None:
        players = ((key, "Anna"), *((player.identity.key, player.name) for player in PLAYERS[1:]))
        with pytest.raises(MalformedError):
            self.read(group, players, None, NONCES)

    @pytest.mark.parametrize(
        "nonces", [(), NONCES[:2], (*NONCES, NONCES[0]), (*NONCES[:2], bytes(31)), (*NONCES[:2], 5), None]
    )
    def test_wrong_nonces_are_refused(self, group: Group, nonces: Value) -> None:
        with pytest.raises(MalformedError):
            self.read(group, self.plain()[0], None, nonces)

    def test_terms_nested_as_deeply_as_bytes_allow_are_read_or_refused(self, group: Group) -> None:
        terms: Value = 1
        for depth in range(1, 16):
            terms = (terms,)
            try:
                data = encode(((self.plain()[0], terms), NONCES))
            except LocalError:
                assert depth > 12
                return
            self.read_or_refuse(group, data)

    def test_a_crowd_is_refused_before_any_of_its_keys_is_checked(self) -> None:
        group = CountingGroup(Edwards25519())
        crowd = tuple((bytes(32), "x") for _ in range(1000))
        with pytest.raises(MalformedError):
            self.read(group, crowd, None, NONCES)
        assert group.counts["decode"] == 0

    def test_the_layout(self) -> None:
        players, terms, nonces = self.plain()
        assert decode(CHARTER.to_bytes()) == ((players, terms), nonces)


@given(st.binary(min_size=32, max_size=32), st.text(max_size=16))
def test_charters_of_honest_players_survive_the_wire(seed: bytes, name: str) -> None:
    group = Edwards25519()
    rng = Drbg(seed.hex())
    key = bytes(group.mul_base(int.from_bytes(rng(31)) + 1))
    players = (*PLAYERS, Player(PublicIdentity(key), name))
    charter = Charter(Proposal(players, seed), (*NONCES, seed))
    assert Charter.from_bytes(group, charter.to_bytes()) == charter
