"""The table is seen as it was seen: screenshots without letters, compared block by block."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.support.chromium import DESKTOP, PHONE, Scheme, Size, window
from tests.browser.support.person import YOUR_TURN
from tests.browser.support.positions import cut, sit_in
from tests.browser.support.screenshots import FOLDER, compare, prepare
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

LOOKS: tuple[Scheme, ...] = ("light", "dark")
LARGEST = 30 * 1024
"""Bytes of a committed picture."""


@pytest.fixture(scope="module")
def scratch(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


def see(page: Page, game: str) -> None:
    """Wait until the question stands there, with its places marked, and nothing moves any more."""
    expect(page.locator(YOUR_TURN)).to_be_visible()
    expect(page.locator(".picture .touch").first).to_be_attached()
    expect(page.locator(f".table.game-{game} .tab-story li").first).to_be_attached()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["390", "1440"])
def test_the_question_of_both_games_is_seen_as_before(
    served: Served, browser: Browser, scratch: Page, size: Size, tmp_path: Path
) -> None:
    with window(browser, served.url, size) as opened:
        prepare(opened.page)
        for game, case, moves in (
            ("carcassonne", "game-00", 20),
            ("caylus", "game-01-3p-builder", 36),
        ):
            sit_in(served, opened.page, cut(game, case, moves))
            see(opened.page, game)
            for scheme in LOOKS:
                opened.page.emulate_media(color_scheme=scheme)
                compare(opened.page, f"{game}-{size.width}-{scheme}", scratch, tmp_path)


def test_another_picture_is_noticed(
    served: Served,
    browser: Browser,
    scratch: Page,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Places that are not marked any more are more than the tolerance."""
    monkeypatch.delenv("CARTULARY_PICTURES", raising=False)  # this picture is never written
    with window(browser, served.url, PHONE) as opened:
        prepare(opened.page)
        sit_in(served, opened.page, cut("caylus", "game-01-3p-builder", 36))
        see(opened.page, "caylus")
        opened.page.locator(".picture .touch").evaluate_all(
            "all => all.forEach(one => one.remove())"
        )
        with pytest.raises(AssertionError, match="of the blocks differ"):
            compare(opened.page, "caylus-390-light", scratch, tmp_path)
    written = {file.name for file in tmp_path.iterdir()}
    assert written == {
        f"caylus-390-light-{part}.png" for part in ("actual", "difference", "screenshot")
    }


def test_the_committed_pictures_are_small() -> None:
    files = sorted(FOLDER.glob("*.png"))
    assert len(files) == 8
    assert all(file.stat().st_size <= LARGEST for file in files)
