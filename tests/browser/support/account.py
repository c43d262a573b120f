"""A player over HTTP, whom a browser can play as."""

from __future__ import annotations

import json
from typing import Any

import requests
from playwright.sync_api import Page

from tests.support.real_serve import Served


class Account:
    """A player over HTTP."""

    def __init__(self, served: Served, name: str) -> None:
        self._api = f"{served.url}/api/v1"
        answer = requests.post(f"{self._api}/players", json={"name": name}, timeout=60)
        assert answer.ok, answer.text
        made = answer.json()
        self.id, self._token = made["id"], made["token"]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = requests.request(
            method,
            f"{self._api}{path}",
            json=body,
            headers={"Authorization": f"Bearer {self._token}"},
            timeout=60,
        )
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def finds(self, path: str) -> bool:
        """Return whether there is something at a path that this player may see."""
        headers = {"Authorization": f"Bearer {self._token}"}
        return requests.get(f"{self._api}{path}", headers=headers, timeout=60).status_code == 200

    def open(self, *seats: dict[str, str], game: str = "carcassonne", **more: Any) -> str:
        body = {"game": game, "seats": seats, **more}
        return str(self.ask("POST", "/games", body)["id"])

    def enter(self, page: Page) -> None:
        """Let the browser of a page play as this player."""
        page.add_init_script(f"localStorage['cartulary.player'] ??= {json.dumps(self.known)}")

    @property
    def known(self) -> str:
        """What the client keeps of this player."""
        name = self.ask("GET", "/players/me")["name"]
        return json.dumps({"id": self.id, "name": name, "token": self._token})


ME, OPEN, BOT = {"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}
