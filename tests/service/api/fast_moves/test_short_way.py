"""The short ways of a move (in a thread, in the event loop) answer as Flask does, byte for byte.

They count the same metrics and write the same log lines.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from redis.exceptions import ConnectionError as StoreUnreachable

from cartulary.events.server.pipeline import Lost
from cartulary.service.http.shared import rate_limits
from tests.service.api.fast_moves.move_ways import (
    FLASK,
    LOOP,
    THREAD,
    Answers,
    InMemory,
    Site,
    ask,
    equal,
    play,
    preview,
    requests,
)


@pytest.fixture
def each_way(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[Site, Answers]]]:
    """Return what all requests lead to through Flask, in a thread, and in the event loop."""

    def run(
        answer: Callable[[Site], Answers] = play, **settings: Any
    ) -> list[tuple[Site, Answers]]:
        results = []
        for way in (FLASK, THREAD, LOOP):
            with monkeypatch.context() as patched:
                site = Site(patched, way, **settings)
                results.append((site, answer(site)))
        return results

    return run


@pytest.mark.slow
def test_each_way_gives_the_same_answers_metrics_and_log_lines(each_way: Any) -> None:
    thread, loop = equal(each_way())
    through_flask = {name for name, (_, way) in thread.items() if way == FLASK}
    assert through_flask == {
        *("no id", "a picture", "an unknown parameter", "no JSON", "another charset"),
    }
    statuses = {name: int(answer[9:12]) for name, (answer, _) in thread.items()}
    assert statuses["legal"] == statuses["the key again"] == statuses["a private game"] == 201
    assert (statuses["a stale tag"], statuses["a stale version"]) == (412, 409)
    assert statuses["an unknown token"] == statuses["no token"] == 401
    assert statuses["a private game of others"] == statuses["an unknown game"] == 404
    assert (statuses["too large"], statuses["no JSON"], statuses["malformed"]) == (413, 415, 400)
    # Moves that succeed need no thread, but for what only the stored game knows: what a key has
    # done, and which of two tags holds.
    moved = {name for name, status in statuses.items() if status == 201} - through_flask
    assert moved - {name for name, (_, way) in loop.items() if way == LOOP} == {
        *("the key again", "the key and a short answer", "two tags"),
    }


@pytest.mark.slow
def test_a_preview_gives_the_same_answer_each_way_and_needs_a_thread(each_way: Any) -> None:
    results = each_way(preview)
    for answers in equal(results):
        assert {way for _, way in answers.values()} == {FLASK, THREAD}
        through_flask = {name for name, (_, way) in answers.items() if way == FLASK}
        assert through_flask == {
            *("no id", "a picture", "an unknown parameter", "no JSON", "another charset"),
        }
        statuses = {name: int(answer[9:12]) for name, (answer, _) in answers.items()}
        assert statuses["legal"] == statuses["a browser"] == statuses["a private game"] == 200
        assert (statuses["a version to come"], statuses["an illegal move"]) == (409, 422)
        assert statuses["a private game of others"] == 404
    for site, _ in results:
        assert {len(events) for events in site.events()} == {2}


@pytest.mark.slow
def test_a_browser_gets_a_packed_answer_with_the_headers_of_cors(each_way: Any) -> None:
    for answers in equal(each_way()):
        head, _, body = answers["a browser"][0].partition(b"\r\n\r\n")
        assert b"\r\nAccess-Control-Allow-Origin: *\r\n" in head
        assert b"\r\nContent-Encoding: gzip\r\n" in head
        assert orjson.loads(gzip.decompress(body))["events"]


@pytest.mark.slow
def test_each_way_names_the_origin_where_not_every_origin_may_call(each_way: Any) -> None:
    answers = equal(each_way(cors_origins=("http://there",)))[1]
    assert b"\r\nAccess-Control-Allow-Origin: http://there\r\n" in answers["a browser"][0]
    assert b"Access-Control" not in answers["a page and no gzip"][0]


@pytest.mark.slow
def test_each_way_reads_the_address_that_a_proxy_names(each_way: Any) -> None:
    results = each_way(proxies=1)
    equal(results)
    for site, _ in results:
        assert "192.0.2.7" in {line["remote"] for line in site.log()}


@pytest.mark.slow
def test_each_way_counts_a_request_once_for_the_rate_limit(
    each_way: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock that goes on would change the seconds to wait from one way to the other.
    monkeypatch.setattr(
        rate_limits, "time", SimpleNamespace(monotonic=lambda: 100.0, time=time.time)
    )
    for answers in equal(each_way(rates={"players": "", "writes": "10/minute"})):
        limited = [name for name, (answer, _) in answers.items() if answer[9:12] == b"429"]
        # Ten moves are within the limit.
        assert limited[0] == "an illegal move"


def _failing(parts: tuple[str, ...], error: Exception) -> Callable[[Site], Answers]:
    def answer(site: Site) -> Answers:
        def fail(*_: Any) -> Any:
            raise error

        name, path, body, headers = next(requests(site))
        for part in parts:
            holder: Any = (
                site.services.metrics if part == "count_events" else site.services.store.ledger
            )
            setattr(holder, part, fail)
        return {name: ask(site, path, body, headers)}

    return answer


@pytest.mark.parametrize(
    ("parts", "error", "status", "ways"),
    [
        (("append", "repeat"), StoreUnreachable("lost"), b"503", [THREAD, LOOP]),
        (("append", "repeat"), ZeroDivisionError("unforeseen"), b"500", [THREAD, LOOP]),
        (("prepare",), ZeroDivisionError("unforeseen"), b"500", [THREAD, THREAD]),
        (("count_events",), ZeroDivisionError("unforeseen"), b"201", [THREAD, LOOP]),
    ],
)
def test_each_way_says_the_same_of_a_failure(
    each_way: Any,
    monkeypatch: pytest.MonkeyPatch,
    parts: tuple[str, ...],
    error: Exception,
    status: bytes,
    ways: list[str],
) -> None:
    if "append" in parts:
        # What the store has not answered, a thread asks again.
        monkeypatch.setattr(InMemory, "send", lambda _self, _words, done: done(Lost()))
        ways = [THREAD, THREAD]
    answers = equal(each_way(_failing(parts, error)))
    assert [of["legal"][0][9:12] for of in answers] == [status] * 2
    assert [of["legal"][1] for of in answers] == ways


@pytest.mark.slow
def test_a_move_whose_answer_was_lost_is_stored_once(
    each_way: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = InMemory.send

    def lose(self: InMemory, words: tuple[Any, ...], done: Callable[[Any], object]) -> None:
        send(self, words, lambda _answer: done(Lost()))

    monkeypatch.setattr(InMemory, "send", lose)
    results = each_way()
    loop = equal(results)[1]
    assert {way for _, way in loop.values()} == {FLASK, THREAD}
    assert results[2][0].events() == results[0][0].events()


def test_a_move_that_another_one_overtakes_is_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(monkeypatch, LOOP)
    send = InMemory.send

    def overtake(self: InMemory, words: tuple[Any, ...], done: Callable[[Any], object]) -> None:
        monkeypatch.setattr(InMemory, "send", send)
        site.way, answer = THREAD, site.ask("POST", path, body, *headers)
        assert answer[9:12] == b"201"
        send(self, words, done)

    _, path, body, headers = next(requests(site))
    monkeypatch.setattr(InMemory, "send", overtake)
    answer = ask(site, path, body, headers)
    assert (answer[0][9:12], answer[1]) == (b"409", THREAD)


def test_a_second_move_of_a_game_does_not_wait_in_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(monkeypatch, LOOP)
    send = InMemory.send

    def meet(self: InMemory, words: tuple[Any, ...], done: Callable[[Any], object]) -> None:
        monkeypatch.setattr(InMemory, "send", send)
        answer, way = ask(site, path, body, headers)
        assert (answer[9:12], way) == (b"201", THREAD)
        send(self, words, done)

    _, path, body, headers = next(requests(site))
    monkeypatch.setattr(InMemory, "send", meet)
    assert ask(site, path, body, headers)[0][9:12] == b"409"
