"""Names: what a new name may be (RFC 8265), its scripts, and what looks like what. Pure."""
