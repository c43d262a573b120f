"""Games that are followed live, over the real app and its hub."""

from __future__ import annotations

import json

import pytest

from tests.simulation.worlds import run_in_world, simulate
from tests.support.night import at_night

pytestmark = [pytest.mark.process, pytest.mark.timeout(600)]

BEGIN = """
from simulation.play.profiles import PROFILES
from simulation.play.run import Run
def play(seed, hours):
    report = Run(seed, "streams", PROFILES["streams"], hours, None).play(only_first=True)
    print(*report.findings, sep="\\n")
"""


def test_streams_show_what_is_stored_through_faults_and_nothing_of_private_games() -> None:
    report = json.loads(simulate("8", "--hours=0.02", "--profile=streams", "--json").stdout)
    assert report["findings"] == []
    assert report["watched"] > 0
    assert report["faults"]["line_cut"] > 5


def test_a_hub_that_does_not_read_what_no_publication_has_brought_is_found() -> None:
    said = run_in_world(
        BEGIN
        + """
from cartulary.events.live.live import Hub
Hub._catch_up = lambda hub, watch: None
play("8", 0.06)
"""
    )
    # While the client is there, or at the end: the course of the seed decides which comes first.
    assert "a stream has not shown " in said or "misshown: " in said


@at_night(
    "tests/simulation/play/test_streams.py::"
    "test_streams_show_what_is_stored_through_faults_and_nothing_of_private_games"
)
def test_a_stream_of_a_private_game_for_a_stranger_is_found() -> None:
    said = run_in_world(
        BEGIN
        + """
from cartulary.events.model.table import Table
Table.visible_to = lambda table, player: True
play("8", 0.06)
"""
    )
    assert "is private, and a stranger gets its stream" in said
