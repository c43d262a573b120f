"""`cartulary top`: how the service does, live in a terminal.

`figures` reads counters of the store and of the web processes, `page` draws what has changed
between two readings. Nothing in this room writes to a store.
"""
