"""Cartulary: people and bots play Caylus and Carcassonne, and every move is an immutable event.

The rooms lie at the top level of the checkout; each link in this folder gives one of them its
import name: `engine/` is imported as `cartulary.engine`, and never as `engine`.
"""
