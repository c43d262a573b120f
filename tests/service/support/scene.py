"""Games in all conditions to try refusals on, and what every refusal has in common."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import unquote

from cartulary.service.http.wire.problem_kinds import KINDS
from tests.service.support.caller import SMALL_CITY, Caller, played_out

WRITES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "players": ("POST", "/players", {"name": "Ada"}),
    "games": ("POST", "/games", {"game": "carcassonne", "seats": [{"kind": "me"}] * 2}),
    "import": ("POST", "/games/import", SMALL_CITY),
    "seats": ("POST", "/games/{open}/seats", {"seat": 1}),
    "moves": ("POST", "/games/{running}/moves", {"move": {"type": "skip_follower"}}),
    "proposals": ("POST", "/games/{running}/proposals", {"kind": "end"}),
}
READS = ["", "/moves", "/events", "/states/1", "/transcript", "/verification", "/proposals"]


class Scene(NamedTuple):
    """Games of Ada by condition: `open`, `running`, `private`, `over`; `unknown` is missing."""

    ada: Caller
    bob: Caller
    ids: dict[str, str]

    def path(self, template: str) -> str:
        return template.format(**self.ids)


def set_scene(ada: Caller, bob: Caller) -> Scene:
    """Open the games of a scene."""
    ids = {
        "open": ada.open("me", "open")["id"],
        "running": ada.open()["id"],
        "private": ada.open(visibility="private")["id"],
        "over": played_out(ada),
        "unknown": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    }
    return Scene(ada, bob, ids)


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """Assert that an answer is a complete problem with this status and code; returns it."""
    found = (answer.status_code, answer.mimetype)
    assert found == (status, "application/problem+json"), answer.text
    body: dict[str, Any] = answer.json
    assert body["code"] == code
    assert body["status"] == status
    assert body["title"] == KINDS[code].title
    assert body["type"] == f"/docs/problems#{code}"
    assert body["detail"]
    assert re.fullmatch(r"(/([\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2})*)+", body["instance"], re.ASCII)
    assert unquote(body["instance"]) == answer.request.path
    assert body["request_id"] == answer.headers["X-Request-Id"]
    return body


def pointers(body: dict[str, Any]) -> list[str]:
    """Return the places that a 422 names, each once."""
    return list(dict.fromkeys(error["pointer"] for error in body["errors"]))
