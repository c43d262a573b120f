"""Notices over HTTP: settings, browsers, webhooks."""
