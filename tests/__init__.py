"""The tests, in the rooms of the code that they test."""
