"""Standing answers in the toy game: what players say beforehand, and who has moved."""

from __future__ import annotations

from typing import Any

from cartulary.events.commands.commands import Written
from cartulary.events.people.players import Player
from tests.events.support.opened_tables import At
from tests.events.support.takeback_tables import ACCEPT, DECLINE


def standing(kind: str, move: dict[str, Any], until: str = "game") -> dict[str, Any]:
    return {"kind": kind, "move": move, "until": until}


NO_GIFTS = standing("gift", DECLINE)
EVERY_GIFT = standing("gift", ACCEPT)
FOR_ME = standing("pass_on", DECLINE)


def say(at: At, player: Player, *answers: dict[str, Any]) -> None:
    at.store.commands.standing_answers.change(player, at.id, answers)


def said(at: At, player: Player) -> list[dict[str, Any]]:
    return at.store.commands.standing_answers.show(player, at.id)


def movers(written: Written) -> list[tuple[int, str | None]]:
    return [(event["seat"], event.get("by")) for event in written.events]
