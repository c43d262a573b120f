"""`python -m bench.faults.bots`: a hundred bots play a thousand games over faults."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from bench.faults.bots.run import BotsRun, Plan


def main() -> int:
    """Run, print what was found as JSON, return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.faults.bots", description=__doc__)
    for name in ("bots", "games", "processes", "at_once", "seed"):
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=int, default=Plan._field_defaults[name]
        )
    for name in ("pause", "minutes"):
        parser.add_argument(f"--{name}", type=float, default=Plan._field_defaults[name])
    plan = Plan(**vars(parser.parse_args()))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        run = BotsRun(Path(folder), plan, lambda line: print(line, file=sys.stderr, flush=True))
        judgement = run.play()
    found = {
        **asdict(judgement),
        "clean": judgement.is_clean,
        "faults": dict(run.inflicted),
        "seconds": round(time.monotonic() - began),
    }
    print(json.dumps(found))
    return 0 if judgement.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
