"""Archived tournaments as rows: packed before they are written, checked when they are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import orjson

from cartulary.events.archive import tables
from cartulary.events.archive.dictionaries import Codec
from cartulary.events.archive.rows import (
    Columns,
    check_types,
    make_unsealed,
    must_come_back,
    pack_beside,
    put_stream_together,
    seal_row,
    take_stream_apart,
    unpack_beside,
)

PLAIN: Final = Codec()
"""Packs tournaments: they are too few and too long to have dictionaries."""

_PLAIN: Final = ("id", "status", "visibility", "created_at", "ended_at", "version")
"""The fields of a tournament that its row has as they are."""


class ArchivedTournament(NamedTuple):
    """A whole tournament that has ended: nothing else is needed to bring it back to the store.

    `status` is `over` or `cancelled`; `people` are the ids of those whom a private one is for; the
    times are in ms since the epoch. `texts` are the events as they are stored, oldest first,
    `version` is their number, and `head` is the hash of the last one. `side_keys` is what lies next
    to the events, by family (`events.server.key_catalogue`).
    """

    id: str
    status: str
    visibility: str
    people: tuple[str, ...]
    created_at: int
    ended_at: int
    version: int
    head: str
    texts: tuple[bytes, ...]
    side_keys: Mapping[str, bytes]


def pack_tournament(tournament: ArchivedTournament) -> Columns:
    """Return a tournament as its row. Raises `NotArchivable` for what would not be given back.

    That is checked here, before anything is written: it is packed, unpacked and compared.
    """
    apart = take_stream_apart(tournament)
    columns: Columns = {name: getattr(tournament, name) for name in _PLAIN}
    columns |= {
        "people": orjson.dumps(tournament.people).decode(),
        "head": bytes.fromhex(tournament.head),
        "beside": pack_beside(tournament, PLAIN),
        "hashes": apart.hashes,
        "events": PLAIN.pack(apart.lines),
    }
    columns["seal"] = _compute_seal(columns)
    must_come_back(tournament.id, tournament, lambda: unpack_tournament(columns))
    return columns


def unpack_tournament(columns: Columns) -> ArchivedTournament:
    """Return the tournament of a row. Raises `ArchiveDamaged`.

    The seal, the hashes of all events and the head are checked.
    """
    texts = unpack_tournament_texts(columns)
    return ArchivedTournament(
        **{name: columns[name] for name in _PLAIN},
        people=tuple(orjson.loads(columns["people"])),
        head=columns["head"].hex(),
        texts=texts,
        side_keys=unpack_beside(columns, PLAIN),
    )


def unpack_tournament_texts(columns: Columns) -> tuple[bytes, ...]:
    """Return the events of a tournament from its row, checked as `unpack_tournament` does."""
    check_types(tables.tournaments, columns, columns["id"])
    if _compute_seal(columns) != columns["seal"]:
        raise make_unsealed(columns["id"])
    return put_stream_together(columns, lambda: PLAIN)


def _compute_seal(columns: Columns) -> bytes:
    return seal_row([columns[name] for name in (*_PLAIN, "people")], columns)
