"""A service that hostile input is sent to, and what each of its answers must hold."""

from __future__ import annotations

import random
import time
from functools import cache
from typing import Any, NamedTuple

import fakeredis
from flask import Flask

from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.events.support.handmade_puzzles import put_puzzles, small_puzzle
from tests.service.http.hostile_input import Operation, list_operations
from tests.service.support.acted_order import enter_operator
from tests.service.support.caller import Caller, played_out, register_player
from tests.service.support.description import read_description
from tests.service.support.scene import WRITES, Scene
from tests.support.stored_keys import stored

SECONDS = 5.0
"""The most processor time that an answer to hostile input may take, in seconds.

Not the time on the clock: the other tests that run at the same time are not the answer's fault.
"""

# Every process of pytest imports this module to find its tests, so the service is made when the
# first test needs it.


class Kept:
    """What the store holds; asked again only when a request has come since a refusal.

    To look at everything that is stored takes longer than most answers, and a refusal changes
    nothing: what was stored after it is what is stored before the next request.
    """

    def __init__(self, store: Store, app: Flask) -> None:
        self._store, self._requests = store, 0
        self._known, self._known_at = stored(store), 0
        self._answer = app.wsgi_app
        app.wsgi_app = self._count  # type: ignore[method-assign]

    def _count(self, environ: Any, start_response: Any) -> Any:
        self._requests += 1
        return self._answer(environ, start_response)

    def look(self) -> dict[bytes, bytes]:
        """Return what is stored before a request."""
        return self._known if self._known_at == self._requests else stored(self._store)

    def must_hold(self, before: dict[bytes, bytes]) -> None:
        """Check after a refusal that nothing is stored but what was there before."""
        after = stored(self._store)
        # A ticket may expire meanwhile; nothing else may change.
        assert after.items() <= before.items()
        self._known, self._known_at = after, self._requests


class Served(NamedTuple):
    """A service for all tests, and games in all conditions."""

    store: Store
    app: Flask
    scene: Scene
    kept: Kept


@cache
def served() -> Served:
    store = Store(fakeredis.FakeRedis(), OFFERS, rng=random.Random(1))
    app = create_app(WebSettings(max_wait=0.01, rates={}, log_requests=False), store, OFFERS)
    ada, bob = register_player(app, "Ada"), register_player(app, "Bob")
    put_puzzles(store, small_puzzle())
    ids = {
        "open": ada.open("me", "open")["id"],
        "running": ada.open()["id"],
        "over": played_out(ada),
        "ada": ada.id,
        "zoe": register_player(app, "Zoe").id,
    }
    return Served(store, app, Scene(ada, bob, ids), Kept(store, app))


OPERATIONS = sorted(list_operations(read_description()), key=lambda one: (one.path, one.method))
READERS = [one for one in OPERATIONS if one.takes_body]
BODIES = {one.path: one.body for one in READERS} | {
    path.replace("{open}", "{running}"): body for _, path, body in WRITES.values()
}
IMPORT = next(one for one in READERS if one.path == "/games/import")


def name_of(operation: Operation) -> str:
    return f"{operation.method} {operation.path}"


@cache
def operator() -> Caller:
    return enter_operator(served().scene.ada, served().store)


def who_asks(operation: Operation) -> Caller:
    """Return Ada, or a player of her name where a body that is still valid ends an account.

    An operator where only operators get as far as the body.
    """
    if operation.path.startswith("/operator/") or operation.path.endswith("/result"):
        return operator()
    if operation.path.partition("?")[0] != "/players/me/deletion":
        return served().scene.ada
    return register_player(served().app, "Ada")


def check_answer(operation: Operation, caller: Caller | None = None, **asked: Any) -> Any:
    """Send a request as Ada; return the answer: documented, in time, storing nothing if refused."""
    caller = caller or who_asks(operation)
    before, start = served().kept.look(), time.process_time()
    # The stream of a game that goes on has no end.
    path = operation.path.replace("{running}/events/stream", "{over}/events/stream")
    path = path.replace("{ada}/orders", "{zoe}/orders")  # Ada has to play on
    answer = caller.send(operation.method, served().scene.path(path), **asked)
    taken = time.process_time() - start
    assert answer.status_code in operation.statuses | {304}, (answer.status_code, answer.text)
    assert answer.status_code < 500, answer.text
    assert taken < SECONDS
    if answer.status_code >= 400:
        assert answer.mimetype == "application/problem+json"
        assert answer.json["code"]
        served().kept.must_hold(before)
    return answer
