"""The board of a table in a page of another site, in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Frame, Request, expect

from cartulary.events.model.clock import format_time
from tests.browser.support.chromium import window
from tests.browser.support.hearing import await_heard
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

DAILY = {"mode": "correspondence", "delay": 86_400, "bank": 259_200, "refill": 21_600}
FIRST_VISIT = 60 * 1024
"""Bytes that the frame may take."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Another origin, and the folder with its pages."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", tmp_path
    server.shutdown()
    server.server_close()


def open_game(served: Served, **more: Any) -> tuple[str, dict[str, str]]:
    """Open a game of one player; return its id and the headers of the player."""
    api = f"{served.url}/api/v1"
    token = requests.post(f"{api}/players", json={"name": "Ada"}, timeout=60).json()["token"]
    head = {"Authorization": f"Bearer {token}"}
    body = {"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "me"}], **more}
    made = requests.post(f"{api}/games", json=body, headers=head, timeout=60)
    assert made.status_code == 201, made.text
    return made.json()["id"], head


def make_move(served: Served, game: str, head: dict[str, str]) -> None:
    address = f"{served.url}/api/v1/games/{game}/moves"
    move = requests.get(address, timeout=60).json()["moves"][0]
    assert requests.post(address, json={"move": move}, headers=head, timeout=60).status_code == 201


def ask_for_pause(served: Served, game: str, head: dict[str, str]) -> None:
    """Add some events that change nothing on the board."""
    until = format_time(int(time.time() * 1000) + 3_600_000)
    body = {"kind": "pause", "until": until}
    address = f"{served.url}/api/v1/games/{game}/proposals"
    assert requests.post(address, json=body, headers=head, timeout=60).status_code == 201


def test_a_page_of_another_site_shows_a_table_that_cannot_act(
    served: Served, browser: Browser, elsewhere: tuple[str, Path]
) -> None:
    game, head = open_game(served, pace=DAILY)
    private, _ = open_game(served, visibility="private")
    for _ in range(3):
        make_move(served, game, head)
    origin, folder = elsewhere
    frames = "".join(
        f'<iframe name="{name}" width="640" height="400" src="{served.url}/embed/games/{id_}">'
        "</iframe>"
        for name, id_ in (("table", game), ("private", private))
    )
    (folder / "index.html").write_text(f"<!doctype html><title>Elsewhere</title>{frames}")
    with window(browser, origin) as opened:
        opened.may_fail_to_load = True  # the frame of the private game is a 404
        asked: list[Request] = []
        opened.page.on("request", lambda one: asked.append(one))
        opened.page.goto("/")
        table = opened.page.frame_locator("[name=table]")
        hidden = opened.page.frame_locator("[name=private]").get_by_text("There is no such game")
        expect(hidden).to_be_visible()
        expect(table.locator("output")).to_have_text("3 / 3")
        _must_show(opened.page.frame("table"), game)
        # What the stream of events sends stays out: it has no end.
        of_table = [one for one in asked if one.frame.name == "table" and "/stream" not in one.url]
        sizes = [one.sizes() for one in of_table]
        taken = sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes)
        assert 0 < taken <= FIRST_VISIT, taken

        table.get_by_role("button", name="One move back").click()
        expect(table.locator("output")).to_have_text("2 / 3")
        table.get_by_role("button", name="To the beginning").click()
        expect(table.locator("output")).to_have_text("0 / 3")
        expect(table.get_by_role("button", name="One move back")).to_be_disabled()
        make_move(served, game, head)
        expect(table.locator("output")).to_have_text("0 / 4")
        table.get_by_role("button", name="To the latest move").click()
        expect(table.locator("output")).to_have_text("4 / 4")
        make_move(served, game, head)
        expect(table.locator("output")).to_have_text("5 / 5")
        ask_for_pause(served, game, head)
        make_move(served, game, head)
        expect(table.locator("output")).to_have_text("6 / 6")

        # A reader's token is out of its reach, and so are the page around it and forms.
        frame = opened.page.frame("table")
        assert frame is not None
        assert frame.evaluate(REACH) == ["localStorage", "top", "parent"]
        methods = {one.method for one in asked}
        assert methods == {"GET"}
        assert not any("authorization" in one.all_headers() for one in asked)
    with window(browser, origin) as opened:
        # No other page of the service may be framed.
        opened.may_fail_to_load = True
        (folder / "client.html").write_text(f'<iframe name="a" src="{served.url}/"></iframe>')
        opened.page.goto("/client.html")
        opened.page.wait_for_load_state("networkidle")
        framed = opened.page.frame("a")
        assert framed is not None
        await_heard(opened.page, lambda: framed.url.startswith("chrome-error:"))
        opened.troubles.clear()  # the browser says that it has refused to frame the page


REACH = """() => {
  const tried = {
    localStorage: () => localStorage.length,
    top: () => top.document.title,
    parent: () => parent.location.href,
  };
  return Object.keys(tried).filter((name) => {
    try {
      tried[name]();
      return false;
    } catch (error) {
      return error.name === "SecurityError";
    }
  });
}"""
"""What the frame cannot reach."""


def _must_show(frame: Frame | None, game: str) -> None:
    """The picture is there: an image that fails to load has no size."""
    assert frame is not None
    frame.wait_for_function(
        "game => { const one = document.querySelector('img');"
        " return one.complete && one.naturalWidth > 0 && one.src.includes(game); }",
        arg=game,
    )
