"""Random hostile input: a documented answer in bounded time, and nothing stored after a refusal."""

from __future__ import annotations

import base64
import json
import random
import time
import tracemalloc
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

import fakeredis
import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import read, verify
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.service.http.hostile_input import (
    VALUES,
    Operation,
    hostile_bodies,
    list_operations,
    paths_of,
)
from tests.service.support.acted_order import enter_operator
from tests.service.support.caller import SMALL_CITY, Caller, played_out, register_player
from tests.service.support.description import read_description
from tests.service.support.scene import WRITES, Scene
from tests.support.night import short_or_long
from tests.support.stored_keys import stored

pytestmark = pytest.mark.usefixtures("sketched_pictures")

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


@cache
def begun_caylus() -> dict[str, Any]:
    """Return a transcript of the first moves of a game of Caylus."""
    ada = served().scene.ada
    game = ada.open(game="caylus")["id"]
    for _ in range(8):
        assert ada.move(game).status_code == 201
    transcript: dict[str, Any] = ada.get(f"/games/{game}/transcript").json
    return transcript


FIRST_TILE = {key: SMALL_CITY[key] for key in ("format", "game", "seats", "setup", "draws")}
FIRST_TILE |= {"moves": [], "bag": {"A": 2}}
SECONDS = 5.0
"""The most processor time that an answer to hostile input may take, in seconds.

Not the time on the clock: the other tests that run at the same time are not the answer's fault.
"""

often = settings(
    max_examples=short_or_long(6, 15),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)

rarely = settings(often, max_examples=short_or_long(2, 8))


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


def test_the_fuzzing_knows_a_valid_body_for_every_operation_that_reads_one() -> None:
    assert READERS
    assert all(isinstance(BODIES[one.path], dict) for one in READERS)


@pytest.mark.parametrize("operation", READERS, ids=name_of)
@given(data=st.data())
@often
@pytest.mark.slow
def test_no_hostile_body_is_a_failure(operation: Operation, data: st.DataObject) -> None:
    raw = data.draw(hostile_bodies(BODIES[operation.path]))
    check_answer(operation, data=raw, content_type="application/json")


# -- strangers ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_each_operation_answers_strangers_as_described() -> None:
    """Each as one of the two; by night `test_schemathesis` asks at random, as both."""
    client, refused = served().app.test_client(), 0
    for number, operation in enumerate(OPERATIONS):
        caller = Caller(client, (None, "of-a-stranger")[number % 2])
        body = {"json": BODIES[operation.path]} if operation.takes_body else {}
        refused += check_answer(operation, caller, **body).status_code == 401
    assert refused > len(OPERATIONS) / 3


# -- transcripts ----------------------------------------------------------------------------------


def replaced(value: Any, path: tuple[Any, ...], part: Any) -> Any:
    """Return a value in which the part at a path is another."""
    if not path:
        return part
    made = list(value) if isinstance(value, list) else dict(value)
    made[path[0]] = replaced(value[path[0]], path[1:], part)
    return made


def own_parts(value: Any) -> st.SearchStrategy[Any]:
    """Return parts of the value itself: the right type in the wrong place."""
    parts = []
    for path in paths_of(value):
        part = value
        for key in path:
            part = part[key]
        parts.append(part)
    return st.sampled_from(parts)


def changed(value: Any) -> st.SearchStrategy[Any]:
    """Return values that differ in one or two places."""
    paths = st.sampled_from([path for path in paths_of(value) if path])
    parts = st.one_of(own_parts(value), VALUES)
    return st.builds(replaced, st.just(value), paths, parts)


@pytest.mark.parametrize("game", ["small", "caylus"])
@given(data=st.data())
@often
@pytest.mark.slow
def test_a_changed_transcript_is_imported_when_the_engine_verifies_it(
    game: str, data: st.DataObject
) -> None:
    value = data.draw(changed(SMALL_CITY if game == "small" else begun_caylus()))
    raw = json.dumps(value).encode("utf-8", "surrogatepass")
    answer = check_answer(IMPORT, data=raw, content_type="application/json")
    assert answer.status_code in (201, 400, 422)
    if answer.status_code == 201:
        assert verify(read(raw, GAMES), GAMES).valid
    elif answer.status_code == 400:
        with pytest.raises(TranscriptError):
            read(raw, GAMES)


# -- moves ----------------------------------------------------------------------------------------


@given(data=st.data())
@often
@pytest.mark.slow
def test_a_move_is_taken_when_it_equals_a_legal_move_and_refused_otherwise(
    data: st.DataObject,
) -> None:
    """Every example has a game of its own, in which the same tile is drawn first."""
    game = served().scene.ada.post("/games/import", FIRST_TILE).json["id"]
    legal = served().scene.ada.legal(game)
    move = data.draw(st.one_of(st.sampled_from(legal), st.sampled_from(legal).flatmap(changed)))
    raw = json.dumps({"move": move}).encode("utf-8", "surrogatepass")
    operation = next(one for one in READERS if one.path.endswith("/moves"))
    operation = operation._replace(path=f"/games/{game}/moves")
    answer = check_answer(operation, data=raw, content_type="application/json")
    assert (answer.status_code == 201) == (json.dumps(move) in map(json.dumps, legal)), move


# -- what is not a body ---------------------------------------------------------------------------


JUNK = st.one_of(
    st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0"), max_size=40),
    st.sampled_from(
        ["", " ", '"', "é", "\x7f", "0", "-1", "1e9", "9" * 400, "x" * 5_000, "\t", ";"]
    ),
)
VALID = {
    "Accept": ["application/json", "text/event-stream", "application/x-ndjson", "image/svg+xml"],
    "Accept-Language": ["nl", "en-GB;q=0.5, *;q=0", "hr;q=2", "x-" + "a" * 200],
    "Authorization": ["Bearer x", "Bearer", "Basic QQ==", "bearer  x"],
    "Content-Encoding": ["identity", "gzip", "deflate"],
    "Content-Type": ["application/json", "application/json; charset=utf-16", "text/plain"],
    "If-Match": ['"v1"', 'W/"v1"', '"v2", "v1"', "*", '"v' + "9" * 5_000 + '"', '"v1.2"'],
    "If-None-Match": ['"v1"', 'W/"v1"', "*", '"v-1"', ",,,", '"v1"' + ', "v2"' * 500],
    "Idempotency-Key": ["k", "k" * 255, "k" * 256],
    "Last-Event-ID": ["0", "1", "-1", "99999999999999999999", "1.5", "x"],
    "Prefer": ["return=minimal", "return=representation", "return", "wait=9999", "return=minimal;"],
    "Range": ["bytes=0-0", "bytes=-1", "lines=1"],
    "X-Forwarded-For": ["1.2.3.4", "x" * 100],
    "X-Request-Id": ["x", "x" * 300],
    "Origin": ["null", "https://elsewhere.example"],
}


PARAMETERS = [
    *("after", "limit", "wait", "cursor", "status", "game", "player", "version", "board", "theme"),
    *("include", "ticket", "layout", "lang", "language", "seat", "move", "expected_version"),
]


QUERIES = st.lists(
    st.tuples(st.sampled_from(PARAMETERS), st.one_of(JUNK, st.text())), max_size=3
).map(lambda query: urlencode(query, errors="surrogatepass"))
HEADERS = st.lists(st.sampled_from(sorted(VALID)), max_size=3, unique=True).flatmap(
    lambda names: st.fixed_dictionaries(
        {name: st.one_of(st.sampled_from(VALID[name]), JUNK) for name in names}
    )
)


@pytest.mark.parametrize("operation", OPERATIONS, ids=name_of)
@given(
    asked=st.one_of(st.tuples(QUERIES, st.just({})), st.tuples(st.just(""), HEADERS)),
)
@rarely
@pytest.mark.slow
def test_no_header_and_no_query_is_a_failure(
    operation: Operation, asked: tuple[str, dict[str, str]]
) -> None:
    """One of the two each time: a refusal of one would hide what the other does."""
    query, headers = asked
    body = {"json": BODIES[operation.path]} if operation.takes_body else {}
    if headers and operation.takes_body:
        data = json.dumps(BODIES[operation.path])
        body = {"data": data, "content_type": "application/json"}
    check_answer(operation._replace(path=f"{operation.path}?{query}"), headers=headers, **body)


def cursors() -> st.SearchStrategy[str]:
    """Return cursors of the service, changed; and other things in the same coding."""
    first = served().scene.ada.get("/games?limit=1").json["next_cursor"]
    assert first
    raw = base64.urlsafe_b64decode(first + "=" * (-len(first) % 4))
    coded = st.one_of(
        st.binary(max_size=80),
        st.builds(
            lambda at, junk: raw[:at] + junk + raw[at + 1 :],
            st.integers(0, len(raw)),
            st.binary(max_size=3),
        ),
        VALUES.map(lambda value: json.dumps(value).encode("utf-8", "surrogatepass")),
    ).map(lambda made: base64.urlsafe_b64encode(made).decode())
    cut = st.integers(0, len(first)).map(lambda length: first[:length])
    return st.one_of(coded, st.text(max_size=60), cut)


@given(cursor=st.deferred(cursors), mine=st.booleans())
@often
@pytest.mark.slow
def test_a_cursor_leads_to_a_page_or_is_refused(cursor: str, mine: bool) -> None:
    query = urlencode(
        {"cursor": cursor, "limit": 1, **({"player": "me"} if mine else {})}, errors="surrogatepass"
    )
    operation = next(one for one in OPERATIONS if name_of(one) == "GET /games")
    answer = check_answer(operation._replace(path=f"/games?{query}"))
    if answer.status_code != 200:
        assert answer.json["code"] == "bad_cursor"


# -- size -----------------------------------------------------------------------------------------


def filled(key: str, item: str, between: str = "[]", size: int = 1_000_000) -> bytes:
    """Return a transcript of about `size` bytes, in which a key holds the same item many times."""
    text = json.dumps({**SMALL_CITY, key: 0})
    many = between[0] + ",".join([item] * (size // (len(item) + 1))) + between[1]
    return text.replace(f'"{key}": 0', f'"{key}": {many}').encode()


def numbered(key: str, size: int = 1_000_000) -> bytes:
    """Return a transcript of about `size` bytes, in which a key holds an object of many keys."""
    made = {f"{number:x}": 0 for number in range(size // 12)}
    return json.dumps({**SMALL_CITY, key: made}, separators=(",", ":")).encode()


LARGE: dict[str, Callable[[], bytes]] = {
    "an unknown key with numbers": lambda: filled("x", "0"),
    "an unknown key with objects": lambda: filled("x", "{}"),
    "an unknown key with strings": lambda: filled("x", '""'),
    "an unknown key with digits": lambda: filled("x", "1" * 4_000),
    "an unknown key with one number": lambda: filled("x", "0." + "1" * 999_000),
    "draws": lambda: filled("draws", '"E"'),
    "draws that are long": lambda: filled("draws", '"' + "E" * 300_000 + '"'),
    "draws that are numbers": lambda: filled("draws", "[0]"),
    "moves": lambda: filled("moves", '{"seat":0,"move":{}}'),
    "moves of keys": lambda: filled("moves", '{"seat":0,"move":{"a":1,"b":2,"c":3}}'),
    "players": lambda: filled("players", '"A"'),
    "a setup of keys": lambda: numbered("setup"),
    "options of keys": lambda: numbered("options"),
    "a bag of keys": lambda: numbered("bag"),
    "a result of keys": lambda: numbered("result"),
    "keys": lambda: json.dumps({f"{number:x}": 0 for number in range(80_000)}).encode(),
}


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.slow
def test_a_body_as_large_as_may_be_takes_a_bounded_time_memory_and_answer(name: str) -> None:
    raw = LARGE[name]()
    answer = check_answer(IMPORT, data=raw, content_type="application/json")
    assert len(answer.data) < 20_000
    tracemalloc.start()  # tracing takes ten times as long, so it comes after the check of the time
    try:
        served().scene.ada.send("POST", "/games/import", data=raw, content_type="application/json")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 200 * len(raw)


@pytest.mark.slow
def test_an_answer_lists_a_hundred_faults_at_most() -> None:
    body = json.dumps({f"{number}": 0 for number in range(2_000)}).encode()
    for operation in READERS:
        answer = check_answer(operation, data=body, content_type="application/json")
        assert len(answer.json["errors"]) <= 100, operation
        assert len(answer.data) < 20_000
