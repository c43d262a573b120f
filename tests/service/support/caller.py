"""Callers that speak to the service as a client does, and what they bring along."""

from __future__ import annotations

from typing import Any, cast

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.small_transcript import small

API = "/api/v1"
METRICS_TOKEN = "of-the-metrics"
METRICS = {"Authorization": f"Bearer {METRICS_TOKEN}"}


class Answer(TestResponse):
    """A response as the tests read it: a test knows what its JSON holds, Werkzeug does not."""

    json: Any


class Caller:
    """A client with a token (or without one), and the shortest words for what it does."""

    def __init__(self, client: FlaskClient, token: str | None = None, id_: str = "") -> None:
        self.client, self.token, self.id = client, token, id_

    def send(self, method: str, path: str, **kwargs: Any) -> Answer:
        headers = dict(kwargs.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        answer = self.client.open(API + path, method=method, headers=headers, **kwargs)
        return cast(Answer, answer)

    def get(self, path: str, **kwargs: Any) -> Answer:
        return self.send("GET", path, **kwargs)

    def post(self, path: str, json: Any = None, **kwargs: Any) -> Answer:
        return self.send("POST", path, json=json, **kwargs)

    def patch(self, path: str, json: Any = None, **kwargs: Any) -> Answer:
        return self.send("PATCH", path, json=json, **kwargs)

    def put(self, path: str, json: Any = None, **kwargs: Any) -> Answer:
        return self.send("PUT", path, json=json, **kwargs)

    def delete(self, path: str, **kwargs: Any) -> Answer:
        return self.send("DELETE", path, **kwargs)

    def open(self, *kinds: str, **more: Any) -> dict[str, Any]:
        """Open a game of Carcassonne with these kinds of seats (default: two of one's own)."""
        seats = [{"kind": kind} for kind in kinds or ("me", "me")]
        answer = self.post("/games", {"game": "carcassonne", "seats": seats, **more})
        assert answer.status_code == 201, answer.text
        game: dict[str, Any] = answer.json
        return game

    def legal(self, game_id: str) -> list[dict[str, Any]]:
        moves: list[dict[str, Any]] = self.get(f"/games/{game_id}/moves").json["moves"]
        return moves

    def move(self, game_id: str, move: Any = None, **kwargs: Any) -> Answer:
        """Make a move, by default the first legal one."""
        chosen = self.legal(game_id)[0] if move is None else move
        body = {"move": chosen, **kwargs.pop("body", {})}
        return self.post(f"/games/{game_id}/moves", body, **kwargs)

    def version(self, game_id: str) -> int:
        version: int = self.get(f"/games/{game_id}").json["version"]
        return version


def played_out(caller: Caller) -> str:
    """Import a short game that is over; returns its id."""
    answer = caller.post("/games/import", SMALL_CITY)
    assert answer.status_code == 201, answer.text
    assert answer.json["status"] == "over"
    game_id: str = answer.json["id"]
    return game_id


def import_unfinished(caller: Caller) -> str:
    """Import a short game that one move ends; returns its id."""
    given = {key: value for key, value in SMALL_CITY.items() if key != "result"}
    game_id: str = caller.post("/games/import", given | {"moves": given["moves"][:1]}).json["id"]
    return game_id


SMALL_CITY: dict[str, Any] = {**small(), "players": ["Ada", "Bob"]}
"""A transcript of one turn: a city of two tiles, completed at once."""


def register_player(app: Flask, name: str) -> Caller:
    """Register a player, and return the caller with the player's token."""
    made = Caller(app.test_client()).post("/players", {"name": name}).json
    return Caller(app.test_client(), made["token"], made["id"])
