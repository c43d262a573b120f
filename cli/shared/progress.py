"""Progress on stderr: a bar on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

import click

LINE_EVERY_S = 5.0
"""Seconds between two lines when stderr is not a terminal."""

Show = Callable[[int, int], None]
"""Takes the number of items that are done, and the number of all items."""


@contextmanager
def progress(label: str, *, hidden: bool = False) -> Iterator[Show]:
    """Yield a function that shows the progress of long work; `hidden` shows nothing."""
    with ExitStack() as stack:
        if hidden:
            yield lambda _done, _total: None
        elif sys.stderr.isatty():
            yield _bar(label, stack)
        else:
            yield _lines(label)


def _bar(label: str, stack: ExitStack) -> Show:
    # The first call opens the bar, so work without items shows no bar.
    opened = cache(
        lambda total: stack.enter_context(
            click.progressbar(length=total, label=label, file=sys.stderr)
        )
    )

    def show(done: int, total: int) -> None:
        bar = opened(total)
        bar.update(done - bar.pos)

    return show


def _lines(label: str) -> Show:
    due = time.monotonic() + LINE_EVERY_S

    def show(done: int, total: int) -> None:
        nonlocal due
        if time.monotonic() >= due:
            click.echo(f"{label}: {done} of {total}", err=True)
            due = time.monotonic() + LINE_EVERY_S

    return show
