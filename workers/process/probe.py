"""Ask whether the process that sets the time of the life file still works.

    python -m cartulary.workers.process.probe --silent 90

`serve` looks at the life files of its children by itself; a supervisor that only starts commands,
as Kubernetes does, calls this. Exit 0: a sign in the last `--silent` seconds; 1: no such sign, or
no file yet; 2: `CARTULARY_LIFE_FILE` is missing. Reads nothing but the time of the file.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from cartulary.settings.table import LIFE_FILE

SILENT_S = 25.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code; the words go to stderr."""
    parser = argparse.ArgumentParser(prog="python -m cartulary.workers.process.probe")
    parser.add_argument("--silent", type=float, default=SILENT_S, help="seconds without a sign")
    silent_s = parser.parse_args(arguments).silent
    file = os.environ.get(LIFE_FILE)
    if not file:
        print(f"{LIFE_FILE} is missing: the process has no life file", file=sys.stderr)
        return 2
    try:
        shown = Path(file).stat().st_mtime
    except FileNotFoundError:
        print(f"{file} is missing: the process has not shown itself yet", file=sys.stderr)
        return 1
    return judge(time.monotonic() - shown, silent_s)


def judge(silence_s: float, silent_s: float) -> int:
    """Return 0 for a process that works, 1 for a process that hangs."""
    if silence_s <= silent_s:
        return 0
    print(f"no sign of life for {silence_s:.0f} s", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
