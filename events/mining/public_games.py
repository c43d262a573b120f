"""The games of an archive that are for everybody: finished, public, of people who still exist."""

from __future__ import annotations

from collections.abc import Iterator

from cartulary.engine.transcript import Transcript
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.archive.rows import Columns
from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.store import Store

PUBLIC = "public"


def list_public_games(store: Store, game: str) -> Iterator[Transcript]:
    """Yield the public games of the archive that were played to their end, without names.

    Private and unlisted games, games of a duplicate round that is open, and games with a player
    whose account is deleted are left out, and so are damaged ones. Raises `ArchiveError`.
    """
    for row in store.archive.archive.rows():
        if _seems_public(game, row.columns):
            transcript = read_public_game(store, row.columns["id"])
            if transcript is not None:
                yield transcript


def _seems_public(game: str, columns: Columns) -> bool:
    wanted = (columns["game"], columns["status"], columns["visibility"])
    return bool(wanted == (game, Status.OVER.value, PUBLIC))


def read_public_game(store: Store, game_id: str) -> Transcript | None:
    """Return a game that may be mined, None for any other one. Raises `ArchiveError`."""
    try:
        table = store.projector.table(game_id)
        if not may_be_mined(store, table):
            return None
        transcript = transcript_of(table, store.ledger.events(table.id, 0, table.version), {})
    except ArchiveError:
        raise
    except LedgerError:
        return None  # `cartulary audit` says what is wrong with a game
    return transcript if transcript.ending is None or transcript.ending.by == "play" else None


def may_be_mined(store: Store, table: Table) -> bool:
    """Return whether everybody may see a game that is over, and its people still have accounts."""
    if table.visibility != PUBLIC or table.status is not Status.OVER:
        return False
    people = store.players.find_all(sorted(table.people))
    return all(person is not None for person in people)
