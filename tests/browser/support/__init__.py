"""A browser, a person in front of it, and the positions they look at."""
