"""Runs migrations on the connection of the caller, within its transaction and its lock."""

from __future__ import annotations

from alembic import context

from cartulary.events.archive.tables import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
