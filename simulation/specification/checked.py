"""What is checked: each model within its bounds, and what breaks when a defence is left out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from simulation.specification import (
    archiving,
    creating,
    failing_over,
    moving,
    sealing,
    takebacks,
    timing_out,
)
from simulation.specification.model import Model

Build = Callable[..., Model[Any]]

TWO = {"a": "ada", "b": "bob"}


class Defence(NamedTuple):
    """A defence of the protocol: how the model is built without it."""

    name: str
    build: Build


class Checked(NamedTuple):
    """A protocol: its model within the bounds of every run, of a night, and without a defence."""

    usual: tuple[Build, ...]
    night: tuple[Build, ...]
    defences: tuple[Defence, ...]


def _leave_out(build: Build, *names: str, **bounds: Any) -> tuple[Defence, ...]:
    return tuple(Defence(name, partial(build, without=[name], **bounds)) for name in names)


CHECKED = (
    Checked(
        (partial(moving.build, TWO), partial(moving.build, falls=0)),
        (partial(moving.build, TWO, faults=2), partial(moving.build, faults=2, falls=0)),
        _leave_out(moving.build, "fence", "chain", "record", "check", players=TWO),
    ),
    Checked(
        (takebacks.build,),
        (partial(takebacks.build, versions=8),),
        _leave_out(takebacks.build, "fence", "lapse", "consents"),
    ),
    Checked(
        (timing_out.build,),
        (partial(timing_out.build, times=9, positions=3),),
        _leave_out(timing_out.build, "fence", "fresh", "note"),
    ),
    Checked(
        (partial(creating.build, deaths=1),),
        (partial(creating.build, deaths=3),),
        _leave_out(creating.build, "outbox", "secret", "first", "ack", deaths=1),
    ),
    Checked(
        (partial(failing_over.build, deaths=1), partial(failing_over.build, ("a",), 2)),
        (failing_over.build,),
        _leave_out(failing_over.build, "wait", "rewrite"),
    ),
    Checked(
        (archiving.build,),
        (partial(archiving.build, faults=2, visits=1),),
        _leave_out(archiving.build, "read back", "pin", "late", "refusal"),
    ),
    Checked(
        (sealing.build,),
        (partial(sealing.build, tables=3, deaths=2),),
        _leave_out(sealing.build, "all", "secret", "same", "order", "hide", "first"),
    ),
)
