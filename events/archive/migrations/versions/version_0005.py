"""Tournaments: their streams, and the id of each tournament that must be there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_PACKED = ("beside", "hashes", "events")


def upgrade() -> None:
    """Make the tables: no earlier release has archived tournaments."""
    op.create_table(
        "tournaments",
        sa.Column("id", _ID, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("status", "visibility", "people")),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        *(sa.Column(name, sa.LargeBinary, nullable=False) for name in ("head", "seal", *_PACKED)),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_table(
        "tournament_inventory",
        sa.Column("id", _ID, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournament_inventory"),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "postgresql":
        # The bytes are packed already: PostgreSQL must not try to compress them.
        for name in _PACKED:
            op.execute(f"ALTER TABLE tournaments ALTER COLUMN {name} SET STORAGE EXTERNAL")
