"""What one request carries: headers, ids, marks, problems.

Nothing here knows the store, a player or another request.
"""
