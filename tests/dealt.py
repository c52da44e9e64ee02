"""Games of bots at a trusted dealer's table, stopped where something is asked: for fronts that show it."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random

from p2p_sheriff.bots import make_bot
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.rules import Choice, Choose, Kind, LoadBag, Move, Setup, Transition, View
from p2p_sheriff.rules.steps import AskDiscard
from p2p_sheriff.seat.ways import LISTED, ways
from p2p_sheriff.texts import ENGLISH

MODULES = Setup(4, options=frozenset({"orders", "laws", "merry-men"}))
STYLES = ("smuggler", "shrewd", "gambler", "honest", "smuggler", "gambler")
MOST_GAMES = 400
"""Bots without bribes bring few merry men in, and are tuned anew: what some game asks is found in any case."""

Answer = Callable[[View, Choice], Move | LoadBag | None]
"""Who plays a seat in place of its bot; None: let the bot do it."""


def games(
    setup: Setup,
    seed: int,
    answer: Answer = lambda _view, _choice: None,
    tell: Callable[[Sequence[Transition]], None] = lambda _: None,
) -> Iterator[tuple[Dealer, Choose]]:
    """Plays a game, and yields it before every choice; seat 0 may be played by somebody else, who is told all."""
    dealer = Dealer(setup, Random(seed))
    bots = [make_bot(STYLES[seat], seat, Random(f"{seed}/{seat}")) for seat in setup.seats]
    changes = dealer.start()
    while True:
        tell(changes)
        for bot in bots:
            for change in changes:
                bot.observe(change.item)
        choices = dealer.choices()
        if not choices:
            return
        for asked in choices:
            yield dealer, asked
        asked = choices[0]
        view = dealer.view(asked.seat)
        move = answer(view, asked.choice) if asked.seat == 0 else None
        others = (bots[one.seat].choose(dealer.view(one.seat), one.choice) for one in choices)
        move = move or next(one for one in others if one is not None)
        changes = dealer.submit(move)


@cache
def asked_for(
    choice: Choice, setup: Setup = MODULES, man: str = "", *, swap: bool = False, lying: frozenset[Kind] = frozenset()
) -> View:
    """Returns the view of somebody who is asked this, in the first game where it is so.

    Of this merry man's owner; and when goods of all these kinds lie on the discard piles.
    """
    for seed in range(MOST_GAMES):
        for dealer, asked in games(setup, seed):
            state, bag = dealer.state, dealer.state[asked.seat].bag
            step = state.todo[0]
            if asked.choice is not choice or (man and (bag is None or bag.man_name != man)):
                continue
            if choice is Choice.DISCARD and not (isinstance(step, AskDiscard) and step.swap == swap):
                continue
            if not lying <= {card.kind for pile in state.piles for card in pile}:
                continue
            view = dealer.view(asked.seat)
            if choice in LISTED and len(ways(view, choice, ENGLISH, str)) < 2:
                continue  # The question shows nobody that there is nothing to choose.
            return view
    raise AssertionError(f"Nobody is asked for {choice}.")
