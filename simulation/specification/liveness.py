"""Liveness: no fair run of a model stays for ever where a promise is not kept.

A run that never ends goes round within one strongly connected part of the graph, or stands still.
It is fair when each actor that has promised to act has acted in it, or could not. So a promise is
broken where a part without `then` has a fair run, and a state with `whenever` leads there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from typing import Any

from simulation.specification.model import Fairness, ModelStep, Promise, S
from simulation.specification.search import Broken, Edge, Graph

Duty = tuple[str, Any]
"""An action, and the actor who owes it."""


def check_promises(graph: Graph[S]) -> None:
    """Check each promise of a model on its graph. Raises `Broken` with the run that breaks it."""
    for promise in graph.model.promises:
        _check_promise(graph, promise)


def _check_promise(graph: Graph[S], promise: Promise[S]) -> None:
    unkept = [not promise.then(state) for state in graph.states]
    begins = [
        number
        for number, state in enumerate(graph.states)
        if unkept[number] and promise.whenever(state)
    ]
    came_from = _spread(graph, begins, unkept)
    duties = Duties(graph)
    for part in split(graph, came_from.keys()):
        if (fair := duties.find_fair(part)) is not None:
            raise Broken(
                f"{graph.model.name}: not always {promise.name}",
                _tell_run(graph, came_from, fair),
            )


def _spread(
    graph: Graph[S], begins: list[int], allowed: list[bool]
) -> dict[int, tuple[int, ModelStep] | None]:
    """Return the states that are reached from some through allowed states, with the way there."""
    came_from: dict[int, tuple[int, ModelStep] | None] = dict.fromkeys(begins)
    waiting = deque(begins)
    while waiting:
        number = waiting.popleft()
        for step, after in graph.edges[number]:
            if allowed[after] and after not in came_from:
                came_from[after] = (number, step)
                waiting.append(after)
    return came_from


class Duties:
    """Who owes which action, in the states of a graph."""

    def __init__(self, graph: Graph[Any]) -> None:
        self._graph = graph
        self._fair = {action.name: action.fair for action in graph.model.actions}
        self._strong = {name for name, fair in self._fair.items() if fair is Fairness.STRONG}

    def find_fair(self, part: Collection[int]) -> Collection[int] | None:
        """Return the states of a fair run in a connected part, None where there is no such run."""
        inside = frozenset(part)
        done = {duty for n in inside for duty, after in self._list(n) if after in inside}
        owed = [{duty for duty, _ in self._list(n)} for n in inside]
        always = set.intersection(*owed) - done
        if always:
            return None  # an actor that could act all the time acts, and leaves
        again = {duty for one in owed for duty in one if duty[0] in self._strong} - done
        if not again:
            return inside
        # A run that never meets a state in which these could act may still be fair.
        quiet = [n for n in inside if not any(duty in again for duty, _ in self._list(n))]
        for smaller in split(self._graph, quiet):
            if (found := self.find_fair(smaller)) is not None:
                return found
        return None

    def _list(self, number: int) -> Iterator[tuple[Duty, int]]:
        for step, after in self._graph.edges[number]:
            if self._fair[step.action] is not Fairness.NO:
                yield (step.action, step.words[:1]), after


def split(graph: Graph[Any], numbers: Collection[int]) -> Iterator[list[int]]:
    """Yield the strongly connected parts of some states (Tarjan), without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    inside = frozenset(numbers)
    for root in numbers:
        if root in index:
            continue
        work: list[tuple[int, Iterator[Edge]]] = [(root, iter(graph.edges[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            number, edges = work[-1]
            for _, after in edges:
                if after not in inside:
                    continue
                if after not in index:
                    index[after] = low[after] = len(index)
                    stack.append(after)
                    on_stack.add(after)
                    work.append((after, iter(graph.edges[after])))
                    break
                if after in on_stack:
                    low[number] = min(low[number], index[after])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[number])
                if low[number] == index[number]:
                    yield _pop_until(stack, on_stack, number)


def _pop_until(stack: list[int], on_stack: set[int], last: int) -> list[int]:
    part = []
    while True:
        number = stack.pop()
        on_stack.discard(number)
        part.append(number)
        if number == last:
            return part


def _tell_run(
    graph: Graph[Any],
    came_from: dict[int, tuple[int, ModelStep] | None],
    fair: Collection[int],
) -> list[str]:
    """Return the story of a run into a fair part, and what happens there for ever."""
    at = first = min(fair, key=_measure(came_from))
    steps: list[str] = []
    while (cause := came_from[at]) is not None:
        steps.append(str(cause[1]))
        at = cause[0]
    within = sorted(
        {str(step) for n in fair for step, after in graph.edges[n] if after in fair and after != n}
    )
    return [
        *graph.tell(at),
        "  from here on it is owed",
        *(f"  + {step}" for step in reversed(steps)),
        f"  for ever: {', '.join(within) or 'nothing happens any more'}",
        f"  state: {graph.states[first]}",
    ]


def _measure(came_from: dict[int, tuple[int, ModelStep] | None]) -> Callable[[int], int]:
    def measure(number: int) -> int:
        length = 0
        while (cause := came_from[number]) is not None:
            number, length = cause[0], length + 1
        return length

    return measure
