"""What lists cost when many tables are in them: the lobby's look, pages of open tables.

The tables are copies of one under other ids. The figures are ms of CPU of the process that asks,
and µs that the server notes as its own time, for one request.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from ulid import ULID

from bench.capacity._sizes import open_empty
from cartulary.cli.shared.progress import progress
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.lists.lobby_pages import UNTIMED
from cartulary.events.store import Store

FEW: Final = 200
REQUESTS: Final = 20
OURS: Final = "cmdstat_info"


def measure_lists(tables: int) -> dict[str, Any]:
    """Measure the lists with few open tables in them, and with so many."""
    with open_empty() as store:
        player, _ = store.players.create("host")
        request = NewGame("carcassonne", [SeatRequest("me"), SeatRequest("open")])
        table = store.commands.create(Intent(player), request).table
        found: dict[str, Any] = {"tables": tables}
        with progress("open tables") as show:
            for number in range(1, tables + 1):
                store.projections.apply(table._replace(id=str(ULID())))
                if number == FEW:
                    found["few"] = _measure_all(store)
                show(number, tables)
        return found | {"many": _measure_all(store)}


def _measure_all(store: Store) -> dict[str, tuple[float, float]]:
    kinds: dict[str, Callable[[], object]] = {
        "lobby": lambda: _look(store),
        "page": lambda: store.projections.lobby(seat="open"),
        "untimed": lambda: store.projections.lobby(seat="open", pace=UNTIMED),
        "rated": lambda: store.projections.lobby(seat="open", rated="true"),
    }
    return {name: _measure(store, ask) for name, ask in kinds.items()}


def _look(store: Store) -> None:
    """Look at the lobby as a dispatcher does while there are readers; all of it is new."""
    store.lobby.hold()()
    store.lobby.look()
    store.lobby.take_snapshot()


def _measure(store: Store, ask: Callable[[], object]) -> tuple[float, float]:
    ask()
    began, server = time.process_time(), _count_server_us(store)
    for _ in range(REQUESTS):
        ask()
    spent, served = time.process_time() - began, _count_server_us(store) - server
    return 1000 * spent / REQUESTS, served / REQUESTS


def _count_server_us(store: Store) -> float:
    found: Any = store.registry.info("commandstats")
    return float(sum(row["usec"] for name, row in found.items() if name != OURS))
