"""Talk at the table: messages beside the ledger, notes, muting, and reports to the operators."""
