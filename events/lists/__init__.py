"""Projections: lists, inboxes, presence. They can be deleted and rebuilt."""
