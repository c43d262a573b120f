"""Order: what operators decide about players, the answers to reports, and the log of both."""
