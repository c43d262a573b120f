"""Leaving a running game over HTTP: calls, answers, codes, and the order of the checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fakeredis
import pytest

from cartulary.events.model.time.silence_rules import SILENT_MS
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem
from tests.support.fake_clock import FakeClock
from tests.support.stored_keys import stored


@pytest.fixture
def store(server: fakeredis.FakeServer, rng: Any, clock: FakeClock) -> Store:
    """The store of the service, on a clock that stands still."""
    store = Store(fakeredis.FakeRedis(server=server), OFFERS, rng=rng, clock=clock)
    store.since.read()
    return store


@pytest.fixture
def cleo(register: Callable[[str], Caller]) -> Caller:
    return register("Cleo")


def types(answer: Any) -> list[str]:
    return [event["type"] for event in answer.json["events"]]


def start(*people: Caller, **more: Any) -> str:
    """Start a game of Carcassonne of these people, in this order; return its path."""
    game = people[0].open("me", *["open"] * (len(people) - 1), **more)
    path = f"/games/{game['id']}"
    for seat, one in enumerate(people[1:], start=1):
        assert one.post(f"{path}/seats", {"seat": seat}).status_code == 201
    return path


def asked(path: str, *people: Caller) -> tuple[int, Caller, list[tuple[int, Caller]]]:
    """The seat that is asked, its owner, and the others with their seats."""
    seat = people[0].get(path).json["decision"]["seat"]
    return seat, people[seat], [(n, one) for n, one in enumerate(people) if n != seat]


class TestResignation:
    def test_of_two_the_other_wins(self, ada: Caller, bob: Caller, store: Store) -> None:
        path = start(ada, bob)
        answer = ada.post(f"{path}/resignation", {})
        assert (answer.status_code, types(answer)) == (201, ["seat_forfeited", "play_ended"])
        assert answer.json["game"]["status"] == "scoring"
        assert answer.headers["ETag"] == f'"v{answer.json["version"]}"'
        store.commands.score(path.rpartition("/")[2])
        result = bob.get(path).json["result"]
        assert (result["winners"], result["outcomes"]) == ([1], ["resigned", "finished"])

    def test_of_three_a_stand_in_plays_on_and_the_seat_shows_it(
        self, ada: Caller, bob: Caller, cleo: Caller
    ) -> None:
        path = start(ada, bob, cleo)
        answer = bob.post(f"{path}/resignation", {"seat": 1})
        assert types(answer) == ["seat_forfeited"]
        seat = answer.json["game"]["seats"][1]
        assert (seat["state"], seat["stand_in"], seat["reason"]) == (
            "forfeited",
            "medium",
            "resigned",
        )

    def test_a_body_is_not_needed_and_an_unknown_field_is_refused(
        self, ada: Caller, bob: Caller
    ) -> None:
        path = start(ada, bob)
        body = problem(ada.post(f"{path}/resignation", {"why": "tired"}), 422, "invalid")
        assert pointers(body) == ["/why"]
        assert ada.post(f"{path}/resignation").status_code == 201

    def test_refusals_come_in_order_and_store_nothing(
        self, ada: Caller, bob: Caller, cleo: Caller, visitor: Caller, store: Store
    ) -> None:
        path = start(ada, bob, cleo)
        zoe = visitor.post("/players", {"name": "Zoe"}).json
        stranger = Caller(visitor.client, zoe["token"])
        bob.post(f"{path}/resignation", {})
        before = stored(store)
        stale = {"If-Match": '"v1"'}
        url = f"{path}/resignation"
        problem(stranger.post(url, {}, headers=stale), 403, "not_seated")
        problem(bob.post(url, {}, headers=stale), 412, "stale_version")
        problem(bob.post(url, {"expected_version": 1}), 409, "stale_version")
        problem(bob.post(url, {}), 409, "seat_forfeited")
        problem(ada.post(url, {"seat": 2}), 403, "not_seated")
        problem(visitor.post(url, {}), 401, "token_missing")
        problem(ada.post("/games/01J00000000000000000000000/resignation", {}), 404, "not_found")
        assert stored(store) == before

    def test_a_repeated_key_gets_the_same_answer(self, ada: Caller, bob: Caller) -> None:
        path = start(ada, bob)
        key = {"Idempotency-Key": "once"}
        first = ada.post(f"{path}/resignation", {}, headers=key)
        again = ada.post(f"{path}/resignation", {}, headers=key)
        assert again.json == first.json
        assert again.headers["Idempotency-Replayed"] == "true"
        problem(
            ada.post(f"{path}/resignation", {"seat": 0}, headers=key), 422, "idempotency_mismatch"
        )


class TestBeingAway:
    def test_a_seat_is_away_and_returns(self, ada: Caller, bob: Caller) -> None:
        path = start(ada, bob)
        away = ada.post(f"{path}/seats/0/stand_in", {})
        assert (away.status_code, types(away)) == (201, ["stand_in_seated"])
        seat = away.json["game"]["seats"][0]
        assert (seat["state"], seat["stand_in"], seat["reason"]) == ("away", "medium", "requested")
        again = ada.post(f"{path}/seats/0/stand_in")
        assert (again.status_code, again.json["events"]) == (200, [])
        back = ada.post(f"{path}/seats/0/return")
        assert (back.status_code, types(back)) == (201, ["seat_returned"])
        assert ada.post(f"{path}/seats/0/return").status_code == 200

    def test_a_move_of_the_owner_returns_as_well(self, ada: Caller, bob: Caller) -> None:
        path = start(ada, bob)
        seat, owner, _ = asked(path, ada, bob)
        owner.post(f"{path}/seats/{seat}/stand_in", {})
        moved = owner.move(path.rpartition("/")[2])
        assert moved.status_code == 201
        assert types(moved) == ["seat_returned", "move_made"]
        assert moved.json["event"]["type"] == "move_made"

    def test_a_key_belongs_to_one_seat(self, ada: Caller, bob: Caller, cleo: Caller) -> None:
        game = ada.open("me", "me", "open", "open")
        path = f"/games/{game['id']}"
        assert all(one.post(f"{path}/seats", {}).status_code == 201 for one in (bob, cleo))
        key, body = {"Idempotency-Key": "once"}, {"expected_version": ada.version(game["id"])}
        assert ada.post(f"{path}/seats/0/stand_in", body, headers=key).status_code == 201
        again = ada.post(f"{path}/seats/1/stand_in", body, headers=key)
        problem(again, 422, "idempotency_mismatch")

    def test_a_key_holds_whatever_version_the_headers_name(self, ada: Caller, bob: Caller) -> None:
        path = start(ada, bob)
        version = ada.get(path).json["version"]
        tags = {"Idempotency-Key": "once", "If-Match": f'"v{version}", "v{version + 1}"'}
        assert ada.post(f"{path}/resignation", {}, headers=tags).status_code == 201
        again = ada.post(f"{path}/resignation", {}, headers=tags)
        assert again.headers["Idempotency-Replayed"] == "true"

    def test_when_everybody_is_away_the_game_rests(self, ada: Caller, bob: Caller) -> None:
        path = start(ada, bob)
        ada.post(f"{path}/seats/0/stand_in", {})
        assert bob.get(path).json["resting"] is False
        assert bob.post(f"{path}/seats/1/stand_in", {}).json["game"]["resting"] is True

    def test_it_is_refused_for_others_alone_and_after_resigning(
        self, ada: Caller, bob: Caller, cleo: Caller
    ) -> None:
        alone = ada.post(
            "/games",
            {"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]},
        ).json["id"]
        problem(ada.post(f"/games/{alone}/seats/0/stand_in", {}), 409, "alone")
        path = start(ada, bob, cleo)
        problem(ada.post(f"{path}/seats/1/stand_in", {}), 403, "not_seated")
        problem(ada.post(f"{path}/seats/7/stand_in", {}), 404, "not_found")
        bob.post(f"{path}/resignation", {})
        problem(bob.post(f"{path}/seats/1/stand_in", {}), 409, "seat_forfeited")
        problem(bob.post(f"{path}/seats/1/return", {}), 409, "seat_forfeited")
        seat, _, _ = asked(path, ada, bob, cleo)
        body = {"move": {"type": "skip_follower"}}
        problem(bob.post(f"{path}/moves", body), 409, "seat_forfeited")
        assert seat in (0, 1, 2)


class TestClaims:
    @pytest.mark.slow
    def test_a_claim_before_its_time_says_from_when_on(
        self, ada: Caller, bob: Caller, clock: FakeClock
    ) -> None:
        path = start(ada, bob)
        seat, _, [(_, other)] = asked(path, ada, bob)
        early = other.post(f"{path}/seats/{seat}/claim", {"remedy": "stand_in"})
        deadline = problem(early, 409, "not_overdue")["deadline_at"]
        assert deadline > other.get(path).json["updated_at"]
        clock.advance(SILENT_MS)
        done = other.post(f"{path}/seats/{seat}/claim", {"remedy": "stand_in"})
        assert (done.status_code, types(done)) == (201, ["stand_in_seated"])

    def test_a_forfeit_needs_everybody_else(
        self, ada: Caller, bob: Caller, cleo: Caller, clock: FakeClock
    ) -> None:
        path = start(ada, bob, cleo)
        seat, _, [(_, first), (_, second)] = asked(path, ada, bob, cleo)
        clock.advance(SILENT_MS)
        url, body = f"{path}/seats/{seat}/claim", {"remedy": "forfeit"}
        made = first.post(url, body)
        assert types(made) == ["proposal_made"]
        assert made.json["game"]["proposal"]["target"] == seat
        assert first.post(url, body).status_code == 200
        problem(second.post(url, {"remedy": "abort"}), 409, "proposal_open")
        assert types(second.post(url, body)) == [
            "proposal_answered",
            "proposal_closed",
            "seat_forfeited",
        ]

    def test_it_is_refused_without_a_remedy_and_to_strangers(
        self, ada: Caller, bob: Caller, clock: FakeClock
    ) -> None:
        path = start(ada, bob)
        seat, owner, [(free, other)] = asked(path, ada, bob)
        clock.advance(SILENT_MS)
        url = f"{path}/seats/{seat}/claim"
        assert pointers(problem(other.post(url, {}), 422, "invalid")) == ["/remedy"]
        wrong = problem(other.post(url, {"remedy": "revenge"}), 422, "invalid")
        assert pointers(wrong) == ["/remedy"]
        problem(owner.post(url, {"remedy": "stand_in"}), 403, "not_seated")
        claim = owner.post(f"{path}/seats/{free}/claim", {"remedy": "stand_in"})
        assert problem(claim, 409, "not_overdue")["deadline_at"] is None


class TestAbort:
    def test_of_two_either_ends_the_game_at_its_start(self, ada: Caller, bob: Caller) -> None:
        path = start(ada, bob)
        answer = bob.post(f"{path}/abort", {})
        assert (answer.status_code, types(answer)) == (201, ["game_aborted"])
        assert answer.json["events"][0]["code"] == "early"

    def test_of_three_the_caller_leaves_and_a_substitute_may_come(
        self, ada: Caller, bob: Caller, cleo: Caller, visitor: Caller
    ) -> None:
        path = start(ada, bob, cleo)
        left = cleo.post(f"{path}/abort", {})
        assert types(left) == ["seat_forfeited"]
        assert left.json["game"]["seats"][2]["state"] == "vacant"
        made = visitor.post("/players", {"name": "Zoe"}).json
        zoe = Caller(visitor.client, made["token"])
        problem(cleo.post(f"{path}/seats", {"seat": 2}), 409, "seat_forfeited")
        taken = zoe.post(f"{path}/seats", {"seat": 2})
        assert taken.status_code == 201
        assert taken.json["seats"][2]["player"]["name"] == "Zoe"
        problem(ada.post(f"{path}/seats", {"seat": 2}), 409, "seat_taken")

    def test_it_is_too_late_when_everybody_has_answered(self, ada: Caller, bob: Caller) -> None:
        path = start(ada, bob)
        game_id = path.rpartition("/")[2]
        for _ in range(6):
            _, owner, _ = asked(path, ada, bob)
            owner.move(game_id)
        problem(bob.post(f"{path}/abort", {}), 409, "too_late")

    @pytest.mark.slow
    def test_who_leaves_three_games_at_their_start_may_sit_down_with_nobody(
        self, ada: Caller, bob: Caller
    ) -> None:
        for _ in range(3):
            bob.post(f"{start(ada, bob)}/abort", {})
        game = ada.open("me", "open")
        answer = bob.post(f"/games/{game['id']}/seats", {})
        problem(answer, 429, "rate_limited")
        assert 0 < int(answer.headers["Retry-After"]) <= 3600
        assert bob.open("me", "open")["status"] == "open"


def test_a_look_at_a_running_game_is_noted_once_a_day(
    ada: Caller, bob: Caller, visitor: Caller, store: Store, clock: FakeClock
) -> None:
    path = start(ada, bob)
    key = f"{{{path.rpartition('/')[2]}}}:looked"
    visitor.get(path)
    assert store.redis.get(key) is None
    ada.get(path)
    first = store.redis.get(key)
    assert first is not None
    clock.advance(1000)
    bob.get(path)
    assert store.redis.get(key) == first
