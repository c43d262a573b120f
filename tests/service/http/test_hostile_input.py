"""Random hostile input: a documented answer in bounded time, and nothing stored after a refusal."""

from __future__ import annotations

import base64
import json
from functools import cache
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import read, verify
from cartulary.games import GAMES
from tests.service.http.hostile_input import (
    VALUES,
    Operation,
    hostile_bodies,
    paths_of,
)
from tests.service.http.hostile_service import (
    BODIES,
    IMPORT,
    OPERATIONS,
    READERS,
    check_answer,
    name_of,
    served,
)
from tests.service.support.caller import SMALL_CITY, Caller
from tests.support.night import short_or_long

pytestmark = pytest.mark.usefixtures("sketched_pictures")


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
often = settings(
    max_examples=short_or_long(6, 15),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)

rarely = settings(often, max_examples=short_or_long(2, 8))


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
