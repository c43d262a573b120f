"""The Valkey server that `cartulary serve` starts."""
