"""People who play games to their end over HTTP, on a real `serve`."""

from __future__ import annotations

import random
import secrets
import time
from typing import Any

import requests

from tests.fairness.checker import Event, read_events

Json = dict[str, Any]


class Person:
    """A new player, or one with a token; `entropy` is the same for all seats of a game."""

    def __init__(self, url: str, name: str, known: Json | None = None) -> None:
        self.url = f"{url}/api/v1"
        self.entropy = secrets.token_urlsafe(24)
        self._session = requests.Session()
        made = known or self.ask("POST", "/players", {"name": name})
        self.id: str = made["id"]
        self._session.headers["Authorization"] = f"Bearer {made['token']}"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request that must succeed; return the JSON of the answer."""
        answer = self._session.request(method, self.url + path, json=body, timeout=60)
        assert answer.ok, (method, path, answer.text)
        return answer.json()

    def open(self, game: str, *kinds: str, **more: Any) -> str:
        """Open a game; a kind is `me`, `open` or the name of a bot. Return its id."""
        seats = [
            {"kind": kind} if kind in ("me", "open") else {"kind": "bot", "bot": kind}
            for kind in kinds
        ]
        if "me" in kinds:
            more.setdefault("entropy", self.entropy)
        made = self.ask("POST", "/games", {"game": game, "seats": seats, **more})
        game_id: str = made["id"]
        return game_id

    def join(self, game_id: str, seat: int, **more: Any) -> None:
        self.ask("POST", f"/games/{game_id}/seats", {"seat": seat, **more})

    def leave(self, game_id: str, seat: int) -> None:
        self.ask("DELETE", f"/games/{game_id}/seats/{seat}")

    def is_asked(self, game: Json) -> bool:
        """Return whether a game waits for a seat of this person."""
        if game["decision"] is None:
            return False
        player = game["seats"][game["decision"]["seat"]]["player"]
        return player is not None and player["id"] == self.id

    def play_once(self, game_id: str, rng: random.Random) -> Json:
        """Make a move at random; return the game as it is then."""
        moves = self.ask("GET", f"/games/{game_id}/moves")["moves"]
        written = self.ask("POST", f"/games/{game_id}/moves", {"move": rng.choice(moves)})
        game: Json = written["game"]
        return game

    def export(self, game_id: str) -> Json:
        """Return the transcript of a game."""
        transcript: Json = self.ask("GET", f"/games/{game_id}/transcript")
        return transcript


def play_out(game_id: str, *people: Person, turns: int = 10**6) -> None:
    """Play a game to its end, or make `turns` moves, those of the bots counted together."""
    rng, deadline = random.Random(game_id), time.monotonic() + 120
    game = people[0].ask("GET", f"/games/{game_id}")
    for _ in range(turns):
        if game["status"] in ("over", "aborted"):
            return
        assert time.monotonic() < deadline
        asked = next((person for person in people if person.is_asked(game)), None)
        if asked:
            game = asked.play_once(game_id, rng)
        else:
            people[0].ask("GET", f"/games/{game_id}/events?after={game['version']}&limit=1&wait=5")
            game = people[0].ask("GET", f"/games/{game_id}")


def read_text(url: str, game_id: str) -> str:
    """Return the events of a finished game as NDJSON, as they are delivered."""
    address = f"{url}/api/v1/games/{game_id}/events"
    answer = requests.get(address, headers={"Accept": "application/x-ndjson"}, timeout=60)
    assert answer.ok
    answer.encoding = "utf-8"
    return answer.text


def read_game(url: str, game_id: str) -> list[Event]:
    """Return the events of a game so far, as pages deliver them."""
    events: list[Event] = []
    while True:
        address = f"{url}/api/v1/games/{game_id}/events?after={len(events)}&limit=1000"
        page = read_events(requests.get(address, timeout=60).content.decode())
        if not page:
            return events
        events += page


def verify(url: str, game_id: str) -> Json:
    """Return what the service says of a game."""
    answer = requests.get(f"{url}/api/v1/games/{game_id}/verification", timeout=60)
    assert answer.ok, answer.text
    report: Json = answer.json()
    return report
