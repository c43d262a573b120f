"""Talk at the table: messages next to the ledger, notes, muting, and reports to the operators."""
