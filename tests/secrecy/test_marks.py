"""What is hidden leaves no mark: in nobody else's memory, not in the transcript, not in the words of any object.

The marks are values that occur once in the world: every secret key, the points of hidden cards, salts of closed bags,
shares of coins, and all other random bytes that a node has drawn. They are looked for in everything that can be reached
from another node's session, as bytes, numbers and text.
"""

import gc
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

import pytest

from p2p_sheriff.rules import Handle, Kind, Seat
from p2p_sheriff.session import secrets
from p2p_sheriff.session.passes import Tossing
from p2p_sheriff.session.session import Session
from protocol import deck
from protocol.codec import Value
from protocol.group import Element, encode_scalar
from protocol.proofs import dleq, membership
from protocol.randomness import Rng, hedged
from tests.secrecy.twins import ANN, BEN, CAT, SHORT, Recorded, Table, deck_of, hand_of, setup_for

MARK = 32
"""Every mark has as many bytes."""

SEATS = [ANN, BEN, CAT]


@cache
def second_round() -> Table:
    """BEN is sheriff; ANN and CAT have closed bags; BEN and CAT have face-down cards; all have hands."""
    setup = setup_for(short=(("apples", 17), ("cheese", 6), *SHORT[2:]))
    with pytest.MonkeyPatch.context() as patch:
        for module in (dleq, membership, deck, secrets):
            patch.setattr(module, "hedged", recorded)
        table = Table(setup, deck_of(setup, "silk", "mead, pepper, silk", "crossbow, pepper, silk"))
        table.until_inspection({BEN: hand_of(BEN)[:2], CAT: hand_of(CAT)[:3]}).passes(BEN, CAT)
        table.until_inspection({})
        for session in table.sessions:  # Public states of before, as the transcript has them: also the deck, unlocked.
            session.table._folding._known.clear()
            session.table._folding.begin = session.table._position
        return table


def recorded(rng: Recorded, purpose: str, *known: Value) -> Rng:
    """Returns the hedged source of masks: what it gives is remembered like what it was made from."""
    source = hedged(rng, purpose, *known)

    def remembering(size: int) -> bytes:
        rng.drawn.append(source(size))
        return rng.drawn[-1]

    return remembering


# -- the marks


def hidden(table: Table, seat: Seat) -> dict[Handle, Kind]:
    """Returns the cards that only this seat knows."""
    return dict(table.view(seat).knowledge.kinds)


def points(table: Table, seat: Seat) -> list[Element]:
    """Returns what these cards are without any lock."""
    session = table.sessions[seat]
    return [session.secrets._open(session.play.cards[handle]) for handle in hidden(table, seat)]


def keys(table: Table, seat: Seat) -> tuple[int, ...]:
    return table.sessions[seat].secrets.keys.secrets()


def drawn(table: Table, seat: Seat) -> set[bytes]:
    """Returns all marks that can be made of the random bytes that a node has drawn: as they are, and as scalars."""
    marks = set[bytes]()
    for data in table.rngs[seat].drawn:
        if len(data) == MARK:
            number = int.from_bytes(data) >> 3
            marks |= {data, data[::-1], encode_scalar(number), encode_scalar(number + 1)}
    return marks


def told(table: Table) -> set[bytes]:
    """Returns what nodes had to tell of their random bytes.

    These are the salts of opened bags, the shares of tossed coins, and masks in proofs of kinds: where a digit's bit is
    not set, the response is the mask itself, as uniform as any other response.
    """
    marks = set[bytes]()
    for signed in table.entries():
        match signed.entry.payload:
            case ((("open", _, bytes(salt)), *_), bytes(proof)):
                marks |= {salt, *responses(proof)}
            case ((("reveal", bytes(share)),), _):
                marks.add(share)
            case (_, bytes(proof)):
                marks |= responses(proof)
            case _:
                pass
    return marks


def responses(proof: bytes) -> set[bytes]:
    return {proof[start : start + MARK] for start in range(0, len(proof), MARK)}


def forms(k: int) -> set[bytes]:
    """Returns a scalar in all ways in which it may have been written."""
    data = encode_scalar(k)
    return {data, data[::-1], data.hex().encode(), data[::-1].hex().encode(), str(k).encode()}


# -- where they are looked for


def reachable(session: Session) -> Iterator[object]:
    """Yields everything that a node holds. What all nodes share anyway, code and classes, is left out."""
    seen: dict[int, object] = {}
    waiting: list[object] = [session]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, type | ModuleType | BuiltinFunctionType):
            continue
        seen[id(thing)] = thing
        yield thing
        match thing:
            case FunctionType():
                waiting += [cell.cell_contents for cell in thing.__closure__ or ()]
            case MethodType():
                waiting.append(thing.__self__)
            case _:
                waiting += gc.get_referents(thing)


def written(things: Iterable[object]) -> bytes:
    """Returns all values among them as one text: bytes, words, and numbers as scalars and as digits."""
    parts = []
    for thing in things:
        match thing:
            case bytes():
                parts.append(bytes(thing))
            case str():
                parts.append(thing.encode(errors="surrogateescape"))
            case bool():
                pass
            case int():
                parts += [encode_scalar(thing), str(thing).encode()]
            case _:
                pass
    return b"\0".join(parts)


def pieces(data: bytes, length: int = MARK) -> set[bytes]:
    return {data[start : start + length] for start in range(len(data) - length + 1)}


@cache
def held(seat: Seat) -> bytes:
    return written(reachable(second_round().sessions[seat]))


@cache
def transcript() -> bytes:
    return b"".join(signed.to_bytes() for signed in second_round().entries())


def is_ours(thing: object) -> bool:
    return type(thing).__module__.split(".")[0] in {"protocol", "p2p_sheriff"}


@cache
def words() -> bytes:
    """Returns what all objects of all nodes say of themselves; a bare point is what it is."""
    said = set[str]()
    for session in second_round().sessions:
        for thing in reachable(session):
            if is_ours(thing) and not isinstance(thing, Element):
                said |= {repr(thing), str(thing)}
    return "\n".join(sorted(said)).encode()


# -- the tests


@pytest.mark.parametrize("seat", SEATS)
def test_the_search_finds_a_seats_marks_in_its_own_memory(seat: Seat) -> None:
    table = second_round()
    found = pieces(held(seat))
    assert all(encode_scalar(k) in found for k in keys(table, seat))
    assert all(M in found for M in points(table, seat))
    assert salt_of(table, seat) in found
    assert all(str(k).encode() in held(seat) for k in keys(table, seat))


@pytest.mark.parametrize("seat", SEATS)
def test_secret_keys_are_nowhere_else(seat: Seat) -> None:
    table = second_round()
    others = [held(other) for other in SEATS if other != seat]
    for k in keys(table, seat):
        for mark in forms(k):
            assert not any(mark in place for place in (*others, transcript(), words()))


@pytest.mark.parametrize("seat", SEATS)
def test_unlocked_points_of_hidden_cards_are_nowhere_else(seat: Seat) -> None:
    table = second_round()
    others = [held(other) for other in SEATS if other != seat]
    assert len(points(table, seat)) >= 6
    for M in points(table, seat):
        for mark in (bytes(M), M[::-1], M.hex().encode()):
            assert not any(mark in place for place in (*others, transcript(), words()))
        assert repr(M).encode() not in words()


@pytest.mark.parametrize("seat", SEATS)
def test_no_random_bytes_of_a_node_are_found_elsewhere_but_those_that_it_had_to_tell(seat: Seat) -> None:
    table = second_round()
    marks = drawn(table, seat) - told(table)
    assert len(marks) > 1000
    for place in (*(held(other) for other in SEATS if other != seat), transcript()):
        assert not marks & pieces(place)


def salt_of(table: Table, seat: Seat) -> bytes:
    bag = table.sessions[seat].secrets.bag
    assert bag is not None
    return bag.salt


@pytest.mark.parametrize("seat", [ANN, CAT])
def test_the_salt_of_a_closed_bag_is_nowhere_else(seat: Seat) -> None:
    table = second_round()
    others = [held(other) for other in SEATS if other != seat]
    assert table.state.bag_of(seat).commitment in transcript()
    assert not any(salt_of(table, seat) in place for place in (*others, transcript(), words()))


def test_the_salt_of_a_bag_that_was_opened_is_found() -> None:
    assert all(salt_of(second_round(), BEN) in place for place in (held(ANN), held(CAT), transcript()))


def pairs(thing: object) -> Iterator[set[object]]:
    """Yields what lies so close together in an object that one thing may say something of another."""
    match thing:
        case dict():
            yield from ({key, value} for key, value in thing.items() if _is_plain(key) and _is_plain(value))
        case tuple() | list() | set() | frozenset():
            yield {part for part in thing if _is_plain(part)}
        case _ if is_ours(thing):
            yield {part for part in gc.get_referents(thing) if _is_plain(part)}
        case _:
            pass


def _is_plain(value: object) -> bool:
    return isinstance(value, int | str | bytes)


def associations(table: Table, holder: Seat, owner: Seat) -> list[set[object]]:
    """Returns where, in the memory of one seat, a hidden card of another one lies beside its kind."""
    play = table.sessions[holder].play
    assert min(hidden(table, owner)) > max(good.count for good in table.setup.goods), "a handle looks like a count"
    names = [({handle, play.cards[handle].point}, kind) for handle, kind in hidden(table, owner).items()]
    return [
        together
        for thing in reachable(table.sessions[holder])
        for together in pairs(thing)
        if any(kind in together and together & name for name, kind in names)
    ]


@pytest.mark.parametrize("seat", SEATS)
def test_nobody_else_holds_a_hidden_card_beside_its_kind(seat: Seat) -> None:
    table = second_round()
    assert associations(table, seat, seat)  # What its owner remembers for a replay: the search finds what is there.
    for other in SEATS:
        assert other == seat or not associations(table, other, seat)


def test_a_share_of_the_coin_is_nowhere_else_before_it_is_revealed() -> None:
    setup = setup_for()
    table = Table(replace(setup, candidates=()), deck_of(setup))
    cat = table.settle_until(CAT, lambda play: isinstance(play.passing, Tossing) and play.passing.is_committed)
    share = cat.secrets.share
    assert share in written(reachable(cat))
    others = [written(reachable(table.sessions[other])) for other in (ANN, BEN)]
    assert not any(share in place for place in (*others, b"".join(signed.to_bytes() for signed in table.entries())))
    table.settle()
    assert any(share in signed.to_bytes() for signed in table.entries())
