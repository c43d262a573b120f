"""What is the same for everybody: client, catalogue, health, description.

Reads no game but to name it in a link, and writes nothing.
"""
