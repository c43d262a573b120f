"""Lines: one game of a dump as JSON, with numbers in place of its players. Pure.

Neither the id of the game nor a name is in a line, nor what only the service knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.model.table import Table
from cartulary.events.model.types import GAME_STARTED, Json
from cartulary.events.ratings.stored import RatingChange
from cartulary.ratings.results import Bucket, name_table

FORM: Final = 1
"""The form of a line."""

STEP: Final = 25
"""Ratings are rounded so: the last exact one of a month would be the first one of the next."""

Numbers = Mapping[str, int]
"""The numbers of players in a dump, by their ids."""


class DumpedGame(NamedTuple):
    """A game as a dump needs it: all its events, and what it has changed of ratings, by player.

    `secret` is that of its draws, None where it is lost or missing.
    """

    table: Table
    events: Sequence[Json]
    changes: Mapping[str, RatingChange]
    secret: str | None


def name_bucket(table: Table) -> Bucket | None:
    """Return the ratings for which a game counts, None for a game without a ladder."""
    ladder = table.course.ladder
    return None if ladder is None else Bucket(ladder, table.game, name_table(len(table.seats)))


def describe_game(game: DumpedGame, place: int, numbers: Numbers) -> Json:
    """Return the line of a game; `place` is its number in the dump, from 0."""
    table = game.table
    transcript = transcript_of(table, game.events, {}).to_json()
    seats = [_describe_seat(game, seat, numbers) for seat in range(len(table.seats))]
    transcript["players"] = [_name(seat) for seat in seats]
    result = table.result or {}
    return {
        "form": FORM,
        "number": place,
        "day": table.updated_at[:10],
        "game": table.game,
        "rules_version": table.rules_version,
        "pace": table.terms.pace,
        "ladder": table.course.ladder,
        "seats": seats,
        "result": {
            name: result[name]
            for name in ("scores", "winners", "ranks", "outcomes", "ended_by", "breakdown")
            if name in result
        },
        "proof": _describe_proof(game),
        "transcript": transcript,
    }


def _describe_seat(game: DumpedGame, seat: int, numbers: Numbers) -> Json:
    """Return who held a seat at the end, and about what the ratings were before and after."""
    player, bot = game.table.seats[seat].player, game.table.seats[seat].bot
    change = None if player is None else game.changes.get(player["id"])
    return {
        "player": None if player is None else numbers[player["id"]],
        "kind": "level" if player is None else player.get("kind") or "person",
        "level": bot if player is None else None,
        "before": None if change is None else _describe(change, 0),
        "after": None if change is None else _describe(change, 1),
    }


def _describe(change: RatingChange, which: int) -> Json:
    standing = change[which]
    return {"rating": _round(standing.rating), "deviation": _round(standing.deviation)}


def _round(value: int) -> int:
    return STEP * round(value / STEP)


def _name(seat: Json) -> str:
    """Return what stands in place of a name in the transcript."""
    return f"level {seat['level']}" if seat["player"] is None else f"player {seat['player']}"


def _describe_proof(game: DumpedGame) -> Json | None:
    """Return what proves the draws (`docs/fairness.md`), None where they cannot be proved.

    They cannot where the secret is lost or was renewed, and not where draws were given.
    """
    created, fair = game.events[0].get("fair"), game.table.fair
    renewed = any(event["type"] == "draws_renewed" for event in game.events)
    if game.secret is None or created is None or fair is None or created["given"] or renewed:
        return None
    started = next(event for event in game.events if event["type"] == GAME_STARTED)
    return {
        "scheme": created["scheme"],
        "commitment": created["commitment"],
        "secret": game.secret,
        "entropies": list(game.table.entropies),
        "seating": started.get("seating"),
    }
