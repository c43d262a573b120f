"""The usual way of a move answers as Flask does, byte for byte.

It counts the same metrics and writes the same log lines.
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
    Answers,
    InMemory,
    Site,
    ask,
    equal,
    play,
    requests,
)


@pytest.fixture
def each_way(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[Site, Answers]]]:
    """Return what all requests lead to through Flask, and the usual way."""

    def run(
        answer: Callable[[Site], Answers] = play, **settings: Any
    ) -> list[tuple[Site, Answers]]:
        results = []
        for way in (FLASK, LOOP):
            with monkeypatch.context() as patched:
                site = Site(patched, way, **settings)
                results.append((site, answer(site)))
        return results

    return run


@pytest.mark.slow
def test_each_way_gives_the_same_answers_metrics_and_log_lines(each_way: Any) -> None:
    loop = equal(each_way())
    statuses = {name: int(answer[9:12]) for name, (answer, _) in loop.items()}
    assert statuses["legal"] == statuses["the key again"] == statuses["a private game"] == 201
    assert (statuses["a stale tag"], statuses["a stale version"]) == (412, 409)
    assert statuses["an unknown token"] == statuses["no token"] == 401
    assert statuses["a private game of others"] == statuses["an unknown game"] == 404
    assert (statuses["too large"], statuses["no JSON"], statuses["malformed"]) == (413, 415, 400)
    # Moves that succeed need no thread, but for what only the stored game knows (what a key has
    # done, and which of two tags holds) and what only the view knows.
    moved = {name for name, status in statuses.items() if status == 201}
    assert moved - {name for name, (_, way) in loop.items() if way == LOOP} == {
        *("the key again", "the key and a short answer", "two tags", "a picture"),
    }


@pytest.mark.slow
def test_a_browser_gets_a_packed_answer_with_the_headers_of_cors(each_way: Any) -> None:
    answers = equal(each_way())
    head, _, body = answers["a browser"][0].partition(b"\r\n\r\n")
    assert b"\r\nAccess-Control-Allow-Origin: *\r\n" in head
    assert b"\r\nContent-Encoding: gzip\r\n" in head
    assert orjson.loads(gzip.decompress(body))["events"]


@pytest.mark.slow
def test_each_way_names_the_origin_where_not_every_origin_may_call(each_way: Any) -> None:
    answers = equal(each_way(cors_origins=("http://there",)))
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
    answers = equal(each_way(rates={"players": "", "writes": "10/minute"}))
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


SEND = InMemory.send


def lose(_self: InMemory, _words: tuple[Any, ...], done: Callable[[Any], object]) -> None:
    done(Lost())


def lose_answer(self: InMemory, words: tuple[Any, ...], done: Callable[[Any], object]) -> None:
    SEND(self, words, lambda _answer: done(Lost()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parts", "error", "status", "way"),
    [
        (("send",), StoreUnreachable("lost"), b"503", FLASK),
        (("send",), ZeroDivisionError("unforeseen"), b"500", FLASK),
        (("prepare",), ZeroDivisionError("unforeseen"), b"500", FLASK),
        (("count_events",), ZeroDivisionError("unforeseen"), b"201", LOOP),
    ],
)
def test_each_way_says_the_same_of_a_failure(
    each_way: Any,
    monkeypatch: pytest.MonkeyPatch,
    parts: tuple[str, ...],
    error: Exception,
    status: bytes,
    way: str,
) -> None:
    if "send" in parts:
        # What the store has not answered, the view asks again.
        monkeypatch.setattr(InMemory, "send", lose)
    (_, long), (_, short) = each_way(_failing(parts, error))
    assert long["legal"][0] == short["legal"][0]
    assert short["legal"][0][9:12] == status
    assert short["legal"][1] == way


def test_what_nobody_has_foreseen_is_logged_counted_and_answered_by_flask(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError("unforeseen")

    site = Site(monkeypatch, LOOP)
    _, path, body, headers = next(requests(site))
    monkeypatch.setattr(site.services.store.commands, "prepare_move", fail)
    answer, way = ask(site, path, body, headers)
    assert (answer[9:12], way) == (b"201", FLASK)
    (record,) = (found for found in caplog.records if found.exc_info)
    assert record.levelname == "ERROR"
    assert isinstance(record.exc_info and record.exc_info[1], ZeroDivisionError)
    assert 'cartulary_answer_parts_failed_total{part="usual_move"} 1.0' in site.metrics()


@pytest.mark.slow
def test_a_move_whose_answer_was_lost_is_stored_once(
    each_way: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InMemory, "send", lose_answer)
    results = each_way()
    loop = equal(results)
    assert {way for _, way in loop.values()} == {FLASK}
    assert results[1][0].events() == results[0][0].events()


def test_a_move_that_another_one_overtakes_is_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(monkeypatch, LOOP)
    send = InMemory.send

    def overtake(self: InMemory, words: tuple[Any, ...], done: Callable[[Any], object]) -> None:
        monkeypatch.setattr(InMemory, "send", send)
        site.way = FLASK
        assert site.ask("POST", path, body, *headers)[9:12] == b"201"
        send(self, words, done)

    _, path, body, headers = next(requests(site))
    monkeypatch.setattr(InMemory, "send", overtake)
    answer = site.ask("POST", path, body, *headers)
    assert (answer[9:12], site.by[LOOP]) == (b"409", 0)


def test_a_second_move_of_a_game_does_not_wait_in_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(monkeypatch, LOOP)
    send = InMemory.send

    def meet(self: InMemory, words: tuple[Any, ...], done: Callable[[Any], object]) -> None:
        monkeypatch.setattr(InMemory, "send", send)
        answer, way = ask(site, path, body, headers)
        assert (answer[9:12], way) == (b"201", FLASK)
        send(self, words, done)

    _, path, body, headers = next(requests(site))
    monkeypatch.setattr(InMemory, "send", meet)
    assert site.ask("POST", path, body, *headers)[9:12] == b"409"
