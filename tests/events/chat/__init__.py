"""Talk at the table, as the store keeps it."""
