"""Clients that play a game of two seats of their own: ours, and some that break every rule."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import httpx

from cartulary.client import Client, Conflict, EventLine

CONNECTIONS = 5
"""How often the bad client opens the stream."""

SEATS = [{"kind": "me"}, {"kind": "me"}]


def play_well(url: str, seed: int = 2) -> list[int]:
    """Play with the client of the project, a move for each line, until the script is over.

    Returns the versions that were applied.
    """
    with Client(url, silent_after=1.5, random=Random(1)) as client:
        client.create_player("Ada")
        game = client.create_game("carcassonne", SEATS)["id"]
        rng = Random(seed)
        versions: list[int] = []
        is_over = False
        for line in client.follow_game(game):
            if isinstance(line, EventLine):
                versions.append(line.version)
            if is_over:
                break
            # A line that comes after this one was sent when the last trouble was over.
            is_over = httpx.get(f"{url}/rehearsal", timeout=60).json()["waiting"] == []
            move_at_random(client, game, rng)
    applied = {"game": game, "versions": versions}
    httpx.put(f"{url}/rehearsal/applied", json=applied, timeout=60)
    return versions


def move_at_random(client: Client, game: str, rng: Random) -> None:
    """Make a legal move; where the service refuses it, the next line brings another."""
    legal = client.list_moves(game)
    try:
        client.make_move(game, rng.choice(legal["moves"]), version=legal["version"])
    except Conflict:
        legal = client.list_moves(game)
        client.make_move(game, rng.choice(legal["moves"]), version=legal["version"])


class BadClient:
    """Never backs off, makes a new key for each try, forgets where it was, and knows no refusal."""

    def __init__(self, url: str) -> None:
        self._api = f"{url}/api/v1"
        self._url = url
        self._keys = 0
        self._http = httpx.Client(timeout=3)
        self.applied: list[int] = []
        self._http.headers["Authorization"] = (
            f"Bearer {self._post('/players', {'name': 'Bo'})['token']}"
        )
        self.game: str = self._post("/games", {"game": "carcassonne", "seats": SEATS})["id"]

    def _post(self, path: str, body: dict[str, Any], tries: int = 6) -> Any:
        for _ in range(tries):
            self._keys += 1
            headers = {"Idempotency-Key": f"key-{self._keys}"}
            try:
                answer = self._http.post(self._api + path, json=body, headers=headers)
            except httpx.TransportError:
                continue
            if answer.status_code < 400:
                return answer.json()
        return None

    def play(self, moves: int) -> None:
        """Move at random, then read the stream from its beginning, again and again."""
        rng = Random(2)
        last = 0
        for _ in range(moves):
            legal = self._http.get(f"{self._api}/games/{self.game}/moves").json()
            self._post(f"/games/{self.game}/moves", {"move": rng.choice(legal["moves"])})
            last = legal["version"]
        for _ in range(CONNECTIONS):
            self._read(last)
        applied = {"game": self.game, "versions": self.applied}
        self._http.put(f"{self._url}/rehearsal/applied", json=applied)
        self._http.close()

    def _read(self, last: int) -> None:
        """Read a connection up to a version, or to its end."""
        headers = {"Accept": "application/x-ndjson"}
        path = f"{self._api}/games/{self.game}/events"
        try:
            with self._http.stream("GET", path, headers=headers) as answer:
                for line in answer.iter_lines():
                    version = json.loads(line).get("version", 0) if line.strip() else 0
                    self.applied += [version] if version else []
                    if version >= last:
                        return
        except (httpx.TransportError, ValueError):
            return  # the next connection begins at the beginning
