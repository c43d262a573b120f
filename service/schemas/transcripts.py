"""Transcripts in requests: any object, whose form the engine judges, without its nulls.

A file may not have such nulls (`docs/transcript.md`); a request may, as in every other field.
"""

from __future__ import annotations

from typing import Any

from cartulary.service.schemas import fields
from cartulary.service.schemas.base import JsonObject, Keeping, Request


class AnyTranscript(Request):
    """Any object; the engine says whether it is a transcript. What may be missing may be null."""

    Meta = Keeping

    options = fields.Raw()
    players = fields.Raw()
    bag = fields.Raw()
    result = fields.Raw()
    ending = fields.Raw()
    entropy = fields.Raw()
    commitment = fields.Raw()
    visibility = fields.Raw()


class TranscriptField(JsonObject):
    """A transcript in a body."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        found = super()._deserialize(value, attr, data, **kwargs)
        return AnyTranscript().leave_out_nulls(found)
