"""``p2p-sheriff bench``: figures, each with the floor that was measured in the same run."""

import argparse
import json
import sys

from p2p_sheriff.lab.bench import games, nodes, proofs, screens, waits
from p2p_sheriff.lab.bench.measure import Bench


def run(options: argparse.Namespace) -> int:
    """Measures and prints."""
    everything = proofs.BENCHMARKS | waits.BENCHMARKS | games.BENCHMARKS | nodes.BENCHMARKS | screens.BENCHMARKS
    chosen = {name: benchmark for name, benchmark in everything.items() if name.startswith(options.only or "")}
    if not chosen:
        sys.stderr.write(f"There is no figure whose name starts with {options.only}: see them all without --only.\n")
        return 2
    results = (result for name, benchmark in chosen.items() for result in benchmark(Bench(), name))
    if options.json:
        sys.stdout.write(json.dumps({"results": [result.to_json() for result in results]}, indent=1) + "\n")
    else:
        for result in results:
            sys.stdout.write(f"{result}\n")
            sys.stdout.flush()
    return 0
