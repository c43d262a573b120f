"""The description compared with that of the last release: what would break a client is found.

Pure functions on descriptions; `cartulary.service.describe` reads and stores the released ones.
"""
