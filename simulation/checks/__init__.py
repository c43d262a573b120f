"""What must hold of every run: promises kept, one order of all commands, lists as rebuilt."""
