"""The archive, and the way of games into it and back."""
