"""The examples of `openapi.yaml` for operators, acted out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cartulary.events.store import Store
from tests.service.support.caller import Caller

ORDER = "/operator/players/{player}/orders"


def enter_operator(caller: Caller, store: Store, name: str = "Cleo") -> Caller:
    """Register an operator, and return the caller with the operator's token."""
    made = Caller(caller.client).post("/players", {"name": name}).json
    player = store.players.by_id(made["id"])
    assert player is not None
    return Caller(caller.client, store.office.operators.grant(player, 1).secret, player.id)


def keep_order(
    ada: Caller, bob: Caller, store: Store, asked: Any
) -> Iterator[tuple[str, list[Any]]]:
    """Let an operator read the report of Bob, decide about Ada and answer."""
    cleo = enter_operator(ada, store)
    listed = cleo.get("/operator/reports").json
    yield "list_reports", [listed]
    report = f"/operator/reports/{listed['reports'][0]['id']}"
    path = ORDER.format(player=ada.id)
    yield "give_order", [cleo.post(path, body).json for body in asked["give_order"]]
    yield "show_report", [cleo.get(report).json]
    yield "answer_report", [cleo.post(f"{report}/answer", asked["answer_report"][0]).json]
    yield "find_any_players", [cleo.get("/operator/players?name=dora").json]
    yield "show_standing", [cleo.get(f"/operator/players/{ada.id}").json]
    yield "show_operator_log", [cleo.get("/operator/log").json]
