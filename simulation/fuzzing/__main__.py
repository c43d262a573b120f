"""`python -m simulation.fuzzing`: fuzz the readers of hostile bytes, one after another.

    python -m simulation.fuzzing --seconds 60               all targets, a minute each
    python -m simulation.fuzzing cursor --seconds 3600 --keep
    python -m simulation.fuzzing cursor --replay FILE       what one input does

Needs the library atheris (`pip install atheris`). Prints a line of JSON for each target. An input
that breaks a promise is written to `--found` and ends the run of its target; the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from simulation.fuzzing.corpus import pack, read_corpus, unpack, write_corpus
from simulation.fuzzing.targets import TARGETS

MEMORY_MB = 1024
"""Of a process: a reader that takes more for some kilobytes is a finding."""
SLOW_S = 10
"""Of an input: a reader that takes longer is a finding."""
MOST = 150
"""Inputs of a target that are kept."""


class Fuzzed(NamedTuple):
    """What a run of a target came to; `covered` are branches, `kept` inputs that found new ones."""

    target: str
    inputs: int
    covered: int
    kept: int
    found: list[str]


def main(words: list[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m simulation.fuzzing", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=60, help="of each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--found", type=Path, default=Path("found"), help="folder for findings")
    parser.add_argument("--keep", action="store_true", help="keep what covers more branches")
    parser.add_argument("--replay", type=Path, help="an input; nothing else is tried")
    given = parser.parse_args(words)
    names = given.targets or [*TARGETS]
    if given.replay:
        print("taken" if TARGETS[names[0]].judge(given.replay.read_bytes()) else "refused")
        return 0
    if find_spec("atheris") is None:
        parser.error("the library atheris is missing: pip install atheris")
    found = False
    for name in names:
        fuzzed = fuzz(name, given.seconds, given.seed, given.found, given.keep)
        found = found or bool(fuzzed.found)
        print(json.dumps(fuzzed._asdict()), flush=True)
    return int(found)


def fuzz(name: str, seconds: int, seed: int, found: Path, keep: bool) -> Fuzzed:
    """Fuzz a target for some time, from its corpus on."""
    target = TARGETS[name]
    found.mkdir(parents=True, exist_ok=True)
    before = {*found.iterdir()}
    with tempfile.TemporaryDirectory() as made:
        room, words = Path(made) / "corpus", Path(made) / "words"
        unpack([*target.seeds(), *read_corpus(name)], room)
        listed = [json.dumps(word) for word in target.words if word.isprintable()]
        words.write_text("".join(f"{word}\n" for word in listed))
        options: dict[str, object] = {
            "max_total_time": seconds,
            "seed": seed,
            "max_len": target.most,
            "timeout": SLOW_S,
            "rss_limit_mb": MEMORY_MB,
            "artifact_prefix": f"{found}/{name}-",
        }
        if listed:
            options["dict"] = words
        printed = _run(name, [f"-{key}={value}" for key, value in options.items()], room)
        if keep:
            write_corpus(name, choose(pack(room), {*target.seeds()}))
        fresh = [file.name for file in sorted({*found.iterdir()} - before)]
        return _read(name, printed, room, fresh)


def _run(name: str, options: list[str], room: Path) -> str:
    command = [sys.executable, "-m", "simulation.fuzzing.guided", name, *options]
    ran = subprocess.run([*command, str(room)], capture_output=True, text=True, check=False)
    if ran.returncode:
        print(ran.stderr[-4000:], file=sys.stderr)
    return ran.stderr


def choose(inputs: Sequence[bytes], seeds: Collection[bytes]) -> list[bytes]:
    """Return the shortest of the inputs that libFuzzer has found, at most `MOST`."""
    return sorted((data for data in inputs if data not in seeds), key=len)[:MOST]


_SHOWN = re.compile(r"^#(?P<inputs>\d+)\s.*?cov: (?P<covered>\d+)", re.MULTILINE)


def _read(name: str, printed: str, room: Path, found: list[str]) -> Fuzzed:
    shown: Any = [*_SHOWN.finditer(printed)][-1:]
    inputs, covered = map(int, shown[0].groups()) if shown else (0, 0)
    return Fuzzed(name, inputs, covered, len(pack(room)), found)


if __name__ == "__main__":
    sys.exit(main())
