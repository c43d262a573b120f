"""The resources of the API, a room for each room of `service/api`."""
