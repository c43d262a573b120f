"""Statements on the database of an archive, past the archive."""

from __future__ import annotations

from typing import Any

from sqlalchemy import create_engine, inspect, text


def run(url: str, statement: str, **values: Any) -> list[Any]:
    """Run a statement; return the first column of the rows that it returns."""
    engine = create_engine(url)
    with engine.begin() as connection:
        result = connection.execute(text(statement), values)
        found = list(result.scalars()) if result.returns_rows else []
    engine.dispose()
    return found


def list_tables(url: str) -> set[str]:
    """Return the names of the tables."""
    engine = create_engine(url)
    found = inspect(engine).get_table_names()
    engine.dispose()
    return set(found)
