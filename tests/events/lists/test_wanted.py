"""Which lists ask the archive: those that may have a game that is over."""

from __future__ import annotations

import pytest

from cartulary.events.lists.lobby_pages import Wanted


@pytest.mark.parametrize(
    ("wanted", "of_store"),
    [
        (Wanted(), False),
        (Wanted(status="over"), False),
        (Wanted(status="aborted"), False),
        (Wanted(status="open"), True),
        (Wanted(status="running"), True),
        (Wanted(seat="open"), True),
    ],
)
def test_no_archived_game_is_open_or_running(wanted: Wanted, of_store: bool) -> None:
    assert wanted.is_of_store is of_store
