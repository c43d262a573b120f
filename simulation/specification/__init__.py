"""The protocols as small models that are searched through, and traces of the real code in them."""
