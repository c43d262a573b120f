"""The wiring of a worker process: the one global thing of this room.

RQ calls jobs by name with what the queue contains, so a job cannot get its store as an argument.
The entry point of the worker opens the store and provides it with the games on offer (`provide`);
each job asks for the store (`provided`) and for the bot that is to move (`find_bot`).
"""

from __future__ import annotations

from collections.abc import Mapping

from cartulary.bots.base import Bot
from cartulary.events.store import Store
from cartulary.games.offer import Offer

_stores: list[Store] = []
_offers: dict[str, Offer] = {}


def provide(store: Store, offers: Mapping[str, Offer]) -> None:
    """Make `store` the store of all jobs of this process, and `offers` its games."""
    _stores[:] = [store]
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
