"""Time at the table over HTTP: paces, readiness, gifts, pauses, the clock, and the receipt."""

from __future__ import annotations

import random
from time import monotonic
from typing import Any

import fakeredis
import pytest

from cartulary.events.model.clock import format_time
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.server.app_interface import RECEIVED
from tests.service.support.caller import Caller
from tests.service.support.scene import problem
from tests.service.support.server_in_process import Served, answer, came
from tests.support.fake_clock import DAY, HOUR, FakeClock

LIVE = {"mode": "live", "delay": 30, "bank": 600}
DAILY = {"mode": "correspondence", "delay": 86_400, "bank": 259_200, "refill": 21_600}


@pytest.fixture
def store(server: fakeredis.FakeServer, rng: random.Random, clock: FakeClock) -> Store:
    """The store of the service, on a clock that stands still."""
    return Store(fakeredis.FakeRedis(server=server), OFFERS, rng=rng, clock=clock)


def open_timed(ada: Caller, bob: Caller, **more: Any) -> str:
    """The path of a game at which Ada and Bob sit; by default a daily one."""
    path = f"/games/{ada.open('me', 'open', **{'pace': DAILY, **more})['id']}"
    assert bob.post(f"{path}/seats", {}).status_code == 201
    return path


class TestTables:
    def test_the_catalogue_has_usual_paces_that_a_game_takes(self, ada: Caller) -> None:
        paces = {one["name"]: one["pace"] for one in ada.get("/catalogue").json["paces"]}
        assert list(paces) == ["live_quick", "live", "live_slow", "daily", "relaxed", "untimed"]
        for pace in paces.values():
            assert ada.open("me", "open", pace=pace)["pace"] == pace

    def test_a_timed_game_shows_its_pace_and_the_banks_of_its_players(
        self, ada: Caller, bob: Caller
    ) -> None:
        game = ada.get(open_timed(ada, bob)).json
        assert game["pace"] == {**DAILY, "vacation": True}
        assert [seat["bank"] for seat in game["seats"]] == [259_200_000] * 2
        assert (game["on_timeout"], game["paused_until"]) == ("claim", None)

    def test_a_live_game_starts_when_everybody_is_ready(self, ada: Caller, bob: Caller) -> None:
        game = open_timed(ada, bob, pace=LIVE, start="host")
        assert [seat["ready"] for seat in ada.get(game).json["seats"]] == [False, False]
        refused = problem(ada.post(f"{game}/start"), 409, "not_ready")
        assert refused["seats"] == [0, 1]
        for caller, seat in ((ada, 0), (bob, 1)):
            done = caller.put(f"{game}/seats/{seat}/ready", {"ready": True})
            assert (done.status_code, done.json["events"][0]["type"]) == (200, "seat_readied")
        assert ada.post(f"{game}/start").status_code == 201
        assert [seat["ready"] for seat in ada.get(game).json["seats"]] == [None, None]

    def test_readiness_is_for_the_player_of_a_seat_at_a_live_table(
        self, ada: Caller, bob: Caller
    ) -> None:
        live = open_timed(ada, bob, pace=LIVE, start="host")
        ready = {"ready": True}
        problem(bob.put(f"{live}/seats/0/ready", ready), 403, "not_seated")
        problem(bob.put(f"{live}/seats/7/ready", ready), 404, "not_found")
        problem(bob.put(f"{live}/seats/1/ready", {"ready": "yes"}), 422, "invalid")
        untimed = f"/games/{ada.open('me', 'open')['id']}"
        problem(ada.put(f"{untimed}/seats/0/ready", ready), 409, "untimed")


class TestTime:
    def test_time_is_given_once_for_one_key(self, ada: Caller, bob: Caller) -> None:
        game = open_timed(ada, bob)
        body, key = {"seat": 0, "seconds": 3_600}, {"Idempotency-Key": "gift"}
        first = bob.post(f"{game}/time", body, headers=key)
        again = bob.post(f"{game}/time", body, headers=key)
        assert (first.status_code, again.json["events"]) == (201, first.json["events"])
        assert ada.get(game).json["seats"][0]["bank"] == 262_800_000

    def test_a_gift_is_refused_with_a_reason(self, ada: Caller, bob: Caller) -> None:
        game = open_timed(ada, bob)
        refused = problem(bob.post(f"{game}/time", {"seat": 1, "seconds": 60}), 422, "invalid")
        assert refused["errors"][0]["pointer"] == "/seat"
        too_much = {"seat": 0, "seconds": 86_401}
        refused = problem(bob.post(f"{game}/time", too_much), 422, "invalid")
        assert refused["errors"][0]["pointer"] == "/seconds"
        untimed = open_timed(ada, bob, pace=None)
        problem(bob.post(f"{untimed}/time", {"seat": 0, "seconds": 60}), 409, "untimed")

    def test_everybody_agrees_to_a_pause_and_a_move_ends_it(
        self, ada: Caller, bob: Caller, clock: FakeClock
    ) -> None:
        game = open_timed(ada, bob)
        until = format_time(clock.now + 3 * DAY)
        assert ada.get(f"{game}/proposals").json["may"]["pause"]
        asked = bob.post(f"{game}/proposals", {"kind": "pause", "until": until}).json
        answers = f"{game}/proposals/{asked['version']}/answers"
        paused = ada.post(answers, {"answer": "accept"}).json["game"]
        assert paused["paused_until"] == until
        assert ada.get(f"{game}/clock").json["stopped_by"] == "pause"
        clock.advance(DAY)
        moved = ada.move(game.removeprefix("/games/")).json
        assert [one["type"] for one in moved["events"]] == ["game_resumed", "move_made"]
        assert moved["event"]["clock"] == {"used": 0, "stopped": DAY, "bank": 259_200_000}
        assert moved["game"]["paused_until"] is None

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({"kind": "pause"}, "/until"),
            ({"kind": "pause", "until": "next week"}, "/until"),
            ({"kind": "pause", "until": "2001-01-01T00:00:00Z"}, "/until"),
            ({"kind": "pause", "until": "2030-01-01T00:00:00"}, "/until"),
            ({"kind": "end", "until": "2001-01-01T00:00:00Z"}, "/until"),
        ],
    )
    def test_a_pause_without_a_proper_end_is_invalid(
        self, ada: Caller, bob: Caller, body: dict[str, Any], pointer: str
    ) -> None:
        game = open_timed(ada, bob)
        refused = problem(ada.post(f"{game}/proposals", body), 422, "invalid")
        assert refused["errors"][0]["pointer"] == pointer

    def test_no_cache_keeps_the_clock(self, ada: Caller, bob: Caller, clock: FakeClock) -> None:
        game = open_timed(ada, bob)
        clock.advance(HOUR)
        said = ada.get(f"{game}/clock")
        assert said.headers["Cache-Control"] == "no-store"
        assert said.json["deadline_at"] == format_time(clock.now - HOUR + 4 * DAY)
        assert said.json["now"] == format_time(clock.now)
        assert ada.get(f"/games/{ada.open()['id']}/clock").json == {"mode": None}


class TestReceipt:
    def test_a_move_is_charged_to_its_receipt_on_each_way(
        self, ada: Caller, bob: Caller, clock: FakeClock
    ) -> None:
        game = open_timed(ada, bob).removeprefix("/games/")
        clock.advance(HOUR)
        environ = {RECEIVED: monotonic() - 1.5}
        short = ada.move(game, environ_overrides=environ).json["event"]["clock"]
        assert HOUR - 1_700 < short["used"] <= HOUR - 1_500
        clock.advance(HOUR)
        query = {"query_string": {"board": "tall"}}
        environ = {RECEIVED: monotonic() - 1.5}
        flask = ada.move(game, environ_overrides=environ, **query).json["event"]["clock"]
        assert HOUR - 1_700 < flask["used"] <= HOUR - 1_500

    def test_it_is_the_moment_at_which_the_head_was_complete(self, served: Served) -> None:
        client = served.connect(sent=b"POST /received HTTP/1.1\r\nHost: x\r\n")
        served.wait(5)
        client.sendall(b"Content-Length: 2\r\n\r\n{")
        served.turn()
        whole = served.clock.now
        served.wait(1)
        client.sendall(b"}")
        served.turn()
        assert came(client).endswith(answer(str(whole).encode()))

    def test_a_slow_body_wins_two_seconds_at_most(self, served: Served) -> None:
        client = served.connect(
            sent=b"POST /received HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"
        )
        served.turn()
        served.wait(9)
        client.sendall(b"{}")
        served.turn()
        assert came(client).endswith(answer(str(served.clock.now - 2).encode()))
