"""A program with the client of openapi-python-client: reads a later release, plays both games.

    python play_by_openapi_python_client.py PACKAGE URL MOVES < LATER

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
MODELS: Any = import_module(f"{PACKAGE}.models")
CLIENTS: Any = import_module(PACKAGE)


def call(tag: str, operation: str, *path: str, client: Any, **more: Any) -> Any:
    """Call an operation; returns what the client makes of the answer."""
    module = import_module(f"{PACKAGE}.api.{tag}.{operation}")
    answer = module.sync(*path, client=client, **more)
    assert not isinstance(answer, MODELS.Problem), answer
    return answer


def forget_times(page: Any) -> Any:
    """Return a page without times, which the client writes in another form of RFC 3339."""
    return {**page, "events": [{**event, "at": ""} for event in page["events"]]}


def read_later(later: Any) -> dict[str, Any]:
    """Read what a later release answers, and write a move of it back."""
    page = MODELS.EventsPage.from_dict(later["page"])
    assert forget_times(page.to_dict()) == forget_times(later["page"])
    legal = MODELS.MoveList.from_dict(later["legal"])
    sent = MODELS.MoveRequest(move=legal.moves[0], expected_version=legal.version)
    return {
        "events": [type(event).__name__ for event in page.events],
        "facts": [type(fact).__name__ for fact in page.events[2].facts],
        "move": sent.to_dict()["move"],
        "code": MODELS.Problem.from_dict(later["problem"]).code,
        "reason": page.events[4].reason,
        "decision": type(legal.decision).__name__,
    }


def play(client: Any, name: str) -> dict[str, Any]:
    """Play a game on both seats while a stream is open; return how it went."""
    me = MODELS.SeatRequest(kind=MODELS.SeatRequestKind.ME)
    asked = MODELS.GameRequest(game=MODELS.GameNameRequest(name), seats=[me, me])
    game = call("games", "open_game", client=client, body=asked)
    reader = StreamReader(client, game.id)
    rng = random.Random(1)
    for _ in range(MOVES):
        legal = call("moves", "list_moves", game.id, client=client)
        body = MODELS.MoveRequest(move=rng.choice(legal.moves), expected_version=legal.version)
        game = call("moves", "make_move", game.id, client=client, body=body).game
        if game.status != "running":
            break
    if game.status == "running":
        call("seats", "resign", game.id, client=client, body=MODELS.ResignationRequest(seat=0))
        game = call("games", "show_game", game.id, client=client)
    return {
        "status": game.status,
        "type": type(game).__name__,
        "streamed": reader.read_to(game.version),
    }


class StreamReader(threading.Thread):
    """Reads the stream of a game as NDJSON, each line with the models of the client."""

    def __init__(self, client: Any, game_id: str) -> None:
        super().__init__(daemon=True)
        self._client, self._path = client, f"/api/v1/games/{game_id}/events/stream"
        self._events: list[Any] = []
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        """Read while the program runs: nothing here counts the scores that end a stream."""
        http = self._client.get_httpx_client()
        headers = {"Accept": "application/x-ndjson"}
        try:
            with http.stream("GET", self._path, headers=headers, timeout=60) as answer:
                for line in filter(None, answer.iter_lines()):
                    page = {"events": [json.loads(line)], "next_after": 0}
                    self._events += MODELS.EventsPage.from_dict(page).events
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
    stranger = CLIENTS.Client(base_url=URL)
    asked = MODELS.PlayerRequest(name="Ada")
    token = call("players", "register_player", client=stranger, body=asked).token
    client = CLIENTS.AuthenticatedClient(base_url=URL, token=token)
    played = {name: play(client, name) for name in ("carcassonne", "caylus")}
    print(json.dumps({"read": read, "played": played}))


if __name__ == "__main__":
    main()
