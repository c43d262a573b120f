"""The bots of Carcassonne: how strong they are, and what they see."""
