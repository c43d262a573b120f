"""The connection to Redis or Valkey, and what happens when it is lost."""
