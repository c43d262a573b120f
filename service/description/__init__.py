"""What the API is: schemas, examples, and `openapi.yaml` made from them."""
