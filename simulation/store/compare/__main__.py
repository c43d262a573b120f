"""`python -m simulation.store.compare --operations 1000000 --seed 1`: 1 where an answer differs."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from simulation.store.compare.pair import Difference, ServerPair
from simulation.store.compare.rounds import play_round


def main() -> int:
    """Compare as many operations as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--operations", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began, number = time.process_time(), 0
    with (
        tempfile.TemporaryDirectory(prefix="compare-") as folder,
        ServerPair(Path(folder), arguments.seed) as pair,
    ):
        while pair.compared < arguments.operations:
            try:
                play_round(pair, f"{arguments.seed}:{number}", number)
            except Difference as difference:
                print(f"round {number} of seed {arguments.seed}: {difference}")
                return 1
            number += 1
            if number % 20 == 0:
                print(f"{pair.compared} operations, no difference", file=sys.stderr, flush=True)
    found = {
        "operations": pair.compared,
        "rounds": number,
        "seed": arguments.seed,
        "differences": 0,
        "cpu_s": round(time.process_time() - began, 1),
    }
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
