"""Plays whole games on a virtual LAN with everything that may go wrong: ``python -m tests.soak GAMES [FIRST SEED]``."""

import shutil
import signal
import sys
import tempfile
from pathlib import Path
from random import SystemRandom

from tests.node.lan import missing
from tests.soak.evening import play
from tests.soak.plan import Plan


def main(games: int, first: int) -> int:
    """Plays games of seeds in a row; returns how many have failed, whose files are kept."""
    failed = 0
    for seed in range(first, first + games):
        plan, folder = Plan.of(seed), Path(tempfile.mkdtemp(prefix=f"soak-{seed}-"))
        sys.stdout.write(f"seed {seed}: {plan}\n")
        sys.stdout.flush()
        try:
            sys.stdout.write(f"  {play(plan, folder)}\n")
        except AssertionError as error:
            failed += 1
            sys.stdout.write(f"  FAILED, see {folder}: {error}\n")
        else:
            shutil.rmtree(folder)
        sys.stdout.flush()
    sys.stdout.write(f"{games} games, {failed} failed\n")
    return failed


if __name__ == "__main__":
    if why := missing():
        sys.exit(why)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # Nothing is left behind.
    count, *seeds = map(int, sys.argv[1:])
    sys.exit(bool(main(count, seeds[0] if seeds else SystemRandom().randrange(10**6))))
