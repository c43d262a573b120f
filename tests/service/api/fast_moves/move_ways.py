"""The ways of a move through the service: through Flask, in the event loop."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Any

import fakeredis
import hiredis
import orjson
import pytest
from flask import Flask
from gunicorn.config import Config
from redis.exceptions import ConnectionError as StoreUnreachable
from redis.exceptions import ResponseError

from cartulary.events.model import clock
from cartulary.events.people import players
from cartulary.events.server import servers
from cartulary.events.server.pipeline import Lost
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import ServiceApp, create_app
from cartulary.service.http.shared.services import Services
from cartulary.service.process import logs
from cartulary.service.process.settings import WebSettings
from cartulary.service.server.app_calls import AppCaller
from cartulary.service.server.app_interface import AT_ONCE, Later, Marks, NotAtOnce
from cartulary.service.server.loop import EventLoop
from cartulary.service.server.request_reading import parse_head

OTHER_HEADER = "X-Other: 1"
"""A header that the usual way does not know, so Flask answers."""


APPEND = (Path(__file__).parents[4] / "events/ledger/append.lua").read_text()


FLASK, LOOP = "Flask", "loop"


class Middle(random.Random):
    """Draws the same however often a move is judged."""

    def random(self) -> float:
        return 0.5


class InMemory:
    """Stands for the pipeline of a loop: a command is done at once, on the store of the test."""

    open = True

    def __init__(self, redis: fakeredis.FakeRedis, loop: Any, _replicas_within_ms: int = 0) -> None:
        self._redis = redis

    def send(self, words: tuple[Any, ...], done: Callable[[Any], object]) -> None:
        try:
            answer = self._redis.execute_command(*words)  # type: ignore[no-untyped-call]
        except ResponseError as error:
            answer = hiredis.ReplyError(str(error))
        except StoreUnreachable:
            answer = Lost()
        else:
            if words[0] == "XRANGE":  # redis-py has parsed it, the pipeline would not have
                answer = [(entry, [*itertools.chain(*fields.items())]) for entry, fields in answer]
        done(answer)


class Site:
    """A service of its own, whose ids, times and draws are those of every other such service."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, way: str, **settings: Any) -> None:
        self.way, self.by = way, Counter[str]()
        self.lines: list[dict[str, Any]] = []
        ids, tokens = itertools.count(1), itertools.count(1)
        for module in (servers, players):
            monkeypatch.setattr(module, "ULID", lambda: f"{next(ids):026d}")
        monkeypatch.setattr("secrets.token_urlsafe", lambda _: f"token-{next(tokens)}")
        monkeypatch.setattr(clock, "time_ns", lambda: 1_800_000_000_000_000_000)
        monkeypatch.setattr("cartulary.service.server.app_calls._date", lambda: "today")
        monkeypatch.setattr(logs.REQUESTS, "add", self.lines.append)
        store = Store(fakeredis.FakeRedis(), OFFERS, rng=Middle(1))
        store.redis.script_load(APPEND)
        self.app: ServiceApp = create_app(WebSettings(max_body=2000, **settings), store, OFFERS)
        self.services: Services = self.app.extensions["cartulary"]
        dispatch = Flask.full_dispatch_request

        def count(app: Flask) -> Any:
            self.by[FLASK] += 1
            return dispatch(app)

        monkeypatch.setattr(Flask, "full_dispatch_request", count)
        monkeypatch.setattr("cartulary.service.api.fast_moves.usual_move.make_pipeline", InMemory)
        self._claims = self.app.join_loop(EventLoop(), lambda job, *arguments: job(*arguments))
        self._caller = AppCaller(self.app, False)
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
        request.received = monotonic()
        marks: Marks = {}
        if self.way == LOOP and self._claims(request.method, request.path):
            try:
                answer, later = self._caller.call(
                    request, BytesIO(body), client, server, True, {AT_ONCE: True}
                )
            except NotAtOnce as refused:
                marks = refused.marks
            else:
                ((found, marks),) = follow(later)
                if found is not None:
                    self.by[LOOP] += 1
                    return answer.finish(found)
        answer, found = self._caller.call(request, BytesIO(body), client, server, True, marks)
        return answer.finish(found)

    def metrics(self) -> list[str]:
        """Return what is counted; times differ between any two requests."""
        text = self.services.metrics.text().decode()
        return [line for line in text.splitlines() if not _TIMED.search(line)]

    def events(self) -> list[Any]:
        """Return what is stored of both games."""
        return [self.services.store.ledger.events(game) for game in (self.game, self.private)]

    def log(self) -> list[dict[str, Any]]:
        return [{**line, "ms": 0} for line in self.lines]


def follow(later: Later) -> list[tuple[Any, Marks]]:
    """Return what an answer has come to, which is ready at once."""
    came: list[tuple[Any, Marks]] = []
    later.follow(lambda found, marks: came.append((found, marks)))
    return came


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
    yield "a browser", moves, legal(now=True), (ada, *BROWSER)
    yield "a browser with a key", moves, legal(now=True), (ada, *BROWSER, "Idempotency-Key: k2")
    yield "a browser that wants little", moves, legal(), (ada, *BROWSER, "Prefer: return=minimal")
    yield "a page and no gzip", moves, legal(), (ada, "Origin: null", "Accept-Encoding: gzip;q=0")
    version = orjson.loads(legal(now=True))["expected_version"]
    yield "two tags", moves, legal(), (ada, f'If-Match: "v1", "v{version}"')
    yield "a proxy", moves, legal(), (ada, "X-Forwarded-For: 192.0.2.7")
    yield "a language of two", moves, legal(), (ada, "Accept-Language: hr, de;q=0.5")


BROWSER = (
    "Origin: http://there",
    "Accept: */*",
    "Accept-Encoding: gzip, deflate, br, zstd",
    "Accept-Language: de-DE,de;q=0.9",
    "Content-Type: application/json;charset=UTF-8",
    "Cookie: a=b",
    "Referer: http://there/play",
    "Sec-Fetch-Mode: cors",
    "User-Agent: Mozilla/5.0",
)
"""What a browser sends with a move."""


Answers = dict[str, tuple[bytes, str]]
"""The answers by name, each with what has given it."""


def play(site: Site) -> Answers:
    """Send all requests."""
    answers = {}
    for name, path, body, headers in requests(site):
        answers[name] = ask(site, path, body, headers)
    return answers


def ask(site: Site, path: str, body: bytes, headers: tuple[str, ...]) -> tuple[bytes, str]:
    """Return the answer, and what has given it: the usual way, or Flask."""
    before = site.by[LOOP]
    extra = (OTHER_HEADER,) if site.way == FLASK else ()
    answer = site.ask("POST", path, body, *headers, *extra)
    return answer, LOOP if site.by[LOOP] > before else FLASK


def equal(results: list[tuple[Site, Answers]]) -> Answers:
    """Compare the two ways; return the answers of the usual way."""
    (flask, long), (usual, short) = results
    assert {name: answer for name, (answer, _) in short.items()} == {
        name: answer for name, (answer, _) in long.items()
    }
    assert usual.metrics() == flask.metrics()
    assert usual.log() == flask.log()
    assert {way for _, way in long.values()} == {FLASK}
    return short
