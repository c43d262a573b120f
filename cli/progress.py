"""Progress on stderr: a bar on a terminal, a line now and then otherwise."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import click

LINE_EVERY_S = 5.0
"""How often a line is written when stderr is no terminal."""

Show = Callable[[int, int], None]
"""Takes how many items are done, and how many there are in all."""


@contextmanager
def progress(label: str, *, hidden: bool = False) -> Iterator[Show]:
    """Yield a function that shows how far a long work is."""
    with ExitStack() as stack:
        if hidden:
            yield lambda _done, _total: None
        elif sys.stderr.isatty():
            yield _bar(label, stack)
        else:
            yield _lines(label)


def _bar(label: str, stack: ExitStack) -> Show:
    bars: list[click._termui_impl.ProgressBar[int]] = []

    def show(done: int, total: int) -> None:
        if not bars:
            bar = click.progressbar(length=total, label=label, file=sys.stderr)
            bars.append(stack.enter_context(bar))
        bars[0].update(done - bars[0].pos)

    return show


def _lines(label: str) -> Show:
    due = time.monotonic() + LINE_EVERY_S

    def show(done: int, total: int) -> None:
        nonlocal due
        if time.monotonic() >= due:
            click.echo(f"{label}: {done} of {total}", err=True)
            due = time.monotonic() + LINE_EVERY_S

    return show
