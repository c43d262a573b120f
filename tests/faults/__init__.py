"""The service while its parts die, hang and have no room."""
