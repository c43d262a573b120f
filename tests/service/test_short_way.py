"""The short way of a move answers as Flask does, byte for byte, with the same metrics and log."""

from __future__ import annotations

import itertools
import random
import re
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import fakeredis
import orjson
import pytest
from flask import Flask
from gunicorn.config import Config
from redis.exceptions import ConnectionError as StoreUnreachable

from cartulary.events import commands, players, types
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.http import limits
from cartulary.service.http.context import Parts
from cartulary.service.process import logs
from cartulary.service.process.calling import Caller
from cartulary.service.process.reading import Input, parse_head
from cartulary.service.process.settings import Settings
from cartulary.service.process.writing import Answer

OTHER_HEADER = "X-Other: 1"
"""A header that the short way does not know, so Flask answers."""


class Site:
    """A service of its own, whose ids, times and draws are those of every other such service."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, extra: str, **settings: Any) -> None:
        self.extra, self.by_flask = extra, 0
        self.lines: list[dict[str, Any]] = []
        ids, tokens = itertools.count(1), itertools.count(1)
        for module in (commands, players):
            monkeypatch.setattr(module, "ULID", lambda: f"{next(ids):026d}")
        monkeypatch.setattr("secrets.token_urlsafe", lambda _: f"token-{next(tokens)}")
        monkeypatch.setattr(types, "time_ns", lambda: 1_800_000_000_000_000_000)
        monkeypatch.setattr("cartulary.service.process.writing._date", lambda: "today")
        monkeypatch.setattr(logs.REQUESTS, "add", self.lines.append)
        store = Store(fakeredis.FakeRedis(), OFFERS, rng=random.Random(1))
        self.app = create_app(Settings(max_body=2000, **settings), store, OFFERS)
        self.here: Parts = self.app.extensions["cartulary"]
        dispatch = Flask.full_dispatch_request

        def count(app: Flask) -> Any:
            self.by_flask += 1
            return dispatch(app)

        monkeypatch.setattr(Flask, "full_dispatch_request", count)
        self._caller = Caller(self.app, False)
        self.tokens = [self.send("POST", "/players", {"name": name})["token"] for name in "AB"]
        self.game = self._open("public")
        self.private = self._open("private")

    def _open(self, visibility: str) -> str:
        seats = [{"kind": "me"}, {"kind": "me"}]
        body = {"game": "carcassonne", "seats": seats, "visibility": visibility}
        opened: str = self.send("POST", "/games", body, f"Authorization: Bearer {self.tokens[0]}")[
            "id"
        ]
        return opened

    def send(self, method: str, path: str, value: Any, *headers: str) -> Any:
        return orjson.loads(
            self.ask(method, path, orjson.dumps(value), *headers).partition(b"\r\n\r\n")[2]
        )

    def ask(self, method: str, path: str, body: bytes, *headers: str) -> bytes:
        """Return the whole answer to a request, as the server sends it."""
        kind = () if any(line.startswith("Content-Type") for line in headers) else (JSON_BODY,)
        lines = [f"{method} /api/v1{path} HTTP/1.1", "Host: here", "X-Request-Id: r1", *kind]
        lines += [*headers, f"Content-Length: {len(body)}", "", ""]
        head = "\r\n".join(lines).encode("latin-1")
        client, server = ("127.0.0.1", 5000), ("127.0.0.1", 8000)
        request = parse_head(head, Config(), client)
        answer = Answer(request.method, request.version, True)
        return answer.finish(self._caller.call(request, Input(body), client, server, answer, False))

    def metrics(self) -> list[str]:
        """Return what is counted; times differ between any two requests."""
        text = self.here.metrics.text().decode()
        return [line for line in text.splitlines() if not _TIMED.search(line)]

    def log(self) -> list[dict[str, Any]]:
        return [{**line, "ms": 0} for line in self.lines]


JSON_BODY = "Content-Type: application/json"
_TIMED = re.compile(r"_bucket|_sum|_created")


def requests(site: Site) -> Iterator[tuple[str, str, bytes, tuple[str, ...]]]:
    """Yield what is sent, and by what name: path after the game, body, headers."""
    ada, bob = (f"Authorization: Bearer {token}" for token in site.tokens)
    moves, private = f"/games/{site.game}/moves", f"/games/{site.private}/moves"

    def legal(of: str = moves, **more: Any) -> bytes:
        answer = site.ask("GET", of, b"", ada)
        found = orjson.loads(answer.partition(b"\r\n\r\n")[2])
        now = {"expected_version": found["version"]} if more.pop("now", False) else {}
        return orjson.dumps({"move": found["moves"][0], **now, **more})

    yield "legal", moves, legal(now=True), (ada,)
    yield "without a version", moves, legal(), (ada,)
    again = legal()
    keyed = ada, "Idempotency-Key: k1"
    yield "a key", moves, again, keyed
    yield "the key again", moves, again, (ada, "Idempotency-Key: k1")
    yield "the key with another body", moves, legal(), (ada, "Idempotency-Key: k1")
    yield "a key that is too long", moves, legal(), (ada, f"Idempotency-Key: {'k' * 256}")
    yield "a tag that holds", moves, legal(), (ada, 'If-Match: "v5"')
    yield "a stale tag", moves, legal(), (ada, 'If-Match: "v2"')
    yield "a stale version", moves, legal(expected_version=2), (ada,)
    yield "a version to come", moves, legal(expected_version=2000), (ada,)
    yield "an illegal move", moves, b'{"move":{"type":"place_tile","x":9,"y":9}}', (ada,)
    yield "no move", moves, b'{"move":3}', (ada,)
    yield "an unknown member", moves, legal(wrong=1), (ada,)
    yield "an array", moves, b"[]", (ada,)
    yield "no body", moves, b"", (ada,)
    yield "malformed", moves, b'{"move":', (ada,)
    yield "twice the same member", moves, b'{"move":{},"move":{}}', (ada,)
    yield "too large", moves, b" " * 2001, (ada,)
    yield "no JSON", moves, legal(), (ada, "Content-Type: text/plain")
    yield "another charset", moves, legal(), (ada, JSON_BODY + "; charset=latin-1")
    yield "a charset", moves, legal(), (ada, JSON_BODY + "; charset=utf-8")
    yield "no token", moves, legal(), ()
    yield "another scheme", moves, legal(), ("Authorization: Basic x",)
    yield "an unknown token", moves, legal(), ("Authorization: Bearer wrong",)
    yield "no seat", moves, legal(), (bob,)
    yield "a private game", private, legal(private), (ada,)
    yield "a private game of others", private, legal(), (bob,)
    yield "an unknown game", f"/games/{'Z' * 26}/moves", legal(), (ada,)
    yield "no id", "/games/x/moves", legal(), (ada,)
    yield "a picture", moves + "?board=wide", legal(), (ada,)
    yield "an unknown parameter", moves + "?wrong=1", legal(), (ada,)
    yield "a short answer", moves, legal(), (ada, "Prefer: return=minimal")
    yield "the key and a short answer", moves, again, (*keyed, "Prefer: return=minimal")
    yield "another preference", moves, legal(), (ada, "Prefer: respond-async")
    yield "a packed answer", moves, legal(), (ada, "Accept-Encoding: gzip")
    yield "a language", moves, legal(), (ada, "Accept-Language: hr")
    yield "a page of another origin", moves, legal(), (ada, "Origin: http://there")


Answers = dict[str, tuple[bytes, bool]]
"""The answers by name, each with whether Flask has dispatched the request."""


def play(site: Site) -> Answers:
    """Send all requests."""
    answers = {}
    for name, path, body, headers in requests(site):
        before = site.by_flask
        extra = (site.extra,) if site.extra else ()
        answer = site.ask("POST", path, body, *headers, *extra)
        answers[name] = answer, site.by_flask > before
    return answers


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[Site, Answers]]]:
    """Return what all requests lead to on the short way and through Flask."""

    def run(
        answer: Callable[[Site], Answers] = play, **settings: Any
    ) -> list[tuple[Site, Answers]]:
        results = []
        for extra in ("", OTHER_HEADER):
            with monkeypatch.context() as patched:
                site = Site(patched, extra, **settings)
                results.append((site, answer(site)))
        return results

    return run


def equal(results: list[tuple[Site, Answers]]) -> Answers:
    """Compare the two ways; return the answers of the short way."""
    (short, quick), (long, slow) = results
    assert {name: answer for name, (answer, _) in quick.items()} == {
        name: answer for name, (answer, _) in slow.items()
    }
    assert short.metrics() == long.metrics()
    assert short.log() == long.log()
    assert all(by_flask for _, by_flask in slow.values())
    return quick


def test_both_ways_give_the_same_answers_metrics_and_log_lines(both: Any) -> None:
    quick = equal(both())
    through_flask = {name for name, (_, by_flask) in quick.items() if by_flask}
    assert through_flask == {
        *("no id", "a picture", "an unknown parameter", "a page of another origin", "no JSON"),
        *("another charset", "a charset", "a packed answer"),
    }
    statuses = {name: int(answer[9:12]) for name, (answer, _) in quick.items()}
    assert statuses["legal"] == statuses["the key again"] == statuses["a private game"] == 201
    assert (statuses["a stale tag"], statuses["a stale version"]) == (412, 409)
    assert statuses["an unknown token"] == statuses["no token"] == 401
    assert statuses["a private game of others"] == statuses["an unknown game"] == 404
    assert (statuses["too large"], statuses["no JSON"], statuses["malformed"]) == (413, 415, 400)


def test_both_ways_count_a_request_once_for_the_rate_limit(
    both: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock that goes on would change the seconds to wait from one way to the other.
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: 100.0, time=time.time))
    results = both(rates={"players": "", "writes": "10/minute"})
    quick = equal(results)
    limited = [name for name, (answer, _) in quick.items() if answer[9:12] == b"429"]
    # Ten moves are within the limit.
    assert limited[0] == "an illegal move"


def _failing(part: str, error: Exception) -> Callable[[Site], Answers]:
    def answer(site: Site) -> Answers:
        def fail(*_: Any) -> Any:
            raise error

        name, path, body, headers = next(requests(site))
        holder: Any = site.here.store.ledger if part == "append" else site.here.metrics
        setattr(holder, part, fail)
        before, extra = site.by_flask, (site.extra,) if site.extra else ()
        found = site.ask("POST", path, body, *headers, *extra)
        return {name: (found, site.by_flask > before)}

    return answer


@pytest.mark.parametrize(
    ("part", "error", "status"),
    [
        ("append", StoreUnreachable("lost"), b"503"),
        ("append", ZeroDivisionError("unforeseen"), b"500"),
        ("count_events", ZeroDivisionError("unforeseen"), b"201"),
    ],
)
def test_both_ways_say_the_same_of_a_failure(
    both: Any, part: str, error: Exception, status: bytes
) -> None:
    quick = equal(both(_failing(part, error)))
    answer, by_flask = quick["legal"]
    assert answer[9:12] == status
    assert not by_flask
