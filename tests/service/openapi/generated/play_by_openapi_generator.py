"""A program with the Python client of openapi-generator: reads a later release, plays both games.

    python play_by_openapi_generator.py PACKAGE URL MOVES < LATER

Prints what it has read as JSON.
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from importlib import import_module
from typing import Any

PACKAGE, URL, MOVES = sys.argv[1], sys.argv[2], int(sys.argv[3])
CLIENT: Any = import_module(PACKAGE)


def read_later(later: Any) -> dict[str, Any]:
    """Read what a later release answers, and write a move of it back."""
    page = CLIENT.EventsPage.from_dict(later["page"])
    events = [event.actual_instance for event in page.events]
    legal = CLIENT.MoveList.from_dict(later["legal"])
    sent = CLIENT.MoveRequest(move=legal.moves[0], expected_version=legal.version)
    return {
        "events": [type(event).__name__ for event in events],
        "facts": [type(fact.actual_instance).__name__ for fact in events[2].facts],
        "move": sent.to_dict()["move"],
        "code": CLIENT.Problem.from_dict(later["problem"]).code,
        "reason": events[4].reason,
        "decision": type(legal.decision.actual_instance).__name__,
    }


def play(api: Any, name: str) -> dict[str, Any]:
    """Play a game on both seats while a stream is open; return how it went."""
    games, moves = CLIENT.GamesApi(api), CLIENT.MovesApi(api)
    me = CLIENT.SeatRequest(kind="me")
    game = games.open_game(CLIENT.GameRequest(game=name, seats=[me, me])).actual_instance
    reader = StreamReader(api, game.id)
    rng = random.Random(1)
    for _ in range(MOVES):
        legal = moves.list_moves(game.id)
        body = CLIENT.MoveRequest(move=rng.choice(legal.moves), expected_version=legal.version)
        game = moves.make_move(game.id, body).game.actual_instance
        if game.status != "running":
            break
    if game.status == "running":
        body = CLIENT.ResignationRequest(seat=0)
        CLIENT.SeatsApi(api).resign(game.id, resignation_request=body)
        game = games.show_game(game.id).actual_instance
    return {
        "status": game.status,
        "type": type(game).__name__,
        "streamed": reader.read_to(game.version),
    }


class StreamReader(threading.Thread):
    """Reads the stream of a game as NDJSON, each line with the models of the client."""

    def __init__(self, api: Any, game_id: str) -> None:
        super().__init__(daemon=True)
        events = CLIENT.EventsApi(api)
        headers = {"Accept": "application/x-ndjson"}
        raw = events.stream_events_without_preload_content(game_id, _headers=headers)
        self._answer = raw
        self._events: list[Any] = []
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        """Read while the program runs: nothing here counts the scores that end a stream."""
        try:
            kept = b""
            for part in self._answer.stream():
                *lines, kept = (kept + part).split(b"\n")
                for line in filter(None, lines):
                    self._events.append(CLIENT.Event.from_json(line.decode()).actual_instance)
        except BaseException as error:
            self._error = error
            raise

    def read_to(self, version: int) -> list[int]:
        """Return the versions that came, as soon as this one is there."""
        deadline = time.monotonic() + 60
        while not self._events or self._events[-1].version < version:
            assert self._error is None, self._error
            assert time.monotonic() < deadline, self._events
            time.sleep(0.01)
        return [event.version for event in self._events]


def main() -> None:
    """Read, play, and print what came of it."""
    read = read_later(json.load(sys.stdin))
    stranger = CLIENT.ApiClient(CLIENT.Configuration(host=URL))
    players = CLIENT.PlayersApi(stranger)
    token = players.register_player(CLIENT.PlayerRequest(name="Ada")).token
    api = CLIENT.ApiClient(CLIENT.Configuration(host=URL, access_token=token))
    played = {name: play(api, name) for name in ("carcassonne", "caylus")}
    print(json.dumps({"read": read, "played": played}))


if __name__ == "__main__":
    main()
