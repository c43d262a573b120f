"""What a message is refused with: a code of the API, its status and a sentence."""

from __future__ import annotations

from typing import Any

from cartulary.engine.core import Json


class Refusal(Exception):
    """A message that changes nothing; `status` and `code` are those of the API."""

    def __init__(self, status: int, code: str, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.status, self.code, self.more = status, code, more

    def to_json(self) -> Json:
        """Return the refusal in the form of a problem."""
        return {"status": self.status, "code": self.code, "detail": str(self), **self.more}


def invalid(pointer: str, detail: str) -> Refusal:
    """Return the refusal of a message with one wrong member."""
    errors = [{"pointer": pointer, "detail": detail}]
    return Refusal(422, "invalid", f"{pointer}: {detail}", errors=errors)


def not_found(what: str) -> Refusal:
    """Return the refusal of a message about something that is not there."""
    return Refusal(404, "not_found", f"{what} is not here")
