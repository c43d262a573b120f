"""Follows, company and seeks over HTTP."""
