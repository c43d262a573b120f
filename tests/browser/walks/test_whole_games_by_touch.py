"""Whole games with a finger: each touch hits at once, nothing is covered, no word is cut."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.support.chromium import PHONE, Size, window
from tests.browser.support.finger import Finger
from tests.browser.support.person import DONE, Person
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1500)]

LYING = Size(844, 390)
WALKS = short_or_long(
    [("caylus", LYING, 2)],
    [(game, size, 10_000) for game in ("carcassonne", "caylus") for size in (PHONE, LYING)],
)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "size", "moves"), WALKS, ids=str)
def test_a_finger_hits_all_it_means_in_a_game_of_five(
    served: Served, browser: Browser, game: str, size: Size, moves: int
) -> None:
    """At night to the end, else the first questions."""
    with window(browser, served.url, size, touch=True) as opened:
        Person(opened.page).open_game(game, "me", *["bot:random"] * 4)
        finger = Finger(opened.page)
        answered = finger.play(moves)
        assert answered >= min(moves, 10)
        if moves != answered:
            expect(opened.page.locator(DONE)).to_have_count(1)
        tally = finger.tally
        assert tally.counts["places offered"] > answered
        assert tally.counts["touches"] > answered
        assert tally.counts["touches"] == tally.counts["hit at the first touch"], tally
        assert not tally.misses, tally
        assert not tally.texts, tally
