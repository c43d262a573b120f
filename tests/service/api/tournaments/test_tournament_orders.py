"""What operators read and order in tournaments over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.store import Store
from cartulary.service.api.tournaments.tournament_requests import TableResultRequest
from tests.service.support.acted_tournaments import WISH
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem


@pytest.fixture
def judge(ada: Caller, store: Store) -> Caller:
    """A caller with the token of an operator."""
    player = store.players.create("Judge")[0]
    return Caller(ada.client, store.office.operators.grant(player, 1).secret, player.id)


def announce(host: Caller, *entrants: Caller, **more: Any) -> str:
    if more.get("visibility") == "private":
        more["entrants"] = {"invited": [one.id for one in entrants]}
    tournament = str(host.post("/tournaments", {**WISH, **more}).json["id"])
    for one in entrants:
        assert one.post(f"/tournaments/{tournament}/entry", {}).status_code == 201
    return tournament


def test_an_operator_reads_a_private_tournament_by_its_id_and_finds_it_in_no_list(
    ada: Caller, bob: Caller, judge: Caller, store: Store
) -> None:
    tournament = announce(ada, ada, visibility="private")
    path = f"/tournaments/{tournament}"
    parts = ("", "/entrants", "/standings", "/games", "/events", "/verification")
    for part in parts:
        assert judge.get(path + part).status_code == 200
        problem(bob.get(path + part), 404, "not_found")
    assert judge.get("/tournaments").json["tournaments"] == []
    problem(bob.post(f"/operator{path}/orders", {}), 403, "scope_missing")
    # As a player, with a token that is not that of the office, an operator is a stranger.
    plain = store.players.create("Other")[1]
    problem(Caller(ada.client, plain, "").get(path), 404, "not_found")


def test_a_stranger_learns_no_version_of_a_private_tournament_from_if_match(
    ada: Caller, bob: Caller
) -> None:
    path = f"/tournaments/{announce(ada, ada, visibility='private')}"
    for command in ("entry", "start", "cancel"):
        for stale in ('"v1"', '"v2"'):
            asked = bob.post(f"{path}/{command}", {}, headers={"If-Match": stale})
            problem(asked, 404, "not_found")
            assert "ETag" not in asked.headers
    problem(ada.post(f"{path}/start", {}, headers={"If-Match": '"v1"'}), 412, "stale_version")


def test_the_games_of_an_open_duplicate_round_stay_hidden_from_operators(
    ada: Caller, bob: Caller, judge: Caller, store: Store
) -> None:
    people = [store.players.create(name) for name in ("Cyd", "Dan")]
    callers = [Caller(ada.client, token, player.id) for player, token in people]
    tournament = announce(ada, ada, bob, *callers, duplicate=True, visibility="private")
    path = f"/tournaments/{tournament}"
    assert ada.post(f"{path}/start", {}).status_code == 201
    store.tournaments.driver.step(tournament)
    round_ = judge.get(f"{path}/rounds/1").json
    assert (round_["secret"], len(round_["tables"])) == (None, 2)
    for table in round_["tables"]:
        problem(judge.get(f"/games/{table['game']}"), 404, "not_found")
        problem(judge.get(f"/games/{table['game']}/events"), 404, "not_found")
    problem(judge.get(f"{path}/rounds/1/comparison"), 409, "round_open")
    assert "secret" not in judge.get(f"{path}/events?limit=1000").json["events"][-1]


def test_orders_say_what_was_done_and_refusals_store_nothing(
    ada: Caller, bob: Caller, judge: Caller
) -> None:
    tournament = announce(ada, ada, bob, visibility="private")
    path = f"/operator/tournaments/{tournament}/orders"
    why = {"reason": "The host is gone."}
    nameless = judge.post(path, {**why, "command": "remove"})
    assert pointers(problem(nameless, 422, "invalid")) == ["/player"]
    named = judge.post(path, {**why, "command": "cancel", "player": bob.id})
    assert pointers(problem(named, 422, "invalid")) == ["/player"]
    problem(
        judge.post("/operator/tournaments/x/orders", {**why, "command": "start"}), 404, "not_found"
    )
    removed = judge.post(path, {**why, "command": "remove", "player": bob.id})
    assert [one["type"] for one in removed.json["events"]] == ["entrant_removed"]
    problem(judge.post(path, {**why, "command": "remove", "player": bob.id}), 409, "not_entered")
    problem(judge.post(path, {**why, "command": "start"}), 409, "seats_open")
    stale = judge.post(path, {**why, "command": "cancel"}, headers={"If-Match": '"v1"'})
    problem(stale, 412, "stale_version")
    back = judge.post(path, {**why, "command": "reinstate", "player": bob.id})
    assert [one["type"] for one in back.json["events"]] == ["reinstated"]
    again = judge.post(path, {**why, "command": "reinstate", "player": bob.id})
    assert (again.status_code, again.json["events"]) == (200, [])
    started = judge.post(path, {**why, "command": "start"}).json
    assert started["tournament"]["status"] == "running"
    off = judge.post(path, {**why, "command": "cancel"}).json["tournament"]
    assert (off["code"], off["explanation"]) == ("service", "The host is gone.")
    lines = judge.get("/operator/log").json["entries"]
    told = [(one["command"], one["tournament"], one["reason"]) for one in lines]
    words = ("cancel", "start", "reinstate", "remove")
    assert told == [(f"tournament_{one}", tournament, "The host is gone.") for one in words]


def test_refused_entries_have_codes_of_their_own(ada: Caller, bob: Caller, judge: Caller) -> None:
    closed = announce(ada, entrants={"invited": [judge.id, ada.id]})
    problem(bob.post(f"/tournaments/{closed}/entry", {}), 403, "not_invited")
    strong = announce(ada, entrants={"rating": [5_000, 6_000]})
    refused = problem(bob.post(f"/tournaments/{strong}/entry", {}), 403, "rating_outside")
    assert (refused["lowest"], refused["highest"]) == (5_000, 6_000)
    assert 0 < refused["rating"] < 5_000


def test_a_result_without_ranks_voids_no_table_by_oversight(
    ada: Caller, bob: Caller, judge: Caller
) -> None:
    path = f"/tournaments/{announce(ada, ada, bob)}/tables/1/result"
    missing = judge.put(path, {"reason": "The scores were wrong.", "scores": [5, 3]})
    assert pointers(problem(missing, 422, "invalid")) == ["/ranks"]
    void = judge.put(path, {"reason": "Both have left.", "ranks": None, "scores": [5, 3]})
    assert pointers(problem(void, 422, "invalid")) == ["/scores"]


@pytest.mark.parametrize("reason", ["", " ", "\n\n", "a\x00b", "x" * 501])
def test_a_reason_has_something_to_be_read_in_it(
    ada: Caller, bob: Caller, judge: Caller, reason: str
) -> None:
    tournament = announce(ada, ada, bob)
    order = {"command": "remove", "player": bob.id, "reason": reason}
    refused = judge.post(f"/operator/tournaments/{tournament}/orders", order)
    assert pointers(problem(refused, 422, "invalid")) == ["/reason"]
    refused = judge.put(
        f"/tournaments/{tournament}/tables/1/result", {"reason": reason, "ranks": None}
    )
    assert pointers(problem(refused, 422, "invalid")) == ["/reason"]


def test_scores_come_with_ranks() -> None:
    result = {"reason": "The scores were wrong.", "ranks": [1, 2], "scores": [5, 3]}
    assert TableResultRequest().load(result)["scores"] == [5, 3]
