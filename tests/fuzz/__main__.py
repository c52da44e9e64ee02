"""Looks for bytes that something stumbles over, guided by what they reach: ``python -m tests.fuzz TARGET SECONDS``.

Without arguments it names the targets.
"""

import sys
import tempfile
from pathlib import Path

import atheris

from tests.fuzz.corpus import CORPUS, folder_of

with atheris.instrument_imports(include=["protocol", "p2p_sheriff"]):
    from tests.fuzz.targets import SEEDS


def main(name: str, seconds: int) -> None:
    """Fuzzes one target, from its seeds and what was found before; new finds stay in its corpus."""
    (target,) = (one for one in SEEDS if one.__name__ == name)
    folder = folder_of(name)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as seeds:
        for number, seed in enumerate(SEEDS[target]):
            (Path(seeds) / str(number)).write_bytes(seed)
        options = [f"-max_total_time={seconds}", "-max_len=4096", f"-artifact_prefix={CORPUS}/crash-{name}-"]
        atheris.Setup([sys.argv[0], *options, str(folder), seeds], target)
        atheris.Fuzz()


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.stdout.write(" ".join(target.__name__ for target in SEEDS) + "\n")
    else:
        main(sys.argv[1], int(sys.argv[2]))
