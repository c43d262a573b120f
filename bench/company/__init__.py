"""Ratings, profiles, seeks and the lobby of a large site; `_world` makes the site."""
