"""What several commands check before they decide. Nothing here appends."""
