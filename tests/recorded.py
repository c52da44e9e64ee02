"""Writes whole games into docs/vectors/games, each with its public states: ``python -m tests.recorded``.

They are not compared with what bots would play today: a game that was played by the rules stays one.
"""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from p2p_sheriff.audit import Unfinished, Valid, audit
from p2p_sheriff.lab.simnet import Weather
from p2p_sheriff.rules import OPTIONS, Edition, Seat, Setup
from p2p_sheriff.session.acts import Act, Moves, Payload, Shows, Strips
from p2p_sheriff.session.passes import Collecting
from p2p_sheriff.session.record import Record, record_of
from p2p_sheriff.session.replay import replay
from protocol.entry import SignedEntry
from protocol.group import Edwards25519
from tests.drbg import Drbg
from tests.public_state import public_state, state_digest
from tests.table.cheats import Cheat, lies
from tests.table.departures import GapNet
from tests.table.forks import all_vote_out, half_on_each_branch, play_on, voted_twice
from tests.table.games import SHORT_DECK, bot_game, one_round
from tests.table.tables import MERCHANT, among_four, assert_goes_on_without_the_cheat
from tests.vectors.corpus import to_text
from tests.vectors.corpus_cases import spoilt
from tests.vectors.notation import GAMES_FOLDER, flipped, typed

GROUP: Final = Edwards25519()
SHORT: Final = (("apples", 12), ("cheese", 9), ("chicken", 8), ("pepper", 6), ("mead", 6), ("silk", 6))


ROYAL: Final = (("green apples", 2), ("gouda", 2), ("royal rooster", 1))
BOX: Final = (*SHORT, ("crossbow", 3), *ROYAL)


@dataclass(frozen=True)
class Recorded:
    """A game that is worth a file."""

    comment: str
    play: Callable[[], Record]


def _whole() -> Record:
    for seed in count():
        net = bot_game(Setup(3, short=SHORT_DECK), GROUP, seed)
        record = record_of(net.sessions[0].table)
        if _has_reshuffle_by_show(record):
            return record
    raise AssertionError


def _has_reshuffle_by_show(record: Record) -> bool:
    was = False
    for step in replay(record, GROUP, Drbg("seeker")):
        begins, was = isinstance(step.play.passing, Collecting) and not was, isinstance(step.play.passing, Collecting)
        if begins and isinstance(Payload.from_value(step.signed.entry.payload).acts[-1], Shows):
            return True
    return False


def _modules() -> Record:
    wanted = {"Discard", "FillOrders", "LayLaws", "LayOut", "Reorder", "Trade", "UseMan"}
    for seed in count():
        record = record_of(bot_game(Setup(3, short=BOX, options=frozenset(OPTIONS)), GROUP, seed).sessions[0].table)
        if wanted <= set(_moves(record)):
            return record
    raise AssertionError


def _moves(record: Record) -> Iterator[str]:
    for data in record.entries:
        entry = SignedEntry.from_bytes(record.charter, data).entry
        acts = Payload.from_value(entry.payload).acts if entry.step is not None else ()
        yield from (type(act.move).__name__ for act in acts if isinstance(act, Moves))


def _quitter() -> Record:
    gone = Seat(1)
    net = GapNet(Setup(4, short=SHORT, options=frozenset({"black-market"})), 1, {gone: 13})
    return record_of(net.goes_on().leaves(gone).goes_on().sessions[0].table)


def _cheat() -> Record:
    def broken(_cheat: Cheat, act: Act) -> Act:
        assert isinstance(act, Strips)
        return Strips(replace(act.change, proof=flipped(act.change.proof, 300)))

    net = among_four("a recorded cheat", MERCHANT, lies(Strips, broken))
    assert_goes_on_without_the_cheat(net)
    return record_of(next(session for session in net.honest).table)


def _fork() -> Record:
    liar, honest = half_on_each_branch()
    all_vote_out(liar, honest)
    play_on(honest, rounds=1)
    return record_of(honest[0].table)


def _twice() -> Record:
    honest = voted_twice()
    play_on(honest, rounds=1)
    return record_of(honest[0].table)


def _round(setup: Setup) -> Callable[[], Record]:
    return lambda: record_of(one_round(setup, GROUP, 1, Weather()).sessions[0].table)


GAMES: Final = {
    "whole": Recorded("three players, a short deck, to the end; a `show` makes the deck run out", _whole),
    "quitter": Recorded("four players; one leaves, and the others play to the end", _quitter),
    "cheat": Recorded("four players; one proves falsely, is put out, and the others go on", _cheat),
    "fork": Recorded("five players; one signs two bags, half of the others stand on each, all put it out", _fork),
    "twice": Recorded("five players; one votes twice with one number, and is put out with who was absent", _twice),
    "first": Recorded(
        "three players of the first edition, one round",
        _round(Setup(3, Edition.FIRST, short=SHORT, options=frozenset({"black-market"}))),
    ),
    "deputies": Recorded("six players, one round", _round(Setup(6, short=SHORT))),
    "modules": Recorded("three players with all modules and options, to the end", _modules),
}


def described(comment: str, record: Record) -> str:
    """Returns what stands beside a game: what an audit says of it, and its public states."""
    verdict = audit(record.to_bytes(), GROUP).verdict
    assert isinstance(verdict, Valid | Unfinished)
    steps = list(replay(record, GROUP, Drbg("weights")))
    content = {
        "description": comment,
        "verdict": "valid" if isinstance(verdict, Valid) else "unfinished",
        "entries": len(record.entries),
        "states": [state_digest(step.play, step.awaited).hex() for step in steps],
        "last": typed(public_state(steps[-1].play, steps[-1].awaited)),
    }
    return json.dumps(content, indent=1) + "\n"


def main() -> None:
    """Plays all games anew, or those that are named, and writes the corpus of faulty files, which follows from one."""
    for name, game in GAMES.items():
        if sys.argv[1:] and name not in sys.argv:
            continue
        record = game.play()
        path = GAMES_FOLDER / f"{name}.sheriff"
        path.write_bytes(record.to_bytes())
        path.with_suffix(".json").write_text(described(game.comment, record), "utf-8", newline="\n")
    (GAMES_FOLDER / "corpus.json").write_text(to_text(spoilt()), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
