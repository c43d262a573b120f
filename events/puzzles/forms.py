"""What is known of players and puzzles, in the form in which it is kept. Pure."""

from __future__ import annotations

from typing import Any

import orjson

from cartulary.events.model.types import Json
from cartulary.events.puzzles.records import PuzzleRecord, PuzzleResult, Streak
from cartulary.ratings.glicko import Skill


def write_event(event: Json) -> bytes:
    """Return an event of a player as it is stored."""
    return orjson.dumps(event, option=orjson.OPT_SORT_KEYS)


def read_events(entries: Any) -> list[Json]:
    """Return the events of entries of a stream."""
    return [orjson.loads(fields[b"event"]) for _, fields in entries]


def write_puzzle_record(record: PuzzleRecord) -> bytes:
    """Return what is known of a player as it is kept."""
    skills = {game: list(skill) for game, skill in record.skills.items()}
    kept = {"skills": skills, "streak": list(record.streak), "attempts": record.attempts}
    more = {"hints": record.hints, "packed": record.packed, "events": record.events}
    return orjson.dumps({**kept, **more})


def read_puzzle_record(text: bytes | None) -> PuzzleRecord:
    """Return what is known of a player as it was kept; nothing where nothing was."""
    if text is None:
        return PuzzleRecord()
    kept = orjson.loads(text)
    skills = {game: Skill(*skill) for game, skill in kept["skills"].items()}
    return PuzzleRecord(**{**kept, "skills": skills, "streak": Streak(*kept["streak"])})


def write_start(skill: Skill) -> bytes:
    """Return the first guess about a puzzle as it is stored before its results."""
    return orjson.dumps(list(skill))


def write_result(result: PuzzleResult) -> bytes:
    """Return what an attempt says of a puzzle as it is stored."""
    return orjson.dumps([result.right, list(result.player)])


def read_results(entries: list[bytes]) -> tuple[Skill, list[PuzzleResult]]:
    """Return the first guess about a puzzle, and the results of it."""
    start, *results = map(orjson.loads, entries)
    return Skill(*start), [PuzzleResult(right, Skill(*player)) for right, player in results]


def write_skill(skill: Skill, results: int) -> bytes:
    """Return what is known of a puzzle after so many results as it is kept."""
    return orjson.dumps([results, list(skill)])


def read_skill(text: bytes | None) -> tuple[int, Skill]:
    """Return after how many results what was known of a puzzle; -1 where nothing is kept."""
    if text is None:
        return -1, Skill()
    results, skill = orjson.loads(text)
    return results, Skill(*skill)
