"""What must hold at every moment, and at the end when all who stay want to go on.

Admitted, because no rule can prevent it: two certificates whose only common voters are liars, who signed two entries
with one number (the evidence); states that differ by two branches of such a seat, until it is put out; and that then
what was written on the other branch is void.
"""

from itertools import combinations

from tests.ballots.counting import Gone, Log, Taken
from tests.ballots.ledger import Keys, Seats
from tests.ballots.schedules import BrokenError, Play, keys_of


def check(play: Play) -> None:
    """Raises BrokenError if a promise is broken."""
    _no_two_honest_nodes_disagree(play)
    _nobody_honest_acts_on_rival_certificates(play)
    _no_honest_entry_is_undone(play)
    _no_secret_is_released_on_what_is_not_common_history(play)


def _no_two_honest_nodes_disagree(play: Play) -> None:
    for one, other in combinations(sorted(play.honest), 2):
        ours, theirs = play.nodes[one], play.nodes[other]
        differing = _difference(ours.log, theirs.log) if other in ours.seated and one in theirs.seated else None
        if differing is not None and not _is_admitted(play, *differing):
            raise BrokenError(f"P1: seats {one} and {other} disagree: {differing}")


def _difference(ours: Log, theirs: Log) -> tuple[Log, Taken | Gone, Taken | Gone] | None:
    """Returns where two histories part, if neither only goes on where the other ends."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next(((ours[:place], one, other) for place, (one, other) in pairs if one != other), None)


def _is_admitted(play: Play, common: Log, one: Taken | Gone, other: Taken | Gone) -> bool:
    if isinstance(one, Gone) and isinstance(other, Gone):
        return _only_liars_in_both(play, keys_of(common), one.key[1] | other.key[1])
    return any(isinstance(item, Taken) and item.entry.past & play.contested for item in (one, other))


def _only_liars_in_both(play: Play, below: Keys, out: Seats) -> bool:
    return bool(play.contested) and play.ledger.seats.difference(out, *(gone for _, gone in below)) <= play.liars


def _nobody_honest_acts_on_rival_certificates(play: Play) -> None:
    for one, other in combinations(sorted(play.acted, key=repr), 2):
        if one[: len(other)] != other[: len(one)]:
            place = next(place for place, (ours, theirs) in enumerate(zip(one, other, strict=False)) if ours != theirs)
            if not _only_liars_in_both(play, one[:place], one[place][1] | other[place][1]):
                raise BrokenError(f"P1: honest seats went on after {one} and after {other}")


def _no_honest_entry_is_undone(play: Play) -> None:
    """What an honest seat wrote that is still in, once folded, stays; also after a restart, when its step is over."""
    for number, (node, folded) in enumerate(zip(play.nodes, play.folded, strict=True)):
        if number in play.liars or node.is_out:
            continue
        now = {item for item in node.log if isinstance(item, Taken) and item.entry.author in play.honest}
        void = play.contested & sum(play.ledger.by[seat] for seat in play.ledger.seats - node.seated)
        for item in folded - now:
            if item.step < node.step and item.entry.author in node.seated and not item.entry.past & void:
                raise BrokenError(f"P2: node {number} has undone {item}")
        folded.update(now)


def _no_secret_is_released_on_what_is_not_common_history(play: Play) -> None:
    for seat, history in play.released:
        gone = {out for _, outs in keys_of(history) for out in outs}
        for other in play.honest - gone:
            if (differing := _difference(history, play.nodes[other].log)) is not None:
                raise BrokenError(f"P3: seat {seat} has released on {history}; seat {other} has {differing}")


def finish(play: Play, alive: Seats, rounds: int = 40) -> bool | None:
    """Lets those who are alive, and reach each other, put the others out and play; returns whether they went on.

    None: they can't, because they are too few, or have put each other out before.
    """
    starts = {seat: play.nodes[seat].step for seat in alive}
    for _ in range(rounds):
        play.sync(sorted(alive))
        live = [seat for seat in sorted(alive) if not play.nodes[seat].is_out]
        staying = {play.nodes[seat].staying for seat in live}
        if len(live) < 2 or any(2 * len(each & set(live)) <= len(each) for each in staying):
            return None
        if staying == {frozenset(live)} and all(play.nodes[seat].step > starts[seat] + 5 for seat in live):
            return True
        for seat in live:
            play.join(seat, play.ledger.seats - frozenset(live))
            if not play.slot(seat):
                play.see(seat)
    return False
