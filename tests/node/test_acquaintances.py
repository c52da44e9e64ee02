"""Who is remembered and dialled: strangers announce much that is false, companions are few and never forgotten."""

from p2p_sheriff.node.acquaintances import Acquaintances, Peer
from p2p_sheriff.node.dials import Dials
from p2p_sheriff.node.discovery import Found
from p2p_sheriff.node.limits import Limits
from p2p_sheriff.node.wire import Address
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg

LIMITS = Limits(strangers_known=3, failures=2, dials=3, dials_per_address=2, futile_dials=2)
HOST = "10.0.0.1"


def person(name: str) -> PublicIdentity:
    return Identity.generate(Drbg(f"acquaintance {name}")).public


class World:
    def __init__(self, *companions: PublicIdentity) -> None:
        self.dials = Dials(LIMITS, futile_seconds=10)
        self.known = Acquaintances(LIMITS, self.dials, lambda who: who in companions)

    def find(self, name: str, port: int = 1, now: float = 0) -> bool:
        who = person(name)
        is_taken = self.known.find(Found(who, name, (HOST,), port), now)
        if is_taken:
            peer = self.known.peers.setdefault(who, Peer(name, wanted=True))
            peer.learn((HOST, port))
        return is_taken

    def fail(self, name: str, now: float = 0) -> None:
        self.known.fail(person(name), self.known.peers[person(name)], now)


def test_two_thousand_announcements_leave_a_few_strangers_in_memory() -> None:
    world = World()
    taken = [world.find(f"fake {number}", number + 1) for number in range(200)]
    assert sum(taken) == len(world.known.peers) == LIMITS.strangers_known


def test_a_companion_is_always_taken_and_never_forgotten() -> None:
    world = World(person("Ann"))
    for number in range(10):
        world.find(f"fake {number}", number + 1)
    assert world.find("Ann", 99)
    for _ in range(5 * LIMITS.failures):
        world.fail("Ann")
    assert person("Ann") in world.known.peers


def test_who_was_dialled_in_vain_makes_room_for_the_next_stranger() -> None:
    world = World()
    for number in range(3):
        world.find(f"fake {number}", number + 1)
    world.fail("fake 1")
    assert world.find("newcomer", 50)
    assert person("fake 1") not in world.known.peers


def test_a_stranger_who_is_never_there_is_forgotten_and_left_alone_for_a_while() -> None:
    world = World()
    world.find("ghost", 7)
    world.fail("ghost")
    world.fail("ghost")
    assert not world.known.peers
    assert not world.find("ghost", 7, now=9)
    assert world.find("ghost", 8, now=9), "another port is another node"
    assert world.find("ghost", 7, now=11)


def test_whose_address_the_player_has_typed_is_never_forgotten() -> None:
    world = World()
    world.find("typed", 7)
    world.known.peers[person("typed")].asked_for = True
    for _ in range(5 * LIMITS.failures):
        world.fail("typed")
    assert person("typed") in world.known.peers


def test_strangers_who_only_call_are_forgotten_when_they_hang_up() -> None:
    world = World(person("Ann"))
    for name in ("caller", "Ann"):
        world.known.peers[person(name)] = Peer(name)
        world.known.lose(person(name), world.known.peers[person(name)])
    assert set(world.known.peers) == {person("Ann")}


def test_of_strangers_who_called_and_announced_themselves_few_are_remembered_when_they_hang_up() -> None:
    world = World()
    for number in range(20):
        who = person(f"caller {number}")
        world.known.peers[who] = Peer(wanted=True)
        world.known.lose(who, world.known.peers[who])
    assert len(world.known.peers) == LIMITS.strangers_known


def test_hints_are_about_companions_alone_and_push_no_known_address_out() -> None:
    world = World(person("Ann"))
    world.find("Ann", 1)
    world.find("stranger", 2)
    for port in range(100, 120):
        hints = [Address(person(name).key, "10.9.9.9", port) for name in ("Ann", "stranger", "unheard of")]
        world.known.hint(hints)
    ann, stranger = world.known.peers[person("Ann")], world.known.peers[person("stranger")]
    assert ann.places[0] == (HOST, 1)
    assert len(ann.places) == 5
    assert stranger.places == [(HOST, 2)]
    assert person("unheard of") not in world.known.peers


def test_of_the_addresses_that_one_node_says_to_have_a_few_new_ones_are_remembered() -> None:
    peer = Peer()
    for port in range(100):
        peer.learn((HOST, port))
    assert peer.places == [(HOST, port) for port in range(99, 91, -1)]


def test_dials_to_strangers_are_few_at_once_and_fewer_to_one_machine() -> None:
    dials = World().dials
    assert [dials.begin((HOST, port), 0.0) for port in range(3)] == [True, True, False]
    assert [dials.begin(("10.0.0.2", port), 0.0) for port in range(2)] == [True, False]
    dials.end((HOST, 0))
    assert dials.begin((HOST, 9), 0.0)


def test_dials_to_strangers_have_a_rate_however_fast_they_fail() -> None:
    dials, limits = World().dials, Limits()
    begun = 0
    for step in range(10_000):  # Ten seconds, a thousand tries in each.
        if dials.begin((HOST, step), step / 1000):
            begun += 1
            dials.end((HOST, step))
    assert begun <= limits.dials_in_a_row + 10 * limits.dials_per_second + 1


def test_only_so_many_futile_addresses_are_remembered() -> None:
    dials = World().dials
    dials.leave_alone([(HOST, port) for port in range(5)], 0.0)
    assert [dials.is_futile((HOST, port), 1.0) for port in range(5)] == [False, False, False, True, True]


def test_of_whom_a_crowd_calls_from_elsewhere_nobody_is_looked_up() -> None:
    asked: list[PublicIdentity] = []

    def is_companion(who: PublicIdentity) -> bool:
        asked.append(who)
        return who == person("Ann")

    known = Acquaintances(LIMITS, Dials(LIMITS, futile_seconds=10), is_companion)
    known.peers = {person(name): Peer(name, addresses=[(HOST, 1)]) for name in ("fake", "Ann")}
    assert not known.is_companions_address("10.0.0.2")
    assert not asked
    assert known.is_companions_address(HOST)
