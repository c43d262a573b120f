"""Archived games as rows: packed before they are written, checked when they are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Protocol

import orjson
from sqlalchemy import Table

from cartulary.events.archive import tables
from cartulary.events.archive.dictionaries import Codec, Codecs, DamagedFrame
from cartulary.events.archive.errors import ArchiveDamaged, NotArchivable
from cartulary.events.archive.packing import (
    Apart,
    Misfitting,
    find_rules_version,
    find_schema,
    put_together,
    take_apart,
)
from cartulary.events.model.chain import hash_or_none

Columns = dict[str, Any]
"""A row of a table by the names of its columns."""

Seals = Mapping[str, bytes | None]
"""The seals of rows by the id of the game, None for a game that has no row."""


class ArchivedStream(Protocol):
    """What every archived stream has, that of a game and that of a tournament: see `Archived`."""

    @property
    def id(self) -> str:
        """The id of the game or of the tournament."""

    @property
    def version(self) -> int:
        """The number of events."""

    @property
    def head(self) -> str:
        """The hash of the last event."""

    @property
    def texts(self) -> tuple[bytes, ...]:
        """The events as they are stored."""

    @property
    def side_keys(self) -> Mapping[str, bytes]:
        """What lies next to the events, by family."""


class ListedPerson(NamedTuple):
    """A person under whose name a game is listed; bots are no people."""

    player: str
    seat: int | None
    rank: int | None
    score: int | None


class Archived(NamedTuple):
    """A whole finished game: nothing else is needed to bring it back to the store.

    `status` is `over` or `aborted`; the times are in ms since the epoch. `version` is the number of
    events, `head` the hash of the last event, '' for a stream from before the chain. `texts` are
    the events as they are stored, oldest first. `side_keys` is what lies next to the events, by
    family (`events.server.key_catalogue`). `summary` is the JSON of the summary in the form `form`,
    unmasked.
    """

    id: str
    game: str
    status: str
    visibility: str
    pace: str | None
    created_by: str
    created_at: int
    ended_at: int
    version: int
    head: str
    texts: tuple[bytes, ...]
    side_keys: Mapping[str, bytes]
    people: tuple[ListedPerson, ...]
    summary: bytes
    form: int


class GameRow(NamedTuple):
    """A game as the tables have it: its row of `games`, and its rows of `people` in order."""

    columns: Columns
    people: list[Columns]


_HEAD: Final = re.compile(r"(?:[0-9a-f]{64})?")
_PLAIN: Final = (
    "id",
    "game",
    "status",
    "visibility",
    "pace",
    "created_by",
    "created_at",
    "ended_at",
    "version",
)
"""The fields of a game that its row has as they are."""

_SEALED: Final = (*_PLAIN, "schema", "rules", "events_dictionary")
_SEALED_BYTES: Final = ("head", "beside", "hashes", "events")
"""The columns that never change. The summary does, and has a checksum of its own."""


def pack_row(game: Archived, codecs: Codecs) -> GameRow:
    """Return a game as its rows. Raises `NotArchivable` for what `unpack_row` would not give back.

    That is checked here, before anything is written: the game is packed, unpacked and compared.
    """
    apart = take_stream_apart(game)
    schema = find_schema(game.texts)
    events_id, events = codecs.choose(game.game, schema, "events")
    summary_id, summary = codecs.choose(game.game, schema, "summary")
    columns: Columns = {name: getattr(game, name) for name in _PLAIN}
    columns |= {
        "schema": schema,
        "rules": find_rules_version(game.texts),
        "form": game.form,
        "head": bytes.fromhex(game.head),
        "events_dictionary": events_id,
        "summary_dictionary": summary_id,
        "summary": summary.pack(game.summary),
        "beside": pack_beside(game, codecs.plain),
        "hashes": apart.hashes,
        "events": events.pack(apart.lines),
    }
    people = [
        {"game_id": game.id, "number": number, **person._asdict()}
        for number, person in enumerate(game.people)
    ]
    columns["seal"] = compute_seal(columns, people)
    row = GameRow(columns, people)
    whole = game._replace(side_keys=dict(game.side_keys))
    must_come_back(game.id, whole, lambda: unpack_row(row, codecs))
    return row


def must_come_back(stream_id: str, packed: object, unpack: Callable[[], object]) -> None:
    """Raise `NotArchivable` unless a row gives back what was packed into it."""
    try:
        same = unpack() == packed
    except ArchiveDamaged as error:
        raise NotArchivable(stream_id, error.reason) from error
    if not same:
        raise NotArchivable(stream_id, "it does not come back from its row as it was")


def take_stream_apart(game: ArchivedStream) -> Apart:
    """Return the events of a stream for its row. Raises `NotArchivable` for one that is odd."""
    if not _HEAD.fullmatch(game.head):
        raise NotArchivable(game.id, f"its head {game.head!r} is no hash")
    if game.version != len(game.texts):
        raise NotArchivable(
            game.id, f"it is at version {game.version} and has {len(game.texts)} events"
        )
    last = hash_or_none(game.texts[-1]) if game.texts else None
    if game.head and game.head != last:
        raise NotArchivable(game.id, f"its last event has the hash {last}, its head is {game.head}")
    return take_apart(game.texts)


def compute_seal(columns: Columns, people: Sequence[Columns]) -> bytes:
    """Return the checksum of what never changes in the rows of a game."""
    said = [[columns[name] for name in _SEALED]]
    said += [[one["player"], one["seat"], one["rank"], one["score"]] for one in people]
    return seal_row(said, columns)


def seal_row(said: Any, columns: Columns) -> bytes:
    """Return the checksum of `said`, which becomes JSON, and of the bytes of a row."""
    seal = blake2b(orjson.dumps(said), digest_size=16)
    for name in _SEALED_BYTES:
        seal.update(len(columns[name]).to_bytes(8, "big"))
        seal.update(columns[name])
    return seal.digest()


def check_types(table: Table, row: Mapping[str, Any], game_id: str) -> None:
    """Raise `ArchiveDamaged` for a value of another type than its column: SQLite takes any."""
    for name, value in row.items():
        column = table.c[name]
        if not (isinstance(value, column.type.python_type) or (value is None and column.nullable)):
            raise ArchiveDamaged(game_id, f"its {table.name}.{name} has a value of another type")


def unpack_row(row: GameRow, codecs: Codecs) -> Archived:
    """Return the game of its rows. Raises `ArchiveDamaged`.

    The seal, the hashes of all events and the head are checked.
    """
    columns, people = row
    texts = unpack_texts(row, codecs)
    side_keys = unpack_beside(columns, codecs.plain)
    plain = {name: columns[name] for name in _PLAIN}
    return Archived(
        **plain,
        head=columns["head"].hex(),
        texts=texts,
        side_keys=side_keys,
        people=tuple(ListedPerson(*(one[name] for name in ListedPerson._fields)) for one in people),
        summary=unpack_summary(columns, codecs),
        form=columns["form"],
    )


def unpack_texts(row: GameRow, codecs: Codecs) -> tuple[bytes, ...]:
    """Return the events of a game from its rows, checked as `unpack_row` checks them."""
    columns, people = row
    game_id: str = columns["id"]
    check_types(tables.games, columns, game_id)
    for person in people:
        check_types(tables.people, person, game_id)
    if compute_seal(columns, people) != columns["seal"]:
        raise make_unsealed(game_id)
    return put_stream_together(columns, lambda: _find_codec(codecs, columns["events_dictionary"]))


def make_unsealed(game_id: str) -> ArchiveDamaged:
    """Return the error for a row that does not have the checksum that it names."""
    return ArchiveDamaged(game_id, "its row was changed: the seal of the row does not match")


def put_stream_together(columns: Columns, find_codec: Callable[[], Codec]) -> tuple[bytes, ...]:
    """Return the events of a row whose seal holds. Raises `ArchiveDamaged`."""
    row_id: str = columns["id"]
    try:
        apart = Apart(find_codec().unpack(columns["events"]), columns["hashes"])
        texts, last = put_together(apart, columns["version"])
    except (DamagedFrame, Misfitting) as error:
        raise ArchiveDamaged(row_id, str(error)) from error
    head: str = columns["head"].hex()
    if head and head != last:
        raise ArchiveDamaged(row_id, f"its last event has the hash {last}, its head is {head}")
    return texts


def pack_summary(columns: Mapping[str, Any], summary: bytes, codecs: Codecs) -> Columns:
    """Return the columns of a summary in a newer form, for the row of a game."""
    used, codec = codecs.choose(columns["game"], columns["schema"], "summary")
    return {"summary": codec.pack(summary), "summary_dictionary": used}


def unpack_summary(columns: Mapping[str, Any], codecs: Codecs) -> bytes:
    """Return the summary of a row; raises `ArchiveDamaged`."""
    check_types(tables.games, columns, columns["id"])
    try:
        return _find_codec(codecs, columns["summary_dictionary"]).unpack(columns["summary"])
    except DamagedFrame as error:
        raise ArchiveDamaged(columns["id"], f"its summary: {error}") from error


def _find_codec(codecs: Codecs, dictionary_id: str | None) -> Codec:
    codec = codecs.find(dictionary_id)
    if codec is None:
        raise DamagedFrame(f"the dictionary {dictionary_id} is missing")
    return codec


def pack_beside(game: ArchivedStream, codec: Codec) -> bytes:
    """Return what lies next to the events of a stream for its row, b"" for nothing."""
    return codec.pack(_join(game.side_keys)) if game.side_keys else b""


def unpack_beside(columns: Columns, codec: Codec) -> dict[str, bytes]:
    """Return what lies next to the events of a row, by family. Raises `ArchiveDamaged`."""
    try:
        return _split(codec.unpack(columns["beside"])) if columns["beside"] else {}
    except DamagedFrame as error:
        raise ArchiveDamaged(columns["id"], str(error)) from error


def _join(side_keys: Mapping[str, bytes]) -> bytes:
    """Return the side keys as one text: a line with names and lengths, then the values."""
    lengths = orjson.dumps({name: len(value) for name, value in side_keys.items()})
    return b"\n".join((lengths, b"".join(side_keys.values())))


def _split(text: bytes) -> dict[str, bytes]:
    head, _, values = text.partition(b"\n")
    try:
        lengths: dict[str, int] = orjson.loads(head)
        found, at = {}, 0
        for name, length in lengths.items():
            found[name] = values[at : at + length]
            at += length
    except (ValueError, AttributeError, TypeError) as error:
        raise DamagedFrame(f"what lies next to the events cannot be read: {error}") from error
    if at != len(values):
        raise DamagedFrame(f"{len(values)} bytes lie next to the events, and {at} have names")
    return found
