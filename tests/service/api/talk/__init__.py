"""What people write, over HTTP."""
