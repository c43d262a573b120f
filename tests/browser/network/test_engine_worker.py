"""The engine in a browser's worker: the same hashes and answers as the service's."""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Page

from cartulary.locales import LANGUAGES
from tests.browser.conftest import CASES
from tests.browser.support.account import Account
from tests.browser.support.chromium import keeping_window
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.real, pytest.mark.slow]

NOW = 1_790_000_000_000
PERSON = {"id": "p", "name": "Ada"}

CALLS = """
async () => {
  const list = await (await fetch("/built/engine/engine.json")).json();
  const worker = new Worker("/engine.worker.js", { type: "module" });
  let last = 0;
  const send = (data) => new Promise((resolve, reject) => {
    const id = (last += 1);
    const hear = ({ data: answer }) => {
      if (answer.id !== id) return;
      worker.removeEventListener("message", hear);
      answer.failed ? reject(answer.failed) : resolve(answer.text);
    };
    worker.addEventListener("message", hear);
    worker.postMessage({ id, ...data });
  });
  window.engine = (message) => send({ message });
  await send({ start: list });
}
"""


class Engine:
    """The engine in the worker of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        page.evaluate(CALLS)

    def ask(self, **message: Any) -> Any:
        text = self._page.evaluate("message => engine(message)", message)
        found = json.loads(text)
        assert (
            json.dumps(found, sort_keys=True, separators=(",", ":"), ensure_ascii=False) == text
        ), "the answer is canonical JSON"
        assert "answer" in found, found
        return found["answer"]


def record(kind: str) -> dict[str, Any]:
    """A recorded game of a kind, without what the cases expect of it."""
    path = min((CASES / kind).glob("game-*.json"))
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {key: value for key, value in found.items() if not key.startswith("expect")}


def test_a_recorded_game_of_each_kind_has_the_hashes_of_the_service_in_the_worker(
    browser: Browser, served: Served
) -> None:
    with keeping_window(browser, served.url) as opened:
        opened.page.goto("/settings")
        engine = Engine(opened.page)
        account = Account(served, "Ada")
        for number, kind in enumerate(("carcassonne", "caylus")):
            transcript = record(kind)
            game = account.ask("POST", "/games/import", transcript)["id"]
            known = account.ask("GET", f"/games/{game}/events?limit=1000")["events"]
            engine.ask(
                type="load", game_id="g", transcript=transcript, person=PERSON, seed="1", now=NOW
            )
            found = engine.ask(type="events", game_id="g", limit=1000)["events"]
            assert [one.get("state_hash") for one in found] == [
                one.get("state_hash") for one in known
            ]
            assert [one["type"] for one in found] == [one["type"] for one in known]
            last = len(found)
            for version in short_or_long((last // 2, last), tuple(range(2, last + 1))):
                state = account.ask("GET", f"/games/{game}/states/{version}")
                view = engine.ask(type="view", game_id="g", version=version)
                assert {key: view[key] for key in state} == state
            # The package has the words that it needs: by day half of the languages for each game.
            for language in short_or_long(LANGUAGES[number::2], LANGUAGES):
                picture = engine.ask(type="board_svg", game_id="g", language=language)
                assert picture.startswith("<svg")
                move = transcript["moves"][0]["move"]
                engine.ask(type="why", game_id="g", move=move, language=language)
                engine.ask(type="pieces", game=kind, options={}, language=language)


def test_the_engine_comes_compressed_and_for_ever_and_only_its_worker_may_compile(
    served: Served,
) -> None:
    accepts = {"Accept-Encoding": "br"}
    listed = requests.get(f"{served.url}/built/engine/engine.json", timeout=60).json()
    sizes = []
    for entry in listed["files"].values():
        address = f"{served.url}/built/engine/{entry['path']}"
        with requests.get(address, headers=accepts, stream=True, timeout=60) as answer:
            assert answer.headers["Content-Encoding"] == "br"
            assert "immutable" in answer.headers["Cache-Control"]
            sizes.append(int(answer.headers["Content-Length"]))
    assert sum(sizes) == sum(entry["sent"] for entry in listed["files"].values())
    assert sum(sizes) < 7_000_000
    worker = requests.get(f"{served.url}/engine.worker.js", timeout=60)
    assert "'wasm-unsafe-eval'" in worker.headers["Content-Security-Policy"]
    page = requests.get(f"{served.url}/settings", timeout=60)
    assert "wasm" not in page.headers["Content-Security-Policy"]
    assert requests.get(f"{served.url}/built/engine/0/app.zip", timeout=60).status_code == 404
