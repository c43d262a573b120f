"""Reading requests and writing answers: what holds for all resources.

No route and no view stands here.
"""
