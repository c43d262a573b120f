"""The forms of the description besides `openapi.yaml`."""
