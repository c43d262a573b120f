"""The process around the app: gunicorn, sockets, settings, logs, metrics.

Nothing here imports the app or its views: the master loads some of these modules.
"""
