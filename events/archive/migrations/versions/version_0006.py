"""In PostgreSQL the games have a partition for each month; those from before are the first.

No game is copied: the table of before becomes the first partition as it is, with its indexes. This
takes as long as a look at each id where `events.archive.partitions` has not looked at them before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from cartulary.events.model.clock import SYSTEM
from cartulary.events.model.time.months import END, choose_first_bound, make_bound

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_INDEXES = {
    "games_listed": ("visibility", "id"),
    "games_listed_by_status": ("visibility", "status", "id"),
    "games_listed_by_game": ("visibility", "game", "id"),
    "games_listed_by_pace": ("visibility", "pace", "id"),
    "games_listed_by_status_game": ("visibility", "status", "game", "id"),
    "games_listed_by_status_pace": ("visibility", "status", "pace", "id"),
    "games_listed_by_game_pace": ("visibility", "game", "pace", "id"),
    "games_listed_by_status_game_pace": ("visibility", "status", "game", "pace", "id"),
    "games_by_end": ("game", "ended_at"),
}
_DICTIONARIES = ("events_dictionary", "summary_dictionary")


def upgrade() -> None:
    """Put the table into the place of the first partition; SQLite keeps one table.

    The reference of `people` is not checked again: it has held for the same table until now.
    `events.archive.partitions` has PostgreSQL see that, without a lock that readers wait for.
    """
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute("SET LOCAL statement_timeout = 0")
    op.execute("LOCK TABLE people, games IN ACCESS EXCLUSIVE MODE")
    bound = _bound_ids()
    op.drop_constraint("fk_people_game_id", "people", type_="foreignkey")
    op.rename_table("games", "games_before")
    op.execute("ALTER TABLE games_before RENAME CONSTRAINT pk_games TO pk_games_before")
    for name in _INDEXES:
        op.execute(f"ALTER INDEX {name} RENAME TO {name.replace('games', 'games_before', 1)}")
    _create_parent()
    op.execute(
        f"ALTER TABLE games ATTACH PARTITION games_before FOR VALUES FROM (MINVALUE) TO ('{bound}')"
    )
    op.drop_constraint("games_before_bound", "games_before", type_="check")
    beyond = max(make_bound(END), bound)
    op.execute(
        f"CREATE TABLE games_beyond PARTITION OF games FOR VALUES FROM ('{beyond}') TO (MAXVALUE)"
    )
    op.execute(
        "ALTER TABLE people ADD CONSTRAINT fk_people_game_id FOREIGN KEY (game_id)"
        " REFERENCES games (id) ON DELETE CASCADE NOT VALID"
    )


def _bound_ids() -> str:
    """Return the id before which all games are; a constraint says so, and no id is looked at again.

    The constraint `games_before_bound` may be there, with the bound as its comment.
    """
    connection = op.get_bind()
    newest = connection.execute(sa.text("SELECT max(id) FROM games")).scalar()
    known = connection.execute(
        sa.text(
            "SELECT obj_description(oid, 'pg_constraint') FROM pg_constraint"
            " WHERE conrelid = 'games'::regclass AND conname = 'games_before_bound'"
            " AND convalidated"
        )
    ).scalar()
    if known is not None and newest is not None:
        return str(known)
    bound = choose_first_bound(newest, SYSTEM.now_ms())
    op.execute("ALTER TABLE games DROP CONSTRAINT IF EXISTS games_before_bound")
    op.execute(f"ALTER TABLE games ADD CONSTRAINT games_before_bound CHECK (id < '{bound}')")
    return bound


def _create_parent() -> None:
    op.execute("CREATE TABLE games (LIKE games_before INCLUDING STORAGE) PARTITION BY RANGE (id)")
    op.create_primary_key("pk_games", "games", ["id"])
    for name, columns in _INDEXES.items():
        op.create_index(name, "games", list(columns))
    for name in _DICTIONARIES:
        op.create_foreign_key(f"fk_games_{name}", "games", "dictionaries", [name], ["id"])
