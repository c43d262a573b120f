"""Requests and answers: operations, bodies, queries, conditions, problems, limits, streams.

`endpoints` brings them together: the decorator of every view.
"""
