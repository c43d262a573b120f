"""What a bot of others does wrong."""

from __future__ import annotations

from typing import Final

NOT_STARTED: Final = "not_started"
RAISED: Final = "raised"
DIED: Final = "died"
LATE: Final = "late"
RUBBISH: Final = "rubbish"
TOO_LONG: Final = "too_long"
OTHER_ID: Final = "other_id"
ILLEGAL: Final = "illegal"


class BotFault(Exception):
    """A bot has failed: `kind` is one of the words of this module, `name` is the bot's."""

    def __init__(self, kind: str, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.kind, self.name, self.why = kind, name, why

    def __reduce__(self) -> tuple[type[BotFault], tuple[str, str, str]]:
        """Return how the exception crosses the border of a process."""
        return BotFault, (self.kind, self.name, self.why)
