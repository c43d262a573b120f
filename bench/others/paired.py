"""Benches of this checkout and of another one in turn: what has become cheaper, and what dearer.

`--before` is a checkout of the older commit, with a `.venv` of its own where its libraries differ.
`--names` are benches of `FIGURES`, by commas. A bench that works in one process runs with
`time.process_time` in the place of the clock, so what else the machine does is in no figure. A
bench that the older checkout lacks is run there from its file here.

For each figure: `ratio`, the median over all pairs of before ÷ now (1.02: now it takes 2 % less),
and `least` and `most`, the quartiles of these ratios. Which side begins changes with each pair.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
RUNS: Final = """
import json, runpy, sys, time
path, in_process, arguments = json.loads(sys.argv[1])
sys.path.insert(0, '')
if in_process:
    time.perf_counter = time.process_time
print(json.dumps(runpy.run_path(path)['main'](**arguments)))
"""


class PairedBench(NamedTuple):
    """A bench: its file, the figures that are compared, its arguments, is it one process."""

    file: str
    figures: tuple[str, ...]
    arguments: dict[str, Any]
    in_process: bool = True


def _each(*figures: str) -> tuple[str, ...]:
    return tuple(f"{game}.{one}" for game in ("carcassonne", "caylus") for one in figures)


FIGURES: Final = {
    "calls": PairedBench(
        "store/calls.py",
        tuple(
            f"{name}_us"
            for name in (
                *("create", "move", "usual_move", "bot_turn", "entry"),
                *("read", "events", "rebuild", "lobby", "games_of"),
            )
        ),
        {"seconds": 1.5},
    ),
    "replay": PairedBench(
        "store/replay.py",
        _each("rebuild_ms", "engine_ms", "state_at_version_ms"),
        {"seconds": 2.0},
    ),
    "takebacks": PairedBench(
        "store/takebacks.py", _each("undo_cpu_ms", "to_start_cpu_ms"), {"seconds": 2.0}
    ),
    "http": PairedBench("service/http.py", ("moves.cpu_us",), {"seconds": 3.0}, in_process=False),
    "streams": PairedBench(
        "service/streams.py",
        ("cpu_us_a_receipt", "without.web_us", "without.store_us", "bytes_each"),
        {"seconds": 3.0, "watchers": 200, "games": 100},
        in_process=False,
    ),
}
"""What is compared, by the name of the bench. Each figure is better when it is smaller."""


def main(before: str = "../before", names: str = "calls,replay", pairs: int = 11) -> dict[str, Any]:
    """Compare. Raises `CalledProcessError` where a bench fails."""
    trees = {"before": Path(before).resolve(), "now": ROOT}
    ratios: dict[str, list[float]] = defaultdict(list)
    for number in range(pairs):
        for name in names.split(","):
            order = list(trees) if number % 2 else list(reversed(trees))
            found = {side: run(trees[side], FIGURES[name]) for side in order}
            for figure, ratio in compare(FIGURES[name], **found).items():
                ratios[f"{name} {figure}"].append(ratio)
    return {name: summarize(found) for name, found in ratios.items()}


def run(tree: Path, bench: PairedBench) -> dict[str, Any]:
    """Return what a bench measures in a checkout."""
    own, file = tree / ".venv" / "bin" / "python", tree / "bench" / bench.file
    path = file if file.exists() else ROOT / "bench" / bench.file
    given = json.dumps([str(path), bench.in_process, bench.arguments])
    done = subprocess.run(
        [str(own) if own.exists() else sys.executable, "-c", RUNS, given],
        cwd=tree,
        env={name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return measured


def compare(bench: PairedBench, before: dict[str, Any], now: dict[str, Any]) -> dict[str, float]:
    """Return before ÷ now for each figure of a bench."""
    return {one: read(before, one) / read(now, one) for one in bench.figures}


def read(measured: dict[str, Any], figure: str) -> float:
    """Return a figure by its path, as in `moves.cpu_us`."""
    found: Any = measured
    for part in figure.split("."):
        found = found[part]
    return float(found)


def summarize(ratios: list[float]) -> dict[str, float]:
    """Return the median and the quartiles of some ratios."""
    if len(ratios) < 2:
        return {"ratio": ratios[0], "least": ratios[0], "most": ratios[0], "pairs": len(ratios)}
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return {"ratio": middle, "least": low, "most": high, "pairs": len(ratios)}
