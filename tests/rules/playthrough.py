"""Whole games as text: every input of the first rounds with what it changed, and full dumps at the phases.

One line is one thing: `> SetAside 1 [30,31]` an input, `  players.1.gold 45` what is so from now on, `  ? Draw 1 2`
what must happen next. A full dump comes when a phase is first reached: the public state, then what each seat sees
besides. What is empty is left out of dumps.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path

from p2p_sheriff.rules import Demand, Edition, Input, Phase, Setup, State, View, demands, new_game, outcome
from tests.rules.driver import Driver
from tests.rules.notation import INPUTS
from tests.rules.plain import dump

EMPTY = ("null", "false", '""', "[]", "{}")

FOLDER = Path(__file__).parent / "playthroughs"


@dataclass(frozen=True)
class Playthrough:
    """A game to be written down."""

    name: str
    setup: Setup
    seed: int
    rounds: int
    """How many rounds are told in full; the others by a digest."""

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"


PLAYTHROUGHS = (
    Playthrough("3-second", Setup(3, Edition.SECOND, frozenset({"royal", "black-market"})), 31, 5),
    Playthrough("4-first", Setup(4, Edition.FIRST, frozenset({"black-market"})), 42, 3),
    Playthrough("5-second", Setup(5, Edition.SECOND, frozenset({"missing", "seven"})), 53, 2),
    Playthrough("6-first", Setup(6, Edition.FIRST, frozenset({"royal"})), 64, 2),
)


def compact(value: object) -> str:
    """Return a plain value on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_as_text)


def _as_text(value: object) -> str:
    assert isinstance(value, bytes)
    return value.hex()


def flat(state: State) -> dict[str, str]:
    """Return the public state as paths and values, without the charter and the engine's notes to itself."""
    plain = dump(state)
    del plain["setup"], plain["todo"], plain["next_handle"]
    return dict(_paths("", plain))


def _paths(prefix: str, value: object) -> Iterator[tuple[str, str]]:
    """Go down to the fields of the table and of each player, and no further."""
    if isinstance(value, dict) and prefix.count(".") != 2:
        for key, inner in value.items():
            yield from _paths(f"{prefix}.{key}" if prefix else str(key), inner)
    elif prefix == "players":
        assert isinstance(value, list)
        for seat, player in enumerate(value):
            yield from _paths(f"players.{seat}", player)
    else:
        yield prefix, compact(_short(value))


def _short(value: object) -> object:
    """Write a card as "handle kind keeper", and leave out what is empty in everything else that has fields."""
    if isinstance(value, dict):
        if value.keys() == {"handle", "kind", "keeper"}:
            return f"{value['handle']} {value['kind']} {value['keeper']}"
        short = {key: _short(inner) for key, inner in value.items()}
        return {key: inner for key, inner in short.items() if compact(inner) not in EMPTY}
    return [_short(inner) for inner in value] if isinstance(value, list) else value


def changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return what is different now."""
    return [f"  {path} {value}" for path, value in after.items() if before[path] != value]


def asked(demand: Demand) -> str:
    """Return a demand on one line."""
    values = [getattr(demand, name) for name in type(demand).__dataclass_fields__]
    plain = [value.name if isinstance(value, Enum) else value for value in values]
    return " ".join([f"  ? {type(demand).__name__}", *map(compact, plain)])


def full_dump(driver: Driver, state: State) -> list[str]:
    """Return the whole public state, and what each seat sees besides."""
    lines = [f"  {path} {value}" for path, value in flat(state).items() if value not in EMPTY]
    return lines + [seen(driver.dealer.view(seat)) for seat in state.seats]


def seen(view: View) -> str:
    """Return what only this seat sees."""
    zones = (("hand", view.hand), ("stack", view.stack), ("bag", view.bag))
    text = "; ".join(f"{name} {', '.join(card.kind for card in cards)}" for name, cards in zones if cards)
    return f"  seat {view.seat} sees {text or 'nothing else'}"


def digest(state: State) -> str:
    return sha256(compact(flat(state)).encode()).hexdigest()[:16]


def told_as(item: Input) -> str:
    """Return an input on one line: its name, and its fields."""
    plain = INPUTS.write(item)
    assert isinstance(plain, tuple)
    return " ".join([type(item).__name__, *map(compact, plain[1:])])


def tell(game: Playthrough) -> list[str]:
    """Play the game and return its lines."""
    setup = game.setup
    driver = Driver(setup, game.seed)
    options = ", ".join(sorted(setup.options))
    lines = [f"{setup.players} players, {setup.edition.value} edition, with {options}; seed {game.seed}"]
    before = flat(new_game(setup))
    told: set[Phase] = set()
    current, inputs = 0, 0
    for item, state in driver.play():
        inputs += 1
        if state.round != current:
            lines.append(f"== round {state.round} after {inputs} inputs: {digest(state)}")
            current = state.round
        if state.round <= game.rounds:
            after = flat(state)
            lines.append(f"> {told_as(item)}")
            lines += changes(before, after)
            lines += [asked(demand) for demand in demands(state)]
            before = after
        if state.phase not in told:
            told.add(state.phase)
            lines += [f"== {state.phase.value}", *full_dump(driver, state)]
    lines += [f"== the end after {inputs} inputs: {digest(driver.state)}", *result(driver.state)]
    return lines


def result(state: State) -> list[str]:
    """Return the score of every seat, and who has won."""
    end = outcome(state)
    lines = []
    for score in end.scores:
        goods = ", ".join(f"{good.count} {good.kind} {good.points}" for good in score.goods)
        crowns = ", ".join(f"{crown.rank.value} of {crown.good} {crown.points}" for crown in score.crowns)
        lines.append(f"  seat {score.seat}: gold {score.gold}; {goods}; {crowns}; total {score.total}")
    return [*lines, f"  {end.ending.value}: {', '.join(f'seat {seat}' for seat in end.winners)}"]
