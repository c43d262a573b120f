"""Tests of upgrades: the first release, kept as a file, and the sources of today."""
