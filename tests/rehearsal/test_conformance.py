"""Clients in a rehearsal: what the judge says of a good one and of a bad one."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.rehearsal.judging import RuleVerdict, judge
from tests.rehearsal.conftest import Open
from tests.rehearsal.players import BadClient, play_well

STEPS: list[dict[str, Any]] = [
    {"name": "opened", "to": "create", "do": "drop_answer"},
    {"name": "answer lost", "to": "move", "after": 1, "do": "drop_answer"},
    {"name": "request lost", "to": "move", "after": 1, "do": "drop_request"},
    {"name": "unavailable", "to": "move", "after": 1, "do": "refuse", "retry_after": 1},
    {
        "name": "errors",
        "to": "move",
        "after": 1,
        "do": "refuse",
        "status": 500,
        "code": "x",
        "times": 3,
    },
    {
        "name": "too many",
        "to": "move",
        "after": 1,
        "do": "refuse",
        "status": 429,
        "code": "rate_limited",
        "retry_after": 1,
    },
    {"name": "stale", "to": "move", "after": 1, "do": "conflict"},
    {"name": "unknown event", "to": "stream", "after": 2, "do": "unknown_event"},
    {"name": "unknown fact", "to": "stream", "do": "unknown_fact"},
    {"name": "unknown line", "to": "stream", "do": "unknown_line"},
    {"name": "twice", "to": "stream", "do": "repeat_event"},
    {"name": "cut", "to": "stream", "after": 1, "do": "cut"},
    {"name": "refused", "to": "stream", "do": "refuse", "retry_after": 1},
    {"name": "reset", "to": "stream", "do": "reset"},
    {"name": "silence", "to": "stream", "after": 1, "do": "silence"},
]


@pytest.mark.slow
def test_the_client_of_the_project_conforms(rehearse: Open) -> None:
    rehearsal = rehearse(STEPS)
    versions = play_well(rehearsal.url)
    found = judge(rehearsal.read())
    assert [one for one in found if one.verdict is not RuleVerdict.PASSED] == []
    assert {one.step for one in found} == {"", *(step["name"] for step in STEPS)}
    assert versions == sorted({*versions})


@pytest.mark.slow
def test_a_client_that_breaks_every_rule_fails_with_the_rules_that_it_broke(rehearse: Open) -> None:
    rehearsal = rehearse([step for step in STEPS if step["name"] != "reset"])
    BadClient(rehearsal.url).play(moves=16)
    found = judge(rehearsal.read())
    failed = {(one.step, one.rule) for one in found if one.verdict is RuleVerdict.FAILED}
    again = {"answer lost", "request lost", "unavailable", "errors", "opened"}
    assert {(step, "repeats with the same key") for step in again} <= failed
    assert {(step, "backs off") for step in ("unavailable", "errors", "too many")} <= failed
    assert {
        ("stale", "looks again before it writes"),
        ("cut", "goes on with the cursor"),
        ("refused", "backs off"),
        ("", "applies each event once"),
    } <= failed
    passed = {(one.step, one.rule) for one in found if one.verdict is RuleVerdict.PASSED}
    assert ("unknown fact", "ignores what it does not know") in passed
