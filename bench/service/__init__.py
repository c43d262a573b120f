"""The service as real processes, over HTTP and in a browser."""
