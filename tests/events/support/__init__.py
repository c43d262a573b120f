"""Games, tables and streams that several rooms of `tests/events` begin with."""
