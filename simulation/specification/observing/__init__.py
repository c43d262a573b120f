"""Readers of operations: what the code does to its store, as steps of the models."""
