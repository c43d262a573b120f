"""Ratings in the store: results that count, and what follows from them; made from the events."""
