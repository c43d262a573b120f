"""What authors of clients read, over HTTP."""
