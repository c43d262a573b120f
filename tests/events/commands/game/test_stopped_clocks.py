"""What stops a clock, and who is given no time."""

from __future__ import annotations

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import Invalid
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.commands.game.test_timekeeping import open_timed


def test_what_stops_a_clock_besides_a_pause_is_named(
    timed: Store, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_timed(timed, ada, bob)
    assert timed.commands.time.describe(table)["stopped_by"] is None
    monkeypatch.setattr(timed.calendar, "find_reason", lambda *_: "vacation")
    assert timed.commands.time.describe(table)["stopped_by"] == "vacation"


def test_a_seat_whose_player_has_resigned_is_given_no_time(
    timed: Store, ada: Player, bob: Player
) -> None:
    cyd = timed.players.create("Cyd")[0]
    table = open_timed(timed, ada, bob, cyd)
    timed.commands.leaving.resign(Intent(ada), table.id)
    with pytest.raises(Invalid) as refused:
        timed.commands.time.give(Intent(bob), table.id, 0, 60)
    assert [one["pointer"] for one in refused.value.errors] == ["/seat"]
