"""Players that think: pure functions from a state to a move. They import only `engine`."""

from cartulary.bots.thought import Budget, Thought

__all__ = ["Budget", "Thought"]
