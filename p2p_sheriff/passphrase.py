"""The passphrase of a private table: typed unseen, or given by the environment alone."""

import os
import signal
import sys
from getpass import getpass

from p2p_sheriff.seat.company import PASSPHRASE_VARIABLE
from p2p_sheriff.texts import Texts
from p2p_sheriff.usage import UsageError


def ask_passphrase(texts: Texts, *, twice: bool) -> str:
    """Returns the passphrase of a private table; who opens one types it twice: nobody could correct it later.

    Raises:
        UsageError: There is none, or it is empty.
    """
    passphrase = os.environ.get(PASSPHRASE_VARIABLE)
    if passphrase is None:
        passphrase = _typed(texts, twice=twice)
    if not passphrase.strip():
        raise UsageError(texts("private.empty"))
    return passphrase


def _typed(texts: Texts, *, twice: bool) -> str:
    if not sys.stdin.isatty():
        raise UsageError(texts("private.no_terminal", variable=PASSPHRASE_VARIABLE))
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
