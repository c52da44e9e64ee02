"""A person's evening at a node: with a full screen where there is one, with lines of text elsewhere."""

import asyncio
from collections.abc import Coroutine

from p2p_sheriff.fronts.botfront import stand_in
from p2p_sheriff.fronts.display import Display
from p2p_sheriff.fronts.lines.console import Keyboard, tell
from p2p_sheriff.fronts.lines.linefront import LineFront
from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.logbook import keep_log
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Phase, outcome
from p2p_sheriff.seat.company import Company
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.helm import Front
from p2p_sheriff.seat.intents import Intent
from p2p_sheriff.seat.narration import Narrator
from p2p_sheriff.seat.picture import short
from p2p_sheriff.seat.settings import NodeOptions, data_folder
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import refusal_sentence
from p2p_sheriff.usage import INTERRUPTED, UsageError


def run_game(game: Coroutine[None, None, None], options: NodeOptions) -> int:
    """Runs a game, and keeps a log of it in the profile; whatever ends it, what is on disk stays.

    Raises:
        UsageError: The profile's folder does not work, or the table is not to be had.
    """
    try:
        with keep_log(data_folder(options.data) / options.profile):
            asyncio.run(game)
    except (StoreError, LobbyError) as error:
        raise UsageError(refusal_sentence(error, options.texts)) from error
    except KeyboardInterrupt:
        tell(options.texts("seat.stopped"))
        return INTERRUPTED
    return 0


async def attend(node: Node, profile: Profile, options: NodeOptions, display: Display, *first: Intent) -> Driver:
    """Lets a person play at a node, or look on, until they go; returns who has driven them.

    Raises:
        UsageError: The node can't go on, or there is no game at the table any more.
    """
    words = Words(options.texts)
    async with Company(profile, node.port, options) as company:

        def drive(front: Front) -> Driver:
            addresses = local_addresses(options.interfaces)
            return Driver(
                *(node, profile, front, words),
                company=company,
                addresses=addresses,
                private=options.private,
                pilot=lambda: stand_in(options.tempo),
            )

        if not display.on_screen:
            driver = drive(LineFront(Keyboard(), options.texts, from_start=display.from_start))
            await driver.run(*first)
            if driver.went_wrong:
                raise UsageError(driver.last_word)
            for line in farewell(driver, words, on_screen=False):
                tell(line)
            return driver
        from p2p_sheriff.fronts.tui.screenfront import ScreenFront  # noqa: PLC0415 - lines of text need no screen.

        async with ScreenFront(words, ascii_only=display.ascii_only, quiet=display.quiet) as screen:
            driver = drive(screen)
            await driver.run(*first)
        for line in farewell(driver, words, on_screen=True):
            tell(line)
        return driver


def farewell(driver: Driver, words: Words, *, on_screen: bool) -> list[str]:
    """Returns what stays on the terminal: the last word, once; after a game the score before it, and what to type next.

    Args:
        driver: Who has driven the player to the end.
        words: In their language.
        on_screen: Whether a screen is gone now; lines have told the score and the last word, and they are still there.
    """
    session, texts = driver.session, words.texts
    told = [driver.last_word] if on_screen and driver.last_word else []
    if session is None or session.play.state.phase is not Phase.OVER:
        return told
    narrator = Narrator([short(player.name) for player in session.table.charter.players], texts)
    score = narrator.score_sheet(outcome(session.play.state)) if on_screen else []
    return [*score, *told, texts("past.next")]
