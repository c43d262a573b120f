"""The ledger: what happened, kept for ever, and everything that is made from it.

`commands` writes, `projector` and `ledger` read, `store` wires all of it to one server. The
streams are the only truth; projections, snapshots and caches can be deleted at any moment.
"""
