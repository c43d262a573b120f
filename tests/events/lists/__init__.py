"""Lists, inboxes and presence, and that they can be rebuilt."""
