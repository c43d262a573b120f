"""Files of puzzles: the packs of this room, and those that an operator mines.

A pack is JSON in xz: a line about the pack, then a line for each game. Puzzles of one game share
its moves. A move is the number of the legal move, written as one sign; so a puzzle takes less than
a hundred bytes. What the engine says of a line (`facts`) is not stored: it is made again.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Json, State
from cartulary.engine.transcript import Playback, RecordedMove, from_json, record
from cartulary.games.offer import Offer
from cartulary.puzzles.record import Line, Puzzle, PuzzleError
from cartulary.puzzles.telling import list_line_facts, read_moves
from cartulary.puzzles.themes import list_themes

FORMAT: Final = 1
FOLDER: Final = Path(__file__).parent / "shipped"
ENDING: Final = ".jsonl.xz"

FIRST_SIGN: Final = 35
"""The sign of the legal move with the number 0, `#`: no sign of the first fifty is escaped."""

PRESET: Final = 9 | lzma.PRESET_EXTREME

COLUMNS: Final = (
    *("id", "at", "best", "tempting", "after_best", "draws_best", "after_tempting"),
    *("draws_tempting", "themes", "points", "wins", "rating"),
)
"""The columns of a puzzle in its row; `at` counts the moves of the game before it."""


class PuzzleEntry(NamedTuple):
    """What a list of puzzles shows: the id, its themes, its first rating, the seats."""

    id: str
    themes: tuple[str, ...]
    rating: int
    seats: int


class PackPlace(NamedTuple):
    """Where a puzzle stands in a pack: the row of its game, its own row."""

    game: Json
    row: Json


class Pack:
    """The puzzles of a file, each read when it is asked for.

    Attributes: `head`, the line about the pack; `entries`, in the order of the file.
    """

    def __init__(self, offer: Offer, head: Json, games: Iterable[Json]) -> None:
        self.head, self._offer = head, offer
        self._places: dict[str, PackPlace] = {}
        for game in games:
            for values in game["puzzles"]:
                row = dict(zip(COLUMNS, values, strict=True))
                self._places[f"{offer.name}-{row['id']}"] = PackPlace(game, row)
        self.entries = tuple(self._list(one, place) for one, place in self._places.items())

    def _list(self, name: str, place: PackPlace) -> PuzzleEntry:
        themes = tuple(_read_themes(self._offer.name, place.row["themes"]))
        return PuzzleEntry(name, themes, place.row["rating"], place.game["seats"])

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        """Return whether the pack has a puzzle with this id."""
        return name in self._places

    def open(self, name: str) -> State[Any]:
        """Return the position of a puzzle; raises `KeyError`."""
        return _replay(self._offer, self._places[name]).state

    def read(self, name: str) -> Puzzle:
        """Return a puzzle; raises `KeyError`."""
        place = self._places[name]
        replayed, row = _replay(self._offer, place), place.row
        state = replayed.state
        best = [_read_signs(state, signs)[0] for signs in row["best"]]
        tempting = _read_signs(state, row["tempting"])[0]
        return Puzzle(
            id=name,
            game=self._offer.name,
            options=dict(state.options),
            transcript=replayed.transcript,
            seat=state.seat,
            best=best,
            tempting=tempting,
            after={
                "best": _read_signs(state, row["after_best"], row["draws_best"])[1],
                "tempting": _read_signs(state, row["after_tempting"], row["draws_tempting"])[1],
            },
            themes=_read_themes(self._offer.name, row["themes"]),
            margin={"points": row["points"] / 10, "wins": row["wins"] / 100},
            facts={
                "best": list_line_facts(self._offer, state, read_moves(state, best[0])),
                "tempting": list_line_facts(self._offer, state, read_moves(state, tempting)),
            },
            rating=row["rating"],
            made=dict(self.head["made"]),
        )


def load_pack(offer: Offer) -> Pack:
    """Return the pack that ships with the program; raises `PuzzleError` when there is no pack."""
    return read_pack(offer, FOLDER / f"{offer.name}{ENDING}")


def read_pack(offer: Offer, path: Path) -> Pack:
    """Return the pack of a file.

    Raises `PuzzleError` for a file that is missing, damaged or of another game or form.
    """
    try:
        lines = lzma.decompress(path.read_bytes()).decode().splitlines()
        head, *games = map(json.loads, lines)
        if (head["format"], head["game"]) != (FORMAT, offer.name):
            raise PuzzleError(f"{path.name} is no pack of {offer.name} in form {FORMAT}")
        return Pack(offer, head, games)
    except OSError as error:
        raise PuzzleError(f"{path.name} cannot be read: {error.strerror}") from error
    except (lzma.LZMAError, ValueError, LookupError, TypeError) as error:
        raise PuzzleError(f"{path.name} is no pack of puzzles: {error}") from error


def pack(offer: Offer, puzzles: Sequence[Puzzle], games: int = 0) -> bytes:
    """Return puzzles of one game and one run as a file; those of one game stand together.

    `games` says how many games were looked at, so that the run can go on after them.
    """
    return lzma.compress(write_lines(offer, puzzles, games).encode(), preset=PRESET)


def write_lines(offer: Offer, puzzles: Sequence[Puzzle], games: int = 0) -> str:
    """Return the text of a pack, which is the same on every machine; its compression may differ."""
    head = {
        "format": FORMAT,
        "game": offer.name,
        "rules_version": offer.rules.rules_version,
        "games": games,
        "made": puzzles[0].made if puzzles else {},
    }
    rows = [head, *(_write_game(offer, group) for group in _group(puzzles))]
    return "".join(
        f"{json.dumps(row, ensure_ascii=False, separators=(',', ':'))}\n" for row in rows
    )


# -- games ----------------------------------------------------------------------------------------


def _group(puzzles: Iterable[Puzzle]) -> list[list[Puzzle]]:
    """Return runs of puzzles whose games go on from one another."""
    groups: list[list[Puzzle]] = []
    for puzzle in puzzles:
        last = groups[-1][-1].transcript if groups else {}
        if groups and _goes_on(last, puzzle.transcript):
            groups[-1].append(puzzle)
        else:
            groups.append([puzzle])
    return groups


def _goes_on(before: Json, after: Json) -> bool:
    same = ("options", "seats", "setup")
    length = len(before["moves"])
    return (
        all(before[key] == after[key] for key in same)
        and after["moves"][:length] == before["moves"]
        and after["draws"][: len(before["draws"])] == before["draws"]
    )


def _write_game(offer: Offer, group: Sequence[Puzzle]) -> Json:
    transcript = from_json(group[-1].transcript, {offer.name: offer.rules})
    playback, signs = Playback(transcript, {offer.name: offer.rules}), ""
    rows, left = [], list(group)
    while True:
        while left and len(left[0].transcript["moves"]) == playback.index:
            rows.append(_write_row(playback.state, left.pop(0)))
        if playback.done:
            break
        signs += _find_sign(playback.state, playback.entry.move)
        playback.step()
    setup = offer.rules.setup_of_transcript(
        transcript.setup, transcript.draws, transcript.bag or {}
    )
    return {
        "seats": transcript.seats,
        "options": dict(transcript.options),
        "setup": setup,
        "draws": "".join(transcript.draws),
        "moves": signs,
        "puzzles": rows,
    }


def _write_row(state: State[Any], puzzle: Puzzle) -> list[Any]:
    best, tempting = puzzle.after["best"], puzzle.after["tempting"]
    names = list_themes(puzzle.game)
    row = {
        "id": puzzle.id.removeprefix(f"{puzzle.game}-"),
        "at": len(puzzle.transcript["moves"]),
        "best": [_write_signs(state, _as_steps(line)) for line in puzzle.best],
        "tempting": _write_signs(state, _as_steps(puzzle.tempting)),
        "after_best": _write_signs(state, best),
        "draws_best": _list_draws(best),
        "after_tempting": _write_signs(state, tempting),
        "draws_tempting": _list_draws(tempting),
        "themes": "".join(str(names.index(theme)) for theme in puzzle.themes),
        "points": round(10 * puzzle.margin["points"]),
        "wins": round(100 * puzzle.margin["wins"]),
        "rating": puzzle.rating,
    }
    return [row[column] for column in COLUMNS]


def _as_steps(line: Line) -> list[Json]:
    return [{"move": move, "chance": []} for move in line]


def _list_draws(steps: Iterable[Json]) -> str:
    return "".join(outcome for step in steps for outcome in step["chance"])


def _write_signs(state: State[Any], steps: Iterable[Json]) -> str:
    position, signs = state.copy(), ""
    for step in steps:
        signs += _find_sign(position, step["move"])
        position.play(position.find(step["move"]))
        if step["chance"]:
            position.settle(RecordedSource(step["chance"]))
    return signs


def _find_sign(state: State[Any], move: Json) -> str:
    return chr(FIRST_SIGN + list(state.moves()).index(state.find(move)))


# -- reading --------------------------------------------------------------------------------------


class ReplayedPuzzle(NamedTuple):
    """The position of a puzzle, and the transcript that leads to it."""

    state: State[Any]
    transcript: Json


class LaidOut:
    """Gives draws back as they stand in a row; `left` says whether there are more."""

    def __init__(self, draws: str) -> None:
        self.taken: list[str] = []
        self._source, self._count = RecordedSource(draws), len(draws)

    @property
    def left(self) -> int:
        """How many draws are left."""
        return self._count - len(self.taken)

    def settle(self, state: State[Any]) -> list[str]:
        """Answer the pending draws as far as the row goes; return them."""
        drawn = []
        while (question := state.chance) is not None and self.left:
            drawn.append(self._source.draw(question))
            self.taken.append(drawn[-1])
            state.resolve(drawn[-1])
        return drawn


def _replay(offer: Offer, place: PackPlace) -> ReplayedPuzzle:
    game, at = place.game, place.row["at"]
    state = offer.rules.new(game["seats"], game["options"], game["setup"])
    draws, moves = LaidOut(game["draws"]), list[RecordedMove]()
    draws.settle(state)
    for sign in game["moves"][:at]:
        move = state.moves()[ord(sign) - FIRST_SIGN]
        moves.append(RecordedMove(state.seat, state.move_json(move)))
        state.play(move)
        draws.settle(state)
    whole = record(offer.rules, state, game["setup"], draws.taken, moves)
    return ReplayedPuzzle(state, whole.to_json())


def _read_signs(state: State[Any], signs: str, draws: str = "") -> tuple[Line, list[Json]]:
    """Return signs as contract moves, and as steps with what was drawn for each."""
    position, source = state.copy(), LaidOut(draws)
    line, steps = [], []
    for sign in signs:
        move = position.moves()[ord(sign) - FIRST_SIGN]
        line.append(position.move_json(move))
        step = {"seat": position.seat, "move": line[-1]}
        position.play(move)
        steps.append({**step, "chance": source.settle(position)})
    return line, steps


def _read_themes(game: str, signs: str) -> list[str]:
    names = list_themes(game)
    return [names[int(sign)] for sign in signs]
