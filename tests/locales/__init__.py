"""The words of the games in every language."""
