"""What the verbs of the command line share: their options, read into values once."""

import argparse
from pathlib import Path

from p2p_sheriff.fronts.display import Display, has_screen
from p2p_sheriff.gathering.tables import MAX_PURSE
from p2p_sheriff.passphrase import ask_passphrase
from p2p_sheriff.rules import BadSetup, Edition, Setup
from p2p_sheriff.seat.company import PASSPHRASE_VARIABLE
from p2p_sheriff.seat.settings import DEFAULT_PROFILE, PACE_SECONDS, NodeOptions
from p2p_sheriff.session.terms import OPTIONS, require_playable
from p2p_sheriff.texts import chosen
from p2p_sheriff.usage import UsageError


def add_network_arguments(parser: argparse.ArgumentParser, *, profile: str = DEFAULT_PROFILE) -> None:
    """Adds the options that every node has."""
    add = parser.add_argument
    add("--profile", default=profile, metavar="NAME", help="keeps several players apart on one machine")
    add("--name", metavar="NICK", help="what you are called at the table; default: as last time, or as on this machine")
    connect_help = "the address of a node, where nodes can't find each other"
    add("--connect", type=address, action="append", default=[], metavar="HOST:PORT", help=connect_help)
    interface_help = "look for others only here: a name or an address"
    add("--interface", action="append", default=[], metavar="NAME", help=interface_help)
    add("--data", type=Path, metavar="FOLDER", help="where profiles live; default: where this system wants them")
    trust_help = "somebody you have played with comes with a new key: trust it"
    add("--trust-new-key", action="append", default=[], metavar="NAME", help=trust_help)
    private_help = f"a private table: asks for its passphrase, or takes it from {PASSPHRASE_VARIABLE}"
    add("--private", action="store_true", help=private_help)


def node_options(given: argparse.Namespace, *, opens: bool = False) -> NodeOptions:
    """Returns how the node is to be opened; who opens a private table types its passphrase twice.

    Raises:
        UsageError: The table is private, and there is no passphrase.
    """
    texts = chosen(given)
    return NodeOptions(
        profile=given.profile,
        name=given.name,
        connect=tuple(given.connect),
        interfaces=tuple(given.interface),
        data=given.data,
        trusted=tuple(given.trust_new_key),
        passphrase=ask_passphrase(texts, twice=opens) if given.private else None,
        pace=getattr(given, "pace", PACE_SECONDS),
        texts=texts,
    )


def add_screen_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of what can be shown on a full screen."""
    parser.add_argument("--lines", action="store_true", help="lines of text in place of a full screen")
    parser.add_argument("--ascii", action="store_true", help="draw without box lines")


def display(given: argparse.Namespace) -> Display:
    """Returns how the game is shown: on a full screen, unless there is none or nobody wants it."""
    return Display(has_screen() and not given.lines, given.ascii)


def add_pace_argument(parser: argparse.ArgumentParser, default: float = PACE_SECONDS) -> None:
    """Adds the option of who plays with bots."""
    parser.add_argument("--pace", type=float, default=default, metavar="SECONDS", help="how long bots let you talk")


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a table."""
    parser.add_argument("--edition", choices=[edition.value for edition in Edition], default=Edition.SECOND.value)
    parser.add_argument("--with", dest="options", default="", metavar="OPTION,...", help=f"of: {', '.join(OPTIONS)}")


def add_seat_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a person who sits down with others."""
    purse_help = "the cash you carry: the richest is sheriff first"
    parser.add_argument("--purse", type=_purse, metavar="COINS", help=purse_help)
    parser.add_argument("--ready", action="store_true", help="be ready at once, without being asked")


def _purse(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= MAX_PURSE):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of coins from 0 to {MAX_PURSE}")
    return int(text)


def address(text: str) -> tuple[str, int]:
    """Reads HOST:PORT."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
        raise argparse.ArgumentTypeError(f"{text!r} is no HOST:PORT")
    return host, int(port)


def setup_of(given: argparse.Namespace, players: int) -> Setup:
    """Returns the table that the options describe.

    Raises:
        UsageError: It can't be played, or not yet at the table.
    """
    wanted = frozenset(filter(None, given.options.split(",")))
    try:
        setup = Setup(players, Edition(given.edition), wanted)
        require_playable(setup)
    except BadSetup as problem:
        raise UsageError(str(problem)) from problem
    return setup
