"""Answers that follow: streams and long polls.

No thread is held while nothing comes, where the server has an event loop.
"""
