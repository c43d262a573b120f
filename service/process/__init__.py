"""The process around the service: gunicorn, sockets, settings, logs, metrics."""
