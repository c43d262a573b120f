"""Traces: whether what the code did is a run of the model.

A trace is what was seen of a run, in order: actions with their words. The hidden actions of a model
may come in between. All states in which the run may be are followed at once, so a trace is refused
at the first step after which no state is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple

from simulation.specification.model import Model, ModelStep, S
from simulation.specification.search import list_steps

SHOWN = 12
"""Steps of a trace that a refusal tells before the step that is refused."""


class RefusedTrace(Exception):
    """A trace is no run of a model; `str()` says at which step, and what might come there."""


class Accepted(NamedTuple, Generic[S]):
    """A trace that is a run: the number of its steps, and the states in which it may have ended."""

    steps: int
    states: frozenset[S]


def accept(model: Model[S], trace: Sequence[ModelStep]) -> Accepted[S]:
    """Follow a trace. Raises `RefusedTrace` at the first step that the model does not make."""
    hidden = {action.name for action in model.actions if action.hidden}
    states = frozenset([model.initial])
    for number, seen in enumerate(trace):
        before = _close(model, states, hidden)
        states = frozenset(
            after for state in before for step, after in list_steps(model, state) if step == seen
        )
        if not states:
            raise RefusedTrace(_explain(model, trace[: number + 1], before, hidden))
        _must_hold(model, trace[: number + 1], states)
    return Accepted(len(trace), states)


def _close(model: Model[S], states: Iterable[S], hidden: set[str]) -> frozenset[S]:
    """Return the states that are reached from some by hidden actions, those included."""
    known = set(states)
    waiting = list(known)
    while hidden and waiting:
        for step, after in list_steps(model, waiting.pop()):
            if step.action in hidden and after not in known:
                known.add(after)
                waiting.append(after)
    return frozenset(known)


def _must_hold(model: Model[S], trace: Sequence[ModelStep], states: frozenset[S]) -> None:
    """Raise `RefusedTrace` where an invariant holds in no state in which the run may be."""
    for name, holds in model.invariants.items():
        if not any(holds(state) for state in states):
            raise RefusedTrace("\n".join([f"{model.name}: not {name}, after", *_tell(trace)]))


def _explain(
    model: Model[S], trace: Sequence[ModelStep], before: Iterable[S], hidden: set[str]
) -> str:
    might = {
        str(step)
        for state in before
        for step, _ in list_steps(model, state)
        if step.action not in hidden
    }
    return "\n".join(
        [
            f"{model.name}: step {len(trace)} is not in the model: {trace[-1]}",
            *(f"  it might be: {one}" for one in sorted(might)),
            *_tell(trace[:-1]),
        ]
    )


def _tell(trace: Sequence[ModelStep]) -> list[str]:
    first = max(0, len(trace) - SHOWN)
    return [f"  {n}. {step}" for n, step in enumerate(trace[first:], start=first + 1)]
