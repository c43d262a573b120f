"""The parts of requests and answers: bodies, queries, conditions, problems, limits, streams."""
