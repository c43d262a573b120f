"""The migrations of the archive: Alembic runs `env.py`, which runs `versions` in order."""
