"""The states of a connection."""

from __future__ import annotations


class ConnectionState:
    """Numbers: an enum would make each comparison on the way of a request slower."""

    HANDSHAKE = 0
    """TLS has yet to agree on keys."""
    HEAD = 1
    """The head of the first request, or of a later one that has begun, is not complete."""
    BODY = 2
    """The body of a request is not complete."""
    BUSY = 3
    """A thread works on a request."""
    WAIT = 4
    """A request waits for an event."""
    WRITING = 5
    """The loop writes an answer."""
    IDLE = 6
    """Nothing of the next request has come."""
    LIVE = 7
    """The answer is a stream."""
    LINGER = 8
    """The last answer is sent; the client may still read it."""
    CLOSED = 9
    """The connection is over."""
