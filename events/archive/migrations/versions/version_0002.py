"""The identity of the database: a random id, made once, that a copy of the database keeps."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table and its row."""
    table = op.create_table(
        "identity",
        sa.Column("id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_identity"),
    )
    op.bulk_insert(table, [{"id": secrets.token_hex(16)}])
