"""Bodies of requests of people who leave a running game, or claim the seat of somebody else."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.events.overdue import REMEDIES
from cartulary.service.description.schemas.arranging import expected_version
from cartulary.service.description.schemas.base import Request, seat


class ResignationRequest(Request):
    """The seat to give up; needed by a player who holds several."""

    seat = seat()
    expected_version = expected_version()


class ClaimRequest(Request):
    """What is to become of the seat of somebody who does not answer."""

    remedy = fields.String(
        required=True,
        validate=validate.OneOf(REMEDIES),
        metadata={
            "description": "`stand_in`: a bot answers until the owner returns. `forfeit`: the "
            "owner is out for good. `abort`: the game ends without a result. The last two need "
            "everybody else who plays and is not away."
        },
    )
    expected_version = expected_version()
