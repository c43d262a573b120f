"""Messages that leave the house: to which addresses, how they are signed, encrypted and sent.

An address comes from a person, so each may lead into the operator's own network. Only `egress`
opens a connection, and only to an address that it has checked in that moment. Nothing in this room
knows a store, a player or a game.
"""
