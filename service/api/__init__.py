"""The resources; the view and the schemas of one resource stand together.

A view gets what its operation names, calls the ledger and answers.
"""
