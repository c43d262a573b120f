"""The commands that the project uses, by the type of value that they are about."""
