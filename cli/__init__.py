"""The command line: `main` lists the commands, each command has a module of its own."""
