"""The tables of the explorer: sums by question, the games that were counted, the best of them.

They can be dropped at any time: `building` fills them again. So they have no migrations; `FORM`
says what they were made by.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from sqlalchemy import BigInteger, Column, Integer, MetaData, Table, Text

from cartulary.events.archive.tables import ID
from cartulary.explorer.questions import FORM as FORM_OF_KEYS

FORM: Final = f"3.{FORM_OF_KEYS}"
"""The form of these tables, and that of the keys in them."""

KEPT: Final = 32
"""The number of games of a question and a size of table that are kept: some may go with their
players."""

FORM_NAME: Final = "form"
COUNTED: Final = "counted:"
FOLLOWED: Final = "followed:"
"""What is noted under which name: the form; by game, how many are counted, and until which end."""

metadata = MetaData()

states = Table(
    "explorer_state",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
    sqlite_with_rowid=False,
)

counted = Table(
    "explorer_games",
    metadata,
    Column("id", ID, primary_key=True),
    Column("game", Text, nullable=False),
    sqlite_with_rowid=False,
)

sums = Table(
    "explorer_sums",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False, doc="`hash_key`"),
    Column("seats", Integer, primary_key=True, autoincrement=False),
    Column("answer", Text, primary_key=True),
    Column("band", Integer, primary_key=True, autoincrement=False),
    Column("offered", Integer, nullable=False),
    Column("times", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("beaten", BigInteger, nullable=False),
    Column("score", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

best = Table(
    "explorer_best",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("seats", Integer, primary_key=True, autoincrement=False),
    Column("strength", Integer, primary_key=True, autoincrement=False),
    Column("id", ID, primary_key=True),
    sqlite_with_rowid=False,
)


def hash_key(game: str, key: str) -> int:
    """Return the number by which a key is stored: 64 bits of a hash, so that rows stay small."""
    return int.from_bytes(
        blake2b(f"{game}\n{key}".encode(), digest_size=8).digest(), "big", signed=True
    )
