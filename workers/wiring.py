"""The wiring of a worker process: the one global thing of this room.

RQ calls jobs by name with what the queue contains, so a job cannot get its store as an argument.
The entry point of the worker opens the store and provides it (`provide`), and each job asks for it
(`provided`).
"""

from __future__ import annotations

from cartulary.events.store import Store

_stores: list[Store] = []


def provide(store: Store) -> None:
    """Make `store` the store of all jobs of this process."""
    _stores[:] = [store]


def provided() -> Store:
    """Return the store of the jobs. Raises `RuntimeError` when no store is provided."""
    if not _stores:
        raise RuntimeError("no store is provided: jobs run in a process of workers.worker")
    return _stores[0]
