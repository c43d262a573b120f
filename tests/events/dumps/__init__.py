"""Open data: the public games of a month as files."""
