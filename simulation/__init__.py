"""The real code on a virtual clock: one seed is one run, and a failing run is a story."""
