"""The `ending` of a transcript: how the game ended where a player left or the play stopped early.

Reading raises `TranscriptError` for an ending that contradicts itself. `find_fault` says why an
ending cannot be that of a game with these scores (`docs/living.md`, "Ranks").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from cartulary.engine.canonical import quote
from cartulary.engine.core import Json, Result, State
from cartulary.engine.errors import TranscriptError, pointer
from cartulary.engine.ranking import FORFEITED, OUTCOMES, STAYED, ranks, winners
from cartulary.engine.strict import read_typed

PLAY: Final = "play"
"""The play went on to its end."""

FORFEITS: Final = "forfeits"
"""Too few players were left: the points on the board are the scores."""

AGREEMENT: Final = "agreement"
"""Everybody agreed to end the play and to count."""

WINDOW: Final = "window"
"""The time for a round of a tournament was over: the play ended, and was counted."""

ENDED_BY: Final = (PLAY, FORFEITS, AGREEMENT, WINDOW)

_AT: Final = "/ending"


class Leaver(NamedTuple):
    """A seat that its owner left.

    `before` is the index of the first move that another player or a bot made for it.
    """

    seat: int
    before: int


class Ending(NamedTuple):
    """How a game ended: `by` is one of `ENDED_BY`; `left` stands in the order of leaving."""

    by: str
    outcomes: list[str]
    ranks: list[int]
    left: list[Leaver]

    def to_json(self) -> Json:
        """Return the ending as in the contract of transcripts."""
        return {**self._asdict(), "left": [leaver._asdict() for leaver in self.left]}

    def rank(self, scores: Sequence[int]) -> list[int]:
        """Return the rank of each seat that follows from these scores and the order of leaving."""
        left = [leaver.seat for leaver in self.left]
        return ranks(scores, self.outcomes, left, self.slowest)

    @property
    def slowest(self) -> int | None:
        """The seat that a window has put last of those that stayed; no transcript names it."""
        if self.by != WINDOW or not self.ranks:
            return None
        stayed = [seat for seat, outcome in enumerate(self.outcomes) if outcome in STAYED]
        return max(stayed, key=self.ranks.__getitem__, default=None)

    def find_leaving(self, moves: int) -> Iterator[Leaver]:
        """Yield the leavers in the order of leaving, each before the index at which it left.

        A seat that left first may have been asked last: it left no later than the next leaver, and
        before the last of so many `moves` when the play went on to its end.
        """
        latest = moves - 1 if self.by == PLAY else moves
        befores = [min(leaver.before, latest) for leaver in self.left]
        for place, leaver in enumerate(self.left):
            yield Leaver(leaver.seat, min(befores[place:]))

    def count_score(self, state: State[Any]) -> Result | None:
        """Return the result of a game that ended like this, None when its play is not over."""
        if self.by == PLAY and not state.over:
            return None
        stands = self.by == FORFEITS
        result = Result(list(state.scores), [], []) if stands else state.final()
        return result._replace(winners=winners(self.rank(result.scores), self.outcomes))

    def find_fault(self, state: State[Any], scores: Sequence[int]) -> str | None:
        """Say why a game in this state, counted to these scores, did not end like this, if so."""
        wanted = self.rank(scores)
        if self.ranks != wanted:
            return f"the ranks are {wanted}, not {self.ranks}"
        if state.chance is not None:
            return "the record of draws ends before the last move is complete"
        if state.over and self.by != PLAY:
            return f"the play is over, so the game ended by play, not by {self.by}"
        if self.by == FORFEITS and not self._is_forfeited:
            return "the game cannot end by forfeits: enough seats are left to play on"
        if self.by != FORFEITS and self._contending < 2:
            return f"the game cannot end by {self.by}: all seats but one have forfeited"
        return None

    @property
    def _contending(self) -> int:
        return sum(outcome not in FORFEITED for outcome in self.outcomes)

    @property
    def _is_forfeited(self) -> bool:
        """True when a player forfeited and no seat, or a single seat, was left to play on."""
        has_leaver = self._contending < len(self.outcomes)
        return has_leaver and (self._contending == 1 or "finished" not in self.outcomes)


def list_leavers(left: Iterable[tuple[int, int]], moves: Sequence[tuple[int, int]]) -> list[Leaver]:
    """Return who left before which of the recorded moves.

    `left` are pairs of a seat and the version at which it left, in the order of leaving; `moves`
    are pairs of a version and a seat.
    """
    return [Leaver(seat, _find_first(moves, seat, version)) for seat, version in left]


def _find_first(moves: Sequence[tuple[int, int]], seat: int, since: int) -> int:
    """Return the index of the first move of a seat after a version; behind the last if none."""
    later = (n for n, (version, mover) in enumerate(moves) if version > since and mover == seat)
    return next(later, len(moves))


def end_game(
    state: State[Any], by: str, outcomes: list[str], left: list[Leaver]
) -> tuple[Result, Ending] | None:
    """Return the result and the ending of a game in this state, None when its play goes on.

    Raises `ValueError` when the outcomes and the order of leaving do not fit together.
    """
    ending = Ending(by, outcomes, [], left)
    result = ending.count_score(state)
    return result and (result, ending._replace(ranks=ending.rank(result.scores)))


def read_ending(value: Json, seats: int, moves: int) -> Ending | None:
    """Return the ending of a transcript with so many seats and moves, if it has one.

    Raises `TranscriptError`.
    """
    if "ending" not in value:
        return None
    ending: Json = read_typed(value, "ending", dict)
    if "result" not in value:
        raise TranscriptError("'ending' stands beside 'result', which is missing", "/result")
    by, outcomes = read_typed(ending, "by", str, at=_AT), _read_outcomes(ending, seats)
    if by not in ENDED_BY:
        raise TranscriptError(
            f"'by' must be one of {', '.join(ENDED_BY)}, not {quote(by)}", _AT + "/by"
        )
    return Ending(by, outcomes, _read_ranks(ending, seats), _read_left(ending, outcomes, moves))


def _read_outcomes(ending: Json, seats: int) -> list[str]:
    outcomes = _read_list(ending, "outcomes", seats)
    for seat, outcome in enumerate(outcomes):
        if outcome not in OUTCOMES:
            raise TranscriptError(
                f"an outcome is one of {', '.join(OUTCOMES)}, not {quote(outcome)}",
                _AT + pointer("outcomes", seat),
            )
    forfeited = all(outcome in FORFEITED for outcome in outcomes)
    if forfeited and ending["by"] != FORFEITS:
        raise TranscriptError("a game does not go on when all have forfeited", _AT + "/outcomes")
    return outcomes


def _read_ranks(ending: Json, seats: int) -> list[int]:
    found = _read_list(ending, "ranks", seats)
    for seat, rank in enumerate(found):
        if type(rank) is not int:
            raise TranscriptError("'ranks' must hold integers", _AT + pointer("ranks", seat))
    return found


def _read_list(ending: Json, key: str, seats: int) -> list[Any]:
    found: list[Any] = read_typed(ending, key, list, at=_AT)
    if len(found) != seats:
        raise TranscriptError(f"{len(found)} {key!r} for {seats} seats", _AT + pointer(key))
    return found


def _read_left(ending: Json, outcomes: Sequence[str], moves: int) -> list[Leaver]:
    left = [
        _read_leaver(item, index, moves)
        for index, item in enumerate(read_typed(ending, "left", list, at=_AT))
    ]
    wanted = [seat for seat, outcome in enumerate(outcomes) if outcome not in STAYED]
    if sorted(leaver.seat for leaver in left) != wanted:
        raise TranscriptError(f"by the outcomes the seats {wanted} left", _AT + "/left")
    return left


def _read_leaver(item: Any, index: int, moves: int) -> Leaver:
    at = _AT + pointer("left", index)
    if not isinstance(item, dict) or item.keys() != set(Leaver._fields):
        raise TranscriptError("who left is an object of 'seat' and 'before'", at)
    leaver = Leaver(read_typed(item, "seat", int, at=at), read_typed(item, "before", int, at=at))
    if not 0 <= leaver.before <= moves:
        raise TranscriptError(f"'before' is an index from 0 to {moves}", at + "/before")
    return leaver
