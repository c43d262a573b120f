"""`cartulary doctor`: what is wrong with an installation, and what to do about it.

One table (`table`) has a row for each fault; a function for each row looks at the installation
(`site`) and says what it has seen. Nothing in this room writes to a store, a database or a file.
"""
