"""Games of duplicate rounds: in no dump while others of the round still play the same draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from cartulary.events.dumps.choosing import Month
from cartulary.events.dumps.writing import DumpWriter
from cartulary.events.model.clock import format_time
from tests.events.support.tournaments import Cup

pytestmark = pytest.mark.slow


def test_a_game_of_an_open_duplicate_round_is_in_no_dump(tmp_path: Path) -> None:
    cup = Cup()
    cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=1, duplicate=True)
    for one in (cup.host, *cup.players):
        cup.store.preferences.change(one.id, {"open_data": "yes"})
    month = Month.parse(format_time(cup.clock.now_ms())[:7])

    def count() -> int:
        for place in cup.tables():
            cup.store.list_updater.follow(cup.game(place))
        writer = DumpWriter(cup.store)
        return writer.write(month, tmp_path, lambda _done, _all: None, again=True).games

    first, *others = cup.tables()
    assert [table.status.finished for table in cup.play(first)] == [True]
    assert count() == 0
    cup.play(*others)
    assert count() == 0
    assert cup.look().status == "over"
    assert count() == len(cup.tables())
