"""A game as its events tell it. Pure: no Redis, no clock, no random source."""
