"""What is the same for all requests: refusals, limits, origins, languages."""
