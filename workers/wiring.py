"""The wiring of a worker process: the one global thing of this room.

RQ calls jobs by name with what the queue contains, so a job cannot get its store as an argument.
The entry point of the worker opens the store and provides it with the games on offer (`provide`);
each job asks for the store (`provided`), for the bots of a game (`list_bots`, `find_bot`), and
whether people wait for the worker (`do_people_wait`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cartulary.bots.base import Bot
from cartulary.events.store import Store
from cartulary.games.offer import Offer
from cartulary.workers.queue import Queues

_stores: list[Store] = []
_offers: dict[str, Offer] = {}
_queues: list[Queues] = []


def provide(store: Store, offers: Mapping[str, Offer], queues: Queues | None = None) -> None:
    """Make `store` the store of all jobs of this process, and `offers` its games.

    `queues` are those that the process takes its jobs from; without them nobody else waits.
    """
    _stores[:] = [store]
    _queues[:] = [] if queues is None else [queues]
    _offers.clear()
    _offers.update(offers)


def provided() -> Store:
    """Return the store of the jobs. Raises `RuntimeError` when no store is provided."""
    if not _stores:
        raise RuntimeError("no store is provided: jobs run in a process of workers.worker")
    return _stores[0]


def find_bot(game: str, name: str) -> Bot:
    """Return a bot of a game. Raises `KeyError` when the game or the bot is not on offer."""
    return _offers[game].bots[name].bot


def find_version(game: str, name: str) -> int:
    """Return the version of a bot of a game. Raises `KeyError` as `find_bot`."""
    return _offers[game].bots[name].version


def list_bots(game: str) -> Collection[str]:
    """Return the names of the bots of a game. Raises `KeyError` when the game is not on offer."""
    return _offers[game].bots


def do_people_wait() -> bool:
    """Return whether games with people wait for a worker. Raises `RedisError`."""
    return any(queues.people.count > 0 for queues in _queues)
