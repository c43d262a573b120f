"""The bench of rubbish bots: a person plays on next to bots that do everything wrong."""

from __future__ import annotations

import pytest

from bench.others import rubbish_bots
from cartulary.events.store import Store
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.conftest import OFFERS
from tests.support.night import at_night


def test_what_the_bots_send_is_refused(fake_store: Store) -> None:
    caller = create_app(WebSettings(log_requests=False), fake_store, OFFERS).test_client()
    made = caller.post("/api/v1/players", json={"name": "Ada"}).get_json()
    headers = {"Authorization": f"Bearer {made['token']}", **rubbish_bots.JSON}
    body = {"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "me"}]}
    game = caller.post("/api/v1/games", json=body, headers=headers).get_json()
    sent = [body for body in rubbish_bots.RUBBISH if body is not None]
    answers = [
        caller.post(f"/api/v1/games/{game['id']}/moves", data=data, headers=headers)
        for data in sent
    ]
    assert [answer.status_code for answer in answers] == [422, 422, 422, 400]


@pytest.mark.slow
@pytest.mark.real
@at_night("tests/bench/test_rubbish_bots_bench.py::test_what_the_bots_send_is_refused")
def test_a_person_is_measured_next_to_bots_whose_rubbish_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rubbish_bots, "ROUNDS", 1)
    found = rubbish_bots.main(seconds=3.0, bots=10, pause=0.2)
    assert found["bot_answers"] >= 4
    assert set(found["rubbish"]) <= {"400", "409", "422"}
    assert min(found["rubbish"]["400"], found["rubbish"]["422"]) > 0
    assert found["ratio"] > 0
