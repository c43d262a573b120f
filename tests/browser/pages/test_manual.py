"""The documentation as the service shows it: built, without a broken link, under its policy."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest
import requests
from playwright.sync_api import Browser, expect

from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[3]
SITE = ROOT / "service" / "api" / "docs" / "site"
LINK = re.compile(r'<a [^>]*?href="?([^" >]+)')
ANCHOR = re.compile(r'\sid="?([^" >]+)')


@pytest.fixture(scope="module")
def site() -> Path:
    subprocess.run([sys.executable, "script/docs", "--stale"], cwd=ROOT, check=True, timeout=120)
    return SITE


def read_links(site: Path) -> Iterator[tuple[str, str]]:
    """Yield the address of each page with what it links to, but for other hosts."""
    for path in sorted(site.rglob("index.html")):
        folder = path.parent.relative_to(site).as_posix()
        page = "/docs/" if folder == "." else f"/docs/{folder}/"
        for link in LINK.findall(path.read_text("utf-8")):
            if not re.match(r"(https?|mailto):", link):
                yield page, urljoin(page, unescape(link))


def test_every_link_leads_to_a_page_and_a_place_that_exist(site: Path, served: Served) -> None:
    links = sorted({link for _, link in read_links(site)})
    assert len(links) > 300
    pages = {urldefrag(link).url for link in links}
    found = {page: requests.get(served.url + page, timeout=60) for page in sorted(pages)}
    assert {page for page, answer in found.items() if answer.status_code != 200} == set()
    anchors = {page: set(ANCHOR.findall(answer.text)) for page, answer in found.items()}
    missing = [
        link
        for link in links
        if (split := urldefrag(link)).fragment and split.fragment not in anchors[split.url]
    ]
    assert missing == []


def test_the_documentation_is_read_and_searched_without_a_refused_script(
    site: Path, served: Served, browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    troubles: list[str] = []
    page.on(
        "console",
        lambda message: troubles.append(message.text) if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(f"{served.url}/docs")
    expect(page.get_by_role("heading", name="Cartulary", level=1)).to_be_visible()
    page.goto(f"{served.url}/docs/api/moves/#make_move")
    expect(page.get_by_text("POST /api/v1/games/{game_id}/moves", exact=True)).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    page.keyboard.press("/")
    page.keyboard.type("make a move", delay=20)
    expect(page.get_by_role("option", name=re.compile("Make a move")).first).to_be_visible()
    assert troubles == []
    page.close()
