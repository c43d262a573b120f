"""What people of a run do when their game is gone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cartulary.events.model.errors import NotFound
from simulation.play.people import PersonAtTable


@pytest.mark.parametrize(("fell_back", "reports"), [(True, []), (False, ["A is not found"])])
def test_each_tab_of_a_person_ends_with_a_game_that_a_fall_back_took(
    fell_back: bool, reports: list[str]
) -> None:
    said: list[str] = []
    journal = SimpleNamespace(note_vanished=lambda _: fell_back)
    person: Any = SimpleNamespace(
        game="A", crowd=SimpleNamespace(journal=journal, report=said.append)
    )

    def move() -> None:
        raise NotFound("there is no game A")

    PersonAtTable.do_until_gone(person, move)
    assert said == reports
