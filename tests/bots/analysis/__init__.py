"""The teacher: how decisions are rated and summed up."""
