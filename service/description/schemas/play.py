"""Answers for people who think about a move: what lies on the board, why a move is not legal."""

from __future__ import annotations

from marshmallow import fields

from cartulary.service.description.schemas.base import Answer, count, list_of, text, version


class WhyAnswer(Answer):
    """Whether a move is legal now, and why not."""

    legal = fields.Boolean(required=True)
    rule = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The broken rule, for programs: for example `cannot_pay`. More may be "
            "added. Null for a legal move."
        },
    )
    reason = text("The reason as the engine says it, in English; empty for a legal move.")
    text = text("The reason in the language asked for.")


class SegmentAnswer(Answer):
    """A part of a feature: where its tile lies, and the segment of the tile."""

    x = fields.Integer(required=True)
    y = fields.Integer(required=True)
    segment = fields.String(required=True)


class FeatureAnswer(Answer):
    """What lies on several places of the board together, and what it is worth."""

    kind = text("For Carcassonne `city`, `road`, `monastery` or `farm`.")
    segments = list_of(SegmentAnswer, "Its parts.")
    tiles = count("How many tiles it has; a monastery those round it, too.", required=True)
    open = count("Its open edges; of a monastery the empty places round it.", required=True)
    followers = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "How many followers each seat has in it."},
    )
    now = count(
        "Points of the seats with the majority if the play ends now; of a completed feature, the "
        "points that they score at once.",
        required=True,
    )
    done = count(
        "Points of the seats with the majority when the feature is completed as large as it is. "
        "Null for a farm.",
        required=True,
        allow_none=True,
    )
    pennants = count("Pennants of a city.")
    cities = count("Completed cities that a farm touches.")
    beside = count("All cities that a farm touches.")


class FeaturesAnswer(Answer):
    """The features on the board."""

    version = version(required=True)
    features = list_of(FeatureAnswer, "In the order in which they were begun.")
