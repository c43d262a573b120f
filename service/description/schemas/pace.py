"""The pace of a game: in the request for a new game, and in answers."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.events.pace import BANKS, CORRESPONDENCE, DELAYS, MODES
from cartulary.service.description.schemas.base import Answer, Flag, Request, whole

_MOST_DELAY, _MOST_BANK = DELAYS[CORRESPONDENCE][1], BANKS[CORRESPONDENCE][1]


class PaceRequest(Request):
    """How much time the players have, in seconds; the catalogue has presets (`paces`)."""

    mode = fields.String(
        required=True,
        validate=validate.OneOf(MODES),
        metadata={"description": "`live`: everybody is at the table. `correspondence`: over days."},
    )
    delay = whole(
        1,
        _MOST_DELAY,
        required=True,
        metadata={
            "description": "Free in every turn and never saved up: 5 to 300 live, 3600 to 1209600 "
            "in correspondence."
        },
    )
    bank = whole(
        0,
        _MOST_BANK,
        required=True,
        metadata={
            "description": "The reserve for the whole game: up to 7200 live, up to 2592000 in "
            "correspondence."
        },
    )
    refill = whole(
        0,
        _MOST_DELAY,
        metadata={
            "description": "Back into the bank after a turn, at most what the turn used: up to 300 "
            "live, up to the delay in correspondence; default 0."
        },
    )
    vacation = Flag(
        metadata={
            "description": "Correspondence only: the vacation of a player stops the player's "
            "clock; default true."
        }
    )


class PaceAnswer(Answer):
    """How much time the players have, in seconds."""

    mode = fields.String(required=True, validate=validate.OneOf(MODES))
    delay = whole(1, required=True, metadata={"description": "Free in every turn."})
    bank = whole(0, required=True, metadata={"description": "The reserve for the whole game."})
    refill = whole(0, required=True, metadata={"description": "Back into the bank after a turn."})
    vacation = fields.Boolean(
        metadata={
            "description": "Correspondence only: the vacation of a player stops the player's clock."
        }
    )
