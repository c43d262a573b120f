"""The client for browsers and node in the rehearsal that the client for Python passes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cartulary.rehearsal.judging import RuleVerdict, judge
from tests.rehearsal.conftest import Open
from tests.rehearsal.test_conformance import STEPS
from tests.support.missing_tools import missing
from tests.support.night import at_night

PLAYER = Path(__file__).with_name("play.mjs")


@at_night("tests/rehearsal/test_shipped_script.py::test_both_clients_pass_every_rule_of_it")
@pytest.mark.process
def test_the_client_for_browsers_and_node_conforms(rehearse: Open) -> None:
    node = shutil.which("node")
    if node is None:
        missing("node (https://nodejs.org) 20 or newer is missing")
    rehearsal = rehearse(STEPS)
    done = subprocess.run(
        [node, str(PLAYER), rehearsal.url], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found = judge(rehearsal.read())
    assert [one for one in found if one.verdict is not RuleVerdict.PASSED] == []
    assert {one.step for one in found} == {"", *(step["name"] for step in STEPS)}
