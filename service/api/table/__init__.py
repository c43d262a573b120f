"""What people agree on around a game: seats, time, proposals, the next game.

Makes no move.
"""
