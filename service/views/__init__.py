"""The resources, one blueprint each.

A view gets what its operation names, calls the ledger and answers.
"""
