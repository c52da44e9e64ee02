"""A person's evening at a node: with a full screen where there is one, with lines of text elsewhere."""

import asyncio
from collections.abc import Coroutine

from p2p_sheriff.fronts.display import Display
from p2p_sheriff.fronts.lines.console import Keyboard, tell
from p2p_sheriff.fronts.lines.linefront import LineFront
from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.seat.company import Company
from p2p_sheriff.seat.driver import Driver, Front
from p2p_sheriff.seat.intents import Intent
from p2p_sheriff.seat.settings import NodeOptions
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import Texts, refusal_sentence
from p2p_sheriff.usage import INTERRUPTED, UsageError


def run_game(game: Coroutine[None, None, None], texts: Texts) -> int:
    """Runs a game; whatever ends it, what is on disk stays.

    Raises:
        UsageError: The profile's folder does not work, or the table is not to be had.
    """
    try:
        asyncio.run(game)
    except (StoreError, LobbyError) as error:
        raise UsageError(refusal_sentence(error, texts)) from error
    except KeyboardInterrupt:
        tell(texts("seat.stopped"))
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
            return Driver(node, profile, front, words, company=company, addresses=addresses, private=options.private)

        if not display.on_screen:
            driver = drive(LineFront(Keyboard(), options.texts, from_start=display.from_start))
            await driver.run(*first)
            if driver.went_wrong:
                raise UsageError(driver.last_word)
            return driver
        from p2p_sheriff.fronts.tui.screenfront import ScreenFront  # noqa: PLC0415 - lines of text need no screen.

        async with ScreenFront(words, ascii_only=display.ascii_only) as screen:
            driver = drive(screen)
            await driver.run(*first)
        if driver.last_word:
            tell(driver.last_word)
        return driver
