"""The HTTP server of a web process: sockets, bytes and threads.

Knows WSGI and no view, store or game. The app knows of it `app_interface` and `unreadable` alone.
"""
