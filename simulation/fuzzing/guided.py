"""One target under libFuzzer, with the coverage as a guide: `python -m simulation.fuzzing.guided`.

atheris instruments modules while they are imported, so this module imports no room at its top.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable

GUIDED = ("cartulary", "engine", "events", "notices", "outside", "service", "workers")
"""The rooms whose branches guide the fuzzing."""


def make_once(target_name: str) -> Callable[[bytes], None]:
    """Return what libFuzzer calls with each input of a target."""
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=list(GUIDED)):
        targets = importlib.import_module("simulation.fuzzing.targets").TARGETS
    target = targets[target_name]
    list(target.seeds())  # makes the samples, which are no part of an input's memory
    gc.freeze()

    def judge(data: bytes) -> None:
        target.judge(data)

    return judge


def main(words: list[str]) -> None:
    """Fuzz the target that the first word names; the other words are options of libFuzzer."""
    judge = make_once(words[1])
    atheris = importlib.import_module("atheris")
    atheris.Setup([words[0], *words[2:]], judge)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
