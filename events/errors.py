"""What the ledger refuses, as data.

LedgerError
├── Refused                  a command that is refused; nothing has been stored
│   ├── NotFound             not_found             no such game, or a private one of others
│   ├── NotSeated            not_seated            the caller has no seat there
│   ├── NotHost              not_host              another player arranges this table
│   ├── Removed              removed               the host has removed the caller
│   ├── NotYourTurn          not_your_turn         + decision
│   ├── GameNotRunning       game_not_running      + status of the game
│   ├── AlreadyStarted       already_started
│   ├── SeatTaken            seat_taken
│   ├── SeatOffered          seat_offered          the seat is offered to another player
│   ├── SeatsOpen            seats_open            the game cannot start with these seats
│   ├── StaleVersion         stale_version         + current_version
│   ├── Invalid              invalid               + errors, each with pointer and detail
│   ├── IllegalMoveRefused   illegal_move          + legal_moves, decision
│   ├── RateLimited          rate_limited          + Retry-After
│   ├── QuotaExceeded        quota_exceeded        + quota, limit, used, free_at
│   ├── … of `events.refusals`, for people who leave, return and claim
│   └── IdempotencyMismatch  idempotency_mismatch
├── BrokenHistory            a stored stream that cannot be folded; names the version
├── NewerRelease             unavailable           a newer release has written this
│   ├── UnknownEvent         an event; names the game and the version
│   └── NewerStore           the whole store; also UnusableStore
├── UnusableStore            no process of this release may work on the store
│   └── HalfRestored         a restore was interrupted
├── DrawsUnavailable         unavailable           the draws of a game cannot be computed
│   ├── SecretMissing        its secret is not stored
│   └── WrongKey             no key of this process decrypts the secret
├── InvalidKey               CARTULARY_SECRET cannot be read
├── UnknownSchema            a type or a schema that this release does not know
├── Misfit                   an event that cannot come here; becomes BrokenHistory
├── NotEmpty                 a database that should have been empty
├── EmbeddedError            the embedded server
│   ├── DataDirInUse         another process has the data directory
│   └── NoServer             no server program is installed
└── StopRequested            the start of the embedded server was cancelled
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from cartulary.events.types import format_time

Json = dict[str, Any]


class LedgerError(Exception):
    """The root of everything that the ledger refuses or cannot do."""


class Refused(LedgerError):
    """A refused command. `code` is stable (`docs/ledger.md`); `str()` is for people."""

    code: ClassVar[str] = "refused"

    def members(self) -> Json:
        """Return the additional members of the problem, ready for JSON."""
        return {}


class NotFound(Refused):
    """There is no such game, seat or player, or it is a private game of others."""

    code = "not_found"


class NotSeated(Refused):
    """The caller has no seat in this game, or not that one."""

    code = "not_seated"


class NotHost(Refused):
    """Only the host may arrange the table."""

    code = "not_host"

    def __init__(self) -> None:
        super().__init__("only the host of this table may do this")


class Removed(Refused):
    """The host has removed the caller from this table: the caller may not come back."""

    code = "removed"

    def __init__(self) -> None:
        super().__init__("the host has removed you from this table")


class NotYourTurn(Refused):
    """Another seat is asked; `decision` is the pending one as in the move contract."""

    code = "not_your_turn"

    def __init__(self, decision: Json) -> None:
        super().__init__(f"seat {decision['seat']} is asked ({decision['kind']}), not you")
        self.decision = decision

    def members(self) -> Json:
        """Return the pending decision."""
        return {"decision": self.decision}


class GameNotRunning(Refused):
    """The game is not being played now; `status` says what it is instead."""

    code = "game_not_running"

    def __init__(self, status: str) -> None:
        super().__init__(f"the game is {status}, not running")
        self.status = status


class AlreadyStarted(Refused):
    """Seats can be taken and left before the start only."""

    code = "already_started"


class SeatTaken(Refused):
    """The seat is not free, or the caller sits at this table already."""

    code = "seat_taken"


class SeatOffered(Refused):
    """The seat is offered to another player."""

    code = "seat_offered"


class SeatsOpen(Refused):
    """The game cannot start: seats are open, or too few players are left without them."""

    code = "seats_open"


class StaleVersion(Refused):
    """`expected_version` does not hold.

    It would hold if it were between `lowest` and `current_version`: for a move `lowest` is the
    position of the game, for other commands the current version.
    """

    code = "stale_version"

    def __init__(self, current_version: int, lowest: int | None = None) -> None:
        super().__init__(f"the game is at version {current_version}")
        self.current_version = current_version
        self.lowest = current_version if lowest is None else lowest

    def allows(self, version: int) -> bool:
        """Return whether this version would have held."""
        return self.lowest <= version <= self.current_version

    def members(self) -> Json:
        """Return the current version."""
        return {"current_version": self.current_version}


class Invalid(Refused):
    """A request that is well-formed but cannot be meant; one entry per culprit."""

    code = "invalid"

    def __init__(self, errors: Sequence[tuple[str, str]]) -> None:
        """Take (JSON pointer, detail) pairs."""
        super().__init__("; ".join(f"{pointer}: {detail}" for pointer, detail in errors))
        self.errors: list[Json] = [{"pointer": p, "detail": d} for p, d in errors]

    def members(self) -> Json:
        """Return the list of errors."""
        return {"errors": self.errors}


class IllegalMoveRefused(Refused):
    """A move that is not in the list of legal moves; `reason` names the rule it breaks."""

    code = "illegal_move"

    def __init__(
        self, reason: str, decision: Json, legal_moves: Sequence[Mapping[str, Any]]
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.decision = decision
        self.legal_moves = list(legal_moves)

    def members(self) -> Json:
        """Return the legal moves and the decision that they answer."""
        return {"legal_moves": self.legal_moves, "decision": self.decision}


class IdempotencyMismatch(Refused):
    """An idempotency key that was used before with another body."""

    code = "idempotency_mismatch"

    def __init__(self) -> None:
        super().__init__("this Idempotency-Key was used before with another request")


class RateLimited(Refused):
    """The player did something too often; it is worth trying again in `retry_after` seconds."""

    code = "rate_limited"

    def __init__(self, what: str, retry_after: int) -> None:
        super().__init__(f"{what}; retry in {retry_after} s")
        self.retry_after = retry_after


_OF_QUOTAS = {
    "open": "games that wait for players",
    "running": "games that run",
    "bots": "running games of bots only",
    "imports": "imports in an hour",
    "seats": "running games in which a player holds a seat",
    "analyses": "analyses in a day",
    "blocks": "blocked players",
    "tokens": "tokens",
}

TRY_AGAIN_S = 60
"""After this time it is worth trying again where nobody knows when a game ends."""


class QuotaExceeded(Refused):
    """The player has as many games of a kind as a player may have.

    `used` may be more than `limit`: the limit was higher, or others started games of the player.
    `free_at` is in ms since the epoch, `wait` in seconds; 0 and None where nobody knows.
    """

    code = "quota_exceeded"

    def __init__(self, quota: str, limit: int, used: int, free_at: int, wait: int | None) -> None:
        again = "when there are fewer of them" if wait is None else f"in {wait} s"
        super().__init__(f"at most {limit} {_OF_QUOTAS[quota]} for each player; again {again}")
        self.quota, self.limit, self.used = quota, limit, used
        self.free_at, self.wait = free_at, wait

    @property
    def retry_after(self) -> int:
        """The seconds after which it is worth trying again."""
        return TRY_AGAIN_S if self.wait is None else self.wait

    def members(self) -> Json:
        """Return the quota, its limit, how much is used, and when there is a place again."""
        free_at = format_time(self.free_at) if self.free_at else None
        return {"quota": self.quota, "limit": self.limit, "used": self.used, "free_at": free_at}


class BrokenHistory(LedgerError):
    """A stored stream that cannot be folded.

    Attributes: `game_id`; `version`, the event that does not fit; `problem`, a stable word;
    `detail`, a sentence.
    """

    def __init__(self, game_id: str, version: int, problem: str, detail: str) -> None:
        super().__init__(f"game {game_id}, version {version}: {problem}: {detail}")
        self.game_id = game_id
        self.version = version
        self.problem = problem
        self.detail = detail


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


class UnusableStore(LedgerError):
    """No process of this release may work on the store; the message says what to do."""


class HalfRestored(UnusableStore):
    """A restore of `file` was interrupted, so the store is incomplete."""

    def __init__(self, file: str) -> None:
        super().__init__(
            f"a restore of {file} was interrupted, so the store is incomplete: run "
            f"`cartulary restore` with that file again, or start with an empty data directory"
        )


class NewerStore(NewerRelease, UnusableStore):
    """The format of the store is newer than the format of this release."""

    def __init__(self, stored: int, known: int) -> None:
        super().__init__(
            f"a newer release has written to this store (its format is {stored}, this release knows"
            f" {known}): upgrade this process"
        )


class UnknownEvent(NewerRelease):
    """A stored event whose type, schema or game this release does not know.

    Attributes: `game_id`; `version` of the event; `detail`, a sentence.
    """

    def __init__(self, game_id: str, version: int, detail: str) -> None:
        super().__init__(f"game {game_id}, version {version}: {detail}")
        self.game_id = game_id
        self.version = version
        self.detail = detail


class DrawsUnavailable(LedgerError):
    """The draws of a game cannot be computed; the game goes on once the operator has helped.

    Nothing is lost: the service answers 503 `unavailable` until then.
    """

    code: ClassVar[str] = "unavailable"


class SecretMissing(DrawsUnavailable):
    """The store has no secret of a game that needs it."""

    def __init__(self, game_id: str) -> None:
        super().__init__(
            f"the secret of game {game_id} is missing: `cartulary serve --renew-draws` gives the "
            "game a new secret"
        )


class WrongKey(DrawsUnavailable):
    """No key of this process decrypts a secret, or the process has no key."""


class InvalidKey(LedgerError):
    """`CARTULARY_SECRET` cannot be read; the message shows nothing of it."""


class NotCached(Refused):
    """A command needs what is not in the memory of this process, and may not wait for the store."""


class NotEmpty(LedgerError):
    """The database holds keys although it should be empty."""


class EmbeddedError(LedgerError):
    """The embedded server cannot do what was asked."""


class DataDirInUse(EmbeddedError):
    """Another process is serving this data directory."""


class NoServer(EmbeddedError):
    """There is neither the bundled server nor one of version 7 or later on PATH."""


class StopRequested(LedgerError):
    """The caller cancelled the start of the embedded server."""
