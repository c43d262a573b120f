"""The processes that `cartulary serve` starts and keeps alive. No command."""
