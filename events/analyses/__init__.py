"""Analyses of games that are over: what is stored of them while they are made, and afterwards."""
