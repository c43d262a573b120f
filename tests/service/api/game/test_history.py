"""What has happened: pages of events, long-poll, states, transcripts, verification."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import orjson
import pytest
from flask import Flask

from cartulary.engine.canonical import canonical_hash
from cartulary.events.store import Store
from tests.service.support.caller import SMALL_CITY, Caller, played_out

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

    @pytest.mark.slow
    @pytest.mark.parametrize("after", [7, 2**31 - 1])
    @pytest.mark.parametrize("wait", ["", "&wait=25"])
    def test_beyond_the_last_event_a_page_and_a_long_poll_reset_the_client_at_once(
        self, ada: Caller, game_id: str, after: int, wait: str
    ) -> None:
        page = ada.get(f"/games/{game_id}/events?after={after}{wait}")
        assert page.json == {"events": [], "next_after": 6, "reset": True}
        assert page.headers["Cache-Control"] == "no-cache"


class TestLongPoll:
    @pytest.mark.slow
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
        thread.join(timeout=60)
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

    def test_an_imported_game_may_be_private(self, ada: Caller, bob: Caller) -> None:
        key = {"Idempotency-Key": "once"}
        given = {**SMALL_CITY, "visibility": "private"}
        made = ada.post("/games/import", given, headers=key)
        assert (made.status_code, made.json["visibility"]) == (201, "private")
        assert bob.get(f"/games/{made.json['id']}").status_code == 404
        assert "visibility" not in ada.get(f"/games/{made.json['id']}/transcript").json
        # The same transcript with another visibility is another request.
        public = ada.post("/games/import", SMALL_CITY, headers=key)
        assert (public.status_code, public.json["code"]) == (422, "idempotency_mismatch")

    @pytest.mark.parametrize("visibility", ["secret", 1, ["private"]])
    def test_an_import_with_an_unknown_visibility_is_refused(
        self, ada: Caller, visibility: object
    ) -> None:
        answer = ada.post("/games/import", {**SMALL_CITY, "visibility": visibility})
        assert (answer.status_code, answer.json["code"]) == (422, "invalid")
        assert answer.json["errors"][0]["pointer"] == "/visibility"
        assert ada.get("/games?player=me").json["games"] == []

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

    @pytest.mark.slow
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
