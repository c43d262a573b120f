"""The service as real processes, over HTTP."""
