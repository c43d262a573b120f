"""`openapi.yaml`, made from the operations, the schemas and the contracts of the games.

Imports no view: it sees those of the app that it is given.
"""
