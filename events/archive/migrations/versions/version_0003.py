"""Indexes for every list of public games: a page reads no more games than it shows."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_LISTS = (
    ("games_listed", ()),
    ("games_listed_by_status", ("status",)),
    ("games_listed_by_game", ("game",)),
    ("games_listed_by_pace", ("pace",)),
    ("games_listed_by_status_game", ("status", "game")),
    ("games_listed_by_status_pace", ("status", "pace")),
    ("games_listed_by_game_pace", ("game", "pace")),
    ("games_listed_by_status_game_pace", ("status", "game", "pace")),
)


def upgrade() -> None:
    """Make the indexes; they take the place of the index by kind, which no other query needs.

    That index is dropped last: on PostgreSQL no process reads the table from there on.
    """
    if op.get_bind().dialect.name == "postgresql":
        # A large archive takes longer than the statements of a request may.
        op.execute("SET LOCAL statement_timeout = 0")
    for name, columns in _LISTS:
        op.create_index(name, "games", ["visibility", *columns, "id"])
    op.drop_index("games_by_kind", "games")
