"""Notices: what a player who is not looking is notified of outside, and what became of it.

An item of the inbox becomes an *intent* for each channel that its player wants (`wishes`), in the
same step that adds the item. When it is due, a notifier looks again, and turns it into
*deliveries*, one for each endpoint. This room stores and decides; `workers/notices/` sends.
"""
