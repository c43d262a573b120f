"""The page of `cartulary top`: two readings as tables of a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cartulary.cli.top.figures import (
    MOVES,
    OTHERS,
    ServiceFigures,
    WebFigures,
    count_requests,
    find_quantile,
)

UNKNOWN = "unknown"
ROLES = ("web", "dispatcher", "fast", "worker", "notifier")
NEEDED = ("web", "dispatcher", "worker")
LATE_S = 2.0
"""What waits for longer is shown in red."""


def draw(before: ServiceFigures, now: ServiceFigures) -> RenderableType:
    """Return the page: what is now, and what has happened since `before`."""
    return Group(
        _draw_summary(before, now),
        _draw_requests(before.web, now.web, now.at - before.at),
        _draw_queues(now),
        _draw_waiting(now),
    )


def _draw_summary(before: ServiceFigures, now: ServiceFigures) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_row("processes", _name_processes(now))
    table.add_row("events", _tell_appends(before, now))
    table.add_row("outbox", _tell_outbox(now))
    table.add_row("store", f"{now.memory / 2**20:,.0f} MiB of memory")
    table.add_row("streams", UNKNOWN if now.web is None else f"{now.web.streams:,} open")
    return table


def _name_processes(now: ServiceFigures) -> Text:
    counts = Counter(sign.name for sign in now.signs)
    text = Text()
    for name in ROLES:
        style = "red" if name in NEEDED and not counts[name] else ""
        text.append(f"{counts[name]} {name}  ", style)
    return text


def _tell_appends(before: ServiceFigures, now: ServiceFigures) -> str:
    if now.appends is None or before.appends is None:
        return UNKNOWN
    return f"{(now.appends - before.appends) / (now.at - before.at):,.1f} stored a second"


def _tell_outbox(now: ServiceFigures) -> Text:
    text = Text(f"{now.outbox:,} entries, the oldest waits ")
    return text.append(f"{now.outbox_age_s:.1f} s", _mark(now.outbox_age_s))


def _mark(waits_s: float) -> str:
    return "red" if waits_s > LATE_S else ""


def _draw_requests(before: WebFigures | None, now: WebFigures | None, seconds: float) -> Table:
    table = Table("requests", box=None, header_style="bold", pad_edge=False)
    for heading in ("a second", "p50", "p99"):
        table.add_column(heading, justify="right")
    if before is None or now is None:
        table.add_row(f"{UNKNOWN}: name the metrics by --metrics", "", "", "")
        return table
    for kind in (MOVES, OTHERS):
        times = before.times[kind], now.times[kind]
        quantiles = (_tell_ms(find_quantile(share, *times)) for share in (0.5, 0.99))
        table.add_row(kind, f"{count_requests(*times) / seconds:,.1f}", *quantiles)
    failures = now.failures - before.failures
    table.add_row(Text("answers of 500 and more", "red" if failures else ""), f"{failures:,}")
    return table


def _tell_ms(seconds: float | None) -> str:
    return "–" if seconds is None else f"{1000 * seconds:,.1f} ms"


def _draw_queues(now: ServiceFigures) -> Table:
    table = Table("queue", box=None, header_style="bold", pad_edge=False)
    for heading in ("jobs wait", "the first for", "failed"):
        table.add_column(heading, justify="right")
    games = {} if now.backlog is None else now.backlog.by_queue
    for queue in now.queues:
        waits = f"{queue.waiting:,}"
        if more := games.get(queue.name, 0) - queue.waiting:
            waits += f" (+{more:,} games)" if more > 0 else ""
        age = Text(f"{queue.age_s:.1f} s", _mark(queue.age_s))
        failed = Text(f"{len(queue.failed):,}", "red" if queue.failed else "")
        table.add_row(queue.name, waits, age, failed)
    return table


def _draw_waiting(now: ServiceFigures) -> Table:
    table = Table("slowest games", box=None, header_style="bold", pad_edge=False)
    table.add_column("wait for a bot or a score", justify="right")
    for game, text in _list_waiting(now):
        table.add_row(game, text)
    return table


def _list_waiting(now: ServiceFigures) -> Iterator[tuple[str, Text]]:
    if not now.waiting:
        yield "no game waits", Text("")
    for game, age_ms in now.waiting:
        yield game, Text(f"{age_ms / 1000:.1f} s", _mark(age_ms / 1000))
