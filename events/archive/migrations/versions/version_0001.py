"""The first tables: games, the people of the games, dictionaries."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_BYTES = ("summary", "beside", "hashes", "events")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "dictionaries",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("part", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_dictionaries"),
    )
    _create_games()
    op.create_table(
        "people",
        sa.Column("player", _ID, nullable=False),
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("rank", sa.Integer),
        sa.Column("score", sa.Integer),
        sa.PrimaryKeyConstraint("player", "game_id", "number", name="pk_people"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], ondelete="CASCADE", name="fk_people_game_id"
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("people_by_game", "people", ["game_id"])


def _create_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", _ID, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("game", "status", "visibility")),
        sa.Column("pace", sa.Text),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("rules", sa.Integer),
        sa.Column("form", sa.Integer, nullable=False),
        sa.Column("head", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.LargeBinary, nullable=False),
        sa.Column("events_dictionary", sa.Text),
        sa.Column("summary_dictionary", sa.Text),
        *(sa.Column(name, sa.LargeBinary, nullable=False) for name in _BYTES),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        *(
            sa.ForeignKeyConstraint([name], ["dictionaries.id"], name=f"fk_games_{name}")
            for name in ("events_dictionary", "summary_dictionary")
        ),
    )
    op.create_index("games_by_kind", "games", ["game", "id"])
    op.create_index("games_by_end", "games", ["game", "ended_at"])
    if op.get_bind().dialect.name == "postgresql":
        # The bytes are packed already: PostgreSQL must not try to compress them.
        for name in _BYTES:
            op.execute(f"ALTER TABLE games ALTER COLUMN {name} SET STORAGE EXTERNAL")
