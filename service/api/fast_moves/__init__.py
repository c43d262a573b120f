"""The usual move and preview, answered without Flask or without a thread.

Each answer equals that of the view, or the view answers.
"""
