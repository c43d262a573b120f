"""The same file of a bot plays in a league and at a table against a person in a browser."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.person import Person
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.process]

BOT = "examples.bots.points:think"
ROOT = Path(__file__).parents[3]
CARTULARY = (sys.executable, "-m", "cartulary.cli")


def test_the_same_bot_file_plays_in_a_league_and_against_a_person_in_a_browser(
    served: Served, browser: Browser, tmp_path: Path
) -> None:
    league = [*CARTULARY, "league", "carcassonne", "--players", f"{BOT}@4,random", "--pairs", "1"]
    subprocess.run([*league, "--seed", "1", "--out", tmp_path / "league"], check=True, cwd=ROOT)
    lines = (tmp_path / "league" / "games.ndjson").read_text().splitlines()
    assert len([json.loads(line) for line in lines]) == 2

    owner = Account(served, "Ada")
    made = owner.ask("POST", "/players/me/bots", {"name": "Points", "about": "counts points"})
    token = tmp_path / "bot.token"
    token.write_text(made["token"])
    token.chmod(0o600)
    run = [*CARTULARY, "bot", "run", BOT, "--url", served.url, "--token-file", str(token)]
    process = subprocess.Popen(run, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        until(lambda: owner.ask("GET", "/players/me/bots")["bots"][0]["online"], within=60)
        with window(browser, served.url, PHONE) as opened:
            page = opened.page
            person = Person(page, "Bea")
            person.register()
            page.goto("/new?game=carcassonne")
            page.locator("[data-key=invite-bot]").click()
            page.locator(f"[data-bot='{made['id']}']").tap()
            page.locator("button[type=submit]").tap()
            expect(page.locator(".table[data-status=running]")).to_be_visible()
            assert len(person.play(moves=1)) == 1
    finally:
        process.terminate()
        process.wait(30)
