"""The bridge to meeple_cat."""
