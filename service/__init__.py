"""The HTTP API.

Only `app`, `wsgi` and `describe` stand here: what a process or a command starts with.
"""
