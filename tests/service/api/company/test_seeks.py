"""Seeks over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem
from tests.support.stored_keys import stored

Register = Callable[[str], Caller]
WISH: dict[str, Any] = {"game": "carcassonne", "seats": [2]}
LIVE = {"mode": "live", "delay": 30, "bank": 600}


def claim(store: Store, *callers: Caller) -> None:
    for caller in callers:
        store.registry.hset(keys.player(caller.id), "claimed_at", "2026-11-22T14:00:00.000Z")


def seek(who: Caller, **more: Any) -> dict[str, Any]:
    answer = who.post("/seeks", {**WISH, **more})
    assert answer.status_code == 201, answer.text
    assert answer.json["tables"] == []
    found: dict[str, Any] = answer.json["seek"]
    return found


def test_two_seeks_meet_and_the_inbox_names_the_game(ada: Caller, bob: Caller) -> None:
    waits = seek(ada)
    assert waits["table"] is None
    assert waits["options"] == {"tiny_city": 4}
    assert ada.get("/seeks?player=me").json["seeks"] == [waits]
    matched = seek(bob)
    (item,) = [
        one for one in ada.get("/players/me/inbox").json["items"] if one["type"] == "seek_matched"
    ]
    assert (item["data"]["game"], item["data"]["seek"]) == (matched["table"], waits["id"])
    game = ada.get(f"/games/{matched['table']}").json
    assert game["status"] == "running"
    assert ada.get("/seeks").json == {"seeks": []}
    problem(ada.delete(f"/seeks/{waits['id']}"), 404, "not_found")


def test_open_tables_are_the_answer_unless_the_seek_is_to_be_new(ada: Caller, bob: Caller) -> None:
    table = ada.open("me", "open")["id"]
    answer = bob.post("/seeks", WISH)
    assert answer.status_code == 200
    assert answer.json["seek"] is None
    assert [one["id"] for one in answer.json["tables"]] == [table]
    assert bob.get("/seeks?player=me").json == {"seeks": []}
    assert seek(bob, new=True)["table"] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wish", "pointer"),
    [
        ({"seats": []}, "/seats"),
        ({"seats": [6]}, "/seats/0"),
        ({"seats": [2, 2]}, "/seats"),
        ({"game": "chess"}, "/game"),
        ({"options": {"tiny_city": 3}}, "/options/tiny_city"),
        ({"pace": {"mode": "live", "delay": 1, "bank": 1}}, "/pace/delay"),
        ({"rated": True}, "/pace"),
        ({"rated": True, "pace": LIVE, "fill": "bots"}, "/fill"),
        ({"fill": "people"}, "/fill"),
        ({"fill": "bots"}, "/fill"),
        ({"patience": 4}, "/patience"),
        ({"rating_range": [2, 1]}, "/rating_range"),
        ({"rating_range": [1500]}, "/rating_range"),
        ({"rating_range": [1500, "2000"]}, "/rating_range/1"),
        ({"min_reliability": 101}, "/min_reliability"),
    ],
)
def test_what_no_seek_can_be_is_refused(
    ada: Caller, store: Store, wish: dict[str, Any], pointer: str
) -> None:
    ada.get("/players/me")
    before = {key: value for key, value in stored(store).items() if b"LIMITS" not in key}
    refused = problem(ada.post("/seeks", {**WISH, **wish}), 422, "invalid")
    assert pointers(refused) == [pointer]
    assert {key: value for key, value in stored(store).items() if b"LIMITS" not in key} == before


def test_a_rated_seek_needs_an_account_and_leads_to_a_rated_game(
    ada: Caller, bob: Caller, store: Store
) -> None:
    wish = {"pace": LIVE, "rated": True, "rating_range": [1000, 2000]}
    problem(ada.post("/seeks", {**WISH, **wish}), 403, "account_needed")
    claim(store, ada, bob)
    waits = seek(ada, **wish)
    assert (waits["rated"], waits["rating_range"]) == (True, [1000, 2000])
    assert ada.get("/seeks?player=me").json["seeks"] == [waits]
    game = ada.get(f"/games/{seek(bob, **wish)['table']}").json
    assert (game["rated"], game["ladder"]) == (True, "people")
    for rated, found in (("true", [game["id"]]), ("false", [])):
        listed = ada.get(f"/games?player=me&rated={rated}").json["games"]
        assert [one["id"] for one in listed] == found
    problem(ada.get("/games?rated=yes"), 422, "invalid")


def test_who_seeks_what_is_listed_but_for_those_who_have_nothing_to_do_with_the_caller(
    ada: Caller, bob: Caller, register: Register, visitor: Caller
) -> None:
    cyd = register("Cyd")
    first, second = seek(ada, seats=[3]), seek(bob, game="caylus", seats=[5])
    assert visitor.get("/seeks").json["seeks"] == [second, first]
    assert visitor.get("/seeks?game=caylus").json["seeks"] == [second]
    assert visitor.get("/seeks?game=chess").json["seeks"] == []
    problem(visitor.get("/seeks?player=me"), 401, "token_missing")
    bob.put(f"/players/me/blocks/{cyd.id}")
    assert cyd.get("/seeks").json["seeks"] == [first]
    ada.patch("/players/me", {"preferences": {"visibility": "hidden"}})
    assert cyd.get("/seeks").json["seeks"] == [{**first, "player": None}]
    assert ada.get("/seeks?player=me").json["seeks"] == [first]


def test_a_player_withdraws_the_own_seeks_only(ada: Caller, bob: Caller) -> None:
    made = seek(ada)
    problem(bob.delete(f"/seeks/{made['id']}"), 404, "not_found")
    assert ada.delete(f"/seeks/{made['id']}").status_code == 204
    problem(ada.delete(f"/seeks/{made['id']}"), 404, "not_found")
    assert ada.get("/seeks").json == {"seeks": []}


def test_eleven_seeks_are_too_many(ada: Caller) -> None:
    for bank in range(10):
        seek(ada, pace={**LIVE, "bank": bank})
    refused = problem(ada.post("/seeks", {**WISH, "pace": LIVE}), 429, "quota_exceeded")
    assert (refused["quota"], refused["limit"], refused["used"]) == ("seeks", 10, 10)


def test_the_summary_counts_by_pace(ada: Caller, bob: Caller, visitor: Caller) -> None:
    seek(ada, pace=LIVE)
    seek(bob)
    found = visitor.get("/seeks/summary?game=carcassonne").json
    assert found["waiting"] == 2
    assert [(one["pace"], one["waiting"]) for one in found["paces"]] == [
        ("live", 1),
        ("correspondence", 0),
        ("none", 1),
    ]
    problem(visitor.get("/seeks/summary?game=chess"), 422, "invalid")


def test_the_stream_of_the_inbox_keeps_a_live_seek(ada: Caller, store: Store) -> None:
    seek(ada, pace=LIVE)
    store.registry.zadd("seekers", {ada.id: 1})
    store.attendance.flush()
    assert store.registry.zscore("seekers", ada.id) == 1
    stream = ada.get("/players/me/inbox/stream", buffered=False)
    store.attendance.flush()
    assert store.registry.zscore("seekers", ada.id) == pytest.approx(
        store.clock.now_ms(), abs=60_000
    )
    stream.close()
    store.registry.zadd("seekers", {ada.id: 1})
    store.attendance.flush()
    assert store.registry.zscore("seekers", ada.id) == 1


def test_the_export_has_the_seeks(ada: Caller) -> None:
    made = seek(ada)
    assert f'"type":"seek","id":"{made["id"]}"' in ada.get("/players/me/export").text


class TestSittingDown:
    """Who takes a seat at a live table by hand looks for no live game any more."""

    def test_a_seat_at_a_live_table_ends_the_live_seeks_and_no_others(
        self, ada: Caller, bob: Caller
    ) -> None:
        seek(ada, pace=LIVE)
        slow = seek(ada)
        table = bob.open("me", "open", "open", pace=LIVE)["id"]
        assert ada.post(f"/games/{table}/seats", {}).status_code == 201
        assert [one["id"] for one in ada.get("/seeks?player=me").json["seeks"]] == [slow["id"]]

    def test_so_does_a_live_table_of_ones_own(self, ada: Caller) -> None:
        seek(ada, pace=LIVE)
        ada.open("me", "open", pace=LIVE)
        assert ada.get("/seeks?player=me").json == {"seeks": []}

    def test_an_untimed_game_leaves_the_search_alone(self, ada: Caller, bob: Caller) -> None:
        waits = seek(ada, pace=LIVE)
        ada.open("me", "open")
        ada.post(f"/games/{bob.open('me', 'open', 'open')['id']}/seats", {})
        assert [one["id"] for one in ada.get("/seeks?player=me").json["seeks"]] == [waits["id"]]

    def test_a_failure_to_end_seeks_does_not_fail_the_seat(
        self, ada: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise ConnectionError

        monkeypatch.setattr(store.matchmaker, "note_seated", fail)
        assert ada.open("me", "open", pace=LIVE)["status"] == "open"


def test_a_seek_shows_the_reliability_that_it_asks_for(ada: Caller) -> None:
    assert seek(ada, min_reliability=50)["min_reliability"] == 50
