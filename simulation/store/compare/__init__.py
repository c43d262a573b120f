"""The same random operations on the model and on a real Valkey: each answer must be the same."""
