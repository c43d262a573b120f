"""The bridge to JCloisterZone."""
