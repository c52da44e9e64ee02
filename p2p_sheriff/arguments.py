"""What the verbs of the command line share, read into the values that nodes, tables and fronts take."""

import argparse
import sys
from dataclasses import replace

from p2p_sheriff.fronts.display import Display, has_screen
from p2p_sheriff.node.handshake import require_name
from p2p_sheriff.passphrase import ask_passphrase
from p2p_sheriff.promos import read_extra
from p2p_sheriff.rules import BadSetup, Edition, Setup
from p2p_sheriff.seat.settings import NodeOptions, Tempo
from p2p_sheriff.seat.starting import default_name, known_nick
from p2p_sheriff.session.terms import require_playable
from p2p_sheriff.usage import UsageError
from protocol.errors import LocalError


def node_options(given: argparse.Namespace, *, opens: bool = False) -> NodeOptions:
    """Returns how the node is to be opened; who opens a private table types its passphrase twice.

    Raises:
        UsageError: The table is private, and there is no passphrase.
    """
    return NodeOptions(
        profile=given.profile,
        name=given.name,
        connect=tuple(given.connect),
        interfaces=tuple(given.interface),
        data=given.data,
        trusted=tuple(given.trust_new_key),
        passphrase=ask_passphrase(given.texts, twice=opens) if given.private else None,
        tempo=tempo(given),
        bot=getattr(given, "style", ""),
        texts=given.texts,
    )


def ask_name(options: NodeOptions) -> NodeOptions:
    """Asks somebody for a name who plays for the first time, if there is a terminal; Enter takes the one offered.

    Raises:
        UsageError: The profile is in use, or can't be read.
    """
    if options.name is not None or not (sys.stdin.isatty() and sys.stdout.isatty()) or known_nick(options):
        return options
    offered = default_name(options)
    while True:
        try:
            name = input(options.texts("seat.ask_name", name=offered)).strip() or offered
            require_name(name)
        except EOFError:
            return options
        except LocalError as error:
            sys.stdout.write(f"{options.texts('seat.bad_name', name=repr(name), reason=error)}\n")
        else:
            return replace(options, name=name)


def display(given: argparse.Namespace) -> Display:
    """Returns how the game is shown: on a full screen, unless there is none or nobody wants it."""
    return Display(has_screen() and not given.lines, given.ascii, quiet=given.quiet)


def tempo(given: argparse.Namespace) -> Tempo:
    """Returns how bots play."""
    usual = Tempo()
    return Tempo(*(getattr(given, part, getattr(usual, part)) for part in ("pace", "haggle", "level")))


def setup_of(given: argparse.Namespace, players: int) -> Setup:
    """Returns the table that the options describe.

    Raises:
        UsageError: It can't be played, or not yet at the table.
    """
    try:
        extra = read_extra(given.extra, given.texts)
        setup = Setup(players, Edition(given.edition), frozenset(given.options), extra)
        require_playable(setup)
    except BadSetup as problem:
        raise UsageError(str(problem)) from problem
    return setup
