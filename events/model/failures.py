"""What the ledger cannot do, as data, in the order of this file.

LedgerError (`events.model.errors`)
├── BrokenHistory                Misfit and UnknownSchema become BrokenHistory
├── NewerRelease                 UnknownEvent
├── DrawsUnavailable             SecretMissing, WrongKey
├── InvariantBroken              a defect of the service, noticed by itself
└── InvalidKey

What goes wrong in one other room only is defined there, below these classes: the store as a whole
in `events.server.format`, backups, archives, settings and the embedded server in their rooms.
"""

from __future__ import annotations

from typing import ClassVar, Final

from cartulary.events.model.errors import LedgerError

MALFORMED: Final = (LookupError, TypeError, ValueError, AttributeError, StopIteration)
"""What code that reads events raises where the parts of a field have another form."""


class BrokenHistory(LedgerError):
    """A stored stream that cannot be folded.

    Attributes: `game_id`; `version`, the event that does not fit; `problem`, a stable word;
    `detail`, a sentence.
    """

    def __init__(self, game_id: str, version: int, problem: str, detail: str) -> None:
        super().__init__(f"game {game_id}, version {version}: {problem}: {detail}")
        self.game_id, self.version = game_id, version
        self.problem, self.detail = problem, detail


class Misfit(LedgerError):
    """An event that cannot come here: `problem` is a stable word (`docs/ledger.md`)."""

    def __init__(self, problem: str, detail: str) -> None:
        super().__init__(detail)
        self.problem = problem


class UnknownSchema(LedgerError):
    """A type or a schema of events that this release does not know."""


class NewerRelease(LedgerError):
    """A newer release has written what this release does not know.

    Nothing is wrong with the store: the service answers 503 `unavailable` until it is upgraded.
    """

    code: ClassVar[str] = "unavailable"


class UnknownEvent(NewerRelease):
    """A stored event whose type, schema or game this release does not know.

    Attributes: `game_id`; `version` of the event; `detail`, a sentence.
    """

    def __init__(self, game_id: str, version: int, detail: str) -> None:
        super().__init__(f"game {game_id}, version {version}: {detail}")
        self.game_id, self.version, self.detail = game_id, version, detail


CHECKS: Final = ("draft", "appended", "thought", "summary", "told")
"""The checks of the service by itself (`docs/reliability.md`)."""


class InvariantBroken(LedgerError):
    """What the code is about to write, or was answered, contradicts what it knows.

    Only a defect of the service leads here (`docs/reliability.md`): what is stored and does not fit
    is `BrokenHistory`. Attributes: `game_id`; `version`; `check`, one of `CHECKS`; `is_stored`:
    False when nothing of the command has been stored, True when some of it may have been.
    """

    code: ClassVar[str] = "internal_error"

    def __init__(
        self, game_id: str, version: int, check: str, detail: str, is_stored: bool = False
    ) -> None:
        super().__init__(f"game {game_id}, version {version}: {check}: {detail}")
        self.game_id, self.version = game_id, version
        self.check, self.is_stored = check, is_stored


class DrawsUnavailable(LedgerError):
    """The draws of a game cannot be computed; the game goes on once the operator has helped.

    Nothing is lost: the service answers 503 `unavailable` until then.
    """

    code: ClassVar[str] = "unavailable"


class SecretMissing(DrawsUnavailable):
    """The store has no secret of a game that needs it."""

    def __init__(self, game_id: str) -> None:
        remedy = "`cartulary serve --renew-draws` gives the game a new secret"
        super().__init__(f"the secret of game {game_id} is missing: {remedy}")


class WrongKey(DrawsUnavailable):
    """No key of this process decrypts a secret, or the process has no key."""


class InvalidKey(LedgerError):
    """`CARTULARY_SECRET` cannot be read; the message shows nothing of it."""
