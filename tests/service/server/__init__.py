"""The HTTP server, with sockets, clocks and threads that a test moves."""
