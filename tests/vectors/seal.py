"""The result that all sign, from what lies in front of everybody when a game is over."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_sheriff.rules import Card, Ending, Handle, Kind, Phase, Seat, Setup, State, new_game, outcome
from p2p_sheriff.session.result import result_digest, result_value
from p2p_sheriff.session.terms import setup_to_value
from protocol.codec import encode
from protocol.hashing import PROTOCOL
from tests.vectors.notation import BYTES, TYPED, Case, VectorFile, prose, typed

DESCRIPTION = prose(
    f"""
    The seal. At a table with `terms` (terms.json), in the game `game`, everybody who is still in has the gold, and the
    goods by kind on the stall and the revealed stack, and the black-market cards that `players` say ([seat, gold,
    stall, stack, prizes]). The game has ended by `ending`. Then `outcome` is the result as it is hashed
    (docs/protocol.md, Result and seal), `encoded` the encoding (codec.json) of ["{PROTOCOL}", "result", [`game`,
    `outcome`]], and `expected`, the first 32 bytes of its SHA-512, is what every seat seals. There is nothing to
    refuse.
    """
)
GAME = bytes(range(32))


@dataclass(frozen=True)
class Seated:
    """What somebody has at the end."""

    seat: int
    gold: int
    stall: str = ""
    stack: str = ""
    prizes: tuple[Kind, ...] = ()


def kinds(text: str) -> tuple[Kind, ...]:
    """Reads goods such as `4 apples, 1 crossbow`."""
    pairs = (part.strip().split(" ", 1) for part in text.split(",") if part)
    return tuple(kind for count, kind in pairs for _ in range(int(count)))


def ended(setup: Setup, seated: Sequence[Seated], ending: Ending) -> State:
    """Returns the state of a game that is over."""
    state = new_game(setup)
    players = [player.but(out=True) for player in state.players]
    for one in seated:
        stall, stack = (
            tuple(Card(Handle(place), kind, Seat(one.seat)) for place, kind in enumerate(kinds(text)))
            for text in (one.stall, one.stack)
        )
        players[one.seat] = players[one.seat].but(
            out=False, gold=one.gold, stall=stall, revealed=stack, prizes=one.prizes
        )
    return state.but(players=tuple(players), phase=Phase.OVER, ending=ending, todo=())


def vectors() -> VectorFile:
    four, orders = Setup(4), Setup(3, options=frozenset({"orders"}))
    royal = Setup(3, options=frozenset({"royal", "black-market"}))
    example = Seated(0, 42, "4 apples, 6 cheese, 1 bread, 4 chicken", "2 pepper, 1 crossbow")
    others = (
        Seated(1, 50, "9 apples, 2 bread, 5 chicken"),
        Seated(2, 10, "5 apples, 5 cheese, 2 bread, 4 chicken"),
        Seated(3, 0),
    )
    cases = [
        _case("the example of rule 11.6", four, (example, *others)),
        _case("a tie for king, and no queen", four, (Seated(0, 1, "3 apples"), Seated(1, 1, "3 apples"), *others[1:])),
        _case(
            "royal goods count for two and three, black-market cards are contraband",
            royal,
            (
                Seated(0, 5, "10 cheese", "1 gouda", ("pepper 30",)),
                Seated(1, 5, "11 cheese", "1 golden apples, 2 pepper"),
                Seated(2, 5, "", "1 royal rooster, 3 silk", ("silk 34", "silk 31")),
            ),
        ),
        _case("nothing at all: the win is shared", Setup(3), [Seated(seat, 0) for seat in range(3)]),
        _case("somebody has left", four, (example, others[0], others[2])),
        _case("abandoned: nobody wins", Setup(3), (Seated(0, 50, "1 apples"), Seated(2, 61)), Ending.ABANDONED),
        _case("special orders are played, and none was filled", orders, (Seated(0, 1),)),
    ]
    return VectorFile(" ".join((DESCRIPTION, TYPED, BYTES)), cases, [])


def _case(comment: str, setup: Setup, seated: Sequence[Seated], ending: Ending = Ending.FINISHED) -> Case:
    state = ended(setup, seated, ending)
    result = result_value(outcome(state))
    return {
        "comment": comment,
        "terms": typed(setup_to_value(setup)),
        "game": GAME.hex(),
        "players": [
            [one.seat, one.gold, list(kinds(one.stall)), list(kinds(one.stack)), list(one.prizes)] for one in seated
        ],
        "ending": ending.value,
        "outcome": typed(result),
        "encoded": encode((PROTOCOL, "result", (GAME, result))).hex(),
        "expected": result_digest(GAME, state).hex(),
    }
