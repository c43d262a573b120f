"""Writes what was measured and what follows from it into `docs/capacity.md`, between marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bench.capacity._lists import FEW
from bench.capacity._model import (
    Coefficients,
    Need,
    PlayerHabits,
    find_need,
    list_limits,
    read_coefficients,
)
from bench.games._marked import write_between
from bench.service._served import ROOT

PAGE: Final = ROOT / "docs" / "capacity.md"
PLAYERS: Final = (1e4, 1e6, 1e8)
PARTS: Final = {
    "web_us": "a move in the web process, µs",
    "stores_us": "a move in all servers of the store, µs",
    "dispatcher_us": "a changed table in the dispatcher, µs",
    "service_us": "all of it, µs",
    "archived": "an archived game, bytes",
}
ABOUT: Final = {
    "day": "share of the players of a month who play on a day",
    "moves": "moves of each of them on that day",
    "peak": "share of the day's moves in the busiest hour",
    "bots": "moves of bots for each move of a person",
    "hard": "share of `hard` among the decisions of bots",
    "expert": "share of `expert`; the rest is `medium`",
    "running": "games that each player has under way",
    "hours": "hours a day for which a player has a stream open",
    "watchers": "streams that get each move",
    "notices": "share of the turns of which a message outside tells",
    "decisions": "decisions of a turn",
    "analyses": "share of the games that are analysed",
    "rated": "share of the games that are rated",
    "pages": "other requests for each move",
    "seats": "people at a table",
    "lobby": "share of those who are there who read the lobby's stream",
    "unread": "share of the players who never read their inbox",
}


def begin(name: str) -> str:
    """Return the mark before a table of the page."""
    return f"<!-- capacity: {name} -->"


def end(name: str) -> str:
    """Return the mark after it."""
    return f"<!-- end of capacity: {name} -->"


def write_page(measured: Mapping[str, Any], page: Path = PAGE) -> None:
    """Write all tables. Raises `ValueError` for a page without their places."""
    for name, lines in list_tables(measured).items():
        write_between(page, begin(name), end(name), "".join(f"{line}\n" for line in lines))


def list_tables(measured: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the lines of each table, by its name. The assumptions are the standard ones."""
    one, habits = read_coefficients(measured), PlayerHabits()
    return {
        "taken": [*_describe_run(measured["taken"])],
        "coefficients": [*_list_coefficients(measured, one)],
        "knee": [*_list_steps(measured["knee"])],
        "second": [*_compare(measured["second"])],
        "habits": [*_list_habits(habits)],
        "needs": [*_list_needs(one, habits)],
        "limits": [*_list_limits(one, habits)],
        "lists": [*_compare_lists(measured["lists"])],
    }


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _head(*cells: str) -> Iterator[str]:
    yield _row(*cells)
    yield "|" + "---|" * len(cells)


def _describe_run(taken: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"Measured on {taken['date']} at {taken['commit']}, on {taken['cores']} cores, "
        f"at a load of {taken['load']:.0f}, in {taken['seconds']} s."
    )


def _list_coefficients(measured: Mapping[str, Any], one: Coefficients) -> Iterator[str]:
    sizes, levels = measured["sizes"], measured["bots"]
    yield from _head("what", "takes")
    yield _row("a move in a busy web process", f"{one.web_us:.0f} µs")
    yield _row("the same where nothing else happens", f"{one.web_alone_us:.0f} µs")
    yield _row("its append in the store", f"{one.append_us:.0f} µs")
    yield _row("a changed table in the dispatcher", f"{one.dispatcher_us:.0f} µs")
    yield _row(
        "the same in the store; of these in the registry",
        f"{one.follow_us:.0f} µs; {one.registry_us:.0f} µs",
    )
    yield _row("a move that another process has made, to be read", f"{one.catch_up_us:.0f} µs")
    yield _row("a request to read", f"{one.page_ms:.1f} ms")
    yield _row(
        "a stream: memory; CPU while nothing comes; an event",
        f"{show_bytes(one.stream)}; {one.held_us_per_s:.0f} µs a second; {one.receipt_us:.0f} µs",
    )
    yield _row("a delivery of a notice, in the notifier", f"{one.notifier_us / 1000:.1f} ms")
    yield _row(
        "a move of a bot without its thinking, in a worker", f"{one.worker_us / 1000:.1f} ms"
    )
    for game, found in levels.items():
        told = ", ".join(f"`{name}` {ms:.3g}" for name, ms in found.items())
        yield _row(f"a decision of a bot, {game}, ms", told)
    for game, seconds in measured["analysis_s"].items():
        yield _row(f"the analysis of a game, {game}", f"{seconds:.0f} s")
    yield _row("a player in the registry", show_bytes(one.player))
    yield _row(
        "an inbox that is read; one that is full",
        f"{show_bytes(one.inbox_read)}; {show_bytes(one.inbox)}",
    )
    running = "; ".join(
        f"{name.removeprefix('running_')} {show_bytes(size)}"
        for name, size in sizes.items()
        if name.startswith("running_")
    )
    yield _row("a running game in the store", running)
    yield _row("the same in the registry", show_bytes(one.listed))
    yield _row("a rated result in the registry, for ever", show_bytes(one.result))
    for kind, found in measured["archive"].items():
        yield _row(
            f"an archived game, {kind}: bytes; CPU of the archiver",
            f"{show_bytes(found['bytes'])}; {found['ms']:.1f} ms",
        )
    yield _row("what an archived game leaves in the store, for ever", show_bytes(one.left))


def _list_steps(knee: Mapping[str, Any]) -> Iterator[str]:
    yield from _head(
        "offered/s", "made/s", "p50, ms", "p99, ms", "cores", "wait for the dispatcher"
    )
    for step in knee["steps"]:
        yield _row(
            f"{step['offered']:,.0f}",
            f"{step['made']:,.0f}",
            f"{step['p50_ms']:.1f}",
            f"{step['p99_ms']:.1f}",
            f"{step['cores']:.2f}",
            str(step["waiting"]),
        )
    yield ""
    at = "never" if knee["at"] is None else f"at {knee['at']:,.0f} a second"
    yield (
        f"The p99 leaves {at}. Foreseen by CPU time were {knee['foreseen']:,.0f} moves a second, "
        f"made were {knee['most']:,.0f}: {knee['error']:+.0%}."
    )


def _compare(second: Mapping[str, Any]) -> Iterator[str]:
    yield from _head("what", "foreseen", "measured", "error")
    for name, told in PARTS.items():
        found = second[name]
        yield _row(
            told, f"{found['foreseen']:,.0f}", f"{found['measured']:,.0f}", f"{found['error']:+.0%}"
        )


def _list_habits(habits: PlayerHabits) -> Iterator[str]:
    yield from _head("name", "what", "taken")
    for name, told in ABOUT.items():
        yield _row(f"`{name}`", told, f"{getattr(habits, name):g}")


SHOWN_NEEDS: Final[Mapping[str, Callable[[Need], str]]] = {
    "moves of people; of bots, a second": lambda need: (
        f"{show_rate(need.moves_per_s)}; {show_rate(need.bot_moves_per_s)}"
    ),
    "games a day": lambda need: f"{need.games_per_day:,.0f}",
    "open streams": lambda need: f"{need.streams:,.0f}",
    "cores of web processes": lambda need: show_cores(need.web_cores),
    "cores of dispatchers": lambda need: show_cores(need.dispatcher_cores),
    "cores of workers": lambda need: show_cores(need.worker_cores),
    "cores of notifiers": lambda need: show_cores(need.notifier_cores),
    "cores of the masters": lambda need: show_cores(need.masters_cores),
    "cores of the registry": lambda need: show_cores(need.registry_cores),
    "memory of streams": lambda need: show_bytes(need.web_memory),
    "memory of the masters": lambda need: show_bytes(need.masters_memory),
    "memory of the registry": lambda need: show_bytes(need.registry_memory),
    "what a year adds to it": lambda need: show_bytes(need.registry_a_year),
    "games of a year in the archive": lambda need: (
        f"{show_number(need.rows_a_year)}, {show_bytes(need.archive_a_year)}"
    ),
    "the lobby's stream, a second": lambda need: show_bytes(need.lobby_line),
}


def _list_needs(one: Coefficients, habits: PlayerHabits) -> Iterator[str]:
    needs = [find_need(one, habits, players) for players in PLAYERS]
    yield from _head("in the busiest hour", *(f"{players:,.0f} players" for players in PLAYERS))
    for name, show in SHOWN_NEEDS.items():
        yield _row(name, *map(show, needs))


def _list_limits(one: Coefficients, habits: PlayerHabits) -> Iterator[str]:
    yield from _head("what is full", "for how many players")
    for limit, players in list_limits(one, habits):
        yield _row(limit.name, show_number(players))


LISTS: Final = {
    "lobby": "a look of the dispatcher at the lobby, and a snapshot for a reader",
    "page": "a page of the tables with an open seat",
    "untimed": "the same of untimed tables",
    "rated": "the same of rated tables: all are looked at in vain",
}


def _compare_lists(lists: Mapping[str, Any]) -> Iterator[str]:
    yield from _head(
        "CPU of the process; of the server",
        f"{FEW} open tables",
        f"{lists['tables']:,} open tables",
    )
    for name, told in LISTS.items():
        found = (lists[where][name] for where in ("few", "many"))
        yield _row(told, *(f"{ms:.1f} ms; {us / 1000:.2f} ms" for ms, us in found))


def show_rate(rate: float) -> str:
    """Return how often something happens a second, three digits of a small number."""
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def show_cores(cores: float) -> str:
    """Return a number of cores, two digits of it."""
    return f"{cores:,.0f}" if cores >= 10 else f"{cores:.2g}"


def show_number(number: float) -> str:
    """Return a large number in words, two digits of it."""
    for name, size in (("billion", 1e9), ("million", 1e6)):
        if number >= size:
            return (
                f"{number / size:,.2g} {name}"
                if number < 99 * size
                else f"{number / size:,.0f} {name}"
            )
    return f"{round(number, -3):,.0f}"


def show_bytes(number: float) -> str:
    """Return a number of bytes with its unit, three digits of it."""
    for name, size in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {name}"
    return f"{number:.0f} bytes"
