"""The archive: finished games in a database (`docs/ledger.md`).

Only `errors` may be imported from everywhere. The other modules import SQLAlchemy or zstandard,
which take a tenth of a second, so they are imported where an archive is opened.
"""
