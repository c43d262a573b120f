"""The command `cartulary top`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import click
from redis import RedisError
from rich.console import Console
from rich.live import Live

from cartulary.cli.operators.store import (
    data_option,
    find_archive_url,
    open_by_url,
    refuse_unusable,
)
from cartulary.cli.processes.serve_state import Running, read_state
from cartulary.cli.shared.data_directory import read_note, url_in_use
from cartulary.cli.shared.environment import events_url, queue_url, read_setting
from cartulary.cli.shared.errors import Unusable
from cartulary.cli.shared.numbers import NumberRange
from cartulary.cli.top.figures import ServiceFigures, find_metrics, read_figures
from cartulary.cli.top.page import draw
from cartulary.events.server.connection import connect
from cartulary.events.store import Store

LEAST_S = 0.2


@click.command()
@data_option
@click.option(
    "--every",
    type=NumberRange(min=LEAST_S),
    default=2.0,
    show_default=True,
    help="Seconds between two readings.",
)
@click.option("--metrics", default="", help="A URL with the metrics of the web processes.")
@click.option("--once", is_flag=True, help="Print one page, and end.")
def top(data: Path, every: float, metrics: str, once: bool) -> None:
    """Show live how the service does, until Ctrl-C.

    Shows events and requests a second, latencies, processes, outbox and queues, streams, and the
    games that wait longest. Changes nothing. The latencies are those of the `serve` of this
    machine, or of `--metrics`: `/metrics` of the service (with CARTULARY_METRICS_TOKEN), or the
    port of `serve --metrics`.
    """
    url = events_url() or url_in_use(data)
    if not url:
        raise Unusable(
            f"no service runs on {data}; name its directory with --data or set CARTULARY_EVENTS_URL"
        )
    with refuse_unusable(), closing(open_by_url(url, find_archive_url(data))) as store:
        store.inspect()
        read = _make_reader(store, data, metrics)
        if once or not sys.stdout.isatty():
            _print_once(read, every)
        else:
            _show_live(read, every)


def _make_reader(store: Store, data: Path, url: str) -> Callable[[], ServiceFigures]:
    """Return what reads the service; `serve` may start again meanwhile."""
    queue = connect(at) if (at := queue_url()) else store.registry
    token = read_setting("METRICS_TOKEN")
    return lambda: read_figures(store, queue, find_metrics(_find_running(data), url, token))


def _find_running(data: Path) -> Running | None:
    note = read_note(data)
    return read_state(Path(note.memory)) if note is not None and note.memory else None


def _print_once(read: Callable[[], ServiceFigures], every: float) -> None:
    before = read()
    time.sleep(every)
    Console().print(draw(before, read()))


def _show_live(read: Callable[[], ServiceFigures], every: float) -> None:
    """Draw until Ctrl-C; a store that does not answer for a while is named, and asked again."""
    before = read()
    with Live("reading …", screen=True, auto_refresh=False) as live:
        try:
            while True:
                time.sleep(every)
                try:
                    now = read()
                except RedisError as error:
                    live.update(f"the store does not answer: {error}", refresh=True)
                    continue
                live.update(draw(before, now), refresh=True)
                before = now
        except KeyboardInterrupt:
            return
