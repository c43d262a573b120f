"""What comes in and goes out, as marshmallow schemas; `openapi.yaml` is generated from them."""
