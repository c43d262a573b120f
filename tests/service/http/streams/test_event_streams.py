"""Streams of events over HTTP: their form, what they resume from, how they end."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from flask import Flask
from redis.exceptions import ConnectionError as StoreUnreachable

from cartulary.events.live.live import Hub
from cartulary.events.store import Store
from tests.service.support.caller import SMALL_CITY, Caller, played_out


class TestStreams:
    """Of finished games: they end by themselves. The rest is tested with real processes."""

    @pytest.fixture
    def over(self, ada: Caller, store: Store) -> str:
        return played_out(ada)

    def test_server_sent_events(self, ada: Caller, over: str) -> None:
        events = ada.get(f"/games/{over}/events").json["events"]
        answer = ada.get(f"/games/{over}/events", headers={"Accept": "text/event-stream"})
        assert answer.mimetype == "text/event-stream"
        assert answer.headers["Cache-Control"] == "no-store"
        blocks = [block for block in answer.text.split("\n\n") if not block.startswith(":")]
        assert blocks.pop() == ""
        for block, event in zip(blocks, events, strict=True):
            id_, data = block.split("\n")
            assert id_ == f"id: {event['version']}"
            assert orjson.loads(data.removeprefix("data: ")) == event

    def test_ndjson(self, ada: Caller, over: str) -> None:
        events = ada.get(f"/games/{over}/events").json["events"]
        answer = ada.get(f"/games/{over}/events", headers={"Accept": "application/x-ndjson"})
        assert answer.mimetype == "application/x-ndjson"
        assert [orjson.loads(line) for line in answer.data.splitlines()] == events

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("query", "header", "first"),
        [
            *(("?after=2", None, 3), ("", "3", 4), ("?after=1", "3", 4), ("?after=3", "0", 1)),
            *(("?after=2", "", 3), ("", " ", 1)),
        ],
    )
    def test_resuming(
        self, ada: Caller, over: str, query: str, header: str | None, first: int
    ) -> None:
        headers = {"Accept": "application/x-ndjson"}
        if header is not None:
            headers["Last-Event-ID"] = header
        answer = ada.get(f"/games/{over}/events{query}", headers=headers)
        assert orjson.loads(answer.data.splitlines()[0])["version"] == first

    @pytest.mark.parametrize("accept", ["text/event-stream", "application/x-ndjson"])
    def test_after_the_last_event_there_is_204(self, ada: Caller, over: str, accept: str) -> None:
        last = str(ada.version(over))
        headers = {"Accept": accept, "Last-Event-ID": last}
        answer = ada.get(f"/games/{over}/events", headers=headers)
        assert (answer.status_code, answer.data) == (204, b"")

    @pytest.mark.parametrize(
        ("accept", "reset"),
        [
            ("application/x-ndjson", b'\n{"reset":{"version":%d}}\n'),
            (
                "text/event-stream",
                b': still here\n\nevent: reset\nid: %d\ndata: {"version":%d}\n\n',
            ),
        ],
    )
    def test_a_stream_from_beyond_the_last_event_resets_and_ends_with_the_game(
        self, ada: Caller, store: Store, accept: str, reset: bytes
    ) -> None:
        given = {key: value for key, value in SMALL_CITY.items() if key != "result"}
        game = ada.post("/games/import", given | {"moves": given["moves"][:1]}).json
        headers = {"Accept": accept, "Last-Event-ID": "5000"}
        stream = ada.get(f"/games/{game['id']}/events/stream", headers=headers)
        ada.move(game["id"], SMALL_CITY["moves"][1]["move"])
        store.commands.score(game["id"])
        reader = threading.Thread(target=stream.get_data, daemon=True)
        reader.start()
        reader.join(timeout=60)
        assert not reader.is_alive()
        expected = reset.replace(b"%d", b"%d" % game["version"])
        assert stream.data.startswith(expected)
        found = re.findall(rb'"type":"(move_made|game_\w+)"', stream.data)
        assert found == [b"move_made", b"game_scored"]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("accept", "reset"),
        [
            ("application/x-ndjson", b'{"reset":{"version":%d}}\n'),
            ("text/event-stream", b'event: reset\nid: %d\ndata: {"version":%d}\n\n'),
        ],
    )
    def test_from_beyond_a_finished_game_the_stream_is_a_reset_alone(
        self, ada: Caller, over: str, accept: str, reset: bytes
    ) -> None:
        answer = ada.get(f"/games/{over}/events/stream?after=5000", headers={"Accept": accept})
        assert (answer.status_code, answer.mimetype) == (200, accept)
        assert answer.data == reset.replace(b"%d", b"%d" % ada.version(over))

    @pytest.mark.parametrize("last", ["x", "-1", "1.5", "9" * 40])
    def test_a_last_event_id_that_the_service_has_not_sent_is_refused(
        self, ada: Caller, over: str, last: str
    ) -> None:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": last}
        answer = ada.get(f"/games/{over}/events", headers=headers)
        assert (answer.status_code, answer.json["code"]) == (422, "invalid")

    def test_a_page_does_not_look_at_the_last_event_id(self, ada: Caller, over: str) -> None:
        answer = ada.get(f"/games/{over}/events?after=2", headers={"Last-Event-ID": "abc"})
        assert answer.json["events"][0]["version"] == 3

    @pytest.mark.slow
    @pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
    @pytest.mark.parametrize("accept", ["{}; charset=utf-8", "{};charset=utf-8;q=0.9, */*;q=0.1"])
    def test_a_parameter_does_not_make_it_another_form(
        self, ada: Caller, over: str, form: str, accept: str
    ) -> None:
        answer = ada.get(f"/games/{over}/events", headers={"Accept": accept.format(form)})
        assert answer.mimetype == form

    @pytest.mark.slow
    @pytest.mark.parametrize("accept", ["*/*", "text/html", "application/json", ""])
    def test_a_request_that_asks_for_no_stream_gets_a_page(
        self, ada: Caller, over: str, accept: str
    ) -> None:
        answer = ada.get(f"/games/{over}/events", headers={"Accept": accept})
        assert answer.mimetype == "application/json"

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("accept", "form"),
        [
            (None, "text/event-stream"),
            ("*/*", "text/event-stream"),
            ("application/json", "text/event-stream"),
            ("text/event-stream", "text/event-stream"),
            ("application/x-ndjson", "application/x-ndjson"),
        ],
    )
    def test_the_path_of_the_stream_sends_what_accept_gets_from_the_path_of_pages(
        self, ada: Caller, over: str, accept: str | None, form: str
    ) -> None:
        headers = {} if accept is None else {"Accept": accept}
        streamed = ada.get(f"/games/{over}/events/stream?after=1", headers=headers)
        page = ada.get(f"/games/{over}/events?after=1", headers={"Accept": form})
        assert (streamed.status_code, streamed.mimetype) == (200, form)
        # The sign of life differs: an empty line, or white space before a line.
        assert streamed.data.lstrip() == page.data.lstrip()
        for answer in (streamed, page):
            del answer.headers["X-Request-Id"]
        assert dict(streamed.headers) == dict(page.headers)

    def test_the_path_of_the_stream_resumes_and_ends(self, ada: Caller, over: str) -> None:
        last = ada.version(over)
        resumed = ada.get(f"/games/{over}/events/stream", headers={"Last-Event-ID": str(last - 1)})
        assert resumed.text.count("id: ") == 1
        assert ada.get(f"/games/{over}/events/stream?after={last}").status_code == 204

    @pytest.mark.slow
    @pytest.mark.parametrize("query", ["limit=5", "wait=1", "after=-1", "after=1&after=2"])
    def test_the_path_of_the_stream_takes_nothing_but_after(
        self, ada: Caller, over: str, query: str
    ) -> None:
        answer = ada.get(f"/games/{over}/events/stream?{query}")
        assert (answer.status_code, answer.json["code"]) == (422, "invalid")

    def test_the_stream_of_a_private_game_is_for_its_players(
        self, ada: Caller, bob: Caller
    ) -> None:
        private = ada.open(visibility="private")["id"]
        assert bob.get(f"/games/{private}/events/stream").status_code == 404

    @pytest.mark.slow
    def test_head_opens_no_stream(self, ada: Caller) -> None:
        running = ada.open()["id"]
        answer = ada.send(
            "HEAD", f"/games/{running}/events", headers={"Accept": "text/event-stream"}
        )
        assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Content-Length" not in answer.headers

    def test_above_the_cap_there_is_503(self, make_app: Callable[..., Flask], over: str) -> None:
        full = Caller(make_app(streams=0).test_client())
        answer = full.get(f"/games/{over}/events", headers={"Accept": "text/event-stream"})
        assert (answer.status_code, answer.json["code"]) == (503, "too_many_streams")

    def test_a_stream_that_has_ended_gives_its_place_back(
        self, make_app: Callable[..., Flask], over: str
    ) -> None:
        narrow = Caller(make_app(streams=1).test_client())
        for _ in range(3):
            answer = narrow.get(f"/games/{over}/events", headers={"Accept": "text/event-stream"})
            assert answer.status_code == 200
            answer.close()

    def test_a_stream_that_could_not_begin_gives_its_place_back(
        self,
        make_app: Callable[..., Flask],
        store: Store,
        over: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def fail(*_: Any) -> None:
            raise StoreUnreachable

        narrow = Caller(make_app(streams=1).test_client())
        headers = {"Accept": "text/event-stream"}
        with monkeypatch.context() as broken:
            broken.setattr(Hub, "subscribe", fail)
            answer = narrow.get(f"/games/{over}/events", headers=headers)
            assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
        assert narrow.get(f"/games/{over}/events", headers=headers).status_code == 200
