"""Ratings: how well players play, as a fold over the results of games that count.

Pure: no clock, no store. The results come in one order, by time and id, and the numbers follow from
them alone; `docs/ratings.md` has the whole fold in twenty lines.
"""
