"""Players that think: pure functions from a state to a move. They import only `engine`."""

from cartulary.bots.base import Bot, BotEntry
from cartulary.bots.thought import Budget, Think, Thought, Value

__all__ = ["Bot", "BotEntry", "Budget", "Think", "Thought", "Value"]
