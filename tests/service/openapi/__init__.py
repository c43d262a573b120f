"""`openapi.yaml`: valid, complete, and true of what happens."""
