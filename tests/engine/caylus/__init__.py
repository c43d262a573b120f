"""Caylus, sentence by sentence of its rules."""
