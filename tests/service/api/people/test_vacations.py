"""The vacations of a player over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.model.clock import format_time
from tests.service.support.caller import Caller
from tests.service.support.scene import problem
from tests.support.fake_clock import DAY, FakeClock

PATH = "/players/me/vacations"


def plan(begin: float, end: float) -> dict[str, str]:
    """A vacation in days from now."""
    now = FakeClock().now
    return {"from": format_time(now + int(begin * DAY)), "until": format_time(now + int(end * DAY))}


def test_a_player_plans_vacations_and_reads_them(ada: Caller, bob: Caller) -> None:
    body = {"vacations": [plan(1, 3), plan(5, 8)]}
    answer = ada.put(PATH, body)
    assert (answer.status_code, answer.json) == (200, body)
    assert ada.get(PATH).json == body
    assert ada.get(PATH).headers["Cache-Control"] == "private, no-cache"
    assert bob.get(PATH).json == {"vacations": []}


def test_a_time_may_have_any_offset(ada: Caller) -> None:
    end = plan(1, 2)["until"]
    moved = end.replace("Z", "+00:00")
    answer = ada.put(PATH, {"vacations": [{**plan(1, 2), "until": moved}]})
    assert answer.json["vacations"][0]["until"] == end


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/vacations"),
        ({"vacations": None}, "/vacations"),
        ({"vacations": [plan(1, 2)] * 201}, "/vacations"),
        ({"vacations": [{"from": plan(1, 2)["from"]}]}, "/vacations/0/until"),
        ({"vacations": [{**plan(1, 2), "until": None}]}, "/vacations/0/until"),
        ({"vacations": [{**plan(1, 2), "until": "never"}]}, "/vacations/0/until"),
        ({"vacations": [{**plan(1, 2), "until": "2026-02-30T10:00:00Z"}]}, "/vacations/0/until"),
        ({"vacations": [{**plan(1, 2), "until": "9999-12-31T23:59:59Z"}]}, "/vacations/0/until"),
        ({"vacations": [{**plan(1, 2), "until": 1_800_000_000_000}]}, "/vacations/0/until"),
        ({"vacations": [plan(-2, 2)]}, "/vacations/0/from"),
        ({"vacations": [plan(1, 4), plan(3, 5)]}, "/vacations/1/from"),
        ({"vacations": [plan(1, 16)]}, "/vacations/0/until"),
        ({"vacations": [plan(1, 2)], "forever": True}, "/forever"),
    ],
)
@pytest.mark.slow
def test_a_vacation_that_is_not_allowed_is_named_and_nothing_changes(
    ada: Caller, body: Any, pointer: str
) -> None:
    kept = ada.put(PATH, {"vacations": [plan(20, 21)]}).json
    found = problem(ada.put(PATH, body), 422, "invalid")
    assert [fault["pointer"] for fault in found["errors"]] == [pointer]
    assert ada.get(PATH).json == kept


def test_vacations_need_a_token(visitor: Caller) -> None:
    problem(visitor.get(PATH), 401, "token_missing")
    problem(visitor.put(PATH, {"vacations": []}), 401, "token_missing")
