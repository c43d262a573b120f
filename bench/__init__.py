"""What is fast, against what, in one run: `python -m bench NAME [--seconds S] [--json]`."""
