"""Tests of the simulated store and of the simulated world."""
