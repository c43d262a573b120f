"""The examples of `openapi.yaml` for studies, acted out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cartulary.events.store import Store
from tests.service.support.acted_order import enter_operator
from tests.service.support.caller import Caller

FILE = {"format": "cartulary-study/1", "title": "Mine", "language": "en", "chapters": []}

Acted = tuple[str, list[Any]]


def hide_study(ada: Caller, store: Store, asked: Any) -> Iterator[Acted]:
    """Let an operator hide a study of Ada."""
    made = ada.post("/studies", FILE).json
    path, cleo = f"/operator/studies/{made['id']}", enter_operator(ada, store, "Olga")
    yield "order_study", [cleo.post(f"{path}/orders", body).json for body in asked["order_study"]]
    yield "show_study_to_operator", [cleo.get(path).json]


def write_study(ada: Caller, bob: Caller, asked: Any) -> Iterator[Acted]:
    """Let Ada write a study, with Bob for a while."""
    made = [ada.post("/studies", body).json for body in asked["begin_study"]]
    yield "begin_study", made
    path = f"/studies/{made[0]['id']}"
    changed = [ada.post(f"{path}/changes", body) for body in asked["change_study"]]
    assert [one.status_code for one in changed] == [201] * len(changed)
    yield "change_study", [one.json for one in changed]
    asked = [who.put(f"{path}/authors/{bob.id}").json for who in (ada, bob)]
    yield "add_study_author", asked
    share = {"changes": [{"type": "visibility_set", "visibility": "public"}]}
    assert ada.post(f"{path}/changes", share).status_code == 201
    yield "list_studies", [bob.get("/studies").json]
    yield "show_study_at", [bob.get(path).json]
    yield "list_study_events", [bob.get(f"{path}/events?after=2&limit=1").json]
    yield "show_study_node", [bob.get(f"{path}/nodes/1").json]
    yield "show_study_words", [bob.get(f"{path}/chapters/1/words").json]
    yield "show_study_transcript", [bob.get(f"{path}/chapters/1/transcript").json]
    yield "remove_study_author", [ada.delete(f"{path}/authors/{bob.id}").json]
