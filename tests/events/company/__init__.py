"""Follows, company and seeks in the ledger."""
