"""Caylus: buildings, road and castle as tables, one module per phase, favours on a stack.

Read `flow` first: the sequence of play.
"""

from cartulary.engine.caylus.game import CAYLUS

__all__ = ["CAYLUS"]
