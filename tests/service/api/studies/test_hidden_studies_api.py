"""Reports of studies and what operators decide about them, over HTTP."""

from __future__ import annotations

import pytest

from cartulary.events.store import Store
from tests.service.api.studies.test_studies_api import begin, change, share
from tests.service.support.acted_order import enter_operator
from tests.service.support.caller import Caller
from tests.service.support.scene import problem

HIDE = {"command": "hide", "reason": "an insult"}


@pytest.fixture
def path(ada: Caller) -> str:
    """The path of a public study of Ada."""
    made = begin(ada)
    share(ada, made, "public")
    return made


def test_a_reported_study_is_hidden_and_shown_again(
    store: Store, ada: Caller, bob: Caller, visitor: Caller, path: str
) -> None:
    study_id = path.rpartition("/")[2]
    assert bob.post("/reports", {"study": study_id, "reason": "insult"}).status_code == 202
    cleo = enter_operator(bob, store)
    (report,) = cleo.get("/operator/reports").json["reports"]
    assert (report["kind"], report["study"]["id"], report["game"]) == ("study", study_id, None)
    assert report["about"]["name"] == "Ada"
    assert "Look **here**." in report["study"]["text"]
    hidden = cleo.post(f"/operator{path}/orders", {**HIDE, "report": report["id"]})
    assert hidden.status_code == 201
    assert visitor.get("/studies").json["studies"] == []
    for stranger in (visitor, bob, cleo):
        for place in (path, f"{path}/events", f"{path}/nodes/1", f"{path}/chapters/1/words"):
            problem(stranger.get(place), 404, "not_found")
    assert ada.get(path).json["hidden"]["reason"] == "an insult"
    (own,) = ada.get("/studies?author=me").json["studies"]
    assert own["hidden"]
    assert cleo.get(f"/operator{path}").json["hidden"]["reason"] == "an insult"
    assert cleo.post(f"/operator{path}/orders", HIDE).status_code == 200
    (line,) = cleo.get("/operator/log").json["entries"]
    assert (line["study"], line["report"]) == (study_id, report["id"])
    shown = cleo.post(f"/operator{path}/orders", {"command": "show", "reason": "taken out"})
    assert shown.status_code == 201
    assert visitor.get(path).json["hidden"] is None
    # What made the operators hide it, and why, stays between its authors.
    assert "an insult" not in visitor.get(f"{path}/events?after=0").text
    assert "an insult" in ada.get(f"{path}/events?after=0").text


def test_the_streams_of_readers_end_without_the_reason(
    store: Store, bob: Caller, path: str
) -> None:
    cleo = enter_operator(bob, store)
    answer = bob.get(f"{path}/events/stream", headers={"Last-Event-ID": "3"}, buffered=False)
    pieces = answer.iter_encoded()
    read = next(pieces)
    assert cleo.post(f"/operator{path}/orders", HIDE).status_code == 201
    read += b"".join(pieces)
    answer.close()
    assert b"study_hidden" in read
    assert b"an insult" not in read


def test_only_operators_hide_studies(ada: Caller, bob: Caller, visitor: Caller, path: str) -> None:
    for who in (ada, bob):
        problem(who.post(f"/operator{path}/orders", HIDE), 403, "scope_missing")
        problem(who.get(f"/operator{path}"), 403, "scope_missing")
    problem(visitor.post(f"/operator{path}/orders", HIDE), 401, "token_missing")


def test_a_decision_about_no_study_and_one_without_a_reason_are_refused(
    store: Store, bob: Caller, path: str
) -> None:
    cleo = enter_operator(bob, store)
    problem(cleo.post("/operator/studies/nothing/orders", HIDE), 404, "not_found")
    problem(cleo.get("/operator/studies/nothing"), 404, "not_found")
    problem(cleo.post(f"/operator{path}/orders", {"command": "hide"}), 422, "invalid")
    problem(cleo.post(f"/operator{path}/orders", {**HIDE, "reason": ""}), 422, "invalid")
    assert change(bob, path).status_code == 422
