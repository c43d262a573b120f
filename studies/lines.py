"""The moves and draws of a study, played by the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cartulary.engine.canonical import canonical_json
from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Game, Json, State
from cartulary.engine.errors import ChanceError, EngineError, IllegalMove
from cartulary.engine.transcript import InvalidTranscript, Playback, from_json
from cartulary.studies.faults import FaultyStudy, Path, StudyFault, must

Games = Mapping[str, Game]


def play_start(start: Any, games: Games, path: Path) -> State[Any]:
    """Return the position at which a chapter begins. Raises `FaultyStudy`."""
    return draw_start(start, games, path)[0]


def draw_start(start: Any, games: Games, path: Path) -> tuple[State[Any], list[str]]:
    """Return the position at which a chapter begins, and what is drawn up to there.

    The other draws of the start are a part of its bag. Raises `FaultyStudy`.
    """
    try:
        transcript = from_json(start, games)
        must(transcript.ending is None, "start", (*path, "ending"), "a start has no ending")
        playback = Playback(transcript, games)
        drawn = [*playback.start.chance]
        while not playback.done:
            drawn += playback.step().chance
    except InvalidTranscript as error:
        at: Path = () if error.broken.index is None else ("moves", error.broken.index)
        raise FaultyStudy("start", (*path, *at), error.broken.reason) from None
    except EngineError as error:
        raise FaultyStudy("start", path, str(error)) from None
    return playback.state, drawn


def play_node(state: State[Any], move: Json, draws: Sequence[str], path: Path) -> None:
    """Play a move and the draws after it on a state, which changes. Raises `FaultyStudy`."""
    must(state.chance is None, "draw", path, "the draw before this move is missing")
    must(not state.over, "illegal", (*path, "move"), "the game is over before this move")
    try:
        state.play(state.find(move))
    except IllegalMove as error:
        raise FaultyStudy("illegal", (*path, "move"), error.reason) from None
    for index, draw in enumerate(draws):
        place = (*path, "draws", index)
        question = state.chance
        if question is None:
            raise FaultyStudy("draw", place, "nothing is drawn here")
        try:
            state.resolve(RecordedSource([draw]).draw(question))
        except ChanceError as error:
            raise FaultyStudy("draw", place, str(error)) from None


def check_answers(state: State[Any], question: Json, path: Path) -> None:
    """Check that each answer is a legal line of one seat, without a draw. Raises `FaultyStudy`."""
    asked = state.chance is None and not state.over
    must(asked, "question", path, "a question needs a position in which a seat decides")
    for index, moves in enumerate(question["right"]):
        _play_answer(state.copy(), moves, (*path, "right", index))
    for index, one in enumerate(question.get("wrong", [])):
        _play_answer(state.copy(), one["moves"], (*path, "wrong", index, "moves"))


def _play_answer(state: State[Any], moves: list[Json], path: Path) -> None:
    seat = state.seat
    for index, move in enumerate(moves):
        place = (*path, index)
        must(state.chance is None, "question", place, "an answer ends before the next draw")
        same = not state.over and state.seat == seat
        must(same, "question", place, "an answer has moves of one seat")
        try:
            state.play(state.find(move))
        except IllegalMove as error:
            raise FaultyStudy("illegal", place, error.reason) from None


def find_line_faults(state: State[Any], line: list[Json], path: Path) -> Iterator[StudyFault]:
    """Yield the faults of a line that begins at a state: of each branch up to the first."""
    for index, node in enumerate(line):
        place = (*path, index)
        yield from _find_twins(node, place)
        for at, branch in enumerate(node.get("instead", [])):
            yield from find_line_faults(state.copy(), branch, (*place, "instead", at))
        try:
            play_node(state, node["move"], node.get("draws", []), place)
            if "question" in node:
                check_answers(state, node["question"], (*place, "question"))
        except FaultyStudy as unfit:
            yield unfit.fault
            if unfit.fault.code != "question":
                return


def _find_twins(node: Json, path: Path) -> Iterator[StudyFault]:
    """Yield a fault for each branch that begins with a step that the position has before."""
    seen = {name_step(node)}
    for at, branch in enumerate(node.get("instead", [])):
        name = name_step(branch[0])
        if name in seen:
            place = (*path, "instead", at)
            yield FaultyStudy("twice", place, "the position has this move with these draws").fault
        seen.add(name)


def name_step(node: Json) -> str:
    """Return what tells a node from its siblings: its move and draws."""
    return canonical_json([node["move"], node.get("draws", [])])
