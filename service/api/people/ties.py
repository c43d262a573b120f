"""What follows and blocks have in common: one player has chosen another one."""

from __future__ import annotations

from collections.abc import Sequence

from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.people.ties import Tie
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid, not_found
from cartulary.service.schemas.base import Answer, text, time


class TieAnswer(Answer):
    """The other player, and since when."""

    id = text()
    name = text()
    since = time()


def describe_ties(services: Services, ties: Sequence[Tie]) -> list[Json]:
    """Return the other players with their names, in the order of the ties."""
    names = services.store.players.name_all([one.player_id for one in ties])
    return [
        {"id": one.player_id, "name": name, "since": one.since}
        for one, name in zip(ties, names, strict=True)
    ]


def require_other(services: Services, who: Player, player_id: str) -> None:
    """Raise `Problem` 422 for the caller, 404 for a player who does not exist."""
    if player_id == who.id:
        raise invalid("", "this is the id of the caller")
    if services.store.players.by_id(player_id) is None:
        raise not_found("this player")
