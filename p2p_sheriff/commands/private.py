"""Private tables: who connects must know a passphrase, which is typed unseen or comes by the environment alone."""

import argparse
import os
import signal
import sys
from collections.abc import Mapping
from getpass import getpass
from typing import Final

from p2p_sheriff.texts import Texts, chosen
from p2p_sheriff.usage import UsageError

VARIABLE: Final = "P2P_SHERIFF_PASSPHRASE"


def add_private_argument(parser: argparse.ArgumentParser) -> None:
    """Adds the option of a private table."""
    private_help = f"a private table: asks for its passphrase, or takes it from {VARIABLE}"
    parser.add_argument("--private", action="store_true", help=private_help)


def passphrase_of(options: argparse.Namespace) -> str | None:
    """Returns the passphrase of a private table, asked for once; None for an open table.

    Who opens a table (``options.opens``) types it twice: nobody could correct it later.

    Raises:
        UsageError: There is none, or it is empty.
    """
    if not getattr(options, "private", False):
        return None
    known: str | None = getattr(options, "passphrase", None) or os.environ.get(VARIABLE)
    if known is None:
        known = _typed(chosen(options), twice=getattr(options, "opens", False))
    if not known.strip():
        raise UsageError(chosen(options)("private.empty"))
    options.passphrase = known
    return known


def bots_share(options: argparse.Namespace) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Returns what lets a bot's process into the same table: arguments, and the environment with the passphrase."""
    passphrase = passphrase_of(options)
    if passphrase is None:
        return (), dict(os.environ)
    return ("--private",), {**os.environ, VARIABLE: passphrase}


def _typed(texts: Texts, *, twice: bool) -> str:
    if not sys.stdin.isatty():
        raise UsageError(texts("private.no_terminal", variable=VARIABLE))
    # While a loop runs, the first Ctrl-C would only cancel its task, and a read from the terminal does not notice.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        passphrase = getpass(texts("private.ask"))
        if twice and passphrase.strip() and getpass(texts("private.again")) != passphrase:
            raise UsageError(texts("private.different"))
    except EOFError:
        raise UsageError(texts("private.missing")) from None
    finally:
        signal.signal(signal.SIGINT, before)
    return passphrase
