"""A real `cartulary serve` and people who play on it over HTTP."""
