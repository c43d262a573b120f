"""Draw the picture of a table, in the language of its reader."""

from __future__ import annotations

from typing import Any

from cartulary import pictures
from cartulary.events.model.table import Table
from cartulary.pictures import Picture
from cartulary.service.api.game.tables import describe_decision, name_seats
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, not_found

LATEST_MOVE_WITHIN = 2
"""Events that may follow the last move: the count of the score, or an end without a score."""


def find_picture(services: Services, table: Table) -> Picture | None:
    """Return what draws the tables of a game, None before the start and without a picture."""
    return None if table.state is None else services.offers[table.game].picture


def require_picture(services: Services, table: Table) -> Picture:
    """Return what draws the tables of a game; raises `Problem` 404 where nothing does."""
    picture = find_picture(services, table)
    if picture is None:
        raise not_found("a picture of this game")
    return picture


def must_be_installed(is_installed: bool) -> None:
    """Raise `Problem` 404 where the libraries for pixels are missing."""
    if not is_installed:
        detail = "the operator has not installed the extra `pictures` of the package"
        raise Problem("not_installed", detail)


def draw_table(services: Services, picture: Picture, table: Table, lang: str, **wishes: Any) -> str:
    """Return the SVG of a table that has started; `wishes` are those of `pictures.draw`.

    `last_move` is among them where the last move is not that of the events of the table.
    """
    assert table.state is not None
    last = wishes.pop("last_move") if "last_move" in wishes else _find_last_move(services, table)
    return pictures.draw(
        picture,
        table.state.view(),
        decision=describe_decision(table),
        players=name_seats(table, lang),
        status=table.status,
        result=table.result,
        last_move=last,
        options=table.state.options,
        words=services.offers[table.game].words.picture(lang),
        **wishes,
    )


def _find_last_move(services: Services, table: Table) -> dict[str, Any] | None:
    before = max(table.version - LATEST_MOVE_WITHIN - 1, 0)
    events = services.store.ledger.events(table.id, before, table.version - before)
    moves = [event for event in events if event["type"] == "move_made"]
    return moves[-1] if moves else None
