"""Other forms of the description, made from the closed one: open, and with typed streams.

A form changes no value of the closed description: it works on a copy.
"""
