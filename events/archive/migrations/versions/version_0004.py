"""The inventory: the id of each game that must be there, apart from the games themselves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table, with the games that are there now: a row that was lost before stays lost."""
    op.create_table(
        "inventory",
        sa.Column("id", _ID, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_inventory"),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "postgresql":
        # A large archive takes longer than the statements of a request may.
        op.execute("SET LOCAL statement_timeout = 0")
    op.execute("INSERT INTO inventory (id) SELECT id FROM games")
