"""Every setting of the service: one table, and one way to read it from the environment.

The room knows names, defaults, units and bounds. It imports no other room and starts nothing.
"""
