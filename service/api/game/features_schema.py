"""What lies on the board: a query, and the answers."""

from __future__ import annotations

from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, count, list_of, text, version, whole


class BoardSegmentAnswer(Answer):
    """A part of a feature: where its tile lies, and the segment of the tile."""

    x = fields.Integer(required=True)
    y = fields.Integer(required=True)
    segment = text()


class FeatureAnswer(Answer):
    """What lies on several places of the board together, and what it is worth."""

    kind = text("For Carcassonne `city`, `road`, `monastery` or `farm`.")
    segments = list_of(BoardSegmentAnswer, "Its parts.")
    tiles = count("How many tiles it has; a monastery those round it, too.", required=True)
    open = count("Its open edges; of a monastery the empty places round it.", required=True)
    followers = fields.List(
        fields.Integer(), required=True, description="How many followers each seat has in it."
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


class FeatureListAnswer(Answer):
    """The features on the board."""

    version = version(required=True)
    features = list_of(FeatureAnswer, "In the order in which they were begun.")


class FeaturesQuery(Request):
    """The moment whose features are asked for."""

    version = whole(
        1,
        2**31 - 1,
        text=True,
        load_default=None,
        description="The table after this event; missing: after the last event.",
    )
