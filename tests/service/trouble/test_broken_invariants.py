"""A defect that the service notices itself is 500, and the answer says what was stored."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from cartulary.events.ledger import ledger
from cartulary.events.ledger.drafts import Draft
from cartulary.events.store import Store
from tests.service.support.caller import METRICS, Caller
from tests.service.support.scene import problem

COUNTED = 'cartulary_invariants_broken_total{check="%s"} 1.0'


@pytest.fixture
def game(ada: Caller) -> dict[str, Any]:
    opened: dict[str, Any] = ada.open()
    return {**opened, "moves": ada.get(f"/games/{opened['id']}/moves").json["moves"]}


def move(ada: Caller, game: dict[str, Any], key: str) -> Any:
    body = {"move": game["moves"][0], "expected_version": game["version"]}
    return ada.post(f"/games/{game['id']}/moves", body, headers={"Idempotency-Key": key})


def test_before_an_append_nothing_is_stored_and_the_same_key_may_come_again(
    ada: Caller,
    game: dict[str, Any],
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    play = Draft.play

    def spoil(draft: Draft, *words: Any) -> None:
        play(draft, *words)
        draft.sealed[0] = draft.sealed[0]._replace(prev="0" * 64)

    monkeypatch.setattr(Draft, "play", spoil)
    with caplog.at_level(logging.CRITICAL):
        said = problem(move(ada, game, "once"), 500, "internal_error")
    assert said["detail"].endswith("nothing was stored")
    assert f"game {game['id']}, version {game['version']}: draft" in caplog.text
    assert store.ledger.version(game["id"]) == game["version"]
    assert COUNTED % "draft" in ada.client.get("/metrics", headers=METRICS).text
    monkeypatch.setattr(Draft, "play", play)
    assert move(ada, game, "once").status_code == 201


def test_after_an_append_the_outcome_is_unknown_and_the_same_key_says_it(
    ada: Caller, game: dict[str, Any], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_answer = ledger.read_answer

    def read_another(answer: Any, append: Any) -> Any:
        return read_answer([answer[0], answer[1] + 1], append)

    monkeypatch.setattr(ledger, "read_answer", read_another)
    said = problem(move(ada, game, "once"), 500, "internal_error")
    assert "the outcome is unknown" in said["detail"]
    assert store.ledger.version(game["id"]) == game["version"] + 1
    monkeypatch.setattr(ledger, "read_answer", read_answer)
    again = move(ada, game, "once")
    assert again.status_code == 201
    assert again.json["version"] == game["version"] + 1
