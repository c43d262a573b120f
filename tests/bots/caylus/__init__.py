"""The bots of Caylus: how strong they are, and what they see."""
