"""What commands refuse beside `events.errors`: to leave, return, claim, branch, talk, and so on.

Each is a `Refused` of `events.errors`: nothing has been stored.
"""

from __future__ import annotations

from cartulary.events.errors import Json, Refused
from cartulary.events.types import format_time


class SeatForfeited(Refused):
    """The owner has lost the seat for good, so the owner neither moves nor returns."""

    code = "seat_forfeited"


class Alone(Refused):
    """No other person contends: a game that only the caller plays simply waits for the caller."""

    code = "alone"


class Muted(Refused):
    """An operator has taken the word from the player, until a time (RFC 3339) or for good."""

    code = "muted"

    def __init__(self, until: str | None) -> None:
        self.until = until
        super().__init__(f"the operators let you write nothing until {until or 'they allow it'}")

    def members(self) -> Json:
        """Return until when the player may not write, null without an end."""
        return {"until": self.until}


class AccountNeeded(Refused):
    """A guest may not do this: the player has an account only with recovery codes."""

    code = "account_needed"


class NotAuthor(Refused):
    """Another player has written the message."""

    code = "not_author"


class NotReady(Refused):
    """Somebody at a live table has not said to be ready for the start: the players of `seats`."""

    code = "not_ready"

    def __init__(self, seats: list[int]) -> None:
        super().__init__(f"not everybody is ready: seat {', '.join(map(str, seats))}")
        self.seats = seats

    def members(self) -> Json:
        """Return the seats whose players are not ready."""
        return {"seats": self.seats}


class Untimed(Refused):
    """The game has no clock, or not the clock that this needs."""

    code = "untimed"


class TooLate(Refused):
    """The time for this is over: everybody has answered once, or a message is old."""

    code = "too_late"


class NotOverdue(Refused):
    """The seat may not be claimed, at least not before `deadline` (ms since the epoch).

    Without a deadline the seat is not asked, or a bot answers for it.
    """

    code = "not_overdue"

    def __init__(self, seat: int, deadline: int | None = None) -> None:
        self.deadline_at = None if deadline is None else format_time(deadline)
        until = "is not asked" if deadline is None else f"has time until {self.deadline_at}"
        super().__init__(f"seat {seat} {until}")

    def members(self) -> Json:
        """Return the moment from which on the seat may be claimed, null without a deadline."""
        return {"deadline_at": self.deadline_at}


class ProposalOpen(Refused):
    """Another proposal waits for answers; a table has at most one. `proposal` is its version."""

    code = "proposal_open"

    def __init__(self, proposal: int) -> None:
        super().__init__(f"proposal {proposal} still waits for answers")
        self.proposal = proposal

    def members(self) -> Json:
        """Return the id of the open proposal."""
        return {"proposal": self.proposal}


class BranchNotAllowed(Refused):
    """Somebody else plays the game: a branch would try the moves of a game that goes on."""

    code = "branch_not_allowed"

    def __init__(self) -> None:
        super().__init__(
            "a branch comes from a game that is over, or from a running game in which all others "
            "are bots"
        )


class GameRunning(Refused):
    """The game is not over: it has no rematch and no analysis yet."""

    code = "game_running"

    def __init__(self, status: str) -> None:
        super().__init__(f"the game is {status}, not over")
        self.status = status


class HintsOff(Refused):
    """The game was not opened with hints, or is no practice game any more."""

    code = "hints_off"

    def __init__(self) -> None:
        super().__init__("hints are off in this game")


class NothingToTakeBack(Refused):
    """No move stands that the caller could take back: none at all, or none after that version."""

    code = "nothing_to_take_back"


class TakebacksOff(Refused):
    """The takeback needs the consent of others, and the table or another player rules that out."""

    code = "takebacks_off"


class AskedBefore(Refused):
    """Others have declined this, and the caller has not moved since, or has asked three times."""

    code = "asked_before"


class ProposalClosed(Refused):
    """The proposal was answered, withdrawn or dropped before, or it has expired."""

    code = "proposal_closed"

    def __init__(self, proposal: int) -> None:
        super().__init__(f"proposal {proposal} is closed")


class NotAsked(Refused):
    """The proposal does not ask the caller."""

    code = "not_asked"
