"""The places of a round where tests begin: each is reached through real inputs, in which nothing much happened."""

from collections.abc import Mapping

from p2p_sheriff.rules import Edition, Good, Kind, Phase, Seat
from p2p_sheriff.rules.moves import Apart, Stance, Verb
from tests.rules.notation import ANN, BEN, FILLER, SECOND
from tests.rules.scenario import Scenario


def at_market(
    players: int = 4, *options: str, edition: Edition = SECOND, sheriff: Seat = ANN, extra: tuple[Good, ...] = ()
) -> Scenario:
    """The first market begins."""
    return Scenario(players, *options, edition=edition, sheriff=sheriff, extra=extra).until(Phase.MARKET)


def at_load(
    players: int = 4, *options: str, edition: Edition = SECOND, sheriff: Seat = ANN, extra: tuple[Good, ...] = ()
) -> Scenario:
    """The merchants of the first round load, after a market in which nothing happened."""
    return at_market(players, *options, edition=edition, sheriff=sheriff, extra=extra).until(Phase.LOAD)


Bags = Mapping[Seat, tuple[str, Kind]]
"""What the bags hold, and what their owners declare."""


def at_declare(
    bags: Bags,
    players: int = 4,
    *options: str,
    edition: Edition = SECOND,
    sheriff: Seat = ANN,
    extra: tuple[Good, ...] = (),
) -> Scenario:
    """All bags are closed; those that are not listed hold one apple."""
    return load_all(at_load(players, *options, edition=edition, sheriff=sheriff, extra=extra), bags)


def load_all(game: Scenario, bags: Bags) -> Scenario:
    """Close all bags; those that are not listed hold one apple."""
    for seat in game.state.merchants:
        text, declared = bags.get(seat, (FILLER, FILLER))
        game.load(seat, text, declared)
    return game


def at_inspection(
    bags: Bags,
    players: int = 4,
    *options: str,
    edition: Edition = SECOND,
    sheriff: Seat = ANN,
    extra: tuple[Good, ...] = (),
) -> Scenario:
    """The first bags are declared, and everyone has 50 gold."""
    game = at_declare(bags, players, *options, edition=edition, sheriff=sheriff, extra=extra).until(Phase.INSPECT)
    for seat in game.state.seats:
        game.grant(seat, gold=50)
    return game


def patrol(bags: Bags, *options: str, extra: tuple[Good, ...] = ()) -> Scenario:
    """ANN, drawn first, and BEN are deputies; the bags of CAT, DAN, EVE and FAY are declared."""
    return at_inspection(bags, 6, *options, extra=extra)


def alone(game: Scenario, deputy: Seat, bag: Seat) -> Scenario:
    """The deputies differ about a bag, and this one wants to open it alone."""
    other = BEN if deputy == ANN else ANN
    return game.submit(Stance(other, bag, Verb.PASS), Stance(deputy, bag, Verb.INSPECT), Apart(deputy, bag))


def share(game: Scenario) -> Scenario:
    """Let the other bags pass for nothing until the Loot is shared."""
    while game.state.closed_bags:
        game.dull()
    return game
