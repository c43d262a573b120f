"""Passkeys over HTTP, with an authenticator in software."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import fakeredis
import orjson
import pytest
from flask import Flask

from cartulary.events.people.ceremonies import LIFE_MS
from cartulary.events.people.passkeys import MOST
from cartulary.events.people.tokens import Wish
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.api.people import places
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.service.api.people.test_accounts import with_token
from tests.service.support.caller import Caller, register_player
from tests.service.support.scene import problem
from tests.support.authenticator import Authenticator, pack, unpack
from tests.support.fake_clock import FakeClock
from tests.support.stored_keys import stored

HOME = "http://localhost"
OWN = "/players/me/passkeys"


def begin(caller: Caller) -> Any:
    answer = caller.post(f"{OWN}/options")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store"), answer.text
    return answer.json["public_key"]


def add(caller: Caller, device: Authenticator, label: str = "") -> str:
    made = device.create(begin(caller))
    answer = caller.post(OWN, {"passkey": made, "label": label})
    assert answer.status_code == 201, answer.text
    passkey_id: str = answer.json["id"]
    return passkey_id


def challenge(caller: Caller) -> Any:
    answer = caller.post("/sessions/options")
    assert answer.status_code == 200, answer.text
    return answer.json["public_key"]


def sign_in(caller: Caller, device: Authenticator, label: str = "") -> Any:
    return caller.post("/sessions", {"passkey": device.use(challenge(caller)), "label": label})


def security(store: Store, caller: Caller) -> list[dict[str, Any]]:
    items = [orjson.loads(entry.text) for entry in store.inbox.read(caller.id).entries]
    return [one["data"] for one in items if one["type"] == "security"]


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    """The service without limits: what is counted, `test_limits` tests, and one test here."""
    return make_app(rates={})


@pytest.fixture
def device() -> Authenticator:
    return Authenticator(HOME)


class TestOneWhoHasAPasskey:
    def test_signs_in_without_a_name(
        self, app: Flask, ada: Caller, visitor: Caller, store: Store, device: Authenticator
    ) -> None:
        options = begin(ada)
        assert options["rp"] == {"id": "localhost", "name": "Cartulary"}
        assert options["authenticatorSelection"]["residentKey"] == "required"
        assert options["authenticatorSelection"]["userVerification"] == "preferred"
        passkey_id = add(ada, device, "Laptop")
        asked = challenge(visitor)
        assert not asked.get("allowCredentials")
        answer = sign_in(visitor, device, "Phone")
        assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
        assert answer.json["player"]["id"] == ada.id
        phone = Caller(app.test_client(), answer.json["token"], ada.id)
        assert phone.move(ada.open()["id"]).status_code == 201
        (_, token) = ada.get("/players/me/tokens").json["tokens"]
        assert (token["label"], token["scopes"]) == ("Phone", ["read", "play", "account"])
        (shown,) = phone.get(OWN).json["passkeys"]
        assert (shown["id"], shown["label"]) == (passkey_id, "Laptop")
        assert shown["last_used_at"] == shown["created_at"][:10]
        assert security(store, ada) == [
            {"by": "new_passkey", "passkey": passkey_id, "label": "Laptop"},
            {"by": "passkey", "token": token["id"], "label": "Phone"},
        ]

    def test_signs_in_as_often_as_the_device_counts_on(
        self, ada: Caller, visitor: Caller, device: Authenticator
    ) -> None:
        add(ada, device)
        for _ in range(3):
            assert sign_in(visitor, device).status_code == 201

    def test_signs_in_with_a_device_that_counts_nothing(self, ada: Caller, visitor: Caller) -> None:
        silent = Authenticator(HOME, step=0)
        add(ada, silent)
        for _ in range(2):
            assert sign_in(visitor, silent).status_code == 201

    def test_hears_that_there_is_a_copy_when_the_counter_goes_back(
        self, ada: Caller, visitor: Caller, device: Authenticator
    ) -> None:
        add(ada, device)
        assert sign_in(visitor, device).status_code == 201
        device.uses -= 1
        refused = problem(sign_in(visitor, device), 401, "code_unknown")
        assert "copy" in refused["detail"]

    def test_does_not_sign_in_after_removing_it(
        self, ada: Caller, visitor: Caller, device: Authenticator
    ) -> None:
        passkey_id = add(ada, device)
        assert ada.delete(f"{OWN}/{passkey_id}").status_code == 204
        problem(sign_in(visitor, device), 401, "code_unknown")
        problem(ada.delete(f"{OWN}/{passkey_id}"), 404, "not_found")

    def test_gets_no_token_when_a_recovery_code_is_used_at_the_same_moment(
        self,
        ada: Caller,
        visitor: Caller,
        store: Store,
        device: Authenticator,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        add(ada, device)
        note_use = store.passkeys.note_use

        def note_and_be_late(*use: Any) -> None:
            note_use(*use)
            store.tokens.replace_all(ada.id, Wish("recovered"))

        monkeypatch.setattr(store.passkeys, "note_use", note_and_be_late)
        problem(sign_in(visitor, device), 401, "code_unknown")
        assert [one.row.label for one in store.tokens.list_of(ada.id)] == ["recovered"]

    def test_makes_no_second_one_on_the_same_device(
        self, ada: Caller, device: Authenticator
    ) -> None:
        add(ada, device)
        assert [one["id"] for one in begin(ada)["excludeCredentials"]] == [pack(device.credential)]
        refused = problem(ada.post(OWN, {"passkey": device.create(begin(ada))}), 422, "invalid")
        assert refused["errors"][0]["pointer"] == "/passkey"

    def test_has_ten_at_most(self, ada: Caller) -> None:
        late = begin(ada)
        for _ in range(MOST):
            add(ada, Authenticator(HOME))
        assert problem(ada.post(f"{OWN}/options"), 429, "quota_exceeded")["limit"] == MOST
        problem(ada.post(OWN, {"passkey": Authenticator(HOME).create(late)}), 429, "quota_exceeded")

    def test_finds_it_in_the_export_without_its_key(
        self, ada: Caller, device: Authenticator
    ) -> None:
        passkey_id = add(ada, device, "Laptop")
        lines = map(json.loads, ada.get("/players/me/export").text.splitlines())
        (line,) = [one for one in lines if one["type"] == "passkey"]
        assert line.keys() == {"type", "id", "label", "created_at", "last_used_at"}
        assert line["id"] == passkey_id

    def test_loses_it_with_the_account(
        self, ada: Caller, visitor: Caller, store: Store, device: Authenticator
    ) -> None:
        add(ada, device)
        asked = challenge(visitor)
        assert ada.post("/players/me/deletion", {"confirm": "Ada"}).status_code == 204
        refused = visitor.post("/sessions", {"passkey": device.use(asked)})
        problem(refused, 401, "code_unknown")
        assert not [key for key in stored(store) if b"passkeys:" in key]

    def test_loses_it_with_a_recovery_code(
        self,
        app: Flask,
        ada: Caller,
        visitor: Caller,
        device: Authenticator,
    ) -> None:
        add(ada, device)
        code = ada.post("/players/me/recovery_codes").json["codes"][0]
        token = visitor.post("/sessions", {"recovery_code": code}).json["token"]
        assert Caller(app.test_client(), token).get(OWN).json == {"passkeys": []}
        problem(sign_in(visitor, device), 401, "code_unknown")

    def test_keeps_it_as_a_guest_who_becomes_an_account(
        self, ada: Caller, bob: Caller, visitor: Caller, device: Authenticator
    ) -> None:
        add(bob, device, "Phone")
        assert ada.post("/players/me/merge", {"token": bob.token}).status_code == 200
        assert [one["label"] for one in ada.get(OWN).json["passkeys"]] == ["Phone"]
        answer = sign_in(visitor, device)
        assert (answer.status_code, answer.json["player"]["id"]) == (201, ada.id)


class TestAPasskeyIsNotAdded:
    def refuse(self, caller: Caller, made: Any) -> None:
        refused = problem(caller.post(OWN, {"passkey": made}), 422, "invalid")
        assert refused["errors"][0]["pointer"] == "/passkey"
        assert caller.get(OWN).json == {"passkeys": []}

    def test_a_second_time_with_one_challenge(self, ada: Caller, device: Authenticator) -> None:
        made = device.create(begin(ada))
        assert ada.post(OWN, {"passkey": made}).status_code == 201
        assert ada.delete(f"{OWN}/{ada.get(OWN).json['passkeys'][0]['id']}").status_code == 204
        self.refuse(ada, made)

    def test_with_the_challenge_of_another_player(
        self, ada: Caller, bob: Caller, device: Authenticator
    ) -> None:
        self.refuse(ada, device.create(begin(bob)))

    def test_with_a_challenge_for_signing_in(self, ada: Caller, device: Authenticator) -> None:
        signing = challenge(ada)["challenge"]
        self.refuse(ada, device.create({**begin(ada), "challenge": signing}))

    def test_with_a_challenge_that_the_service_has_not_made(
        self, ada: Caller, device: Authenticator
    ) -> None:
        self.refuse(ada, device.create({**begin(ada), "challenge": pack(bytes(32))}))

    @pytest.mark.parametrize("origin", ["http://localhost:1", "https://evil.example", "null", ""])
    def test_from_a_page_of_another_origin(self, ada: Caller, origin: str) -> None:
        self.refuse(ada, Authenticator(origin).create(begin(ada)))

    def test_for_another_host(self, ada: Caller, device: Authenticator) -> None:
        self.refuse(ada, device.create({**begin(ada), "rp": {"id": "evil.example"}}))

    def test_under_the_name_of_another_credential(self, ada: Caller, device: Authenticator) -> None:
        self.refuse(ada, {**device.create(begin(ada)), "id": pack(b"another")})

    @pytest.mark.slow
    def test_with_a_damaged_answer(self, ada: Caller, device: Authenticator) -> None:
        """Each byte in turn is another one: no answer is a failure of the service."""
        sound = device.create(begin(ada))
        length = len(unpack(sound["response"]["attestationObject"]))
        for at in range(0, length, 3):
            made = device.create(begin(ada))
            damaged = bytearray(unpack(made["response"]["attestationObject"]))
            damaged[at] ^= 0xFF
            made["response"]["attestationObject"] = pack(bytes(damaged))
            answer = ada.post(OWN, {"passkey": made})
            assert answer.status_code in (201, 422), (at, answer.text)
            if answer.status_code == 201:
                ada.delete(f"{OWN}/{answer.json['id']}")

    def test_by_a_narrow_or_short_token(self, app: Flask, ada: Caller) -> None:
        for wish in ({"scopes": ["account"]}, {"expires_in": 3600}):
            caller = with_token(app, ada, **wish)
            problem(caller.post(f"{OWN}/options"), 403, "scope_missing")
            body = {"passkey": Authenticator(HOME).create(begin(ada))}
            problem(caller.post(OWN, body), 403, "scope_missing")
        reader = with_token(app, ada, scopes=["read"])
        problem(reader.get(OWN), 403, "scope_missing")
        problem(reader.delete(f"{OWN}/0"), 403, "scope_missing")


class TestAStrangerDoesNotSignIn:
    def refuse(self, caller: Caller, proof: Any) -> None:
        problem(caller.post("/sessions", {"passkey": proof}), 401, "code_unknown")

    def test_with_an_answer_that_was_used(
        self, ada: Caller, visitor: Caller, device: Authenticator
    ) -> None:
        add(ada, device)
        proof = device.use(challenge(visitor))
        assert visitor.post("/sessions", {"passkey": proof}).status_code == 201
        self.refuse(visitor, proof)

    def test_with_the_challenge_of_a_player_who_adds_a_passkey(
        self, ada: Caller, visitor: Caller, device: Authenticator
    ) -> None:
        add(ada, device)
        adding = begin(ada)["challenge"]
        self.refuse(visitor, device.use({**challenge(visitor), "challenge": adding}))

    def test_from_a_page_of_another_origin(
        self, ada: Caller, visitor: Caller, device: Authenticator
    ) -> None:
        add(ada, device)
        device.origin = "https://evil.example"
        self.refuse(visitor, device.use(challenge(visitor)))

    def test_for_another_host(self, ada: Caller, visitor: Caller, device: Authenticator) -> None:
        add(ada, device)
        self.refuse(visitor, device.use({**challenge(visitor), "rpId": "evil.example"}))

    def test_under_a_host_that_the_request_makes_up(
        self, ada: Caller, visitor: Caller, device: Authenticator
    ) -> None:
        add(ada, device)
        asked = visitor.post("/sessions/options", base_url="https://evil.example").json
        assert asked["public_key"]["rpId"] == "evil.example"
        device.origin = "https://evil.example"
        self.refuse(visitor, device.use(asked["public_key"]))

    def test_as_another_player(
        self, ada: Caller, bob: Caller, visitor: Caller, device: Authenticator
    ) -> None:
        add(ada, device)
        device.handle = bob.id.encode()
        self.refuse(visitor, device.use(challenge(visitor)))

    def test_with_another_key(self, ada: Caller, visitor: Caller, device: Authenticator) -> None:
        add(ada, device)
        device.key = Authenticator(HOME).key
        self.refuse(visitor, device.use(challenge(visitor)))

    @pytest.mark.parametrize("part", ["clientDataJSON", "authenticatorData", "signature"])
    def test_with_a_changed_byte(
        self, ada: Caller, visitor: Caller, device: Authenticator, part: str
    ) -> None:
        add(ada, device)
        for at in (0, 33, -1):
            proof = device.use(challenge(visitor))
            changed = bytearray(unpack(proof["response"][part]))
            changed[at] ^= 1
            proof["response"][part] = pack(bytes(changed))
            self.refuse(visitor, proof)

    @pytest.mark.parametrize(
        ("part", "value"), [("signature", ""), ("userHandle", "ä"), ("signature", "A" * 5000)]
    )
    def test_with_what_is_no_base64url(
        self, ada: Caller, visitor: Caller, device: Authenticator, part: str, value: str
    ) -> None:
        add(ada, device)
        proof = device.use(challenge(visitor))
        proof["response"][part] = value
        refused = problem(visitor.post("/sessions", {"passkey": proof}), 422, "invalid")
        assert refused["errors"][0]["pointer"] == f"/passkey/response/{part}"

    def test_more_than_five_times_a_minute(self, make_app: Callable[..., Flask]) -> None:
        caller = Caller(make_app(rates=WebSettings().rates).test_client())
        device = Authenticator(HOME)
        device.handle = b"unknown"
        for _ in range(5):
            problem(sign_in(caller, device), 401, "code_unknown")
        problem(sign_in(caller, device), 429, "rate_limited")


def test_a_challenge_is_valid_for_five_minutes() -> None:
    clock = FakeClock()
    store = Store(fakeredis.FakeRedis(), OFFERS, clock=clock)
    app = create_app(WebSettings(log_requests=False, rates={}), store, OFFERS)
    ada, device = register_player(app, "Ada"), Authenticator(HOME)
    add(ada, device)
    for late, status in ((0, 401), (1, 201)):
        asked = challenge(ada)
        clock.advance(LIFE_MS - late)
        answer = ada.post("/sessions", {"passkey": device.use(asked)})
        assert answer.status_code == status, answer.text


def test_without_the_library_there_are_no_passkeys(
    ada: Caller, device: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(ada, device)
    proof, made = device.use(challenge(ada)), Authenticator(HOME).create(begin(ada))
    monkeypatch.setattr(places, "is_installed", lambda: False)
    for answer in (
        ada.post(f"{OWN}/options"),
        ada.post(OWN, {"passkey": made}),
        ada.get(OWN),
        ada.post("/sessions/options"),
        ada.post("/sessions", {"passkey": proof}),
    ):
        assert "passkeys" in problem(answer, 404, "not_installed")["detail"]


def test_a_bot_has_no_passkeys(app: Flask, ada: Caller) -> None:
    token = ada.post("/players/me/bots", {"name": "Robo"}).json["token"]
    bot = Caller(app.test_client(), token)
    for answer in (bot.post(f"{OWN}/options"), bot.get(OWN), bot.delete(f"{OWN}/0")):
        problem(answer, 403, "scope_missing")
