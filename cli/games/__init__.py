"""Commands on transcripts and bots. Nothing here opens a store."""
