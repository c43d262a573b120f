"""What every game keeps: contracts, transcripts, schemas, ranks."""
