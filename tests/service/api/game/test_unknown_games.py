"""A private game of others and a game that does not exist answer every operation in the same words.

Otherwise the answer would tell a caller who has an id whether a private game exists.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from cartulary.service.openapi import examples
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import API, SMALL_CITY, Answer, Caller
from tests.service.support.description import read_description
from tests.service.support.scene import problem

UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
OF_A_GAME = re.compile(f"{API}(/games/{{game_id}}.*)")
PLACES = {"seat": "1", "version": "1", "message_id": "GAME.1763632923123-0"}
HEADERS: list[dict[str, str]] = [
    {},
    {"Accept": "text/event-stream", "Last-Event-ID": "3"},
    {"Accept": "application/x-ndjson", "If-None-Match": '"v3"'},
    {"Idempotency-Key": "k", "If-Match": '"v3"'},
]
QUERIES: dict[str, list[str]] = {
    "show_board": ["version=2", "version=99"],
    "show_position_text": ["version=2", "version=99"],
    "list_moves": ["words=1"],
    "list_events": ["after=1", "after=99", "after=3&wait=1"],
    "stream_events": ["after=99", "include=messages,presence,clock,inbox", "ticket=x"],
    "create_ticket": ["include=messages"],
    "list_messages": ["after=1763632923123-0", "after=x", "wait=1"],
    "stream_messages": ["after=1763632923123-0", "room=players"],
    "explain_move": ["move=%7B%7D", "move=%7B%22type%22:%22skip_follower%22%7D"],
}


def list_operations() -> Iterator[Any]:
    for path, methods in read_description()["paths"].items():
        if found := OF_A_GAME.fullmatch(path):
            for method, operation in methods.items():
                name = operation["operationId"]
                yield pytest.param(method.upper(), found[1], name, id=name)


def ask(
    caller: Caller, template: str, method: str, game_id: str, **more: Any
) -> tuple[int, str, dict[str, str]]:
    """Return status, body and headers, without what belongs to the request alone."""
    places = {name: text.replace("GAME", game_id) for name, text in PLACES.items()}
    answer = caller.send(method, template.format(**{"game_id": game_id, **places}), **more)
    return normalise(answer, game_id)


def normalise(answer: Answer, game_id: str) -> tuple[int, str, dict[str, str]]:
    headers = {name: value.replace(game_id, "GAME") for name, value in answer.headers.items()}
    body = answer.text.replace(game_id, "GAME").replace(headers.pop("X-Request-Id", "none"), "")
    # How many requests the caller has left is a matter of the caller.
    standing = re.sub(r";[rt]=\d+", "", headers.pop("RateLimit", ""))
    return answer.status_code, body, {**headers, "RateLimit": standing}


@pytest.fixture
def hidden(ada: Caller) -> list[str]:
    """Return private games of Ada: open, running after a move, and over with a rematch."""
    hidden = {"visibility": "private"}
    running = ada.open(**hidden)["id"]
    ada.move(running)
    over = ada.post("/games/import", {**SMALL_CITY, **hidden}).json["id"]
    assert ada.post(f"/games/{over}/rematch").status_code == 201
    return [ada.open("me", "open", **hidden)["id"], running, over]


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    """A service with limits of rates: its answers say how much of them is left."""
    return make_app(rates=WebSettings().rates)


@pytest.mark.parametrize(("method", "template", "name"), [*list_operations()])
@pytest.mark.slow
def test_a_private_game_of_others_is_like_no_game(
    visitor: Caller, bob: Caller, hidden: list[str], method: str, template: str, name: str
) -> None:
    asked = [one["value"] for one in examples.REQUESTS.get(name, {}).values()]
    bodies: list[dict[str, Any]] = [{"json": body} for body in (*asked, {})]
    templates = [*(f"{template}?{query}" for query in QUERIES.get(name, ())), template]
    if "{version}" in template:
        templates += [template.replace("{version}", version) for version in ("3", "99")]
    for path, body, headers, caller in itertools.product(
        templates, bodies if method in ("POST", "PUT") else [{}], HEADERS, (bob, visitor)
    ):
        more = {**body, "headers": headers}
        expected = ask(caller, path, method, UNKNOWN, **more)
        for game_id in hidden:
            assert ask(caller, path, method, game_id, **more) == expected, (path, more)
    path = templates[0].format(game_id=UNKNOWN, **PLACES)
    problem(bob.send(method, path, **bodies[0]), 404, "not_found")


def test_a_report_of_a_private_game_of_others_is_like_one_of_no_game(
    bob: Caller, hidden: list[str]
) -> None:
    for about in ({"game": "GAME"}, {"message": "GAME.1763632923123-0"}):
        expected, *found = [
            normalise(
                bob.post(
                    "/reports",
                    {"reason": "spam", **{k: v.replace("GAME", one) for k, v in about.items()}},
                ),
                one,
            )
            for one in (UNKNOWN, *hidden)
        ]
        assert found == [expected] * len(hidden)
