"""`cartulary play`: play, watch and replay games of a service in a terminal."""
