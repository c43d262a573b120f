"""The benches measure all that they promise."""
