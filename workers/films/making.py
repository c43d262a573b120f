"""The process that makes one film: `python -m cartulary.workers.films.making GAME WISH`.

It ends when the film is made, and when the worker that has started it is gone.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping

from redis import RedisError

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.films.storage import FilmWish, name_shown
from cartulary.events.model.errors import LedgerError
from cartulary.events.server.leases import Leases
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.games.offer import Offer
from cartulary.raster.film import count_frames, make_film
from cartulary.raster.painting import lower_priority
from cartulary.raster.png import draw_png
from cartulary.workers.films.feeding import FILMING
from cartulary.workers.films.frames import draw_moments
from cartulary.workers.process.log import configure_logging

LONGEST_S = 900.0
"""A film that takes longer may be begun by another worker as well."""

log = logging.getLogger("cartulary.films")


class Orphaned(Exception):
    """The worker that has started this process is gone."""


def make(
    store: Store,
    offers: Mapping[str, Offer],
    game_id: str,
    wish: FilmWish,
    look: Callable[[], None] = lambda: None,
) -> bool:
    """Make a film that was asked for; returns whether it is made now.

    `look` is called before each picture; it may raise what ends the work. A film that cannot be
    made has failed. Raises `RedisError`, and `ArchiveError` while the archive does not answer.
    """
    film = store.films.attempt(game_id, wish)
    if film is None:
        return False
    try:
        body = _film(store, offers, game_id, wish, look)
    except (LedgerError, MemoryError, ValueError):
        log.exception("the film of game %s has failed", game_id)
        store.films.fail(game_id, wish, film.shown)
        return False
    store.masks.look()
    if name_shown(store.masks, store.projector.table(game_id)) != film.shown:
        # A name was deleted meanwhile: a reader who asks again gets another film.
        store.films.fail(game_id, wish, film.shown)
        return False
    store.films.finish(game_id, wish, film.shown, body)
    return True


def _film(
    store: Store,
    offers: Mapping[str, Offer],
    game_id: str,
    wish: FilmWish,
    look: Callable[[], None],
) -> bytes:
    offer = offers[store.projector.table(game_id).game]
    frames = []
    for drawn in draw_moments(store, offer, game_id, wish, count_frames(wish.ms)):
        look()
        frames.append(draw_png(drawn, wish.width))
    if not frames:
        raise ValueError("there is no moment between these versions")
    return make_film(frames, "gif" if wish.kind == "gif" else "webp", wish.ms)


def main(game_id: str, wish: str) -> None:
    """Make a film with the store of the environment."""
    configure_logging()
    lower_priority()
    parent = os.getppid()

    def look() -> None:
        if os.getppid() != parent:
            raise Orphaned

    store = Store.open(StoreSettings.from_env(), OFFERS)
    leases = Leases(store.redis, at_most=LONGEST_S)
    try:
        with leases.hold(game_id, FILMING) as lease:
            if lease is not None:
                make(store, OFFERS, game_id, FilmWish.parse(wish), look)
    except (ArchiveError, RedisError, Orphaned) as error:
        log.warning("the film of game %s waits: %s", game_id, error or type(error).__name__)
    finally:
        leases.close()
        store.close()


if __name__ == "__main__":
    main(*sys.argv[1:3])
