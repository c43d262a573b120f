"""Scripts: what is refused, and which trouble comes when."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cartulary.rehearsal.scripts import (
    OF_EVENTS,
    OF_OPENINGS,
    OF_REQUESTS,
    BadScript,
    Prompter,
    check_script,
    read_script,
)

CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"to": "reads"}, "`to`"),
    ({"do": "cut"}, "`do`"),
    ({"to": "stream", "do": "drop_answer"}, "`do`"),
    ({"often": 3}, "often"),
    ({"after": -1}, "`after`"),
    ({"after": True}, "`after`"),
    ({"retry_after": "1"}, "`retry_after`"),
    ({"status": 200}, "`status`"),
    ({"name": ""}, "`name`"),
]
STEP: dict[str, Any] = {"name": "a", "to": "move", "do": "drop_answer"}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([], "form"),
        ({"form": 2, "steps": [STEP]}, "form"),
        ({"form": 1, "steps": []}, "list"),
        ({"form": 1, "steps": [STEP, STEP]}, "two steps"),
        *[({"form": 1, "steps": [{**STEP, **change}]}, said) for change, said in CHANGES],
    ],
)
def test_a_script_that_cannot_be_followed_is_refused(wrong: Any, said: str) -> None:
    with pytest.raises(BadScript, match=said):
        check_script(wrong)


def test_the_script_that_is_shipped_has_a_step_for_each_trouble_but_a_delay(tmp_path: Path) -> None:
    steps = read_script(None)
    assert {step.do for step in steps} == {*OF_REQUESTS, *OF_OPENINGS, *OF_EVENTS} - {"delay"}
    broken = tmp_path / "script.json"
    broken.write_text("{")
    with pytest.raises(BadScript, match="no JSON"):
        read_script(broken)


def test_steps_come_in_their_order_after_what_passes_unharmed() -> None:
    steps = check_script(
        {
            "form": 1,
            "steps": [
                {**STEP, "after": 2, "times": 2},
                {**STEP, "name": "b", "after": 1},
                {**STEP, "name": "c", "to": "write"},
            ],
        }
    )
    prompter = Prompter(steps)
    assert prompter.list_waiting() == ["a", "b", "c"]
    met = [prompter.choose(("move",), OF_REQUESTS) for _ in range(7)]
    assert [step and step.name for step in met] == [None, None, "a", "a", None, "b", None]
    assert prompter.list_waiting() == ["c"]
    found = prompter.choose(("move", "write"), OF_REQUESTS)
    assert found is not None
    assert found.name == "c"


def test_a_trouble_of_an_opening_does_not_meet_an_event() -> None:
    prompter = Prompter(
        check_script({"form": 1, "steps": [{**STEP, "to": "stream", "do": "reset"}]})
    )
    assert prompter.choose(("stream",), OF_EVENTS) is None
    assert prompter.choose(("stream",), OF_OPENINGS) is not None
