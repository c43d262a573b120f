"""Games into an archive, many ids of a stream for little more than the price of one.

Packing a game and checking the row takes a millisecond. A game whose stream is in another row
already has that row with another id, summary and seal; its summary is packed at the lowest level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from zstandard import ZstdCompressionDict, ZstdCompressor

from cartulary.events.archive.database import Database
from cartulary.events.archive.learning import Learner
from cartulary.events.archive.rows import Archived, GameRow, compute_seal, pack_row
from cartulary.events.archive.statements import put_rows, read_dictionaries
from cartulary.events.archive.tables import dictionaries

LEVEL: Final = 1


class GameCopies(NamedTuple):
    """A game, and the ids under which the same stream is there as well."""

    game: Archived
    ids: list[str]

    def list_games(self) -> list[Archived]:
        """Return the game and its copies."""
        return [self.game, *(renumber(self.game, one) for one in self.ids)]


def renumber(game: Archived, game_id: str) -> Archived:
    """Return a game under another id."""
    return game._replace(id=game_id, summary=_name_in(game, game_id))


def _name_in(game: Archived, game_id: str) -> bytes:
    old, new = (b'"%b"' % one.encode() for one in (game.id, game_id))
    return game.summary.replace(old, new)


class RowWriter:
    """Writes games into the archive of a URL, whose tables are there."""

    def __init__(self, url: str) -> None:
        self._database = Database(url)
        self._learner = Learner(self._database)
        self._pack = cache(self._make_packer)

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def write(self, games: Sequence[GameCopies]) -> None:
        """Write games and their copies in one transaction. Raises `ArchiveError`."""
        codecs = self._learner.prepare([one.game for one in games])
        rows: list[GameRow] = []
        for game, ids in games:
            row = pack_row(game, codecs)
            rows += [row, *(self.renumber(row, one, _name_in(game, one)) for one in ids)]
        with self._database.writing() as connection:
            put_rows(connection, rows)

    def pack(self, games: Sequence[Archived]) -> list[GameRow]:
        """Return the rows of games, which are not written. Raises `ArchiveError`."""
        codecs = self._learner.prepare(games)
        return [pack_row(game, codecs) for game in games]

    def renumber(self, row: GameRow, game_id: str, summary: bytes) -> GameRow:
        """Return a row with another id and another summary."""
        columns = {**row.columns, "id": game_id}
        columns["summary"] = self._pack(row.columns["summary_dictionary"])(summary)
        people = [{**person, "game_id": game_id} for person in row.people]
        columns["seal"] = compute_seal(columns, people)
        return GameRow(columns, people)

    def _make_packer(self, dictionary_id: str | None) -> Callable[[bytes], bytes]:
        if dictionary_id is None:
            return ZstdCompressor(level=LEVEL, write_checksum=True).compress
        with self._database.reading() as connection:
            (found,) = read_dictionaries(connection, dictionaries.c.id == dictionary_id)
        data = ZstdCompressionDict(found.data)
        data.precompute_compress(level=LEVEL)
        return ZstdCompressor(level=LEVEL, dict_data=data, write_checksum=True).compress
