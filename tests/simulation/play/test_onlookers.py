"""A stranger sees no private game, and no secret before the end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from simulation.play.onlookers import Onlooker, find_foreign
from tests.simulation.worlds import run_in_world


def test_a_public_list_with_an_unlisted_game_is_found() -> None:
    listed = [{"id": "A"}, {"id": "B"}]
    said = list(find_foreign(listed, {"A": "public", "B": "unlisted"}))
    assert said == ["B is unlisted, and is listed for everybody"]


def test_a_secret_that_was_shown_before_the_end_is_found() -> None:
    said: list[str] = []
    crowd: Any = SimpleNamespace(report=said.append, world=SimpleNamespace(seed="1"))
    onlooker = Onlooker(crowd)
    onlooker.shown = {"A": {b"11"}, "B": {b"33"}}
    onlooker.check({"A": [{"type": "game_scored", "secret": "11"}], "B": [{"secret": "22"}]})
    assert said == ["A: the secret of its draws was shown before its end"]


@pytest.mark.process
@pytest.mark.timeout(300)
def test_a_service_that_shows_private_games_to_strangers_is_found() -> None:
    said = run_in_world(
        """
from simulation.play.profiles import Profile
from simulation.play.run import Run
from cartulary.events.model.table import Table
Table.visible_to = lambda *_: True
profile = Profile(webs=1, tables=1, thinks_s=1.0, looks_s=1.0, private=1.0)
report = Run("2", "own", profile, 0.01, None).play()
print(report.looks, *report.findings, sep="\\n")
"""
    )
    assert "is private, and was shown to a stranger" in said
