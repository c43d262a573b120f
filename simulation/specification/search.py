"""The search: every state that a model can reach, and the shortest way to one that it must not.

Breadth first, each state once. A finding is a story: the steps from the first state on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Generic, NamedTuple

from simulation.specification.model import Model, ModelStep, S

MOST_STATES = 1_000_000
"""A search that finds more of them ends: its bounds are wrong."""


class Broken(Exception):
    """A model reaches what it must not; `str()` is the story of it."""

    def __init__(self, what: str, story: list[str]) -> None:
        super().__init__("\n".join([what, *story]))
        self.what, self.story = what, story


class Edge(NamedTuple):
    """A step between two states, by their numbers."""

    step: ModelStep
    after: int


class Graph(NamedTuple, Generic[S]):
    """All states of a model, in the order in which they were found, with the steps from each."""

    model: Model[S]
    states: list[S]
    edges: list[list[Edge]]
    came_from: list[tuple[int, ModelStep] | None]

    def tell(self, number: int) -> list[str]:
        """Return the shortest story that ends in a state."""
        steps: list[str] = []
        at, cause = number, self.came_from[number]
        while cause is not None:
            before, step = cause
            steps.append(f"{step}: {describe_change(self.states[before], self.states[at])}")
            at, cause = before, self.came_from[before]
        return [f"  {n}. {text}" for n, text in enumerate(reversed(steps), start=1)]


def describe_change(before: Any, after: Any) -> str:
    """Return what differs between two states of a model."""
    return ", ".join(_list_changes("", before, after)) or "nothing changes"


def _list_changes(name: str, before: Any, after: Any) -> Iterator[str]:
    """Yield what differs between two values; of named tuples the fields that do."""
    if before == after:
        return
    names = getattr(after, "_fields", None)
    if type(before) is type(after) and (names or _are_alike(before, after)):
        for part, old, new in zip(names or range(len(after)), before, after, strict=True):
            yield from _list_changes(f"{name}.{part}".strip("."), old, new)
    else:
        shown = sorted(map(str, after)) if isinstance(after, frozenset) else after
        yield f"{name} = {shown}"


def _are_alike(before: Any, after: Any) -> bool:
    """Return whether two tuples hold as many named tuples, of which some have changed."""
    return (
        type(after) is tuple
        and len(before) == len(after)
        and all(hasattr(one, "_fields") for one in after)
    )


def list_steps(model: Model[S], state: S) -> Iterator[tuple[ModelStep, S]]:
    """Yield every step that a model may make in a state, with the state after it."""
    for action in model.actions:
        for words, after in action.ways(state):
            yield ModelStep(action.name, words), after


def explore(model: Model[S], most: int = MOST_STATES) -> Graph[S]:
    """Return the graph of a model. Raises `Broken` where an invariant does not hold."""
    graph: Graph[S] = Graph(model, [model.initial], [], [None])
    numbers = {model.initial: 0}
    waiting = deque([0])
    _check(graph, 0)
    while waiting:
        number = waiting.popleft()
        edges = []
        for step, after in list_steps(model, graph.states[number]):
            found = numbers.get(after)
            if found is None:
                found = numbers[after] = len(graph.states)
                graph.states.append(after)
                graph.came_from.append((number, step))
                _check(graph, found)
                waiting.append(found)
            edges.append(Edge(step, found))
        graph.edges.append(edges)  # numbers are given in the order in which states are looked at
        if len(graph.states) > most:
            raise OverflowError(f"{model.name} has more than {most} states")
    return graph


def _check(graph: Graph[S], number: int) -> None:
    for name, holds in graph.model.invariants.items():
        if not holds(graph.states[number]):
            raise Broken(f"{graph.model.name}: not always {name}", graph.tell(number))
