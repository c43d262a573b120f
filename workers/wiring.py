"""The wiring of a worker process: the one global thing of this room.

RQ calls jobs by name with what the queue contains, so a job cannot get its store as an argument.
The entry point of the worker opens the store and provides it with the games on offer (`provide`);
each job asks for the store (`provided`), for the bots of a game (`list_bots`, `find_entry`),
whether people wait for the worker (`do_people_wait`), what the worker may do (`may_think`), and
since when it has worked without a pause (`shift`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cartulary.bots.base import BotEntry
from cartulary.events.model.table import Table
from cartulary.events.store import Store
from cartulary.events.tracing.spans import carry
from cartulary.games.offer import Offer
from cartulary.workers.process.table_reader import now_ms
from cartulary.workers.queues.lines import has_people
from cartulary.workers.queues.queues import Queues, put
from cartulary.workers.thinking.analysis_in_memory import Walks
from cartulary.workers.thinking.budgets import find_thinkers
from cartulary.workers.thinking.busy_since import Shift

_stores: list[Store] = []
_offers: dict[str, Offer] = {}
_queues: list[Queues] = []
_does_think = find_thinkers(_offers)
_quick_only: list[bool] = []
shift = Shift()
"""The work of this process."""
walks = Walks()
"""The analysis that this process goes on with."""


def provide(
    store: Store, offers: Mapping[str, Offer], queues: Queues | None = None, thinks: bool = True
) -> None:
    """Make `store` the store of all jobs of this process, and `offers` its games.

    `queues` are those that the process takes its jobs from; without them no other process waits.
    `thinks`: the process takes the jobs of bots that think for long as well.
    """
    _stores[:] = [store]
    _queues[:] = [] if queues is None else [queues]
    _quick_only[:] = [] if thinks else [True]
    _offers.clear()
    _offers.update(offers)


def provided() -> Store:
    """Return the store of the jobs. Raises `RuntimeError` when no store is provided."""
    if not _stores:
        raise RuntimeError("no store is provided: jobs run in a process of workers.worker")
    return _stores[0]


def find_queues() -> Queues | None:
    """Return the queues that this process takes its jobs from, None without any."""
    return _queues[0] if _queues else None


def list_offers() -> Mapping[str, Offer]:
    """Return the games on offer."""
    return _offers


def find_entry(game: str, name: str) -> BotEntry:
    """Return a bot of a game. Raises `KeyError` when the game or the bot is not on offer."""
    return _offers[game].bots[name]


def list_bots(game: str) -> Collection[str]:
    """Return the names of the bots of a game. Raises `KeyError` when the game is not on offer."""
    return _offers[game].bots


def do_people_wait() -> bool:
    """Return whether games with people wait for this worker. Raises `RedisError`."""
    return any(queues.do_people_wait(thinks=not _quick_only) for queues in _queues)


def may_think(table: Table) -> bool:
    """Return whether this worker may let the bot of a table think."""
    return not (_quick_only and _does_think(table))


def hand_over(table: Table) -> None:
    """Put a job for the bot of a table into the queue of a worker that may let it think.

    Raises `RedisError`.
    """
    for queues in _queues:
        queue = queues.choose(thinks=True, people=has_people(table))
        put(queue, "bot", table.id, table.position, now_ms(), carry())
