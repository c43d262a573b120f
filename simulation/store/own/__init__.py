"""Commands about the connection and the server itself: they read and write no key."""
