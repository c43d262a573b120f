"""Tournaments, in a world of their own."""

from __future__ import annotations

import json

import pytest

from tests.simulation.worlds import run_in_world, simulate

pytestmark = [pytest.mark.process, pytest.mark.timeout(600)]


def test_tournaments_end_with_each_round_paired_once_and_each_game_made_once() -> None:
    report = json.loads(simulate("2", "--hours=0.002", "--profile=tournaments", "--json").stdout)
    assert report["findings"] == []
    assert report["tournaments"] == 1
    assert report["games"] > 1


def test_an_open_round_that_is_shown_to_others_is_found() -> None:
    said = run_in_world(
        """
from simulation.play import cups
from simulation.play.profiles import Profile
from simulation.play.run import Run
from cartulary.events.model.table import Table
cups.FORMS = cups.FORMS[1:2]
Table.visible_to = lambda *_: True
profile = Profile(tables=0, thinks_s=0.3, looks_s=0.3, takes_back=0.0, cups=1)
report = Run("2", "own", profile, 0.001, None).play(only_first=True)
print(*report.findings, sep="\\n")
"""
    )
    assert "of an open round was shown to" in said
