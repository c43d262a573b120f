"""Games that go into the archive and come back, in a world of their own."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from simulation.play.archive import Visits
from tests.simulation.worlds import simulate

pytestmark = [pytest.mark.process, pytest.mark.timeout(600)]


def test_games_go_into_the_archive_and_back_and_keep_what_is_written_to_them() -> None:
    report = json.loads(simulate("12", "--hours=0.002", "--profile=archive", "--json").stdout)
    assert report["findings"] == []
    assert report["archived"] > 1


def test_what_was_written_and_is_not_there_or_is_there_twice_is_found() -> None:
    store: Any = SimpleNamespace(
        talk=SimpleNamespace(written_by=lambda _player, game: ["hello"] * int(game)),
        notes=SimpleNamespace(find=lambda _player, _game: "visit 1"),
    )
    said: list[str] = []
    crowd: Any = SimpleNamespace(report=said.append, world=SimpleNamespace(seed="1"))
    visits = Visits(crowd)
    visits.said = {("0", "ada"): 1, ("1", "ada"): 1, ("2", "ada"): 1}
    visits.notes = {("0", "ada"): "visit 1", ("1", "ada"): "visit 2"}
    visits.check(store)
    assert said == [
        "0: 0 messages in place of 1",
        "2: 2 messages in place of 1",
        "1: the note is 'visit 1', not 'visit 2'",
    ]
