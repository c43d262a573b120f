"""A player at a real process, who reads streams."""

from __future__ import annotations

from typing import Any

import requests

from tests.service.support.caller import SMALL_CITY
from tests.service.support.gunicorn_process import Gunicorn

SSE = {"Accept": "text/event-stream"}


class Player(requests.Session):
    """A player with a token, and a game of one's own."""

    def __init__(self, service: Gunicorn) -> None:
        super().__init__()
        self.api = service.api
        made = self.post(f"{self.api}/players", json={"name": "Ada"}, timeout=60).json()
        self.token, self.id = made["token"], made["id"]
        self.headers["Authorization"] = f"Bearer {self.token}"

    def open(self) -> str:
        body = {"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "me"}]}
        made: str = self.post(f"{self.api}/games", json=body, timeout=60).json()["id"]
        return made

    def unfinished(self) -> str:
        """A game that one more move ends."""
        transcript = {key: value for key, value in SMALL_CITY.items() if key != "result"}
        transcript["moves"] = transcript["moves"][:1]
        answer = self.post(f"{self.api}/games/import", json=transcript, timeout=60)
        made: str = answer.json()["id"]
        return made

    def move(self, game_id: str, move: Any = None) -> requests.Response:
        path = f"{self.api}/games/{game_id}/moves"
        chosen = move or self.get(path, timeout=60).json()["moves"][0]
        return self.post(path, json={"move": chosen}, timeout=60)
