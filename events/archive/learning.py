"""Where the dictionaries of an archive come from: read from it, and trained from its games."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select
from zstandard import ZstdError

from cartulary.events.archive import tables
from cartulary.events.archive.database import Database
from cartulary.events.archive.dictionaries import (
    SAMPLES,
    SIZES,
    Codecs,
    DamagedFrame,
    Dictionary,
    train,
)
from cartulary.events.archive.errors import ArchiveDamaged
from cartulary.events.archive.packing import find_schema, take_apart
from cartulary.events.archive.rows import Archived, unpack_row
from cartulary.events.archive.statements import put_dictionaries, read_dictionaries, read_rows
from cartulary.events.model.clock import SYSTEM

logger = logging.getLogger(__name__)

Kind = tuple[str, int]
"""A kind of games with its own dictionaries: the game and the highest schema of its events."""

_games = tables.games


class Learner:
    """Has the codecs of an archive, and adds dictionaries as games come. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.codecs = Codecs()
        self._failed: set[Kind] = set()

    def prepare(self, games: Sequence[Archived]) -> Codecs:
        """Return the codecs that pack these games; trains dictionaries once there are samples.

        Raises `ArchiveUnavailable`, `ArchiveReadOnly`, `ArchiveFull`.
        """
        kinds = {(game.game, find_schema(game.texts)) for game in games}
        for kind in sorted(kinds - self._failed):
            if not self._has(kind):
                self._learn(kind)
        return self.codecs

    def load(self, connection: Connection, rows: Iterable[Mapping[str, Any]]) -> Codecs:
        """Return the codecs, with the dictionaries of these rows.

        A dictionary that was changed raises `ArchiveDamaged`; the codecs lack a missing dictionary.
        """
        for row in rows:
            for column in ("events_dictionary", "summary_dictionary"):
                name = row.get(column)
                if self.codecs.find(name) is None:
                    which = tables.dictionaries.c.id == name
                    self._add(read_dictionaries(connection, which), row["id"])
        return self.codecs

    def _has(self, kind: Kind) -> bool:
        return self.codecs.choose(*kind, "events")[0] is not None

    def _add(self, found: Iterable[Dictionary], game_id: str) -> None:
        try:
            for dictionary in found:
                self.codecs.add(dictionary)
        except DamagedFrame as error:
            raise ArchiveDamaged(game_id, str(error)) from error

    def _learn(self, kind: Kind) -> None:
        """Read the dictionaries of a kind, or train them where there are games enough."""
        game, schema = kind
        of_kind = tables.dictionaries.c
        with self._database.reading() as connection:
            found = read_dictionaries(
                connection, (of_kind.game == game) & (of_kind.schema == schema)
            )
            samples = [] if found else self._read_samples(connection, kind)
        if samples:
            found = self._train(kind, samples)
            with self._database.writing() as connection:
                put_dictionaries(connection, found)
        try:
            for dictionary in found:
                self.codecs.add(dictionary)
        except DamagedFrame as error:
            logger.error("games are packed without: %s", error)  # noqa: TRY400 - it says it all
            self._failed.add(kind)

    def _read_samples(self, connection: Connection, kind: Kind) -> list[Archived]:
        """Return some of the newest games of a kind, none where there are too few.

        Damaged games are left out.
        """
        newest = (
            select(_games.c.id, _games.c.schema)
            .where(_games.c.game == kind[0])
            .order_by(_games.c.ended_at.desc())
            .limit(2 * SAMPLES)
        )
        ids = [row.id for row in connection.execute(newest) if row.schema == kind[1]]
        if len(ids) < SAMPLES:
            return []
        rows = read_rows(connection, _games.c.id.in_(ids[:SAMPLES]))
        codecs = self.load(connection, (row.columns for row in rows))
        samples = []
        for row in rows:
            try:
                samples.append(unpack_row(row, codecs))
            except ArchiveDamaged as error:
                # Its readers get the error. The games that come now are whole.
                logger.error("no sample: %s", error)  # noqa: TRY400 - it says it all
        return samples

    def _train(self, kind: Kind, games: Sequence[Archived]) -> list[Dictionary]:
        texts = {
            "events": [take_apart(game.texts).lines for game in games],
            "summary": [game.summary for game in games],
        }
        try:
            return [train(*kind, part, texts[part], SYSTEM.now_ms()) for part in SIZES]
        except ZstdError as error:
            # The games are packed without a dictionary: they take more room.
            logger.warning("no dictionary for %s of schema %d: %s", *kind, error)
            self._failed.add(kind)
            return []
