"""What several commands check: standing answers, previews, hints."""
