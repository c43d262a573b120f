"""Values, databases, sessions, answers, and what is written down of changes: no command."""
