"""Fair draws over HTTP: commitments, entropy, refusals."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from cartulary.events.draws.keyring import Keyring
from cartulary.events.draws.vault import Vault
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.service.api.table.test_continuations import over_with
from tests.service.support.caller import SMALL_CITY, Caller, played_out
from tests.service.support.scene import pointers, problem

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


def test_commitment_needs_a_token(visitor: Caller) -> None:
    assert visitor.post("/fair/commitments").json["code"] == "token_missing"


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
@pytest.mark.slow
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


UNFINISHED = {key: SMALL_CITY[key] for key in SMALL_CITY if key != "result"}
UNFINISHED |= {"moves": [], "draws": [], "bag": {"E": 2}}
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "open": ("/games", GAME),
    "import": ("/games/import", UNFINISHED),
    "branch": ("/games/{over}/branches", {"version": 2}),
    "rematch": ("/games/{over}/rematch", {}),
}


def test_import_takes_entropy_beside_the_keys_of_the_transcript(ada: Caller) -> None:
    made = ada.post("/games/import", {**UNFINISHED, "entropy": ENTROPY})
    assert made.status_code == 201, made.text
    created = first_event(ada, made.json["id"])
    assert created["seats"][0]["entropy"] == ENTROPY
    transcript = ada.get(f"/games/{made.json['id']}/transcript").json
    assert "entropy" not in transcript


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow
def test_every_way_to_a_new_game_takes_entropy_and_commitment(ada: Caller, way: str) -> None:
    path, body = WAYS[way]
    prepared = ada.post("/fair/commitments").json
    asked = {**body, "entropy": ENTROPY, "commitment": prepared["id"]}
    over, key = played_out(ada), {"Idempotency-Key": "k"}
    made, again = (ada.post(path.format(over=over), asked, headers=key) for _ in range(2))
    assert made.status_code == 201, made.text
    assert (again.status_code, again.json) == (201, made.json)
    created = first_event(ada, made.json["id"])
    assert created["fair"]["commitment"] == prepared["commitment"]
    assert [seat["entropy"] for seat in created["seats"]] == [ENTROPY, ENTROPY]
    problem(ada.post(path.format(over=over), body, headers=key), 422, "idempotency_mismatch")
    for wrong in ({"entropy": "short"}, {"commitment": prepared["id"]}):
        refused = ada.post(path.format(over=played_out(ada)), {**body, **wrong})
        assert pointers(problem(refused, 422, "invalid")) == [f"/{one}" for one in wrong]


@pytest.mark.slow
def test_who_sits_down_at_a_rematch_adds_entropy(ada: Caller, bob: Caller, store: Store) -> None:
    path = f"/games/{over_with(ada, bob, store)}/rematch"
    for caller in (ada, bob):
        made = caller.post(path, {"entropy": f"of_{caller.id}"}).json
    created, _, taken, started = ada.get(f"/games/{made['id']}/events").json["events"]
    assert created["seats"][1]["entropy"] == f"of_{ada.id}"
    assert taken["entropy"] == f"of_{bob.id}"
    assert started["type"] == "game_started"


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
