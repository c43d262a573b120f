"""The pages around the table: home, inbox, lessons, settings."""
