"""``p2p-sheriff resume``: goes on with a game that was interrupted."""

import argparse

from p2p_sheriff import arguments
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.person import attend, run_game
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.seat.intents import Resume
from p2p_sheriff.seat.past import told_time, waiting
from p2p_sheriff.seat.settings import NodeOptions, data_folder, state_folder
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.texts import refusal_sentence
from p2p_sheriff.usage import UsageError


def run(given: argparse.Namespace) -> int:
    """Comes back to the latest unfinished game of the profile."""
    options, shown = arguments.node_options(given), arguments.display(given)
    if given.give_up:
        return _give_up(options)

    async def game() -> None:
        async with open_node(options) as (node, profile):
            games = waiting(profile)
            if not games:
                raise UsageError(options.texts("seat.no_game"))
            if not shown.on_screen:
                tell(options.texts("past.waiting", n=len(games), when=told_time(games[0].when)))
                tell(options.texts("seat.checking"))
            await attend(node, profile, options, shown, Resume())

    return run_game(game(), options)


def _give_up(options: NodeOptions) -> int:
    try:
        with Profile.open(options.profile, data_folder(options.data), state=state_folder(options.data)) as profile:
            unfinished = profile.unfinished_games()
            if not unfinished:
                raise UsageError(options.texts("seat.no_game"))
            profile.give_up(unfinished[0])
    except StoreError as error:
        raise UsageError(refusal_sentence(error, options.texts)) from error
    tell(options.texts("seat.given_up"))
    return 0
