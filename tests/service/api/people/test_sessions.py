"""My account on another device, over HTTP."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from flask import Flask

from cartulary.events.store import Store
from cartulary.service.process.settings import WebSettings
from tests.service.api.people.test_accounts import with_token
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem
from tests.support.stored_keys import stored

LINK = re.compile("[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}")


def link(caller: Caller) -> str:
    answer = caller.post("/players/me/link_codes", {})
    assert answer.status_code == 201, answer.text
    code: str = answer.json["code"]
    return code


def recover(caller: Caller) -> list[str]:
    answer = caller.post("/players/me/recovery_codes", {})
    assert answer.status_code == 201, answer.text
    codes: list[str] = answer.json["codes"]
    return codes


def inbox(store: Store, caller: Caller) -> list[dict[str, Any]]:
    items = [orjson.loads(entry.text) for entry in store.inbox.read(caller.id).entries]
    return [one["data"] for one in items if one["type"] == "security"]


def test_a_link_code_brings_the_account_to_a_second_device(
    app: Flask, ada: Caller, visitor: Caller, store: Store
) -> None:
    game = ada.open()["id"]
    made = ada.post("/players/me/link_codes")
    assert made.headers["Cache-Control"] == "no-store"
    assert LINK.fullmatch(made.json["code"])
    answer = visitor.post("/sessions", {"link_code": made.json["code"].lower(), "label": "Phone"})
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    assert answer.json.keys() == {"player", "token"}
    me = ada.get("/players/me").json
    assert answer.json["player"] == {key: me[key] for key in ("id", "name", "kind", "created_at")}
    phone = Caller(app.test_client(), answer.json["token"], ada.id)
    assert phone.move(game).status_code == 201
    assert ada.move(game).status_code == 201
    (first, second) = ada.get("/players/me/tokens").json["tokens"]
    assert (first["current"], second["current"], second["label"]) == (True, False, "Phone")
    assert inbox(store, ada) == [{"by": "link_code", "token": second["id"], "label": "Phone"}]


@pytest.mark.parametrize("address", ["", "https://play.example"])
def test_the_picture_of_a_code_holds_it_where_no_server_sees_it(
    make_app: Callable[..., Flask], ada: Caller, address: str
) -> None:
    caller = Caller(make_app(public_url=address).test_client(), ada.token)
    made = caller.post("/players/me/link_codes").json
    assert made["url"] == (f"{address}/settings#code={made['code']}" if address else None)
    picture = ET.fromstring(made["svg"])
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert int(picture.attrib["width"]) >= 21 * 6


def test_a_client_that_knows_its_address_gets_a_picture_of_it(
    make_app: Callable[..., Flask], ada: Caller
) -> None:
    caller = Caller(make_app(public_url="https://play.example").test_client(), ada.token)
    made = caller.post("/players/me/link_codes", {"origin": "http://192.168.1.7:8000"}).json
    assert made["url"] == f"http://192.168.1.7:8000/settings#code={made['code']}"


@pytest.mark.parametrize(
    "origin",
    ["", "play.example", "https://play.example/", "javascript:1", "https://a\n", "ftp://a"],
)
def test_what_is_no_origin_is_refused(ada: Caller, origin: str) -> None:
    problem(ada.post("/players/me/link_codes", {"origin": origin}), 422, "invalid")


def test_a_recovery_code_brings_the_account_back_and_shuts_out_everybody_else(
    app: Flask, ada: Caller, visitor: Caller, store: Store
) -> None:
    assert ada.get("/players/me").json["claimed_at"] is None
    codes = recover(ada)
    assert len(set(codes)) == 10
    assert ada.get("/players/me").json["claimed_at"] is not None
    thief = with_token(app, ada, label="thief")
    stolen = link(thief)
    answer = visitor.post("/sessions", {"recovery_code": codes[3]})
    assert answer.status_code == 201
    for gone in (ada, thief):
        problem(gone.get("/players/me"), 401, "token_unknown")
    problem(visitor.post("/sessions", {"link_code": stolen}), 401, "code_unknown")
    back = Caller(app.test_client(), answer.json["token"], ada.id)
    (only,) = back.get("/players/me/tokens").json["tokens"]
    assert only["current"]
    assert inbox(store, back)[-1] == {"by": "recovery_code", "token": only["id"], "label": ""}


def test_a_token_that_is_issued_stands_in_the_inbox(app: Flask, ada: Caller, store: Store) -> None:
    with_token(app, ada, label="bot")
    (_, second) = ada.get("/players/me/tokens").json["tokens"]
    assert inbox(store, ada) == [{"by": "token", "token": second["id"], "label": "bot"}]


def test_unknown_used_expired_and_malformed_codes_get_the_same_answer(
    make_app: Callable[..., Flask], ada: Caller, store: Store
) -> None:
    visitor = Caller(make_app(rates={}).test_client())
    used = link(ada)
    visitor.post("/sessions", {"link_code": used})
    void = recover(ada)[0]
    recover(ada)
    expired = link(ada)
    (name,) = store.redis.scan_iter(match="link:*")
    store.redis.delete(name)
    sent = [
        *({"link_code": code} for code in (used, expired, "0000-0000", "", "x", "ж" * 5000)),
        *({"recovery_code": code} for code in (void, link(ada), "0000-" * 5, "", "\x00")),
    ]
    before = stored(store)
    answers = [problem(visitor.post("/sessions", body), 401, "code_unknown") for body in sent]
    for one in answers:
        del one["request_id"]
    assert all(one == answers[0] for one in answers)
    assert stored(store) == before


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, ""),
        ({"link_code": "a", "recovery_code": "b"}, ""),
        ({"link_code": 12345678}, "/link_code"),
        ({"link_code": None}, ""),
        ({"recovery_code": ["a"]}, "/recovery_code"),
        ({"passkey": "x"}, "/passkey"),
        ({"link_code": "K7PW-93QD", "label": "\n"}, "/label"),
    ],
)
def test_a_session_needs_one_code(visitor: Caller, body: Any, pointer: str) -> None:
    refused = problem(visitor.post("/sessions", body), 422, "invalid")
    assert pointer in pointers(refused)


def test_codes_are_guessed_five_times_a_minute_over_all_processes(
    make_app: Callable[..., Flask], ada: Caller
) -> None:
    rates = WebSettings().rates
    callers = [Caller(make_app(rates=rates).test_client()) for _ in range(2)]
    code = link(ada)
    for number in range(5):
        problem(
            callers[number % 2].post("/sessions", {"link_code": "0000-0000"}), 401, "code_unknown"
        )
    for caller in callers:
        refused = caller.post("/sessions", {"link_code": code})
        problem(refused, 429, "rate_limited")
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
    elsewhere = callers[0].post(
        "/sessions", {"link_code": code}, environ_base={"REMOTE_ADDR": "192.0.2.7"}
    )
    assert elsewhere.status_code == 201, "the code has not been used up"


def test_codes_are_guessed_twenty_times_an_hour(make_app: Callable[..., Flask]) -> None:
    caller = Caller(make_app(rates={"sessions": "20/hour"}).test_client())
    answers = [caller.post("/sessions", {"link_code": "x"}).status_code for _ in range(21)]
    assert answers == [401] * 20 + [429]


def test_the_usual_limits_are_five_a_minute_and_twenty_an_hour() -> None:
    assert WebSettings().rates["sessions"] == "5/minute; 20/hour"


def test_a_narrow_or_short_token_asks_for_no_recovery_codes(app: Flask, ada: Caller) -> None:
    for wish in ({"scopes": ["account"]}, {"expires_in": 600}):
        caller = with_token(app, ada, **wish)
        problem(caller.post("/players/me/recovery_codes"), 403, "scope_missing")
    assert ada.get("/players/me").json["claimed_at"] is None


def test_no_code_is_in_the_log(
    make_app: Callable[..., Flask], ada: Caller, capfd: pytest.CaptureFixture[str]
) -> None:
    caller = Caller(make_app(log_requests=True).test_client(), ada.token)
    codes = [link(caller), *recover(caller)]
    caller.post("/sessions", {"link_code": codes[0]})
    caller.post("/sessions", {"recovery_code": codes[1]})
    told = "".join(capfd.readouterr())
    assert not [code for code in codes if code in told]
