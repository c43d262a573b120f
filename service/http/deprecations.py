"""What is deprecated, since when, and until when it works: one table.

Key of the table: the `operationId` of an operation, or `Component.field`. An operation also says
so in each of its answers, with `Deprecation` (RFC 9745) and `Sunset` (RFC 8594); headers are about
a whole resource, so a field is marked in the description only. `docs/versions.md` has the policy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import wraps
from types import MappingProxyType
from typing import Any, Final

from flask import Response, after_this_request
from werkzeug.http import http_date

NOTICE: Final = timedelta(days=183)
"""Six months: for so long a deprecated thing works at least."""


@dataclass(frozen=True, slots=True)
class DeprecationNotice:
    """Since when (UTC) something is deprecated, the first day without it, and what to use instead.

    Raises `ValueError` for a notice of less than six months.
    """

    since: date
    sunset: date
    instead: str

    def __post_init__(self) -> None:
        """Refuse a notice that is too short."""
        if self.sunset - self.since < NOTICE:
            raise ValueError(f"{self.sunset} is less than {NOTICE.days} days after {self.since}")

    @property
    def headers(self) -> dict[str, str]:
        """The headers of an answer of a deprecated operation."""
        return {
            "Deprecation": f"@{_midnight(self.since).timestamp():.0f}",
            "Sunset": http_date(_midnight(self.sunset)),
        }

    @property
    def text(self) -> str:
        """What the description says."""
        return f"Deprecated since {self.since}, gone on {self.sunset}: {self.instead}"


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


DEPRECATED: Mapping[str, DeprecationNotice] = MappingProxyType({})
"""The table. Nothing is deprecated at present."""


def announce(view: Callable[..., Response], notice: DeprecationNotice) -> Callable[..., Response]:
    """Return the view with the headers of the notice on all its answers, also on refusals."""

    def add_headers(answer: Response) -> Response:
        answer.headers.update(notice.headers)
        return answer

    @wraps(view)
    def perform(**arguments: Any) -> Response:
        after_this_request(add_headers)
        return view(**arguments)

    return perform


def mark(described: dict[str, Any], notice: DeprecationNotice) -> dict[str, Any]:
    """Return an operation or a property of the description with what the notice says of it."""
    said = f"{described.get('description', '')}\n\n{notice.text}".strip()
    return {
        **described,
        "deprecated": True,
        "description": said,
        "x-sunset": notice.sunset.isoformat(),
    }
