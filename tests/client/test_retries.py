"""Keys and repetitions: what `docs/http.md` says of them."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from cartulary.client import (
    ApiProblem,
    Conflict,
    ConnectionLost,
    IllegalMove,
    Invalid,
    RetryPolicy,
    StaleVersion,
    TooMany,
    Unavailable,
)
from tests.client.fake_service import Reply, Script, refuse, say

MOVE = {"type": "skip_follower"}
LOST = httpx.ReadTimeout("no answer")
UNREACHED = httpx.ConnectError("refused")


@pytest.mark.parametrize(
    "trouble",
    [
        LOST,
        UNREACHED,
        refuse(503, "unavailable", "1"),
        refuse(500, "internal_error"),
        refuse(502, "x"),
    ],
)
def test_a_move_is_repeated_with_the_same_key_and_the_same_bytes(trouble: Reply) -> None:
    service = Script(trouble, say({"version": 2}, 201))
    assert service.open().make_move("g", MOVE, version=1)["version"] == 2
    first, second = service.requests
    assert service.keys[0] is not None
    assert service.keys[0] == service.keys[1]
    assert first.content == second.content


def test_each_write_has_a_key_of_its_own() -> None:
    service = Script(say({}, 201), say({}, 201))
    client = service.open()
    client.make_move("g", MOVE)
    client.make_move("g", MOVE)
    assert len({*service.keys}) == 2


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (409, "stale_version", StaleVersion),
        (409, "not_known_yet", Conflict),
        (412, "stale_version", StaleVersion),
        (422, "illegal_move", IllegalMove),
        (422, "not_known_yet", Invalid),
        (418, "not_known_yet", Invalid),
        (429, "quota_exceeded", TooMany),
        (503, "game_damaged", Unavailable),
    ],
)
def test_a_refusal_that_stands_is_raised_at_once(status: int, code: str, kind: type) -> None:
    service = Script(refuse(status, code, "1", current_version=7, legal_moves=[MOVE]))
    with pytest.raises(kind) as raised:
        service.open().make_move("g", MOVE)
    assert isinstance(raised.value, ApiProblem)
    assert (raised.value.code, raised.value.status) == (code, status)
    assert len(service.requests) == 1


def test_a_refusal_has_what_its_family_says() -> None:
    service = Script(refuse(409, "stale_version", current_version=7))
    with pytest.raises(StaleVersion) as stale:
        service.open().make_move("g", MOVE)
    assert stale.value.current_version == 7
    service = Script(refuse(422, "illegal_move", legal_moves=[MOVE]))
    with pytest.raises(IllegalMove) as illegal:
        service.open().make_move("g", MOVE)
    assert illegal.value.legal_moves == [MOVE]


def test_a_registration_is_not_repeated_when_its_outcome_is_unknown() -> None:
    service = Script(LOST)
    with pytest.raises(ConnectionLost):
        service.open(token=None).create_player("Ada")
    service = Script(UNREACHED, refuse(429, "rate_limited", "1"), say({"token": "new"}, 201))
    client = service.open(token=None)
    client.create_player("Ada")
    assert client.token == "new"


def test_retry_after_is_waited_for_and_a_long_one_is_raised() -> None:
    service = Script(refuse(429, "rate_limited", "3"), say({"moves": []}))
    service.open().list_moves("g")
    assert service.slept == [3.25]
    service = Script(refuse(429, "rate_limited", "3600"))
    with pytest.raises(TooMany) as raised:
        service.open().list_moves("g")
    assert raised.value.retry_after == 3600


def test_pauses_double_up_to_a_bound_and_then_the_request_is_given_up() -> None:
    service = Script(*[LOST] * 6)
    with pytest.raises(ConnectionLost) as raised:
        service.open(policy=RetryPolicy(attempts=6, first=1, longest=4)).make_move("g", MOVE)
    assert service.slept == [0.75, 1.5, 3, 3, 3]
    assert raised.value.key == service.keys[0]


def test_a_page_of_a_proxy_is_a_problem_too() -> None:
    page = httpx.Response(404, text="<h1>no such page</h1>")
    with pytest.raises(ApiProblem) as raised:
        Script(page).open().read_game("g")
    assert raised.value.code == "http_404"


def test_no_answer_of_a_later_release_breaks_a_client() -> None:
    odd: dict[str, Any] = {"id": "g", "status": "dreaming", "mood": {"new": True}}
    assert Script(say(odd)).open().read_game("g") == odd


def test_a_link_to_a_table_names_the_game() -> None:
    service = Script(say({}), say({}))
    client = service.open()
    client.join_game("https://games.example/games/01ABC")
    client.read_game("a b")
    assert [request.url.raw_path for request in service.requests] == [
        b"/api/v1/games/01ABC/seats",
        b"/api/v1/games/a%20b",
    ]


def test_an_address_that_is_no_service_is_refused() -> None:
    for address in ("127.0.0.1:8000", "ftp://x", "http://", ""):
        with pytest.raises(ValueError, match="http"):
            Script().open().__class__(address)


def test_one_code_or_one_passkey_signs_in() -> None:
    for given in ({}, {"link_code": "A", "recovery_code": "B"}, {"link_code": "A", "passkey": {}}):
        with pytest.raises(ValueError, match="code"):
            Script().open().sign_in(**given)


def test_what_a_device_answers_signs_in_and_is_sent_once() -> None:
    service = Script(
        say({"public_key": {"challenge": "c"}}),
        say({"token": "new"}, 201),
        httpx.ReadTimeout("lost"),
    )
    client = service.open()
    challenge = client.begin_sign_in()["public_key"]["challenge"]
    proof = {"id": "p", "type": "public-key", "response": {"clientDataJSON": challenge}}
    client.sign_in(passkey=proof, label="Phone")
    assert client.token == "new"
    assert [request.url.path for request in service.requests] == [
        "/api/v1/sessions/options",
        "/api/v1/sessions",
    ]
    assert json.loads(service.requests[1].content) == {"passkey": proof, "label": "Phone"}
    with pytest.raises(ConnectionLost):
        client.sign_in(passkey=proof)
    assert len(service.requests) == 3
