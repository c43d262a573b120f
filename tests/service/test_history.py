"""What has happened: pages of events, long-poll, states, transcripts, verification."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import orjson
import pytest
from flask import Flask
from redis.exceptions import ConnectionError as StoreUnreachable

from cartulary.engine.canonical import canonical_hash
from cartulary.events.store import Store
from tests.service.caller import SMALL_CITY, Caller, played_out

FOREVER = "public, max-age=31536000, immutable"


@pytest.fixture
def game_id(ada: Caller) -> str:
    """A running game of six events."""
    made: str = ada.open()["id"]
    for _ in range(4):
        ada.move(made)
    return made


def versions(answer: Any) -> list[int]:
    return [event["version"] for event in answer.json["events"]]


class TestPages:
    def test_all_events_in_order(self, ada: Caller, game_id: str) -> None:
        page = ada.get(f"/games/{game_id}/events")
        assert versions(page) == [1, 2, 3, 4, 5, 6]
        assert page.json["next_after"] == 6
        assert all("schema" not in event for event in page.json["events"])

    def test_a_full_page_never_changes(self, ada: Caller, game_id: str) -> None:
        page = ada.get(f"/games/{game_id}/events?after=1&limit=3")
        assert (versions(page), page.json["next_after"]) == ([2, 3, 4], 4)
        assert page.headers["Cache-Control"] == FOREVER
        assert page.headers["Vary"] == "Accept, Authorization, Accept-Encoding"

    def test_a_page_that_may_grow_is_asked_for_again(self, ada: Caller, game_id: str) -> None:
        page = ada.get(f"/games/{game_id}/events?after=4&limit=3")
        assert (versions(page), page.json["next_after"]) == ([5, 6], 6)
        assert page.headers["Cache-Control"] == "no-cache"

    def test_after_the_last_event_there_is_nothing(self, ada: Caller, game_id: str) -> None:
        page = ada.get(f"/games/{game_id}/events?after=6")
        assert page.json == {"events": [], "next_after": 6}

    @pytest.mark.parametrize("after", [7, 2**31 - 1])
    @pytest.mark.parametrize("wait", ["", "&wait=25"])
    def test_beyond_the_last_event_a_page_and_a_long_poll_reset_the_client_at_once(
        self, ada: Caller, game_id: str, after: int, wait: str
    ) -> None:
        page = ada.get(f"/games/{game_id}/events?after={after}{wait}")
        assert page.json == {"events": [], "next_after": 6, "reset": True}
        assert page.headers["Cache-Control"] == "no-cache"


class TestLongPoll:
    def test_what_is_there_comes_at_once(self, ada: Caller, game_id: str) -> None:
        assert versions(ada.get(f"/games/{game_id}/events?after=4&wait=60")) == [5, 6]

    def test_a_wait_that_is_over_gives_an_empty_list(
        self, make_app: Callable[..., Flask], ada: Caller, game_id: str
    ) -> None:
        patient = Caller(make_app(max_wait=0.05).test_client())
        page = patient.get(f"/games/{game_id}/events?after=6&wait=60")
        assert page.json == {"events": [], "next_after": 6}

    def test_a_new_event_ends_the_wait(self, app: Flask, ada: Caller, game_id: str) -> None:
        waiting = Caller(app.test_client())
        answers: list[Any] = []
        thread = threading.Thread(
            target=lambda: answers.append(waiting.get(f"/games/{game_id}/events?after=6&wait=60"))
        )
        thread.start()
        ada.move(game_id)
        thread.join(timeout=20)
        assert versions(answers[0]) == [7]

    def test_a_finished_game_is_not_waited_for(self, ada: Caller, store: Store) -> None:
        over = played_out(ada)
        last = ada.version(over)
        page = ada.get(f"/games/{over}/events?after={last}&wait=60")
        assert page.json == {"events": [], "next_after": last}

    def test_above_the_cap_there_is_503(
        self, make_app: Callable[..., Flask], ada: Caller, game_id: str
    ) -> None:
        full = Caller(make_app(streams=0).test_client())
        answer = full.get(f"/games/{game_id}/events?after=6&wait=60")
        assert (answer.status_code, answer.json["code"]) == (503, "too_many_streams")
        assert answer.headers["Retry-After"] == "5"
        assert full.get(f"/games/{game_id}/events?after=5&wait=60").status_code == 200


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
            ("application/x-ndjson", b' {"reset":{"version":%d}}\n'),
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
        reader.join(timeout=10)
        assert not reader.is_alive()
        expected = reset.replace(b"%d", b"%d" % game["version"])
        assert stream.data.startswith(expected)
        found = re.findall(rb'"type":"(move_made|game_\w+)"', stream.data)
        assert found == [b"move_made", b"game_scored"]

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
    def test_a_last_event_id_that_is_none_of_ours(self, ada: Caller, over: str, last: str) -> None:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": last}
        answer = ada.get(f"/games/{over}/events", headers=headers)
        assert (answer.status_code, answer.json["code"]) == (422, "invalid")

    def test_a_page_does_not_look_at_the_last_event_id(self, ada: Caller, over: str) -> None:
        answer = ada.get(f"/games/{over}/events?after=2", headers={"Last-Event-ID": "abc"})
        assert versions(answer)[0] == 3

    @pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
    @pytest.mark.parametrize("accept", ["{}; charset=utf-8", "{};charset=utf-8;q=0.9, */*;q=0.1"])
    def test_a_parameter_does_not_make_it_another_form(
        self, ada: Caller, over: str, form: str, accept: str
    ) -> None:
        answer = ada.get(f"/games/{over}/events", headers={"Accept": accept.format(form)})
        assert answer.mimetype == form

    @pytest.mark.parametrize("accept", ["*/*", "text/html", "application/json", ""])
    def test_without_asking_for_a_stream_there_is_none(
        self, ada: Caller, over: str, accept: str
    ) -> None:
        answer = ada.get(f"/games/{over}/events", headers={"Accept": accept})
        assert answer.mimetype == "application/json"

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
        assert streamed.data == page.data
        for answer in (streamed, page):
            del answer.headers["X-Request-Id"]
        assert dict(streamed.headers) == dict(page.headers)

    def test_the_path_of_the_stream_resumes_and_ends(self, ada: Caller, over: str) -> None:
        last = ada.version(over)
        resumed = ada.get(f"/games/{over}/events/stream", headers={"Last-Event-ID": str(last - 1)})
        assert resumed.text.count("id: ") == 1
        assert ada.get(f"/games/{over}/events/stream?after={last}").status_code == 204

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

    def test_head_opens_no_stream(self, ada: Caller, game_id: str) -> None:
        answer = ada.send(
            "HEAD", f"/games/{game_id}/events", headers={"Accept": "text/event-stream"}
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
            broken.setattr(store.hub, "subscribe", fail)
            answer = narrow.get(f"/games/{over}/events", headers=headers)
            assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
        assert narrow.get(f"/games/{over}/events", headers=headers).status_code == 200


class TestStates:
    def test_every_state_as_it_was(self, ada: Caller) -> None:
        game = ada.open()
        seen = {2: game}
        for version in range(3, 12):
            seen[version] = ada.move(game["id"]).json["game"]
        for version, then in seen.items():
            answer = ada.get(f"/games/{game['id']}/states/{version}")
            assert answer.json == {key: then[key] for key in ("version", "decision", "view")}
            assert answer.headers["Cache-Control"] == FOREVER
            assert answer.headers["ETag"] == f'"v{version}"'

    def test_before_the_start_there_is_no_view(self, ada: Caller, game_id: str) -> None:
        state = ada.get(f"/games/{game_id}/states/1").json
        assert state == {"version": 1, "decision": None, "view": None}

    def test_what_the_client_has_is_not_sent_again(self, ada: Caller, game_id: str) -> None:
        answer = ada.get(f"/games/{game_id}/states/3", headers={"If-None-Match": '"v3"'})
        assert answer.status_code == 304


class TestTranscripts:
    def test_an_import_and_an_export_agree(self, ada: Caller) -> None:
        given = {**SMALL_CITY, "note": {"from": "a test"}}
        made = ada.post("/games/import", given)
        assert made.status_code == 201
        path = made.headers["Location"].removeprefix("/api/v1")
        assert ada.get(path).json == made.json
        assert ada.get(f"{path}/transcript").json == given

    def test_an_unfinished_import_is_played_on(self, ada: Caller) -> None:
        given = {key: value for key, value in SMALL_CITY.items() if key != "result"}
        given |= {"moves": given["moves"][:1]}
        game = ada.post("/games/import", given).json
        assert game["status"] == "running"
        made = ada.move(game["id"], SMALL_CITY["moves"][1]["move"])
        assert made.json["game"]["view"]["scores"] == [4, 0]

    def test_an_imported_game_shows_the_names_of_those_who_played_it(self, ada: Caller) -> None:
        made = ada.post("/games/import", {**SMALL_CITY, "players": ["Wanda", "mcts"]}).json
        assert [seat["name"] for seat in made["seats"]] == ["Wanda", "mcts"]
        assert [seat["player"]["name"] for seat in made["seats"]] == ["Ada", "Ada"]
        listed = ada.get("/games", query_string={"player": "me"}).json["games"]
        assert listed[0]["seats"] == made["seats"]
        assert all("name" not in seat for seat in ada.open()["seats"])

    def test_a_transcript_may_be_larger_than_other_bodies(self, ada: Caller) -> None:
        given = {**SMALL_CITY, "note": "x" * 500_000}
        assert ada.post("/games/import", given).status_code == 201

    def test_names_are_those_of_the_seats(self, ada: Caller) -> None:
        game_id = ada.open("me", "me")["id"]
        assert ada.get(f"/games/{game_id}/transcript").json["players"] == ["Ada", "Ada"]


class TestVerification:
    def test_of_a_sound_game(self, ada: Caller, game_id: str) -> None:
        verified = ada.get(f"/games/{game_id}/verification")
        events = ada.get(f"/games/{game_id}/events").json["events"]
        chance = sum(len(event.get("chance", ())) for event in events)
        assert verified.json == {
            "valid": True,
            "version": 6,
            "problems": [],
            "head": events[-1]["hash"],
            "chained_from": 1,
            "masked": 0,
            "fair": {
                **events[0]["fair"],
                "draws": chance,
                "state": "hidden",
                "renewed_at": [],
            },
        }

    def test_of_a_game_that_was_tampered_with(
        self, ada: Caller, store: Store, game_id: str
    ) -> None:
        key = f"{{{game_id}}}:events"
        entries: Any = store.redis.xrange(key)
        store.redis.delete(key)
        for id_, fields in entries:
            event = orjson.loads(fields[b"event"])
            if event["version"] == 4:
                event["state_hash"] = "0" * 64
            store.redis.xadd(key, {"event": orjson.dumps(event)}, id=id_)
        verified = ada.get(f"/games/{game_id}/verification").json
        assert verified["valid"] is False
        found = [(problem["version"], problem["problem"]) for problem in verified["problems"]]
        assert found == [(4, "state_hash"), (4, "chain")]


class TestChain:
    """Every event is delivered with its hash, wherever it is delivered."""

    def test_pages_streams_polls_and_answers_deliver_the_same_event(
        self, ada: Caller, game_id: str
    ) -> None:
        before = ada.version(game_id)
        moved = ada.move(game_id).json
        page = ada.get(f"/games/{game_id}/events?after={before}").json["events"]
        poll = ada.get(f"/games/{game_id}/events?after={before}&wait=5").json["events"]
        assert moved["events"] == page == poll
        line = self.first(ada, game_id, before, "application/x-ndjson").strip()
        assert orjson.loads(line) == page[0]
        data = self.first(ada, game_id, before, "text/event-stream").partition(b"data: ")[2]
        assert orjson.loads(data) == page[0]

    def first(self, ada: Caller, game_id: str, after: int, form: str) -> bytes:
        """The first event of a stream."""
        path = f"/games/{game_id}/events?after={after}"
        answer = ada.get(path, headers={"Accept": form}, buffered=False)
        found = b""
        for part in answer.response:
            found += part if isinstance(part, bytes) else part.encode()
            if b"hash" in found:
                break
        answer.close()
        return found

    def test_each_event_names_the_hash_of_the_event_before_it(
        self, ada: Caller, game_id: str
    ) -> None:
        events = ada.get(f"/games/{game_id}/events").json["events"]
        assert events[0]["prev"] == "0" * 64
        for event, following in pairwise(events):
            assert following["prev"] == event["hash"]
            chained = {key: value for key, value in event.items() if key != "hash"}
            assert event["hash"] == canonical_hash(chained)
