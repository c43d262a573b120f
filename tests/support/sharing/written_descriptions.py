"""The description as YAML, which the services of one process share.

To write it takes a third of a second in each of its forms, and a test that reads every address of a
service of its own reads them all.
"""

from __future__ import annotations

from cartulary.service.openapi.document import Description

_write = Description.__dict__["yaml"].func
_written: dict[str, str] = {}


def _write_once(self: Description) -> str:
    if self.digest not in _written:
        _written[self.digest] = _write(self)
    return _written[self.digest]


def write_descriptions_once() -> None:
    """Let all services of this process share what they write of equal descriptions."""
    setattr(Description, "yaml", property(_write_once))  # noqa: B010, mypy refuses a method
