"""The pace of a game: in the request for a new game, and in answers."""

from __future__ import annotations

from marshmallow import validate

from cartulary.events.model.time.pace import BANKS, CORRESPONDENCE, DELAYS, MODES
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Flag, Request, count, text, whole

_MOST_DELAY, _MOST_BANK = DELAYS[CORRESPONDENCE][1], BANKS[CORRESPONDENCE][1]


class PaceRequest(Request):
    """How much time the players have, in seconds; the catalogue has presets (`paces`)."""

    mode = text(
        "`live`: everybody is at the table. `correspondence`: over days.",
        validate=validate.OneOf(MODES),
    )
    delay = whole(
        1,
        _MOST_DELAY,
        required=True,
        description="Free in every turn and never saved up: 5 to 300 live, 3600 to 1209600 "
        "in correspondence.",
    )
    bank = whole(
        0,
        _MOST_BANK,
        required=True,
        description="The reserve for the whole game: up to 7200 live, up to 2592000 in "
        "correspondence.",
    )
    refill = whole(
        0,
        _MOST_DELAY,
        description="Back into the bank after a turn, at most what the turn used: up to 300 "
        "live, up to the delay in correspondence; default 0.",
    )
    vacation = Flag(
        description="Correspondence only: the vacation of a player stops the player's "
        "clock; default true."
    )


class PaceAnswer(Answer):
    """How much time the players have, in seconds."""

    mode = text(validate=validate.OneOf(MODES))
    delay = whole(1, required=True, description="Free in every turn.")
    bank = count("The reserve for the whole game.", required=True)
    refill = count("Back into the bank after a turn.", required=True)
    vacation = fields.Boolean(
        description="Correspondence only: the vacation of a player stops the player's clock."
    )
