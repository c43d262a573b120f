"""Lost connections, late answers, many tabs, long games."""
