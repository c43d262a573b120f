"""Notices: what the caller is told of outside, in which browsers, by which webhooks."""
