"""The games as environments, next to the tests that the libraries bring."""
