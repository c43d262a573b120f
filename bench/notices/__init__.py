"""Measures notices: from a move to the message about it, and what that costs a move."""
