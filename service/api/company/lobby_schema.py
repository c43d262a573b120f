"""The lines of the stream of the lobby."""

from __future__ import annotations

from cartulary.service.api.company.seeks_schema import SeekAnswer
from cartulary.service.api.game.games_schema import GameSummary
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, count, list_of
from cartulary.service.schemas.references import game_name


class LobbyCountsAnswer(Answer):
    """How much there is of a game."""

    game = game_name()
    open = count("Public games with an open seat.", required=True)
    vacant = count("Running public games with a vacant seat.", required=True)
    running = count("Running public games.", required=True)
    seeks = count("Open seeks.", required=True)


class LobbySnapshotAnswer(Answer):
    """The lobby."""

    tables = list_of(GameSummary, "Games with an open or a vacant seat, the newest first.")
    seeks = list_of(SeekAnswer, "Without their players, the newest first.")
    counts = list_of(LobbyCountsAnswer, "By game.")


class LobbyChangeAnswer(Answer):
    """What has changed in the lobby."""

    tables = list_of(GameSummary, "Games that are new or have changed, whole.")
    tables_gone = fields.List(
        fields.String(), required=True, description="Ids of games that are shown no more."
    )
    seeks = list_of(SeekAnswer, "Seeks that are new or have changed, whole.")
    seeks_gone = fields.List(
        fields.String(), required=True, description="Ids of seeks that are shown no more."
    )
    counts = list_of(LobbyCountsAnswer, "By game, all of them.")


class LobbySnapshotLine(Answer):
    """In the stream of the lobby: all that it shows."""

    snapshot = fields.Nested(LobbySnapshotAnswer, required=True, description="The lobby.")


class LobbyChangeLine(Answer):
    """In the stream of the lobby: what has changed."""

    change = fields.Nested(LobbyChangeAnswer, required=True, description="The change.")
