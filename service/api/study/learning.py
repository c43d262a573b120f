"""What the caller learns from analyses: how the last games went, moments that have come back."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.analyses.learning import GAMES, LearnedGame
from cartulary.events.model.clock import format_time
from cartulary.events.people.players import Player
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Flag, count, list_of, seat, text, time, version

blueprint = Blueprint("learning", __name__)


class LearnedGameAnswer(Answer):
    """A game of the caller whose analysis is done."""

    id = text("Id of the game.")
    game = text("The name of the game.")
    at = time("When the analysis was done.")
    seat = seat(required=True)
    won = Flag(required=True, description="The caller is among the winners.")
    margin = fields.Integer(
        required=True, description="The lead over the best other seat, in points."
    )
    luck = fields.Float(required=True, description="What of it the draws gave, in points.")
    played = fields.Float(required=True, description="What of it was play, in points.")


class DueMomentAnswer(Answer):
    """A moment of the caller's own that has come back."""

    id = text("Id of the game.")
    game = text("The name of the game.")
    seat = seat(required=True)
    version = version(required=True)


class LearningAnswer(Answer):
    """The last games of the caller that were analysed, and moments to try again."""

    games = list_of(LearnedGameAnswer, f"{GAMES} at most, those that were analysed last first.")
    won_by_play = count("Of these games: won, and play alone would have won.", required=True)
    won_by_luck = count("Won, and would have been lost without luck.", required=True)
    lost_by_luck = count("Not won, and play alone would have won.", required=True)
    lost_by_play = count("Not won, and luck has not decided it.", required=True)
    moments = list_of(DueMomentAnswer, "Moments that have come back, the longest due first.")


@blueprint.get("/players/me/learning")
@operation(
    "analysis",
    "What the caller learns from analyses",
    {200: AnswerOf("The last games, and moments to try again.", LearningAnswer)},
)
def show_learning(services: Services, who: Player) -> Response:
    """A game comes here when its analysis is done, for each person who has played it to its end.

    One that ended because the others have left is not among them: its margin says nothing. The
    moments of an analysis come back after three days, until they are answered right, as long as
    the analysis is kept.
    """
    learning = services.store.learning
    games = learning.read(who.id)
    kept = services.store.analyses.list_done([game.id for game in games])
    due = learning.list_due([game for game in games if game.id in kept])
    last = [one for one in games if one.is_played][:GAMES]
    sides = [(one.won, one.by_play) for one in last]
    shown = {
        "games": [_describe(one) for one in last],
        "won_by_play": sides.count((True, True)),
        "won_by_luck": sides.count((True, False)),
        "lost_by_luck": sides.count((False, True)),
        "lost_by_play": sides.count((False, False)),
        "moments": [one._asdict() for one in due],
    }
    return answer_json(shown, headers={"Cache-Control": "no-store"})


def _describe(game: LearnedGame) -> dict[str, object]:
    shown = game._asdict()
    del shown["due"], shown["tried"], shown["private"], shown["is_played"]
    return {**shown, "at": format_time(game.at), "played": game.played}
