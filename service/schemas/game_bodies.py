"""Fields of bodies that arrange a game: seats, versions, entropy."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, validate

from cartulary.events.commands.table.opening import (
    ENTROPY,
    fault_of_entropy,
)
from cartulary.events.model.status import Status
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Request, Whole, version


def _is_entropy(text: str) -> None:
    fault = fault_of_entropy(text)
    if fault is not None:
        raise ValidationError(fault)


def entropy() -> fields.String:
    """Return a field for what a player adds to the draws."""
    return fields.String(
        validate=_is_entropy,
        description="What the player adds to the seed of the draws: random characters.",
        metadata={"pattern": f"^{ENTROPY}$"},
    )


def commitment(more: str = "") -> fields.String:
    """Return a field for a commitment made beforehand; `more` is added to its description."""
    return fields.String(
        validate=validate.Length(1, 64),
        description=f"The id from `POST /api/v1/fair/commitments`.{more}",
    )


def expected_version() -> Whole:
    """Return a field for the version that a game must have."""
    return version(
        description="The version that the game must have. Without it the service judges the "
        "request by the game as it is."
    )


def player_field(description: str, **kwargs: Any) -> fields.String:
    """Return a field for the id of a player."""
    return fields.String(validate=validate.Length(1, 64), description=description, **kwargs)


def must_belong(seat: dict[str, Any]) -> None:
    """Refuse a seat of kind `bot` without a bot, `invite` without a player, and the reverse."""
    for kind, name in (("bot", "bot"), ("invite", "player")):
        if seat.get("kind") == kind and name not in seat:
            raise ValidationError(f"is needed with the kind `{kind}`", name)
        if seat.get("kind") != kind and name in seat:
            raise ValidationError(f"belongs to the kind `{kind}` only", name)


class PlainWrite(Request):
    """A write to a game that says nothing else."""

    expected_version = expected_version()


STATUSES = [str(status) for status in Status]
