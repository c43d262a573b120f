"""Tests of a local game and of the messages of its worker."""
