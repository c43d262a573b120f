"""The service and its clients, as several rooms of `tests/service` need them."""
