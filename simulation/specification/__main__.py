"""Search the models: `python -m simulation.specification [night]`.

Prints the bounds and the number of states of each model, and what breaks without each defence.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from simulation.specification.checked import CHECKED
from simulation.specification.liveness import check_promises
from simulation.specification.model import Model
from simulation.specification.search import Broken, Graph, explore


def check(model: Model[Any]) -> Graph[Any]:
    """Search a model and check its promises. Raises `Broken`."""
    graph = explore(model)
    check_promises(graph)
    return graph


def describe(model: Model[Any]) -> str:
    """Search a model and return a line of what was found. Raises `Broken`."""
    begun = time.process_time()
    graph = check(model)
    steps, seconds = sum(map(len, graph.edges)), time.process_time() - begun
    what = f"{len(model.invariants)} invariants, {len(model.promises)} promises"
    states = f"{len(graph.states)} states, {steps} steps"
    return f"{model.name} ({model.bounds}): {states}; {what}; {seconds:.1f} s"


def find_break(model: Model[Any]) -> str:
    """Return what a model without a defence breaks, '' where nothing does."""
    try:
        check(model)
    except Broken as broken:
        return broken.what
    return ""


def main(arguments: list[str]) -> int:
    """Print a line for each model and defence; return 1 where a defence is left out in vain."""
    failed = 0
    for checked in CHECKED:
        for build in (*checked.usual, *(checked.night if arguments == ["night"] else ())):
            print(describe(build()), flush=True)
        for defence in checked.defences:
            found = find_break(defence.build())
            failed += not found
            print(f"  without {defence.name}: {found or 'nothing breaks'}", flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
