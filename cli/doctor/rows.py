"""What a row of the table of checks is, and what comes of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cartulary.cli.doctor.site import Site


class Severity(Enum):
    """How bad a fault is."""

    ERROR = "error"
    """Something is lost, stands still, or is about to."""
    WARNING = "warning"
    """It works today; a person should look at it."""


class Needs(Enum):
    """What must be there before a check can look."""

    NOTHING = "nothing"
    """The environment and the files of this machine."""
    SERVERS = "servers"
    """Servers that answer, whatever they hold."""
    GAMES = "games"
    """A store that this release can read."""
    ARCHIVE = "archive"
    """A store that this release can read, and an archive."""


Look = Callable[["Site"], Iterable[str]]
"""Looks at an installation; yields a sentence about each fault that it sees, nothing for none.

May raise `RedisError` and `ArchiveError`: then the check could not be made.
"""


class Check(NamedTuple):
    """A fault that the doctor looks for: a row of the table.

    `code` is stable: programs go by it. `fault` says what is wrong and what follows, `remedy` what
    to do. `page` is the page about it in `docs/`, with an anchor.
    """

    code: str
    severity: Severity
    fault: str
    remedy: str
    page: str
    look: Look
    needs: Needs = Needs.SERVERS
    section: str = ""


def make_section(title: str, *checks: Check) -> tuple[Check, ...]:
    """Return checks that belong together, each with the title."""
    return tuple(check._replace(section=title) for check in checks)


class Finding(NamedTuple):
    """A fault that was seen: `seen` says what and where."""

    check: Check
    seen: str


class Diagnosis(NamedTuple):
    """What the doctor has seen.

    `made` are the codes of the checks that were made, `skipped` lead from a code to the reason why
    a check was not made. `looked_at` says by section what was looked at. `level` is the format
    level of the store, None where no store says it.
    """

    findings: list[Finding]
    made: list[str]
    skipped: dict[str, str]
    looked_at: dict[str, str]
    level: int | None = None

    @property
    def healthy(self) -> bool:
        """Whether nothing is wrong, as far as was looked."""
        return not self.findings
