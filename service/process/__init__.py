"""The process around the app: settings, bounds, logs, metrics, gunicorn.

Imports nothing else of the service: the master of gunicorn loads it, and must not load the app.
"""
