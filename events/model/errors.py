"""What the ledger refuses, as data, in the order of this file.

LedgerError                      what it cannot do is in `events.model.failures`
└── Refused: the answer to a command, with a stable code; nothing has been stored
    ├── because of the caller    NotFound, NotSeated, NotHost, Removed, NotYourTurn, NotAsked,
    │                            NotInvited, RatingOutside, NotAuthor, AccountNeeded,
    │                            NotForBots, Muted, Suspended, SeatForfeited, Alone
    ├── because of the table     AlreadyStarted, SeatTaken, SeatOffered, SeatsOpen, NotReady,
    │                            GameNotRunning, GameRunning, Untimed, HintsOff, TakebacksOff,
    │                            NothingToTakeBack, BranchNotAllowed, NotOverdue, TooLate,
    │                            AskedBefore, ProposalOpen, ProposalClosed, RatedGame, OnLadder,
    │                            RoundOpen, TournamentStarted, TournamentFull, NotEntered,
    │                            PuzzleAnswered, PuzzleOpen
    ├── because of the request   Invalid, IllegalMoveRefused, LineUnfinished, StaleVersion,
    │                            IdempotencyMismatch
    └── for now                  RateLimited, QuotaExceeded, NotCached
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from cartulary.events.model.clock import format_time
from cartulary.events.model.quota_words import OF_QUOTAS

Json = dict[str, Any]


class LedgerError(Exception):
    """The root of everything that the ledger refuses or cannot do."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the error again in another process.

        `Exception` would give its message to a constructor that takes something else.
        """
        return _make_again, (type(self), self.args), self.__dict__


def _make_again(kind: type[LedgerError], args: tuple[Any, ...]) -> LedgerError:
    return kind.__new__(kind, *args)


class Refused(LedgerError):
    """A refused command: `code` is stable (`docs/ledger.md`), `str()` is for people.

    A class is defined with its code, and with its sentence where all its errors have the same.
    """

    code: ClassVar[str] = "refused"
    _sentence: ClassVar[str] = ""

    def __init_subclass__(cls, code: str = "", sentence: str = "") -> None:
        """Note the code and the sentence of a class, by default those of its base."""
        cls.code, cls._sentence = code or cls.code, sentence or cls._sentence

    def __init__(self, detail: str = "", **members: Any) -> None:
        """Take a sentence for people, and the additional members of the problem."""
        super().__init__(detail or self._sentence)
        self._members = members

    def members(self) -> Json:
        """Return the additional members of the problem, ready for JSON."""
        return self._members


# -- because of the caller ------------------------------------------------------------------------


class NotFound(Refused, code="not_found"):
    """There is no such game, seat or player, or it is a private game of others."""


class NotSeated(Refused, code="not_seated"):
    """The caller has no seat in this game, or not that one."""


class NotHost(Refused, code="not_host", sentence="only the host of this table may do this"):
    """Only the host may arrange the table."""


class Removed(Refused, code="removed", sentence="the host has removed you from this table"):
    """The host has removed the caller from this table: the caller may not come back."""


class NotYourTurn(Refused, code="not_your_turn"):
    """Another seat is asked; `decision` is the pending one as in the move contract."""

    def __init__(self, decision: Json) -> None:
        detail = f"seat {decision['seat']} is asked ({decision['kind']}), not you"
        super().__init__(detail, decision=decision)


class NotAsked(Refused, code="not_asked"):
    """The proposal does not ask the caller."""


class NotInvited(Refused, code="not_invited", sentence="the host has invited other players"):
    """The tournament is for those whom its host has invited."""


class RatingOutside(Refused, code="rating_outside"):
    """The tournament is for other ratings than that of the caller, which is `rating`."""

    def __init__(self, lowest: int, highest: int, rating: int) -> None:
        detail = f"the tournament is for ratings from {lowest} to {highest}; yours is {rating}"
        super().__init__(detail, lowest=lowest, highest=highest, rating=rating)


class NotAuthor(Refused, code="not_author"):
    """Another player has written the message."""


class AccountNeeded(Refused, code="account_needed"):
    """A guest may not do this: the player has an account only with recovery codes."""


class NotForBots(Refused, code="not_for_bots"):
    """A player of kind bot may not do this; a person may."""


class Muted(Refused, code="muted"):
    """An operator has taken the word from the player, until a time (RFC 3339) or for good."""

    def __init__(self, until: str | None) -> None:
        detail = f"the operators let you write nothing until {until or 'they allow it'}"
        super().__init__(detail, until=until)


class Suspended(Refused, code="suspended"):
    """The operators have suspended the player, until a time (RFC 3339) or for good."""

    def __init__(self, until: str | None) -> None:
        end = "for good" if until is None else f"until {until}"
        detail = f"the operators have suspended you {end}: you may read, export and delete"
        super().__init__(detail, until=until)


class SeatForfeited(Refused, code="seat_forfeited"):
    """The owner has lost the seat for good, so the owner neither moves nor returns."""


class Alone(Refused, code="alone"):
    """No other person contends: a game that only the caller plays simply waits for the caller."""


# -- because of the table -------------------------------------------------------------------------


class AlreadyStarted(Refused, code="already_started"):
    """Seats can be taken and left before the start only."""


class SeatTaken(Refused, code="seat_taken"):
    """The seat is not free, or the caller sits at this table already."""


class SeatOffered(Refused, code="seat_offered"):
    """The seat is offered to another player."""


class SeatsOpen(Refused, code="seats_open"):
    """The game cannot start: seats are open, or too few players are left without them."""


class NotReady(Refused, code="not_ready"):
    """Players of a live table, those of `seats`, have not said to be ready for the start."""

    def __init__(self, seats: list[int]) -> None:
        detail = f"not everybody is ready: seat {', '.join(map(str, seats))}"
        super().__init__(detail, seats=seats)


class GameNotRunning(Refused, code="game_not_running"):
    """The game is not being played now, because of its status."""

    def __init__(self, status: str) -> None:
        super().__init__(f"the game is {status}, not running")


class GameRunning(Refused, code="game_running"):
    """The game is not over: it has no rematch and no analysis yet."""

    def __init__(self, status: str) -> None:
        super().__init__(f"the game is {status}, not over")


class Untimed(Refused, code="untimed"):
    """The game has no clock, or not the clock that this needs."""


class HintsOff(Refused, code="hints_off", sentence="hints are off in this game"):
    """The game was not opened with hints, or is no practice game any more."""


class TakebacksOff(Refused, code="takebacks_off"):
    """The takeback needs the consent of others, and the table or another player rules that out."""


class NothingToTakeBack(Refused, code="nothing_to_take_back"):
    """No move stands that the caller could take back: none at all, or none after that version."""


class BranchNotAllowed(
    Refused,
    code="branch_not_allowed",
    sentence="a branch comes from a game that is over, or from a running game in which all others "
    "are bots",
):
    """Other people play the game: a branch would try the moves of a game that goes on."""


class NotOverdue(Refused, code="not_overdue"):
    """The seat may not be claimed, at least not before `deadline` (ms since the epoch).

    Without a deadline the seat is not asked, or a bot answers for it.
    """

    def __init__(self, seat: int, deadline: int | None = None) -> None:
        deadline_at = None if deadline is None else format_time(deadline)
        until = "is not asked" if deadline is None else f"has time until {deadline_at}"
        super().__init__(f"seat {seat} {until}", deadline_at=deadline_at)


class TooLate(Refused, code="too_late"):
    """The time for this is over.

    All players have answered once, a message is old, or the time to take a move back is used up.
    """


class AskedBefore(Refused, code="asked_before"):
    """Others have declined this, and the caller has not moved since, or has asked three times."""


class ProposalOpen(Refused, code="proposal_open"):
    """Another proposal waits for answers; a table has at most one. `proposal` is its version."""

    def __init__(self, proposal: int) -> None:
        super().__init__(f"proposal {proposal} still waits for answers", proposal=proposal)


class ProposalClosed(Refused, code="proposal_closed"):
    """The proposal was answered, withdrawn or dropped before, or it has expired."""

    def __init__(self, proposal: int) -> None:
        super().__init__(f"proposal {proposal} is closed")


class RatedGame(Refused, code="rated_game"):
    """A rated game does not allow this; the sentence says which of its conditions would fail."""


class OnLadder(Refused, code="ladder"):
    """The game counts for a rating, and a hint would make the result worth nothing."""


class TournamentStarted(Refused, code="tournament_started"):
    """The tournament has started, or is over: entries and entrants are settled."""


class TournamentFull(Refused, code="tournament_full", sentence="the tournament has no place left"):
    """As many players as the tournament takes have entered."""


class NotEntered(Refused, code="not_entered", sentence="this player is not in the tournament"):
    """The player has not entered the tournament, or has left it."""


class RoundOpen(Refused, code="round_open"):
    """The round, or the table, is not at the point at which this is possible."""


class PuzzleAnswered(
    Refused, code="puzzle_answered", sentence="you have answered this puzzle: one attempt counts"
):
    """A player has one attempt at a puzzle, and no hint after it."""


class PuzzleOpen(
    Refused, code="puzzle_open", sentence="this is shown to those who have answered the puzzle"
):
    """Before the attempt nothing shows what follows from the answer."""


# -- because of the request -----------------------------------------------------------------------


class Invalid(Refused, code="invalid"):
    """A request that is well-formed but cannot be meant; one entry per culprit."""

    def __init__(self, errors: Sequence[tuple[str, str] | tuple[str, str, str]]) -> None:
        """Take a JSON pointer, a sentence, and where programs need one a stable word each."""
        names = ("pointer", "detail", "reason")
        self.errors: list[Json] = [dict(zip(names, one, strict=False)) for one in errors]
        super().__init__("; ".join(f"{one[0]}: {one[1]}" for one in errors), errors=self.errors)


class IllegalMoveRefused(Refused, code="illegal_move"):
    """A move that is not in the list of legal moves; `reason` names the rule it breaks."""

    def __init__(
        self, reason: str, decision: Json, legal_moves: Sequence[Mapping[str, Any]]
    ) -> None:
        super().__init__(reason, legal_moves=list(legal_moves), decision=decision)


class LineUnfinished(Refused, code="line_unfinished"):
    """The answer to a puzzle ends before its seat has decided everything: `decision` is next."""

    def __init__(self, decision: Json, legal_moves: Sequence[Mapping[str, Any]]) -> None:
        detail = f"the line goes on: seat {decision['seat']} is asked ({decision['kind']})"
        super().__init__(detail, decision=decision, legal_moves=list(legal_moves))


class StaleVersion(Refused, code="stale_version"):
    """`expected_version` does not hold.

    It would hold if it were between `lowest` and `current_version`: for a move `lowest` is the
    position of the game, for other commands the current version.
    """

    def __init__(self, current_version: int, lowest: int | None = None) -> None:
        detail = f"the game is at version {current_version}"
        super().__init__(detail, current_version=current_version)
        self.current_version = current_version
        self.lowest = current_version if lowest is None else lowest

    def allows(self, version: int) -> bool:
        """Return whether this version would have held."""
        return self.lowest <= version <= self.current_version


class IdempotencyMismatch(
    Refused,
    code="idempotency_mismatch",
    sentence="this Idempotency-Key was used before with another request",
):
    """An idempotency key that was used before with another body."""


# -- for now --------------------------------------------------------------------------------------


class RateLimited(Refused, code="rate_limited"):
    """The player did something too often; it is worth trying again in `retry_after` seconds."""

    def __init__(self, what: str, retry_after: int) -> None:
        super().__init__(f"{what}; retry in {retry_after} s")
        self.retry_after = retry_after


TRY_AGAIN_S = 60
"""After this time it is worth trying again where the end of a game is not known."""


class QuotaExceeded(Refused, code="quota_exceeded"):
    """The player has as many games of a kind as a player may have.

    `used` may be more than `limit`: the limit was higher, or others started games of the player.
    `free_at` is in ms since the epoch, `wait` in seconds; 0 and None where it is not known.
    """

    def __init__(self, quota: str, limit: int, used: int, free_at: int, wait: int | None) -> None:
        again = "when there are fewer of them" if wait is None else f"in {wait} s"
        super().__init__(
            f"at most {limit} {OF_QUOTAS[quota]} for each player; again {again}",
            quota=quota,
            limit=limit,
            used=used,
            free_at=format_time(free_at) if free_at else None,
        )
        self.quota, self.limit, self.used = quota, limit, used
        self.free_at, self.wait = free_at, wait
        self.retry_after = TRY_AGAIN_S if wait is None else wait


class NotCached(Refused):
    """A command needs what is not in the memory of this process, and may not wait for the store."""
