"""Decisions: each decision of a game as a row of a table, and the table as a file of Parquet.

The file needs pyarrow, the extra `dumps`. `SCHEMA` says the columns to it and to readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from cartulary.engine.core import Game
from cartulary.engine.transcript import Playback, from_json
from cartulary.events.commands.table.transcripts import StandingMoves
from cartulary.events.model.types import Json
from cartulary.explorer.questions import ask, find_answer

DIGITS: Final = 16
"""The number of hex digits of the hash of a state that are kept: all 64 were six sevenths of the
file. Among the 27 million positions of 100 000 games two differing ones share 64 bits once in
50 000 months."""

ROWS_AT_ONCE: Final = 20_000
"""Rows that are written together."""


class DecisionColumn(NamedTuple):
    """A column: its name, its type in words of Arrow, whether it may be null, its meaning."""

    name: str
    type: str
    nullable: bool
    meaning: str


SCHEMA: Final = (
    DecisionColumn("game", "int32", False, "`number` of the game in games.jsonl.zst"),
    DecisionColumn("move", "int16", False, "index of the move in `moves` of the transcript"),
    DecisionColumn("name", "string", False, "name of the game"),
    DecisionColumn("seats", "int8", False, "size of the table"),
    DecisionColumn("seat", "int8", False, "the seat that decides"),
    DecisionColumn("player", "int32", True, "its player in this dump; null for a built-in level"),
    DecisionColumn("kind", "string", False, "kind of the decision"),
    DecisionColumn(
        "position", "string", False, "first 16 hex digits of the hash of the state before"
    ),
    DecisionColumn("legal", "int32", False, "number of legal moves"),
    DecisionColumn("question", "string", False, "wide key of the explorer (docs/explorer.md)"),
    DecisionColumn("answer", "string", False, "the move in the words of the explorer"),
    DecisionColumn("chosen", "string", False, "the move as JSON"),
    DecisionColumn("value", "float32", True, "expected lead after the move; null: not analysed"),
    DecisionColumn("best_value", "float32", True, "the same after the best move"),
    DecisionColumn("score", "int32", False, "final score of the seat"),
    DecisionColumn("rank", "int8", True, "final rank of the seat"),
)


def is_installed() -> bool:
    """Return whether files of Parquet can be written here."""
    return find_spec("pyarrow") is not None


def find_values(events: Iterable[Json], decisions: Iterable[bytes]) -> dict[int, Json]:
    """Return what an analysis says of moves, by the index of the move among those that stand."""
    standing = StandingMoves()
    for event in events:
        standing.add(event)
    index = {event["version"]: number for number, event in enumerate(standing.moves)}
    read = map(orjson.loads, decisions)
    return {index[one["version"]]: one for one in read if one["version"] in index}


def list_decisions(line: Json, rules: Game, values: Mapping[int, Json]) -> Iterator[Json]:
    """Yield the decisions of a game, by the line that describes it."""
    playback = Playback(from_json(line["transcript"], {rules.name: rules}), {rules.name: rules})
    ranks: Sequence[int | None] = line["result"].get("ranks") or [None] * len(line["seats"])
    while not playback.done:
        state, entry, index = playback.state, playback.entry, playback.index
        question = ask(rules.name, state)
        judged: Any = values.get(index, {})
        yield {
            "game": line["number"],
            "move": index,
            "name": rules.name,
            "seats": len(line["seats"]),
            "seat": entry.seat,
            "player": line["seats"][entry.seat]["player"],
            "kind": state.kind,
            "position": state.state_hash()[:DIGITS],
            "legal": len(state.moves()),
            "question": question.wide,
            "answer": find_answer(question, state, entry.move),
            "chosen": orjson.dumps(entry.move, option=orjson.OPT_SORT_KEYS).decode(),
            "value": judged.get("value"),
            "best_value": judged.get("best_value"),
            "score": line["result"]["scores"][entry.seat],
            "rank": ranks[entry.seat],
        }
        playback.step()


class DecisionFile:
    """A file of Parquet that is written row by row. Needs pyarrow."""

    def __init__(self, path: Path) -> None:
        import pyarrow as arrow
        import pyarrow.parquet as parquet

        self._arrow = arrow
        self._schema = arrow.schema(
            [arrow.field(one.name, getattr(arrow, one.type)(), one.nullable) for one in SCHEMA]
        )
        repeated = [one.name for one in SCHEMA if one.name != "position"]
        self._writer = parquet.ParquetWriter(
            path, self._schema, compression="zstd", use_dictionary=repeated
        )
        self._rows: list[Json] = []

    def write(self, rows: Iterable[Json]) -> None:
        """Add rows."""
        self._rows += rows
        if len(self._rows) >= ROWS_AT_ONCE:
            self._flush()

    def close(self) -> None:
        """Write what is left, and end the file."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows = []
