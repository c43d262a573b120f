"""A game as a file (`docs/transcript.md`): read, write, verify.

Reading raises `TranscriptError` when the file is not a transcript. A readable transcript is played
back: it is *valid* when every move was legal for its seat and the engine computes the same result.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple

from cartulary.engine.canonical import canonical_json, quote
from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Game, Json, Result, State, Step, find_game
from cartulary.engine.ending import Ending, read_ending
from cartulary.engine.errors import IllegalMove, SetupError, TranscriptError, pointer
from cartulary.engine.strict import check_tree, loads, read_typed

FORMAT: Final = "cartulary/1"
_KEYS: Final = frozenset(
    (
        *("format", "game", "options", "seats", "players", "setup", "draws", "bag", "moves"),
        *("result", "ending"),
    )
)


class RecordedMove(NamedTuple):
    """A recorded move."""

    seat: int
    move: Json


@dataclass(frozen=True)
class Transcript:
    """A readable transcript.

    `options` are complete; `players` is None when the file has no names; `bag` is what an
    unfinished game has left to draw, None when the game draws nothing more; `result` is None when
    the game was not finished; `ending` says how it ended, None where everybody stayed to the end of
    the play or the file does not say it; `extra` holds the unknown keys of the top level.
    """

    game: str
    options: dict[str, str | int]
    seats: int
    setup: Json = field(default_factory=dict)
    draws: list[str] = field(default_factory=list)
    moves: list[RecordedMove] = field(default_factory=list)
    players: list[str] | None = None
    bag: Json | None = None
    result: Json | None = None
    ending: Ending | None = None
    extra: Json = field(default_factory=dict)

    def to_json(self) -> Json:
        """Return the transcript as the JSON object of the contract."""
        ending = None if self.ending is None else self.ending.to_json()
        optional = {
            "players": self.players,
            "bag": self.bag,
            "result": self.result,
            "ending": ending,
        }
        return {
            "format": FORMAT,
            "game": self.game,
            "options": dict(self.options),
            "seats": self.seats,
            "setup": self.setup,
            "draws": list(self.draws),
            "moves": [{"seat": seat, "move": move} for seat, move in self.moves],
            **{key: value for key, value in optional.items() if value is not None},
            **self.extra,
        }


def write(transcript: Transcript) -> str:
    """Return a transcript as the text of a file, one move a line."""
    whole = transcript.to_json()
    lines = []
    for key, value in whole.items():
        text = _line(value)
        if key == "moves" and value:
            text = "[\n  " + ",\n  ".join(map(_line, value)) + "\n ]"
        lines.append(f" {_line(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# -- reading ------------------------------------------------------------------------------------


def read(text: str | bytes, games: Mapping[str, Game]) -> Transcript:
    """Return the transcript that a file holds; raises `TranscriptError`."""
    return from_json(loads(text), games)


def from_json(value: Any, games: Mapping[str, Game]) -> Transcript:
    """Return the transcript that a JSON value holds; raises `TranscriptError`."""
    check_tree(value)
    if not isinstance(value, dict):
        raise TranscriptError(f"a transcript is a JSON object, not {quote(value)}")
    if read_typed(value, "format", str) != FORMAT:
        raise TranscriptError(
            f"'format' must be {FORMAT!r}, not {quote(value['format'])}", "/format"
        )
    name, seats = read_typed(value, "game", str), read_typed(value, "seats", int)
    try:
        game = find_game(games, name)
        options = game.check(seats, read_typed(value, "options", dict, {}))
        moves = _entries(read_typed(value, "moves", list))
        transcript = Transcript(
            game=name,
            options=options,
            seats=seats,
            setup=read_typed(value, "setup", dict),
            draws=_strings(value, "draws"),
            moves=moves,
            players=_players(value, seats),
            bag=read_typed(value, "bag", dict) if "bag" in value else None,
            result=_result(value),
            ending=read_ending(value, seats, len(moves)),
            extra={key: item for key, item in value.items() if key not in _KEYS},
        )
        opening(transcript, game)
    except SetupError as error:
        raise TranscriptError(str(error), error.pointer) from error
    return transcript


def _strings(value: Json, key: str) -> list[str]:
    items: list[str] = read_typed(value, key, list)
    for index, item in enumerate(items):
        if not isinstance(item, str):
            raise TranscriptError(f"{key!r} holds strings, not {quote(item)}", pointer(key, index))
    return items


def _players(value: Json, seats: int) -> list[str] | None:
    if "players" not in value:
        return None
    players = _strings(value, "players")
    if len(players) != seats:
        raise TranscriptError(f"{len(players)} 'players' for {seats} seats", "/players")
    return players


def _entries(items: list[Any]) -> list[RecordedMove]:
    return [_entry(index, item) for index, item in enumerate(items)]


def _entry(index: int, item: Any) -> RecordedMove:
    at = pointer("moves", index)
    if not isinstance(item, dict) or item.keys() != {"seat", "move"}:
        raise TranscriptError(f"move {index} must be an object of 'seat' and 'move'", at)
    try:
        return RecordedMove(
            read_typed(item, "seat", int, at=at), read_typed(item, "move", dict, at=at)
        )
    except TranscriptError as error:
        raise TranscriptError(f"move {index}: {error}", error.pointer) from None


def _result(value: Json) -> Json | None:
    if "result" not in value:
        return None
    result: Json = read_typed(value, "result", dict)
    for key in ("scores", "winners"):
        for index, number in enumerate(read_typed(result, key, list, at="/result")):
            if type(number) is not int:
                place = pointer("result", key, index)
                raise TranscriptError(f"{key!r} of the result must hold integers", place)
    return result


# -- playing back -------------------------------------------------------------------------------


def opening(transcript: Transcript, game: Game) -> State[Any]:
    """Return the state before the first draw; raises `SetupError`."""
    setup = game.setup_of_transcript(transcript.setup, transcript.draws, transcript.bag or {})
    return game.new(transcript.seats, transcript.options, setup)


@dataclass(frozen=True)
class BrokenMove:
    """The first fault that makes a transcript invalid.

    `index` counts moves from 0 and is None when the result is wrong, not a move.
    """

    index: int | None
    seat: int | None
    reason: str
    legal_moves: list[Json]


class InvalidTranscript(ValueError):
    """A readable transcript that is not valid; `broken` says where and why."""

    def __init__(self, broken: BrokenMove) -> None:
        super().__init__(broken.reason)
        self.broken = broken


class Playback:
    """Plays a transcript back, move by move.

    Attributes: `state`; `index` of the next move; `chance`, the draws of the start. When the
    record of draws ends before the bag is empty, which a complete export never does, a draw may be
    left pending after the last move: `state.chance` is then set.
    """

    def __init__(self, transcript: Transcript, games: Mapping[str, Game]) -> None:
        self.transcript = transcript
        self.state = opening(transcript, games[transcript.game])
        self.index = 0
        self._source = RecordedSource(transcript.draws)
        facts: list[Json] = []
        self.start = Step(facts, self._settle(facts))

    @property
    def done(self) -> bool:
        """True when every recorded move has been played."""
        return self.index == len(self.transcript.moves)

    @property
    def entry(self) -> RecordedMove:
        """The next recorded move."""
        return self.transcript.moves[self.index]

    def check(self) -> Any:
        """Return the next move in internal form; raises `InvalidTranscript` when it is illegal."""
        seat, move = self.entry
        if self.state.chance is not None:
            raise self._invalid("the record of draws ends before this move")
        if seat != self.state.seat and self.state.decision is not None:
            raise self._invalid(
                f"it is for seat {self.state.seat} to decide ({self.state.kind}), not for {seat}"
            )
        try:
            return self.state.find(move)
        except IllegalMove as error:
            raise self._invalid(error.reason) from error

    def step(self) -> Step:
        """Play the next move and its draws; raises `InvalidTranscript` when it is illegal."""
        found = self.check()
        facts: list[Json] = []
        self.state.facts = facts
        self.state.play(found)
        self.index += 1
        return Step(facts, self._settle(facts))

    def count(self) -> Result | None:
        """Return the result of the position and the ending, None when the game is not finished."""
        ending = self.transcript.ending
        if ending is not None:
            return ending.count_score(self.state)
        return self.state.final() if self.state.over else None

    def finish(self) -> Result | None:
        """Return the result, None when the game is not finished.

        Raises `InvalidTranscript` when the transcript has another result, or an ending that does
        not fit the moves.
        """
        wanted, result = self.transcript.result, self.count()
        if result is None:
            if wanted is not None:
                raise self._invalid("there is a result, but the game is not over", at_move=False)
            return None
        ending = self.transcript.ending
        if ending is not None and (fault := ending.find_fault(self.state, result.scores)):
            raise self._invalid(fault, at_move=False)
        if wanted is not None and not _agrees(wanted, result.to_json()):
            raise self._invalid(
                f"the result is {quote({k: result.to_json()[k] for k in ('scores', 'winners')})}, "
                f"not {quote(wanted)}",
                at_move=False,
            )
        return result

    def _settle(self, facts: list[Json]) -> list[str]:
        """Draw as far as the record goes."""
        drawn: list[str] = []
        self.state.facts = facts
        while (question := self.state.chance) is not None and not self._source.exhausted:
            drawn.append(self._source.draw(question))
            self.state.resolve(drawn[-1])
        self.state.facts = None
        return drawn

    def _invalid(self, reason: str, *, at_move: bool = True) -> InvalidTranscript:
        index, seat = (self.index, self.entry.seat) if at_move else (None, None)
        return InvalidTranscript(BrokenMove(index, seat, reason, self.state.legal_moves()))


def _agrees(wanted: Json, result: Json) -> bool:
    """Return whether every key of the recorded result has the value that the engine computes."""
    return all(
        key in result and canonical_json(wanted[key]) == canonical_json(result[key])
        for key in wanted
    )


class Report(NamedTuple):
    """What verifying found: `scores` as far as the moves were legal; `winners` once it is over."""

    valid: bool
    moves: int
    scores: list[int]
    winners: list[int] | None
    breakdown: list[Json] | None
    error: BrokenMove | None

    def to_json(self) -> Json:
        """Return the report as `cartulary verify --json` prints it."""
        error = None if self.error is None else asdict(self.error)
        return {**self._asdict(), "error": error}


def verify(transcript: Transcript, games: Mapping[str, Game]) -> Report:
    """Return whether every move was legal for its seat and the result is the engine's."""
    playback = Playback(transcript, games)
    try:
        while not playback.done:
            playback.step()
        result = playback.finish()
    except InvalidTranscript as error:
        scores = list(playback.state.scores)
        return Report(False, playback.index, scores, None, None, error.broken)
    if result is None:
        return Report(True, playback.index, list(playback.state.scores), None, None, None)
    return Report(True, playback.index, *result, None)


# -- writing ------------------------------------------------------------------------------------


def record(
    game: Game,
    state: State[Any],
    setup: Json,
    draws: Sequence[str],
    moves: Sequence[RecordedMove],
    *,
    players: Sequence[str] | None = None,
    result: Result | None = None,
    ending: Ending | None = None,
    extra: Json | None = None,
) -> Transcript:
    """Return the transcript of a game that came to `state`, with its result when it is finished.

    `setup` is the one given to `Game.new`; `draws` and `moves` are all that happened since. A game
    with an `ending` brings its `result`; else the result is counted when the play is over.
    """
    if result is None and state.over:
        result = state.final()
    return Transcript(
        game=game.name,
        options=dict(state.options),
        seats=state.seats,
        setup=game.setup_to_transcript(setup),
        draws=list(draws),
        moves=list(moves),
        players=None if players is None else list(players),
        bag=None if state.over else game.bag(state),
        result=None if result is None else _shorten(result),
        ending=ending,
        extra=extra or {},
    )


def _shorten(result: Result) -> Json:
    return {"scores": result.scores, "winners": result.winners}
