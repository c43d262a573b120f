"""Notices: what the caller is notified of outside, in which browsers, by which webhooks."""
