"""The process of a server: turns, sessions that wait, files, replicas; no command of its own."""
