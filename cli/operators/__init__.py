"""Commands of operators on a store: status, backup, archive, audit, reports, keys."""
