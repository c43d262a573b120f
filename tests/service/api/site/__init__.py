"""Pages, lessons and the catalogue over HTTP."""
