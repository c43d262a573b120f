"""What explains or proves a game.

Changes no game.
"""
