"""The script that is shipped, played by both clients until its last trouble is over."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartulary.rehearsal.judging import RuleVerdict, judge
from tests.rehearsal.conftest import Open
from tests.rehearsal.players import play_well
from tests.rehearsal.test_typescript import PLAYER
from tests.support.missing_tools import missing
from tests.support.night import short_or_long

# By day `test_conformance` is the rehearsal of the client for Python.
SEEDS = short_or_long([3], [3, 4, 5, 6, 7])
SHIPPED = Path(__file__).parents[2] / "rehearsal" / "script.json"
STEPS: list[dict[str, Any]] = json.loads(SHIPPED.read_text(encoding="utf-8"))["steps"]


def play_with_node(url: str, seed: int) -> None:
    node = shutil.which("node")
    if node is None:
        missing("node (https://nodejs.org) 20 or newer is missing")
    command = [node, str(PLAYER), url, str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr


@pytest.mark.process
@pytest.mark.parametrize("play", short_or_long([play_with_node], [play_well, play_with_node]))
@pytest.mark.parametrize("seed", SEEDS)
def test_both_clients_pass_every_rule_of_it(
    rehearse: Open, play: Callable[[str, int], object], seed: int
) -> None:
    rehearsal = rehearse(STEPS)
    play(rehearsal.url, seed)
    found = judge(rehearsal.read())
    assert [one for one in found if one.verdict is not RuleVerdict.PASSED] == []
    assert {one.step for one in found} == {"", *(step["name"] for step in STEPS)}
