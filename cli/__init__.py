"""The command line: `main` lists the commands; `serve` runs the service."""
