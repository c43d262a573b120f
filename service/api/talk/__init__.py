"""What people write: messages, notes, reports, and whom they mute.

Stores no event of a game.
"""
