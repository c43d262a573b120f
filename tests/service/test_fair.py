"""Fair draws over HTTP: commitments, entropy, refusals."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from cartulary.events import keys
from cartulary.events.keyring import Keyring
from cartulary.events.store import Store
from cartulary.events.vault import Vault
from tests.service.caller import SMALL_CITY, Caller

ENTROPY = "ada_ada_ada_ada_ada"
GAME: dict[str, Any] = {"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "me"}]}


def first_event(caller: Caller, game_id: str) -> dict[str, Any]:
    event: dict[str, Any] = caller.get(f"/games/{game_id}/events?limit=1").json["events"][0]
    return event


def test_commitment_is_known_before_the_entropy_is_chosen(ada: Caller) -> None:
    made = ada.post("/fair/commitments")
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    assert sorted(made.json) == ["commitment", "expires_at", "id"]
    opened = ada.post("/games", {**GAME, "entropy": ENTROPY, "commitment": made.json["id"]})
    created = first_event(ada, opened.json["id"])
    assert created["fair"]["commitment"] == made.json["commitment"]
    assert [seat["entropy"] for seat in created["seats"]] == [ENTROPY, ENTROPY]


def test_commitment_needs_a_token(anybody: Caller) -> None:
    assert anybody.post("/fair/commitments").json["code"] == "token_missing"


@pytest.mark.parametrize("kind", ["used", "expired", "another player's", "unknown"])
def test_commitment_that_cannot_be_used_is_refused_at_its_pointer(
    ada: Caller, bob: Caller, store: Store, kind: str
) -> None:
    id_ = ada.post("/fair/commitments").json["id"]
    caller = bob if kind == "another player's" else ada
    if kind == "used":
        assert ada.post("/games", {**GAME, "commitment": id_}).status_code == 201
    elif kind == "expired":
        store.redis.delete(keys.commitment(ada.id, id_))  # what the server does after ten minutes
    before = sorted(store.ledger.game_ids())
    refused = caller.post("/games", {**GAME, "commitment": "x" if kind == "unknown" else id_})
    assert (refused.status_code, refused.json["code"]) == (422, "invalid")
    assert [error["pointer"] for error in refused.json["errors"]] == ["/commitment"]
    assert sorted(store.ledger.game_ids()) == before


@pytest.mark.parametrize(
    "entropy", ["", "short", "x" * 65, "no spaces please!", "é" * 20, "x" * 20 + "\n", 7, ["x"], {}]
)
def test_entropy_of_another_form_is_refused_at_its_pointer(
    ada: Caller, bob: Caller, entropy: Any
) -> None:
    opened = ada.open("me", "open")
    for caller, path, body in (
        (ada, "/games", {**GAME, "entropy": entropy}),
        (bob, f"/games/{opened['id']}/seats", {"entropy": entropy}),
        (ada, "/games/import", {**SMALL_CITY, "entropy": entropy}),
    ):
        refused = caller.post(path, body)
        assert (refused.status_code, refused.json["code"]) == (422, "invalid"), path
        assert [error["pointer"] for error in refused.json["errors"]] == ["/entropy"]
    assert ada.version(opened["id"]) == 1


def test_entropy_of_an_opener_without_a_seat_is_refused(ada: Caller) -> None:
    seats = [{"kind": "bot", "bot": "random"}, {"kind": "open"}]
    refused = ada.post("/games", {**GAME, "seats": seats, "entropy": ENTROPY})
    assert [error["pointer"] for error in refused.json["errors"]] == ["/entropy"]


def test_import_takes_entropy_beside_the_keys_of_the_transcript(ada: Caller) -> None:
    unfinished = {key: SMALL_CITY[key] for key in SMALL_CITY if key != "result"}
    unfinished |= {"moves": [], "draws": [], "bag": {"E": 2}}
    made = ada.post("/games/import", {**unfinished, "entropy": ENTROPY})
    assert made.status_code == 201, made.text
    created = first_event(ada, made.json["id"])
    assert created["seats"][0]["entropy"] == ENTROPY
    transcript = ada.get(f"/games/{made.json['id']}/transcript").json
    assert "entropy" not in transcript


def test_move_that_needs_a_missing_secret_is_503_and_the_log_names_the_help(
    ada: Caller, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    game_id = ada.open("me", "me")["id"]
    store.redis.delete(keys.secret(game_id))
    store.draws.forget()  # as in a process that has not drawn for this game
    answers = [ada.move(game_id) for _ in range(2)]
    refused = answers[-1]
    assert (refused.status_code, refused.json["code"]) == (503, "unavailable")
    assert refused.headers["Retry-After"]
    assert "--renew-draws" in caplog.text
    assert ada.version(game_id) == sum(one.status_code == 201 for one in answers) + 2


def test_process_with_another_key_opens_no_game(ada: Caller, store: Store) -> None:
    Vault(store.redis, Keyring([b"x" * 32])).claim()
    refused = ada.post("/games", GAME)
    assert (refused.status_code, refused.json["code"]) == (503, "unavailable")
    assert list(store.ledger.game_ids()) == []


def test_verification_of_a_finished_game_says_what_is_proved(ada: Caller, store: Store) -> None:
    game_id = ada.open("me", "open", entropy=ENTROPY)["id"]
    ada.delete(f"/games/{game_id}/seats/0")
    last = ada.get(f"/games/{game_id}/events").json["events"][-1]
    fair = ada.get(f"/games/{game_id}/verification").json["fair"]
    assert fair == {
        "scheme": "cartulary-fair/1",
        "commitment": hashlib.sha256(bytes.fromhex(last["secret"])).hexdigest(),
        "given": 0,
        "draws": 0,
        "state": "proved",
        "renewed_at": [],
    }
